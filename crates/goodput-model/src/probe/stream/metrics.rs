//! Metrics of bulk TCP.

use crate::metric::{ACTIVE, BYTES, CPU, CPU_PER_KIB, DIRECTIONS, GOODPUT, Metric};

pub(crate) const METRICS: &[&[Metric]] = &[&[GOODPUT, BYTES, ACTIVE, CPU_PER_KIB], DIRECTIONS, CPU];
