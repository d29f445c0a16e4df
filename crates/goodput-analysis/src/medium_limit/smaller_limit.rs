//! The smaller of two limits: the medium between two hosts, and a bus inside one.

use crate::ungrouped_arg;
use goodput_model::Message;
use goodput_model::summary::TheoreticalGoodputLimit;
use goodput_model::trial::HostBus;
use goodput_words::message;

/// `ways` is the number of directions that carry data at once. The bus counts with its peak and no headers:
/// an upper bound.
pub(super) fn smaller_of_medium_and_bus(
    medium: TheoreticalGoodputLimit,
    bus: &HostBus,
    ways: u64,
) -> TheoreticalGoodputLimit {
    let shared = bus.shared && ways > 1;
    let own = if shared { bus.rate.0 } else { bus.rate.0.saturating_mul(ways.max(1)) };
    let rate = ungrouped_arg(bus.rate.0 as f64 / 8e6, 1, "MB/s");
    let peak = match (ways > 1, bus.shared) {
        (true, true) => message!(part_peak_shared { rate }),
        (true, false) => message!(part_peak_each_way { rate }),
        (false, _) => message!(part_peak { rate }),
    };
    let named = TheoreticalGoodputLimit { bus: Some(bus.name.clone()), ..medium };
    let bound = |named: TheoreticalGoodputLimit, reason: Message| TheoreticalGoodputLimit {
        goodput_bps: Some(own),
        bounded_by: Some(bus.name.clone()),
        shared: bus.shared,
        reason,
        ..named
    };
    match (named.goodput_bps, &named.medium) {
        (Some(limit), Some(name)) if limit <= own => TheoreticalGoodputLimit {
            reason: message!(part_limit_bus_allows_more { share: named.reason, bus: &bus.name, peak }),
            bounded_by: Some(name.clone()),
            ..named
        },
        (Some(limit), Some(name)) => {
            let rate = ungrouped_arg(limit as f64 / 1e6, 2, "Mbit/s");
            let reason = message!(part_limit_medium_allows_more { peak, medium: name, rate });
            bound(named, reason)
        }
        _ => {
            let reason = message!(part_limit_of_the_medium_why { peak, why: named.reason.clone() });
            bound(named, reason)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::BitRate;

    fn gigabit(ways: u64) -> TheoreticalGoodputLimit {
        TheoreticalGoodputLimit {
            goodput_bps: Some(941_482_444 * ways),
            medium: Some("1000base-t".into()),
            reason: "1448 of 1538 bytes on the wire are user data".into(),
            ..TheoreticalGoodputLimit::default()
        }
    }

    fn bus(name: &str, bytes: u64, shared: bool) -> HostBus {
        HostBus { name: name.into(), rate: BitRate(bytes * 8), shared }
    }

    #[test]
    fn the_smaller_is_the_limit_and_is_named() {
        let pci = bus("pci-32-33", 133_200_000, true);
        let one = smaller_of_medium_and_bus(gigabit(1), &pci, 1);
        assert_eq!((one.goodput_bps, one.limiting_medium_or_bus()), (Some(941_482_444), Some("1000base-t")));
        assert!(one.reason.ends_with("; the bus pci-32-33 allows more: 133.2 MB/s peak rate"));
        // Both directions of full duplex exceed the bus.
        let both = smaller_of_medium_and_bus(gigabit(2), &pci, 2);
        assert_eq!(
            (both.goodput_bps, both.limiting_medium_or_bus()),
            (Some(1_065_600_000), Some("pci-32-33"))
        );
        assert_eq!((both.shared, both.goodput_per_direction(2)), (true, Some(1_065_600_000)));
        let told = "133.2 MB/s peak rate, shared by both directions; 1000base-t allows more: 1882.96 Mbit/s";
        assert_eq!(both.reason, told);
        let lane = smaller_of_medium_and_bus(gigabit(2), &bus("pcie1", 250_000_000, false), 2);
        assert_eq!(
            (lane.goodput_bps, lane.limiting_medium_or_bus()),
            (Some(1_882_964_888), Some("1000base-t"))
        );
    }

    #[test]
    fn a_bus_alone_is_a_limit_too() {
        let reason = "no physical medium is known between these hosts".into();
        let unknown = TheoreticalGoodputLimit { reason, ..TheoreticalGoodputLimit::default() };
        let limit = smaller_of_medium_and_bus(unknown, &bus("usb2", 53_248_000, true), 1);
        assert_eq!((limit.goodput_bps, limit.limiting_medium_or_bus()), (Some(425_984_000), Some("usb2")));
        assert_eq!(limit.medium, None);
        let told = "53.2 MB/s peak rate; limit of the medium: no physical medium";
        assert!(limit.reason.starts_with(told), "{}", limit.reason);
    }
}
