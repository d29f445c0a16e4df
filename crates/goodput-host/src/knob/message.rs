//! Netlink messages for setting knobs, and for values that the inventory omits. Numbers are those of
//! linux/if_link.h and linux/ethtool_netlink.h; see rtnetlink(7) and the kernel's
//! `Documentation/networking/ethtool-netlink.rst`.

use super::DriverTable;
use crate::HostError;
use crate::ethtool::{ACKNOWLEDGED_REQUEST_FLAGS, EthtoolNetlink, encode_nested_attribute};
use crate::netlink::{NetlinkSocket, encode_attribute};
use std::collections::BTreeMap;

const RTM_SETLINK: u16 = 19;
pub(super) const IFLA_MTU: u16 = 4;
pub(super) const IFLA_TXQLEN: u16 = 13;

pub(super) fn set_link_attribute(
    netlink: &mut NetlinkSocket,
    index: u32,
    field: u16,
    value: u32,
) -> Result<(), HostError> {
    netlink
        .request("RTM_SETLINK", RTM_SETLINK, ACKNOWLEDGED_REQUEST_FLAGS, &link_body(index, field, value))
        .map(drop)
}

/// `struct ifinfomsg` with flag mask 0, and one attribute.
fn link_body(index: u32, field: u16, value: u32) -> Vec<u8> {
    let mut body = vec![0; 4];
    body.extend(index.to_ne_bytes());
    body.extend([0; 8]);
    body.extend(encode_attribute(field, &value.to_ne_bytes()));
    body
}

/// Other features stay as they are. The kernel silently ignores unsupported ones.
pub(super) fn set_interface_features(
    ethtool: &mut EthtoolNetlink,
    index: u32,
    wanted: &BTreeMap<String, bool>,
) -> Result<(), HostError> {
    const FEATURES_SET: u8 = 12;
    const WANTED: u16 = 3;
    let wanted = encode_nested_attribute(WANTED, &bits(wanted));
    ethtool.send_set_request("setting of features", FEATURES_SET, index, &wanted)
}

/// A bit set by names (ETHTOOL_A_BITSET_BITS); set bits have a flag.
fn bits(wanted: &BTreeMap<String, bool>) -> Vec<u8> {
    const BITS: u16 = 3;
    const BIT: u16 = 1;
    const NAME: u16 = 2;
    const ON: u16 = 3;
    let bit = |(name, on): (&String, &bool)| {
        let mut bit = encode_attribute(NAME, &[name.as_bytes(), b"\0"].concat());
        if *on {
            bit.extend(encode_attribute(ON, &[]));
        }
        encode_nested_attribute(BIT, &bit)
    };
    encode_nested_attribute(BITS, &wanted.iter().flat_map(bit).collect::<Vec<u8>>())
}

pub(super) fn set_driver_parameter(
    ethtool: &mut EthtoolNetlink,
    table: DriverTable,
    index: u32,
    field: &str,
    value: u32,
) -> Result<(), HostError> {
    let place = table.find_set_command_and_attribute(field);
    let (command, number) = place.ok_or(HostError::NotAvailable { what: "this field" })?;
    // Switches are one byte, numbers four.
    let value = if field.starts_with("adaptive") { vec![value as u8] } else { value.to_ne_bytes().to_vec() };
    ethtool.send_set_request("setting of the driver", command, index, &encode_attribute(number, &value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::knob::{KNOB_SPECS, KnobMechanism};
    use crate::netlink::{parse_attributes, parse_integer, parse_string};

    #[test]
    fn a_link_message_changes_one_number() {
        let body = link_body(7, IFLA_MTU, 9000);
        assert_eq!(body.len(), 16 + 8);
        assert_eq!((&body[4..8], &body[8..16]), (&7u32.to_ne_bytes()[..], &[0u8; 8][..]));
        let all: Vec<_> = parse_attributes(&body[16..]).map(|(kind, v)| (kind, parse_integer(v))).collect();
        assert_eq!(all, [(IFLA_MTU, Some(9000))]);
    }

    #[test]
    fn features_are_named_and_flagged() {
        let wanted = BTreeMap::from([("rx-gro".to_string(), true), ("rx-lro".to_string(), false)]);
        let set = bits(&wanted);
        let list = parse_attributes(&set).next().unwrap().1.to_vec();
        let name = |bit: &[u8]| parse_attributes(bit).find(|(k, _)| *k == 2).map(|(_, v)| parse_string(v));
        let read: Vec<(Option<String>, bool)> = parse_attributes(&list)
            .map(|(_, bit)| (name(bit), parse_attributes(bit).any(|(k, _)| k == 3)))
            .collect();
        assert_eq!(read, [(Some("rx-gro".into()), true), (Some("rx-lro".into()), false)]);
    }

    #[test]
    fn every_number_of_a_driver_has_its_place() {
        for entry in KNOB_SPECS {
            if let KnobMechanism::Driver(table, field) = entry.way {
                assert!(table.find_set_command_and_attribute(field).is_some(), "{}", entry.name);
            }
        }
        assert_eq!(DriverTable::Rings.find_set_command_and_attribute("receive"), Some((16, 6)));
        assert_eq!(DriverTable::Channels.find_set_command_and_attribute("combined"), Some((18, 9)));
        assert_eq!(
            DriverTable::Coalescing.find_set_command_and_attribute("adaptive_receive"),
            Some((20, 11))
        );
    }
}
