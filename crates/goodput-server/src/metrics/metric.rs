//! One metric with its samples, independent of the output format.

use prometheus_client::metrics::TypedMetric;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{self, Registry};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

pub type MetricLabels = Vec<(&'static str, String)>;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    Gauge,
    Counter,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Metric {
    name: &'static str,
    pub help: &'static str,
    pub kind: MetricKind,
    pub samples: BTreeMap<MetricLabels, f64>,
}

impl Metric {
    /// For equal labels the last value counts.
    pub fn gauge(
        name: &'static str,
        help: &'static str,
        samples: impl IntoIterator<Item = (MetricLabels, f64)>,
    ) -> Metric {
        Metric { name, help, kind: MetricKind::Gauge, samples: samples.into_iter().collect() }
    }

    /// `name` is without `_total`. Values of equal labels are added.
    pub fn counter(
        name: &'static str,
        help: &'static str,
        values: impl IntoIterator<Item = (MetricLabels, f64)>,
    ) -> Metric {
        let mut samples = BTreeMap::new();
        for (labels, value) in values {
            *samples.entry(labels).or_insert(0.0) += value;
        }
        Metric { name, help, kind: MetricKind::Counter, samples }
    }

    /// The name in `docs/metrics.md`.
    pub fn name(&self) -> String {
        match self.kind {
            MetricKind::Gauge => self.name.to_string(),
            MetricKind::Counter => format!("{}_total", self.name),
        }
    }

    /// The registry appends `_total` to counters itself.
    pub fn register(&self, registry: &mut Registry) {
        match self.kind {
            MetricKind::Gauge => self.register_as(registry, |gauge: &Gauge<f64, AtomicU64>, value| {
                gauge.set(value);
            }),
            MetricKind::Counter => self.register_as(registry, |counter: &Counter<f64, AtomicU64>, value| {
                counter.inc_by(value);
            }),
        }
    }

    fn register_as<M>(&self, registry: &mut Registry, put: fn(&M, f64))
    where
        M: registry::Metric + TypedMetric + Default,
    {
        if let Some(alone) = self.samples.get(&MetricLabels::new()) {
            let metric = M::default();
            put(&metric, *alone);
            registry.register(self.name, self.help, metric);
        } else {
            let family = Family::<MetricLabels, M>::default();
            for (labels, value) in &self.samples {
                put(&family.get_or_create(labels), *value);
            }
            registry.register(self.name, self.help, family);
        }
    }
}
