//! Hosts whose monotonic clocks differ by seconds (time namespaces): a load finds the offsets, and its
//! clients begin and end together by the machine's clock.

use crate::stage::{Home, Running, free_port, list, proving, ready};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

/// Offsets in seconds; the first is the server, the reference.
const PLANTED: [(&str, i64); 4] = [("hub", -2), ("ahead", 3), ("behind", -5), ("here", 0)];
/// Required accuracy of the offset in 99 of 100 windows.
const NEAR_NS: u64 = 200_000;
/// Required distance of a client's first and last read from the window's edges, likewise.
const SKEW_NS: u64 = 1_000_000;

fn agent(home: &Home, name: &str, seconds: i64, router: &str) -> Result<Running, Failed> {
    let ports = format!("--port {} --data-port {}", free_port(), free_port());
    let line = format!("agent --name {name} {ports} --spool memory --router {router}");
    let plain = home.command(line.split(' '));
    let mut command = Command::new("unshare");
    command.args(["--time", &format!("--monotonic={seconds}"), "--fork", "--kill-child"]);
    command.arg(plain.get_program()).args(plain.get_args());
    for (name, value) in plain.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.stdin(std::process::Stdio::null());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    ready(command, "present at the router")
}

pub fn recovered() -> CommandOutput {
    let home = Home::new();
    let port = free_port();
    let at = format!("127.0.0.1:{port}");
    let _router = ready(home.command(["router", "--port", &port.to_string()]), "router on 127.0.0.1")?;
    let agents = PLANTED.map(|(name, seconds)| agent(&home, name, seconds, &at));
    let _agents = agents.into_iter().collect::<Result<Vec<_>, _>>()?;
    // Each size and direction is a window with its own synchronisation.
    let sizes = if proving() {
        "64B,128B,256B,512B,1KiB,2KiB,4KiB,8KiB,16KiB,32KiB,64KiB,128KiB"
    } else {
        "1KiB,4KiB"
    };
    let more = "--delay 300us --time 500ms --warm-up 200ms --json";
    let line = format!("load hub --clients ahead,behind,here --router {at} --size {sizes} {more}");
    home.start_line(&line).within(Duration::from_secs(300)).ended(0)?;
    let (mut off, mut edges) = (Vec::new(), Vec::new());
    for trial in trials(&home)? {
        let ends = list(&trial["ends"]);
        let server = ends.iter().find(|e| e["host"] == PLANTED[0].0).ok_or("no server in a trial")?;
        let edge = |name: &str| machine(&server["window"][name], PLANTED[0].1);
        let window = [edge("t0_ns")?, edge("t1_ns")?];
        for end in ends {
            let planted = PLANTED[1..].iter().find(|(name, _)| end["host"] == *name);
            let Some((_, seconds)) = planted else { continue };
            let planted = (seconds - PLANTED[0].1) * 1_000_000_000;
            let skew = &end["skew"];
            let figure = |name: &str| skew[name].as_i64().ok_or_else(|| format!("no {name} in {skew}"));
            let (found, error) = (figure("offset_ns")?, figure("offset_error_ns")? as u64);
            let away = found.abs_diff(planted);
            // The error is at most half an RTT, plus the drift until t0.
            must!(away <= error + NEAR_NS, "{}: {found} ns, {planted} planted, ± {error}", end["host"]);
            off.push(away);
            for flow in list(&end["flows"]).iter().filter(|f| f["first_byte_ns"].is_u64()) {
                for (name, edge) in [("first_byte_ns", window[0]), ("last_byte_ns", window[1])] {
                    let away = machine(&flow[name], *seconds)?.abs_diff(edge);
                    if away > SKEW_NS {
                        println!("{} {name} {away} ns off, {}", end["host"], trial["probe"]["mixes"]);
                    }
                    edges.push(away);
                }
            }
        }
    }
    let windows = if proving() { 12 } else { 2 } * 3;
    must!(off.len() == windows * 3, "{} offsets of {windows} windows", off.len());
    let offset = p99("offsets, off the planted ones", &mut off)?;
    let edge = p99("first and last reads, off the window's edges by the machine's time", &mut edges)?;
    must!(!proving() || offset <= NEAR_NS, "offsets: p99 {offset} ns");
    must!(!proving() || edge <= SKEW_NS, "edges: p99 {edge} ns");
    Ok(())
}

/// Converts a host's monotonic time to the machine's.
fn machine(reading: &Value, seconds: i64) -> Result<i64, Failed> {
    let reading = reading.as_i64().ok_or_else(|| format!("{reading} is no time"))?;
    Ok(reading - seconds * 1_000_000_000)
}

fn p99(what: &str, values: &mut [u64]) -> Result<u64, Failed> {
    values.sort_unstable();
    let at = |percent: usize| values.get((values.len() * percent).div_ceil(100).saturating_sub(1)).copied();
    let (Some(middle), Some(p99), Some(most)) = (at(50), at(99), at(100)) else {
        return Err(format!("no {what}").into());
    };
    println!("{} {what}: p50 {middle} ns, p99 {p99} ns, max {most} ns", values.len());
    Ok(p99)
}

fn trials(home: &Home) -> Result<Vec<Value>, Failed> {
    let mut trials = Vec::new();
    for run in std::fs::read_dir(home.runs())? {
        let log = std::fs::read_to_string(run?.path().join("events.jsonl"))?;
        for line in log.lines() {
            let event: Value = serde_json::from_str(line).map_err(|e| format!("{e} in {line}"))?;
            if event["event"] == "trial_finished" {
                trials.push(event["trial"].clone());
            }
        }
    }
    Ok(trials)
}
