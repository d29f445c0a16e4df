//! One server and several clients: counters match the server's adapter.

use crate::stage::{Home, Lab, ProcessRun, kill, list, number};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::Value;
use std::time::Duration;

/// Difference of payload plus headers from the adapter's counters in per cent: each direction with payload,
/// and the sum, which includes acknowledgements, whose number depends on the kernel.
fn against_adapter(trial: &Value) -> Result<Vec<f64>, Failed> {
    let load = &trial["load"];
    let expected = [number(load, "/expected_adapter_bytes/0")?, number(load, "/expected_adapter_bytes/1")?];
    let counted = [number(load, "/adapter/transmit_bytes")?, number(load, "/adapter/receive_bytes")?];
    let payload = [number(load, "/transmit_bps")?, number(load, "/receive_bps")?];
    let off = |expected: u64, counted: u64| (expected as f64 - counted as f64) * 100.0 / counted as f64;
    let ways = (0..2).filter(|way| payload[*way] > 0).map(|way| off(expected[way], counted[way]));
    Ok(ways.chain([off(expected.iter().sum(), counted.iter().sum())]).collect())
}

pub fn three_directions() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "load", &["--clients", "3", "--rate", "100Mbit", "--server-rate", "1Gbit"])?;
    let line = lab.load("c[1-3]", "--size 1KiB,64KiB --time 1s --warm-up 500ms --json");
    let result = home.line(&line).measured()?;
    let trials = list(&result["trials"]);
    let ways: Vec<_> = trials.iter().map(|t| t["load"]["traffic"].as_str().unwrap_or("")).collect();
    must!(ways == ["transmit", "transmit", "receive", "receive", "duplex", "duplex"], "{ways:?}");
    for trial in trials {
        let load = &trial["load"];
        must!(number(load, "/clients")? == 3 && load["excluded"] == serde_json::json!([]), "{load}");
        let (out, back) = (number(load, "/transmit_bps")?, number(load, "/receive_bps")?);
        // Three connections of 100 Mbit/s: 94.15 % is user data.
        let most = 3 * 95_000_000;
        let full = |bps: u64| (most * 8 / 10..most).contains(&bps);
        let (sends, takes) = match load["traffic"].as_str() {
            Some("transmit") => (true, false),
            Some("receive") => (false, true),
            _ => (true, true),
        };
        must!(!sends || full(out), "transmit {out} bit/s: {load}");
        must!(!takes || full(back), "receive {back} bit/s: {load}");
        must!((sends || out == 0) && (takes || back == 0), "{out} and {back} bit/s: {load}");
        must!(number(trial, "/goodput_bps")?.abs_diff(out + back) <= 2, "{trial}");
        for off in against_adapter(trial)? {
            must!(off.abs() < 2.0, "{off} % off the adapter's count: {load}");
        }
    }
    let shown = home.run(["show"]).ended(0)?.stdout;
    must!(shown.matches("64 KiB").count() >= 1 && shown.contains("P/E"), "{shown}");
    Ok(())
}

pub fn refused() -> CommandOutput {
    let home = Home::new();
    let file = home.path().join("bad.icf");
    let text = "Version 1.1.0\n'ACCESS SPECIFICATIONS ====\n'Access specification name,default assignment\n\ta,NONE\n\
                'size,% of size,% reads,% random,delay,burst,align,reply\n\t512,60,0,0,0,1,0,0\n\
                'END access specifications\n'MANAGER LIST ====\n'END manager list\nVersion 1.1.0\n";
    std::fs::write(&file, text)?;
    let icf = format!("load --icf {} --json", file.display());
    for (line, words) in [
        ("load 10.0.0.1 --json", "clients"),
        ("load 10.0.0.1 --clients 10.0.0.1 --json", "among its clients"),
        ("load 10.0.0.1 --clients 10.0.0.2,10.0.0.2 --json", "twice"),
        ("load 10.0.0.1 --clients 10.0.0.2 --mix 4KiB:60:0,8KiB:30:0 --json", "90"),
        ("load 10.0.0.1 --clients 10.0.0.2 --size 2GiB --json", "1GiB"),
        ("load 10.0.0.1 --clients 10.0.0.2 --size 64K --json", "64KiB"),
        ("load 10.0.0.1 --clients 10.0.0.2 --direction up --json", "transmit"),
        ("load lab:server --clients 10.0.0.2 --json", "lab"),
        (icf.as_str(), "line 6"),
    ] {
        let ran = home.line(line).ended(2)?;
        let error = ran.json()?["error"].to_string();
        must!(error.contains(words), "{line}: {error}");
    }
    Ok(())
}

fn left_out(ran: ProcessRun, host: &str, midway: bool) -> Result<Value, Failed> {
    let result = ran.measured()?;
    let [excluded] = list(&result["load"]["excluded"]) else { return Err(format!("{result}").into()) };
    must!(excluded["host"] == host && excluded["midway"] == midway, "{excluded}");
    must!(excluded["cause"].as_str().is_some_and(|c| !c.is_empty()), "{excluded}");
    Ok(result)
}

pub fn a_client_dies() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "dies", &["--clients", "3", "--rate", "100Mbit", "--server-rate", "1Gbit"])?;
    let line = lab.load("c[1-3]", "--size 8KiB --direction transmit --time 4s --warm-up 500ms --json");
    let client = home.start_line(&line);
    std::thread::sleep(Duration::from_millis(3_000));
    kill(lab.agent("c2")?);
    let result = left_out(client.end(), "c2", true)?;
    let per_client = list(&result["load"]["per_client"]).iter();
    let names: Vec<_> = per_client.map(|c| c["name"].as_str().unwrap_or("")).collect();
    must!(names == ["c1", "c3"], "{names:?}");
    let out = number(&result, "/load/transmit_bps")?;
    must!((150_000_000..190_000_000).contains(&out), "{out} bit/s of two clients at 100 Mbit/s");
    let line = lab.load("c[1-3]", "--size 8KiB --direction receive --time 1s --warm-up 200ms --json");
    left_out(home.line(&line), "c2", false)?;
    Ok(())
}
