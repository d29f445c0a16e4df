//! Windows, delays and ratios of a TCP transfer by RFC 6349 (sections 3.2, 3.3 and 4).

use goodput_model::{BitRate, Bytes, Nanos};

pub fn bandwidth_delay_bits(rate: BitRate, round_trip: Nanos) -> f64 {
    rate.0 as f64 * round_trip.as_secs_f64()
}

pub fn window_to_fill_path(rate: BitRate, round_trip: Nanos) -> Bytes {
    let bits = u128::from(rate.0) * u128::from(round_trip.0);
    Bytes(u64::try_from(bits.div_ceil(8 * 1_000_000_000)).unwrap_or(u64::MAX))
}

/// One window a round trip. `None` when the round trip takes no time.
pub fn window_limited_rate(window: Bytes, round_trip: Nanos) -> Option<BitRate> {
    BitRate::from_bytes_and_time(window, round_trip)
}

/// Actual over ideal time; 1 is ideal. `None` when the ideal time is zero.
pub fn transfer_time_ratio(actual: Nanos, ideal: Nanos) -> Option<f64> {
    (ideal.0 > 0).then(|| actual.0 as f64 / ideal.0 as f64)
}

/// Bytes not retransmitted, of all bytes sent. `sent` includes `retransmitted`. `None` when nothing was sent.
pub fn efficiency_percent(sent: u64, retransmitted: u64) -> Option<f64> {
    (sent > 0).then(|| sent.saturating_sub(retransmitted) as f64 * 100.0 / sent as f64)
}

/// Increase of the mean round trip over the baseline. `None` without a baseline.
pub fn buffer_delay_percent(mean: Nanos, baseline: Nanos) -> Option<f64> {
    (baseline.0 > 0).then(|| (mean.0 as f64 - baseline.0 as f64) * 100.0 / baseline.0 as f64)
}

#[cfg(test)]
mod tests {
    use super::super::{IpVersion, TransportProtocol, medium_catalog};
    use super::*;

    const MS: u64 = 1_000_000;

    /// The RFC's own examples. Its kB are 1,000 bytes.
    #[test]
    fn the_examples_of_the_rfc() {
        assert_eq!(window_limited_rate(Bytes(16_000), Nanos(5 * MS)), Some(BitRate(25_600_000)));
        let t3 = BitRate(44_210_000);
        assert_eq!(format!("{:.3}", bandwidth_delay_bits(t3, Nanos(25 * MS)) / 1e6), "1.105");
        assert_eq!(window_to_fill_path(t3, Nanos(25 * MS)).0 / 1_000, 138);
        assert_eq!(transfer_time_ratio(Nanos(12_000 * MS), Nanos(8_000 * MS)), Some(1.5));
        // The RFC prints 98.03: 98.039 truncated.
        assert_eq!(efficiency_percent(102_000, 2_000).map(|e| (e * 100.0).floor() / 100.0), Some(98.03));
        assert_eq!(buffer_delay_percent(Nanos(32 * MS), Nanos(25 * MS)), Some(28.0));
    }

    /// Frames a second and TCP throughput of the RFC's links, without timestamps.
    #[test]
    fn frames_and_throughput_of_the_rfc() {
        for (name, frames, mbit) in [("t3", 3_664, "42.8"), ("100base-tx", 8_127, "94.9")] {
            let link = medium_catalog::find_medium(name).unwrap().to_link(None, 0, Some(false)).unwrap();
            let share = link
                .full_mtu_payload_share(IpVersion::V4, TransportProtocol::Tcp { timestamps: false })
                .unwrap();
            assert_eq!(share.packets_per_second(link.rate) as u64, frames, "{name}");
            let whole_frames = (frames * 8 * share.user_bytes) as f64 / 1e6;
            assert_eq!(format!("{whole_frames:.1}"), mbit, "{name}");
        }
    }

    #[test]
    fn nothing_divided_by_nothing() {
        assert_eq!(window_limited_rate(Bytes(1), Nanos(0)), None);
        assert_eq!(transfer_time_ratio(Nanos(1), Nanos(0)), None);
        assert_eq!(efficiency_percent(0, 0), None);
        assert_eq!(buffer_delay_percent(Nanos(1), Nanos(0)), None);
        assert_eq!(window_to_fill_path(BitRate(u64::MAX), Nanos(u64::MAX)), Bytes(u64::MAX));
    }
}
