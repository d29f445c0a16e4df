//! Settings of both hosts that are worth a look, from findings of the trials and from the inventories. What an
//! inventory does not contain is not mentioned.

use super::CheckTrial;
use goodput_model::check::{CheckStep, PathCheck};
use goodput_model::host::Inventory;
use goodput_model::host::inventory::Interface;
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{Message, Severity};
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, quantity_arg, time_arg};
use goodput_words::number_format::{format_data_volume, format_rate};
use std::cmp::Reverse;

/// Rules about settings and packet sizes; errors are always listed.
const RULES: [&str; 12] = [
    "half-duplex",
    "slow-link",
    "narrow-slot",
    "slow-governor",
    "feature-refused",
    "mtu-black-hole",
    "mtu-below-least",
    "mtu-interfaces-differ",
    "mtu-asymmetric",
    "mtu-undecided",
    "mtu-smaller-link",
    "mtu-route-differs",
];

/// Generic receive offload, and segmentation by the kernel and by the adapter.
const OFFLOADS: [&str; 3] = ["rx-gro", "tx-generic-segmentation", "tx-tcp-segmentation"];
const BUFFERS: [&str; 2] = ["net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];
/// Faster links often have no auto-negotiation.
const MAX_NEGOTIATED_MBPS: u32 = 1_000;

pub(super) fn notable_settings(made: &[CheckTrial<'_>], check: &PathCheck) -> Vec<Message> {
    let mut notes = known_findings(made);
    for role in [EndpointRole::Connect, EndpointRole::Listen] {
        let mut ends = made.iter().filter_map(|t| t.trial.endpoint_report(role));
        let Some((end, inventory)) = ends.find_map(|end| Some((end, end.inventory.as_ref()?))) else {
            continue;
        };
        let known = inventory.path.value().and_then(|_| inventory.interfaces.value());
        for (name, interface) in known.into_iter().flatten() {
            notes.extend(negotiation_off(end, name, interface));
            notes.extend(offloads_off(end, name, interface));
            notes.extend(interrupts_on_one_cpu(end, name, interface));
        }
        notes.extend(BUFFERS.into_iter().filter_map(|setting| small_buffer(end, inventory, setting, check)));
    }
    notes
}

/// Each rule once, errors first. A sweep's small messages may exceed the rate of a shaper, which lets bursts pass.
fn known_findings(made: &[CheckTrial<'_>]) -> Vec<Message> {
    let all = made.iter().flat_map(|t| t.summary.findings.iter().map(move |f| (t.step, f)));
    let mut listed: Vec<(&str, Severity, &Message)> = Vec::new();
    for (step, finding) in all {
        let error = finding.severity == Severity::Error && step != CheckStep::MessageSizes;
        let known = listed.iter().any(|(id, ..)| *id == finding.id.as_str());
        if !known && (error || RULES.contains(&finding.id.as_str())) {
            listed.push((finding.id.as_str(), finding.severity, &finding.text));
        }
    }
    listed.sort_by_key(|(_, severity, _)| Reverse(*severity));
    listed.into_iter().map(|(.., text)| text.clone()).collect()
}

fn negotiation_off(end: &EndpointReport, name: &str, interface: &Interface) -> Option<Message> {
    let link = interface.link.value().filter(|link| link.autonegotiation == Some(false))?;
    let speed = link.speed_mbps.filter(|speed| (1..=MAX_NEGOTIATED_MBPS).contains(speed))?;
    (interface.kind == "device").then(|| {
        let speed = fixed_decimals_arg(speed.into(), 0, "Mbit/s");
        message!(check_negotiation_off { interface: name, host: &end.host, speed })
    })
}

fn offloads_off(end: &EndpointReport, name: &str, interface: &Interface) -> Option<Message> {
    let features = interface.features.value()?;
    let is_off = |name: &&str| features.get(*name).is_some_and(|state| state.starts_with("off"));
    let names: Vec<&str> = OFFLOADS.into_iter().filter(is_off).collect();
    (!names.is_empty()).then(|| message!(check_offloads_off { interface: name, host: &end.host, names }))
}

fn interrupts_on_one_cpu(end: &EndpointReport, name: &str, interface: &Interface) -> Option<Message> {
    let interrupts = interface.interrupts.value()?.iter().filter(|i| i.name != "not in use");
    let cpus: Vec<&str> = interrupts.map(|i| i.effective.trim()).filter(|cpu| !cpu.is_empty()).collect();
    let first = *cpus.first()?;
    let one = first.parse::<u32>().is_ok() && cpus.iter().all(|cpu| *cpu == first);
    let queues = interface.receive_queues;
    (one && cpus.len() > 1 && queues > 1 && end.facts.cpus > 1).then(|| {
        message!(check_interrupts_on_one_cpu { interface: name, host: &end.host, cpu: first, queues })
    })
}

/// A buffer must hold what is in flight, and as much again while a loss is repaired.
fn small_buffer(
    end: &EndpointReport,
    inventory: &Inventory,
    setting: &str,
    check: &PathCheck,
) -> Option<Message> {
    let most: u64 = inventory.sysctls.get(setting)?.value()?.split_whitespace().next_back()?.parse().ok()?;
    let rate = check.limit_bps.or(check.tcp_send_bps.max(check.tcp_receive_bps))?;
    let round_trip_ns = check.idle_latency_p50_ns?;
    let needed = (2.0 * rate as f64 / 8.0 * round_trip_ns as f64 / 1e9) as u64;
    let volume = |bytes: u64| quantity_arg(bytes as f64, "B", format_data_volume(bytes));
    (most < needed).then(|| {
        message!(check_small_buffer {
            setting,
            host: &end.host,
            most: volume(most),
            needed: volume(needed),
            rate: quantity_arg(rate as f64, "bit/s", format_rate(rate)),
            round_trip: time_arg(round_trip_ns as f64),
        })
    })
}
