//! `goodput host`: describes this machine.

use crate::args::host::HostArgs;
use crate::output;
use goodput_host::{InterfaceScope, collect_inventory};
use goodput_report::table::inventory::inventory_tables;
use serde_json::json;

pub fn run_host(order: &HostArgs) {
    let inventory = collect_inventory(&InterfaceScope::All);
    if order.json {
        output::print_json(&json!({ "schema": "goodput/host/1", "inventory": inventory }));
    } else {
        output::print_tables(inventory_tables(&inventory));
    }
}
