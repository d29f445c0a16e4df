//! The message sizes of a sweep and NetPIPE's repeat count. Both follow NetPIPE 3.7.2 (`netpipe.c`, `main`),
//! because a compat sweep is compared with NPtcp size by size. A native sweep shuffles the same sizes.

use goodput_model::{Bytes, Nanos};
use goodput_words::{error_messages, message};

/// STOPTM: a sweep ends after a size that took this long.
pub const SWEEP_STOP_MESSAGE_TIME: Nanos = Nanos::SECOND;

/// NetPIPE's storage holds 8000 points and the sweep ends three before (NSAMP − 3).
pub const MAX_SWEEP_POINTS: usize = 7997;

/// Of the starting size, in compat mode.
pub const WARM_UP_ROUND_TRIPS: u32 = 100;

/// `-l`, `-u` and `-p`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeSchedule {
    /// First base (`-l`). With a perturbation the sweep may begin below it.
    pub from: Bytes,
    /// Largest base (`-u`). With a perturbation the sweep may end above it.
    pub upto: Bytes,
    /// Distance of the sizes measured below and above a base (`-p`, 3).
    pub perturbation: Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SizeStep {
    pub size: Bytes,
    /// NetPIPE's `inc`: the distance from this base to the next, doubled at every second base.
    pub increment: Bytes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SizeScheduleError {
    Zero,
    Empty { from: Bytes, upto: Bytes },
}

error_messages! {
    SizeScheduleError {
        SizeScheduleError::Zero => message!(error_size_schedule_zero),
        SizeScheduleError::Empty { from, upto } => {
            message!(error_size_schedule_empty { from: from.to_string(), upto: upto.to_string() })
        },
    }
}

impl Default for SizeSchedule {
    fn default() -> Self {
        SizeSchedule { from: Bytes(1), upto: Bytes(1_048_573), perturbation: Bytes(3) }
    }
}

impl SizeSchedule {
    /// Every size in the order of the sweep, which need not be ascending for a small odd `from`. The
    /// increment starts at half the first base (1 for a first base of 1) and doubles before every second
    /// base: powers of two and the points half-way between. A base is measured three times only where the
    /// increment exceeds perturbation + 1. `upto` is compared with the base itself.
    pub fn steps(&self) -> Result<Vec<SizeStep>, SizeScheduleError> {
        let SizeSchedule { from: Bytes(from), upto: Bytes(upto), perturbation: Bytes(aside) } = *self;
        if from == 0 {
            return Err(SizeScheduleError::Zero);
        }
        if from > upto {
            return Err(SizeScheduleError::Empty { from: self.from, upto: self.upto });
        }
        let (mut increment, mut count) = if from == 1 { (1, 0u32) } else { (from / 2, 1) };
        let (mut base, mut steps) = (from, Vec::new());
        while base <= upto && steps.len() < MAX_SWEEP_POINTS {
            if count > 2 && count % 2 == 1 {
                increment = u64::saturating_mul(increment, 2);
            }
            // A base below the perturbation cannot occur: the increment is at most the base.
            let sizes = if aside > 0 && increment > aside.saturating_add(1) {
                vec![base.saturating_sub(aside).max(1), base, base.saturating_add(aside)]
            } else {
                vec![base]
            };
            steps.extend(sizes.into_iter().map(|s| SizeStep { size: Bytes(s), increment: Bytes(increment) }));
            let Some(next) = base.checked_add(increment) else { break };
            base = next;
            count = count.saturating_add(1);
        }
        Ok(steps)
    }

    /// The sizes of [`Schedule::steps`] alone, as [`goodput_model::PingPong::sizes`] wants them.
    pub fn sizes(&self) -> Result<Vec<Bytes>, SizeScheduleError> {
        Ok(self.steps()?.into_iter().map(|s| s.size).collect())
    }

    /// The schedule that gives exactly these sizes; `None` for a custom list.
    pub fn from_sizes(sizes: &[Bytes]) -> Option<SizeSchedule> {
        let (first, last) = (sizes.first()?.0, sizes.last()?.0);
        let mut asides: Vec<u64> =
            sizes.windows(2).filter_map(|w| w[1].0.checked_sub(w[0].0)).chain([0, 3]).collect();
        asides.sort_unstable();
        asides.dedup();
        // A perturbation is small beside the sizes, and a list of thousands is no sweep of bases.
        for aside in asides.into_iter().take(64) {
            for from in [Some(first), first.checked_add(aside)].into_iter().flatten() {
                for upto in [Some(last), last.checked_sub(aside)].into_iter().flatten() {
                    let schedule =
                        SizeSchedule { from: Bytes(from), upto: Bytes(upto), perturbation: Bytes(aside) };
                    if schedule.sizes().is_ok_and(|s| s == sizes) {
                        return Some(schedule);
                    }
                }
            }
        }
        None
    }
}

/// The sizes with their increments, reconstructed. For a custom list, the increment that makes [`growth`]
/// equal to the ratio of a size to the one before it.
pub fn steps_from_sizes(sizes: &[Bytes]) -> Vec<SizeStep> {
    if let Some(steps) = SizeSchedule::from_sizes(sizes).and_then(|s| s.steps().ok()) {
        return steps;
    }
    let own = |before: u64, size: u64| {
        // before / (before − increment + 1) = size / before, solved for the increment.
        let left = before as u128 * before as u128 / u128::from(size.max(1));
        (before as u128 + 1).saturating_sub(left).clamp(1, u64::MAX as u128) as u64
    };
    let before = sizes.iter().take(1).chain(sizes.iter());
    sizes
        .iter()
        .zip(before)
        .map(|(size, before)| SizeStep { size: *size, increment: Bytes(own(before.0, size.0)) })
        .collect()
}

/// NetPIPE's estimate of how much longer the next size takes: g = prev / (prev − inc + 1). `previous` is the
/// size before (the starting size after the warm-up). 1 where the increment exceeds it.
pub fn time_growth_factor(previous: Bytes, increment: Bytes) -> f64 {
    let left = previous.0 as f64 - increment.0 as f64 + 1.0;
    if left > 0.0 { previous.0 as f64 / left } else { 1.0 }
}

/// Round trips of one timed loop in compat mode: max(run_time / (g × previous time), floor), truncated.
/// `previous_time_ns` is the last size's best time as NetPIPE reports it: half a round trip, the whole
/// exchange with `-2`, or the receiver's time for one message with `-s`; after the warm-up elapsed / 200.
/// `floor` is TRIALS (3). A time of zero counts as 1 µs, as in NetPIPE.
pub fn repeat_count(
    run_time: Nanos,
    floor: u32,
    previous: Bytes,
    increment: Bytes,
    previous_time_ns: f64,
) -> u32 {
    let last = if previous_time_ns > 0.0 { previous_time_ns } else { 1_000.0 };
    let wanted = run_time.0 as f64 / (time_growth_factor(previous, increment) * last);
    // A cast from floating point truncates, saturates and turns NaN into 0; NetPIPE's count is an int.
    (wanted as u32).min(i32::MAX as u32).max(floor)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// NPtcp 3.7.2 with `-u 1048573`.
    const GOLDEN: [u64; 103] = [
        1, 2, 3, 4, 6, 8, 12, 13, 16, 19, 21, 24, 27, 29, 32, 35, 45, 48, 51, 61, 64, 67, 93, 96, 99, 125,
        128, 131, 189, 192, 195, 253, 256, 259, 381, 384, 387, 509, 512, 515, 765, 768, 771, 1021, 1024,
        1027, 1533, 1536, 1539, 2045, 2048, 2051, 3069, 3072, 3075, 4093, 4096, 4099, 6141, 6144, 6147, 8189,
        8192, 8195, 12285, 12288, 12291, 16381, 16384, 16387, 24573, 24576, 24579, 32765, 32768, 32771,
        49149, 49152, 49155, 65533, 65536, 65539, 98301, 98304, 98307, 131069, 131072, 131075, 196605,
        196608, 196611, 262141, 262144, 262147, 393213, 393216, 393219, 524285, 524288, 524291, 786429,
        786432, 786435,
    ];

    fn schedule(from: u64, upto: u64, aside: u64) -> SizeSchedule {
        SizeSchedule { from: Bytes(from), upto: Bytes(upto), perturbation: Bytes(aside) }
    }

    fn sizes(from: u64, upto: u64, aside: u64) -> Vec<u64> {
        schedule(from, upto, aside).sizes().unwrap().into_iter().map(|b| b.0).collect()
    }

    #[test]
    fn the_golden_vector_of_103_sizes() {
        assert_eq!(sizes(1, 1_048_573, 3), GOLDEN);
        assert_eq!(SizeSchedule::default().sizes().unwrap().len(), 103);
        assert_eq!(sizes(1, 786_432, 3), GOLDEN);
        assert_eq!(sizes(1, 1_048_575, 3), GOLDEN);
    }

    #[test]
    fn counts_and_last_sizes_of_other_commands() {
        for (from, upto, aside, count, last) in [
            (1, 1_048_576, 3, 106, 1_048_579),
            (1, 1_572_863, 3, 106, 1_048_579),
            (1, 10_000_000, 3, 124, 8_388_611),
            (64, 65_536, 3, 63, 65_539),
            (1, 147_456, 3, 88, 131_075), // -2 with Linux's default buffers
            (1, 1_048_573, 0, 39, 786_432),
            (1, 1_048_576, 0, 40, 1_048_576),
            (1, 10_000_000, 0, 46, 8_388_608),
            (1, 1_048_573, 1, 107, 786_433),
            (1, 1_048_573, 16, 95, 786_448),
            (5, 1_048_573, 0, 36, 786_433), // -i
        ] {
            let found = sizes(from, upto, aside);
            assert_eq!((found.len(), found.last().copied()), (count, Some(last)), "{from} {upto} {aside}");
        }
    }

    #[test]
    fn odd_starts_shift_the_pattern() {
        assert_eq!(sizes(5, 65, 0), [5, 7, 9, 13, 17, 25, 33, 49, 65]);
        assert_eq!(sizes(3, 17, 0), [3, 4, 5, 7, 9, 13, 17]);
        assert_eq!(sizes(10, 30, 3), [7, 10, 13, 12, 15, 18, 17, 20, 23, 27, 30, 33]);
        assert_eq!(sizes(64, 64, 3), [61, 64, 67]);
    }

    #[test]
    fn impossible_sweeps_are_refused() {
        let refused = |from, upto| schedule(from, upto, 3).steps().unwrap_err();
        assert_eq!(refused(0, 5), SizeScheduleError::Zero);
        assert_eq!(refused(9, 8).to_string(), "the smallest message size 9 B is above the largest 8 B");
    }

    #[test]
    fn the_ends_of_the_number_range_do_no_harm() {
        assert!(sizes(1, u64::MAX, 3).len() < 400);
        assert_eq!(sizes(u64::MAX, u64::MAX, u64::MAX).len(), 1);
        assert!(!sizes(2, u64::MAX, u64::MAX - 1).is_empty());
    }

    #[test]
    fn a_schedule_is_found_again_from_its_sizes() {
        for (from, upto, aside) in
            [(1, 1_048_573, 3), (64, 65_536, 3), (5, 999, 0), (10, 5_000, 3), (1, 99_999, 16)]
        {
            let schedule = schedule(from, upto, aside);
            let found = steps_from_sizes(&schedule.sizes().unwrap());
            assert_eq!(found, schedule.steps().unwrap(), "{from} {upto} {aside}");
        }
        assert_eq!(SizeSchedule::from_sizes(&[Bytes(1), Bytes(1000)]), None);
        assert_eq!(SizeSchedule::from_sizes(&[]), None);
    }

    #[test]
    fn a_list_of_ones_own_grows_as_its_sizes_do() {
        let steps = steps_from_sizes(&[Bytes(1000), Bytes(100_000), Bytes(50_000)]);
        assert_eq!(time_growth_factor(Bytes(1000), steps[0].increment), 1.0);
        assert!((time_growth_factor(Bytes(1000), steps[1].increment) - 100.0).abs() < 1e-9);
        assert!((time_growth_factor(Bytes(100_000), steps[2].increment) - 1.0).abs() < 0.51);
    }

    #[test]
    fn repeats_follow_netpipe() {
        let run = Nanos(100_000_000);
        // After the warm-up of the 1-byte size: g = 1 / (1 − 1 + 1) = 1, so 0.1 s / 10 µs.
        assert_eq!(repeat_count(run, 3, Bytes(1), Bytes(1), 10_000.0), 10_000);
        // 12 → 13 with an increment of 8: g = 12 / 5 = 2.4, 0.1 s / 24 µs = 4166.67, truncated.
        assert_eq!(repeat_count(run, 3, Bytes(12), Bytes(8), 10_000.0), 4166);
        // 1027 → 1533 with an increment of 512: g = 1027 / 516.
        let expected = (5000.0f64 * 516.0 / 1027.0) as u32;
        assert_eq!(repeat_count(run, 3, Bytes(1027), Bytes(512), 20_000.0), expected);
        assert_eq!(repeat_count(run, 3, Bytes(786_435), Bytes(262_144), 1e9), 3);
        assert_eq!(repeat_count(run, 3, Bytes(1), Bytes(1), 0.0), 100_000);
        // Degenerate ones stay in range.
        for time in [f64::NAN, f64::INFINITY, -1.0, f64::MIN_POSITIVE, 1e300] {
            for (size, increment) in
                [0, 1, u64::MAX].into_iter().flat_map(|s| [(s, 0), (s, 1), (s, u64::MAX)])
            {
                let n = repeat_count(Nanos(u64::MAX), 3, Bytes(size), Bytes(increment), time);
                assert!((3..=i32::MAX as u32).contains(&n));
            }
        }
    }
}
