//! The file that a person writes: TOML text → a checked [`Experiment`]. `docs/experiments.md` describes the
//! form, `docs/experiment.schema.json` is its JSON Schema ([`schema`]). `file/form.rs` has the form; the
//! other modules check it. Every error names the line, what is wrong, and what to type.

mod factors;
mod form;
mod level_method;
mod names;
mod notation;
mod probes;
mod questions;
mod refusal;
mod rules;

use crate::plan::Plan;
use crate::{design, probe_line, quick};
use form::ExperimentForm;
use goodput_model::Experiment;
use notation::{At, Choice};
pub use refusal::FileError;
use refusal::Refusal;

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
    pub fn read(name: &str, text: &str) -> Result<ExperimentFile, FileError> {
        let form: ExperimentForm = toml::from_str(text).map_err(|e| refusal::of_toml(text, &e))?;
        checked(name, form).map_err(|refusal| refusal.in_text(text))
    }

    pub fn raise(&mut self, topology: &str) {
        self.experiment.lab = Some(topology.to_string());
        self.quick.lab = Some(topology.to_string());
    }
}

/// For editors that complete and check.
pub fn schema() -> schemars::Schema {
    schemars::schema_for!(ExperimentForm)
}

fn checked(name: &str, form: ExperimentForm) -> Result<ExperimentFile, Refusal> {
    let title = form.title.it.trim().to_string();
    if title.is_empty() || title.contains('\n') {
        return Err(Refusal::new(
            form.title.at,
            "the title is not one line",
            "title = \"MTU on one gigabit link\"",
        ));
    }
    let (lab, lab_file) = lab(form.lab.as_ref())?;
    names::hosts(&form.hosts, form.lab.is_some())?;
    let hosts = form.hosts.iter().map(|(role, host)| (role.clone(), host.it.trim().to_string())).collect();
    let factors = factors::checked(&form)?;
    let mut experiment = Experiment {
        name: slug(name),
        title,
        hosts,
        lab,
        factors,
        probes: Vec::new(),
        design: rules::design(form.design.as_ref())?,
        excluded: Vec::new(),
        order: rules::order(&form),
        repeats: rules::repeats(form.repeats.as_ref(), rules::DEFAULT_REPEATS, form.warm_up)?,
        requirements: Vec::new(),
        prices: Vec::new(),
        questions: Vec::new(),
    };
    experiment.probes = probes::checked(&form, &experiment)?;
    factors::used(&form, &experiment)?;
    experiment.excluded = rules::excluded(&form, &experiment)?;
    experiment.requirements = questions::requirements(&form, &experiment)?;
    experiment.prices = questions::prices(&form, &experiment)?;
    experiment.questions = questions::questions(&form, &experiment)?;
    planned(&form, &experiment)?;
    let quick = match &form.quick {
        Some(typed) => {
            let changed = quick::Quick {
                repeats: rules::repeats(typed.repeats.as_ref(), quick::DEFAULT_REPEATS, 0)?,
                only: names::only(typed.at, &typed.only, &experiment)?,
                words: rules::words(typed.words.as_ref(), &experiment)?,
            };
            let place = typed.words.as_ref().map_or(typed.at, |words| words.at);
            let quick = quick::shrink(&experiment, &changed)
                .map_err(|e| Refusal::new(typed.at, e.to_string(), e.hint()))?;
            lines(&quick, |_| place)?;
            Plan::of(&quick).map_err(|e| Refusal::new(typed.at, e.to_string(), e.hint()))?;
            quick
        }
        None => quick::usual(&experiment),
    };
    Ok(ExperimentFile { experiment, quick, lab_file })
}

fn lab(typed: Option<&At<Choice<toml::Table>>>) -> Result<(Option<String>, Option<String>), Refusal> {
    let Some(typed) = typed else { return Ok((None, None)) };
    match &typed.it {
        Choice::Short(file) if file.to_string().trim().is_empty() => {
            Err(Refusal::new(typed.at, "lab names no file", "lab = \"topology.toml\""))
        }
        Choice::Short(file) => Ok((None, Some(file.to_string()))),
        Choice::Full(table) => {
            let unwritable = |e: toml::ser::Error| {
                Refusal::new(
                    typed.at,
                    format!("the topology cannot be written out: {e}"),
                    "lab = \"topology.toml\"",
                )
            };
            toml::to_string(table).map(|text| (Some(text), None)).map_err(unwritable)
        }
    }
}

fn planned(form: &ExperimentForm, experiment: &Experiment) -> Result<(), Refusal> {
    let design = form.design.as_ref().map_or(form.title.at, |design| design.at);
    design::combinations(experiment).map_err(|e| Refusal::new(design, e.to_string(), e.hint()))?;
    Plan::of(experiment).map_err(|e| Refusal::new(form.title.at, e.to_string(), e.hint()))?;
    lines(experiment, |probe| {
        form.probe.iter().find(|p| p.name.it == probe).map_or(form.title.at, |p| p.run.at)
    })
}

/// `place` is the position of a probe's line.
fn lines(experiment: &Experiment, place: impl Fn(&str) -> usize) -> Result<(), Refusal> {
    let refuse = |probe: &str, e: probe_line::LineError| Refusal::new(place(probe), e.to_string(), e.hint());
    let combinations = design::combinations(experiment).unwrap_or_default();
    for probe in &experiment.probes {
        for levels in combinations.iter().filter(|levels| design::within(levels, &probe.only)) {
            probe_line::at_levels(experiment, probe, levels).map_err(|e| refuse(&probe.name, e))?;
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
