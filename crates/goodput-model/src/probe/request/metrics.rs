//! Metrics of request and response.

use crate::metric::{CPU, CPU_PER_TRANSACTION, LATENCY, Metric, TRANSACTIONS};

pub(crate) const METRICS: &[&[Metric]] = &[&[TRANSACTIONS, CPU_PER_TRANSACTION], LATENCY, CPU];
