//! One server and several clients: counters match the server's adapter, an imported IOmeter file makes the
//! same run, and a killed client is left out.

use crate::stage::{Home, Lab, ProcessRun, kill, list, number, signal};
use crate::{CommandOutput, must};
use goodput_analysis::claim::{Claim, decide, resolution};
use libtest_mimic::Failed;
use serde_json::Value;
use std::time::Duration;

fn star<'a>(home: &'a Home, story: &str, clients: &str, server: &str) -> Result<Lab<'a>, Failed> {
    Lab::up(home, story, &["--clients", clients, "--rate", "100Mbit", "--server-rate", server])
}

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
    let lab = star(&home, "load", "3", "1Gbit")?;
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

pub fn the_same_from_a_file() -> CommandOutput {
    let home = Home::new();
    let lab = star(&home, "icf", "2", "1Gbit")?;
    let file = home.path().join("plan.icf").display().to_string();
    let settings = "--size 512B,8KiB --time 1s --warm-up 0s --seed 7";
    home.line(&lab.load("c[1-2]", &format!("{settings} --write-icf {file}"))).ended(0)?;
    let typed = home.line(&lab.load("c[1-2]", &format!("{settings} --json"))).measured()?;
    let map = |name: &str| format!("--map {name}={}", lab.host(name));
    let maps: Vec<String> = ["server", "c1", "c2"].map(map).to_vec();
    let line = format!("load --icf {file} {} --seed 7 --json", maps.join(" "));
    let imported = home.line(&line).measured()?;
    let plans = |document: &Value| -> Vec<Value> {
        list(&document["trials"]).iter().map(|t| t["probe"].clone()).collect()
    };
    let (one, other) = (plans(&typed), plans(&imported));
    must!(one.len() == 6 && one == other, "{one:#?}\nis not\n{other:#?}");
    Ok(())
}

