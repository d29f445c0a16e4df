//! Rules about what the hosts counted over the window: packets dropped on the way through a host, errors, packets
//! sent again, and what the kernel said.
//!
//! Two ends in one network namespace have counted the same interfaces, two on one kernel have read the same log:
//! each is told once.

use super::{Hit, RETRANSMIT_PERCENT, driver, load};
use goodput_model::host::counters::KernelMessage;
use goodput_model::host::{Counters, Fact};
use goodput_model::probe::Direction;
use goodput_model::summary::Summary;
use goodput_model::trial::{EndReport, Role};
use goodput_model::{Probe, Trial};
use std::collections::BTreeMap;

/// Drops below this share of an interface's packets are those of other traffic (frames of a protocol that nobody
/// here listens to are counted as dropped).
pub(super) const DROPPED_SHARE: f64 = 1e-5;
/// Messages of this level and below say that something went wrong: `KERN_WARNING`.
const WARNING_LEVEL: u8 = 4;
/// Messages told in a finding; the others are in the run.
const MESSAGES: usize = 3;

/// Each end that counted on its own, with its counters.
pub(super) fn counted(trial: &Trial) -> Vec<(&EndReport, &Counters)> {
    let place = |end: &EndReport| {
        let namespace = end.inventory.as_ref()?.moment.network_namespace.value()?.clone();
        (!end.facts.boot_id.is_empty()).then(|| (end.facts.boot_id.clone(), namespace))
    };
    let mut seen = Vec::new();
    let mut ends = Vec::new();
    for end in &trial.ends {
        let place = place(end);
        if let (Some(counters), false) = (&end.counters, place.is_some() && seen.contains(&place)) {
            ends.push((end, counters));
        }
        seen.push(place);
    }
    ends
}

/// Each kernel once, with the name of whoever runs on it.
fn kernels(trial: &Trial) -> Vec<(String, &Counters)> {
    let mut seen: Vec<(&EndReport, usize, Option<&Counters>)> = Vec::new();
    for end in &trial.ends {
        match seen.iter_mut().find(|(first, ..)| first.facts.shares_kernel(&end.facts)) {
            Some((_, hosts, counters)) => {
                *hosts += 1;
                *counters = counters.or(end.counters.as_ref());
            }
            None => seen.push((end, 1, end.counters.as_ref())),
        }
    }
    let named = seen.into_iter().filter_map(|(end, hosts, counters)| {
        let name = match hosts {
            1 => end.host.clone(),
            2 => "the kernel of both hosts".to_string(),
            more => format!("the kernel of {more} hosts"),
        };
        Some((name, counters?))
    });
    named.collect()
}

/// Counters by interface and name.
type ByInterface = BTreeMap<String, BTreeMap<String, u64>>;

/// Of these counters those of the interfaces that the trial's traffic took.
pub(super) fn taken<'a>(
    end: &'a EndReport,
    counters: Option<&'a ByInterface>,
) -> Vec<(&'a String, &'a BTreeMap<String, u64>)> {
    let taken = end.inventory.as_ref().and_then(|i| {
        i.path.value()?;
        i.interfaces.value()
    });
    let all = counters.into_iter().flatten();
    all.filter(|(name, _)| taken.is_none_or(|t| t.contains_key(*name))).collect()
}

/// One hit for each interface on which one of these counters moved.
fn on_interfaces(trial: &Trial, names: &[&str], say: impl Fn(&str, u64, u64) -> Option<String>) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (end, counters) in counted(trial) {
        for (interface, moved) in taken(end, counters.interfaces.value()) {
            let of = |name: &str| moved.get(name).copied().unwrap_or(0);
            let evidence: Vec<String> = names
                .iter()
                .filter(|n| of(n) > 0)
                .map(|n| format!("counters.interfaces.{interface}.{n} = {}", of(n)))
                .collect();
            let sum = names.iter().fold(0u64, |sum, n| sum.saturating_add(of(n)));
            let packets = of("rx_packets").saturating_add(of("tx_packets"));
            let text = say(interface, sum, packets).filter(|_| sum > 0);
            hits.extend(text.map(|text| Hit::new(format!("{}: {text}", end.host), evidence)));
        }
    }
    hits
}

