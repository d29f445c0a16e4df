//! When a player's next operation is due. Pure: time is an argument.

use goodput_model::{BitRate, Nanos};

/// The pace of one player: by the load file's times, at a payload rate, or unlimited.
#[derive(Debug, Clone, Copy)]
pub(super) struct SimulatedClientPace {
    rate: Option<u64>,
    began: u64,
    pass: u64,
    moved: u64,
}

impl SimulatedClientPace {
    pub fn new(rate: Option<BitRate>, now: u64) -> SimulatedClientPace {
        SimulatedClientPace { rate: rate.map(|r| r.0.max(1)), began: now, pass: now, moved: 0 }
    }

    pub fn begin_load_file_pass(&mut self, now: u64) {
        self.pass = now;
    }

    #[inline(always)]
    pub fn add_bytes(&mut self, bytes: u64) {
        self.moved += bytes;
    }

    /// Earliest start of the next operation, and whether it is due then (a late start counts as latency) or
    /// only throttled. With a rate, line times are ignored, as with dbench's `-R`. A late operation does not
    /// shift the schedule.
    #[inline(always)]
    pub fn next_operation_start(&self, at: Option<Nanos>) -> Option<(u64, bool)> {
        match (self.rate, at) {
            (None, None) => None,
            (None, Some(at)) => Some((self.pass.saturating_add(at.0), true)),
            (Some(rate), _) => {
                let after = u128::from(self.moved) * 8_000_000_000 / u128::from(rate);
                let after = u64::try_from(after).unwrap_or(u64::MAX);
                Some((self.began.saturating_add(after), false))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_due_at_their_time_in_the_pass() {
        let mut pace = SimulatedClientPace::new(None, 100);
        assert_eq!(pace.next_operation_start(None), None);
        assert_eq!(pace.next_operation_start(Some(Nanos(50))), Some((150, true)));
        pace.begin_load_file_pass(1_000);
        assert_eq!(pace.next_operation_start(Some(Nanos(50))), Some((1_050, true)));
        assert_eq!(pace.next_operation_start(Some(Nanos(u64::MAX))), Some((u64::MAX, true)));
    }

    #[test]
    fn a_rate_holds_back_and_replaces_the_times() {
        // 8 Mbit/s is one byte per microsecond.
        let mut pace = SimulatedClientPace::new(Some(BitRate(8_000_000)), 100);
        assert_eq!(pace.next_operation_start(Some(Nanos(9))), Some((100, false)));
        pace.add_bytes(5);
        pace.begin_load_file_pass(1_000_000);
        assert_eq!(
            pace.next_operation_start(None),
            Some((5_100, false)),
            "a new pass does not give time back"
        );
        pace.add_bytes(u64::MAX - 5);
        assert_eq!(pace.next_operation_start(None), Some((u64::MAX, false)));
    }
}
