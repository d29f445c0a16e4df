//! Queries an interface's driver by ethtool netlink (Linux 5.6 and later). Numbers are those of
//! linux/ethtool_netlink.h; meanings: the kernel's `Documentation/networking/ethtool-netlink.rst`.
//! Unsupported queries return EOPNOTSUPP.

use crate::HostError;
use crate::netlink::{
    NETLINK_GENERIC, NLM_F_REQUEST, NetlinkSocket, encode_attribute, find_attribute, parse_attributes,
    parse_integer, parse_string,
};
use goodput_model::host::inventory::{LinkMode, PauseFrameSettings};
use std::collections::{BTreeMap, BTreeSet};

/// Attribute numbers and their names.
type Names = &'static [(u16, &'static str)];

const LINKMODES: u8 = 4;
const FEATURES: u8 = 11;
const PAUSE: u8 = 21;
const WITH_STATISTICS: u32 = 4;
/// ETHTOOL_FLAG_OMIT_REPLY: the result is read back separately.
const NO_REPLY: u32 = 2;
/// NLM_F_REQUEST and NLM_F_ACK: the kernel answers with success or its error.
pub(crate) const ACKNOWLEDGED_REQUEST_FLAGS: u16 = 0x5;

const RING_NAMES: Names = &[
    (2, "receive_largest"),
    (3, "receive_mini_largest"),
    (4, "receive_jumbo_largest"),
    (5, "transmit_largest"),
    (6, "receive"),
    (7, "receive_mini"),
    (8, "receive_jumbo"),
    (9, "transmit"),
    (10, "receive_buffer_bytes"),
];

const CHANNEL_NAMES: Names = &[
    (2, "receive_largest"),
    (3, "transmit_largest"),
    (4, "other_largest"),
    (5, "combined_largest"),
    (6, "receive"),
    (7, "transmit"),
    (8, "other"),
    (9, "combined"),
];

const COALESCE_NAMES: Names = &[
    (2, "receive_us"),
    (3, "receive_frames"),
    (4, "receive_us_in_irq"),
    (5, "receive_frames_in_irq"),
    (6, "transmit_us"),
    (7, "transmit_frames"),
    (8, "transmit_us_in_irq"),
    (9, "transmit_frames_in_irq"),
    (10, "statistics_us"),
    (11, "adaptive_receive"),
    (12, "adaptive_transmit"),
    (13, "low_rate_packets"),
    (14, "low_rate_receive_us"),
    (15, "low_rate_receive_frames"),
    (16, "low_rate_transmit_us"),
    (17, "low_rate_transmit_frames"),
    (18, "high_rate_packets"),
    (19, "high_rate_receive_us"),
    (20, "high_rate_receive_frames"),
    (21, "high_rate_transmit_us"),
    (22, "high_rate_transmit_frames"),
    (23, "rate_interval_s"),
    (24, "cqe_mode_transmit"),
    (25, "cqe_mode_receive"),
];

/// ETHTOOL_A_PAUSE_STAT_…
const PAUSE_STATISTICS: Names = &[(2, "pause_tx_frames"), (3, "pause_rx_frames")];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EthtoolParameterGroup {
    Rings,
    Channels,
    Coalescing,
}

impl EthtoolParameterGroup {
    /// The query's name and command, and the attributes. The command that sets them is the next one.
    fn query(self) -> (&'static str, u8, Names) {
        match self {
            EthtoolParameterGroup::Rings => ("ethtool rings", 15, RING_NAMES),
            EthtoolParameterGroup::Channels => ("ethtool channels", 17, CHANNEL_NAMES),
            EthtoolParameterGroup::Coalescing => ("ethtool coalescing", 19, COALESCE_NAMES),
        }
    }

    /// The command that sets this group, and a field's number.
    pub(crate) fn find_set_command_and_attribute(self, field: &str) -> Option<(u8, u16)> {
        let (_, command, names) = self.query();
        names.iter().find(|(_, name)| *name == field).map(|(number, _)| (command + 1, *number))
    }
}

pub(crate) struct EthtoolNetlink {
    netlink: NetlinkSocket,
    family: u16,
}

impl EthtoolNetlink {
    pub(crate) fn open() -> Result<EthtoolNetlink, HostError> {
        let mut netlink = NetlinkSocket::open(NETLINK_GENERIC)?;
        // CTRL_CMD_GETFAMILY with CTRL_ATTR_FAMILY_NAME, to GENL_ID_CTRL.
        let mut body = vec![3, 1, 0, 0];
        body.extend(encode_attribute(2, b"ethtool\0"));
        let answer = netlink.request("the kernel's ethtool", 16, NLM_F_REQUEST, &body)?;
        let family = answer.first().and_then(|payload| family(payload));
        let family = family.ok_or(HostError::NotAvailable { what: "the kernel's ethtool" })?;
        Ok(EthtoolNetlink { netlink, family })
    }

