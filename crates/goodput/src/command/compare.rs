//! `goodput compare`: the changes between two runs or experiments, and which are significant.

use super::report_source::ReportSource;
use crate::args::host::CompareArgs;
use crate::args::results::RunSelection;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use crate::{language, output};
use goodput_analysis::experiment::change_requirement::{
    ChangeRequirementEvaluation, ChangeRequirementStatus, ObservedChange, observed_changes,
};
use goodput_analysis::experiment::comparison::compare_data_sets;
use goodput_analysis::summary::summarize_trial;
use goodput_analysis::{compare_runs, inventory_difference};
use goodput_model::Run;
use goodput_model::experiment::comparison::Comparison;
use goodput_model::experiment::data_set::DataSet;
use goodput_model::host::HostDifference;
use goodput_model::run_comparison::ComparedMetric;
use goodput_report::experiment::comparison_tables;
use goodput_report::table::cell::{optional_cell, signed_percent};
use goodput_report::table::{Align, Table, host_difference as differences, run_comparison as changes};
use goodput_words::message;
use serde_json::json;

/// The exit code tells whether every requirement is met.
pub fn run_compare(order: &CompareArgs) -> Result<ExitStatus, Failure> {
    let load =
        |run: &String| ReportSource::load(&RunSelection { run: run.clone(), runs: order.runs.clone() });
    let (first, second) = (load(&order.first)?, load(&order.second)?);
    let hosts = match (&first, &second) {
        (ReportSource::Recorded { run: one, .. }, ReportSource::Recorded { run: other, .. }) => {
            inventory_difference::host_differences(one, other)
        }
        _ => Vec::new(),
    };
    let data =
        |reported: &ReportSource| reported.map_experiment_results(|results| results.source.data.clone());
    match (data(&first), data(&second), &first, &second) {
        (Some(one), Some(other), ..) => {
            let names = (first.source_name(), second.source_name());
            experiments(order, (&names.0, &one), (&names.1, &other), &hosts)
        }
        (None, None, ReportSource::Recorded { run: one, .. }, ReportSource::Recorded { run: other, .. }) => {
            runs(order, one, other, &hosts)
        }
        _ => Err(Failure::usage_error("an experiment cannot be compared with a single run")
            .with_cause(message!(cause_only_one_is_an_experiment {
                first: first.source_name(),
                second: second.source_name()
            }))
            .with_hint("specify two experiments or two runs; goodput list shows them")),
    }
}

/// Cell by cell, as two independent samples.
fn experiments(
    order: &CompareArgs,
    first: (&str, &DataSet),
    second: (&str, &DataSet),
    hosts: &[HostDifference],
) -> Result<ExitStatus, Failure> {
    // The same two runs always compare alike.
    let comparison: Comparison = compare_data_sets(first, second, 0);
    let judged = judge(order, &observed_changes(&comparison.cells));
    if order.json {
        output::print_json(&json!({
            "schema": "goodput/compare/1", "runs": [first.0, second.0], "experiments": comparison, "hosts": hosts,
            "requirements": judged,
        }));
    } else {
        let page = comparison_tables::comparison_page(
            &comparison,
            requirements(&judged),
            differences::host_difference_tables(hosts),
        );
        output::print_text(&output::with_trailing_newline(&output::page_text(&language::translate_page(
            page,
        ))));
    }
    Ok(verdict(&judged))
}

fn runs(
    order: &CompareArgs,
    first: &Run,
    second: &Run,
    hosts: &[HostDifference],
) -> Result<ExitStatus, Failure> {
    let summaries = |run: &Run| -> Vec<_> { run.trials.iter().map(summarize_trial).collect() };
    let (first_seen, second_seen) = (summaries(first), summaries(second));
    let results = compare_runs::compare_summaries(&first_seen, &second_seen);
    let alone = compare_runs::count_unmatched_settings(&first_seen, &second_seen);
    let judged = judge(order, &results.iter().map(of_run).collect::<Vec<_>>());
    if order.json {
        let document = json!({
            "schema": "goodput/compare/1", "runs": [first.head.id, second.head.id], "results": results,
            "settings_of_one_run": alone, "hosts": hosts, "requirements": judged,
        });
        output::print_json(&document);
    } else {
        let mut tables = vec![changes::changes_table(&results, alone, ("first run", "second run"))];
        tables.extend(differences::host_difference_tables(hosts));
        tables.extend(requirements(&judged));
        output::print_tables(tables);
    }
    Ok(verdict(&judged))
}

/// Requirements name `goodput_bps` with or without the probe's name.
fn of_run(compared: &ComparedMetric) -> ObservedChange {
    let figure = serde_json::to_value(compared.quantity).ok();
    ObservedChange {
        probe: compared.what.split([' ', ',']).next().unwrap_or_default().to_string(),
        figure: figure.and_then(|f| f.as_str().map(str::to_string)).unwrap_or_default(),
        place: compared.what.clone(),
        percent: compared.change.percent,
        interval: compared.change.interval_percent,
    }
}

fn judge(order: &CompareArgs, changes: &[ObservedChange]) -> Vec<ChangeRequirementEvaluation> {
    order.require.iter().map(|r| r.evaluate(changes)).collect()
}

fn verdict(judged: &[ChangeRequirementEvaluation]) -> ExitStatus {
    if judged.iter().all(|j| j.outcome == ChangeRequirementStatus::Met) {
        ExitStatus::Done
    } else {
        ExitStatus::RequirementFailed
    }
}

/// `None` without requirements.
fn requirements(judged: &[ChangeRequirementEvaluation]) -> Option<Table> {
    let left = Align::Left;
    let mut table = Table::new(
        "Requirements",
        &[("requirement", left), ("verdict", left), ("deciding combination", left), ("change", Align::Right)],
    );
    for j in judged {
        let word = match (j.outcome, j.sure) {
            (ChangeRequirementStatus::Met, true) => "met",
            (ChangeRequirementStatus::Met, false) => "requirement met, but not statistically significant",
            (ChangeRequirementStatus::NotMet, true) => "not met",
            (ChangeRequirementStatus::NotMet, false) => {
                "requirement not met, but not statistically significant"
            }
            (ChangeRequirementStatus::NotMeasured, _) => "not measured",
        };
        table.add_row([
            (&j.required.text).into(),
            word.into(),
            (&j.at).into(),
            optional_cell(j.worst, signed_percent),
        ]);
    }
    (!table.rows.is_empty()).then_some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, parse};

    fn held(requirements: &[&str]) -> ExitStatus {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/atm-vs-ethernet/published.toml");
        let mut words = vec!["goodput", "compare", file, file, "--json"];
        words.extend(requirements.iter().flat_map(|r| ["--require", r]));
        let words: Vec<_> = words.into_iter().map(Into::into).collect();
        let Ok(Command::Compare(args)) = parse(&words) else { panic!("{words:?}") };
        run_compare(&args).unwrap()
    }

    #[test]
    fn the_exit_code_tells_whether_every_requirement_is_met() {
        assert_eq!(held(&[]), ExitStatus::Done);
        assert_eq!(held(&["tcp.goodput_bps change >= -2 %"]), ExitStatus::Done);
        let one_of_two = ["goodput_bps change >= -2 %", "udp.goodput_bps change > 1 %"];
        assert_eq!(held(&one_of_two), ExitStatus::RequirementFailed);
        // A metric that the two runs do not share does not meet its requirement.
        assert_eq!(held(&["sctp.goodput_bps change >= -2 %"]), ExitStatus::RequirementFailed);
    }
}
