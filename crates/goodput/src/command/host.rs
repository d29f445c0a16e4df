//! `goodput host` and `goodput compare`: what a machine is, and what is not the same in two runs.

use super::recorded;
use crate::args::host::{Compare, Host};
use crate::args::results::Which;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output;
use goodput_host::{Scope, inventory};
use goodput_model::Run;
use goodput_report::foreign::plain;
use goodput_report::table::{Table, difference, inventory as tables};
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

/// Prints what differs between the hosts of two recorded runs.
pub fn compare(order: &Compare) -> Result<Exit, Failure> {
    let read = |which: &Which| -> Result<Run, Failure> { recorded::read(&recorded::folder(which)?) };
    let (first, second) = (read(&order.first)?, read(&order.second)?);
    let hosts = goodput_analysis::difference::hosts(&first, &second);
    if order.json {
        output::json(&json!({
            "schema": "goodput/compare/1", "runs": [first.head.id, second.head.id], "hosts": hosts,
        }));
    } else {
        print(&difference::differences(&hosts));
    }
    Ok(Exit::Done)
}

fn print(tables: &[Table]) {
    let text = |table: &Table| format!("{}\n{}", plain(&table.title), table.to_text(output::width()));
    output::text(&tables.iter().map(text).collect::<Vec<_>>().join("\n"));
}
