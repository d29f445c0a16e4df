//! The table of `list`: one row per run.

use super::Align::Left;
use super::{ColumnDefinitions, Table};
use crate::display_text::{comma_list, semicolon_list};
use crate::grouping::distinct_items;
use crate::probe::file::file_run_headline as run_of_files;
use crate::probe::headline::short_headline;
use crate::probe::load::{format_client_count_range, headline_for_load_run};
use crate::wording::endpoint_name;
use goodput_analysis::rate_search::search_trials::replay_search;
use goodput_model::run::RunHeader;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::EndpointRole;
use goodput_model::{Message, MessageArg, Probe};
use goodput_words::message;

#[derive(Debug, Clone, Copy)]
pub struct RunRow<'a> {
    pub head: &'a RunHeader,
    pub summaries: &'a [TrialSummary],
    /// False if the command was interrupted.
    pub finished: bool,
}

pub fn runs_table(runs: &[RunRow<'_>]) -> Table {
    let columns: ColumnDefinitions<'_, &RunRow<'_>> = &[
        ("run", Left, &|run| run.head.id.to_string().into()),
        ("started", Left, &|run| format_start_time(&run.head.started).into()),
        ("probe", Left, &|run| {
            distinct_items(run.summaries.iter().map(|s| s.probe.name())).join("; ").into()
        }),
        ("endpoints", Left, &|run| {
            let loads = loads(run);
            let endpoints = run.summaries.iter().map(|s| {
                let connects: MessageArg = if loads.len() > 1 || matches!(s.probe, Probe::Load(_)) {
                    format_client_count_range(&loads).into()
                } else {
                    crate::probe::probe_report(&s.probe).connecting_host(s).into()
                };
                // A file target may have no agent.
                let other = goodput_analysis::file_results::location::summary_location(s)
                    .unwrap_or_else(|| endpoint_name(s, EndpointRole::Listen));
                comma_list([connects, other.into()])
            });
            semicolon_list(distinct_items(endpoints)).into()
        }),
        ("result", Left, &|run| semicolon_list(results(run)).into()),
        ("labels", Left, &|run| {
            let labels: Vec<String> = run.head.labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
            labels.join(" ").into()
        }),
    ];
    let table = Table::from_items("Runs", runs, columns);
    table.without_empty_columns()
}

fn loads<'a>(run: &RunRow<'a>) -> Vec<&'a TrialSummary> {
    run.summaries.iter().filter(|s| matches!(s.probe, Probe::Load(_))).collect()
}

fn results(run: &RunRow<'_>) -> Vec<Message> {
    let mut results: Vec<Message> = run.summaries.iter().take(3).map(short_headline).collect();
    let loads = loads(run);
    if let Some(words) = headline_for_load_run(&loads).filter(|_| loads.len() == run.summaries.len()) {
        results = vec![words];
    } else if let Some(words) = files_in_short(run.summaries) {
        results = vec![words];
    } else if let Some(last) = run.summaries.last().filter(|s| is_step(s)) {
        // The confirming step is the search's result.
        let by = replay_search(run.summaries).and_then(|search| search.confirmed_by);
        let last = run.summaries.iter().find(|s| Some(s.trial) == by).unwrap_or(last);
        let count = run.summaries.len();
        results = vec![message!(report_runs_search { count, result: short_headline(last) })];
    } else if run.summaries.len() > results.len() {
        results.push(message!(report_runs_more { count: run.summaries.len() - results.len() }));
    }
    if !run.finished {
        results.push(message!(report_unfinished));
    }
    results
}

fn files_in_short(summaries: &[TrialSummary]) -> Option<Message> {
    if summaries.iter().all(|s| matches!(s.probe, Probe::File(_))) { run_of_files(summaries) } else { None }
}

fn is_step(summary: &TrialSummary) -> bool {
    matches!(&summary.probe, Probe::Datagram(d) if d.search.is_some())
}

/// RFC 3339 to the second with its zone, `2026-11-21 03:45:46 UTC`; unchanged if it is no time.
pub fn format_start_time(text: &str) -> String {
    text.parse::<jiff::Timestamp>()
        .map_or_else(|_| text.to_string(), |t| t.strftime("%Y-%m-%d %H:%M:%S UTC").to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_readable_and_a_wrong_one_is_kept() {
        assert_eq!(format_start_time("2026-11-21T03:45:46.123456Z"), "2026-11-21 03:45:46 UTC");
        assert_eq!(format_start_time("2026-11-21T12:45:46+09:00"), "2026-11-21 03:45:46 UTC");
        assert_eq!(format_start_time("yesterday"), "yesterday");
    }
}
