//! Probe lines and their metrics.

use super::form::{ExperimentForm, MeasureForm, ProbeForm};
use super::names;
use super::notation::{At, Choice};
use super::refusal::{Refusal, choose};
use crate::probe_line;
use goodput_model::experiment::{Measure, ProbeLine};
use goodput_model::metric;
use goodput_model::{Experiment, Nanos};

const DEFAULT_TIME_LIMIT: Nanos = Nanos(600 * Nanos::SECOND.0);

/// An experiment's results go into its own run.
const NOT_HERE: [&str; 5] = ["--no-save", "--save", "--runs", "--into", "--json"];

/// Hosts and factors of the experiment are already set.
pub(super) fn checked(form: &ExperimentForm, experiment: &Experiment) -> Result<Vec<ProbeLine>, Refusal> {
    if form.probe.is_empty() {
        let why = "the experiment measures nothing";
        let hint =
            "[[probe]] with name, run = \"stream {server} --from {client}\", measures = [\"goodput_bps\"]";
        return Err(Refusal::new(form.title.at, why, hint));
    }
    names::unique("probe", form.probe.iter().map(|p| (p.name.at, p.name.it.as_str())))?;
    form.probe.iter().map(|typed| probe(typed, experiment)).collect()
}

fn probe(typed: &At<ProbeForm>, experiment: &Experiment) -> Result<ProbeLine, Refusal> {
    names::checked("a probe", &typed.name, typed.name.at)?;
    self::line(&typed.run, experiment)?;
    let time_limit = match &typed.time_limit {
        None => DEFAULT_TIME_LIMIT,
        Some(limit) => match limit.it.parse::<Nanos>() {
            Ok(Nanos(0)) => {
                return Err(Refusal::new(limit.at, "time_limit leaves no time", "time_limit = \"5min\""));
            }
            Ok(limit) => limit,
            Err(e) => return Err(Refusal::new(limit.at, e.to_string(), e.hint)),
        },
    };
    Ok(ProbeLine {
        name: typed.name.it.clone(),
        run: typed.run.it.trim().to_string(),
        measures: measures(&typed.measures)?,
        only: names::only(typed.at, &typed.only, experiment)?,
        time_limit,
    })
}

fn line(typed: &At<String>, experiment: &Experiment) -> Result<(), Refusal> {
    let refuse = |e: probe_line::LineError| Refusal::new(typed.at, e.to_string(), e.hint());
    let known = probe_line::known(experiment);
    probe_line::fill(typed, &known, |name| known.iter().find(|k| *k == name).map(String::as_str))
        .map_err(refuse)?;
    let words = probe_line::words(typed).map_err(refuse)?;
    if words.first().is_some_and(|word| word == "goodput") {
        return Err(Refusal::new(typed.at, "run begins after the word goodput", "leave out goodput"));
    }
    let option = |word: &&String| NOT_HERE.contains(&word.split('=').next().unwrap_or(word));
    match words.iter().find(option) {
        None => Ok(()),
        Some(option) => {
            let why = format!("{option} has no place in an experiment, whose run keeps every result");
            Err(Refusal::new(typed.at, why, format!("leave out {option}")))
        }
    }
}

fn measures(typed: &At<Vec<At<Choice<MeasureForm>>>>) -> Result<Vec<Measure>, Refusal> {
    if typed.it.is_empty() {
        return Err(Refusal::new(
            typed.at,
            "no figure is taken from this probe",
            "measures = [\"goodput_bps\"]",
        ));
    }
    let mut measures = Vec::new();
    for measure in &typed.it {
        let (figure, better) = match &measure.it {
            Choice::Short(figure) => (figure.to_string(), None),
            Choice::Full(full) => (full.figure.clone(), Some(full.better.into())),
        };
        if let Err(instead) = metric::possible(&figure) {
            let why = format!("a result has no figure {figure}");
            return Err(Refusal::new(measure.at, why, choose(&figure, &instead)));
        }
        let better = better.unwrap_or_else(|| metric::better(&figure));
        measures.push((measure.at, Measure { figure, better }));
    }
    names::unique("figure", measures.iter().map(|(at, m)| (*at, m.figure.as_str())))?;
    Ok(measures.into_iter().map(|(_, measure)| measure).collect())
}
