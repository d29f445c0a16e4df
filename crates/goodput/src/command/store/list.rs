//! `goodput store list`: lists runs from the index alone.

use super::{runs, store_failure};
use crate::command::list::format_labels;
use crate::failure::Failure;
use crate::{language, output};
use goodput_report::number_format::{MISSING_VALUE, format_value_with_unit};
use goodput_report::table::runs::format_start_time;
use goodput_report::table::{Align, Table};
use goodput_store::index::{Index, IndexedRunOutcome, RunFilter, RunIndexEntry};
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
        output::print_text(&format!("{}\n", language::translate_text("no such run")));
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
        language::print_message(&format!("more runs follow; list them with --after {next}"));
    }
    Ok(())
}

fn table(cards: &[RunIndexEntry]) -> Table {
    let columns = ["run", "started", "probe", "hosts", "result", "tags", "labels"];
    let mut table =
        Table::new(format!("{}, the newest first", runs(cards.len())), &columns.map(|c| (c, Align::Left)));
    for card in cards {
        table.add_row(vec![
            card.id.to_string(),
            format_start_time(&card.started),
            card.experiment.clone().unwrap_or_else(|| card.probes.join("; ")),
            card.hosts.join(", "),
            result(card),
            card.tags.join(", "),
            format_labels(&card.labels),
        ]);
    }
    table.without_empty_columns()
}

fn result(card: &RunIndexEntry) -> String {
    let mut words = match (&card.figure, &card.experiment) {
        (Some(figure), _) => format_value_with_unit(figure.value, &figure.unit),
        (None, Some(_)) => format!("{} trials", goodput_report::number_format::format_count(card.trials)),
        (None, None) => MISSING_VALUE.to_string(),
    };
    if card.outcome != IndexedRunOutcome::Complete {
        words.push_str(&format!(" ({})", card.outcome));
    }
    words
}