    fn ask(&mut self, call: &'static str, command: u8, index: u32, flags: u32) -> Result<Vec<u8>, HostError> {
        let answer =
            self.netlink.request(call, self.family, NLM_F_REQUEST, &question(command, index, flags))?;
        Ok(answer.first().and_then(|payload| payload.get(4..)).unwrap_or(&[]).to_vec())
    }

    pub(crate) fn send_set_request(
        &mut self,
        call: &'static str,
        command: u8,
        index: u32,
        attributes: &[u8],
    ) -> Result<(), HostError> {
        let body = [question(command, index, NO_REPLY), attributes.to_vec()].concat();
        self.netlink.request(call, self.family, ACKNOWLEDGED_REQUEST_FLAGS, &body).map(drop)
    }

    /// Features by state: changeable, requested, active, fixed.
    pub(crate) fn features_by_state(&mut self, index: u32) -> Result<FeaturesByState, HostError> {
        Ok(feature_sets(&self.ask("ethtool features", FEATURES, index, 0)?))
    }

    pub(crate) fn link_mode(&mut self, index: u32) -> Result<LinkMode, HostError> {
        Ok(link_mode(&self.ask("ethtool link modes", LINKMODES, index, 0)?))
    }

    pub(crate) fn read_feature_states(&mut self, index: u32) -> Result<BTreeMap<String, String>, HostError> {
        Ok(features(&self.ask("ethtool features", FEATURES, index, 0)?))
    }

    pub(crate) fn read_parameter_group(
        &mut self,
        group: EthtoolParameterGroup,
        index: u32,
    ) -> Result<BTreeMap<String, u64>, HostError> {
        let (call, command, names) = group.query();
        Ok(numbers(&self.ask(call, command, index, 0)?, names))
    }

    pub(crate) fn read_pause_settings(&mut self, index: u32) -> Result<PauseFrameSettings, HostError> {
        Ok(pause(&self.ask("ethtool pause", PAUSE, index, 0)?))
    }

    /// Empty where the driver does not count them.
    pub(crate) fn pause_statistics(&mut self, index: u32) -> Result<BTreeMap<String, u64>, HostError> {
        let reply = self.ask("ethtool pause", PAUSE, index, WITH_STATISTICS)?;
        Ok(numbers(find_attribute(&reply, 5).unwrap_or_default(), PAUSE_STATISTICS))
    }
}

/// The header is nested attribute 1 of every request.
fn question(command: u8, index: u32, flags: u32) -> Vec<u8> {
    let mut header = encode_attribute(1, &index.to_ne_bytes());
    if flags != 0 {
        header.extend(encode_attribute(3, &flags.to_ne_bytes()));
    }
    [vec![command, 1, 0, 0], encode_nested_attribute(1, &header)].concat()
}

pub(crate) fn encode_nested_attribute(kind: u16, body: &[u8]) -> Vec<u8> {
    const NESTED: u16 = 0x8000;
    encode_attribute(kind | NESTED, body)
}

/// CTRL_ATTR_FAMILY_ID.
pub(crate) fn family(payload: &[u8]) -> Option<u16> {
    parse_integer(find_attribute(payload.get(4..)?, 1)?)
}

fn numbers(reply: &[u8], names: Names) -> BTreeMap<String, u64> {
    let name = |kind| names.iter().find(|(k, _)| *k == kind).map(|(_, name)| name.to_string());
    parse_attributes(reply).filter_map(|(kind, value)| Some((name(kind)?, parse_integer(value)?))).collect()
}

/// Names of set bits in a verbose bit set. With ETHTOOL_A_BITSET_NOMASK all listed bits are set; otherwise
/// the list is the mask, and set bits have a flag.
fn set_bits(bitset: &[u8]) -> BTreeSet<String> {
    let plain = find_attribute(bitset, 1).is_some();
    parse_attributes(find_attribute(bitset, 3).unwrap_or_default())
        .filter(|(_, bit)| plain || find_attribute(bit, 3).is_some())
        .filter_map(|(_, bit)| find_attribute(bit, 2).map(parse_string))
        .filter(|name| !name.is_empty())
        .collect()
}

