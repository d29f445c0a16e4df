//! Durations of executions and level changes from the log, and the estimate of the remaining time.

use crate::execution_plan::ExecutionPlan;
use goodput_analysis::descriptive_statistics::median;
use goodput_model::Nanos;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::execution_record::CellExecution;
use std::collections::BTreeMap;

#[derive(Debug, Clone, Default)]
pub(super) struct ObservedDurations {
    /// In ns since 1970; `None` where it cannot be read.
    last: Option<i128>,
    /// In ns, by the index of their series.
    runs: BTreeMap<usize, Vec<f64>>,
    /// In ns, by factor.
    changes: BTreeMap<String, Vec<f64>>,
}

fn moment(at: &str) -> Option<i128> {
    at.parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_nanosecond)
}

impl ObservedDurations {
    /// Starts a span; earlier time does not count.
    pub(super) fn start_timing(&mut self, at: &str) {
        self.last = moment(at);
    }

    /// `None` for times that run backwards, as after a correction of the clock.
    fn since(&mut self, at: &str) -> Option<f64> {
        let before = std::mem::replace(&mut self.last, moment(at));
        let span = self.last? - before?;
        (span >= 0).then_some(span as f64)
    }

    pub(super) fn record_level_change(&mut self, factor: &str, at: &str) {
        let span = self.since(at);
        self.changes.entry(factor.to_string()).or_default().extend(span);
    }

    pub(super) fn record_execution(&mut self, series: usize, at: &str) {
        let span = self.since(at);
        self.runs.entry(series).or_default().extend(span);
    }

    /// With level changes: the median of the same probe line at the same combination, else of the probe line,
    /// else what is expected. `None` where one of them is unknown.
    pub(super) fn estimate_total_duration<'c>(
        &self,
        plan: &ExecutionPlan,
        cells: impl Iterator<Item = &'c CellExecution>,
        in_place: &FactorLevels,
        expected: impl Fn(&CellExecution) -> Option<Nanos>,
    ) -> Option<Nanos> {
        let own: BTreeMap<usize, f64> =
            self.runs.iter().filter_map(|(s, seen)| Some((*s, median(seen)?))).collect();
        let mut pooled: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        for (series, seen) in &self.runs {
            pooled.entry(&plan.series.get(*series)?.probe).or_default().extend(seen);
        }
        let probes: BTreeMap<&str, f64> =
            pooled.iter().filter_map(|(probe, seen)| Some((*probe, median(seen)?))).collect();
        let changes: BTreeMap<&str, f64> =
            self.changes.iter().filter_map(|(f, seen)| Some((f.as_str(), median(seen)?))).collect();
        let mut before = in_place;
        let mut total = 0.0;
        for cell in cells {
            let series = plan.series_of.get((cell.number as usize).checked_sub(1)?)?;
            let seen = own.get(series).or_else(|| probes.get(cell.probe.as_str())).copied();
            total += match seen {
                Some(seen) => seen,
                None => expected(cell)?.0 as f64,
            };
            let changed = |(factor, level): &(&String, &String)| before.get(*factor) != Some(*level);
            let cost = |(factor, _): (&String, &String)| changes.get(factor.as_str()).copied();
            total += cell.levels.iter().filter(changed).filter_map(cost).sum::<f64>();
            before = &cell.levels;
        }
        Some(Nanos(total as u64))
    }
}
