//! What an experiment comes to, before it runs: the facts that `goodput run --check` prints.
//!
//! How long a line takes is known to whoever reads lines, so that is asked for; the same answer tells whether the line
//! can be read at all, at every combination. Facts only: the words around them are the screen's.

mod notes;

use crate::design::{self, Fraction};
use crate::line::{self, LineError};
use crate::plan::Plan;
use goodput_model::experiment::{Design, Factor, Levels, Means};
use goodput_model::{Experiment, Nanos};
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    pub name: String,
    pub title: String,
    pub hosts: BTreeMap<String, String>,
    pub factors: Vec<FactorFacts>,
    pub design: String,
    /// Effects that the design cannot tell apart; empty for a full one.
    pub confounded: Vec<String>,
    pub combinations: usize,
    pub lines: Vec<LineFacts>,
    /// Executions of each line at each combination, at the least and at the most; warm-ups are beside them.
    pub repeats: (u32, u32),
    /// Warm-up executions of each line at each combination.
    pub warm_up: u32,
    /// The width at which repeating ends, in per cent; `None` where the number is fixed.
    pub width_percent: Option<f64>,
    /// Executions in all, warm-ups among them, at the least and at the most.
    pub executions: (usize, usize),
    /// Time for them, without what changing levels takes; `None` where some line's time is unknown.
    pub time: Option<(Nanos, Nanos)>,
    pub order: String,
    pub requirements: Vec<String>,
    /// How many statements the result is asked about by name.
    pub questions: usize,
    /// What to know beforehand, one sentence each.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FactorFacts {
    pub name: String,
    pub levels: Vec<String>,
    pub how: String,
    /// Whether it changes as seldom as the repeats allow.
    pub hard_to_change: bool,
    /// How often a level of it is put in place if every line runs its least number of times.
    pub changes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineFacts {
    pub probe: String,
    pub run: String,
    /// The same, filled in at the first combination that it runs at.
    pub example: String,
    pub figures: Vec<String>,
    pub combinations: usize,
    /// Its time at the combination where it is shortest and where it is longest; `None` where it is unknown.
    pub time: Option<(Nanos, Nanos)>,
    pub time_limit: Nanos,
}

/// Why an experiment cannot be explained, and therefore not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExplainError {
    #[error("probe {probe}: {source}")]
    Fill { probe: String, source: LineError },
    /// A line cannot be read by the program.
    #[error("probe {probe} cannot run {line:?}: {why}")]
    Line { probe: String, line: String, why: String },
}

/// What this experiment with this plan comes to. `time` reads a line's words, as they stand after `goodput`, and tells how
/// long they take, `None` where that cannot be known, or why they cannot be read. It is asked once a line and combination.
pub fn explain(
    experiment: &Experiment,
    plan: &Plan,
    mut time: impl FnMut(&[String]) -> Result<Option<Nanos>, String>,
) -> Result<Explanation, ExplainError> {
    let times = times(experiment, plan, &mut time)?;
    let least = |block: u32| block <= plan.repeats.least;
    let early = plan.cells.iter().filter(|cell| least(cell.block)).count();
    let total = |blocks: &dyn Fn(u32) -> bool| {
        let cells = plan.cells.iter().zip(&plan.series_of).filter(|(cell, _)| blocks(cell.block));
        cells.map(|(_, series)| times[*series].map(|t| t.0)).sum::<Option<u64>>().map(Nanos)
    };
    let (design, confounded) = design_facts(experiment);
    let combinations = design::combinations(experiment).map_or(0, |all| all.len());
    let mut explanation = Explanation {
        name: experiment.name.clone(),
        title: experiment.title.clone(),
        hosts: experiment.hosts.clone(),
        factors: experiment.factors.iter().map(|factor| factor_facts(factor, plan)).collect(),
        design,
        confounded,
        combinations,
        lines: line_facts(experiment, plan, &times)?,
        repeats: (plan.repeats.least, plan.repeats.most),
        warm_up: plan.repeats.warm_up,
        width_percent: plan.repeats.width_percent,
        executions: (early, plan.cells.len()),
        time: total(&least).zip(total(&|_| true)),
        order: order(experiment),
        requirements: experiment.requirements.iter().map(|r| r.text.clone()).collect(),
        questions: experiment.questions.len(),
        notes: Vec::new(),
    };
    explanation.notes = notes::of(experiment, &explanation);
    Ok(explanation)
}