/// Speed -1 and duplex 255 mean unknown.
pub(crate) fn link_mode(reply: &[u8]) -> LinkMode {
    let mut mode = LinkMode::default();
    for (kind, value) in parse_attributes(reply) {
        match kind {
            2 => mode.autonegotiation = parse_integer(value).map(|n: u64| n == 1),
            3 => mode.asked = set_bits(value).into_iter().collect(),
            4 => mode.partner = set_bits(value).into_iter().collect(),
            5 => mode.speed_mbps = parse_integer(value).filter(|n: &u32| *n != 0 && *n != u32::MAX),
            6 => {
                mode.duplex = match parse_integer::<u64>(value) {
                    Some(0) => Some("half".into()),
                    Some(1) => Some("full".into()),
                    _ => None,
                }
            }
            9 => mode.lanes = parse_integer(value).filter(|n: &u32| *n > 0),
            _ => {}
        }
    }
    mode
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct FeaturesByState {
    pub changeable: BTreeSet<String>,
    pub asked: BTreeSet<String>,
    pub active: BTreeSet<String>,
    pub fixed: BTreeSet<String>,
}

fn feature_sets(reply: &[u8]) -> FeaturesByState {
    let set = |wanted: u16| find_attribute(reply, wanted).map(set_bits).unwrap_or_default();
    FeaturesByState { changeable: set(2), asked: set(3), active: set(4), fixed: set(5) }
}

/// One word for each feature that is on, changeable, or requested without effect.
pub(crate) fn features(reply: &[u8]) -> BTreeMap<String, String> {
    let FeaturesByState { changeable, asked, active, fixed } = feature_sets(reply);
    let all: BTreeSet<&String> = changeable.iter().chain(&asked).chain(&active).collect();
    all.into_iter()
        .map(|name| {
            let is = |set: &BTreeSet<String>| set.contains(name);
            let word = match (is(&active), is(&asked), is(&changeable) && !is(&fixed)) {
                (true, false, true) => "on (off asked)",
                (true, _, true) => "on",
                (true, _, false) => "on (fixed)",
                (false, true, _) => "off (on asked)",
                (false, false, _) => "off",
            };
            (name.clone(), word.to_string())
        })
        .collect()
}

pub(crate) fn pause(reply: &[u8]) -> PauseFrameSettings {
    let is = |wanted: u16| find_attribute(reply, wanted).and_then(parse_integer::<u64>) == Some(1);
    PauseFrameSettings { autonegotiation: is(2), receive: is(3), transmit: is(4) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlink::stored;
    use proptest::prelude::*;

    macro_rules! captured {
        ($file:literal) => {
            &stored(include_bytes!(concat!("../../../fixtures/host/firecracker-2cpu-6.18/", $file)))[0]
        };
    }

    #[test]
    fn a_captured_machine_has_these_settings() {
        assert_eq!(family(captured!("genl-family-ethtool.bin")), Some(21));
        // A virtual adapter knows no speed.
        let mode = link_mode(&captured!("ethtool-linkmodes-eth0.bin")[4..]);
        let known = (mode.autonegotiation, mode.speed_mbps, mode.duplex, mode.lanes);
        assert_eq!((known, mode.asked.len()), ((Some(false), None, None, None), 0));
        let eth0 = features(&captured!("ethtool-features-eth0.bin")[4..]);
        assert!(eth0["rx-gro"] == "on" && eth0["tx-tcp-segmentation"].starts_with("on"), "{eth0:?}");
        let lo = features(&captured!("ethtool-features-lo.bin")[4..]);
        assert!(lo["loopback"] == "on (fixed)" && !lo.contains_key(""), "{lo:?}");
        let rings = numbers(&captured!("ethtool-rings-eth0.bin")[4..], RING_NAMES);
        assert_eq!((rings["receive"], rings["transmit_largest"]), (256, 256));
        let channels = numbers(&captured!("ethtool-channels-eth0.bin")[4..], CHANNEL_NAMES);
        assert_eq!((channels["combined"], channels["combined_largest"]), (1, 1));
        let coalesce = numbers(&captured!("ethtool-coalesce-eth0.bin")[4..], COALESCE_NAMES);
        assert_eq!((coalesce["receive_us"], coalesce["receive_frames"]), (0, 1));
    }

    #[test]
    fn a_link_that_was_negotiated_and_its_flow_control() {
        // ETHTOOL_A_LINKMODES: autoneg, ours with two modes of which one is advertised, speed, duplex, lanes.
        let number = |kind, value: u32| encode_attribute(kind, &value.to_ne_bytes());
        let bit = |n, name: &[u8], set: &[u8]| {
            encode_attribute(1, &[&number(1, n)[..], &encode_attribute(2, name), set].concat())
        };
        let advertised = encode_attribute(3, &[]);
        let modes = [bit(3, b"100baseT/Full\0", &[]), bit(5, b"1000baseT/Full\0", &advertised)].concat();
        let ours = encode_attribute(3, &[number(2, 121), encode_attribute(3, &modes)].concat());
        let reply =
            [encode_attribute(2, &[1]), ours, number(5, 1000), encode_attribute(6, &[1]), number(9, 4)];
        let mode = link_mode(&reply.concat());
        assert_eq!((mode.autonegotiation, mode.speed_mbps, mode.lanes), (Some(true), Some(1000), Some(4)));
        assert_eq!((mode.duplex.as_deref(), mode.asked), (Some("full"), vec!["1000baseT/Full".to_string()]));

        let reply =
            [encode_attribute(2, &[1]), encode_attribute(3, &[0]), encode_attribute(4, &[1])].concat();
        let settings = PauseFrameSettings { autonegotiation: true, receive: false, transmit: true };
        assert_eq!(pause(&reply), settings);
        let statistics = encode_attribute(2, &7u64.to_ne_bytes());
        assert_eq!(numbers(&statistics, PAUSE_STATISTICS)["pause_tx_frames"], 7);
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = (link_mode(&bytes), features(&bytes), numbers(&bytes, RING_NAMES), pause(&bytes));
            let _ = (family(&bytes), set_bits(&bytes));
        }
    }
}
