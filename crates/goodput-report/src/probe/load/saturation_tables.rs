//! Saturation of a load run's curves.

use super::format_client_count;
use crate::table::Align::{Left, Right};
use crate::table::cell::{rate, size};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_model::summary::{LoadCurve, SaturationPoint};

pub(crate) fn saturation_table(curves: &[&LoadCurve]) -> Table {
    let at = |c: &LoadCurve, n| if c.clients.is_some() { size(n) } else { format_client_count(n).into() };
    let columns: ColumnDefinitions<'_, &&LoadCurve> = &[
        ("curve", Left, &|c| {
            let fixed = match (c.clients, c.size_bytes) {
                (Some(n), _) => format!(", {}, by request size", format_client_count(n.into())),
                (None, Some(bytes)) => format!(" {}, by number of clients", size(bytes)),
                (None, None) => ", by number of clients".into(),
            };
            format!("{}{fixed}", c.name).into()
        }),
        ("highest rate", Right, &|c| rate(c.best_bps)),
        ("highest rate at", Right, &|c| at(c, c.best_at)),
        ("saturation point", Right, &|c| match c.saturation {
            SaturationPoint::Reached { at: here, .. } => at(c, here),
            _ => Cell::Missing,
        }),
        ("95 % interval of the saturation point", Right, &|c| match c.saturation {
            SaturationPoint::Reached { least, most, .. } => {
                at(c, least).with_suffix(format_args!(" to {}", at(c, most)))
            }
            _ => Cell::Missing,
        }),
        ("", Left, &|c| match &c.saturation {
            SaturationPoint::Reached { .. } => "".into(),
            SaturationPoint::NotReached => "saturation not reached".into(),
            SaturationPoint::CannotTell { reason } => format!("cannot be determined: {reason}").into(),
        }),
    ];
    let mut table = Table::from_items("Saturation points", curves, columns);
    table.notes.push(
        "Saturation point: no later point is more than 5 % higher. The 95 % interval is \
        computed by resampling the intervals of each point."
            .into(),
    );
    table.without_empty_columns()
}
