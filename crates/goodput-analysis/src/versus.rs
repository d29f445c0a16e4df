//! What two runs measured with the same settings, and whether a change between them is real.
//!
//! Trials of equal settings are put together (the seed and the names of the hosts may differ). The interval of a change
//! is that of the ratio of two means, by bootstrap: over trials where each run has at least three of them, else over the
//! seconds within the trials, which knows nothing of what changes from one trial to the next and says so.

mod file;

use crate::curve::server_cpu;
use crate::describe::{in_order, mean, quantile_of_sorted};
use crate::random::SplitMix64;
use goodput_model::change::{Basis, Change, Compared, Measured, Quantity, Verdict};
use goodput_model::load::Traffic;
use goodput_model::probe::{PingPongMethod, RequestKind};
use goodput_model::summary::Summary;
use goodput_model::{Load, Outcome, Probe};

/// Least trials of a run whose spread says anything.
const LEAST_TRIALS: usize = 3;
/// Least seconds of a trial whose spread says anything.
const LEAST_SECONDS: usize = 4;
/// Resamples of a ratio.
const RESAMPLES: usize = 10_000;
/// Length of a block of interval samples. Neighbouring samples of 100 ms depend on each other; seconds hardly do.
const BLOCK_NS: u64 = 1_000_000_000;

/// What both runs measured, in the order of the first. Trials that broke off are passed over.
pub fn compare(first: &[Summary], second: &[Summary]) -> Vec<Compared> {
    let (first, second) = (groups(first), groups(second));
    let mut compared = Vec::new();
    for group in &first {
        let Some(other) = second.iter().find(|g| g.settings == group.settings) else { continue };
        for quantity in quantities(&group.settings) {
            compared.extend(one(&group.what, *quantity, &group.trials, &other.trials));
        }
    }
    compared
}

/// Trials of equal settings.
struct Group<'a> {
    settings: Probe,
    what: String,
    trials: Vec<&'a Summary>,
}

fn groups(summaries: &[Summary]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for summary in summaries.iter().filter(|s| s.outcome == Outcome::Complete) {
        let settings = without_chance(&summary.probe);
        match groups.iter_mut().find(|g| g.settings == settings) {
            Some(group) => group.trials.push(summary),
            None => groups.push(Group { what: words(&settings), settings, trials: vec![summary] }),
        }
    }
    groups
}

/// The settings without what may differ between two runs of the same measurement: seeds, and what hosts are called.
fn without_chance(probe: &Probe) -> Probe {
    let mut probe = probe.clone();
    match &mut probe {
        Probe::PingPong(p) => {
            if let PingPongMethod::Native { seed, .. } = &mut p.method {
                *seed = 0;
            }
        }
        Probe::Load(l) => {
            l.seed = 0;
            l.clients = (1..=l.clients.len()).map(|n| n.to_string()).collect();
        }
        Probe::File(f) => file::without_chance(f),
        _ => {}
    }
    probe
}

/// Settings in a few words.
fn words(probe: &Probe) -> String {
    let way = |d: goodput_model::probe::Direction| format!("{d:?}").to_lowercase();
    match probe {
        Probe::Stream(s) => format!(
            "stream {}, {} B, {} connection{}",
            way(s.direction),
            s.message.0,
            s.connections,
            if s.connections == 1 { "" } else { "s" }
        ),
        Probe::Datagram(d) => format!("datagram {}, {} B", way(d.direction), d.size.0),
        Probe::Request(r) => {
            let kind = match r.transport {
                RequestKind::TcpRr => "tcp_rr",
                RequestKind::UdpRr => "udp_rr",
                RequestKind::TcpCrr => "tcp_crr",
            };
            format!("request {kind}, {} and {} B", r.request.0, r.response.0)
        }
        Probe::Latency(l) => match l.load {
            None => "latency, idle".to_string(),
            Some(direction) => format!("latency under {}", way(direction)),
        },
        Probe::Load(l) => load_words(l),
        Probe::File(f) => file::words(f),
        Probe::PingPong(_) | Probe::Mtu(_) => probe.name().to_string(),
    }
}

