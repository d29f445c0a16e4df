//! The compared metrics: unit, source, direction.

use crate::contender::{Point, Reading};
use goodput_analysis::descriptive_statistics::median;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Metric {
    Goodput,
    CpuPerByte,
    Rate,
    RoundTrip,
    Wall,
    /// Times of sizes in a range; the median of their ratios.
    Times(u64, u64),
    /// Relative deviation between repeated sweeps, a ratio for each size.
    Spread,
    /// Share of sizes whose interval contains the median of the other sweeps.
    Coverage,
    /// The same after division by each sweep's overall slowness.
    CoverageAtOneSpeed,
    /// Share of sizes where the 95 % interval of a sweep's difference to the one so many later contains 0.
    Agreement(usize),
    /// Per second at the receiver.
    Datagrams,
    /// Busy ns of the whole machine per received datagram.
    CpuPerDatagram,
    /// CPU time of the sender's threads as a share of one CPU; compared with a bound.
    SenderShare,
    /// Busy share of the sender's CPU, by any process; compared with a bound.
    SenderCpuShare,
    /// Relative error of the received rate; compared with a bound.
    RateError,
    Written,
    ReadBack,
    Mix,
    /// User CPU time per operation.
    UserCpu,
    Row(&'static str),
}

impl Metric {
    /// For display.
    pub fn unit(self) -> (&'static str, f64) {
        match self {
            Metric::Goodput => ("Gbit/s", 1e9),
            Metric::CpuPerByte => ("ns/B", 1.0),
            Metric::Rate => ("/s", 1.0),
            Metric::RoundTrip => ("µs", 1e3),
            Metric::Wall => ("s", 1.0),
            Metric::Times(..) | Metric::Spread => ("", 1.0),
            Metric::Coverage | Metric::CoverageAtOneSpeed | Metric::Agreement(_) => ("", 1.0),
            Metric::Datagrams => ("M/s", 1e6),
            Metric::CpuPerDatagram => ("ns", 1.0),
            Metric::SenderShare | Metric::SenderCpuShare | Metric::RateError => ("%", 0.01),
            Metric::Written | Metric::ReadBack | Metric::Mix | Metric::Row(_) => ("MB/s", 8e6),
            Metric::UserCpu => ("µs", 1e3),
        }
    }

    /// `None` for metrics of two or more readings.
    pub fn of(self, reading: &Reading) -> Option<f64> {
        match self {
            Metric::Goodput => reading.goodput_bps,
            Metric::CpuPerByte => reading.cpu_ns_per_byte,
            Metric::Rate => reading.rate,
            Metric::RoundTrip => reading.round_trip_ns,
            Metric::Wall => Some(reading.wall_s),
            Metric::Times(..) | Metric::Spread => None,
            Metric::Coverage | Metric::CoverageAtOneSpeed | Metric::Agreement(_) => None,
            Metric::Datagrams => reading.datagrams_per_second,
            Metric::CpuPerDatagram => reading.cpu_ns_per_datagram,
            Metric::SenderShare => reading.sender_share,
            Metric::SenderCpuShare => reading.sender_cpu_share,
            Metric::RateError => reading.rate_error,
            Metric::Written => reading.written_bps,
            Metric::ReadBack => reading.read_bps,
            Metric::Mix => reading.mix_bps,
            Metric::UserCpu => reading.user_ns_per_operation,
            Metric::Row(name) => reading.rows.get(name).copied(),
        }
    }

    /// True without a peer: compared with a bound.
    pub fn has_no_peer(self) -> bool {
        self.is_share() || self.is_bounded()
    }

    pub fn is_share(self) -> bool {
        matches!(self, Metric::Coverage | Metric::CoverageAtOneSpeed | Metric::Agreement(_))
    }

    /// True for a metric of single trials with a bound.
    pub fn is_bounded(self) -> bool {
        matches!(self, Metric::SenderShare | Metric::SenderCpuShare | Metric::RateError)
    }

    pub fn more_is_better(self) -> bool {
        let of_traffic = matches!(self, Metric::Goodput | Metric::Rate | Metric::Datagrams);
        of_traffic || matches!(self, Metric::Written | Metric::ReadBack | Metric::Mix | Metric::Row(_))
    }

    pub fn ratio(self, over: &Reading, under: &Reading) -> Option<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sweeps_are_compared_size_by_size() {
        let sweep = |times: &[(u64, f64)]| {
            let points = times.iter().map(|&(size, time_ns)| Point { size, time_ns, interval_ns: None });
            Reading { points: points.collect(), ..Reading::default() }
        };
        let (a, b) = (sweep(&[(64, 9.0), (67, 2.0), (100, 6.0)]), sweep(&[(67, 1.0), (100, 2.0), (64, 1.0)]));
        assert_eq!(Metric::Times(65, 1000).ratio(&a, &b), Some(2.5));
        assert_eq!(Metric::Times(65, 100).ratio(&a, &b), Some(2.0));
    }
}
