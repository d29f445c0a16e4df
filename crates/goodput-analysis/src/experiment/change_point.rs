//! Change points in a history of runs: E-divisive, a hierarchy of splits by energy distance with permutation
//! tests. `docs/methods/change-points.md`. D. S. Matteson and N. A. James, "A nonparametric approach for
//! multiple change point analysis of multivariate data", JASA 109 (2014) 334–345, with α = 1. The right part
//! of a split may end before its segment, so that a temporary change is found.

use super::cell_samples::SampleStatistics;
use crate::random::SplitMix64;
use goodput_model::Message;
use goodput_words::message;
use serde::Serialize;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangePointSearch {
    /// Least runs between two changes, 4 or more.
    pub min_segment: usize,
    /// A split is kept at this p-value or below.
    pub alpha: f64,
    /// The least p-value is 1/(permutations + 1).
    pub permutations: usize,
    pub seed: u64,
}

/// Shorter segments cannot reach 5 %.
pub const MIN_SEGMENT_RUNS: usize = 4;

impl ChangePointSearch {
    pub fn with_defaults(seed: u64) -> ChangePointSearch {
        ChangePointSearch { min_segment: 5, alpha: 0.05, permutations: 499, seed }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ChangePointResult {
    Searched {
        /// In order of time; empty where none is shown.
        changes: Vec<DetectedChange>,
        /// Of the first split that was not kept; `None` where there was no room for another.
        next_p: Option<f64>,
        runs: usize,
    },
    /// Too few runs.
    CannotTell {
        #[serde(serialize_with = "goodput_model::message::english::serialize")]
        reason: Message,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DetectedChange {
    /// Index of the first run after the change.
    pub at: usize,
    pub p: f64,
    pub before: SampleStatistics,
    pub after: SampleStatistics,
    /// Median after over median before; `None` where that is 0 or the signs differ.
    pub ratio: Option<f64>,
}

/// Searches a history in order of time, of finite values only: else indices in the answer are wrong.
pub fn find_change_points(values: &[f64], how: &ChangePointSearch) -> ChangePointResult {
    let least = how.min_segment.max(MIN_SEGMENT_RUNS);
    if values.len() < 2 * least {
        let reason = message!(part_runs_are_too_few { count: values.len(), least: 2 * least });
        return ChangePointResult::CannotTell { reason };
    }
    if values.iter().any(|v| !v.is_finite()) {
        return ChangePointResult::CannotTell { reason: message!(part_a_run_has_no_figure) };
    }
    let mut random = SplitMix64::new(how.seed);
    let mut edges = vec![0, values.len()];
    let mut kept: Vec<(usize, f64)> = Vec::new();
    let next_p = loop {
        let Some((best, at)) = best_of(values, &edges, least) else { break None };
        let mut as_good = 1usize;
        let mut shuffled = values.to_vec();
        for _ in 0..how.permutations {
            for pair in edges.windows(2) {
                random.shuffle(&mut shuffled[pair[0]..pair[1]]);
            }
            let found = best_of(&shuffled, &edges, least).map_or(0.0, |(q, _)| q);
            as_good += usize::from(found >= best * (1.0 - 1e-12));
        }
        let p = as_good as f64 / (how.permutations + 1) as f64;
        if p > how.alpha {
            break Some(p);
        }
        kept.push((at, p));
        edges.push(at);
        edges.sort_unstable();
    };
    kept.sort_by_key(|k| k.0);
    let centre = |at: usize| {
        let place = edges.iter().position(|e| *e == at)?;
        let before = SampleStatistics::from_values(&values[edges[place - 1]..at], None)?;
        Some((before, SampleStatistics::from_values(&values[at..*edges.get(place + 1)?], None)?))
    };
    let changes = kept
        .iter()
        .filter_map(|(at, p)| {
            let (before, after) = centre(*at)?;
            let ratio = Some(after.median / before.median).filter(|r| r.is_finite() && *r > 0.0);
            Some(DetectedChange { at: *at, p: *p, before, after, ratio })
        })
        .collect();
    ChangePointResult::Searched { changes, next_p, runs: values.len() }
}

fn best_of(values: &[f64], edges: &[usize], least: usize) -> Option<(f64, usize)> {
    edges
        .windows(2)
        .filter_map(|pair| best_split(&values[pair[0]..pair[1]], least).map(|(q, at)| (q, pair[0] + at)))
        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
}

/// Maximises mn/(m + n) times the energy distance of the parts, over all places and ends of the right part.
fn best_split(values: &[f64], least: usize) -> Option<(f64, usize)> {
    let n = values.len();
    if n < 2 * least {
        return None;
    }
    // sums[i] is the sum over the first i values of the distances to value k: prefix sums of a whole square.
    let wide = n + 1;
    let mut sums = vec![0.0; wide * wide];
    for i in 0..n {
        let mut row = 0.0;
        for j in 0..n {
            row += (values[i] - values[j]).abs();
            sums[(i + 1) * wide + j + 1] = sums[i * wide + j + 1] + row;
        }
    }
    let square = |a: usize, b: usize, c: usize, d: usize| {
        sums[b * wide + d] - sums[a * wide + d] - sums[b * wide + c] + sums[a * wide + c]
    };
    let pairs = |n: usize| (n * (n - 1)) as f64;
    let mut best: Option<(f64, usize)> = None;
    for at in least..=n - least {
        let within_left = square(0, at, 0, at) / pairs(at);
        for end in at + least..=n {
            let (m, k) = (at as f64, (end - at) as f64);
            let between = square(0, at, at, end) / (m * k);
            let within_right = square(at, end, at, end) / pairs(end - at);
            let q = m * k / (m + k) * (2.0 * between - within_left - within_right);
            if best.is_none_or(|(b, _)| q > b) {
                best = Some((q, at));
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changes(values: &[f64], how: &ChangePointSearch) -> Vec<usize> {
        match find_change_points(values, how) {
            ChangePointResult::Searched { changes, .. } => changes.iter().map(|c| c.at).collect(),
            ChangePointResult::CannotTell { reason } => panic!("{reason}"),
        }
    }

    /// R's `Nile`: annual flow at Aswan 1871 to 1970, 10^8 m³ (Cobb 1978, Biometrika 65:243–251).
    const NILE: [f64; 100] = [
        1120., 1160., 963., 1210., 1160., 1160., 813., 1230., 1370., 1140., 995., 935., 1110., 994., 1020.,
        960., 1180., 799., 958., 1140., 1100., 1210., 1150., 1250., 1260., 1220., 1030., 1100., 774., 840.,
        874., 694., 940., 833., 701., 916., 692., 1020., 1050., 969., 831., 726., 456., 824., 702., 1120.,
        1100., 832., 764., 821., 768., 845., 864., 862., 698., 845., 744., 796., 1040., 759., 781., 865.,
        845., 944., 984., 897., 822., 1010., 771., 676., 649., 846., 812., 742., 801., 1040., 860., 874.,
        848., 890., 744., 749., 838., 1050., 918., 986., 797., 923., 975., 815., 1020., 906., 901., 1170.,
        912., 746., 919., 718., 714., 740.,
    ];

    #[test]
    fn the_nile_changes_once_after_1898() {
        // Cobb 1978, and R's strucchange (breakpoints(Nile ~ 1)): one break, after observation 28.
        let how = ChangePointSearch { min_segment: 15, ..ChangePointSearch::with_defaults(1) };
        let found = find_change_points(&NILE, &how);
        let ChangePointResult::Searched { changes, .. } = &found else { panic!("{found:?}") };
        let [change] = &changes[..] else { panic!("{found:?}") };
        assert_eq!(change.at, 28);
        assert!((change.before.mean - 1097.75).abs() < 0.005 && (change.after.mean - 849.97).abs() < 0.005);
        assert!(change.p <= 0.005 && change.ratio.is_some_and(|r| r < 0.8));
    }

    /// British coal-mining disasters a year, 1851 to 1962, one digit each (Jarrett 1979, Biometrika 66:191–193).
    const COAL: &str = "45410434063340263354531441553425223421322111130010110031\
                        03220111010100021000110233112111124200014000100000100101";

    #[test]
    fn coal_mines_became_safer_about_1890() {
        // Carlin, Gelfand and Smith 1992 (Applied Statistics 41:389–405): change at 1887 to 1895, mode 1891.
        let how = ChangePointSearch { min_segment: 30, ..ChangePointSearch::with_defaults(1) };
        let yearly: Vec<f64> = COAL.bytes().map(|digit| f64::from(digit - b'0')).collect();
        let found = changes(&yearly, &how);
        assert!(found.len() == 1 && (36..=44).contains(&found[0]), "{found:?}");
    }

    #[test]
    fn the_statistic_is_the_energy_distance() {
        // By hand: 10 on average between the parts; within: 8 of 12 ordered pairs differ by 1, so 2/3 each.
        // 4·4/8 · (20 − 4/3) = 37.333.
        let (q, at) = best_split(&[0.0, 1.0, 0.0, 1.0, 10.0, 11.0, 10.0, 11.0], 4).unwrap();
        assert!((q - 2.0 * (20.0 - 4.0 / 3.0)).abs() < 1e-12 && at == 4, "{q} {at}");
    }

    #[test]
    fn a_change_that_is_undone_is_seen_twice() {
        let mut random = SplitMix64::new(2);
        let values: Vec<f64> = (0..48)
            .map(|i| if (20..28).contains(&i) { 90.0 } else { 100.0 } + random.next_below(300) as f64 / 100.0)
            .collect();
        assert_eq!(changes(&values, &ChangePointSearch::with_defaults(1)), [20, 28]);
    }

    #[test]
    fn without_a_change_none_is_shown_nineteen_times_in_twenty() {
        let mut alarms = 0;
        for seed in 0..200 {
            let mut random = SplitMix64::new(1_000 + seed);
            let values: Vec<f64> = (0..30).map(|_| 100.0 + random.next_below(1_000) as f64 / 100.0).collect();
            let how = ChangePointSearch { permutations: 99, ..ChangePointSearch::with_defaults(seed) };
            alarms += u32::from(!changes(&values, &how).is_empty());
        }
        // 10 of 200 are expected; 99 % of binomial counts are within 3 and 19.
        assert!((3..=19).contains(&alarms), "{alarms} of 200");
    }

    #[test]
    fn few_runs_are_not_judged() {
        let usual = ChangePointSearch::with_defaults(1);
        let short = ChangePointSearch { min_segment: 1, ..ChangePointSearch::with_defaults(1) };
        let values = [1.0, 1.0, 9.0, 9.0, 9.0];
        for (values, how) in [(&[1.0; 9][..], &usual), (&[f64::NAN; 20][..], &usual), (&values[..], &short)] {
            let found = find_change_points(values, how);
            assert!(matches!(found, ChangePointResult::CannotTell { .. }), "{values:?}");
        }
        assert_eq!(changes(&[5.0; 40], &usual), Vec::<usize>::new());
    }

    proptest::proptest! {
        #[test]
        fn units_change_nothing(factor in 0.01f64..100.0, shift in -1e3f64..1e3, at in 8usize..24, seed in 0u64..100) {
            let mut random = SplitMix64::new(seed);
            let values: Vec<f64> = (0..32)
                .map(|i| if i < at { 100.0 } else { 130.0 } + random.next_below(1_000) as f64 / 100.0)
                .collect();
            let how = ChangePointSearch { permutations: 99, ..ChangePointSearch::with_defaults(3) };
            let plain = changes(&values, &how);
            let other: Vec<f64> = values.iter().map(|v| v * factor + shift).collect();
            proptest::prop_assert_eq!(&changes(&other, &how), &plain);
            proptest::prop_assert!(plain.contains(&at));
        }
    }
}
