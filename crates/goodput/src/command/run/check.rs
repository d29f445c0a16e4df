//! `goodput run --check`: validates an experiment before anything is measured or changed.

use super::check_lines::{self, CommandDurations};
use super::lab::ExperimentLab;
use super::level_setter;
use super::progress::format_coarse_duration as time_words;
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure};
use goodput_control::experiment::{LevelChange, host_setting_factors};
use goodput_experiment::{ExecutionPlan, ExperimentPlanExplanation};
use goodput_lab::LabOrHostName;
use goodput_model::experiment::LevelSettingMethod;
use goodput_model::{Experiment, Message, Nanos};
use goodput_words::message;
use serde_json::json;

pub struct ValidatedExperiment {
    pub plan: ExecutionPlan,
    pub expected: CommandDurations,
}

/// Checks everything that needs no host; the error is the first invalid part, with a hint.
pub fn validate_experiment(
    experiment: &Experiment,
    lab: Option<&LabOrHostName>,
    options: &[(&'static str, String)],
) -> Result<ValidatedExperiment, Failure> {
    let plan = plan_of_experiment(experiment)?;
    topologies(experiment)?;
    on_hosts(experiment)?;
    let parsed = check_lines::parse_command_lines(experiment, &plan, lab, options)?;
    Ok(ValidatedExperiment { plan, expected: check_lines::expected_durations(parsed) })
}

pub fn plan_of_experiment(experiment: &Experiment) -> Result<ExecutionPlan, Failure> {
    ExecutionPlan::from_experiment(experiment).map_err(|e| {
        Failure::from_error(ExitStatus::Usage, "no plan can be made for the experiment", &e)
            .with_hint(e.hint.clone())
    })
}

fn on_hosts(experiment: &Experiment) -> Result<(), Failure> {
    let mut factors = host_setting_factors(experiment).into_iter();
    factors.try_for_each(level_setter::validate_factor_levels).map_err(|e| {
        Failure::usage_error("a level cannot be set")
            .with_cause(e)
            .with_hint("docs/knobs.md lists all knobs with their values")
    })
}

/// Checks every topology that a factor's level needs, the other factors at their first levels.
fn topologies(experiment: &Experiment) -> Result<(), Failure> {
    let of_lab = || {
        host_setting_factors(experiment)
            .into_iter()
            .filter(|f| matches!(f.means, LevelSettingMethod::Lab { .. }))
    };
    let refused = |what: Message, because: Message| {
        Failure::usage_error(what)
            .with_cause(because)
            .with_hint("goodput lab up FILE tests a topology without an experiment")
    };
    let Some(text) = &experiment.lab else {
        return match of_lab().next() {
            None => Ok(()),
            Some(factor) => Err(refused(
                message!(error_factor_of_no_lab { factor: &factor.name }),
                message!(cause_experiment_without_topology),
            )),
        };
    };
    let name = LabOrHostName::default_lab();
    let lab = ExperimentLab::new(name, text)
        .map_err(|e| refused(message!(error_experiment_topology_refused), e))?;
    let base: Vec<LevelChange<'_>> =
        of_lab().filter_map(|factor| Some(LevelChange { factor, level: factor.levels.first()? })).collect();
    for factor in of_lab() {
        for level in &factor.levels {
            let mut changes = base.clone();
            changes.retain(|c| c.factor.name != factor.name);
            changes.push(LevelChange { factor, level });
            let what = || message!(error_level_refused { level: &level.name, factor: &factor.name });
            lab.topology_with_changes(&changes).map_err(|e| refused(what(), e))?;
        }
    }
    Ok(())
}

pub fn explain_experiment(
    experiment: &Experiment,
    checked: &ValidatedExperiment,
) -> Result<ExperimentPlanExplanation, Failure> {
    let time = |words: &[String]| checked.expected.get(words).copied().flatten();
    goodput_experiment::explain_experiment(experiment, &checked.plan, time)
        .or_failure(ExitStatus::Usage, "the experiment cannot be explained")
}

pub fn explanation_to_text(e: &ExperimentPlanExplanation) -> String {
    let mut rows: Vec<(&str, String)> = Vec::new();
    rows.extend(e.hosts.iter().map(|(role, host)| ("hosts", format!("{role} = {host}"))));
    for factor in &e.factors {
        let times = match factor.changes {
            1 => "put in place once".to_string(),
            n => format!("put in place {n} times"),
        };
        let hard = if factor.hard_to_change { ", as seldom as can be" } else { "" };
        rows.push(("factors", format!("{}: {}", factor.name, factor.levels.join(", "))));
        rows.push(("", format!("  {}; {times}{hard}", factor.how)));
    }
    for line in &e.lines {
        let each = match line.time {
            Some(time) => format!("{} each", time_range(time)),
            None => "time not known beforehand".to_string(),
        };
        rows.push(("probes", format!("{}: goodput {}", line.probe, line.run)));
        rows.push(("", format!("  as goodput {}", line.example)));
        rows.push((
            "",
            format!(
                "  {}; {each}, {} at the most; gives {}",
                combinations(line.combinations),
                time_words(line.time_limit),
                line.figures.join(", ")
            ),
        ));
    }
    rows.push(("design", format!("{}: {}", e.design, combinations(e.combinations))));
    rows.extend(e.confounded.iter().map(|alias| ("", format!("  {alias}"))));
    rows.push(("repeats", repeats(e)));
    rows.push(("order", e.order.clone()));
    rows.push(("cells", range(e.executions.0, e.executions.1)));
    rows.push((
        "time",
        match e.time {
            Some(time) => format!("about {}, and what changing levels takes", time_range(time)),
            None => "known once every line has run".to_string(),
        },
    ));
    rows.extend(e.requirements.iter().map(|r| ("held to", r.clone())));
    if e.questions > 0 {
        rows.push(("questions", e.questions.to_string()));
    }
    rows.extend(e.notes.iter().map(|note| ("note", note.clone())));
    let mut text = format!("{}: {}\n", e.name, e.title);
    let mut last = "";
    for (head, row) in rows {
        let shown = if head == last { "" } else { head };
        last = if head.is_empty() { last } else { head };
        text.push_str(&format!("{shown:<10} {row}\n"));
    }
    text
}

fn combinations(count: usize) -> String {
    if count == 1 { "1 combination".into() } else { format!("{count} combinations") }
}

fn range(least: usize, most: usize) -> String {
    if least == most { least.to_string() } else { format!("{least} to {most}") }
}

fn repeats(e: &ExperimentPlanExplanation) -> String {
    let (least, most) = e.repeats;
    let mut text = range(least as usize, most as usize);
    if let Some(width) = e.width_percent {
        text.push_str(&format!(", until the median is known to {width} %"));
    }
    if e.warm_up > 0 {
        text.push_str(&format!(", after {} that do not count", e.warm_up));
    }
    text
}

fn time_range((least, most): (Nanos, Nanos)) -> String {
    if least == most { time_words(least) } else { format!("{} to {}", time_words(least), time_words(most)) }
}

pub fn explanation_to_json(e: &ExperimentPlanExplanation) -> serde_json::Value {
    let seconds = |time: &Option<(Nanos, Nanos)>| {
        time.map(|(least, most)| json!({ "least_ns": least.0, "most_ns": most.0 }))
    };
    let probes: Vec<_> = (e.lines.iter())
        .map(|l| {
            json!({ "name": l.probe, "run": l.run, "example": l.example, "figures": l.figures,
                "combinations": l.combinations, "time": seconds(&l.time), "time_limit_ns": l.time_limit.0 })
        })
        .collect();
    json!({
        "schema": "goodput/experiment-check/1",
        "name": e.name,
        "title": e.title,
        "hosts": e.hosts,
        "factors": e.factors,
        "probes": probes,
        "design": e.design,
        "confounded": e.confounded,
        "combinations": e.combinations,
        "repeats": { "least": e.repeats.0, "most": e.repeats.1, "warm_up": e.warm_up, "width_percent": e.width_percent },
        "order": e.order,
        "cells": { "least": e.executions.0, "most": e.executions.1 },
        "time": seconds(&e.time),
        "requirements": e.requirements,
        "questions": e.questions,
        "notes": e.notes,
    })
}
