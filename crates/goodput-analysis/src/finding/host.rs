//! Rules on host counters over the window: drops, errors, retransmissions, kernel messages. Two ends in one
//! network namespace count the same interfaces, two on one kernel read the same log: each is reported once.

use super::{Hit, MAX_RETRANSMIT_PERCENT, load_findings, of_host};
use goodput_model::host::counters::KernelMessage;
use goodput_model::host::{Fact, HostCounters};
use goodput_model::probe::TransferDirection;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{Message, MessageArg, Probe, Trial};
use goodput_words::message;
use goodput_words::message_argument::fixed_decimals_arg;
use std::collections::BTreeMap;

/// Fewer drops are those of other traffic (frames of unused protocols count as dropped).
pub(super) const MIN_DROPPED_PACKET_SHARE: f64 = 1e-5;
/// `KERN_WARNING`: messages of this level and below report problems.
const WARNING_LEVEL: u8 = 4;
const MESSAGES: usize = 3;

pub(super) fn endpoints_with_counters(trial: &Trial) -> Vec<(&EndpointReport, &HostCounters)> {
    let place = |end: &EndpointReport| {
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

/// Each kernel once, with the name of its host.
fn kernels(trial: &Trial) -> Vec<(MessageArg, &HostCounters)> {
    let mut seen: Vec<(&EndpointReport, usize, Option<&HostCounters>)> = Vec::new();
    for end in &trial.ends {
        match seen.iter_mut().find(|(first, ..)| first.facts.shares_kernel_with(&end.facts)) {
            Some((_, hosts, counters)) => {
                *hosts += 1;
                *counters = counters.or(end.counters.as_ref());
            }
            None => seen.push((end, 1, end.counters.as_ref())),
        }
    }
    let named = seen.into_iter().filter_map(|(end, hosts, counters)| {
        let name = match hosts {
            1 => MessageArg::from(&end.host),
            2 => message!(clause_kernel_of_both).into(),
            count => message!(clause_kernel_of_many { count }).into(),
        };
        Some((name, counters?))
    });
    named.collect()
}

type ByInterface = BTreeMap<String, BTreeMap<String, u64>>;

/// Those of the interfaces that the trial's traffic took.
pub(super) fn traffic_interfaces<'a>(
    end: &'a EndpointReport,
    counters: Option<&'a ByInterface>,
) -> Vec<(&'a String, &'a BTreeMap<String, u64>)> {
    let taken = end.inventory.as_ref().and_then(|i| {
        i.path.value()?;
        i.interfaces.value()
    });
    let all = counters.into_iter().flatten();
    all.filter(|(name, _)| taken.is_none_or(|t| t.contains_key(*name))).collect()
}

/// The sum of these counters over the interfaces of the traffic, and of another beside it.
pub(crate) fn count_interface_drops(end: &EndpointReport, names: &[&str], beside: &str) -> (u64, u64) {
    let counters = end.counters.as_ref().and_then(|c| c.interfaces.value());
    let sum = |names: &[&str]| {
        let all = traffic_interfaces(end, counters).into_iter();
        let of = all.flat_map(|(_, moved)| names.iter().map(|n| moved.get(*n).copied().unwrap_or(0)));
        of.fold(0, u64::saturating_add)
    };
    (sum(names), sum(&[beside]))
}

/// In the backlogs of all CPUs of the end's kernel.
pub(crate) fn softnet_drops(end: &EndpointReport) -> u64 {
    let cpus = end.counters.as_ref().and_then(|c| c.softnet.value());
    cpus.into_iter().flatten().map(|c| c.dropped).fold(0, u64::saturating_add)
}

fn on_interfaces(
    trial: &Trial,
    names: &[&str],
    say: impl Fn(&str, &str, u64, u64) -> Option<Message>,
) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (end, counters) in endpoints_with_counters(trial) {
        for (interface, moved) in traffic_interfaces(end, counters.interfaces.value()) {
            let of = |name: &str| moved.get(name).copied().unwrap_or(0);
            let evidence: Vec<String> = names
                .iter()
                .filter(|n| of(n) > 0)
                .map(|n| format!("counters.interfaces.{interface}.{n} = {}", of(n)))
                .collect();
            let sum = names.iter().fold(0u64, |sum, n| sum.saturating_add(of(n)));
            let packets = of("rx_packets").saturating_add(of("tx_packets"));
            let text = say(&end.host, interface, sum, packets).filter(|_| sum > 0);
            hits.extend(text.map(|text| Hit::new(text, evidence)));
        }
    }
    hits
}

