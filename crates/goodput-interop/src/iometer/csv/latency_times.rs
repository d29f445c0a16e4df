//! The response times of a row, as far as they are measured.

use super::metrics::{ManagerMetrics, requests_have_replies};
use goodput_analysis::latency::LatencyDistribution;
use goodput_model::load::Load;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

/// Bins of the newer layout: heading and upper edge in ns. A value on an edge belongs to the higher bin.
pub(super) const LATENCY_BINS: [(&str, u64); 21] = [
    ("0 to 50 uS", 50 * US),
    ("50 to 100 uS", 100 * US),
    ("100 to 200 uS", 200 * US),
    ("200 to 500 uS", 500 * US),
    ("0.5 to 1 mS", MS),
    ("1 to 2 mS", 2 * MS),
    ("2 to 5 mS", 5 * MS),
    ("5 to 10 mS", 10 * MS),
    ("10 to 15 mS", 15 * MS),
    ("15 to 20 mS", 20 * MS),
    ("20 to 30 mS", 30 * MS),
    ("30 to 50 mS", 50 * MS),
    ("50 to 100 mS", 100 * MS),
    ("100 to 200 mS", 200 * MS),
    ("200 to 500 mS", 500 * MS),
    ("0.5 to 1 S", 1_000 * MS),
    ("1 to 2 s", 2_000 * MS),
    ("2 to 4.7 s", 4_700 * MS),
    ("4.7 to 5 s", 5_000 * MS),
    ("5 to 10 s", 10_000 * MS),
    (" >= 10 s", u64::MAX),
];

#[derive(Clone, Copy)]
pub(super) enum LatencyMeasurement<'a> {
    /// None of this kind: IOmeter writes 0.
    None,
    /// Not measured at this end.
    Unknown,
    Known(&'a LatencyDistribution),
}

impl LatencyMeasurement<'_> {
    fn figure<T: Default>(self, of: impl FnOnce(&LatencyDistribution) -> Option<T>) -> Option<T> {
        match self {
            LatencyMeasurement::None => Some(T::default()),
            LatencyMeasurement::Unknown => None,
            LatencyMeasurement::Known(d) => of(d),
        }
    }

    /// In ns, from the unrounded sum.
    pub fn mean_ns(self) -> Option<f64> {
        self.figure(|d| Some(sum(d) as f64 / d.count().max(1) as f64))
    }

    pub fn max_ns(self) -> Option<u64> {
        self.figure(|d| d.max())
    }

    pub fn total_ns(self) -> Option<u64> {
        self.figure(|d| u64::try_from(sum(d)).ok())
    }
}

fn sum(d: &LatencyDistribution) -> u128 {
    d.iter().fold(0, |sum, (value, n)| sum + u128::from(value) * u128::from(n))
}

pub(super) struct OperationLatencies<'a> {
    pub any: LatencyMeasurement<'a>,
    pub read: LatencyMeasurement<'a>,
    pub write: LatencyMeasurement<'a>,
    pub transaction: LatencyMeasurement<'a>,
    pub connection: LatencyMeasurement<'a>,
}

impl<'a> OperationLatencies<'a> {
    /// A write is timed at handover to the kernel, a transaction with a reply from its request. The duration
    /// of a read, mainly waiting for the other end, is not measured.
    pub fn from_metrics(load: &Load, m: &'a ManagerMetrics) -> OperationLatencies<'a> {
        let known = |d: &'a Option<LatencyDistribution>| {
            d.as_ref().map_or(LatencyMeasurement::Unknown, LatencyMeasurement::Known)
        };
        let none = |count: Option<u64>| count == Some(0);
        let reads = none(m.ios.map(|(reads, _)| reads));
        let writes = none(m.ios.map(|(_, writes)| writes));
        let with_reply = requests_have_replies(load);
        let read = if reads { LatencyMeasurement::None } else { LatencyMeasurement::Unknown };
        let write = match with_reply {
            _ if writes => LatencyMeasurement::None,
            Some(false) => known(&m.writes),
            _ => LatencyMeasurement::Unknown,
        };
        // Without replies only an end that does nothing but write times all transactions.
        let any = match (with_reply, reads, writes) {
            (_, true, true) => LatencyMeasurement::None,
            (Some(false), true, _) => write,
            _ => LatencyMeasurement::Unknown,
        };
        let transaction = if with_reply == Some(true) { known(&m.transactions) } else { any };
        let connection = match load.transactions_per_connection {
            None => LatencyMeasurement::None,
            Some(_) => known(&m.connects),
        };
        OperationLatencies { any, read, write, transaction, connection }
    }

    /// Response times, or times of transactions where there are replies.
    pub fn latency_histogram(&self) -> Option<[u64; LATENCY_BINS.len()]> {
        match (self.any, self.transaction) {
            (LatencyMeasurement::Known(d), _) | (_, LatencyMeasurement::Known(d)) => Some(bins(d)),
            _ => None,
        }
    }
}

fn bins(d: &LatencyDistribution) -> [u64; LATENCY_BINS.len()] {
    let mut bins = [0u64; LATENCY_BINS.len()];
    for (value, n) in d.iter() {
        let bin = LATENCY_BINS.partition_point(|(_, end)| *end <= value);
        if let Some(bin) = bins.get_mut(bin.min(LATENCY_BINS.len() - 1)) {
            *bin = bin.saturating_add(n);
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_in_one_bin() {
        let ns = [0, 49_999, 50_000, 99_999, 14_950_000, 4_100_000_000, 10_000_000_000, i64::MAX];
        let d = LatencyDistribution::from_values(ns);
        let bins = bins(&d);
        assert_eq!(bins.iter().sum::<u64>(), 8);
        // Unlike in IOmeter the edges at 15 ms and 4.7 s are right, and the last bin is used.
        assert_eq!((bins[0], bins[1], bins[8], bins[17], bins[20]), (2, 2, 1, 1, 2));
    }
}
