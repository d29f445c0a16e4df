//! Size and duration of an experiment before it runs: the facts of `goodput run --check`.

mod notes;

use crate::design::{self, FractionalFactorial};
use crate::error::ExperimentError;
use crate::execution_plan::{ExecutionPlan, PlannedCell};
use crate::probe_command;
use goodput_model::experiment::{ExperimentDesign, Factor, LevelSettingMethod};
use goodput_model::{Experiment, Nanos};
use goodput_words::message;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentPlanExplanation {
    pub name: String,
    pub title: String,
    pub hosts: BTreeMap<String, String>,
    pub factors: Vec<FactorSummary>,
    pub design: String,
    /// Aliased effects; empty for a full design.
    pub confounded: Vec<String>,
    pub combinations: usize,
    pub lines: Vec<ProbeLineSummary>,
    /// Least and most, without warm-ups.
    pub repeats: (u32, u32),
    pub warm_up: u32,
    /// Interval width that ends repeats, in per cent; `None` for a fixed number.
    pub width_percent: Option<f64>,
    /// Least and most, with warm-ups.
    pub executions: (usize, usize),
    /// Without level changes; `None` where a line's time is unknown.
    pub time: Option<(Nanos, Nanos)>,
    pub order: String,
    pub requirements: Vec<String>,
    pub questions: usize,
    /// One sentence each.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FactorSummary {
    pub name: String,
    pub levels: Vec<String>,
    pub how: String,
    pub hard_to_change: bool,
    /// Number of level changes with the least repeats.
    pub changes: usize,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProbeLineSummary {
    pub probe: String,
    pub run: String,
    /// The line at its first combination.
    pub example: String,
    pub figures: Vec<String>,
    pub combinations: usize,
    /// At its shortest and longest combination; `None` where unknown.
    pub time: Option<(Nanos, Nanos)>,
    pub time_limit: Nanos,
}

/// `time` reads a line's words after `goodput` and returns its duration, `None` where unknown. It is called
/// once for each line and combination.
pub fn explain_experiment(
    experiment: &Experiment,
    plan: &ExecutionPlan,
    mut time: impl FnMut(&[String]) -> Option<Nanos>,
) -> Result<ExperimentPlanExplanation, ExperimentError> {
    let of = |series| words(experiment, series).map(|words| time(&words));
    let times = plan.series.iter().map(of).collect::<Result<Vec<Option<Nanos>>, ExperimentError>>()?;
    let least = |block: u32| block <= plan.repeats.least;
    let early = plan.cells.iter().filter(|cell| least(cell.block)).count();
    let total = |blocks: &dyn Fn(u32) -> bool| {
        let cells = plan.cells.iter().zip(&plan.series_of).filter(|(cell, _)| blocks(cell.block));
        cells.map(|(_, series)| times[*series].map(|t| t.0)).sum::<Option<u64>>().map(Nanos)
    };
    let (design, confounded) = design_facts(experiment);
    let combinations = design::level_combinations(experiment).map_or(0, |all| all.len());
    let mut explanation = ExperimentPlanExplanation {
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
    explanation.notes = notes::explanation_notes(experiment, &explanation);
    Ok(explanation)
}

fn words(experiment: &Experiment, series: &PlannedCell) -> Result<Vec<String>, ExperimentError> {
    let PlannedCell { levels, probe } = series;
    let refuse = |e: ExperimentError| ExperimentError {
        what: message!(error_experiment_of_probe { probe, why: e.what }),
        hint: e.hint,
    };
    probe_command::probe_arguments_for_cell(experiment, probe, levels).map_err(refuse)
}

fn line_facts(
    experiment: &Experiment,
    plan: &ExecutionPlan,
    times: &[Option<Nanos>],
) -> Result<Vec<ProbeLineSummary>, ExperimentError> {
    let mut facts = Vec::new();
    for probe in &experiment.probes {
        let here: Vec<usize> =
            (0..plan.series.len()).filter(|at| plan.series[*at].probe == probe.name).collect();
        let known: Option<Vec<Nanos>> = here.iter().map(|at| times[*at]).collect();
        let example = match here.first() {
            Some(at) => words(experiment, &plan.series[*at])?.join(" "),
            None => String::new(),
        };
        facts.push(ProbeLineSummary {
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

fn factor_facts(factor: &Factor, plan: &ExecutionPlan) -> FactorSummary {
    let early = plan.cells.iter().filter(|cell| cell.block <= plan.repeats.least);
    let levels: Vec<Option<&String>> = early.map(|cell| cell.levels.get(&factor.name)).collect();
    let changes = match levels.is_empty() {
        true => 0,
        false => 1 + levels.windows(2).filter(|pair| pair[0] != pair[1]).count(),
    };
    FactorSummary {
        name: factor.name.clone(),
        levels: factor.levels.iter().map(|l| l.name.clone()).collect(),
        how: how(&factor.means),
        hard_to_change: factor.hard_to_change,
        changes,
    }
}

fn how(means: &LevelSettingMethod) -> String {
    match means {
        LevelSettingMethod::Argument => "in the probe lines".into(),
        LevelSettingMethod::Lab { paths } => format!("the lab is raised with another {}", paths.join(", ")),
        LevelSettingMethod::Knob { on, knob, interface: Some(interface) } => {
            format!("{knob} of {interface} on {}, set, read back, restored", on.join(", "))
        }
        LevelSettingMethod::Knob { on, knob, interface: None } => {
            format!("{knob} on {}, set, read back, restored", on.join(", "))
        }
        LevelSettingMethod::Command { on, read, restore, .. } => {
            let after = match (read, restore) {
                (Some(_), Some(_)) => "read back, restored",
                (Some(_), None) => "read back, not restored",
                (None, Some(_)) => "not read back, restored",
                (None, None) => "neither read back nor restored",
            };
            format!("a command on {on}, {after}")
        }
        LevelSettingMethod::ByHand { verify, .. } if verify.is_empty() => "by hand, not verified".into(),
        LevelSettingMethod::ByHand { .. } => "by hand, verified against the inventory".into(),
    }
}

fn design_facts(experiment: &Experiment) -> (String, Vec<String>) {
    match &experiment.design {
        ExperimentDesign::Full => ("every combination of levels".into(), Vec::new()),
        ExperimentDesign::OneAtATime => {
            ("the first level of every factor, and from there one factor at a time".into(), Vec::new())
        }
        ExperimentDesign::Fractional { generators } => {
            match FractionalFactorial::from_generators(&experiment.factors, generators) {
                Ok(fraction) => (fraction.describe_resolution(), fraction.alias_groups()),
                Err(e) => (e.to_string(), Vec::new()),
            }
        }
    }
}

fn order(experiment: &Experiment) -> String {
    if !experiment.order.shuffled {
        return "as written".into();
    }
    let hard: Vec<&str> =
        experiment.factors.iter().filter(|f| f.hard_to_change).map(|f| f.name.as_str()).collect();
    let seed = experiment.order.seed;
    let order = format!("every repeat a block of its own, in random order (seed {seed})");
    match hard.as_slice() {
        [] => order,
        hard => format!("{order}, {} changing as seldom as that allows", hard.join(", then ")),
    }
}

#[cfg(test)]
mod tests;