pub(super) fn check_interface_drops(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let names = ["rx_dropped", "rx_missed_errors", "tx_dropped"];
    on_interfaces(trial, &names, |host, interface, dropped, packets| {
        (dropped as f64 > packets as f64 * MIN_DROPPED_PACKET_SHARE)
            .then(|| message!(rule_interface_drops_text { host, interface, dropped, packets }))
    })
}

pub(super) fn check_interface_errors(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    // Evidence only; the sums include them.
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
    let mut hits = on_interfaces(trial, &["rx_errors", "tx_errors"], |host, interface, errors, packets| {
        Some(message!(rule_interface_errors_text { host, interface, errors, packets }))
    });
    let kinds = on_interfaces(trial, &KINDS, |_, _, _, _| Some(Message::default()));
    let evidence: Vec<String> = kinds.into_iter().flat_map(|h| h.evidence).collect();
    for hit in &mut hits {
        let prefix =
            hit.evidence.first().and_then(|e| e.rsplit_once('.').map(|(prefix, _)| prefix.to_string()));
        let own = evidence.iter().filter(|e| prefix.as_ref().is_some_and(|p| e.starts_with(p.as_str())));
        hit.evidence.extend(own.cloned());
    }
    hits
}

pub(super) fn check_qdisc_drops(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    on_interfaces(trial, &["qdisc_drops"], |host, interface, dropped, _| {
        Some(message!(rule_queue_drops_text { host, interface, dropped }))
    })
}

/// By the counter that all drivers name alike.
pub(super) fn check_pause_frames(trial: &Trial) -> Vec<Hit> {
    on_interfaces(trial, &["pause_rx_frames"], |host, interface, frames, _| {
        Some(message!(rule_told_to_wait_text { host, interface, frames }))
    })
}

pub(super) fn check_softnet_drops(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let hit = |(whose, counters): (MessageArg, &HostCounters)| {
        let cpus: Vec<_> = counters.softnet.value()?.iter().filter(|c| c.dropped > 0).collect();
        let dropped = cpus.iter().fold(0u64, |sum, c| sum.saturating_add(c.dropped));
        (dropped > 0).then(|| {
            Hit::new(
                message!(rule_softnet_drops_text { whose, dropped }),
                cpus.iter().map(|c| format!("counters.softnet[cpu {}].dropped = {}", c.cpu, c.dropped)),
            )
        })
    };
    kernels(trial).into_iter().filter_map(hit).collect()
}

/// Of a host and a count.
type LossText = fn(&str, u64) -> Message;

/// Protocol counters that mean lost work. Those of datagrams are in the datagram account too.
const LOSSES: [(&str, LossText); 8] = [
    ("Udp.RcvbufErrors", |host, count| message!(rule_protocol_losses_text { host, count })),
    ("Udp6.RcvbufErrors", |host, count| message!(rule_protocol_losses_text_2 { host, count })),
    ("Udp.InCsumErrors", |host, count| message!(rule_protocol_losses_text_3 { host, count })),
    ("Tcp.InCsumErrors", |host, count| message!(rule_protocol_losses_text_4 { host, count })),
    ("TcpExt.TCPBacklogDrop", |host, count| message!(rule_protocol_losses_text_5 { host, count })),
    ("TcpExt.TCPRcvQDrop", |host, count| message!(rule_protocol_losses_text_6 { host, count })),
    ("TcpExt.ListenOverflows", |host, count| message!(rule_protocol_losses_text_7 { host, count })),
    ("TcpExt.TCPMemoryPressures", |host, count| message!(rule_protocol_losses_text_8 { host, count })),
];

