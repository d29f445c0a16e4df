//! `goodput host`: describes this machine.

use crate::args::host::HostArgs;
use crate::{language, output};
use goodput_host::{InterfaceScope, collect_inventory};
use goodput_report::escape::escape_for_terminal;
use goodput_report::table::{Table, inventory as tables};
use serde_json::json;

pub fn print_host(order: &HostArgs) {
    let inventory = collect_inventory(&InterfaceScope::All);
    if order.json {
        output::print_json(&json!({ "schema": "goodput/host/1", "inventory": inventory }));
    } else {
        print_tables(&tables::inventory_tables(&inventory));
    }
}

pub(super) fn print_tables(tables: &[Table]) {
    let text = |table: &Table| {
        let table = language::translate_table(table.clone(), &[]);
        format!("{}\n{}", escape_for_terminal(&table.title), table.to_text(output::terminal_width()))
    };
    output::print_text(&tables.iter().map(text).collect::<Vec<_>>().join("\n"));
}
