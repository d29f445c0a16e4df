//! Rules on driver statistics (`ethtool -S`). Names differ between drivers, so only unambiguous ones count.

use super::Hit;
use super::host::{
    MIN_DROPPED_PACKET_SHARE, check_pause_frames, endpoints_with_counters, traffic_interfaces,
};
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, MessageArg, Trial};
use goodput_words::message;

const NAMED: usize = 3;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Dropped,
    /// Damaged packets, or a full queue of the card.
    Damaged,
    Paused,
    /// The provider of a virtual machine limited its traffic.
    Capped,
}

/// Names with these words count something else: an XDP program drops on purpose, for example.
const OTHERWISE: [&str; 12] = [
    "xdp",
    "xsk",
    "byte",
    "bytes",
    "octets",
    "corrected",
    "duration",
    "transition",
    "transitions",
    "ns",
    "us",
    "threshold",
];

/// `None` where the name is ambiguous.
fn kind(name: &str) -> Option<Kind> {
    let name = name.to_ascii_lowercase();
    let words: Vec<&str> = name.split(|c: char| !c.is_ascii_alphabetic()).filter(|w| !w.is_empty()).collect();
    let has = |all: &[&str]| words.iter().any(|w| all.contains(w));
    let in_a_row = |all: &[&str]| words.windows(all.len()).any(|w| w == all);
    if has(&OTHERWISE) {
        return None;
    }
    if in_a_row(&["allowance", "exceeded"]) {
        return Some(Kind::Capped);
    }
    if has(&["pause", "xoff"]) {
        // Pause frames that it sent itself say that it is slow, which other counters show better.
        return has(&["rx"]).then_some(Kind::Paused);
    }
    if has(&["error", "errors", "err", "errs", "crc", "fifo", "overrun", "overruns", "underrun", "underruns"])
    {
        return Some(Kind::Damaged);
    }
    let dropped =
        has(&["drop", "drops", "dropped", "discard", "discards", "discarded", "overflow", "overflows"]);
    let no_room =
        in_a_row(&["no", "buffer"]) || in_a_row(&["out", "of", "buffer"]) || in_a_row(&["no", "dma"]);
    (dropped || no_room).then_some(Kind::Dropped)
}

type DriverMessage = fn(&str, &str, MessageArg) -> Message;

fn on_drivers(trial: &Trial, kinds: &[Kind], say: DriverMessage) -> Vec<Hit> {
    let mut hits = Vec::new();
    for (end, counters) in endpoints_with_counters(trial) {
        for (interface, own) in traffic_interfaces(end, counters.driver_statistics.value()) {
            let standard = |name: &str| counters.interface_counter(interface, name).unwrap_or(0);
            // The kernel's own counters of the same name have their own rule.
            let found: Vec<(&String, u64)> = own
                .iter()
                .filter(|(name, _)| kind(name).is_some_and(|k| kinds.contains(&k)) && standard(name) == 0)
                .map(|(name, n)| (name, *n))
                .collect();
            let sum = found.iter().fold(0u64, |sum, (_, n)| sum.saturating_add(*n));
            let packets = standard("rx_packets").saturating_add(standard("tx_packets"));
            if sum == 0 || kinds == [Kind::Dropped] && sum as f64 <= packets as f64 * MIN_DROPPED_PACKET_SHARE
            {
                continue;
            }
            let names = found.iter().take(NAMED).map(|(name, n)| format!("{name} {n}"));
            let names = names.collect::<Vec<_>>().join(", ");
            let counters: MessageArg = match found.len().saturating_sub(NAMED) {
                0 => names.into(),
                count => message!(clause_and_more { names, count }).into(),
            };
            hits.push(Hit::new(
                say(&end.host, interface, counters),
                found.iter().map(|(name, n)| format!("counters.driver_statistics.{interface}.{name} = {n}")),
            ));
        }
    }
    hits
}

pub(super) fn check_driver_losses(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let dropped = on_drivers(trial, &[Kind::Dropped], |host, interface, counters| {
        message!(rule_driver_losses_text { host, interface, counters })
    });
    let damaged = on_drivers(trial, &[Kind::Damaged], |host, interface, counters| {
        message!(rule_driver_losses_text_2 { host, interface, counters })
    });
    dropped.into_iter().chain(damaged).collect()
}

/// Where the driver has no common counter of them.
pub(super) fn check_driver_pause_frames(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    let standard = check_pause_frames(trial);
    if !standard.is_empty() {
        return standard;
    }
    on_drivers(trial, &[Kind::Paused], |host, interface, counters| {
        message!(rule_driver_losses_text_3 { host, interface, counters })
    })
}

pub(super) fn check_instance_allowance_exceeded(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    on_drivers(trial, &[Kind::Capped], |host, interface, counters| {
        message!(rule_allowance_exceeded_text { host, interface, counters })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_real_drivers() {
        // virtio_net, e1000e, igb, i40e, mlx5, ena, gve.
        for (expected, names) in [
            (
                Some(Kind::Dropped),
                "rx0_drops rx_queue_0_drops rx_no_buffer_count rx_out_of_buffer rx_discards_phy",
            ),
            (Some(Kind::Damaged), "rx_missed_errors port.rx_crc_errors queue_0_rx_overruns rx_fifo_errors"),
            (Some(Kind::Paused), "rx_pause_ctrl_phy rx_flow_control_xoff"),
            (Some(Kind::Capped), "bw_in_allowance_exceeded"),
            (None, "tx_pause_ctrl_phy rx0_xdp_drops rx_corrected_bits_phy rx_error_bytes tx_busy multicast"),
            (None, "rx_global_pause_duration rx_steer_missed_packets rx0_packets"),
        ] {
            for name in names.split(' ') {
                assert_eq!(kind(name), expected, "{name}");
            }
        }
        assert_eq!(kind(""), None);
    }
}
