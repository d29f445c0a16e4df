//! Percentiles of a request trial from its sparse histograms. The series `latency` has one row for each
//! filled bucket of each 100 ms slot: `slot`, `value_ns`, `count`. Values are counted as they are; a second
//! histogram would round twice.

use goodput_model::Series;
use goodput_model::summary::LatencySummary;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LatencyDistribution {
    counts: BTreeMap<u64, u64>,
    total: u64,
}

impl LatencyDistribution {
    /// Negative values are left out.
    pub fn from_values(values: impl IntoIterator<Item = i64>) -> LatencyDistribution {
        let mut found = LatencyDistribution::default();
        values.into_iter().for_each(|v| found.add(v, 1));
        found
    }

    /// All slots of a `latency` series; `None` when a column is missing.
    pub fn from_series(series: &Series) -> Option<LatencyDistribution> {
        LatencyDistribution::from_selected_rows(series, |_| true)
    }

    pub fn from_selected_rows(
        series: &Series,
        wanted: impl Fn(usize) -> bool,
    ) -> Option<LatencyDistribution> {
        let (values, counts) = (series.column("value_ns")?, series.column("count")?);
        let mut found = LatencyDistribution::default();
        let rows = values.iter().zip(counts).enumerate().filter(|(row, _)| wanted(*row));
        rows.for_each(|(_, (v, n))| found.add(*v, *n));
        Some(found)
    }

    fn add(&mut self, value: i64, count: i64) {
        if let (Ok(value), Ok(count)) = (u64::try_from(value), u64::try_from(count))
            && count > 0
        {
            let slot = self.counts.entry(value).or_default();
            *slot = slot.saturating_add(count);
            self.total = self.total.saturating_add(count);
        }
    }

    pub fn merge(mut self, other: LatencyDistribution) -> LatencyDistribution {
        for (value, n) in other.counts {
            let slot = self.counts.entry(value).or_default();
            *slot = slot.saturating_add(n);
        }
        self.total = self.total.saturating_add(other.total);
        self
    }

    pub fn count(&self) -> u64 {
        self.total
    }

    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.counts.iter().map(|(v, n)| (*v, *n))
    }

    pub fn min(&self) -> Option<u64> {
        self.counts.keys().next().copied()
    }

    pub fn max(&self) -> Option<u64> {
        self.counts.keys().next_back().copied()
    }

    pub fn mean(&self) -> Option<u64> {
        if self.total == 0 {
            return None;
        }
        let sum = self.iter().fold(0u128, |s, (v, n)| s.saturating_add(u128::from(v) * u128::from(n)));
        u64::try_from(sum.saturating_add(u128::from(self.total) / 2) / u128::from(self.total)).ok()
    }

    /// Nearest rank, as in HdrHistogram: the least value that a share `q` of all values does not exceed.
    pub fn quantile(&self, q: f64) -> Option<u64> {
        // Slightly less, so that a product such as 0.07 · 100 = 7.000000000000001 does not become rank 8.
        let rank = (q.clamp(0.0, 1.0) * self.total as f64 * (1.0 - 1e-12)).ceil();
        let wanted = (rank as u64).clamp(1, self.total.max(1));
        let mut seen = 0u64;
        for (value, count) in self.iter() {
            seen = seen.saturating_add(count);
            if seen >= wanted {
                return Some(value);
            }
        }
        None
    }

    pub fn to_summary(&self) -> Option<LatencySummary> {
        Some(LatencySummary {
            count: self.count(),
            min: self.min()?,
            mean: self.mean()?,
            p50: self.quantile(0.5)?,
            p90: self.quantile(0.9)?,
            p99: self.quantile(0.99)?,
            p999: self.quantile(0.999)?,
            p9999: self.quantile(0.9999)?,
            max: self.max()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::SplitMix64;

    #[test]
    fn a_stall_in_open_loop_charges_every_transaction_it_delayed() {
        // 10 s at 1,000/s; a stall of 200 ms delays the 200 transactions due in it by 200, 199, … 1 ms. 1 %
        // of 10,000 are slower than the 100th of these.
        let with = |usual: usize, slow: Vec<i64>| {
            let slow = slow.into_iter().map(|ms| ms * 1_000_000);
            LatencyDistribution::from_values(vec![50_000; usual].into_iter().chain(slow))
                .to_summary()
                .unwrap()
        };
        let (open, closed) = (with(9_800, (1..=200).collect()), with(9_999, vec![200]));
        assert_eq!((open.p50, open.p99, open.max), (50_000, 100_000_000, 200_000_000));
        assert_eq!((closed.p9999, closed.max), (50_000, 200_000_000));
    }

    #[test]
    fn percentiles_agree_with_hdrhistogram() {
        // The library's own percentiles, which are on bucket borders with three digits.
        let mut outside = hdrhistogram::Histogram::<u64>::new(3).unwrap();
        let mut random = SplitMix64::new(3);
        let values: Vec<i64> =
            (0..50_000).map(|_| (1_000 << random.next_below(12)) + random.next_below(9_999) as i64).collect();
        values.iter().for_each(|v| outside.record(*v as u64).unwrap());
        let ours = LatencyDistribution::from_values(values);
        for q in [0.0, 0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0] {
            let found = ours.quantile(q).unwrap();
            assert!(outside.equivalent(found, outside.value_at_quantile(q)), "{q}: {found}");
        }
        assert_eq!(ours.count(), outside.len());
        assert!((ours.mean().unwrap() as f64 / outside.mean() - 1.0).abs() < 1e-3);
    }

    #[test]
    fn slots_are_added_up_and_degenerate_series_answered() {
        let columns = vec![("slot", vec![0, 0, 1]), ("value_ns", vec![10, 20, 10]), ("count", vec![3, 1, 6])];
        let found = LatencyDistribution::from_series(&Series::new("latency", columns)).unwrap();
        assert_eq!(found.iter().collect::<Vec<_>>(), [(10, 9), (20, 1)]);
        assert_eq!((found.mean(), found.quantile(0.9), found.quantile(0.91)), (Some(11), Some(10), Some(20)));
        assert_eq!(LatencyDistribution::default().to_summary(), None);
        assert_eq!(LatencyDistribution::from_series(&Series::new("latency", vec![])), None);
        let odd = LatencyDistribution::from_values([i64::MIN, -1, 0, i64::MAX]);
        assert_eq!((odd.count(), odd.max()), (2, Some(i64::MAX as u64)));
        let mut full = LatencyDistribution::default();
        (0..4).for_each(|_| full.add(i64::MAX, i64::MAX));
        assert_eq!(full.to_summary().unwrap().p50, i64::MAX as u64);
    }
}
