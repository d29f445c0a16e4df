//! Probe lines and their metrics.

use super::file_error::{ParseResult, error_at_position, valid_names_hint};
use super::names;
use super::notation::{ScalarOrTable, ValueWithPosition};
use super::toml_form::{ExperimentToml, MetricToml, ProbeLineToml};
use crate::probe_command;
use goodput_model::experiment::{MeasuredMetric, ProbeCommand};
use goodput_model::metric;
use goodput_model::{Experiment, Nanos};
use goodput_words::{message, quantity_error};

const DEFAULT_TIME_LIMIT: Nanos = Nanos(600 * Nanos::SECOND.0);

/// An experiment's results go into its own run.
const NOT_HERE: [&str; 5] = ["--no-save", "--save", "--runs", "--into", "--json"];

/// Hosts and factors of the experiment are already set.
pub(super) fn parse_probe_lines(
    form: &ExperimentToml,
    experiment: &Experiment,
) -> ParseResult<Vec<ProbeCommand>> {
    if form.probe.is_empty() {
        let why = "the experiment measures nothing";
        let keys = "run = \"stream {server} --from {client}\", measures = [\"goodput_bps\"]";
        let hint = message!(hint_experiment_probe_table { keys });
        return error_at_position(form.title.at, why, hint);
    }
    let named = |name: &str| message!(part_experiment_probe { name });
    names::check_names_unique(named, form.probe.iter().map(|p| (p.name.at, p.name.it.as_str())))?;
    form.probe.iter().map(|typed| probe(typed, experiment)).collect()
}

fn probe(typed: &ValueWithPosition<ProbeLineToml>, experiment: &Experiment) -> ParseResult<ProbeCommand> {
    names::check_name_allowed(message!(part_experiment_some_probe), &typed.name, typed.name.at)?;
    self::line(&typed.run, experiment)?;
    let time_limit = match &typed.time_limit {
        None => DEFAULT_TIME_LIMIT,
        Some(limit) => match limit.it.parse::<Nanos>() {
            Ok(Nanos(0)) => {
                return error_at_position(
                    limit.at,
                    "time_limit must be greater than zero",
                    "time_limit = \"5min\"",
                );
            }
            Ok(limit) => limit,
            Err(e) => {
                return error_at_position(limit.at, quantity_error::sentence(&e), quantity_error::hint(&e));
            }
        },
    };
    Ok(ProbeCommand {
        name: typed.name.it.clone(),
        run: typed.run.it.trim().to_string(),
        measures: measures(&typed.measures)?,
        only: names::parse_level_filter(typed.at, &typed.only, experiment)?,
        time_limit,
    })
}

fn line(typed: &ValueWithPosition<String>, experiment: &Experiment) -> ParseResult<()> {
    let known = probe_command::known_placeholders(experiment);
    probe_command::fill_placeholders(typed, &known, |name| {
        known.iter().find(|k| *k == name).map(String::as_str)
    })
    .map_err(|e| e.at_position(typed.at))?;
    let words = probe_command::split_arguments(typed).map_err(|e| e.at_position(typed.at))?;
    if words.first().is_some_and(|word| word == "goodput") {
        let why = "`run` must contain only the arguments of goodput, without the program name";
        return error_at_position(typed.at, why, message!(hint_experiment_omit { what: "goodput" }));
    }
    let option = |word: &&String| NOT_HERE.contains(&word.split('=').next().unwrap_or(word));
    match words.iter().find(option) {
        None => Ok(()),
        Some(option) => {
            let why = message!(file_no_place_in_experiment { option });
            error_at_position(typed.at, why, message!(hint_experiment_omit { what: option }))
        }
    }
}

fn measures(
    typed: &ValueWithPosition<Vec<ValueWithPosition<ScalarOrTable<MetricToml>>>>,
) -> ParseResult<Vec<MeasuredMetric>> {
    if typed.it.is_empty() {
        return error_at_position(
            typed.at,
            "no result value of this probe is selected",
            "measures = [\"goodput_bps\"]",
        );
    }
    let mut measures = Vec::new();
    for measure in &typed.it {
        let (figure, better) = match &measure.it {
            ScalarOrTable::Short(figure) => (figure.to_string(), None),
            ScalarOrTable::Full(full) => (full.figure.clone(), Some(full.better)),
        };
        if let Err(instead) = metric::check_metric_name(&figure) {
            let why = message!(file_no_result_figure { name: &figure });
            return error_at_position(measure.at, why, valid_names_hint(&figure, &instead));
        }
        let better = better.unwrap_or_else(|| metric::default_better_direction(&figure));
        measures.push((measure.at, MeasuredMetric { figure, better }));
    }
    let named = |name: &str| message!(part_experiment_figure { name });
    names::check_names_unique(named, measures.iter().map(|(at, m)| (*at, m.figure.as_str())))?;
    Ok(measures.into_iter().map(|(_, measure)| measure).collect())
}
