//! Metrics of bulk TCP.

use crate::experiment::Better::Higher;
use crate::metric::{ACTIVE, BYTES, CPU, CPU_PER_KIB, DIRECTIONS, GOODPUT, Metric, trial};
use crate::summary::StreamResult;

pub(crate) const METRICS: &[&[Metric]] = &[&[GOODPUT, BYTES, ACTIVE, CPU_PER_KIB], DIRECTIONS, CPU, OWN];

const OWN: &[Metric] = &[trial(
    "fairness_index",
    "Fairness of connections",
    Higher,
    "Jain's index of the connections' goodput: 1 where all are equal, 1/n where one has everything.",
    |s| s.result.get::<StreamResult>()?.fairness_index,
)];