fn load_words(load: &Load) -> String {
    let traffic = match load.traffic() {
        Traffic::Transmit => "transmit",
        Traffic::Receive => "receive",
        Traffic::Duplex => "duplex",
        Traffic::Mixed => "mixed",
    };
    let size = load.size().map_or_else(
        || load.mixes.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(" + "),
        |size| format!("{} B", size.0),
    );
    format!("load {traffic}, {size}, {} clients", load.busy_clients())
}

/// What can be compared of a kind of trial.
fn quantities(probe: &Probe) -> &'static [Quantity] {
    match probe {
        Probe::File(f) => file::quantities(f),
        Probe::Stream(_) | Probe::Datagram(_) | Probe::Load(_) => {
            &[Quantity::GoodputBps, Quantity::CpuPercent, Quantity::PeIndex]
        }
        Probe::Request(_) => {
            &[Quantity::TransactionsPerSecond, Quantity::LatencyP50Ns, Quantity::LatencyP99Ns]
        }
        Probe::Latency(_) => &[Quantity::LatencyP50Ns, Quantity::LatencyP99Ns],
        Probe::PingPong(_) => &[Quantity::HalfRoundTripNs, Quantity::GoodputBps],
        Probe::Mtu(_) => &[],
    }
}

fn value(summary: &Summary, quantity: Quantity) -> Option<f64> {
    match quantity {
        Quantity::GoodputBps | Quantity::PayloadBps => {
            summary.goodput_bps.or(summary.sweep.map(|s| s.best_bps)).map(|bps| bps as f64)
        }
        Quantity::TransactionsPerSecond | Quantity::OperationsPerSecond => summary.transactions_per_second,
        Quantity::AcceptedBps => file::accepted(summary),
        Quantity::DurableBps => file::durable(summary),
        Quantity::LatencyP50Ns => summary.latency_ns.map(|l| l.p50 as f64),
        Quantity::LatencyP99Ns => summary.latency_ns.map(|l| l.p99 as f64),
        Quantity::HalfRoundTripNs => summary.sweep.map(|s| s.latency_ns),
        Quantity::CpuPercent => server_cpu(summary).map(|c| c.busy_percent),
        Quantity::PeIndex => summary.pe_index,
    }
}

/// One quantity of two groups; `None` where a side has no figure at all.
fn one(what: &str, quantity: Quantity, first: &[&Summary], second: &[&Summary]) -> Option<Compared> {
    let of = |trials: &[&Summary]| -> Vec<f64> {
        trials.iter().filter_map(|s| value(s, quantity)).filter(|v| v.is_finite()).collect()
    };
    let (a, b) = (of(first), of(second));
    let (mean_a, mean_b) = (mean(&a)?, mean(&b)?);
    let (interval, basis) = if a.len() >= LEAST_TRIALS && b.len() >= LEAST_TRIALS {
        (ratio_interval(&a, &b), Basis::Trials)
    } else if matches!(quantity, Quantity::GoodputBps | Quantity::PayloadBps) {
        let seconds =
            |trials: &[&Summary]| -> Vec<f64> { trials.iter().flat_map(|s| seconds_of(s)).collect() };
        let (a, b) = (seconds(first), seconds(second));
        let enough = a.len() >= LEAST_SECONDS && b.len() >= LEAST_SECONDS;
        let interval = if enough { ratio_interval(&a, &b) } else { None };
        (interval, if interval.is_some() { Basis::Seconds } else { Basis::Nothing })
    } else {
        (None, Basis::Nothing)
    };
    let percent = |ratio: f64| (ratio - 1.0) * 100.0;
    let verdict = match interval {
        None => Verdict::CannotTell,
        Some((low, high)) if low <= 1.0 && high >= 1.0 => Verdict::NoneShown,
        Some((low, _)) if (low > 1.0) == quantity.more_is_better() => Verdict::Better,
        Some(_) => Verdict::Worse,
    };
    Some(Compared {
        what: what.to_string(),
        quantity,
        first: Measured { mean: mean_a, trials: a.len() as u32 },
        second: Measured { mean: mean_b, trials: b.len() as u32 },
        change: Change {
            percent: (mean_a > 0.0).then(|| percent(mean_b / mean_a)),
            interval_percent: interval.map(|(low, high)| (percent(low), percent(high))),
            verdict,
            basis: if interval.is_some() { basis } else { Basis::Nothing },
        },
    })
}

