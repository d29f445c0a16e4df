//! Counters of this host over a window: a reading at each edge, and the differences. A reading takes some
//! hundred µs, outside measuring threads. Unreadable parts do not affect others.

use crate::driver::DriverStatisticsReader;
use crate::ethtool::EthtoolNetlink;
use crate::kernel_log::KernelLogReader;
use crate::netlink::{self, NetlinkSocket};
use crate::sys::{PosixClock, clock_ns};
use crate::{HostError, driver, link_statistics, protocols, qdisc, relay, softnet, stat};
use goodput_model::host::LinkRelayCounters;
use goodput_model::host::counters::{HostCounters, KernelActivityCounters, SoftnetCounters};
use goodput_model::host::inventory::Fact;
use std::collections::BTreeMap;

type ByInterface = BTreeMap<String, BTreeMap<String, u64>>;

struct Reading {
    read_ns: (u64, u64),
    interfaces: Result<ByInterface, HostError>,
    protocols: Result<protocols::RawProtocolCounters, HostError>,
    softnet: Result<Vec<SoftnetCounters>, HostError>,
    activity: Result<KernelActivityCounters, HostError>,
    drivers: Result<ByInterface, HostError>,
}

pub struct CounterMeasurement {
    reading: Reading,
    log: Result<KernelLogReader, HostError>,
    relays: Vec<LinkRelayCounters>,
    asking: Asking,
}

/// Sockets kept between the readings.
struct Asking {
    route: Option<NetlinkSocket>,
    ethtool: Option<EthtoolNetlink>,
    drivers: Option<DriverStatisticsReader>,
    devices: Vec<String>,
}

impl CounterMeasurement {
    pub fn start() -> CounterMeasurement {
        let mut asking =
            Asking { route: None, ethtool: EthtoolNetlink::open().ok(), drivers: None, devices: Vec::new() };
        let log = KernelLogReader::open();
        CounterMeasurement { reading: asking.read(), log, relays: relay::read_lab_relay_counters(), asking }
    }

    pub fn finish(mut self) -> HostCounters {
        let later = self.asking.read();
        let mut counters = difference(self.reading, later);
        counters.relays = relay::counter_changes(&self.relays, &relay::read_lab_relay_counters());
        counters.kernel_messages = self.log.and_then(KernelLogReader::read_new_messages).into();
        counters
    }
}

impl Asking {
    fn read(&mut self) -> Reading {
        // 0 marks a failed clock.
        let now = || clock_ns(PosixClock::Monotonic).unwrap_or(0);
        let before = now();
        let interfaces = self.interfaces();
        let protocols = protocols::RawProtocolCounters::read();
        let softnet = softnet::read_softnet_stat();
        let activity = stat::read_kernel_activity();
        // Last, because some drivers are slow.
        let drivers = self.drivers();
        Reading { read_ns: (before, now()), interfaces, protocols, softnet, activity, drivers }
    }

    fn drivers(&mut self) -> Result<ByInterface, HostError> {
        let drivers = match &mut self.drivers {
            Some(open) => open,
            closed => closed.insert(DriverStatisticsReader::open()?),
        };
        let read = |name: &String| Some((name.clone(), drivers.read_statistics(name).ok()?));
        Ok(self.devices.iter().filter_map(read).collect())
    }

    fn interfaces(&mut self) -> Result<ByInterface, HostError> {
        let route = match &mut self.route {
            Some(open) => open,
            closed => closed.insert(NetlinkSocket::open(netlink::NETLINK_ROUTE)?),
        };
        let links = link_statistics::list_links(route)?;
        // Old kernels without it still have the interfaces' counters.
        let qdiscs = qdisc::list_qdiscs(route).unwrap_or_default();
        self.devices = links.iter().filter(|l| l.parent.is_some()).map(|l| l.name.clone()).collect();
        let mut all = ByInterface::new();
        for link in &links {
            let mut counts: BTreeMap<String, u64> = link_statistics::RTNL_STATISTICS_FIELDS
                .iter()
                .map(|n| n.to_string())
                .zip(link.statistics.iter().copied())
                .collect();
            let root = qdiscs.iter().find(|q| q.index == link.index && q.root);
            if let Some(counted) = root.and_then(|q| q.counted) {
                counts.extend(qdisc::QDISC_COUNTER_NAMES.iter().map(|n| n.to_string()).zip(counted));
            }
            // Only hardware receives pause frames.
            if let (Some(ethtool), true) = (self.ethtool.as_mut(), link.parent.is_some()) {
                counts.extend(ethtool.pause_statistics(link.index).unwrap_or_default());
            }
            all.insert(link.name.clone(), counts);
        }
        Ok(all)
    }
}

fn difference(old: Reading, new: Reading) -> HostCounters {
    let mut notes = Vec::new();
    let interfaces = both(old.interfaces, new.interfaces)
        .map(|(old, new)| interfaces_moved(&old, &new, &mut notes))
        .into();
    HostCounters {
        opened_ns: old.read_ns,
        closed_ns: new.read_ns,
        interfaces,
        protocols: both(
            old.protocols.and_then(|text| text.parse_counters()),
            new.protocols.and_then(|text| text.parse_counters()),
        )
        .map(|(old, new)| protocols::counter_changes(&old, &new))
        .into(),
        softnet: both(old.softnet, new.softnet).map(|(old, new)| softnet::counter_changes(&old, &new)).into(),
        activity: both(old.activity, new.activity).map(|(old, new)| activity_moved(old, new)).into(),
        driver_statistics: both(old.drivers, new.drivers).map(|(old, new)| drivers_moved(&old, &new)).into(),
        kernel_messages: Fact::default(),
        relays: Vec::new(),
        notes,
    }
}

