//! The claims that the bench decides, and how each is computed from the readings.

use crate::contender::{Point, Program, Reading, size};
use crate::plan::{Block, Part, Phase, Plan, STREAM_SIZES, Slot};
use goodput_analysis::claim::Claim;
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

/// A claim on two contenders of a block.
#[derive(Debug, Clone)]
pub struct Ask {
    /// The part it belongs to.
    pub part: Part,
    /// Index of the block.
    pub block: usize,
    /// In words.
    pub text: String,
    /// Us: index in the block.
    pub ours: usize,
    /// The peers it is claimed of; with several, of the best of them.
    pub peers: Vec<usize>,
    /// What is compared.
    pub metric: Metric,
    /// What is claimed of ours over the peer's.
    pub claim: Claim,
    /// False for a ratio that is printed beside a claim without being one.
    pub claimed: bool,
}

/// All claims of a plan. Peers that are not there are left out, and with them the claims on them alone.
pub fn asks(plan: &Plan) -> Vec<Ask> {
    let blocks = plan.blocks.iter().enumerate();
    blocks
        .flat_map(|(i, block)| match block.part {
            Part::Stream => stream(i, block),
            Part::Pingpong => pingpong(i, block),
            Part::Request => request(i, block),
        })
        .filter(|a| !a.peers.is_empty())
        .collect()
}

/// Where a program stands in a block; its `nth` entry.
fn place(block: &Block, program: Program, nth: usize) -> Option<usize> {
    block.contenders.iter().enumerate().filter(|(_, c)| c.program == program).map(|(i, _)| i).nth(nth)
}

fn places(block: &Block, programs: &[Program]) -> Vec<usize> {
    programs.iter().filter_map(|p| place(block, *p, 0)).collect()
}

fn stream(index: usize, block: &Block) -> Vec<Ask> {
    let (Some(ours), Some(same_read)) =
        (place(block, Program::Goodput, 0), place(block, Program::Goodput, 1))
    else {
        return Vec::new();
    };
    let cubic = block.id.starts_with("stream.cubic");
    let bytes: u64 = block.id.rsplit('.').next().and_then(|s| s.parse().ok()).unwrap_or(0);
    let bound = STREAM_SIZES.iter().find(|s| s.0 == bytes).map_or(1.0, |s| s.1);
    let at = format!("{}, {}", size(bytes), if cubic { "cubic" } else { "default congestion control" });
    let ask = |text: String, ours, programs: &[Program], metric, claim, claimed| Ask {
        part: Part::Stream,
        block: index,
        text,
        ours,
        peers: places(block, programs),
        metric,
        claim,
        claimed,
    };
    let mut asks = Vec::new();
    if cubic {
        let claim = Claim::AtLeast(bound);
        let text = format!("stream goodput, {at}");
        asks.push(ask(text.clone(), ours, &[Program::Iperf3], Metric::Goodput, claim, true));
        asks.push(ask(
            format!("{text}, read size of the peer"),
            same_read,
            &[Program::Iperf3],
            Metric::Goodput,
            claim,
            false,
        ));
        asks.push(ask(text, ours, &[Program::Raw], Metric::Goodput, Claim::AtLeast(0.95), true));
        let text = format!("stream CPU a byte, {at}");
        asks.push(ask(text, ours, &[Program::Iperf3], Metric::CpuPerByte, Claim::NotAboveOne, true));
        return asks;
    }
    let tools = [Program::Iperf3, Program::Nuttcp, Program::Xfr];
    let all = [Program::Iperf3, Program::Nuttcp, Program::Xfr, Program::Raw];
    let text = format!("stream goodput, {at}");
    asks.push(ask(format!("{text}, best peer"), ours, &all, Metric::Goodput, Claim::NotBelowOne, true));
    asks.push(ask(
        format!("{text}, best peer, read size of the peer"),
        same_read,
        &all,
        Metric::Goodput,
        Claim::NotBelowOne,
        false,
    ));
    for program in all {
        asks.push(ask(text.clone(), ours, &[program], Metric::Goodput, Claim::NotBelowOne, false));
    }
    let text = format!("stream CPU a byte, {at}, best peer");
    asks.push(ask(text, ours, &tools, Metric::CpuPerByte, Claim::NotAboveOne, true));
    asks
}

