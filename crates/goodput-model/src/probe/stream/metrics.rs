//! Metrics of bulk TCP.

use crate::metric::{
    ACTIVE_TRANSFER_TIME_METRIC, BYTES_METRIC, CPU_METRICS, CPU_PER_KIB_METRIC, GOODPUT_METRIC, Metric,
    PER_DIRECTION_METRICS, count_to_f64, higher_is_better_metric, lower_is_better_metric,
};
use crate::summary::StreamResult;

pub(crate) const METRICS: &[&[Metric]] = &[
    &[GOODPUT_METRIC, BYTES_METRIC, ACTIVE_TRANSFER_TIME_METRIC, CPU_PER_KIB_METRIC],
    PER_DIRECTION_METRICS,
    CPU_METRICS,
    OWN,
];

const OWN: &[Metric] = &[
    higher_is_better_metric(
        "fairness_index",
        "Fairness of connections",
        "Jain's index of the connections' goodput: 1 where all are equal, 1/n where one has everything.",
        |s| s.result.downcast_ref::<StreamResult>()?.fairness_index,
    ),
    lower_is_better_metric(
        "transfer_ns",
        "Transfer time, sender's clock",
        "Time from the sender's first write to the receiver's confirmation of a fixed amount of data.",
        |s| count_to_f64(s.result.downcast_ref::<StreamResult>()?.transfer_ns),
    ),
    higher_is_better_metric(
        "transfer_bps",
        "Transfer rate, sender's clock",
        "A fixed amount of user data per second of its transfer time.",
        |s| count_to_f64(s.result.downcast_ref::<StreamResult>()?.transfer_bps),
    ),
];
