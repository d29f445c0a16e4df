//! Metrics of the difference between two clocks.

use super::result::{ClockDifference, ClockResult};
use crate::metric::{Metric, lower_is_better_metric};
use crate::summary::TrialSummary;

pub(crate) const METRICS: &[&[Metric]] = &[OWN];

fn clock(summary: &TrialSummary) -> Option<&ClockDifference> {
    summary.result.downcast_ref::<ClockResult>()?.clock.as_ref()
}

const OWN: &[Metric] = &[
    lower_is_better_metric(
        "clock.offset_ns",
        "Clock offset",
        "System clock of the listening host minus that of the connecting host.",
        |s| Some(clock(s)?.offset_ns as f64),
    ),
    lower_is_better_metric(
        "clock.error_ns",
        "Clock offset, error bound",
        "The offset is within plus or minus this: half the RTT of the best exchange.",
        |s| Some(clock(s)?.error_ns as f64),
    ),
    lower_is_better_metric(
        "clock.drift_ppm",
        "Clock drift",
        "Change of the offset per time, in parts per million.",
        |s| clock(s)?.drift_ppm,
    ),
    lower_is_better_metric(
        "clock.drift_error_ppm",
        "Clock drift, error bound",
        "The drift is within plus or minus this.",
        |s| clock(s)?.drift_error_ppm,
    ),
    lower_is_better_metric(
        "clock.round_trip_ns",
        "Round trip",
        "Minimum RTT, without the time at the listening host.",
        |s| Some(clock(s)?.round_trip_ns as f64),
    ),
];
