//! Resources of a copy, and how much of each was used.

use super::direction_at;
use crate::table::Align::Left;
use crate::table::{Cell, Table};
use goodput_model::summary::{FileCopyVerdict, SaturationLevel};

pub(super) fn limiting_resource_table(verdicts: &[FileCopyVerdict]) -> Table {
    let mut table = Table::new(
        "Resource usage of the copies",
        &[("copy", Left), ("resource", Left), ("", Left), ("", Left)],
    );
    for verdict in verdicts {
        let copy = direction_at(verdict.way, &verdict.place);
        for (i, used) in verdict.resources.iter().enumerate() {
            let level = match used.level {
                SaturationLevel::Unknown => "unknown",
                SaturationLevel::Clear => "not saturated",
                SaturationLevel::Near => "nearly saturated",
                SaturationLevel::Saturated => "saturated",
            };
            let level = if verdict.cause == Some(used.resource) { "bottleneck" } else { level };
            table.add_row([
                if i == 0 { Cell::from(&copy) } else { "".into() },
                used.resource.description().trim_start_matches("the ").into(),
                level.into(),
                (&used.text).into(),
            ]);
        }
    }
    table
}