/// Packets that an interface had to drop.
pub(super) fn interface_drops(trial: &Trial, _: &Summary) -> Vec<Hit> {
    on_interfaces(trial, &["rx_dropped", "rx_missed_errors", "tx_dropped"], |interface, dropped, packets| {
        (dropped as f64 > packets as f64 * DROPPED_SHARE)
            .then(|| format!("{interface} dropped {dropped} packets beside {packets} that passed"))
    })
}

/// Packets that arrived damaged, or could not leave whole.
pub(super) fn interface_errors(trial: &Trial, _: &Summary) -> Vec<Hit> {
    // Their kinds are evidence; the sums hold them already.
    const KINDS: [&str; 11] = [
        "rx_length_errors",
        "rx_over_errors",
        "rx_crc_errors",
        "rx_frame_errors",
        "rx_fifo_errors",
        "tx_aborted_errors",
        "tx_carrier_errors",
        "tx_fifo_errors",
        "tx_heartbeat_errors",
        "tx_window_errors",
        "collisions",
    ];
    let mut hits = on_interfaces(trial, &["rx_errors", "tx_errors"], |interface, errors, packets| {
        Some(format!("{interface} counted {errors} errors beside {packets} packets that passed"))
    });
    let kinds = on_interfaces(trial, &KINDS, |_, _, _| Some(String::new()));
    let evidence: Vec<String> = kinds.into_iter().flat_map(|h| h.evidence).collect();
    for hit in &mut hits {
        let prefix =
            hit.evidence.first().and_then(|e| e.rsplit_once('.').map(|(prefix, _)| prefix.to_string()));
        let own = evidence.iter().filter(|e| prefix.as_ref().is_some_and(|p| e.starts_with(p.as_str())));
        hit.evidence.extend(own.cloned());
    }
    hits
}

/// Packets that the sender's own queue had no room for.
pub(super) fn queue_drops(trial: &Trial, _: &Summary) -> Vec<Hit> {
    on_interfaces(trial, &["qdisc_drops"], |interface, dropped, _| {
        Some(format!("the queue in front of {interface} dropped {dropped} packets"))
    })
}

/// The other end of the cable asked for a rest.
pub(super) fn told_to_wait(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let standard = on_interfaces(trial, &["pause_rx_frames"], |interface, frames, _| {
        Some(format!("{interface} was told to wait by {frames} pause frames"))
    });
    if standard.is_empty() { driver::told_to_wait(trial) } else { standard }
}

/// Packets that came faster than a CPU took them from its backlog.
pub(super) fn softnet_drops(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let hit = |(whose, counters): (String, &Counters)| {
        let cpus: Vec<_> = counters.softnet.value()?.iter().filter(|c| c.dropped > 0).collect();
        let dropped = cpus.iter().fold(0u64, |sum, c| sum.saturating_add(c.dropped));
        (dropped > 0).then(|| {
            Hit::new(
                format!("{whose} dropped {dropped} packets because the backlog of a CPU was full"),
                cpus.iter().map(|c| format!("counters.softnet[cpu {}].dropped = {}", c.cpu, c.dropped)),
            )
        })
    };
    kernels(trial).into_iter().filter_map(hit).collect()
}

/// Protocol counters that mean lost work, with what happened. Those of datagrams are in the datagram account too.
const LOSSES: [(&str, &str); 8] = [
    ("Udp.RcvbufErrors", "datagrams found the receive buffer full"),
    ("Udp6.RcvbufErrors", "IPv6 datagrams found the receive buffer full"),
    ("Udp.InCsumErrors", "datagrams had a wrong checksum"),
    ("Tcp.InCsumErrors", "TCP segments had a wrong checksum"),
    ("TcpExt.TCPBacklogDrop", "TCP segments found the socket's backlog full"),
    ("TcpExt.TCPRcvQDrop", "TCP segments found the receive queue full"),
    ("TcpExt.ListenOverflows", "connections found the listening queue full"),
    ("TcpExt.TCPMemoryPressures", "times TCP ran short of memory"),
];

