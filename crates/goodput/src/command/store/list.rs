//! `goodput store list`: the runs that are wanted, from the index alone.

use super::{runs, told};
use crate::failure::Failure;
use crate::output;
use goodput_report::number::{NONE, of_unit};
use goodput_report::table::runs::started;
use goodput_report::table::{Align, Table};
use goodput_store::index::{Card, CardOutcome, Filter, Index};
use serde_json::json;

/// Prints a page of runs, and how to see the next.
pub async fn run(index: &Index, filter: &Filter, as_json: bool) -> Result<(), Failure> {
    let found = index.search(filter).await.map_err(|e| told("the index cannot be searched", &e))?;
    let (cards, next) = found;
    if as_json {
        let next = next.map(|n| n.to_string());
        output::json(&json!({ "schema": "goodput/store-list/1", "runs": cards, "next": next }));
        return Ok(());
    }
    if cards.is_empty() {
        output::text("no such run\n");
        return Ok(());
    }
    output::text(&table(&cards).to_text(output::width()));
    if let Some(next) = next {
        eprintln!("more: --after {next}");
    }
    Ok(())
}

/// One row a run.
fn table(cards: &[Card]) -> Table {
    let columns = ["run", "started", "probe", "hosts", "result", "tags", "labels"];
    let mut table =
        Table::new(format!("{}, the newest first", runs(cards.len())), &columns.map(|c| (c, Align::Left)));
    for card in cards {
        let labels: Vec<String> = card.labels.iter().map(|(k, v)| format!("{k}={v}")).collect();
        table.row(vec![
            card.id.to_string(),
            started(&card.started),
            card.experiment.clone().unwrap_or_else(|| card.probes.join("; ")),
            card.hosts.join(", "),
            result(card),
            card.tags.join(", "),
            labels.join(" "),
        ]);
    }
    table.without_empty_columns()
}

/// The figure, and how the run stands where that is not simply well.
fn result(card: &Card) -> String {
    let mut words = match (&card.figure, &card.experiment) {
        (Some(figure), _) => of_unit(figure.value, &figure.unit),
        (None, Some(_)) => format!("{} trials", goodput_report::number::count(card.trials)),
        (None, None) => NONE.to_string(),
    };
    if card.outcome != CardOutcome::Complete {
        words.push_str(&format!(" ({})", card.outcome));
    }
    words
}