pub(super) fn check_protocol_losses(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let told = matches!(trial.probe, Probe::Datagram(_));
    let mut hits = Vec::new();
    for (end, counters) in endpoints_with_counters(trial) {
        for (name, say) in LOSSES {
            let lost = counters.protocol_counter(name).and_then(|n| u64::try_from(n).ok()).filter(|n| *n > 0);
            if let Some(lost) = lost.filter(|_| !(told && name.starts_with("Udp"))) {
                let evidence = [format!("counters.protocols.{name} = {lost}")];
                hits.push(Hit::new(say(&end.host, lost), evidence));
            }
        }
    }
    hits
}

pub(super) fn check_retransmits(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let check = |direction: &goodput_model::summary::DirectionSummary| {
        let tcp = direction.sender_tcp.as_ref().filter(|t| t.data_segments_out > 0)?;
        let percent = tcp.retransmits as f64 * 100.0 / tcp.data_segments_out as f64;
        let role = if direction.direction == TransferDirection::Receive {
            EndpointRole::Listen
        } else {
            EndpointRole::Connect
        };
        let counters = trial.endpoint_report(role).and_then(|e| e.counters.as_ref());
        // Timeouts, and segments that the receiver already had (DSACK, RFC 2883).
        let beside = ["TcpExt.TCPTimeouts", "TcpExt.TCPDSACKRecvSegs"].into_iter().filter_map(|name| {
            Some(format!("counters.protocols.{name} = {}", counters?.protocol_counter(name)?))
        });
        (percent >= MAX_RETRANSMIT_PERCENT).then(|| {
            let counts = [
                format!("sender_tcp.retransmits = {}", tcp.retransmits),
                format!("sender_tcp.data_segments_out = {}", tcp.data_segments_out),
            ];
            Hit::new(
                message!(rule_retransmits_text {
                    direction: direction.direction.name(),
                    percent: fixed_decimals_arg(percent, 2, "%"),
                    again: tcp.retransmits,
                    all: tcp.data_segments_out,
                }),
                counts.into_iter().chain(beside),
            )
        })
    };
    summary
        .direction_summaries()
        .iter()
        .filter_map(check)
        .chain(load_findings::check_load_retransmits(trial))
        .collect()
}

pub(super) fn check_kernel_warnings(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    kernel_messages(trial, |m| m.level <= WARNING_LEVEL)
}

pub(super) fn report_kernel_messages(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    kernel_messages(trial, |m| m.level > WARNING_LEVEL)
}

fn kernel_messages(trial: &Trial, which: impl Fn(&KernelMessage) -> bool) -> Vec<Hit> {
    let hit = |(whose, counters): (MessageArg, &HostCounters)| {
        let all = counters.kernel_messages.value()?;
        let said: Vec<&KernelMessage> = all.messages.iter().filter(|m| which(m)).collect();
        let first = said.first()?;
        let message = &first.text;
        let text = match said.len() - 1 {
            0 => message!(rule_kernel_warnings_text { whose, message }),
            count => message!(rule_kernel_warnings_text_2 { whose, message, count }),
        };
        Some(Hit::new(
            text,
            said.iter().take(MESSAGES).map(|m| {
                format!("kernel message at {:.6} s, level {}: {}", m.at_us as f64 / 1e6, m.level, m.text)
            }),
        ))
    };
    kernels(trial).into_iter().filter_map(hit).collect()
}

pub(super) fn report_counter_notes(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let of_end = |(end, counters): (&EndpointReport, &HostCounters)| -> Vec<Hit> {
        let missing = |fact: Option<&str>, what: Message| {
            let why = Message::from(fact?);
            Some(Hit::new(message!(rule_counter_note_text { what, host: &end.host, why }), []))
        };
        let mut hits: Vec<Hit> = counters.notes.iter().map(|n| Hit::new(of_host(&end.host, n), [])).collect();
        hits.extend(missing(
            Fact::unavailable_reason(&counters.interfaces),
            message!(clause_interface_counters),
        ));
        hits.extend(missing(
            Fact::unavailable_reason(&counters.protocols),
            message!(clause_protocol_counters),
        ));
        hits
    };
    endpoints_with_counters(trial).into_iter().flat_map(of_end).collect()
}
