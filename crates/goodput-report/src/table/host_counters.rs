//! Counters of both ends over the window: interfaces, drops, interrupts, kernel messages.

use super::host_cpu_usage::host_with_role;
use super::{Align, Cell, Table};
use crate::display_text::DisplayText;
use crate::probe;
use crate::table::cell::{count, nanos, optional_cell};
use goodput_model::Message;
use goodput_model::host::HostCounters;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::EndpointRole;
use goodput_words::message;
use std::collections::BTreeSet;

/// Omits interfaces below 1/100 of the host's packets: other traffic.
const SMALL_SHARE: u64 = 100;

const LOSSES: [(&str, &str); 9] = [
    ("rx_dropped", "receive drops"),
    ("rx_missed_errors", "packets missed by the adapter (rx_missed_errors)"),
    ("tx_dropped", "transmit drops"),
    ("rx_errors", "receive errors"),
    ("tx_errors", "transmit errors"),
    ("collisions", "collisions"),
    ("qdisc_drops", "qdisc drops"),
    ("pause_rx_frames", "pause frames received"),
    ("pause_tx_frames", "pause frames sent"),
];

const PROTOCOLS: [(&str, &str); 8] = [
    ("Tcp.RetransSegs", "TCP segments retransmitted"),
    ("TcpExt.TCPTimeouts", "TCP retransmission timeouts"),
    ("Udp.InErrors", "UDP input errors"),
    ("Udp.RcvbufErrors", "UDP receive buffer errors"),
    ("Udp.SndbufErrors", "UDP send buffer errors"),
    ("Ip.FragCreates", "IP fragments sent"),
    ("Ip.ReasmFails", "IP reassembly failures"),
    ("TcpExt.ListenOverflows", "listen queue overflows"),
];

pub fn host_counters_table(summary: &TrialSummary) -> Option<Table> {
    // Only the server of a load: clients have no room.
    let load = probe::probe_report(&summary.probe).has_many_clients();
    let hosts = || summary.hosts.iter().filter(|h| h.role == EndpointRole::Listen || !load);
    let ends: Vec<&HostCounters> = hosts().filter_map(|h| h.counters.as_ref()).collect();
    if ends.is_empty() {
        return None;
    }
    let mut table = Table::new("Host counters in the measurement window", &[("", Align::Left)]);
    for host in hosts().filter(|h| h.counters.is_some()) {
        table.columns.push((host_with_role(&host.name, host.role).into(), Align::Right));
    }
    let mut row = |name: Cell, of: &dyn Fn(&HostCounters) -> Option<u64>| {
        table.add_row_unless_empty(name, ends.iter().map(|c| optional_cell(of(c), count)));
    };
    for name in interfaces(&ends) {
        let received = message!(report_interface_packets_received { interface: name });
        row(received.into(), &|c| c.interface_counter(name, "rx_packets"));
        let sent = message!(report_interface_packets_sent { interface: name });
        row(sent.into(), &|c| c.interface_counter(name, "tx_packets"));
        for (counter, words) in LOSSES {
            if ends.iter().any(|c| c.interface_counter(name, counter).is_some_and(|n| n > 0)) {
                let what = Message::from(words);
                let words = message!(report_interface_counter { interface: name, what });
                row(words.into(), &|c| c.interface_counter(name, counter));
            }
        }
    }
    for (counter, words) in PROTOCOLS {
        if ends.iter().any(|c| c.protocol_counter(counter).is_some_and(|n| n > 0)) {
            row(words.into(), &|c| c.protocol_counter(counter).and_then(|n| u64::try_from(n).ok()));
        }
    }
    let softnet = |c: &HostCounters, of: fn(&goodput_model::host::counters::SoftnetCounters) -> u64| {
        c.softnet.value().map(|all| all.iter().map(of).fold(0u64, u64::saturating_add))
    };
    row("softnet dropped".into(), &|c| softnet(c, |s| s.dropped));
    row("softnet time_squeeze".into(), &|c| softnet(c, |s| s.squeezed));
    row("interrupts".into(), &|c| c.activity.value().map(|a| a.interrupts));
    row("context switches".into(), &|c| c.activity.value().map(|a| a.context_switches));
    row("kernel messages".into(), &|c| {
        c.kernel_messages.value().map(|k| (k.messages.len() as u64).saturating_add(k.left_out))
    });
    let cost = ends.iter().map(|c| c.counter_read_duration_ns()).max().unwrap_or(0);
    table.notes.push(message!(report_counters_whose { time: nanos(cost) }).into());
    let own = ends.iter().filter_map(|c| c.driver_statistics.value()).flat_map(|all| all.values());
    let own = own.map(|moved| moved.len() as u64).fold(0, u64::saturating_add);
    if own > 0 {
        table.notes.push(message!(report_drivers_counters_moved { count: own }).into());
    }
    let missing = ends.iter().filter_map(|c| c.kernel_messages.unavailable_reason()).next();
    let missing = missing.map(Message::from);
    let missing = missing.map(|why| message!(report_kernel_messages_not_available { why }));
    table.notes.extend(missing.map(DisplayText::from));
    Some(table)
}

