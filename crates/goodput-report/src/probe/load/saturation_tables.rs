//! Saturation of a load run's curves.

use super::format_client_count;
use crate::table::cell::{rate, size};
use crate::table::{Align, Cell, Table};
use goodput_model::summary::{LoadCurve, SaturationPoint};

pub(crate) fn saturation_table(curves: &[&LoadCurve]) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Saturation points",
        &[
            ("curve", Align::Left),
            ("highest rate", right),
            ("best at", right),
            ("saturation point", right),
            ("95 % interval (saturation)", right),
            ("", Align::Left),
        ],
    );
    for curve in curves {
        let at = |n: u64| if curve.clients.is_some() { size(n) } else { format_client_count(n).into() };
        let fixed = match (curve.clients, curve.size_bytes) {
            (Some(n), _) => format!(", {}, by request size", format_client_count(n.into())),
            (None, Some(bytes)) => format!(" {}, by number of clients", size(bytes)),
            (None, None) => ", by number of clients".into(),
        };
        let (from, sure, why) = match &curve.saturation {
            SaturationPoint::Reached { at: here, least, most } => {
                (at(*here), at(*least).with_suffix(format_args!(" to {}", at(*most))), String::new())
            }
            SaturationPoint::NotReached => (Cell::Missing, Cell::Missing, "saturation not reached".into()),
            SaturationPoint::CannotTell { reason } => {
                (Cell::Missing, Cell::Missing, format!("cannot be determined: {reason}"))
            }
        };
        table.add_row(vec![
            format!("{}{fixed}", curve.name).into(),
            rate(curve.best_bps),
            at(curve.best_at),
            from,
            sure,
            why.into(),
        ]);
    }
    table.notes.push(
        "Saturation point: no later point is more than 5 % higher. The 95 % interval is \
        computed by resampling the intervals of each point."
            .into(),
    );
    table.without_empty_columns()
}
