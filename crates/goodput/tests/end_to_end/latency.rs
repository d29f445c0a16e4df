//! Idle and loaded latency: the schedule is kept, loss is separate, and the effect of a load is visible.

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
    must!(shown.stdout.contains("Latency, idle and under load"), "{}", shown.stdout);
    Ok(())
}

/// Drops every tenth probe: the loss matches the rule's counter, other latencies do not change.
pub fn loss_stands_apart() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "loss", &[])?;
    // Probes of 100 B and 8 of UDP header; the opening is shorter.
    let rule = "add table ip plant ; add chain ip plant in { type filter hook input priority 0 ; } ; \
                add rule ip plant in udp length 108 numgen inc mod 10 == 0 counter drop";
    lab.exec("b", ["nft", rule])?;
    let more = "--load idle --size 100 --interval 2ms --time 1s --warm-up 0s";
    let result = lab.measure("latency", more)?;
    let (sent, _, lost) = probes(&result)?;
    let dropped = lab.counted("b", "ip plant")?;
    must!(sent == 500 && lost == 50 && dropped == 50, "{sent} sent, {lost} lost, {dropped} dropped");
    let p50 = number(&result, "/latency_ns/p50")?;
    must!(p50 < 20 * MS, "p50 {p50} ns");
    Ok(())
}
