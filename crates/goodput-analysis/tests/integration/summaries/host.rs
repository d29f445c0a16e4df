//! Findings from host counters and configuration.

use super::sample::*;
use goodput_analysis::inventory_difference;
use goodput_analysis::summary::summarize_trial;
use goodput_model::host::counters::{KernelMessage, KernelMessages, SoftnetCounters};
use goodput_model::host::inventory::{Interface, LinkMode, PciLink};
use goodput_model::host::{Fact, HostCounters, Inventory};
use goodput_model::trial::EndpointRole;
use goodput_model::*;
use std::collections::BTreeMap;

/// The findings of the sample stream after a change.
fn after(change: impl FnOnce(&mut Trial)) -> Vec<Finding> {
    let mut t = stream();
    for end in &mut t.ends {
        end.inventory = Some(inventory(Interface::default()));
        end.counters = Some(HostCounters {
            interfaces: Fact::Value(BTreeMap::new()),
            protocols: Fact::Value(BTreeMap::new()),
            ..HostCounters::default()
        });
    }
    change(&mut t);
    summarize_trial(&t).findings
}

fn inventory(eth0: Interface) -> Inventory {
    Inventory {
        path: Fact::Value(vec!["eth0".into()]),
        interfaces: Fact::Value(BTreeMap::from([("eth0".into(), eth0)])),
        ..Inventory::default()
    }
}

fn counters(end: &mut EndpointReport) -> &mut HostCounters {
    end.counters.as_mut().expect("the trial has counters")
}

fn of(interface: &str, moved: &[(&str, u64)]) -> Fact<BTreeMap<String, BTreeMap<String, u64>>> {
    let moved = moved.iter().map(|(n, v)| (n.to_string(), *v)).collect();
    Fact::Value(BTreeMap::from([(interface.to_string(), moved)]))
}

fn count(end: &mut EndpointReport, interface: &str, moved: &[(&str, u64)]) {
    counters(end).interfaces = of(interface, moved);
}

fn driver(end: &mut EndpointReport, interface: &str, moved: &[(&str, u64)]) {
    counters(end).driver_statistics = of(interface, moved);
}

fn protocol(end: &mut EndpointReport, name: &str, n: i64) {
    counters(end).protocols = Fact::Value(BTreeMap::from([(name.to_string(), n)]));
}

fn said(level: u8, text: &str) -> Fact<KernelMessages> {
    let message = KernelMessage { at_us: 1_500_000, level, text: text.into() };
    Fact::Value(KernelMessages { messages: vec![message], left_out: 0 })
}

#[test]
fn a_driver_speaks_where_its_words_are_clear() {
    let found = after(|t| driver(&mut t.ends[1], "eth1", &[("rx0_drops", 90)]));
    assert_eq!(found, [], "the traffic did not take that interface");
    let counted = [("rx0_drops", 5), ("rx1_drops", 6), ("rx2_drops", 7), ("rx3_drops", 8), ("rx0_kicks", 3)];
    let found = only(&after(|t| driver(&mut t.ends[1], "eth0", &counted)), "driver-losses");
    let dropped = "dropped packets: rx0_drops 5, rx1_drops 6, rx2_drops 7 and 1 more";
    assert_eq!(found.text.as_str(), format!("the driver of eth0 on b counted {dropped}"));
    assert_eq!(found.evidence.len(), 4);
    assert_eq!(found.evidence[0], "counters.driver_statistics.eth0.rx0_drops = 5");
    let found = after(|t| {
        count(&mut t.ends[1], "eth0", &[("rx_packets", 10), ("rx_missed_errors", 4)]);
        driver(&mut t.ends[1], "eth0", &[("rx_missed_errors", 4)]);
    });
    only(&found, "interface-drops");
    let found = only(&after(|t| driver(&mut t.ends[0], "eth0", &[("rx_pause_ctrl_phy", 2)])), "told-to-wait");
    assert_eq!(found.text, "the driver of eth0 on a counted pause frames: rx_pause_ctrl_phy 2");
    let found = after(|t| driver(&mut t.ends[0], "eth0", &[("bw_out_allowance_exceeded", 2)]));
    only(&found, "allowance-exceeded");
}