fn times(
    experiment: &Experiment,
    plan: &Plan,
    time: &mut impl FnMut(&[String]) -> Result<Option<Nanos>, String>,
) -> Result<Vec<Option<Nanos>>, ExplainError> {
    let of = |series: &crate::plan::Series| {
        let probe = series.probe.clone();
        let words = words(experiment, &probe, &series.levels)?;
        time(&words).map_err(|why| ExplainError::Line { probe, line: words.join(" "), why })
    };
    plan.series.iter().map(of).collect()
}

fn words(experiment: &Experiment, probe: &str, levels: &Levels) -> Result<Vec<String>, ExplainError> {
    let refuse = |source| ExplainError::Fill { probe: probe.to_string(), source };
    let found = experiment.probes.iter().find(|p| p.name == probe);
    let found = found.ok_or_else(|| refuse(LineError::NoSuchProbe(probe.to_string())))?;
    line::at_levels(experiment, found, levels).map_err(refuse)
}

fn line_facts(
    experiment: &Experiment,
    plan: &Plan,
    times: &[Option<Nanos>],
) -> Result<Vec<LineFacts>, ExplainError> {
    let mut facts = Vec::new();
    for probe in &experiment.probes {
        let here: Vec<usize> =
            (0..plan.series.len()).filter(|at| plan.series[*at].probe == probe.name).collect();
        let known: Option<Vec<Nanos>> = here.iter().map(|at| times[*at]).collect();
        let example = match here.first() {
            Some(at) => words(experiment, &probe.name, &plan.series[*at].levels)?.join(" "),
            None => String::new(),
        };
        facts.push(LineFacts {
            probe: probe.name.clone(),
            run: probe.run.clone(),
            example,
            figures: probe.measures.iter().map(|m| m.figure.clone()).collect(),
            combinations: here.len(),
            time: known.and_then(|t| t.iter().min().copied().zip(t.iter().max().copied())),
            time_limit: probe.time_limit,
        });
    }
    Ok(facts)
}

fn factor_facts(factor: &Factor, plan: &Plan) -> FactorFacts {
    let early = plan.cells.iter().filter(|cell| cell.block <= plan.repeats.least);
    let levels: Vec<Option<&String>> = early.map(|cell| cell.levels.get(&factor.name)).collect();
    let changes = match levels.is_empty() {
        true => 0,
        false => 1 + levels.windows(2).filter(|pair| pair[0] != pair[1]).count(),
    };
    FactorFacts {
        name: factor.name.clone(),
        levels: factor.levels.iter().map(|l| l.name.clone()).collect(),
        how: how(&factor.means),
        hard_to_change: factor.hard_to_change,
        changes,
    }
}

fn how(means: &Means) -> String {
    match means {
        Means::Argument => "in the probe lines".into(),
        Means::Lab { paths } => format!("the lab is raised with another {}", paths.join(", ")),
        Means::Knob { on, knob, interface: Some(interface) } => {
            format!("{knob} of {interface} on {}, set, read back, restored", on.join(", "))
        }
        Means::Knob { on, knob, interface: None } => {
            format!("{knob} on {}, set, read back, restored", on.join(", "))
        }
        Means::Command { on, read, restore, .. } => {
            let after = match (read, restore) {
                (Some(_), Some(_)) => "read back, restored",
                (Some(_), None) => "read back, not restored",
                (None, Some(_)) => "not read back, restored",
                (None, None) => "neither read back nor restored",
            };
            format!("a command on {on}, {after}")
        }
        Means::ByHand { verify, .. } if verify.is_empty() => "by hand, not verified".into(),
        Means::ByHand { .. } => "by hand, verified against the inventory".into(),
    }
}

fn design_facts(experiment: &Experiment) -> (String, Vec<String>) {
    match &experiment.design {
        Design::Full => ("every combination of levels".into(), Vec::new()),
        Design::OneAtATime => {
            ("the first level of every factor, and from there one factor at a time".into(), Vec::new())
        }
        Design::Fractional { generators } => match Fraction::of(&experiment.factors, generators) {
            Ok(fraction) => (fraction.meaning(), fraction.aliases()),
            Err(e) => (e.to_string(), Vec::new()),
        },
    }
}

fn order(experiment: &Experiment) -> String {
    if !experiment.order.shuffled {
        return "as written".into();
    }
    let hard: Vec<&str> =
        experiment.factors.iter().filter(|f| f.hard_to_change).map(|f| f.name.as_str()).collect();
    let seed = experiment.order.seed;
    match hard.as_slice() {
        [] => format!("every repeat a block of its own, in random order (seed {seed})"),
        hard => format!(
            "every repeat a block of its own, in random order (seed {seed}), {} changing as seldom as that allows",
            hard.join(", then ")
        ),
    }
}

#[cfg(test)]
mod tests;