fn both<T>(old: Result<T, HostError>, new: Result<T, HostError>) -> Result<(T, T), HostError> {
    Ok((old?, new?))
}

fn interfaces_moved(old: &ByInterface, new: &ByInterface, notes: &mut Vec<String>) -> ByInterface {
    for name in old.keys().filter(|n| !new.contains_key(*n)) {
        notes.push(format!("interface {name} went away while the window was open; it is not counted"));
    }
    let mut all = ByInterface::new();
    for (name, counts) in new {
        let Some(before) = old.get(name) else {
            notes.push(format!("interface {name} came while the window was open; it is not counted"));
            continue;
        };
        let mut moved = BTreeMap::new();
        for (counter, value) in counts {
            let begun = before.get(counter).copied().unwrap_or(0);
            match value.checked_sub(begun) {
                Some(0) => {}
                Some(difference) => {
                    moved.insert(counter.clone(), difference);
                }
                None => notes.push(format!("{counter} of {name} was set back; it is not counted")),
            }
        }
        all.insert(name.clone(), moved);
    }
    all
}

/// For devices that answered at both edges.
fn drivers_moved(old: &ByInterface, new: &ByInterface) -> ByInterface {
    let of = |(name, new): (&String, &BTreeMap<String, u64>)| {
        let moved = driver::counter_increases(old.get(name)?, new);
        (!moved.is_empty()).then(|| (name.clone(), moved))
    };
    new.iter().filter_map(of).collect()
}

fn activity_moved(old: KernelActivityCounters, new: KernelActivityCounters) -> KernelActivityCounters {
    KernelActivityCounters {
        interrupts: new.interrupts.saturating_sub(old.interrupts),
        context_switches: new.context_switches.saturating_sub(old.context_switches),
        softirq_receive: new.softirq_receive.saturating_sub(old.softirq_receive),
        softirq_transmit: new.softirq_transmit.saturating_sub(old.softirq_transmit),
        forks: new.forks.saturating_sub(old.forks),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interfaces(rows: &[(&str, &[(&str, u64)])]) -> ByInterface {
        let counts = |c: &[(&str, u64)]| c.iter().map(|(n, v)| (n.to_string(), *v)).collect();
        rows.iter().map(|(name, c)| (name.to_string(), counts(c))).collect()
    }

    #[test]
    fn what_stood_still_is_left_out_and_what_is_odd_is_said() {
        let old = interfaces(&[
            ("eth0", &[("rx_packets", 10), ("rx_dropped", 3), ("tx_packets", 5)]),
            ("gone", &[]),
        ]);
        let new = interfaces(&[
            ("eth0", &[("rx_packets", 15), ("rx_dropped", 3), ("tx_packets", 1)]),
            ("new", &[("rx_packets", 9)]),
        ]);
        let mut notes = Vec::new();
        let moved = interfaces_moved(&old, &new, &mut notes);
        assert_eq!(moved, interfaces(&[("eth0", &[("rx_packets", 5)])]));
        assert_eq!(drivers_moved(&old, &new), moved);
        let reset = "tx_packets of eth0 was set back; it is not counted";
        assert!(notes.len() == 3 && notes.iter().any(|n| n == reset), "{notes:?}");
    }

    #[test]
    fn one_part_that_fails_leaves_the_others() {
        let reading = |softnet| Reading {
            read_ns: (1, 2),
            interfaces: Ok(interfaces(&[("lo", &[("rx_bytes", 1)])])),
            protocols: Err(HostError::NotAvailable { what: "IP" }),
            softnet,
            drivers: Ok(interfaces(&[("eth0", &[("rx0_drops", 4)])])),
            activity: Ok(KernelActivityCounters { interrupts: 5, ..KernelActivityCounters::default() }),
        };
        let missing = HostError::NotAvailable { what: "softnet" };
        let counters = difference(reading(Ok(Vec::new())), reading(Err(missing)));
        assert_eq!(counters.softnet.unavailable_reason(), Some("softnet is not available on this system"));
        assert_eq!(counters.interface_counter("lo", "rx_bytes"), Some(0));
        assert_eq!(counters.activity.value(), Some(&KernelActivityCounters::default()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_counts_what_is_sent() {
        let opening = CounterMeasurement::start();
        let socket = std::net::UdpSocket::bind("127.0.0.1:0");
        let sent = socket.and_then(|s| s.send_to(&[0; 100], s.local_addr()?));
        let counters = opening.finish();
        assert!(counters.closed_ns.0 >= counters.opened_ns.1 && counters.counter_read_duration_ns() > 0);
        assert!(counters.activity.value().is_some() && counters.softnet.value().is_some());
        if sent.is_ok() {
            assert!(counters.protocol_counter("Udp.OutDatagrams").unwrap() >= 1);
            assert!(counters.interface_counter("lo", "tx_packets").unwrap() >= 1);
        }
    }
}
