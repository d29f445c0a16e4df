//! Ratios of interleaved pairs, which decide claims, and decisions of metrics without a peer.

use crate::case::BenchCase;
use crate::contender::{Point, Reading};
use crate::metric::Metric;
use crate::plan::{AgainstItself, Phase, Plan, Slot};
use goodput_analysis::descriptive_statistics::{
    bootstrap_median_interval, mean, median, sample_standard_deviation,
};
use goodput_analysis::performance_claim::{ClaimDecision, ClaimVerdict, MIN_PAIRS_FOR_DECISION};
use std::collections::BTreeMap;

/// Of the peer to itself, and of us to the peer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratios {
    /// The best peer.
    pub peer: usize,
    pub itself: Vec<f64>,
    pub pairs: Vec<f64>,
}

/// `find` returns the reading of a slot.
pub fn ratios<'a>(plan: &Plan, ask: &BenchCase, find: impl Fn(&Slot) -> Option<&'a Reading>) -> Ratios {
    let block = &plan.blocks[ask.block];
    let reading = |contender, phase, round| find(&Slot { block: ask.block, contender, phase, round });
    let together = |contender| -> Vec<Option<&'a Reading>> {
        (0..block.rounds).map(|round| reading(contender, Phase::Together, round)).collect()
    };
    if ask.metric.is_share() {
        // A share has no peer.
        let sweeps = together(ask.ours);
        let pairs = match ask.metric {
            Metric::Agreement(later) => agreement(&sweeps, later),
            metric => coverage(&sweeps, metric == Metric::CoverageAtOneSpeed),
        };
        return Ratios { peer: ask.ours, itself: Vec::new(), pairs };
    }
    if ask.metric.is_bounded() {
        let figures = together(ask.ours).into_iter().flatten().filter_map(|r| ask.metric.of(r));
        return Ratios { peer: ask.ours, itself: Vec::new(), pairs: figures.collect() };
    }
    let score = |peer: usize| {
        let figures: Vec<f64> =
            together(peer).into_iter().flatten().filter_map(|r| ask.metric.of(r)).collect();
        median(&figures).map_or(f64::NEG_INFINITY, |m| if ask.metric.more_is_better() { m } else { -m })
    };
    let best = ask.peers.iter().copied().max_by(|a, b| score(*a).total_cmp(&score(*b)));
    let Some(peer) = best else { return Ratios::default() };
    let (ours, theirs) = (together(ask.ours), together(peer));
    match ask.metric {
        Metric::Spread => {
            let halves = |odd| theirs.iter().skip(odd).step_by(2).copied().collect::<Vec<_>>();
            Ratios {
                peer,
                itself: spread_ratios(&halves(1), &halves(0)),
                pairs: spread_ratios(&ours, &theirs),
            }
        }
        metric => {
            let both = |a: &[Option<&Reading>], b: &[Option<&Reading>]| {
                a.iter().zip(b).filter_map(|(a, b)| metric.ratio((*a)?, (*b)?)).collect::<Vec<f64>>()
            };
            let itself = match block.against_itself {
                AgainstItself::Successive => both(&theirs, &theirs[1.min(theirs.len())..]),
                AgainstItself::First => {
                    let copies = |copy| -> Vec<_> {
                        (0..block.rounds).map(|round| reading(peer, Phase::Itself { copy }, round)).collect()
                    };
                    both(&copies(0), &copies(1))
                }
            };
            Ratios { peer, itself, pairs: both(&ours, &theirs) }
        }
    }
}

/// Decides an upper bound without a peer: the bootstrap 95 % interval of the median must lie within it. There
/// is no resolution.
pub fn decide_bound(bound: f64, figures: &[f64], seed: u64) -> ClaimDecision {
    let interval = bootstrap_median_interval(figures, seed);
    let pairs = figures.iter().filter(|f| f.is_finite()).count();
    let (verdict, reason) = match interval {
        _ if pairs < MIN_PAIRS_FOR_DECISION => (ClaimVerdict::NotDecided, "fewer than 15 trials"),
        Some(i) if i.high <= bound => (ClaimVerdict::Holds, "the interval lies within the bound"),
        Some(i) if i.low > bound => (ClaimVerdict::Fails, "the interval lies beyond the bound"),
        _ => (ClaimVerdict::NotDecided, "the interval lies on both sides of the bound"),
    };
    ClaimDecision { verdict, reason, pairs, median: median(figures), interval, resolution: None }
}

