//! Who watches a measurement does not change it: a median round trip while the server streams live updates of twenty flows
//! to a reader, ten a second, against the same beside a load that was begun at a terminal.
//!
//! Both sides of a pair carry the same load between the same hosts. On one side it is a job of `goodput serve` whose events
//! are read over HTTP; on the other it is `goodput load … --json`, which wants no live samples of its agents, and there is
//! no server. The round trip has both its ends on one CPU; agents, server and reader go where they like, there too, so all
//! that the updates cost is in the ratio.

use crate::http::{Events, Server};
use crate::serve::Serving;
use crate::stage::{Home, Lab, number};
use crate::{Told, must};
use goodput_analysis::claim::{Claim, decide, resolution};
use goodput_analysis::describe::median;
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Clients of the load, a flow each. Two more hosts make the round trip.
const FLOWS: usize = 20;
/// Pairs of each kind, fixed beforehand.
const PAIRS: usize = 16;
/// How much longer the round trip may become.
const MOST: f64 = 1.02;
/// Updates a second that the reader must have had, of ten: else something else was proven.
const LEAST_UPDATES: f64 = 8.0;
/// How far the load of the two sides may be apart, as a share: else they did not carry the same.
const SAME_LOAD: f64 = 0.1;
/// Bytes at a client that only the load can have brought there.
const BEGUN: u64 = 64 << 10;
const SOON: Duration = Duration::from_secs(60);
const SEED: u64 = 7;

#[derive(Debug, Clone, Copy)]
struct Found {
    /// The median round trip, in ns.
    p50: f64,
    /// What a client of the load received meanwhile, in bytes a second.
    load: f64,
    /// Updates of all flows that the reader had, a second; 0 where there was none.
    updates: f64,
}

type Side<'a> = &'a dyn Fn() -> Result<Found, Failed>;

pub fn do_not_disturb() -> Told {
    let home = Home::new();
    let clients = (FLOWS + 2).to_string();
    let lab = Lab::up(&home, "updates", &["--clients", &clients, "--rate", "1Gbit"])?;
    let watched = || watched(&home, &lab);
    let alone = || alone(&home, &lab);
    let own = pairs(&alone, &alone)?;
    let with = pairs(&watched, &alone)?;
    let ratios = |pairs: &[(Found, Found)], figure: fn(&Found) -> f64| -> Vec<f64> {
        pairs.iter().map(|(first, second)| figure(first) / figure(second)).collect()
    };
    let (own, loads) = (ratios(&own, |f| f.p50), ratios(&with, |f| f.load));
    let updates = with.iter().map(|(first, _)| first.updates).fold(f64::INFINITY, f64::min);
    let decision = decide(Claim::AtMost(MOST), &own, &ratios(&with, |f| f.p50), SEED);
    let fine = resolution(&own, SEED).ok_or("no resolution")?;
    let loads = median(&loads).ok_or("no load")?;
    println!(
        "p50 with live updates of {FLOWS} flows against without: {:?} {:?}, resolution {:.1} %; at least {updates:.1} \
         updates a second, load {loads:.3} of the other's",
        decision.median,
        decision.interval,
        fine * 100.0
    );
    must!(updates >= LEAST_UPDATES, "{updates:.1} updates a second");
    must!((loads - 1.0).abs() < SAME_LOAD, "the load is {loads:.3} of that without a reader");
    let high = decision.interval.ok_or("no interval")?.high;
    must!(high < MOST || high - 1.0 <= fine, "{decision:?}");
    Ok(())
}

/// Pairs of two sides, their order by turns.
fn pairs(first: Side<'_>, second: Side<'_>) -> Result<Vec<(Found, Found)>, Failed> {
    let pair = |turn: usize| -> Result<(Found, Found), Failed> {
        match turn % 2 {
            0 => Ok((first()?, second()?)),
            _ => {
                let found = second()?;
                Ok((first()?, found))
            }
        }
    };
    (0..PAIRS).map(pair).collect()
}

/// The words of the load: 1 KiB to each client each 20 ms, which leaves the CPUs to the round trip. It is longer than what
/// is measured beside it.
fn load(lab: &Lab<'_>) -> Vec<String> {
    let line = format!(
        "load {} --clients {} --size 1KiB --direction transmit --delay 20ms --warm-up 0s --time 45s",
        lab.host("server"),
        lab.host(&format!("c[1-{FLOWS}]"))
    );
    line.split_whitespace().map(str::to_string).collect()
}

