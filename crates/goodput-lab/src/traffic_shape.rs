//! The token bucket of a rated link: its parameters, the `tc` command, and what was obtained (`token_bucket.rs`).

use crate::medium::LinkLayerParameters;
use goodput_model::{BitRate, Bytes, Nanos, Setting};
use serde::{Deserialize, Serialize};

/// tc-tbf(8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrafficShape {
    pub rate: BitRate,
    /// Added to every frame's own length.
    pub overhead: Bytes,
    /// True for the ATM link layer: cells of 53 bytes for each 48 of a frame.
    #[serde(default)]
    pub cells: bool,
    pub burst: Bytes,
    /// A frame that would wait longer is dropped.
    pub latency: Nanos,
}

/// Off where packets have a cost, and on a rated link: frames seen as one would count the overhead once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffloadSettings {
    pub tso: bool,
    pub gso: bool,
    pub gro: bool,
    /// Off for relayed frames: a relay computes no checksums.
    #[serde(default)]
    pub checksum: bool,
}

impl OffloadSettings {
    pub const ALL_OFF: OffloadSettings =
        OffloadSettings { tso: false, gso: false, gro: false, checksum: false };
    pub const CHECKSUM_ONLY: OffloadSettings = OffloadSettings { checksum: true, ..OffloadSettings::ALL_OFF };
}

/// Requested and obtained settings of one end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VethEndState {
    /// `None` for a port of the link's bridge.
    pub host: Option<crate::lab_name::LabOrHostName>,
    pub interface: String,
    pub mtu: Setting<u32>,
    pub offloads: Setting<OffloadSettings>,
    /// Of outgoing frames.
    pub shape: Setting<TrafficShape>,
}

impl TrafficShape {
    /// `None` for an unshaped link.
    pub fn from_link_layer(line: Option<LinkLayerParameters>, mtu: u32) -> Option<TrafficShape> {
        line.map(|LinkLayerParameters { rate, overhead, cells }| TrafficShape {
            rate,
            overhead: Bytes(overhead.into()),
            cells,
            burst: burst(rate, mtu),
            latency: latency(rate),
        })
    }

    /// One line for `tc -batch`.
    pub(crate) fn tc_command(&self, interface: &str) -> String {
        let cells = if self.cells { " linklayer atm" } else { "" };
        format!(
            "qdisc add dev {interface} root tbf rate {}bit burst {} latency {}us overhead {}{cells}\n",
            self.rate.0,
            self.burst.0,
            self.latency.0 / 1_000,
            self.overhead.0
        )
    }
}

/// Two frames at 100 Mbit/s and below, 60,000 bytes at 1 Gbit/s, linear between and proportional beyond.
/// Measured at 1 Gbit/s: 3,000 bytes lose a sixth of the rate to the timer, 15,000 a thousandth; 200,000
/// exceed the theory by 1.5 %. TCP combines segments even without offloads (since Linux 4.17); the shaper
/// splits units longer than the burst, but counts the overhead of shorter ones once. Single segments
/// (`gso_max_segs 1`) or a peak rate would avoid that, and halve what two cores move at 1 Gbit/s.
fn burst(rate: BitRate, mtu: u32) -> Bytes {
    const LOW: u64 = 100_000_000;
    const HIGH: u64 = 1_000_000_000;
    const AT_LOW: u64 = 3_100;
    const AT_HIGH: u64 = 60_000;
    // 50 bytes are the frame's 38 and room for a tag.
    let two_frames = 2 * (u64::from(mtu) + 50);
    let by_rate = match rate.0 {
        r if r <= LOW => 0,
        r if r <= HIGH => AT_LOW + (r - LOW) / 1_000 * (AT_HIGH - AT_LOW) / ((HIGH - LOW) / 1_000),
        r => r / 1_000 * AT_HIGH / (HIGH / 1_000),
    };
    Bytes(two_frames.max(by_rate))
}

/// 50 ms, 20 ms from 1 Gbit/s on; at least ten frames, or a slow link would drop all bursts.
fn latency(rate: BitRate) -> Nanos {
    const TEN_FRAMES_BITS: u64 = 10 * 1_538 * 8;
    let usual: u64 = if rate.0 >= 1_000_000_000 { 20_000_000 } else { 50_000_000 };
    let ten_frames = TEN_FRAMES_BITS.saturating_mul(1_000_000_000) / rate.0.max(1);
    Nanos(usual.max(ten_frames))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::str::FromStr;

    fn shape(rate: u64, mtu: u32) -> TrafficShape {
        TrafficShape::from_link_layer(Some(LinkLayerParameters::ethernet(BitRate(rate))), mtu).unwrap()
    }

    #[test]
    fn the_burst_is_that_of_the_measured_points_and_grows_with_the_rate() {
        let measured = |rate| (shape(rate, 1500).burst, shape(rate, 1500).latency);
        assert_eq!(measured(100_000_000), (Bytes(3_100), Nanos(50_000_000)));
        assert_eq!(measured(1_000_000_000), (Bytes(60_000), Nanos(20_000_000)));
        // A slow link still queues ten frames.
        assert_eq!(shape(64_000, 1500).latency, Nanos(1_922_500_000));
        assert_eq!(TrafficShape::from_link_layer(None, 1500), None);
        let rates = [64_000, 10_000_000, 100_000_001, 1_000_000_001, 10_000_000_000, 400_000_000_000];
        let bursts = rates.map(|rate| shape(rate, 1500).burst.0);
        assert!(bursts.is_sorted(), "{bursts:?}");
        assert_eq!(shape(10_000_000_000, 1500).burst, Bytes(600_000));
        assert_eq!(shape(10_000_000, 9000).burst, Bytes(18_100));
        assert!(bursts.iter().all(|b| *b <= u64::from(u32::MAX)));
    }

    #[test]
    fn the_order_is_in_units_that_have_one_reading() {
        let order = shape(100_000_000, 1500).tc_command("eth0");
        let ethernet =
            "qdisc add dev eth0 root tbf rate 100000000bit burst 3100 latency 50000us overhead 24\n";
        assert_eq!(order, ethernet);
        // Cells are counted by the link layer of ATM.
        let lane = crate::medium::NamedMedium::from_str("atm155-lane").unwrap();
        let order = TrafficShape::from_link_layer(Some(lane.line), 1500).unwrap().tc_command("eth0");
        assert!(order.starts_with("qdisc add dev eth0 root tbf rate 149760000bit burst "), "{order}");
        assert!(order.ends_with(" overhead 10 linklayer atm\n"), "{order}");
    }
}
