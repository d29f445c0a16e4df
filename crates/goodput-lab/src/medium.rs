//! Named media of lab links, from the catalogue of `goodput-analysis`, so emulation and limits agree.

use goodput_analysis::medium_limit::atm;
use goodput_analysis::medium_limit::medium_catalog::{self, DuplexSupport, MediumKind, MediumSpec};
use goodput_analysis::medium_limit::{Framing, MediumLimitError};
use goodput_model::BitRate;
use goodput_words::{ErrorMessage, Message, error_messages, message};
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Wire bytes unseen by the shaper: FCS 4, preamble 8, gap 12 (IEEE 802.3). It sees the header's 14 bytes.
pub const ETHERNET_OVERHEAD_BYTES: u16 = 24;
/// Which the shaper counts.
const ETHERNET_HEADER: u64 = 14;
/// ITU-T I.363.5.
const TRAILER: u64 = 8;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedMedium {
    /// In the catalogue: `10base-t`.
    pub name: String,
    pub line: LinkLayerParameters,
    pub half_duplex: bool,
    /// Default MTU.
    pub mtu: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkLayerParameters {
    /// Bits a second, of frames or of cells.
    pub rate: BitRate,
    /// Beside the frame with its header and without its FCS.
    pub overhead: u16,
    /// True for ATM: cells of 48 bytes, each 53 on the line.
    pub cells: bool,
}

/// Also of a bus.
#[derive(Debug, Clone, PartialEq)]
pub struct ParseMediumError {
    pub why: Message,
    pub hint: Message,
}

error_messages! { ParseMediumError { ParseMediumError { why, .. } => why } }

impl LinkLayerParameters {
    pub fn ethernet(rate: BitRate) -> LinkLayerParameters {
        LinkLayerParameters { rate, overhead: ETHERNET_OVERHEAD_BYTES, cells: false }
    }

    /// The usual name of the rate: that of an ATM line includes cell overhead.
    pub fn nominal_rate(&self) -> BitRate {
        if self.cells { atm::LINE_RATE } else { self.rate }
    }
}

/// `None` where a frame has less overhead than its Ethernet header, which the shaper always counts.
fn line(rate: BitRate, framing: Framing) -> Option<LinkLayerParameters> {
    match framing {
        Framing::Ethernet { .. } => Some(LinkLayerParameters::ethernet(rate)),
        Framing::Aal5(encapsulation) => {
            let header = encapsulation.header_bytes();
            let overhead = (header + TRAILER).checked_sub(ETHERNET_HEADER)?;
            Some(LinkLayerParameters { rate, overhead: u16::try_from(overhead).ok()?, cells: true })
        }
        Framing::Serial { .. } => None,
    }
}

impl FromStr for NamedMedium {
    type Err = ParseMediumError;
    fn from_str(typed: &str) -> Result<NamedMedium, ParseMediumError> {
        let (name, duplex) = match typed.split_once(':') {
            None => (typed, None),
            Some((name, said)) => match said.trim().to_ascii_lowercase().as_str() {
                "half" => (name, Some(true)),
                "full" => (name, Some(false)),
                other => {
                    return Err(ParseMediumError {
                        why: message!(cause_lab_medium_suffix { typed: format!("{other:?}") }),
                        hint: message!(hint_lab_medium_duplex { medium: name }),
                    });
                }
            },
        };
        let entry = medium_catalog::find_medium(name).ok_or_else(|| unknown(name))?;
        let MediumKind::Network { framing, .. } = entry.kind else { return Err(unknown(name)) };
        let refused = |e: MediumLimitError| ParseMediumError {
            why: e.message(),
            hint: message!(hint_lab_type { medium: name }),
        };
        let link = entry.to_link(None, 0, duplex).map_err(refused)?;
        let line = line(link.rate, framing).ok_or_else(|| ParseMediumError {
            why: message!(cause_lab_medium_without_ethernet { medium: entry.name }),
            hint: message!(hint_lab_medium_names { names: names() }),
        })?;
        Ok(NamedMedium { name: entry.name.to_string(), line, half_duplex: link.half_duplex, mtu: link.mtu })
    }
}

impl NamedMedium {
    pub fn describe(&self) -> String {
        let usual = medium_catalog::find_medium(&self.name).map(|e| e.kind);
        match usual {
            Some(MediumKind::Network { duplex, .. }) if duplex != DuplexSupport::Full => {
                format!("{} {} duplex", self.name, if self.half_duplex { "half" } else { "full" })
            }
            _ => self.name.clone(),
        }
    }

    pub fn max_mtu(&self) -> u32 {
        match medium_catalog::find_medium(&self.name).map(|e| e.kind) {
            Some(MediumKind::Network { max_mtu, .. }) => max_mtu,
            _ => self.mtu,
        }
    }
}

fn names() -> Vec<&'static str> {
    let can = |entry: &&MediumSpec| match entry.kind {
        MediumKind::Network { rate, framing, .. } => line(rate, framing).is_some(),
        MediumKind::Bus(_) => false,
    };
    medium_catalog::KNOWN_MEDIA.iter().filter(can).map(|entry| entry.name).collect()
}

