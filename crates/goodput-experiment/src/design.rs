//! Which combinations of levels are measured.
//!
//! *Full*: all. *One at a time*: the first level of every factor, then one factor changed at a time, without
//! interactions. *Fraction* ([`fraction`]): a regular part of a two-level design, with aliases.

pub mod fractional_factorial;

use crate::error::ExperimentError;
use goodput_model::Experiment;
use goodput_model::experiment::{ExperimentDesign, Factor, FactorLevels};
use goodput_words::message;
use std::collections::BTreeMap;

pub use fractional_factorial::FractionalFactorial;

/// More are a mistake in the file.
pub const MAX_COMBINATIONS: usize = 100_000;

/// Of the levels of all combinations, or of all executions.
const MAX_LEVEL_BYTES: usize = 1 << 30;

/// A factor and its level in a map, without their letters.
const LEVEL_BYTES: usize = 160;

/// In the order of the file: the first factor varies slowest. Excluded ones are left out.
pub fn level_combinations(experiment: &Experiment) -> Result<Vec<FactorLevels>, ExperimentError> {
    let factors = &experiment.factors;
    let count = match &experiment.design {
        // A factor without levels, in a stored experiment, makes no combination, but only after those before it.
        ExperimentDesign::Full => {
            factors.iter().fold(1_usize, |count, f| count.saturating_mul(f.levels.len().max(1)))
        }
        ExperimentDesign::OneAtATime => {
            1 + factors.iter().map(|f| f.levels.len().saturating_sub(1)).sum::<usize>()
        }
        ExperimentDesign::Fractional { generators } => {
            1 << factors.len().saturating_sub(generators.len()).min(16)
        }
    };
    if count > MAX_COMBINATIONS {
        return Err(too_many());
    }
    check_memory(factors, 0, count)?;
    let mut all = match &experiment.design {
        ExperimentDesign::Full => full(factors),
        ExperimentDesign::OneAtATime => one_at_a_time(factors),
        ExperimentDesign::Fractional { generators } => {
            let rows = FractionalFactorial::from_generators(factors, generators)?.combinations(factors);
            if rows.is_empty() {
                return Err(too_many());
            }
            rows
        }
    };
    all.retain(|levels| !experiment.excluded.iter().any(|e| has(levels, e)));
    match all.is_empty() {
        true => Err(ExperimentError::new("every combination is excluded", "take a line out of exclude")),
        false => Ok(all),
    }
}

fn too_many() -> ExperimentError {
    ExperimentError::new(
        message!(error_experiment_too_many_combinations { most: MAX_COMBINATIONS.to_string() }),
        "name fewer levels, or write design = \"one-at-a-time\", or a fraction",
    )
}

/// Fails if so many maps of all factors, each with other bytes `beside` it, are more than a file may make us allocate.
pub(crate) fn check_memory(factors: &[Factor], beside: usize, count: usize) -> Result<(), ExperimentError> {
    let longest = |f: &Factor| f.levels.iter().map(|l| l.name.len()).max().unwrap_or(0);
    let each = factors.iter().map(|f| LEVEL_BYTES + f.name.len() + longest(f)).sum::<usize>() + beside;
    match count.saturating_mul(each) > MAX_LEVEL_BYTES {
        true => Err(ExperimentError::new(
            "the experiment has too many factors for so many executions",
            "use fewer levels or fewer repeats",
        )),
        false => Ok(()),
    }
}

fn has(levels: &FactorLevels, excluded: &FactorLevels) -> bool {
    !excluded.is_empty() && excluded.iter().all(|(factor, level)| levels.get(factor) == Some(level))
}

/// Whether each factor named in `only` has one of its named levels.
pub fn matches_level_filter(levels: &FactorLevels, only: &BTreeMap<String, Vec<String>>) -> bool {
    only.iter().all(|(factor, named)| levels.get(factor).is_some_and(|level| named.contains(level)))
}

fn full(factors: &[Factor]) -> Vec<FactorLevels> {
    let mut all = vec![FactorLevels::new()];
    for factor in factors {
        let each = |levels| factor.levels.iter().map(move |l| with(levels, factor, &l.name));
        all = all.iter().flat_map(each).collect();
    }
    all
}

fn with(levels: &FactorLevels, factor: &Factor, level: &str) -> FactorLevels {
    let mut levels = levels.clone();
    levels.insert(factor.name.clone(), level.to_string());
    levels
}

fn one_at_a_time(factors: &[Factor]) -> Vec<FactorLevels> {
    let first = |f: &Factor| f.levels.first().map(|l| (f.name.clone(), l.name.clone()));
    let base: FactorLevels = factors.iter().filter_map(first).collect();
    let others = factors.iter().flat_map(|f| f.levels.iter().skip(1).map(|l| with(&base, f, &l.name)));
    std::iter::once(base.clone()).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{experiment, factor};

    fn names(levels: &[FactorLevels]) -> Vec<String> {
        levels.iter().map(|l| l.values().cloned().collect::<Vec<_>>().join(" ")).collect()
    }

    #[test]
    fn the_last_factor_changes_first_and_one_at_a_time_departs_from_the_first_levels() {
        let mut e = experiment(vec![factor("a", &["1", "2"]), factor("b", &["x", "y", "z"])]);
        assert_eq!(names(&level_combinations(&e).unwrap()), ["1 x", "1 y", "1 z", "2 x", "2 y", "2 z"]);
        e.design = ExperimentDesign::OneAtATime;
        assert_eq!(names(&level_combinations(&e).unwrap()), ["1 x", "2 x", "1 y", "1 z"]);
        let without_factors = level_combinations(&experiment(vec![])).unwrap();
        assert_eq!(without_factors, [FactorLevels::new()]);
    }

    #[test]
    fn what_is_excluded_is_left_out_and_too_many_are_refused_before_they_are_made() {
        let mut e = experiment(vec![factor("a", &["1", "2"]), factor("b", &["x", "y"])]);
        e.excluded = vec![FactorLevels::from([("a".into(), "1".into()), ("b".into(), "y".into())])];
        assert_eq!(names(&level_combinations(&e).unwrap()), ["1 x", "2 x", "2 y"]);
        e.excluded = ["1", "2"].map(|l| FactorLevels::from([("a".into(), l.into())])).to_vec();
        assert_eq!(level_combinations(&e).unwrap_err().what, "every combination is excluded");
        let ten = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let mut e = experiment((0..40).map(|n| factor(&format!("f{n}"), &ten)).collect());
        assert_eq!(level_combinations(&e), Err(too_many()));
        e.factors.push(factor("none", &[]));
        assert_eq!(level_combinations(&e), Err(too_many()));
    }

    #[test]
    fn few_combinations_of_many_or_long_levels_are_refused_before_they_are_made() {
        let many = |levels: &[&str]| -> Vec<Factor> {
            (0..10_000).map(|n| factor(&format!("f{n}"), levels)).collect()
        };
        let mut e = experiment(many(&["x", "y"]));
        e.design = ExperimentDesign::OneAtATime;
        assert!(level_combinations(&e).unwrap_err().what.contains("too many factors"));
        let ten = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
        let mut e = experiment(many(&["x"]));
        e.factors.extend(["a", "b", "c", "d"].map(|name| factor(name, &ten)));
        assert!(level_combinations(&e).unwrap_err().what.contains("too many factors"));
        let long = "x".repeat(1 << 20);
        let e = experiment(["a", "b", "c"].map(|name| factor(name, &[long.as_str(); 10])).to_vec());
        assert!(level_combinations(&e).unwrap_err().what.contains("too many factors"));
    }
}
