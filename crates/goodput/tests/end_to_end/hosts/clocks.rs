//! Hosts whose monotonic clocks stand seconds apart (time namespaces): what a load finds of them is what was planted.

use super::process::Process;
use crate::stage::{Home, free_port, proving};
use crate::{Told, must};
use libtest_mimic::Failed;
use serde_json::Value;
use std::process::Command;
use std::time::Duration;

/// Hosts and what is planted in their clocks, in seconds. The first is the server, whose clock is the reference.
const PLANTED: [(&str, i64); 4] = [("hub", -2), ("ahead", 3), ("behind", -5), ("here", 0)];
/// The offset must be recovered so well in 99 of 100 windows.
const NEAR_NS: u64 = 200_000;

/// An agent whose monotonic clock is so many seconds ahead of ours, present at a router.
fn agent(home: &Home, name: &str, seconds: i64, router: &str) -> Result<Process, Failed> {
    let (control, data) = (free_port().to_string(), free_port().to_string());
    let words = ["agent", "--name", name, "--port", &control, "--data-port", &data, "--spool", "memory"];
    let plain = home.command(words.iter().chain(&["--router", router]));
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
    Process::start(command, "present at the router")
}

pub fn recovered() -> Told {
    let home = Home::new();
    let at = format!("127.0.0.1:{}", free_port());
    let port = at.rsplit(':').next().unwrap_or_default().to_string();
    let _router = Process::start(home.command(["router", "--port", &port]), "router on 127.0.0.1")?;
    let agents = PLANTED.map(|(name, seconds)| agent(&home, name, seconds, &at));
    let _agents = agents.into_iter().collect::<Result<Vec<_>, _>>()?;
    // Each size in each direction is a window of its own, with a synchronisation of its own.
    let sizes = if proving() {
        "64B,128B,256B,512B,1KiB,2KiB,4KiB,8KiB,16KiB,32KiB,64KiB,128KiB"
    } else {
        "1KiB,4KiB"
    };
    let line = format!(
        "load hub --clients ahead,behind,here --router {at} --size {sizes} --delay 2ms --time 500ms --warm-up 200ms --json"
    );
    home.start(line.split_whitespace()).within(Duration::from_secs(300)).ended(0)?;
    let mut off = Vec::new();
    for end in ends(&home)? {
        let Some((_, seconds)) = PLANTED[1..].iter().find(|(name, _)| end["host"] == *name) else { continue };
        let planted = (seconds - PLANTED[0].1) * 1_000_000_000;
        let figure =
            |name: &str| end["skew"][name].as_i64().ok_or_else(|| format!("no {name} in {}", end["skew"]));
        let (found, error) = (figure("offset_ns")?, figure("offset_error_ns")? as u64);
        let away = found.abs_diff(planted);
        // The truth lies within half a round trip of what an exchange shows; then the drift is carried on to t0.
        must!(
            away <= error + NEAR_NS,
            "{}: {found} ns found, {planted} ns planted, ± {error} ns",
            end["host"]
        );
        off.push(away);
    }
    off.sort_unstable();
    let windows = if proving() { 12 } else { 2 } * 3;
    must!(off.len() == windows * 3, "{} offsets of {windows} windows", off.len());
    let p99 = off[(off.len() * 99).div_ceil(100) - 1];
    println!(
        "{} offsets: p50 {} ns, p99 {p99} ns, max {:?} ns off the planted ones",
        off.len(),
        off[off.len() / 2],
        off.last()
    );
    must!(!proving() || p99 <= NEAR_NS, "p99 {p99} ns");
    Ok(())
}

/// The ends of all recorded trials.
fn ends(home: &Home) -> Result<Vec<Value>, Failed> {
    let mut ends = Vec::new();
    for run in std::fs::read_dir(home.runs())? {
        let log = std::fs::read_to_string(run?.path().join("events.jsonl"))?;
        for line in log.lines() {
            let event: Value = serde_json::from_str(line).map_err(|e| format!("{e} in {line}"))?;
            ends.extend(event["trial"]["ends"].as_array().cloned().unwrap_or_default());
        }
    }
    Ok(ends)
}
