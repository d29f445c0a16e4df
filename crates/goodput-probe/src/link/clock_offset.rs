//! The offset between the monotonic clocks of two hosts, from exchanges of their readings. Pure.

/// Exchanges after which the error is compared.
const GROUP: usize = 16;
/// No group begins later.
const MAX_TIME_NS: u64 = 1_000_000_000;
/// The kernel slews each of the two clocks by at most 500 ppm (adjtimex(2)).
const MAX_DRIFT_PPM: u64 = 1_000;

/// The other clock minus ours: from `low` to `high` when ours reads `at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockOffset {
    low: i128,
    high: i128,
    at: u64,
    pub max_round_trip_ns: u64,
}

impl ClockOffset {
    /// The other end read its clock between our sending and our receiving; an exchange does not tell when.
    fn from_exchange(sent: u64, reading: u64, received: u64) -> ClockOffset {
        let ahead_of = |ours: u64| i128::from(reading) - i128::from(ours);
        let max_round_trip_ns = received.saturating_sub(sent);
        let high = ahead_of(sent) + max_drift(max_round_trip_ns);
        ClockOffset { low: ahead_of(received), high, at: received, max_round_trip_ns }
    }

    /// What both allow, so that each way counts with its own minimum delay; `later` alone after a clock's leap.
    fn narrow(self, later: ClockOffset) -> ClockOffset {
        let drift = max_drift(later.at.saturating_sub(self.at));
        let (low, high) = (later.low.max(self.low - drift), later.high.min(self.high + drift));
        let (low, high) = if low <= high { (low, high) } else { (later.low, later.high) };
        let max_round_trip_ns = later.max_round_trip_ns.max(self.max_round_trip_ns);
        ClockOffset { low, high, at: later.at, max_round_trip_ns }
    }

    pub fn offset_ns(&self) -> i64 {
        let most = i128::from(i64::MAX);
        (self.low + (self.high - self.low) / 2).clamp(-most, most) as i64
    }

    /// Largest error of the offset: half the sum of both ways' minimum delays, and the drift since.
    pub fn error_ns(&self) -> u64 {
        u64::try_from((self.high - self.low + 1) / 2).unwrap_or(u64::MAX)
    }
}

fn max_drift(elapsed_ns: u64) -> i128 {
    elapsed_ns.saturating_mul(MAX_DRIFT_PPM).div_ceil(1_000_000).into()
}

/// Exchanges until a group reduces the error by less than a tenth. `read_other` asks for the other clock.
pub(super) fn measure_clock_offset<E>(
    now: impl Fn() -> u64,
    mut read_other: impl FnMut() -> Result<u64, E>,
) -> Result<ClockOffset, E> {
    let began = now();
    let mut exchange = || -> Result<ClockOffset, E> {
        let sent = now();
        let reading = read_other()?;
        Ok(ClockOffset::from_exchange(sent, reading, now()))
    };
    let mut offset = exchange()?;
    loop {
        let before = offset.error_ns();
        for _ in 0..GROUP {
            offset = offset.narrow(exchange()?);
        }
        if offset.error_ns() >= before / 10 * 9 || now().saturating_sub(began) > MAX_TIME_NS {
            return Ok(offset);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cell::Cell;

    const START: u64 = 90_000_000_000_000;

    struct Measured {
        offset: ClockOffset,
        truth: i128,
        exchanges: usize,
        took: u64,
    }

    /// The other clock is `ahead` and drifts; `delays` are those of an exchange's two ways.
    fn measured(ahead: i64, ppm: i64, delays: impl Fn(usize) -> (u64, u64)) -> Measured {
        let (time, exchanges) = (Cell::new(START), Cell::new(0));
        let pass = |ns: u64| time.set(time.get() + ns);
        let other = || time.get().wrapping_add_signed(ahead + (time.get() - START) as i64 * ppm / 1_000_000);
        let offset = measure_clock_offset(
            || time.get(),
            || {
                let (there, back) = delays(exchanges.replace(exchanges.get() + 1));
                pass(there);
                let reading = other();
                pass(back);
                Ok::<u64, ()>(reading)
            },
        );
        let truth = i128::from(other()) - i128::from(time.get());
        let (exchanges, took) = (exchanges.get(), time.get() - START);
        Measured { offset: offset.unwrap(), truth, exchanges, took }
    }

    proptest! {
        #[test]
        fn the_offset_is_within_its_error_and_the_error_within_half_the_minimum_round_trip(
            ahead in -5_000_000_000i64..5_000_000_000, ppm in -900i64..900,
            delays in proptest::collection::vec((1u64..50_000_000, 1u64..50_000_000), 16),
        ) {
            let m = measured(ahead, ppm, |i| delays[i % delays.len()]);
            let (offset, error) = (i128::from(m.offset.offset_ns()), m.offset.error_ns());
            prop_assert!((offset - m.truth).unsigned_abs() <= error.into(), "{offset} is not {}", m.truth);
            let least = delays.iter().map(|d| d.0 + d.1).min().unwrap();
            prop_assert!(error <= least / 2 + m.took / 1_000 + m.exchanges as u64);
        }
    }

    #[test]
    fn each_way_counts_with_its_own_minimum_delay() {
        // No round trip is shorter than 60 ms, and each way takes 10 ms at least.
        let ms = 1_000_000;
        let m = measured(7, 0, |i| if i % 2 == 0 { (10 * ms, 50 * ms) } else { (50 * ms, 10 * ms) });
        assert!((10 * ms..11 * ms).contains(&m.offset.error_ns()), "{:?}", m.offset);
        assert_eq!(m.offset.max_round_trip_ns, 60 * ms);
    }

    #[test]
    fn exchanges_continue_while_they_reduce_the_error() {
        let exchanges = |delays: fn(usize) -> (u64, u64)| measured(0, 0, delays).exchanges;
        assert_eq!(exchanges(|_| (50_000, 50_000)), 1 + GROUP);
        assert_eq!(exchanges(|i| (3_000_000 - i.min(60) as u64 * 49_000, 50_000)), 1 + 5 * GROUP);
        // At most one group after the time has passed.
        assert_eq!(exchanges(|i| (1_000_000_000 >> i, 50_000)), 1 + GROUP);
    }

    #[test]
    fn after_a_leap_of_a_clock_the_later_exchange_counts() {
        let later = ClockOffset::from_exchange(20, 9_000, 40);
        let found = ClockOffset::from_exchange(0, 500, 10).narrow(later);
        assert_eq!((found.offset_ns(), found.error_ns(), found.max_round_trip_ns), (8_970, 11, 20));
    }
}