fn interfaces<'a>(ends: &[&'a HostCounters]) -> BTreeSet<&'a String> {
    let carrying = ends.iter().flat_map(|counters| {
        let packets = |name: &str| {
            let of = |counter| counters.interface_counter(name, counter).unwrap_or(0);
            of("rx_packets").saturating_add(of("tx_packets"))
        };
        let all: Vec<&String> = counters.interfaces.value().into_iter().flat_map(|i| i.keys()).collect();
        let most = all.iter().map(|n| packets(n)).max().unwrap_or(0);
        let carries = |name: &&String| packets(name) > 0 && packets(name) >= most / SMALL_SHARE;
        all.into_iter().filter(carries).collect::<Vec<_>>()
    });
    carrying.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::host::Fact;
    use std::collections::BTreeMap;

    #[test]
    fn what_moved_is_shown_and_what_carried_nothing_is_not() {
        let mut summary = crate::documents::demo().trials[1].clone();
        assert!(host_counters_table(&summary).is_none());
        let interface = |name: &str, counts: &[(&str, u64)]| -> (String, BTreeMap<String, u64>) {
            (name.to_string(), counts.iter().map(|(n, v)| (n.to_string(), *v)).collect())
        };
        let interfaces = [
            interface("eth0", &[("rx_packets", 1000), ("tx_packets", 5000), ("tx_dropped", 7)]),
            interface("docker0", &[("rx_packets", 2)]),
            interface("idle", &[]),
        ];
        let mut counters = HostCounters {
            interfaces: Fact::Value(BTreeMap::from(interfaces)),
            protocols: Fact::Value(BTreeMap::from([("Tcp.RetransSegs".into(), 3)])),
            ..HostCounters::default()
        };
        summary.hosts[0].counters = Some(counters.clone());
        let table = host_counters_table(&summary).unwrap();
        assert_eq!(table.columns.len(), 2);
        let rows: Vec<(String, String)> =
            table.rows.iter().map(|r| (r[0].to_string(), r[1].to_string())).collect();
        for (name, value) in [
            ("eth0: packets sent", "5,000"),
            ("eth0: transmit drops", "7"),
            ("TCP segments retransmitted", "3"),
        ] {
            assert!(rows.contains(&(name.into(), value.into())), "{name}: {rows:?}");
        }
        assert!(!rows.iter().any(|(n, _)| n.starts_with("docker0") || n.starts_with("idle")));
        assert!(!table.notes.iter().any(|n| n.starts_with("Driver-specific")), "{:?}", table.notes);
        let own = BTreeMap::from([("rx0_kicks".into(), 3)]);
        counters.driver_statistics = Fact::Value(BTreeMap::from([("eth0".into(), own)]));
        summary.hosts[0].counters = Some(counters);
        let notes = host_counters_table(&summary).unwrap().notes;
        let driver = "Driver-specific counters that changed: 1;";
        assert!(notes.iter().any(|n| n.starts_with(driver)), "{notes:?}");
        assert!(table.notes.iter().any(|n| n == "Kernel messages are not available: not asked."));
    }
}
