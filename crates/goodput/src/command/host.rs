//! `goodput host`: describes this machine.

use crate::args::host::HostArgs;
use crate::{language, output};
use goodput_host::{Scope, inventory};
use goodput_report::escape::plain;
use goodput_report::table::{Table, inventory as tables};
use serde_json::json;

pub fn host(order: &HostArgs) {
    let inventory = inventory(&Scope::All);
    if order.json {
        output::json(&json!({ "schema": "goodput/host/1", "inventory": inventory }));
    } else {
        print(&tables::tables(&inventory));
    }
}

pub(super) fn print(tables: &[Table]) {
    let text = |table: &Table| {
        let table = language::table(table.clone(), &[]);
        format!("{}\n{}", plain(&table.title), table.to_text(output::width()))
    };
    output::text(&tables.iter().map(text).collect::<Vec<_>>().join("\n"));
}
