//! Saturation of a load run's curves.

use super::{client_count, curve_name, curve_place};
use crate::table::Align::{Left, Right};
use crate::table::cell::rate;
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_model::summary::{LoadCurve, SaturationPoint};
use goodput_words::message;

pub(crate) fn saturation_table(curves: &[&LoadCurve]) -> Table {
    let columns: ColumnDefinitions<'_, &&LoadCurve> = &[
        ("curve", Left, &|c| {
            let curve = curve_name(c);
            match c.clients.map(|n| client_count(n.into())) {
                Some(clients) => message!(report_curve_over_the_request_size { curve, clients }).into(),
                None => message!(report_curve_over_the_number_of_clients { curve }).into(),
            }
        }),
        ("highest rate", Right, &|c| rate(c.best_bps)),
        ("highest rate at", Right, &|c| curve_place(c, c.best_at)),
        ("saturation point", Right, &|c| match c.saturation {
            SaturationPoint::Reached { at: here, .. } => curve_place(c, here),
            _ => Cell::Missing,
        }),
        ("95 % interval of the saturation point", Right, &|c| match c.saturation {
            SaturationPoint::Reached { least, most, .. } => {
                let most = curve_place(c, most);
                curve_place(c, least).worded(|least| message!(part_from_to { least, most }))
            }
            _ => Cell::Missing,
        }),
        ("", Left, &|c| match &c.saturation {
            SaturationPoint::Reached { .. } => "".into(),
            SaturationPoint::NotReached => "saturation not reached".into(),
            SaturationPoint::CannotTell { reason } => {
                message!(part_load_cannot_be_determined { reason: reason.clone() }).into()
            }
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
