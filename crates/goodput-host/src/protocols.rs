//! Counters of IP, ICMP, TCP and UDP: `/proc/net/snmp`, `netstat` and `snmp6`, of the process's network
//! namespace (agents do not change namespaces).

use crate::{HostError, read_text};
use std::collections::BTreeMap;

pub(crate) type ProtocolCounters = BTreeMap<String, i64>;

/// Raw files of one instant; parsed later, because parsing takes longer.
pub(crate) struct RawProtocolCounters {
    snmp: String,
    netstat: String,
    snmp6: Option<String>,
}

const SNMP: &str = "/proc/net/snmp";
const NETSTAT: &str = "/proc/net/netstat";

impl RawProtocolCounters {
    pub(crate) fn read() -> Result<RawProtocolCounters, HostError> {
        let snmp6 = read_text("/proc/net/snmp6").ok();
        Ok(RawProtocolCounters { snmp: read_text(SNMP)?, netstat: read_text(NETSTAT)?, snmp6 })
    }

    pub(crate) fn parse_counters(&self) -> Result<ProtocolCounters, HostError> {
        let mut counts = ProtocolCounters::new();
        for (file, text) in [(SNMP, &self.snmp), (NETSTAT, &self.netstat)] {
            pairs_of_lines(text, &mut counts).map_err(|why| HostError::Parse { file, why })?;
        }
        names_and_values(self.snmp6.as_deref().unwrap_or(""), &mut counts);
        Ok(counts)
    }
}

/// `snmp` and `netstat`: a line of names and a line of values per group.
pub(crate) fn pairs_of_lines(text: &str, counts: &mut ProtocolCounters) -> Result<(), String> {
    let mut lines = text.lines();
    while let Some(names) = lines.next() {
        let (group, names) = names.split_once(':').ok_or_else(|| format!("{names:?} names no group"))?;
        let values = lines.next().and_then(|l| l.strip_prefix(group)?.strip_prefix(':'));
        let values = values.ok_or_else(|| format!("the group {group} has no values"))?;
        let (names, values) = (names.split_ascii_whitespace(), values.split_ascii_whitespace());
        for (name, value) in names.zip(values) {
            // Unsigned, except that Tcp.MaxConn may be -1.
            let value = value.parse::<u64>().map(|n| n as i64).or_else(|_| value.parse::<i64>());
            let value = value.map_err(|_| format!("{group}.{name} is no number"))?;
            counts.insert(format!("{group}.{name}"), value);
        }
    }
    Ok(())
}

/// `snmp6`: a name and a value per line; the group is a prefix, as in `Ip6InReceives`.
pub(crate) fn names_and_values(text: &str, counts: &mut ProtocolCounters) {
    const GROUPS: [&str; 4] = ["Icmp6", "UdpLite6", "Udp6", "Ip6"];
    for line in text.lines() {
        let Some((name, value)) = line.split_once(char::is_whitespace) else { continue };
        let Ok(value) = value.trim().parse::<u64>() else { continue };
        let group = GROUPS.iter().find(|g| name.starts_with(*g)).copied().unwrap_or("Ip6");
        counts.insert(format!("{group}.{}", name.strip_prefix(group).unwrap_or(name)), value as i64);
    }
}

/// New counters began at 0.
pub(crate) fn counter_changes(old: &ProtocolCounters, new: &ProtocolCounters) -> BTreeMap<String, i64> {
    new.iter()
        .map(|(name, value)| (name, value.wrapping_sub(old.get(name).copied().unwrap_or(0))))
        .filter(|(_, difference)| *difference != 0)
        .map(|(name, difference)| (name.clone(), difference))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    macro_rules! captured {
        ($file:literal) => {
            include_str!(concat!("../../../fixtures/host/firecracker-2cpu-6.18/", $file))
        };
    }

    #[test]
    fn a_captured_machine_counted_this() {
        let mut counts = ProtocolCounters::new();
        pairs_of_lines(captured!("snmp"), &mut counts).unwrap();
        pairs_of_lines(captured!("netstat"), &mut counts).unwrap();
        names_and_values(captured!("snmp6"), &mut counts);
        assert_eq!((counts["Tcp.MaxConn"], counts["Ip.DefaultTTL"]), (-1, 64));
        assert!(counts["Tcp.InSegs"] > 1_000_000);
        let names = "TcpExt.TCPTimeouts TcpExt.ListenOverflows IpExt.InOctets Udp.RcvbufErrors \
                     Ip6.InReceives Udp6.RcvbufErrors Icmp6.InMsgs UdpLite6.InDatagrams";
        for name in names.split(' ') {
            assert!(counts.contains_key(name), "{name}");
        }
    }

    #[test]
    fn only_what_moved_is_told() {
        let counts = |text: &str| {
            let mut counts = ProtocolCounters::new();
            pairs_of_lines(text, &mut counts).unwrap();
            counts
        };
        let old = counts("Tcp: MaxConn CurrEstab RetransSegs\nTcp: -1 5 100\n");
        let new = counts("Tcp: MaxConn CurrEstab RetransSegs New\nTcp: -1 3 107 2\n");
        let moved: Vec<_> = counter_changes(&old, &new).into_iter().collect();
        let expected = [("Tcp.CurrEstab", -2), ("Tcp.New", 2), ("Tcp.RetransSegs", 7)];
        assert_eq!(moved, expected.map(|(name, change)| (name.to_string(), change)));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, why) in [
            ("Tcp\n", "names no group"),
            ("Tcp: A\n", "has no values"),
            ("Tcp: A\nUdp: 1\n", "has no values"),
            ("Tcp: A\nTcp: x\n", "Tcp.A is no number"),
        ] {
            let e = pairs_of_lines(text, &mut ProtocolCounters::new()).unwrap_err();
            assert!(e.contains(why), "{text:?} gave {e:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in ".{0,300}", almost in "([A-Z][a-z]{1,4}:( [A-Za-z0-9]{1,6}){0,4}\n){0,6}") {
            let _ = pairs_of_lines(&text, &mut ProtocolCounters::new());
            let _ = pairs_of_lines(&almost, &mut ProtocolCounters::new());
            names_and_values(&text, &mut ProtocolCounters::new());
        }
    }
}