#[test]
fn an_interface_that_drops_and_one_that_errs() {
    let well = after(|t| count(&mut t.ends[1], "eth0", &[("rx_packets", 1_000_000), ("rx_dropped", 3)]));
    assert_eq!(well, []);
    let found = after(|t| count(&mut t.ends[1], "eth0", &[("rx_packets", 1000), ("rx_dropped", 5)]));
    let finding = only(&found, "interface-drops");
    assert_eq!(finding.text, "eth0 of b dropped 5 packets and accepted 1,000");
    assert_eq!(finding.evidence, ["counters.interfaces.eth0.rx_dropped = 5"]);
    let found = after(|t| count(&mut t.ends[0], "eth0", &[("rx_errors", 2), ("rx_crc_errors", 2)]));
    let finding = only(&found, "interface-errors");
    assert_eq!(finding.evidence.len(), 2, "{finding:?}");
    assert!(after(|t| count(&mut t.ends[1], "wlan0", &[("rx_dropped", 5)])).is_empty());
    only(&after(|t| count(&mut t.ends[0], "eth0", &[("qdisc_drops", 4)])), "queue-drops");
    let found = after(|t| count(&mut t.ends[0], "eth0", &[("pause_rx_frames", 9)]));
    assert_eq!(only(&found, "told-to-wait").text, "eth0 of a received 9 pause frames");
}

#[test]
fn full_backlogs_protocol_losses_and_segments_sent_again() {
    let cpus = [(0, 0), (3, 8)];
    let cpus = cpus.map(|(cpu, dropped)| SoftnetCounters { cpu, dropped, ..SoftnetCounters::default() });
    let found = after(|t| counters(&mut t.ends[1]).softnet = Fact::Value(cpus.to_vec()));
    assert_eq!(only(&found, "softnet-drops").evidence, ["counters.softnet[cpu 3].dropped = 8"]);
    let found = only(&after(|t| protocol(&mut t.ends[1], "Udp.RcvbufErrors", 12)), "protocol-losses");
    assert_eq!(found.text, "b dropped 12 datagrams because the receive buffer was full");
    let found = after(|t| {
        protocol(&mut t.ends[0], "TcpExt.TCPTimeouts", 2);
        t.ends[0].flows[0].tcp.as_mut().unwrap().retransmits = 900;
    });
    let finding = only(&found, "retransmits");
    assert!(finding.text.starts_with("1.04 % of the segments of direction send were retransmitted (900 of "));
    assert!(finding.evidence.iter().any(|line| *line == "counters.protocols.TcpExt.TCPTimeouts = 2"));
}

#[test]
fn one_kernel_speaks_once_and_one_namespace_counts_once() {
    let share = |t: &mut Trial, namespaces: [&str; 2]| {
        for (end, namespace) in t.ends.iter_mut().zip(namespaces) {
            end.facts.boot_id = "one".into();
            let inventory = end.inventory.as_mut().unwrap();
            inventory.moment.network_namespace = Fact::Value(namespace.into());
            count(end, "eth0", &[("qdisc_drops", 4)]);
            counters(end).kernel_messages = said(3, "eth0: transmit queue 0 timed out");
        }
    };
    let ids = |found: &[Finding]| found.iter().map(|f| f.id.clone()).collect::<Vec<_>>();
    let found = after(|t| share(t, ["net:[1]", "net:[1]"]));
    assert_eq!(ids(&found), ["queue-drops", "kernel-warnings", "shared-cpu"]);
    let told = "the kernel of both hosts logged during the trial: \"eth0: transmit queue 0 timed out\"";
    assert_eq!(found[1].text, told);
    let found = after(|t| share(t, ["net:[1]", "net:[2]"]));
    assert_eq!(ids(&found), ["queue-drops", "kernel-warnings", "shared-cpu"]);
    assert_eq!(found[0].text, "the queue of eth0 on a dropped 4 packets (also on b)");
}

#[test]
fn a_rule_is_one_finding_with_a_list_of_its_places() {
    let found = after(|t| {
        for (n, client) in (2..=18).map(|n| (n, format!("c{n}"))) {
            let boot_id = format!("kernel of {client}");
            let facts = HostFacts { boot_id, ..t.ends[0].facts.clone() };
            t.ends.push(EndpointReport { host: client, facts, ..t.ends[0].clone() });
            count(t.ends.last_mut().unwrap(), "eth0", &[("rx_packets", 1000), ("rx_dropped", n)]);
        }
        count(&mut t.ends[0], "eth0", &[("rx_packets", 1000), ("rx_dropped", 1)]);
        t.ends[2].notes = vec!["the clock steps".into(), "no huge pages".into()];
        t.ends[3].notes = vec!["the clock steps".into()];
    });
    let told: Vec<(&str, &str)> = found.iter().map(|f| (f.id.as_str(), f.text.as_str())).collect();
    let drops = "eth0 of a dropped 1 packets and accepted 1,000 (also on c2, c3, c4, c5, c6 and 12 more)";
    let notes = "c2: the clock steps (also on c3); c2: no huge pages";
    assert_eq!(told, [("interface-drops", drops), ("measurement-note", notes)]);
    assert_eq!(found[0].evidence.len(), 18);
    assert_eq!(found[0].evidence[17], "c18: counters.interfaces.eth0.rx_dropped = 18");
}

