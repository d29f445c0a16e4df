//! `goodput store list`: lists runs from the index alone.

use super::store_failure;
use crate::command::list::format_labels;
use crate::failure::Failure;
use crate::{language, output};
use goodput_model::Message;
use goodput_report::number_format::{MISSING_VALUE, format_value_with_unit};
use goodput_report::table::runs::format_start_time;
use goodput_report::table::{Align, Cell, Table};
use goodput_store::index::{Index, IndexedRunOutcome, RunFilter, RunIndexEntry};
use goodput_words::message;
use serde_json::json;

pub async fn list_runs(index: &Index, filter: &RunFilter, as_json: bool) -> Result<(), Failure> {
    let (cards, next) = index
        .search_run_page(filter)
        .await
        .map_err(|e| store_failure("the run index cannot be searched", &e))?;
    if as_json {
        let next = next.map(|n| n.to_string());
        output::print_json(&json!({ "schema": "goodput/store-list/1", "runs": cards, "next": next }));
        return Ok(());
    }
    if cards.is_empty() {
        output::print_text(&format!("{}\n", language::format_message(&message!(error_no_such_run_short))));
        return Ok(());
    }
    let given = |card: &RunIndexEntry| {
        [
            card.hosts.join(", "),
            card.tags.join(", "),
            format_labels(&card.labels),
            card.experiment.clone().unwrap_or_default(),
        ]
    };
    let names: Vec<String> = cards.iter().flat_map(given).collect();
    output::print_text(&output::table_text(table(&cards), &names));
    if let Some(next) = next {
        language::print_message(message!(progress_more_after { next: next.to_string() }));
    }
    Ok(())
}

fn table(cards: &[RunIndexEntry]) -> Table {
    let columns = ["run", "started", "probe", "hosts", "result", "tags", "labels"];
    let title = message!(report_view_runs_newest_first { count: cards.len() });
    let mut table = Table::new(title, &columns.map(|c| (c, Align::Left)));
    for card in cards {
        table.add_row([
            Cell::from(card.id.to_string()),
            format_start_time(&card.started).into(),
            card.experiment.clone().unwrap_or_else(|| card.probes.join("; ")).into(),
            card.hosts.join(", ").into(),
            result(card).into(),
            card.tags.join(", ").into(),
            format_labels(&card.labels).into(),
        ]);
    }
    table.without_empty_columns()
}

fn result(card: &RunIndexEntry) -> Message {
    let what = match (&card.figure, &card.experiment) {
        (Some(figure), _) => format_value_with_unit(figure.value, &figure.unit).into(),
        (None, Some(_)) => message!(part_trials_count { count: card.trials }),
        (None, None) => MISSING_VALUE.into(),
    };
    match card.outcome {
        IndexedRunOutcome::Complete => what,
        outcome => message!(part_with_parts { what, parts: Message::from(outcome.to_string()) }),
    }
}
