//! Metrics of the path MTU.

use crate::metric::{Metric, higher_is_better_metric};

pub(crate) const METRICS: &[&[Metric]] = &[OWN];

const OWN: &[Metric] = &[
    higher_is_better_metric(
        "path_mtu.forward",
        "Path MTU, forward",
        "Largest IP packet that passes from the connecting to the listening host.",
        |s| s.path_mtu()?.forward.map(f64::from),
    ),
    higher_is_better_metric(
        "path_mtu.reverse",
        "Path MTU, reverse",
        "Largest IP packet that passes from the listening to the connecting host.",
        |s| s.path_mtu()?.reverse.map(f64::from),
    ),
];
