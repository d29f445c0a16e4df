//! The medium's limit at each combination, where the trials name one.

use crate::probe::limit_of;
use goodput_model::Trial;
use goodput_model::experiment::Levels;
use goodput_model::experiment::data::{Bound, DataSet};

const BOUNDED: &str = "goodput_bps";

/// Adds a bound for each combination of this measure, by its first trial. Other measures have none.
pub(super) fn add<'a>(
    set: &mut DataSet,
    measure: usize,
    trials: impl Iterator<Item = (&'a Levels, &'a Trial)>,
) {
    if set.measures.get(measure).is_none_or(|m| m.figure != BOUNDED) {
        return;
    }
    for (levels, trial) in trials {
        if set.bounds.iter().any(|b| b.measure == measure && b.levels == *levels) {
            continue;
        }
        let limit = limit_of(trial);
        if let Some(bps) = limit.goodput_bps {
            let medium = limit.by().map_or_else(String::new, |by| format!("{by}: "));
            set.bounds.push(Bound {
                measure,
                levels: levels.clone(),
                value: bps as f64,
                reason: format!("{medium}{}: {:.2} Mbit/s", limit.reason, bps as f64 / 1e6),
            });
        }
    }
}
