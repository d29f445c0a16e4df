//! Runs the missing trials on one network, and saves each before the next.

use crate::contender::{Load, MixAt, Reading};
use crate::cpu::Meter;
use crate::error::BenchError;
use crate::network::Network;
use crate::peers::Programs;
use crate::plan::{BenchPart, Plan, Slot};
use crate::state::{Record, State};
use crate::{files, sys, trial};
use std::collections::BTreeMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Highest busy share of an idle machine, in CPUs.
const IDLE_THRESHOLD: f64 = 0.1;
/// How long to wait for it.
const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// Saves records by part.
pub fn measure(
    plan: &Plan,
    programs: &Programs,
    missing: &[Slot],
    states: &mut BTreeMap<BenchPart, State>,
) -> Result<(), BenchError> {
    if missing.is_empty() {
        return Ok(());
    }
    let cpus = goodput_host::host_facts().cpus;
    if cpus < 2 {
        return Err(BenchError::Machine(format!("two CPUs are needed, this machine has {cpus}")));
    }
    sys::catch_interrupts();
    let network = Network::raise()?;
    if missing.iter().any(|slot| plan.blocks[slot.block].part == BenchPart::File) {
        files::prepare(&network)?;
    }
    let (start, mut idle, mut block) = (Instant::now(), 0.0, None);
    for (i, slot) in missing.iter().enumerate() {
        if block != Some(slot.block) {
            block = Some(slot.block);
            network.limit(plan.contender(slot).load == Load::Mix { at: MixAt::Net })?;
            idle = wait_until_idle(&network, plan.quick)?;
        }
        let contender = plan.contender(slot);
        let (b, a) = trial::commands(programs, contender);
        let result = trial::run(&network, programs, contender, idle);
        if sys::interrupted() {
            return Err(BenchError::Interrupted);
        }
        let (reading, error) = match result {
            Ok(reading) => (Some(reading), None),
            Err(BenchError::Interrupted) => return Err(BenchError::Interrupted),
            Err(e) => (None, Some(relative(&e.to_string()))),
        };
        let left = start.elapsed().mul_f64(remaining(plan, missing, i + 1));
        let said = reading.as_ref().map_or_else(|| error.clone().unwrap_or_default(), told);
        eprintln!(
            "[{}/{}, {:.0} min left] {}: {said}",
            i + 1,
            missing.len(),
            left.as_secs_f64() / 60.0,
            plan.key(slot)
        );
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        let commands = (relative(&b.join(" ")), relative(&a.join(" ")));
        if let Some(state) = states.get_mut(&plan.blocks[slot.block].part) {
            state.add(Record { key: plan.key(slot), at, idle, commands, reading, error })?;
        }
    }
    Ok(())
}

/// Waits until the machine is idle; returns its busy share in CPUs. A quick look only warns.
fn wait_until_idle(network: &Network, quick: bool) -> Result<f64, BenchError> {
    let start = Instant::now();
    loop {
        let idle = Meter::idle(network, Duration::from_secs(1))?;
        if idle <= IDLE_THRESHOLD {
            return Ok(idle);
        }
        eprintln!("{:.0} % of a CPU is busy with something else", idle * 100.0);
        if quick {
            return Ok(idle);
        }
        if sys::interrupted() {
            return Err(BenchError::Interrupted);
        }
        if start.elapsed() > IDLE_TIMEOUT {
            let why = "the machine is busy with something else; the same command goes on when it is quiet";
            return Err(BenchError::Machine(why.into()));
        }
    }
}

/// Makes paths relative to the project.
fn relative(text: &str) -> String {
    let here = std::env::current_dir().map(|d| format!("{}/", d.display())).unwrap_or_default();
    if here.len() > 1 { text.replace(&here, "") } else { text.to_string() }
}

fn remaining(plan: &Plan, slots: &[Slot], done: usize) -> f64 {
    let (before, after) = slots.split_at(done);
    plan.estimate(after).as_secs_f64() / plan.estimate(before).as_secs_f64().max(0.001)
}

fn told(reading: &Reading) -> String {
    let cpu = reading.cpu_ns_per_byte.map_or(String::new(), |c| format!(", {c:.3} ns of CPU a byte"));
    let each = reading.cpu_ns_per_datagram.map_or(String::new(), |c| format!(", {c:.1} ns of CPU each"));
    let sender =
        reading.sender_share.map_or(String::new(), |s| format!(", sender {:.1} % of a CPU", s * 100.0));
    match (reading.goodput_bps, reading.rate, reading.datagrams_per_second) {
        (Some(bps), ..) => format!("{:.3} Gbit/s{cpu}", bps / 1e9),
        (_, Some(rate), _) => {
            format!("{rate:.0}/s, {:.1} µs", reading.round_trip_ns.unwrap_or(f64::NAN) / 1e3)
        }
        (.., Some(rate)) => format!("{rate:.0} datagrams/s{each}{sender}"),
        _ if reading.points.is_empty() => files::told(reading),
        _ => format!("{} sizes in {:.1} s", reading.points.len(), reading.wall_s),
    }
}
