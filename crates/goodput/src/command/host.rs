//! `goodput host` and `goodput compare`: what a machine is, and what is not the same in two runs: results and hosts.

use super::recorded;
use crate::args::host::{Compare, Host};
use crate::args::results::Which;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use goodput_analysis::summary::summarise;
use goodput_host::{Scope, inventory};
use goodput_model::Run;
use goodput_report::foreign::plain;
use goodput_report::table::{Table, difference, inventory as tables, versus};
use serde_json::json;

/// Prints what this machine is, with all interfaces of this network namespace.
pub fn host(order: &Host) {
    let inventory = inventory(&Scope::All);
    if order.json {
        output::json(&json!({ "schema": "goodput/host/1", "inventory": inventory }));
    } else {
        print(&tables::tables(&inventory));
    }
}

/// Prints what two recorded runs measured with the same settings, and what differs between their hosts.
pub fn compare(order: &Compare) -> Result<Exit, Failure> {
    let read = |which: &Which| -> Result<Run, Failure> { recorded::read(&recorded::folder(which)?) };
    let (first, second) = (read(&order.first)?, read(&order.second)?);
    let hosts = goodput_analysis::difference::hosts(&first, &second);
    let summaries = |run: &Run| -> Vec<_> { run.trials.iter().map(summarise).collect() };
    let results = goodput_analysis::versus::compare(&summaries(&first), &summaries(&second));
    if order.json {
        output::json(&json!({
            "schema": "goodput/compare/1", "runs": [first.head.id, second.head.id], "results": results, "hosts": hosts,
        }));
    } else {
        let mut tables = vec![versus::changes(&results)];
        tables.extend(difference::differences(&hosts));
        print(&tables);
    }
    Ok(Exit::Done)
}

fn print(tables: &[Table]) {
    let text = |table: &Table| format!("{}\n{}", plain(&table.title), table.to_text(output::width()));
    output::text(&tables.iter().map(text).collect::<Vec<_>>().join("\n"));
}