fn by_size(sweeps: &[Option<&Reading>]) -> BTreeMap<u64, Vec<f64>> {
    let mut sizes: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for point in sweeps.iter().flatten().flat_map(|r| &r.points) {
        sizes.entry(point.size).or_default().push(point.time_ns);
    }
    sizes
}

fn spread_ratios(over: &[Option<&Reading>], under: &[Option<&Reading>]) -> Vec<f64> {
    let deviation = |times: &[f64]| Some(sample_standard_deviation(times)? / mean(times)?);
    let under = by_size(under);
    by_size(over)
        .iter()
        .filter_map(|(size, times)| Some(deviation(times)? / deviation(under.get(size)?)?))
        .filter(|r| r.is_finite() && *r > 0.0)
        .collect()
}

/// Per sweep the share of sizes whose interval contains the others' median. That median is uncertain, so a
/// true 95 % shows slightly less. At one speed, times are divided by the sweep's median ratio to the others.
fn coverage(sweeps: &[Option<&Reading>], at_one_speed: bool) -> Vec<f64> {
    let sweeps: Vec<&Reading> = sweeps.iter().flatten().copied().collect();
    let share = |own: usize| {
        let others: Vec<Option<&Reading>> =
            sweeps.iter().enumerate().filter(|(i, _)| *i != own).map(|(_, s)| Some(*s)).collect();
        let others: BTreeMap<u64, f64> =
            by_size(&others).into_iter().filter_map(|(size, times)| Some((size, median(&times)?))).collect();
        let slower: Vec<f64> =
            sweeps[own].points.iter().filter_map(|p| Some(p.time_ns / others.get(&p.size)?)).collect();
        let slower = if at_one_speed { median(&slower)? } else { 1.0 };
        let held: Vec<f64> = sweeps[own]
            .points
            .iter()
            .filter_map(|p| {
                let ((low, high), truth) = (p.interval_ns?, others.get(&p.size)? * slower);
                Some(f64::from(low <= truth && truth <= high))
            })
            .collect();
        mean(&held)
    };
    (0..sweeps.len()).filter_map(share).collect()
}