/// Goodput of each whole second of a trial, all directions together, in bit/s.
fn seconds_of(summary: &Summary) -> Vec<f64> {
    let samples: Vec<(u64, u64)> = match (&summary.load, &summary.file) {
        (Some(load), _) => load.intervals.iter().map(|(end, out, back)| (*end, out + back)).collect(),
        (None, Some(file)) => file.intervals.clone(),
        (None, None) => summary.directions.iter().flat_map(|d| d.intervals.iter().copied()).collect(),
    };
    let blocks = (summary.elapsed_ns / BLOCK_NS) as usize;
    let mut bytes = vec![0u64; blocks];
    for (end, moved) in samples {
        // An interval belongs to the second in which it ends, the edge itself to the second before it.
        if let Some(block) = bytes.get_mut((end.saturating_sub(1) / BLOCK_NS) as usize) {
            *block += moved;
        }
    }
    bytes.into_iter().map(|b| b as f64 * 8.0 * 1e9 / BLOCK_NS as f64).collect()
}

/// 95 % percentile-bootstrap interval of mean(second) / mean(first), each resampled by itself (Efron and Tibshirani 1993,
/// chapter 16). `None` where a resample of the first can be zero.
fn ratio_interval(first: &[f64], second: &[f64]) -> Option<(f64, f64)> {
    if first.iter().any(|v| *v <= 0.0) || second.is_empty() {
        return None;
    }
    let mut random = SplitMix64::new(0x0067_6f6f_6470_7574);
    let mut draw = |values: &[f64]| {
        let sum: f64 = (0..values.len()).map(|_| values[random.below(values.len())]).sum();
        sum / values.len() as f64
    };
    let ratios: Vec<f64> = (0..RESAMPLES).map(|_| draw(second) / draw(first)).collect();
    let sorted = in_order(&ratios);
    Some((quantile_of_sorted(&sorted, 0.025)?, quantile_of_sorted(&sorted, 0.975)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_have_no_width() {
        assert_eq!(ratio_interval(&[2.0, 2.0, 2.0], &[3.0, 3.0, 3.0]), Some((1.5, 1.5)));
        assert_eq!(ratio_interval(&[0.0, 2.0], &[3.0]), None);
    }

    #[test]
    fn the_interval_holds_the_truth_and_shrinks() {
        let mut random = SplitMix64::new(5);
        let mut noisy = |centre: f64, n: usize| -> Vec<f64> {
            (0..n).map(|_| centre * (0.95 + random.below(1001) as f64 / 10_000.0)).collect()
        };
        let (few_a, few_b) = (noisy(100.0, 5), noisy(110.0, 5));
        let (many_a, many_b) = (noisy(100.0, 50), noisy(110.0, 50));
        let (few, many) =
            (ratio_interval(&few_a, &few_b).unwrap(), ratio_interval(&many_a, &many_b).unwrap());
        assert!(many.0 < 1.1 && many.1 > 1.1, "{many:?}");
        assert!(many.1 - many.0 < few.1 - few.0, "{few:?} {many:?}");
        assert!(many.0 > 1.0, "a tenth more is seen: {many:?}");
    }

    #[test]
    fn of_equal_distributions_no_change_is_shown_nineteen_times_in_twenty() {
        let mut random = SplitMix64::new(11);
        let mut shown = 0;
        for _ in 0..200 {
            let mut draw =
                || -> Vec<f64> { (0..12).map(|_| 90.0 + random.below(2001) as f64 / 100.0).collect() };
            let (a, b) = (draw(), draw());
            let (low, high) = ratio_interval(&a, &b).unwrap();
            shown += usize::from(low > 1.0 || high < 1.0);
        }
        // 5 % of 200 are 10; a bootstrap over 12 values is a little narrow.
        assert!((2..=24).contains(&shown), "{shown} of 200");
    }
}
