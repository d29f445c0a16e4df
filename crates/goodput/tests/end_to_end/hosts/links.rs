//! Failed and full links: a load without its coordinator ends, a saturated link is no failure.

use super::sites::Sites;
use crate::stage::{Home, Lab, list, number, proving, ready, running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use std::time::{Duration, Instant};

/// A load without its coordinator ends within this.
const ORPHAN: Duration = Duration::from_secs(2);
/// A host that is late itself may take this long (docs/decisions/lost-coordinator.md).
const LATE: Duration = Duration::from_secs(5);
/// Packets per check that show a load, not retransmissions.
const FLOW: u64 = 50;

/// The coordinator routes the others' packets; its own are dropped silently from a moment on.
pub fn coordinator_cut_off() -> CommandOutput {
    let home = Home::new();
    home.line("key new").ended(0)?;
    let sites = Sites::three("cut")?;
    let agent = |site: usize, name: &str| {
        let words = ["agent", "--name", name, "--spool", "memory"];
        ready(sites.command(site, &home, words), "waits for orders")
    };
    let (_server, _client) = (agent(0, "server")?, agent(1, "client")?);
    let line = "load 10.98.0.2 --clients 10.98.1.2 --size 64KiB --direction duplex --time 20s --warm-up 500ms --json";
    let load = running(sites.command(2, &home, line.split_whitespace()));
    flows(&sites, Duration::from_secs(20))?;
    std::thread::sleep(Duration::from_secs(2));
    sites.nft(
        2,
        "add table inet cut ; \
         add chain inet cut coming { type filter hook input priority 0 ; } ; \
         add chain inet cut going { type filter hook output priority 0 ; } ; \
         add rule inet cut coming iifname != lo drop ; add rule inet cut going oifname != lo drop",
    )?;
    let cut = Instant::now();
    // Time of the last check that saw a load.
    let mut last = Duration::ZERO;
    let mut passed = sites.forwarded(2)?;
    while cut.elapsed() < Duration::from_secs(8) {
        std::thread::sleep(Duration::from_millis(50));
        let now = sites.forwarded(2)?;
        if now - passed > FLOW {
            last = cut.elapsed();
        }
        passed = now;
    }
    println!("the load went on for {last:.2?} after its coordinator was cut off");
    let bound = if proving() { ORPHAN } else { LATE };
    must!(last > Duration::ZERO && last < bound, "the load went on for {last:?}");
    let ran = load.end();
    must!(ran.code() != 0 && !ran.stdout.is_empty(), "{} {:?}", ran.code(), ran.stdout);
    sites.nft(2, "delete table inet cut")?;
    let line = "load 10.98.0.2 --clients 10.98.1.2 --size 64KiB --direction transmit --time 500ms --warm-up 0s --json";
    let again = running(sites.command(2, &home, line.split_whitespace())).end();
    must!(again.code() == 0, "{} {}", again.code(), again.stdout);
    Ok(())
}

fn flows(sites: &Sites, within: Duration) -> Result<(), Failed> {
    let began = Instant::now();
    let mut passed = sites.forwarded(2)?;
    while began.elapsed() < within {
        std::thread::sleep(Duration::from_millis(100));
        let now = sites.forwarded(2)?;
        if now - passed > 10 * FLOW {
            return Ok(());
        }
        passed = now;
    }
    Err("nothing passes".into())
}

/// Three clients fill the server's 10 Mbit/s in both directions, control traffic included; nobody is dropped.
pub fn saturated() -> CommandOutput {
    let home = Home::new();
    let more = ["--clients", "3", "--rate", "10Mbit", "--server-rate", "10Mbit"];
    let lab = Lab::up(&home, "full", &more)?;
    let time = if proving() { "20s" } else { "4s" };
    let line = lab.load("c[1-3]", &format!("--size 64KiB --time {time} --warm-up 1s --json"));
    let result = home.start_line(&line).within(Duration::from_secs(200)).measured()?;
    let trials = list(&result["trials"]);
    must!(trials.len() == 3, "{} points", trials.len());
    for trial in trials {
        let load = &trial["load"];
        must!(trial["outcome"] == "complete", "{trial}");
        must!(number(load, "/clients")? == 3 && load["excluded"] == serde_json::json!([]), "{load}");
        let (out, back) = (number(load, "/transmit_bps")?, number(load, "/receive_bps")?);
        println!("{}: transmit {out}, receive {back} bit/s", load["traffic"]);
        must!(out.max(back) > 8_000_000, "the link is to be full: {load}");
    }
    Ok(())
}
