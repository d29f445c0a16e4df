//! The medium's limit at each combination, where the trials name one.

use crate::probe::medium_limit_of_trial;
use crate::ungrouped_arg;
use goodput_model::Trial;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataSet, TheoreticalBound};
use goodput_words::message;

const BOUNDED: &str = "goodput_bps";

/// Adds a bound for each combination of this measure, by its first trial. Other measures have none.
pub(super) fn add_theoretical_bounds<'a>(
    set: &mut DataSet,
    measure: usize,
    trials: impl Iterator<Item = (&'a FactorLevels, &'a Trial)>,
) {
    if set.measures.get(measure).is_none_or(|m| m.figure != BOUNDED) {
        return;
    }
    for (levels, trial) in trials {
        if set.bounds.iter().any(|b| b.measure == measure && b.levels == *levels) {
            continue;
        }
        let limit = medium_limit_of_trial(trial);
        if let Some(bps) = limit.goodput_bps {
            let (rate, reason) = (ungrouped_arg(bps as f64 / 1e6, 2, "Mbit/s"), limit.reason.clone());
            let reason = match limit.limiting_medium_or_bus() {
                Some(medium) => message!(part_limit_bound_on { medium, reason, rate }),
                None => message!(part_limit_bound { reason, rate }),
            };
            set.bounds.push(TheoreticalBound { measure, levels: levels.clone(), value: bps as f64, reason });
        }
    }
}
