//! The numbers of a result. Each is declared once, as a [`Metric`] in the table of its probe.
//!
//! ```
//! use goodput_model::{Probe, Request, summary::TrialSummary};
//! let summary = TrialSummary::empty(Probe::Request(Request::default()));
//! for metric in summary.probe.metrics() {
//!     for value in metric.all_values(&summary) {
//!         println!("{}: {} {}", metric.indexed_metric_name(&value), value.value, metric.unit());
//!     }
//! }
//! ```
//!
//! Numbers deeper in the document (`file_run.rows[…].iops.median`) are not declared; [`unit_of_metric`] and [`default_better_direction`]
//! derive both from the name.

mod common;
mod name;

pub(crate) use common::{
    ACTIVE_TRANSFER_TIME_METRIC, BYTES_METRIC, CPU_METRICS, CPU_PER_DATAGRAM_METRIC, CPU_PER_KIB_METRIC,
    CPU_PER_TRANSACTION_METRIC, GOODPUT_METRIC, LATENCY_METRICS, PER_DIRECTION_METRICS,
    TRANSACTION_RATE_METRIC,
};
pub use name::{check_metric_name, default_better_direction, metric_name_prefix, unit_of_metric};

use crate::experiment::BetterDirection;
use crate::summary::{DirectionSummary, HostSummary, PingPongPoint, TrialSummary};

#[derive(Debug, Clone, Copy)]
pub struct Metric {
    /// For example `latency_ns.p99` or `directions[].goodput_bps`.
    pub name: &'static str,
    /// Heading of a column, a row or an axis, without the unit.
    pub label: &'static str,
    pub better: BetterDirection,
    pub meaning: &'static str,
    pub source: MetricSource,
}

#[derive(Debug, Clone, Copy)]
pub enum MetricSource {
    Trial(fn(&TrialSummary) -> Option<f64>),
    Direction(fn(&DirectionSummary) -> Option<f64>),
    Point(fn(&PingPongPoint) -> Option<f64>),
    Host(fn(&HostSummary) -> Option<f64>),
}

#[derive(Debug, Clone, PartialEq)]
pub struct MetricValue {
    /// The direction, the message size or the host; `None` for the trial as a whole.
    pub element: Option<String>,
    pub value: f64,
}

/// A metric of the trial as a whole that improves when it is higher.
pub(crate) const fn higher_is_better_metric(
    name: &'static str,
    label: &'static str,
    meaning: &'static str,
    get: fn(&TrialSummary) -> Option<f64>,
) -> Metric {
    Metric { name, label, better: BetterDirection::Higher, meaning, source: MetricSource::Trial(get) }
}

/// A metric of the trial as a whole that improves when it is lower.
pub(crate) const fn lower_is_better_metric(
    name: &'static str,
    label: &'static str,
    meaning: &'static str,
    get: fn(&TrialSummary) -> Option<f64>,
) -> Metric {
    Metric { better: BetterDirection::Lower, ..higher_is_better_metric(name, label, meaning, get) }
}

impl Metric {
    /// True where no other probe yields it.
    pub fn is_probe_specific(&self) -> bool {
        Metric::all_by_probe().filter(|(_, metric)| metric.name == self.name).count() == 1
    }

    pub fn unit(&self) -> &'static str {
        unit_of_metric(self.name)
    }

    /// Value of the trial as a whole; `None` where not measured or given for each element.
    pub fn trial_value(&self, summary: &TrialSummary) -> Option<f64> {
        match self.source {
            MetricSource::Trial(get) => get(summary).filter(|v| v.is_finite()),
            _ => None,
        }
    }

    pub fn all_values(&self, summary: &TrialSummary) -> Vec<MetricValue> {
        fn each<T>(all: &[T], name: fn(&T) -> String, get: fn(&T) -> Option<f64>) -> Vec<MetricValue> {
            let one = |t: &T| Some(MetricValue { element: Some(name(t)), value: get(t)? });
            all.iter().filter_map(one).filter(|v| v.value.is_finite()).collect()
        }
        match self.source {
            MetricSource::Trial(_) => self
                .trial_value(summary)
                .map(|value| MetricValue { element: None, value })
                .into_iter()
                .collect(),
            MetricSource::Direction(get) => {
                each(summary.direction_summaries(), |d| d.direction.name().to_string(), get)
            }
            MetricSource::Point(get) => each(summary.pingpong_points(), |p| p.size_bytes.to_string(), get),
            MetricSource::Host(get) => each(&summary.hosts, |h| h.name.clone(), get),
        }
    }

    /// For example `directions[send].goodput_bps`.
    pub fn indexed_metric_name(&self, value: &MetricValue) -> String {
        match &value.element {
            Some(element) => self.name.replacen("[]", &format!("[{element}]"), 1),
            None => self.name.to_string(),
        }
    }
}

pub(crate) fn count_to_f64(value: Option<u64>) -> Option<f64> {
    value.map(|v| v as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::probe::{Probe, Request, Stream};
    use std::collections::BTreeSet;

    #[test]
    fn each_name_is_declared_once_a_probe_and_is_possible() {
        let mut names = BTreeSet::new();
        for (probe, metric) in Metric::all_by_probe() {
            assert!(names.insert((probe, metric.name)), "{} twice in {probe}", metric.name);
            assert_eq!(check_metric_name(metric.name), Ok(()), "{}", metric.name);
            assert!(metric.meaning.ends_with('.') && !metric.label.ends_with('.'), "{}", metric.name);
            assert_eq!(default_better_direction(metric.name), metric.better, "{}", metric.name);
        }
    }

    #[test]
    fn values_are_those_of_the_result() {
        let mut summary = TrialSummary::empty(Probe::Stream(Stream::default()));
        summary.goodput_bps = Some(5);
        let metric = summary.probe.metric("goodput_bps").unwrap();
        assert_eq!((metric.trial_value(&summary), metric.unit()), (Some(5.0), "bit/s"));
        let values = metric.all_values(&summary);
        assert_eq!(metric.indexed_metric_name(&values[0]), "goodput_bps");
        let request = TrialSummary::empty(Probe::Request(Request::default()));
        assert!(request.probe.metrics().all(|m| m.all_values(&request).is_empty()));
    }
}
