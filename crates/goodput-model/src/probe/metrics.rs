//! The tables of metrics of all probes.

use super::Probe;
use crate::metric::Metric;

macro_rules! metrics {
    ($($variant:ident $module:ident,)*) => {
        const TABLES: &[(&str, &[&[Metric]])] =
            &[$((stringify!($module), super::$module::metrics::METRICS)),*];
    };
}

crate::for_each_probe!(metrics);

impl Probe {
    pub fn metrics(&self) -> impl Iterator<Item = &'static Metric> + use<> {
        let name = self.name();
        Metric::all_by_probe().filter(move |(probe, _)| *probe == name).map(|(_, metric)| metric)
    }

    pub fn metric(&self, name: &str) -> Option<&'static Metric> {
        self.metrics().find(|m| m.name == name)
    }
}

impl Metric {
    pub fn all_by_probe() -> impl Iterator<Item = (&'static str, &'static Metric)> {
        TABLES.iter().flat_map(|(name, tables)| tables.iter().flat_map(move |t| t.iter().map(|m| (*name, m))))
    }
}
