//! The file that a person writes: TOML text → a checked [`Experiment`]. `docs/experiments.md` describes the
//! form, `docs/experiment.schema.json` is its JSON Schema ([`schema`]). `toml_form.rs` has the form; the
//! other modules check it. Every error names the line, what is wrong, and what to type.

mod execution_settings;
mod factors;
mod file_error;
mod level_method;
mod names;
mod notation;
mod probes;
mod questions;
mod toml_form;

use crate::execution_plan::ExecutionPlan;
use crate::{design, probe_command, quick_mode};
pub use file_error::ExperimentFileError;
use file_error::{ParseResult, error_at_position};
use goodput_model::Experiment;
use goodput_words::{Message, message};
use notation::{ScalarOrTable, ValueWithPosition};
use toml_form::ExperimentToml;

#[derive(Debug, Clone, PartialEq)]
pub struct ExperimentFile {
    pub experiment: Experiment,
    pub quick: Experiment,
    /// Topology file, relative to the experiment's folder. [`ExperimentFile::raise`] sets its text as `lab`;
    /// a topology in the file itself is already there.
    pub lab_file: Option<String>,
}

impl ExperimentFile {
    /// `name` is the file's name without its extension, or its folder's where the file is `experiment.toml`.
    /// The error names the line and what to type.
    pub fn parse(name: &str, text: &str) -> Result<ExperimentFile, ExperimentFileError> {
        let form: ExperimentToml =
            toml::from_str(text).map_err(|e| file_error::file_error_from_toml(text, &e))?;
        checked(name, form).map_err(|error| error.with_line_number(text))
    }

    pub fn set_lab_topology(&mut self, topology: &str) {
        self.experiment.lab = Some(topology.to_string());
        self.quick.lab = Some(topology.to_string());
    }
}

/// For editors that complete and check.
pub fn experiment_file_schema() -> schemars::Schema {
    schemars::schema_for!(ExperimentToml)
}

fn checked(name: &str, form: ExperimentToml) -> ParseResult<ExperimentFile> {
    let title = form.title.it.trim().to_string();
    if title.is_empty() || title.contains('\n') {
        return error_at_position(
            form.title.at,
            "the title is not one line",
            "title = \"MTU on one gigabit link\"",
        );
    }
    let (lab, lab_file) = lab(form.lab.as_ref())?;
    names::check_host_names_and_addresses(&form.hosts, form.lab.is_some())?;
    let hosts = form.hosts.iter().map(|(role, host)| (role.clone(), host.it.trim().to_string())).collect();
    let factors = factors::parse_factors(&form)?;
    let mut experiment = Experiment {
        name: slug(name),
        title,
        hosts,
        lab,
        factors,
        probes: Vec::new(),
        design: execution_settings::parse_experiment_design(form.design.as_ref())?,
        excluded: Vec::new(),
        order: execution_settings::parse_execution_order(&form),
        repeats: execution_settings::parse_repeat_policy(
            form.repeats.as_ref(),
            execution_settings::DEFAULT_REPEATS,
            form.warm_up,
        )?,
        requirements: Vec::new(),
        prices: Vec::new(),
        questions: Vec::new(),
    };
    experiment.probes = probes::parse_probe_lines(&form, &experiment)?;
    factors::check_factors_used(&form, &experiment)?;
    experiment.excluded = execution_settings::parse_excluded_combinations(&form, &experiment)?;
    experiment.requirements = questions::parse_requirements(&form, &experiment)?;
    experiment.prices = questions::parse_level_prices(&form, &experiment)?;
    experiment.questions = questions::parse_questions(&form, &experiment)?;
    let design = form.design.as_ref().map_or(form.title.at, |design| design.at);
    check_plan(&experiment, design, form.title.at, |probe| {
        form.probe.iter().find(|p| p.name.it == probe).map_or(form.title.at, |p| p.run.at)
    })?;
    let typed = form.quick.as_ref();
    let repeats = execution_settings::parse_repeat_policy(
        typed.and_then(|quick| quick.repeats.as_ref()),
        quick_mode::QUICK_DEFAULT_REPEATS,
        0,
    )?;
    let quick = match typed {
        Some(typed) => {
            let only = names::parse_level_filter(typed.at, &typed.only, &experiment)?;
            let words = execution_settings::parse_extra_arguments(typed.words.as_ref(), &experiment)?;
            let settings = quick_mode::QuickSettings { repeats, only, words };
            let quick = quick_mode::apply_quick_settings(&experiment, &settings)
                .map_err(|e| e.at_position(typed.at))?;
            let place = typed.words.as_ref().map_or(typed.at, |words| words.at);
            check_plan(&quick, typed.at, typed.at, |_| place)?;
            quick
        }
        None => Experiment { repeats, ..experiment.clone() },
    };
    Ok(ExperimentFile { experiment, quick, lab_file })
}

fn lab(
    typed: Option<&ValueWithPosition<ScalarOrTable<toml::Table>>>,
) -> ParseResult<(Option<String>, Option<String>)> {
    let Some(typed) = typed else { return Ok((None, None)) };
    match &typed.it {
        ScalarOrTable::Short(file) if file.to_string().trim().is_empty() => {
            error_at_position(typed.at, "lab names no file", "lab = \"topology.toml\"")
        }
        ScalarOrTable::Short(file) => Ok((None, Some(file.to_string()))),
        ScalarOrTable::Full(table) => toml::to_string(table).map(|text| (Some(text), None)).or_else(|e| {
            let what = message!(error_experiment_topology { why: Message::from(e.to_string()) });
            error_at_position(typed.at, what, "lab = \"topology.toml\"")
        }),
    }
}

/// Checks the plan and every command line. `design`, `size` and `line` are the positions of errors: of the design, the
/// number of executions, and a probe's line.
fn check_plan(
    experiment: &Experiment,
    design: usize,
    size: usize,
    line: impl Fn(&str) -> usize,
) -> ParseResult<()> {
    let combinations = design::level_combinations(experiment).map_err(|e| e.at_position(design))?;
    ExecutionPlan::check_size(experiment, &combinations).map_err(|e| e.at_position(size))?;
    for probe in &experiment.probes {
        for levels in combinations.iter().filter(|levels| design::matches_level_filter(levels, &probe.only)) {
            probe_command::probe_arguments_at_levels(experiment, probe, levels)
                .map_err(|e| e.at_position(line(&probe.name)))?;
        }
    }
    Ok(())
}

/// Letters, digits, `-`.
fn slug(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
    let mapped: String = name.chars().map(plain).collect();
    let parts: Vec<&str> = mapped.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() { "experiment".into() } else { parts.join("-") }
}

#[cfg(test)]
mod tests;
