//! Request and response: transactions a second and the percentiles of their latency.
//!
//! Series of the connecting end: `latency` (`slot`: number of the 100 ms slot, `value_ns`, `count`).

use super::{Measured, Work, seconds, series};
use crate::latency::Distribution;
use goodput_model::Trial;
use goodput_model::trial::Role;

pub(super) fn measure(trial: &Trial) -> Measured {
    let Some(end) = trial.end(Role::Connect) else { return Measured::default() };
    let elapsed_ns = end.window.elapsed().0;
    let latency = series(end, "latency").and_then(Distribution::from_series);
    Measured {
        elapsed_ns,
        transactions_per_second: seconds(elapsed_ns).map(|s| end.operations as f64 / s),
        latency_ns: latency.and_then(|l| l.summary()),
        work: Some(Work::Transactions(end.operations as f64)),
        ..Measured::default()
    }
}