/// The load begun at a terminal where nobody looks.
fn alone(home: &Home, lab: &Lab<'_>) -> Result<Found, Failed> {
    let before = received(lab)?;
    let mut words = load(lab);
    words.push("--json".into());
    let running = home.start(words);
    let found = beside(home, lab, before);
    running.signal("INT");
    let ran = running.within(SOON);
    found.map_err(|e| format!("{e:?}: {}{}", ran.stdout, ran.stderr).into())
}

/// The load as a job of a server whose events are read.
fn watched(home: &Home, lab: &Lab<'_>) -> Result<Found, Failed> {
    let server = Serving::start(home, &[])?;
    let session = server.with(&[]).get("/session")?.is(200)?.json()?;
    let csrf = session["csrf"].as_str().ok_or("no csrf")?;
    let api = server.with(&[("X-CSRF-Token", csrf)]);
    let events = api.events()?;
    let before = received(lab)?;
    let job = api.post("/jobs", &json!({ "line": load(lab) }))?.is(201)?.json()?;
    let all_flows =
        |told: &Value| told["job"] == job["id"] && told["flows"].as_array().map(Vec::len) == Some(FLOWS);
    events.until("live", all_flows)?;
    let from = since_1970()?;
    let found = beside(home, lab, before)?;
    let to = since_1970()?;
    let told = events.until("live", |told| all_flows(told) && told["at_ns"].as_u64() >= Some(to))?;
    let meanwhile = |(name, told): &&(String, Value)| {
        let at = told["at_ns"].as_u64();
        name == "live" && all_flows(told) && at >= Some(from) && at < Some(to)
    };
    let updates = told.iter().filter(meanwhile).count() as f64 / ((to - from) as f64 / 1e9);
    stopped(&api, &events, &job)?;
    drop(events);
    let (status, _) = server.end("TERM")?;
    must!(status.success(), "{status}");
    Ok(Found { updates, ..found })
}

fn stopped(api: &Server, events: &Events, job: &Value) -> Told {
    let id = job["id"].as_str().ok_or("no job")?;
    api.delete(&format!("/jobs/{id}"))?.is(204)?;
    events.until("job", |told| {
        told["id"] == job["id"] && matches!(told["state"].as_str(), Some("done" | "failed"))
    })?;
    Ok(())
}

/// Waits until the load is under way, then measures the round trip beside it.
fn beside(home: &Home, lab: &Lab<'_>, before: u64) -> Result<Found, Failed> {
    let until = Instant::now() + SOON / 2;
    while received(lab)? < before + BEGUN {
        must!(Instant::now() < until, "the load did not begin");
        std::thread::sleep(Duration::from_millis(50));
    }
    let (began, from) = (Instant::now(), received(lab)?);
    let [client, server] = [FLOWS + 1, FLOWS + 2].map(|n| lab.host(&format!("c{n}")));
    // Both ends on one CPU: free to move, a round trip takes one of several times as its ends happen to be placed.
    let cpu = std::thread::available_parallelism()?.get() - 1;
    let line = format!("request {server} --from {client} --cpus {cpu} --time 2s --json");
    let p50 = number(&home.line(&line).ended(0)?.json()?, "/latency_ns/p50")? as f64;
    let load = (received(lab)? - from) as f64 / began.elapsed().as_secs_f64();
    Ok(Found { p50, load, updates: 0.0 })
}

/// Bytes that the last client of the load has received, by its own kernel's count.
fn received(lab: &Lab<'_>) -> Result<u64, Failed> {
    let process = lab.agent(&format!("c{FLOWS}"))?;
    let text = std::fs::read_to_string(format!("/proc/{process}/net/dev"))?;
    // proc(5): the interface, a colon, and first of its figures the bytes received.
    let of_interface = |line: &str| -> Option<u64> {
        let (name, figures) = line.split_once(':')?;
        if name.trim() == "lo" { None } else { figures.split_whitespace().next()?.parse().ok() }
    };
    Ok(text.lines().filter_map(of_interface).sum())
}

/// Now, in ns since 1970.
fn since_1970() -> Result<u64, Failed> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64)
}
