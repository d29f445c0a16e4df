//! Metrics of request and response.

use crate::metric::{
    CPU_METRICS, CPU_PER_TRANSACTION_METRIC, LATENCY_METRICS, Metric, TRANSACTION_RATE_METRIC,
};

pub(crate) const METRICS: &[&[Metric]] =
    &[&[TRANSACTION_RATE_METRIC, CPU_PER_TRANSACTION_METRIC], LATENCY_METRICS, CPU_METRICS];
