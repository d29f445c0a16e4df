//! Idle and loaded latency: the schedule is kept, and the effect of a load is visible.

use crate::stage::{Home, Lab, list, number};
use crate::{CommandOutput, must};
use serde_json::Value;

const MS: u64 = 1_000_000;

fn probes(trial: &Value) -> Result<(u64, u64, u64), libtest_mimic::Failed> {
    let of = |name: &str| number(trial, &format!("/probes/{name}"));
    let (sent, answered, lost) = (of("sent")?, of("answered")?, of("lost")?);
    if answered + lost == sent && number(trial, "/latency_ns/count")? == answered {
        Ok((sent, answered, lost))
    } else {
        Err(format!("{sent} sent, {answered} answered, {lost} lost: {}", trial["latency_ns"]).into())
    }
}

pub fn idle_and_loaded() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "latency", &["--rate", "50Mbit"])?;
    let result = lab.measure("latency", "--time 1s --warm-up 500ms --congestion cubic")?;
    let trials = list(&result["trials"]);
    let loads: Vec<_> = trials.iter().map(|t| t["probe"]["load"].as_str().unwrap_or("idle")).collect();
    must!(loads == ["idle", "send", "receive", "both"], "{loads:?}");
    let idle = number(&trials[0], "/latency_ns/p50")?;
    must!(trials[0]["goodput_bps"].is_null() && trials[0]["limit"]["goodput_bps"].is_null(), "{}", trials[0]);
    for trial in trials {
        let (sent, ..) = probes(trial)?;
        must!(sent == 200, "{sent} probes in 1 s at one each 5 ms");
    }
    for trial in &trials[1..] {
        let loaded = number(trial, "/latency_ns/p50")?;
        must!(loaded > idle + MS, "idle {idle} ns, loaded {loaded} ns");
        let share = trial["percent_of_limit"].as_f64().ok_or("no share of the limit")?;
        must!((50.0..100.5).contains(&share), "{share} % of the limit");
    }
    let shown = home.run(["show"]).ended(0)?;
    must!(shown.stdout.contains("Idle and loaded latency"), "{}", shown.stdout);
    Ok(())
}