pub fn a_client_dies() -> CommandOutput {
    let home = Home::new();
    let lab = star(&home, "dies", "3", "1Gbit")?;
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

fn left_out(ran: ProcessRun, host: &str, midway: bool) -> Result<Value, Failed> {
    let result = ran.measured()?;
    let [excluded] = list(&result["load"]["excluded"]) else { return Err(format!("{result}").into()) };
    must!(excluded["host"] == host && excluded["midway"] == midway, "{excluded}");
    must!(excluded["cause"].as_str().is_some_and(|c| !c.is_empty()), "{excluded}");
    Ok(result)
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

/// The article's experiment: one server at 1 Gbit/s, twenty clients at 100 Mbit/s, thirteen sizes, three
/// directions.
pub fn twenty_clients() -> CommandOutput {
    let home = Home::new();
    let options = "--clients 20 --rate 100Mbit --server-rate 1Gbit --pin server";
    let lab = Lab::up(&home, "twenty", &options.split(' ').collect::<Vec<_>>())?;
    let ran = home
        .start_line(&lab.load("c[1-20]", "--time 5s --json"))
        .within(Duration::from_secs(900))
        .ended(0)?;
    must!(ran.took < Duration::from_secs(600), "took {:?}", ran.took);
    let result = ran.json()?;
    let trials = list(&result["trials"]);
    must!(trials.len() == 39, "{} points", trials.len());
    let mut worst = 0.0f64;
    for trial in trials {
        let load = &trial["load"];
        must!(number(load, "/clients")? == 20, "{load}");
        for off in against_adapter(trial)? {
            worst = if off.abs() > worst.abs() { off } else { worst };
        }
        println!("{:.1} % CPU, off {:?} %: {load}", server_cpu(trial), against_adapter(trial)?);
    }
    println!("took {:?}, worst difference to the adapter {worst:.2} %", ran.took);
    must!(worst.abs() < 2.0, "{worst} % off the adapter's count");
    Ok(())
}

fn server_cpu(trial: &Value) -> f64 {
    let server = list(&trial["hosts"]).iter().find(|h| h["role"] == "listen");
    server.and_then(|h| h["cpu"]["busy_percent"].as_f64()).unwrap_or(f64::NAN)
}

pub fn a_pinned_server_is_idle() -> CommandOutput {
    let home = Home::new();
    let lab = match Lab::up(&home, "pin", &["--clients", "2", "--pin", "server"]) {
        Ok(lab) => lab,
        // Steering needs root and a second CPU.
        Err(e) => {
            let said = format!("{e:?}");
            must!(said.contains("pin") || said.contains("steer"), "{said}");
            return Ok(());
        }
    };
    let pinned = lab.pinned()?;
    let line = format!("stream {} --from {} --rate 200Mbit --time 3s --json", lab.host("c2"), lab.host("c1"));
    let mut seen = Vec::new();
    // Other work on the machine uses any CPU: the minimum of several trials counts.
    for _ in 0..3 {
        let before = busy_percent(pinned)?;
        let result = home.line(&line).measured()?;
        let cpus = &result["hosts"][0]["cpu"]["busy_percent_per_cpu"];
        let own = cpus[pinned as usize].as_f64().ok_or("no such CPU")?;
        if own <= before + 2.0 {
            return Ok(());
        }
        seen.push(format!("{own:.1} % with traffic, {before:.1} % before"));
    }
    Err(format!("CPU {pinned} of the idle server: {}", seen.join("; ")).into())
}

/// Twenty waiting agents do not increase the RTT of two others: alternating pairs, the twenty running or
/// stopped.
pub fn idle_agents_do_not_disturb() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "idle", &["--clients", "21", "--rate", "1Gbit"])?;
    let waiting = (3..=21).map(|n| format!("c{n}")).chain(["server".to_string()]);
    let waiting: Vec<u32> = waiting.map(|name| lab.agent(&name)).collect::<Result<_, _>>()?;
    let line = format!("request {} --from {} --time 2s --json", lab.host("c2"), lab.host("c1"));
    let p50 = |awake: bool| -> Result<f64, Failed> {
        waiting.iter().for_each(|pid| signal(*pid, if awake { "CONT" } else { "STOP" }));
        std::thread::sleep(Duration::from_millis(300));
        Ok(number(&home.line(&line).measured()?, "/latency_ns/p50")? as f64)
    };
    let pairs = |second_awake: bool| -> Result<Vec<f64>, Failed> {
        let pair = |turn: usize| {
            let (ours, theirs) = match turn % 2 {
                0 => (p50(true)?, p50(second_awake)?),
                _ => {
                    let theirs = p50(second_awake)?;
                    (p50(true)?, theirs)
                }
            };
            Ok(ours / theirs)
        };
        (0..16).map(pair).collect()
    };
    let (own, with) = (pairs(true)?, pairs(false)?);
    let decision = decide(Claim::AtMost(1.02), &own, &with, 4);
    let fine = resolution(&own, 4).unwrap_or(f64::NAN);
    println!("p50 with 20 idle agents against without: {decision:?}, resolution {:.1} %", fine * 100.0);
    let high = decision.interval.ok_or("no interval")?.high;
    must!(high < 1.02 || high - 1.0 <= fine, "{decision:?}");
    Ok(())
}

fn busy_percent(cpu: u64) -> Result<f64, Failed> {
    let read = || -> Result<(f64, f64), Failed> {
        let text = std::fs::read_to_string("/proc/stat")?;
        let line = text.lines().find(|l| l.starts_with(&format!("cpu{cpu} "))).ok_or("no such CPU")?;
        let ticks: Vec<f64> = line.split_whitespace().skip(1).filter_map(|f| f.parse().ok()).collect();
        // proc(5): user, nice, system, idle, iowait, irq, softirq, steal.
        let idle = ticks.get(3).zip(ticks.get(4)).map_or(0.0, |(idle, wait)| idle + wait);
        Ok((ticks.iter().take(8).sum(), idle))
    };
    let first = read()?;
    std::thread::sleep(Duration::from_secs(1));
    let second = read()?;
    Ok(100.0 - (second.1 - first.1) * 100.0 / (second.0 - first.0).max(1.0))
}
