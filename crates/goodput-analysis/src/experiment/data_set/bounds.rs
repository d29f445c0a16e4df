//! The medium's limit at each combination, where the trials name one.

use crate::probe::medium_limit_of_trial;
use goodput_model::Trial;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataSet, TheoreticalBound};

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
            let medium = limit.limiting_medium_or_bus().map_or_else(String::new, |by| format!("{by}: "));
            set.bounds.push(TheoreticalBound {
                measure,
                levels: levels.clone(),
                value: bps as f64,
                reason: format!("{medium}{}: {:.2} Mbit/s", limit.reason, bps as f64 / 1e6),
            });
        }
    }
}