/// What the protocols of a host lost.
pub(super) fn protocol_losses(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let told = matches!(trial.probe, Probe::Datagram(_));
    let mut hits = Vec::new();
    for (end, counters) in counted(trial) {
        for (name, what) in LOSSES {
            let lost = counters.protocol(name).filter(|n| *n > 0);
            if let Some(lost) = lost.filter(|_| !(told && name.starts_with("Udp"))) {
                let evidence = [format!("counters.protocols.{name} = {lost}")];
                hits.push(Hit::new(format!("{}: {lost} {what}", end.host), evidence));
            }
        }
    }
    hits
}

/// A direction whose sender had to send much again.
pub(super) fn retransmits(trial: &Trial, summary: &Summary) -> Vec<Hit> {
    let check = |direction: &goodput_model::summary::DirectionSummary| {
        let tcp = direction.sender_tcp.as_ref().filter(|t| t.data_segments_out > 0)?;
        let percent = tcp.retransmits as f64 * 100.0 / tcp.data_segments_out as f64;
        let role = if direction.direction == Direction::Receive { Role::Listen } else { Role::Connect };
        let counters = trial.end(role).and_then(|e| e.counters.as_ref());
        // Timeouts, and segments of which the receiver said that it had them already (DSACK, RFC 2883).
        let beside = ["TcpExt.TCPTimeouts", "TcpExt.TCPDSACKRecvSegs"]
            .into_iter()
            .filter_map(|name| Some(format!("counters.protocols.{name} = {}", counters?.protocol(name)?)));
        (percent >= RETRANSMIT_PERCENT).then(|| {
            let counts = [
                format!("sender_tcp.retransmits = {}", tcp.retransmits),
                format!("sender_tcp.data_segments_out = {}", tcp.data_segments_out),
            ];
            Hit::new(
                format!(
                    "in direction {}, {percent:.2} % of the segments were sent again ({} of {})",
                    direction.direction.name(),
                    tcp.retransmits,
                    tcp.data_segments_out
                ),
                counts.into_iter().chain(beside),
            )
        })
    };
    summary.directions().iter().filter_map(check).chain(load::retransmits(trial)).collect()
}

/// What the kernel warned of.
pub(super) fn kernel_warnings(trial: &Trial, _: &Summary) -> Vec<Hit> {
    kernel_messages(trial, |m| m.level <= WARNING_LEVEL)
}

/// What the kernel said beside.
pub(super) fn kernel_notes(trial: &Trial, _: &Summary) -> Vec<Hit> {
    kernel_messages(trial, |m| m.level > WARNING_LEVEL)
}

fn kernel_messages(trial: &Trial, which: impl Fn(&KernelMessage) -> bool) -> Vec<Hit> {
    let hit = |(whose, counters): (String, &Counters)| {
        let all = counters.kernel_messages.value()?;
        let said: Vec<&KernelMessage> = all.messages.iter().filter(|m| which(m)).collect();
        let first = said.first()?;
        let more = match said.len() {
            1 => String::new(),
            n => format!(", and {} more", n - 1),
        };
        Some(Hit::new(
            format!("{whose} said during the trial: \"{}\"{more}", first.text),
            said.iter().take(MESSAGES).map(|m| {
                format!("kernel message at {:.6} s, level {}: {}", m.at_us as f64 / 1e6, m.level, m.text)
            }),
        ))
    };
    kernels(trial).into_iter().filter_map(hit).collect()
}

/// What must be known to read the counters.
pub(super) fn counter_notes(trial: &Trial, _: &Summary) -> Vec<Hit> {
    let of_end = |(end, counters): (&EndReport, &Counters)| -> Vec<Hit> {
        let missing = |fact: Option<&str>, what: &str| {
            fact.map(|why| Hit::new(format!("{}: {what} are not available: {why}", end.host), []))
        };
        let mut hits: Vec<Hit> =
            counters.notes.iter().map(|n| Hit::new(format!("{}: {n}", end.host), [])).collect();
        hits.extend(missing(Fact::reason(&counters.interfaces), "interface counters"));
        hits.extend(missing(Fact::reason(&counters.protocols), "protocol counters"));
        hits
    };
    counted(trial).into_iter().flat_map(of_end).collect()
}