#[test]
fn different_statements_of_a_rule_are_all_in_its_finding() {
    let found = after(|t| {
        counters(&mut t.ends[0]).interfaces = Fact::Value(BTreeMap::from(
            ["eth0", "eth1"].map(|name| (name.to_string(), BTreeMap::from([("qdisc_drops".into(), 4)]))),
        ));
        t.ends[0].inventory = None;
        protocol(&mut t.ends[0], "Udp.RcvbufErrors", 12);
        protocol(&mut t.ends[1], "TcpExt.TCPBacklogDrop", 3);
    });
    let [queues, losses] = &found[..] else { panic!("{found:?}") };
    assert_eq!(queues.text, "the queue of eth0 on a dropped 4 packets (also on eth1)");
    assert_eq!(losses.text.split("; ").count(), 2, "{}", losses.text);
    let evidence =
        ["a: counters.protocols.Udp.RcvbufErrors = 12", "b: counters.protocols.TcpExt.TCPBacklogDrop = 3"];
    assert_eq!(losses.evidence, evidence);
}

#[test]
fn a_kernel_that_only_talks_is_noted() {
    let found = after(|t| counters(&mut t.ends[0]).kernel_messages = said(6, "br0: up"));
    let Finding { severity, evidence, .. } = only(&found, "kernel-messages");
    assert_eq!(severity, Severity::Note);
    assert_eq!(evidence, ["kernel message at 1.500000 s, level 6: br0: up"]);
}

#[test]
fn a_link_or_a_slot_that_is_less_than_it_could_be() {
    let with = |eth0: Interface| after(|t| t.ends[0].inventory = Some(inventory(eth0)));
    let link = |speed, duplex: &str| Interface {
        link: Fact::Value(LinkMode {
            autonegotiation: Some(true),
            speed_mbps: Some(speed),
            duplex: Some(duplex.into()),
            asked: vec!["Autoneg".into(), "100baseT/Full".into(), "1000baseT/Full".into()],
            ..LinkMode::default()
        }),
        ..Interface::default()
    };
    assert!(with(link(1000, "full")).is_empty());
    let slow = only(&with(link(100, "full")), "slow-link");
    assert_eq!(slow.text, "eth0 of a runs at 100 Mbit/s but advertises up to 1,000 Mbit/s");
    only(&with(link(1000, "half")), "half-duplex");
    let slot = PciLink { width: Some(4), largest_width: Some(8), ..PciLink::default() };
    let found = with(Interface { pci: Fact::Value(slot), ..Interface::default() });
    assert!(only(&found, "narrow-slot").text.ends_with("unknown speed x4 but supports unknown speed x8"));
    let features = |states: [(&str, &str); 2]| {
        let states = states.map(|(name, state)| (name.to_string(), state.to_string()));
        with(Interface { features: Fact::Value(states.into()), ..Interface::default() })
    };
    let found = features([("tx-lro", "off (on asked)"), ("rx-checksum", "on")]);
    assert_eq!(
        only(&found, "feature-refused").text,
        "eth0 of a rejected the requested setting of these offloads: tx-lro"
    );
    let cutting = ("tx-udp-segmentation", "off (on asked)");
    let none = features([("tx-checksum-ip-generic", "off"), cutting]);
    assert_eq!(none, [], "without checksums there is nothing to cut");
    only(&features([("tx-checksum-ip-generic", "on"), cutting]), "feature-refused");
}

#[test]
fn what_differs_between_two_runs() {
    let run_with = |mtus: &[u32]| {
        let trials = mtus.iter().map(|mtu| {
            let mut t = stream();
            let eth0 = Interface { mtu: *mtu, ..Interface::default() };
            t.ends[1].inventory = Some(Inventory { hash: mtu.to_string(), ..inventory(eth0) });
            t
        });
        run(trials.collect(), vec![])
    };
    let hosts = inventory_difference::host_differences(&run_with(&[1500, 9000]), &run_with(&[1400]));
    let [client, server] = &hosts[..] else { panic!("{hosts:?}") };
    assert_eq!(
        (client.role, &client.differences, server.role),
        (EndpointRole::Connect, &None, EndpointRole::Listen)
    );
    let names: Vec<&str> = server.differences.iter().flatten().map(|d| d.name.as_str()).collect();
    assert_eq!(names, ["interfaces.eth0.mtu"]);
    let changed = [&server.first, &server.second].map(|host| host.as_ref().unwrap().changed_within_run);
    assert_eq!(changed, [true, false]);
}
