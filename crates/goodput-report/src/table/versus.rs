//! Measurements of two runs with equal settings, as a table for `goodput compare`.

use super::{Align, Cell, Format, Table};
use crate::table::cell::{change, megabytes, or_none, per_second, percent, plain, rate_f, time};
use goodput_model::change::{Basis, Change, Compared, Quantity, Verdict};

/// One row per measurement and metric. `alone` counts settings of only one run
/// (`goodput_analysis::versus::alone`).
pub fn changes(compared: &[Compared], alone: (usize, usize), (first, second): (&str, &str)) -> Table {
    let right = Align::Right;
    let mut table = Table::new(
        "Measurements in both runs",
        &[
            ("measurement", Align::Left),
            ("", Align::Left),
            (first, right),
            (second, right),
            ("change", right),
            ("95 % interval", right),
            ("", Align::Left),
        ],
    );
    let mut before = "";
    for one in compared {
        // The settings once for all their metrics.
        let what = if one.what == before { "" } else { &one.what };
        before = &one.what;
        table.row(vec![
            what.into(),
            name(one.quantity).into(),
            value(one.quantity, one.first.mean),
            value(one.quantity, one.second.mean),
            or_none(one.change.percent, change),
            interval(&one.change),
            verdict(&one.change).into(),
        ]);
    }
    if compared.is_empty() {
        table.notes.push("The two runs have no measurement with the same settings.".into());
    }
    if compared.iter().any(|c| c.change.basis == Basis::Trials) {
        table.notes.push(
            "Each run's column shows the mean of its trials. The change is the median ratio of all pairs \
             of trials, one from each run (Hodges–Lehmann); a single disturbed trial does not affect it."
                .into(),
        );
    }
    if compared.iter().any(|c| c.change.basis == Basis::Seconds) {
        table.notes.push(
            "(within one trial): computed from the seconds of the trial, without the variation between \
             trials. Measure with --repeat 5 to include it."
                .into(),
        );
    }
    table.notes.extend(of_one_run(alone));
    table
}

fn of_one_run((first, second): (usize, usize)) -> Option<String> {
    (first + second > 0).then(|| {
        format!(
            "Not compared, because only one of the two runs has these settings: {first} in the first, \
             {second} in the second."
        )
    })
}

pub fn overview(names: &[&str], others: &[Vec<Compared>]) -> Table {
    let mut table =
        Table::new("Measurements in all runs", &[("measurement", Align::Left), ("", Align::Left)]);
    table.columns.extend(names.iter().map(|name| (name.to_string(), Align::Right)));
    table.heads = 2;
    let mut rows: Vec<(&str, Quantity)> = Vec::new();
    for one in others.iter().flatten() {
        if !rows.contains(&(one.what.as_str(), one.quantity)) {
            rows.push((&one.what, one.quantity));
        }
    }
    for (what, quantity) in rows {
        let found = |compared: &Vec<Compared>| {
            compared.iter().find(|c| c.what == what && c.quantity == quantity).cloned()
        };
        let first = others.iter().find_map(found).map(|c| c.first.mean);
        let mut cells = vec![Cell::from(what), name(quantity).into()];
        cells.push(or_none(first, |v| value(quantity, v)));
        cells.extend(others.iter().map(|o| or_none(found(o), |c| value(quantity, c.second.mean))));
        table.row(cells);
    }
    table
}

pub fn comparison_summary(compared: &[Compared], (first, second): (&str, &str)) -> String {
    let of = |verdict: Verdict| compared.iter().filter(|c| c.change.verdict == verdict).count();
    if compared.is_empty() {
        return format!("{second} and {first} have no measurement with the same settings.");
    }
    let counted = [
        (of(Verdict::Better), "better"),
        (of(Verdict::Worse), "worse"),
        (of(Verdict::NoneShown), "without a significant change"),
        (of(Verdict::CannotTell), "inconclusive"),
    ];
    let parts: Vec<String> =
        counted.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
    let values = if compared.len() == 1 { "value" } else { "values" };
    format!("{second} compared with {first}, {} {values}: {}.", compared.len(), parts.join(", "))
}

fn name(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::GoodputBps => "goodput",
        Quantity::TransactionsPerSecond => "transactions",
        Quantity::LatencyP50Ns => "latency p50",
        Quantity::LatencyP99Ns => "latency p99",
        Quantity::HalfRoundTripNs => "half RTT",
        Quantity::CpuPercent => "CPU",
        Quantity::PeIndex => "P/E",
        Quantity::AcceptedBps => "accepted",
        Quantity::DurableBps => "durable",
        Quantity::PayloadBps => "payload",
        Quantity::OperationsPerSecond => "operations",
    }
}

fn value(quantity: Quantity, value: f64) -> Cell {
    match quantity {
        Quantity::GoodputBps => rate_f(value),
        Quantity::AcceptedBps | Quantity::DurableBps | Quantity::PayloadBps => megabytes(value),
        Quantity::TransactionsPerSecond | Quantity::OperationsPerSecond => per_second(value),
        Quantity::LatencyP50Ns | Quantity::LatencyP99Ns | Quantity::HalfRoundTripNs => {
            time(value.max(0.0).round())
        }
        Quantity::CpuPercent => percent(value),
        Quantity::PeIndex => plain(value),
    }
}

fn interval(measured: &Change) -> Cell {
    match measured.interval_percent {
        None => Cell::Missing,
        Some((low, high)) => {
            let within = if measured.basis == Basis::Seconds { " (within one trial)" } else { "" };
            Cell::number(low, Format::ChangeBound).followed(format_args!(" to {}{within}", change(high)))
        }
    }
}

fn verdict(change: &Change) -> &'static str {
    match change.verdict {
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::NoneShown => "no significant change",
        Verdict::CannotTell => "inconclusive",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::change::Measured;

    fn compared(quantity: Quantity, verdict: Verdict, basis: Basis) -> Compared {
        Compared {
            what: "load transmit, 64 B, 20 clients".into(),
            quantity,
            first: Measured { mean: 100e6, trials: 1 },
            second: Measured { mean: 110e6, trials: 1 },
            change: Change {
                percent: Some(10.0),
                interval_percent: (basis != Basis::Nothing).then_some((8.0, 12.0)),
                verdict,
                basis,
            },
        }
    }

    #[test]
    fn settings_stand_once_and_intervals_say_where_they_are_from() {
        let of = |compared: &[Compared]| changes(compared, (0, 0), ("first run", "second run"));
        let table = of(&[
            compared(Quantity::GoodputBps, Verdict::Better, Basis::Seconds),
            compared(Quantity::CpuPercent, Verdict::CannotTell, Basis::Nothing),
        ]);
        assert_eq!(table.rows[0][0], "load transmit, 64 B, 20 clients");
        assert_eq!(table.rows[1][0], "");
        assert_eq!(table.rows[0][4..], ["+10.0 %", "+8.0 to +12.0 % (within one trial)", "better"]);
        assert_eq!(table.rows[1][5..], ["–", "cannot tell"]);
        assert_eq!(table.notes.len(), 1);
        assert_eq!(of(&[]).notes.len(), 1);
    }

    #[test]
    fn what_only_one_run_has_is_told() {
        assert_eq!(of_one_run((0, 0)), None);
        assert!(of_one_run((0, 2)).unwrap().ends_with("0 of the first, 2 of the second."));
    }
}
