//! `goodput compare`: the changes between two runs or experiments, and which are significant.

use super::host::print;
use super::report_source::Reported;
use crate::args::host::CompareArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{language, output};
use goodput_analysis::experiment::compare::data_sets;
use goodput_analysis::experiment::required_change::{Judged, ObservedChange, Outcome, seen};
use goodput_analysis::summary::summarise;
use goodput_analysis::{compare_runs, difference};
use goodput_model::Run;
use goodput_model::change::Compared;
use goodput_model::experiment::comparison::Comparison;
use goodput_model::experiment::data::DataSet;
use goodput_model::host::HostDifference;
use goodput_report::experiment::{comparison_tables, text};
use goodput_report::table::cell::{or_none, signed_percent};
use goodput_report::table::{Align, Table, difference as differences, versus as changes};
use serde_json::json;

/// The exit code tells whether every requirement is met.
pub fn run(order: &CompareArgs) -> Result<Exit, Failure> {
    let [first, second] = order.runs();
    let (first, second) = (Reported::of(&first)?, Reported::of(&second)?);
    let hosts = match (&first, &second) {
        (Reported::Recorded { run: one, .. }, Reported::Recorded { run: other, .. }) => {
            difference::hosts(one, other)
        }
        _ => Vec::new(),
    };
    let data = |reported: &Reported| reported.with_results(|results| results.source.data.clone());
    match (data(&first), data(&second), &first, &second) {
        (Some(one), Some(other), ..) => {
            let names = (first.name(), second.name());
            experiments(order, (&names.0, &one), (&names.1, &other), &hosts)
        }
        (None, None, Reported::Recorded { run: one, .. }, Reported::Recorded { run: other, .. }) => {
            runs(order, one, other, &hosts)
        }
        _ => Err(Failure::usage("an experiment cannot be compared with a single run")
            .because(format!("only one of {} and {} is an experiment", first.name(), second.name()))
            .try_this("name two experiments or two runs; goodput list tells them")),
    }
}

/// Cell by cell, as two independent samples.
fn experiments(
    order: &CompareArgs,
    first: (&str, &DataSet),
    second: (&str, &DataSet),
    hosts: &[HostDifference],
) -> Result<Exit, Failure> {
    // The same two runs always compare alike.
    let comparison: Comparison = data_sets(first, second, 0);
    let judged = judge(order, &seen(&comparison.cells));
    if order.json {
        output::json(&json!({
            "schema": "goodput/compare/1", "runs": [first.0, second.0], "experiments": comparison, "hosts": hosts,
            "requirements": judged,
        }));
    } else {
        let page =
            comparison_tables::page(&comparison, requirements(&judged), differences::differences(hosts));
        let text = text::write(&language::page(page), output::width(), &language::localizer());
        output::text(&format!("{}\n", text.trim_end()));
    }
    Ok(verdict(&judged))
}

fn runs(order: &CompareArgs, first: &Run, second: &Run, hosts: &[HostDifference]) -> Result<Exit, Failure> {
    let summaries = |run: &Run| -> Vec<_> { run.trials.iter().map(summarise).collect() };
    let (first_seen, second_seen) = (summaries(first), summaries(second));
    let results = compare_runs::compare(&first_seen, &second_seen);
    let alone = compare_runs::alone(&first_seen, &second_seen);
    let judged = judge(order, &results.iter().map(of_run).collect::<Vec<_>>());
    if order.json {
        let document = json!({
            "schema": "goodput/compare/1", "runs": [first.head.id, second.head.id], "results": results,
            "settings_of_one_run": alone, "hosts": hosts, "requirements": judged,
        });
        output::json(&document);
    } else {
        let mut tables = vec![changes::changes(&results, alone, ("first run", "second run"))];
        tables.extend(differences::differences(hosts));
        tables.extend(requirements(&judged));
        print(&tables);
    }
    Ok(verdict(&judged))
}

/// Requirements name `goodput_bps` with or without the probe's name.
fn of_run(compared: &Compared) -> ObservedChange {
    let figure = serde_json::to_value(compared.quantity).ok();
    ObservedChange {
        probe: compared.what.split([' ', ',']).next().unwrap_or_default().to_string(),
        figure: figure.and_then(|f| f.as_str().map(str::to_string)).unwrap_or_default(),
        place: compared.what.clone(),
        percent: compared.change.percent,
        interval: compared.change.interval_percent,
    }
}

fn judge(order: &CompareArgs, changes: &[ObservedChange]) -> Vec<Judged> {
    order.require.iter().map(|r| r.judge(changes)).collect()
}

fn verdict(judged: &[Judged]) -> Exit {
    if judged.iter().all(|j| j.outcome == Outcome::Met) { Exit::Done } else { Exit::RequirementFailed }
}

/// `None` without requirements.
fn requirements(judged: &[Judged]) -> Option<Table> {
    let left = Align::Left;
    let mut table = Table::new(
        "Requirements",
        &[("requirement", left), ("verdict", left), ("deciding combination", left), ("change", Align::Right)],
    );
    for j in judged {
        let word = match (j.outcome, j.sure) {
            (Outcome::Met, true) => "met",
            (Outcome::Met, false) => "met, but not statistically significant",
            (Outcome::NotMet, true) => "not met",
            (Outcome::NotMet, false) => "not met, but not statistically significant",
            (Outcome::NotMeasured, _) => "not measured",
        };
        table.row([(&j.required.text).into(), word.into(), (&j.at).into(), or_none(j.worst, signed_percent)]);
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, parse};

    fn held(requirements: &[&str]) -> Exit {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/atm-vs-ethernet/published.toml");
        let mut words = vec!["goodput", "compare", file, file, "--json"];
        words.extend(requirements.iter().flat_map(|r| ["--require", r]));
        let words: Vec<_> = words.into_iter().map(Into::into).collect();
        let Ok(Command::Compare(args)) = parse(&words) else { panic!("{words:?}") };
        run(&args).unwrap()
    }

    #[test]
    fn the_exit_code_tells_whether_every_requirement_is_met() {
        assert_eq!(held(&[]), Exit::Done);
        assert_eq!(held(&["tcp.goodput_bps change >= -2 %"]), Exit::Done);
        let one_of_two = ["goodput_bps change >= -2 %", "udp.goodput_bps change > 1 %"];
        assert_eq!(held(&one_of_two), Exit::RequirementFailed);
        // A metric that the two runs do not share does not meet its requirement.
        assert_eq!(held(&["sctp.goodput_bps change >= -2 %"]), Exit::RequirementFailed);
    }
}
