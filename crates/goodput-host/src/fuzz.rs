//! What fuzzing calls (`fuzz/`): this crate's parsers of what the kernel says. Not part of the interface.

use crate::knob::restore_journal;
use crate::{
    address, ethtool, facts, interrupts, kernel_log, link_statistics, machine, netlink, processor, protocols,
    qdisc, relay, route, socket_owner, softnet, stat,
};

/// A datagram of netlink, as an answer to every question.
pub fn parse_netlink(datagram: &[u8]) {
    let mut payloads = Vec::new();
    // Recordings have the number 1.
    let _ = netlink::parse_response(datagram, 1, &mut payloads);
    let links: Vec<_> = payloads.iter().filter_map(|payload| link_statistics::parse_link(payload)).collect();
    for payload in &payloads {
        let _ = (qdisc::parse_qdisc(payload), route::parse(payload), address::parse(payload, &links));
        let _ = socket_owner::parse(payload);
        let reply = payload.get(4..).unwrap_or_default();
        let _ = (ethtool::family(payload), ethtool::link_mode(reply));
        let _ = (ethtool::features(reply), ethtool::pause(reply));
    }
}

/// A text as every file below `/proc` that is read.
pub fn parse_kernel_text(text: &str) {
    let _ = (stat::parse_cpu_times(text, 100), stat::parse_activity(text), softnet::parse(text));
    let mut counters = protocols::ProtocolCounters::new();
    let _ = protocols::pairs_of_lines(text, &mut counters);
    protocols::names_and_values(text, &mut counters);
    let _ = (interrupts::actions(text), processor::numbers(text), processor::microcode(text));
    let _ = (facts::cpu_model(text), machine::memory(text), kernel_log::parse(text));
}

/// Files that another user may have written: the journal of settings, counters of a lab.
pub fn parse_files(bytes: &[u8]) {
    let _ = restore_journal::parse_pending_restores::<serde_json::Value>(bytes);
    let _ = relay::parse(bytes);
}
