//! The figures that are compared, and the ratios of interleaved pairs that a claim is decided by.

use crate::ask::Ask;
use crate::contender::{Point, Reading};
use crate::plan::{AgainstItself, Phase, Plan, Slot};
use goodput_analysis::describe::{mean, median, sample_deviation};
use std::collections::BTreeMap;

/// A figure that is compared.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Metric {
    /// User bit/s at the receiver.
    Goodput,
    /// Busy ns of the whole machine a user byte.
    CpuPerByte,
    /// Round trips a second.
    Rate,
    /// Median round trip.
    RoundTrip,
    /// Duration of the whole command.
    Wall,
    /// Time of the sizes from the first to below the second; the median over them of the ratios.
    Times(u64, u64),
    /// Relative deviation between repeated sweeps, a ratio for each size.
    Spread,
    /// Share of the sizes whose interval holds the median of the other sweeps; a share, not a ratio.
    Coverage,
}

impl Metric {
    /// Unit and scale for people.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Metric::Goodput => ("Gbit/s", 1e9),
            Metric::CpuPerByte => ("ns/B", 1.0),
            Metric::Rate => ("/s", 1.0),
            Metric::RoundTrip => ("µs", 1e3),
            Metric::Wall => ("s", 1.0),
            Metric::Times(..) | Metric::Spread | Metric::Coverage => ("", 1.0),
        }
    }

    /// The figure of one reading; `None` for figures that only two or more readings have.
    pub fn of(self, reading: &Reading) -> Option<f64> {
        match self {
            Metric::Goodput => reading.goodput_bps,
            Metric::CpuPerByte => reading.cpu_ns_per_byte,
            Metric::Rate => reading.rate,
            Metric::RoundTrip => reading.round_trip_ns,
            Metric::Wall => Some(reading.wall_s),
            Metric::Times(..) | Metric::Spread | Metric::Coverage => None,
        }
    }

    fn more_is_better(self) -> bool {
        matches!(self, Metric::Goodput | Metric::Rate)
    }

    /// The ratio of two readings of a pair.
    fn ratio(self, over: &Reading, under: &Reading) -> Option<f64> {
        match self {
            Metric::Times(from, to) => {
                let in_range = |p: &&Point| p.size >= from && p.size < to;
                let times: BTreeMap<u64, f64> = under.points.iter().map(|p| (p.size, p.time_ns)).collect();
                let points = over.points.iter().filter(in_range);
                median(&points.filter_map(|p| Some(p.time_ns / times.get(&p.size)?)).collect::<Vec<_>>())
            }
            _ => Some(self.of(over)? / self.of(under)?),
        }
    }
}

/// Ratios for a claim: of the peer to itself and of us to the peer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ratios {
    /// The peer that was the best one.
    pub peer: usize,
    /// Of the peer to itself.
    pub itself: Vec<f64>,
    /// Of us to the peer.
    pub pairs: Vec<f64>,
}