fn pingpong(index: usize, block: &Block) -> Vec<Ask> {
    let Some(ours) = place(block, Program::Goodput, 0) else { return Vec::new() };
    let ask = |text: String, metric, claim| Ask {
        part: Part::Pingpong,
        block: index,
        text,
        ours,
        peers: places(block, &[Program::NpTcp]),
        metric,
        claim,
        claimed: true,
    };
    if block.id == "pingpong.native" {
        return vec![
            ask("native sweep, wall time".into(), Metric::Wall, Claim::AtMost(0.4)),
            ask("native sweep, spread between sweeps".into(), Metric::Spread, Claim::NotAboveOne),
            ask(
                "native sweep, coverage of its 95 % intervals".into(),
                Metric::Coverage,
                Claim::Within(0.93, 0.97),
            ),
        ];
    }
    let mut asks = vec![ask(
        "compat sweep, time of sizes above 64 B".into(),
        Metric::Times(65, u64::MAX),
        Claim::Within(0.95, 1.05),
    )];
    for k in 1..6 {
        let (from, to) = (10u64.pow(k), 10u64.pow(k + 1));
        // The claim is for sizes above 64 bytes.
        let text = format!("compat sweep, time of {} to {} B", from.max(65), to - 1);
        asks.push(ask(text, Metric::Times(from.max(65), to), Claim::AtMost(1.05)));
    }
    asks
}

fn request(index: usize, block: &Block) -> Vec<Ask> {
    let (Some(sleeping), Some(spinning)) =
        (place(block, Program::Goodput, 0), place(block, Program::Goodput, 1))
    else {
        return Vec::new();
    };
    let mut asks = Vec::new();
    for program in [Program::Sockperf, Program::Qperf] {
        let ask = |text: &str, ours, metric, claim| Ask {
            part: Part::Request,
            block: index,
            text: text.into(),
            ours,
            peers: places(block, &[program]),
            metric,
            claim,
            claimed: true,
        };
        asks.push(ask(
            "request median round trip, sleeping",
            sleeping,
            Metric::RoundTrip,
            Claim::NotAboveOne,
        ));
        asks.push(ask("request rate, sleeping", sleeping, Metric::Rate, Claim::NotBelowOne));
        asks.push(ask("request rate, spinning", spinning, Metric::Rate, Claim::AtLeast(2.0)));
    }
    asks
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
        Metric::Coverage => {
            let shares = coverage(&ours);
            // A share has no peer, so nothing is allowed for: a resolution of zero.
            Ratios { peer, itself: vec![1.0; shares.len()], pairs: shares }
        }
        metric => {
            let both = |a: &[Option<&Reading>], b: &[Option<&Reading>]| {
                a.iter().zip(b).filter_map(|(a, b)| metric.ratio((*a)?, (*b)?)).collect::<Vec<f64>>()
            };
            let itself = match block.against_itself {
                crate::plan::AgainstItself::Successive => both(&theirs, &theirs[1.min(theirs.len())..]),
                crate::plan::AgainstItself::First => {
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
    fn claims_of_the_issue_are_all_there() {
        let asks = asks(&Plan::new(&ALL, false));
        let claimed = |part| asks.iter().filter(|a| a.part == part && a.claimed).count();
        // Four sizes: iperf3, raw loop, CPU with cubic; goodput and CPU with the default.
        assert_eq!(claimed(Part::Stream), 4 * 3 + 4 * 2);
        // All sizes, five decades; wall time, spread, coverage.
        assert_eq!(claimed(Part::Pingpong), 6 + 3);
        assert_eq!(claimed(Part::Request), 2 * 3);
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
