//! Effect of a watcher: the median RTT while the server streams live updates of twenty flows, ten per second,
//! against an unwatched load.
//!
//! Both sides carry the same load, once as a watched job of `goodput serve`, once as `goodput load --json`.
//! The RTT's ends share one CPU; other processes run on any CPU, so the ratio includes their full cost.

use crate::jobs::is_over;
use crate::serve::Serving;
use crate::stage::*;
use goodput_analysis::descriptive_statistics::median;
use goodput_analysis::performance_claim::{PerformanceClaim, decide_claim, resolution_from_self_comparison};
use std::time::{SystemTime, UNIX_EPOCH};

/// One flow per client; two more hosts measure the RTT.
const FLOWS: usize = 20;
const PAIRS: usize = 16;
/// Allowed ratio of RTTs.
const MOST: f64 = 1.02;
/// Required updates per second, of ten.
const MIN_UPDATES: f64 = 8.0;
/// Allowed difference of the two sides' load, as a share.
const SAME_LOAD: f64 = 0.1;
/// Bytes at a client that show that the load has begun.
const BEGUN: u64 = 64 << 10;
const SOON: Duration = Duration::from_secs(60);
const SEED: u64 = 7;

#[derive(Debug, Clone, Copy)]
struct Found {
    /// Median RTT in ns.
    p50: f64,
    /// Bytes per second that a client received.
    load: f64,
    /// Updates of all flows per second; 0 without a reader.
    updates: f64,
}

type Side<'a> = &'a dyn Fn() -> Result<Found, Failed>;

pub fn do_not_disturb() -> CommandOutput {
    let clients = (FLOWS + 2).to_string();
    let lab = Lab::up("updates", &["--clients", &clients, "--rate", "1Gbit"])?;
    let watched = || watched(&lab);
    let alone = || alone(&lab);
    let own = pairs(&alone, &alone)?;
    let with = pairs(&watched, &alone)?;
    let ratios = |pairs: &[(Found, Found)], figure: fn(&Found) -> f64| -> Vec<f64> {
        pairs.iter().map(|(first, second)| figure(first) / figure(second)).collect()
    };
    let (own, loads) = (ratios(&own, |f| f.p50), ratios(&with, |f| f.load));
    let updates = with.iter().map(|(first, _)| first.updates).fold(f64::INFINITY, f64::min);
    let decision = decide_claim(PerformanceClaim::AtMost(MOST), &own, &ratios(&with, |f| f.p50), SEED);
    let fine = resolution_from_self_comparison(&own, SEED).ok_or("no resolution")?;
    let loads = median(&loads).ok_or("no load")?;
    let (ratio, of) = (decision.median, decision.interval);
    println!(
        "p50 with updates against without: {ratio:?} {of:?}, resolution {fine}; {updates}/s, load {loads}"
    );
    must!(updates >= MIN_UPDATES, "{updates:.1} updates a second");
    must!((loads - 1.0).abs() < SAME_LOAD, "the load is {loads:.3} of that without a reader");
    let high = decision.interval.ok_or("no interval")?.high;
    must!(high < MOST || high - 1.0 <= fine, "{decision:?}");
    Ok(())
}

/// Pairs in alternating order.
fn pairs(first: Side<'_>, second: Side<'_>) -> Result<Vec<(Found, Found)>, Failed> {
    let pair = |turn: usize| -> Result<(Found, Found), Failed> {
        let before = if turn % 2 == 1 { Some(second()?) } else { None };
        let found = first()?;
        Ok((found, before.map_or_else(second, Ok)?))
    };
    (0..PAIRS).map(pair).collect()
}

/// 1 KiB to each client each 20 ms: leaves CPU time for the RTT; longer than the measurement beside it.
fn load(lab: &Lab) -> Vec<String> {
    let more = "--size 1KiB --direction transmit --delay 20ms --warm-up 0s --time 45s";
    let line = lab.load(&format!("c[1-{FLOWS}]"), more);
    line.split_whitespace().map(str::to_string).collect()
}

fn alone(lab: &Lab) -> Result<Found, Failed> {
    let before = received(lab)?;
    let mut words = load(lab);
    words.push("--json".into());
    let running = lab.home.start(words);
    let found = beside(lab, before);
    running.signal("INT");
    let ran = running.within(SOON);
    found.map_err(|e| format!("{e:?}: {}{}", ran.stdout, ran.stderr).into())
}

fn watched(lab: &Lab) -> Result<Found, Failed> {
    let server = Serving::start(&lab.home, &[])?;
    let api = server.operator()?;
    let events = api.events()?;
    let before = received(lab)?;
    let job = api.post("/jobs", &json!({ "line": load(lab) }))?.is(201)?.json()?;
    let all_flows = |told: &Value| told["job"] == job["id"] && list(&told["flows"]).len() == FLOWS;
    events.until("live", all_flows)?;
    let from = since_1970()?;
    let found = beside(lab, before)?;
    let to = since_1970()?;
    let told = events.until("live", |told| all_flows(told) && told["at_ns"].as_u64() >= Some(to))?;
    let meanwhile = |(name, told): &&(String, Value)| {
        let at = told["at_ns"].as_u64();
        name == "live" && all_flows(told) && at >= Some(from) && at < Some(to)
    };
    let updates = told.iter().filter(meanwhile).count() as f64 / ((to - from) as f64 / 1e9);
    api.ask("DELETE", &format!("/jobs/{}", job["id"].as_str().ok_or("no job")?), None)?.is(204)?;
    events.until("job", |told| is_over(told, &job))?;
    drop(events);
    server.end("TERM")?;
    Ok(Found { updates, ..found })
}

fn beside(lab: &Lab, before: u64) -> Result<Found, Failed> {
    let until = Instant::now() + SOON / 2;
    while received(lab)? < before + BEGUN {
        must!(Instant::now() < until, "the load did not begin");
        std::thread::sleep(Duration::from_millis(50));
    }
    let (began, from) = (Instant::now(), received(lab)?);
    let [client, server] = [FLOWS + 1, FLOWS + 2].map(|n| lab.host(&format!("c{n}")));
    // Both ends on one CPU: otherwise the RTT depends on their placement.
    let cpu = std::thread::available_parallelism()?.get() - 1;
    let line = format!("request {server} --from {client} --cpus {cpu} --time 2s --json");
    let p50 = number(&lab.home.line(&line).ended(0)?.json()?, "/latency_ns/p50")? as f64;
    let load = (received(lab)? - from) as f64 / began.elapsed().as_secs_f64();
    Ok(Found { p50, load, updates: 0.0 })
}

fn received(lab: &Lab) -> Result<u64, Failed> {
    let process = lab.agent(&format!("c{FLOWS}"))?;
    Ok(link_counters(&fs::read_to_string(format!("/proc/{process}/net/dev"))?)[0])
}

fn since_1970() -> Result<u64, Failed> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64)
}
