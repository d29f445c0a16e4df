//! Resources of a copy, and how much of each was used.

use crate::table::{Align, Table};
use goodput_model::file::FileDirection;
use goodput_model::summary::{FileCopyVerdict, SaturationLevel};

pub(super) fn limiting_resource_table(verdicts: &[FileCopyVerdict]) -> Table {
    let left = Align::Left;
    let mut table = Table::new(
        "Resource usage of the copies",
        &[("copy", left), ("resource", left), ("", left), ("", left)],
    );
    for verdict in verdicts {
        let verb = if verdict.way == FileDirection::Write { "write to" } else { "read from" };
        for (i, used) in verdict.resources.iter().enumerate() {
            let level = match used.level {
                SaturationLevel::Unknown => "unknown",
                SaturationLevel::Clear => "below its limit",
                SaturationLevel::Near => "near its limit",
                SaturationLevel::Saturated => "at its limit",
            };
            let level = if verdict.cause == Some(used.resource) { "bottleneck" } else { level };
            table.add_row([
                if i == 0 { format!("{verb} {}", verdict.place) } else { String::new() },
                used.resource.description().trim_start_matches("the ").to_string(),
                level.into(),
                used.text.clone(),
            ]);
        }
    }
    table
}
