//! Metrics of the path MTU.

use crate::experiment::BetterDirection::Higher;
use crate::metric::{Metric, trial_metric};

pub(crate) const METRICS: &[&[Metric]] = &[OWN];

const OWN: &[Metric] = &[
    trial_metric(
        "path_mtu.forward",
        "Path MTU, forward",
        Higher,
        "Largest IP packet that passes from the connecting to the listening host.",
        |s| s.path_mtu()?.forward.map(f64::from),
    ),
    trial_metric(
        "path_mtu.reverse",
        "Path MTU, reverse",
        Higher,
        "Largest IP packet that passes from the listening to the connecting host.",
        |s| s.path_mtu()?.reverse.map(f64::from),
    ),
];
