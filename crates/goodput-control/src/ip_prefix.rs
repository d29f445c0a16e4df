//! IP prefixes: `10.0.0.0/24`, `fd00::/8`, or a single address.

use goodput_host::network_address;
use goodput_words::{Message, error_messages, message};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IpPrefix {
    base: IpAddr,
    bits: u8,
}

#[derive(Debug, Clone, PartialEq)]
pub struct IpPrefixError {
    pub typed: String,
    pub why: Message,
}

error_messages! {
    IpPrefixError {
        IpPrefixError { typed, why } => message!(error_no_address_range { typed: format!("{typed:?}"), why }),
    }
}

impl IpPrefix {
    /// IPv4-mapped IPv6 addresses match IPv4 prefixes.
    pub fn contains(&self, address: IpAddr) -> bool {
        network_address(address.to_canonical(), self.bits) == Some(self.base)
            && address.to_canonical().is_ipv4() == self.base.is_ipv4()
    }
}

impl FromStr for IpPrefix {
    type Err = IpPrefixError;

    fn from_str(typed: &str) -> Result<IpPrefix, IpPrefixError> {
        let wrong = |why: Message| IpPrefixError { typed: typed.to_string(), why };
        let (address, bits) = typed.split_once('/').map_or((typed, None), |(a, b)| (a, Some(b)));
        if address.contains('%') {
            return Err(wrong("write it without the zone after %: a rule applies to every interface".into()));
        }
        let address: IpAddr = address
            .parse()
            .map_err(|_| wrong("write an address, or one with a length: 10.0.0.0/24, fd00::/8".into()))?;
        let most = if address.is_ipv4() { 32 } else { 128 };
        let bits = match bits {
            None => most,
            Some(bits) => bits
                .parse()
                .ok()
                .filter(|b| *b <= most)
                .ok_or_else(|| wrong(message!(part_address_range_length { most: u32::from(most) })))?,
        };
        match network_address(address, bits) {
            Some(base) if base == address => Ok(match base.to_canonical() {
                // As IPv4: `contains` compares with the IPv4 form. Such a prefix has at least 96 bits.
                v4 @ IpAddr::V4(_) if base.is_ipv6() => IpPrefix { base: v4, bits: bits.saturating_sub(96) },
                _ => IpPrefix { base, bits },
            }),
            // Ambiguous: 10.0.0.7/24 may mean the host or the network.
            Some(base) => Err(wrong(message!(part_address_range_ambiguous {
                network: format!("{base}/{bits}"),
                host: address.to_string(),
            }))),
            None => Err(wrong(message!(part_address_range_length { most: u32::from(most) }))),
        }
    }
}

impl fmt::Display for IpPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let single = if self.base.is_ipv4() { 32 } else { 128 };
        if self.bits == single { self.base.fmt(f) } else { write!(f, "{}/{}", self.base, self.bits) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(range: &str, address: &str) -> bool {
        range.parse::<IpPrefix>().unwrap().contains(address.parse().unwrap())
    }

    #[test]
    fn ranges_of_both_families_and_what_is_none() {
        assert!(holds("10.0.0.0/24", "10.0.0.255") && !holds("10.0.0.0/24", "10.0.1.0"));
        assert!(holds("0.0.0.0/0", "255.255.255.255") && !holds("0.0.0.0/0", "::1"));
        assert!(holds("fd00::/8", "fdff::1") && !holds("fd00::/8", "fe80::1"));
        assert!(holds("::/0", "fe80::1") && !holds("::/0", "10.0.0.1"));
        assert!(holds("10.0.0.7", "10.0.0.7") && !holds("10.0.0.7", "10.0.0.8"));
        // As reported by a dual-stack socket.
        assert!(holds("10.0.0.0/8", "::ffff:10.1.2.3") && !holds("::/0", "::ffff:10.1.2.3"));
        assert!(holds("::ffff:10.0.0.0/104", "10.1.2.3") && holds("::ffff:10.0.0.0/104", "::ffff:10.1.2.3"));
        assert!(!holds("::ffff:10.0.0.0/104", "11.0.0.1") && !holds("::ffff:10.0.0.0/104", "::10.1.2.3"));
        assert!(holds("::ffff:10.0.0.7", "10.0.0.7") && !holds("::ffff:10.0.0.7", "10.0.0.8"));
        assert!(holds("::ffff:0:0/96", "192.0.2.1") && !holds("::ffff:0:0/96", "::1"));
        // Other forms that contain an IPv4 address are IPv6 addresses: 6to4, NAT64, IPv4-compatible.
        for inside in ["2002:a01:203::1", "64:ff9b::10.1.2.3", "::10.1.2.3", "::ffff:0:10.1.2.3"] {
            assert!(!holds("10.0.0.0/8", inside), "{inside}");
        }
        // Prefixes that end within a byte, within a group, and at both ends.
        assert!(holds("fe80::/10", "febf::1") && !holds("fe80::/10", "fec0::1"));
        assert!(holds("2001:db8::/33", "2001:db8:7fff::1") && !holds("2001:db8::/33", "2001:db8:8000::1"));
        assert!(holds("2001:db8::2/127", "2001:db8::3") && !holds("2001:db8::2/127", "2001:db8::4"));
        assert!(holds("2001:DB8:0::1", "2001:db8::1") && !holds("::1", "::"));
        let mapped: IpPrefix = "::ffff:10.0.0.0/104".parse().unwrap();
        assert_eq!((mapped.to_string(), mapped), ("10.0.0.0/8".to_string(), "10.0.0.0/8".parse().unwrap()));
        for text in ["10.0.0.0/24", "10.0.0.7", "fd00::/8", "::1", "0.0.0.0/0"] {
            assert_eq!(text.parse::<IpPrefix>().unwrap().to_string(), text);
        }

        let v4 = ["", "nas", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/24"];
        let v6 = ["::/129", "[::1]", "::1/", "fd00::/08x", "2001:db8::1/64", "::ffff:10.0.0.0/95", "1::2::3"];
        for bad in v4.into_iter().chain(v6) {
            assert!(bad.parse::<IpPrefix>().is_err(), "{bad}");
        }
        for zone in ["fe80::1%eth0", "fe80::1%2", "fe80::%eth0/64"] {
            assert!(zone.parse::<IpPrefix>().unwrap_err().why.contains("without the zone"), "{zone}");
        }
        let e = "10.0.0.7/24".parse::<IpPrefix>().unwrap_err();
        assert!(e.why.contains("10.0.0.0/24") && e.why.contains("10.0.0.7 for the host"), "{e}");
    }
}