/// Per pair of sweeps the share of sizes where the 95 % interval of their difference contains 0. The interval
/// combines both by root sum of squares (MOVER: Zou and Donner 2008, Statistics in Medicine 27, 1693).
fn agreement(sweeps: &[Option<&Reading>], later: usize) -> Vec<f64> {
    let share = |one: &Reading, next: &Reading| {
        let by_size: BTreeMap<u64, &Point> = next.points.iter().map(|p| (p.size, p)).collect();
        let held: Vec<f64> = one
            .points
            .iter()
            .filter_map(|p| {
                let other = by_size.get(&p.size)?;
                let ((low, high), (other_low, other_high)) = (p.interval_ns?, other.interval_ns?);
                let difference = p.time_ns - other.time_ns;
                let below = (p.time_ns - low).hypot(other_high - other.time_ns);
                let above = (high - p.time_ns).hypot(other.time_ns - other_low);
                Some(f64::from(difference - below <= 0.0 && 0.0 <= difference + above))
            })
            .collect();
        mean(&held)
    };
    let pairs = sweeps.chunks_exact(2 * later).flat_map(|chunk| {
        let (earlier, later) = chunk.split_at(later);
        earlier.iter().zip(later)
    });
    pairs.filter_map(|(one, other)| share((*one)?, (*other)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::case::asks;
    use crate::contender::Program;
    use goodput_analysis::performance_claim::PerformanceClaim;

    fn sweep(times: &[(u64, f64, (f64, f64))]) -> Reading {
        let points = times.iter().map(|&(size, time_ns, i)| Point { size, time_ns, interval_ns: Some(i) });
        Reading { points: points.collect(), ..Reading::default() }
    }

    #[test]
    fn the_best_peer_is_the_one_to_beat() {
        let plan = Plan::new(&Program::ALL, true);
        let asks = asks(&plan);
        let mut asks = asks.iter().filter(|a| a.claim == PerformanceClaim::NotBelowOne);
        let ask = asks.find(|ask| ask.peers.len() == 3).unwrap();
        let speeds = [50.0, 100.0, 52.0, 53.0, 54.0, 55.0, 56.0, 57.0];
        let readings = speeds.map(|speed| Reading { goodput_bps: Some(speed), ..Reading::default() });
        let ratios = ratios(&plan, ask, |slot| readings.get(slot.contender));
        assert_eq!((ratios.peer, &ratios.itself[..]), (1, &[1.0][..]));
        assert_eq!(ratios.pairs, [speeds[ask.ours] / 100.0; 2]);
    }

    #[test]
    fn a_bound_wants_the_whole_interval() {
        let verdict = |figures: &[f64]| decide_bound(0.15, figures, 1).verdict;
        let around: Vec<f64> = (0..16).map(|i| 0.14 + f64::from(i % 4) * 0.01).collect();
        assert_eq!(verdict(&[0.1; 16]), ClaimVerdict::Holds);
        assert_eq!(verdict(&[0.2; 16]), ClaimVerdict::Fails);
        assert_eq!(verdict(&around), ClaimVerdict::NotDecided);
        assert_eq!(verdict(&[0.1; 14]), ClaimVerdict::NotDecided);
    }

    #[test]
    fn a_figure_without_a_peer_is_taken_from_every_trial() {
        let plan = Plan::new(&Program::ALL, true);
        let ask = asks(&plan).into_iter().find(|a| a.metric == Metric::SenderShare).unwrap();
        let reading = Reading { sender_share: Some(0.08), ..Reading::default() };
        let ratios = ratios(&plan, &ask, |_| Some(&reading));
        assert_eq!((ratios.peer, ratios.pairs), (ask.ours, vec![0.08; 2]));
    }

    #[test]
    fn coverage_counts_intervals_around_the_others_median() {
        let hit = sweep(&[(1, 10.0, (9.0, 11.0)), (2, 10.0, (9.0, 11.0))]);
        let miss = sweep(&[(1, 10.0, (9.0, 11.0)), (2, 20.0, (19.0, 21.0))]);
        let sweeps = [Some(&hit), Some(&hit), None, Some(&hit), Some(&miss)];
        assert_eq!(coverage(&sweeps, false), [1.0, 1.0, 1.0, 0.5]);
    }

    #[test]
    fn at_one_speed_only_what_sizes_do_on_their_own_is_a_miss() {
        let at = |slower: f64, third: f64| {
            let times = [(1, 10.0), (2, 20.0), (3, third), (4, 40.0)].map(|(size, t)| (size, t * slower));
            sweep(&times.map(|(size, t)| (size, t, (t * 0.99, t * 1.01))))
        };
        let (usual, slow, odd) = (at(1.0, 30.0), at(1.5, 30.0), at(1.5, 40.0));
        let sweeps = [Some(&usual), Some(&usual), Some(&usual), Some(&usual), Some(&slow), Some(&odd)];
        assert_eq!(coverage(&sweeps, false), [1.0, 1.0, 1.0, 1.0, 0.0, 0.0]);
        assert_eq!(coverage(&sweeps, true), [1.0, 1.0, 1.0, 1.0, 1.0, 0.75]);
    }

    #[test]
    fn sweeps_agree_where_their_difference_may_be_nothing() {
        let one = sweep(&[(1, 10.0, (7.0, 13.0)), (2, 10.0, (9.0, 10.5)), (3, 10.0, (9.0, 11.0))]);
        // 4 either way leave 4.9 possible; 10 exceeds 1.1; a size of only one sweep does not count.
        let next = sweep(&[(1, 14.9, (10.9, 18.9)), (2, 20.0, (19.0, 21.0)), (4, 10.0, (9.0, 11.0))]);
        let far = sweep(&[(1, 15.1, (11.1, 19.1)), (2, 10.0, (9.0, 11.0))]);
        assert_eq!(agreement(&[Some(&one), Some(&next), Some(&far), Some(&one)], 1), [0.5, 0.5]);
        assert_eq!(agreement(&[Some(&one), None, Some(&one), Some(&one), Some(&far)], 1), [1.0]);
        assert_eq!(agreement(&[Some(&one), Some(&next), Some(&one), Some(&far), Some(&one)], 2), [1.0, 0.5]);
    }

    #[test]
    fn spread_is_relative() {
        let one = |t| sweep(&[(1, t, (0.0, 0.0))]);
        let (a, b, c, d) = (one(90.0), one(110.0), one(9.0), one(11.0));
        let ratios = spread_ratios(&[Some(&a), Some(&b)], &[Some(&c), Some(&d)]);
        assert!((ratios[0] - 1.0).abs() < 1e-12);
    }
}