/// Computes the ratios from the readings, which `find` looks up by their place in the plan.
pub fn ratios<'a>(plan: &Plan, ask: &Ask, find: impl Fn(&Slot) -> Option<&'a Reading>) -> Ratios {
    let block = &plan.blocks[ask.block];
    let reading = |contender, phase, round| find(&Slot { block: ask.block, contender, phase, round });
    let together = |contender| -> Vec<Option<&'a Reading>> {
        (0..block.rounds).map(|round| reading(contender, Phase::Together, round)).collect()
    };
    if ask.metric == Metric::Coverage {
        // A share has no peer.
        return Ratios { peer: ask.ours, itself: Vec::new(), pairs: coverage(&together(ask.ours)) };
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

/// Times of each size over several sweeps.
fn by_size(sweeps: &[Option<&Reading>]) -> BTreeMap<u64, Vec<f64>> {
    let mut sizes: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
    for point in sweeps.iter().flatten().flat_map(|r| &r.points) {
        sizes.entry(point.size).or_default().push(point.time_ns);
    }
    sizes
}

/// For each size the relative deviation between the sweeps of one over that of the other.
fn spread_ratios(over: &[Option<&Reading>], under: &[Option<&Reading>]) -> Vec<f64> {
    let deviation = |times: &[f64]| Some(sample_deviation(times)? / mean(times)?);
    let under = by_size(under);
    by_size(over)
        .iter()
        .filter_map(|(size, times)| Some(deviation(times)? / deviation(under.get(size)?)?))
        .filter(|r| r.is_finite() && *r > 0.0)
        .collect()
}

/// For each sweep the share of the sizes whose interval holds the median of all other sweeps at that size. That
/// median is itself uncertain, so a true 95 % shows a little lower, the more so the fewer sweeps there are.
fn coverage(sweeps: &[Option<&Reading>]) -> Vec<f64> {
    let sweeps: Vec<&Reading> = sweeps.iter().flatten().copied().collect();
    let share = |own: usize| {
        let others: Vec<Option<&Reading>> =
            sweeps.iter().enumerate().filter(|(i, _)| *i != own).map(|(_, s)| Some(*s)).collect();
        let others = by_size(&others);
        let held: Vec<f64> = sweeps[own]
            .points
            .iter()
            .filter_map(|p| {
                let (low, high) = p.interval_ns?;
                let truth = median(others.get(&p.size)?)?;
                Some(f64::from(low <= truth && truth <= high))
            })
            .collect();
        mean(&held)
    };
    (0..sweeps.len()).filter_map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask::asks;
    use crate::contender::Program;

    const ALL: [Program; 8] = [
        Program::Goodput,
        Program::Raw,
        Program::Iperf3,
        Program::NpTcp,
        Program::Nuttcp,
        Program::Sockperf,
        Program::Qperf,
        Program::Xfr,
    ];

    fn sweep(times: &[(u64, f64, (f64, f64))]) -> Reading {
        let points = times.iter().map(|&(size, time_ns, i)| Point { size, time_ns, interval_ns: Some(i) });
        Reading { points: points.collect(), ..Reading::default() }
    }

    #[test]
    fn the_best_peer_is_the_one_to_beat() {
        let plan = Plan::new(&ALL, true);
        let ask = asks(&plan)
            .into_iter()
            .find(|a| a.text.ends_with("default congestion control, best peer"))
            .unwrap();
        let readings: Vec<Reading> = (0..8)
            .map(|i| Reading {
                goodput_bps: Some(if i == 1 { 100.0 } else { 50.0 + i as f64 }),
                ..Reading::default()
            })
            .collect();
        let ratios = ratios(&plan, &ask, |slot| readings.get(slot.contender));
        assert_eq!(ratios.peer, 1);
        assert_eq!(ratios.itself, [1.0, 1.0]);
        assert_eq!(ratios.pairs, [(50.0 + ask.ours as f64) / 100.0; 2]);
    }

    #[test]
    fn sweeps_are_compared_size_by_size() {
        let (a, b) = (
            sweep(&[(64, 9.0, (0., 0.)), (67, 2.0, (0., 0.)), (100, 6.0, (0., 0.))]),
            sweep(&[(67, 1.0, (0., 0.)), (100, 2.0, (0., 0.)), (64, 1.0, (0., 0.))]),
        );
        assert_eq!(Metric::Times(65, 1000).ratio(&a, &b), Some(2.5));
        assert_eq!(Metric::Times(65, 100).ratio(&a, &b), Some(2.0));
    }

    #[test]
    fn coverage_counts_intervals_around_the_others_median() {
        let hit = sweep(&[(1, 10.0, (9.0, 11.0)), (2, 10.0, (9.0, 11.0))]);
        let miss = sweep(&[(1, 10.0, (9.0, 11.0)), (2, 20.0, (19.0, 21.0))]);
        let sweeps = [Some(&hit), Some(&hit), None, Some(&hit), Some(&miss)];
        assert_eq!(coverage(&sweeps), [1.0, 1.0, 1.0, 0.5]);
    }

    #[test]
    fn spread_is_relative() {
        let one = |t| sweep(&[(1, t, (0.0, 0.0))]);
        let (a, b, c, d) = (one(90.0), one(110.0), one(9.0), one(11.0));
        let ratios = spread_ratios(&[Some(&a), Some(&b)], &[Some(&c), Some(&d)]);
        assert!((ratios[0] - 1.0).abs() < 1e-12);
    }
}