fn unknown(name: &str) -> ParseMediumError {
    let can = names();
    let near = medium_catalog::similar_medium_names(name).into_iter().filter(|n| can.contains(n));
    let near = near.map(Message::from).reduce(|more, last| message!(clause_list_or { more, last }));
    ParseMediumError {
        why: message!(cause_lab_no_medium { typed: format!("{name:?}") }),
        hint: match near {
            Some(names) => message!(hint_lab_medium_near { names }),
            None => message!(hint_lab_medium_names { names: can }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_analysis::medium_limit::atm::Encapsulation::{LaneV1, LlcSnap};

    /// psched_l2t_ns in include/net/sch_generic.h.
    fn shaped(line: LinkLayerParameters, packet: u64) -> u64 {
        let counted = packet + ETHERNET_HEADER + u64::from(line.overhead);
        if line.cells { counted.div_ceil(48) * 53 } else { counted }
    }

    fn medium(typed: &str) -> NamedMedium {
        typed.parse().unwrap()
    }

    #[test]
    fn names_are_those_of_the_limits() {
        let hub = medium("10BASE-T");
        assert_eq!((hub.name.as_str(), hub.half_duplex, hub.line.rate.0), ("10base-t", true, 10_000_000));
        assert!(!medium("10base-t:full").half_duplex);
        assert_eq!(medium("100base-tx:half").describe(), "100base-tx half duplex");
        let (clip, lane) = (medium("atm155-ipoa"), medium("atm155-lane"));
        assert_eq!((&*clip.name, clip.mtu, lane.mtu), ("atm155-clip", 9180, 1500));
        assert_eq!((&*lane.describe(), lane.line.nominal_rate()), ("atm155-lane", BitRate(155_520_000)));
        let refused = |typed: &str| typed.parse::<NamedMedium>().unwrap_err();
        assert!(refused("1000base-t:half").why.contains("no half duplex"));
        assert!(refused("1000base-tx").hint.contains("1000base-t"));
        assert!(refused("pci-32-33").why.contains("no medium that joins hosts"));
        assert!(refused("atm155-vcmux").why.contains("cannot be imitated"));
        assert!(refused("10base-t:1500").hint.contains("10base-t:half"));
    }

    #[test]
    fn the_shaper_counts_what_the_limits_count() {
        for (name, encapsulation) in [("atm155-lane", LaneV1), ("atm155-ipoa", LlcSnap)] {
            let medium = medium(name);
            assert_eq!(medium.line.rate, atm::CELL_RATE);
            for packet in 28..=u64::from(medium.max_mtu().min(20_000)) {
                assert_eq!(shaped(medium.line, packet), atm::wire_bytes(packet, encapsulation), "{packet}");
            }
        }
        let fast = medium("100base-tx");
        // The shaper ignores the minimum frame of 64 bytes.
        for packet in 46..=1500 {
            let wire = goodput_analysis::medium_limit::ethernet::wire_bytes(packet, 0);
            assert_eq!(shaped(fast.line, packet), wire);
        }
    }
}
