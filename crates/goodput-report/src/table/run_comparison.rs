//! Measurements of two runs with equal settings, as a table for `goodput compare`.

use super::Align::{Left, Right};
use super::{Cell, ColumnDefinitions, NumberFormat, Table};
use crate::display_text::{DisplayText, comma_list};
use crate::grouping::distinct_items;
use crate::table::cell::{change, megabytes, optional_cell, per_second, percent, plain, rate_f, time};
use goodput_model::Message;
use goodput_model::run_comparison::{
    ChangeVerdict, ComparedMetric, ComparedQuantity, RelativeChange, VariationSource,
};
use goodput_words::message;

/// One row per measurement and metric. `alone` counts settings of only one run
/// (`goodput_analysis::run_comparison::alone`).
pub fn changes_table(
    compared: &[ComparedMetric],
    alone: (usize, usize),
    (first, second): (&str, &str),
) -> Table {
    let columns: ColumnDefinitions<'_, &ComparedMetric> = &[
        ("measurement", Left, &|c| (&c.what).into()),
        ("", Left, &|c| name(c.quantity).into()),
        (first, Right, &|c| value(c.quantity, c.first.mean)),
        (second, Right, &|c| value(c.quantity, c.second.mean)),
        ("change", Right, &|c| optional_cell(c.change.percent, change)),
        ("95 % interval", Right, &|c| interval(&c.change)),
        ("", Left, &|c| verdict(&c.change).into()),
    ];
    let mut table = Table::from_items("Measurements in both runs", compared, columns);
    // The settings once for all their metrics.
    for (row, same) in (1..).zip(compared.windows(2).map(|w| w[0].what == w[1].what)) {
        if same {
            table.rows[row][0] = "".into();
        }
    }
    if compared.is_empty() {
        table.notes.push("The two runs have no measurement with the same settings.".into());
    }
    if compared.iter().any(|c| c.change.basis == VariationSource::Trials) {
        table.notes.push(
            "Each run's column shows the mean of its trials. The change is the median ratio of all pairs \
             of trials, one from each run (Hodges–Lehmann); a single disturbed trial does not affect it."
                .into(),
        );
    }
    if compared.iter().any(|c| c.change.basis == VariationSource::Seconds) {
        table.notes.push(
            "(within one trial): computed from the seconds of the trial, without the variation between \
             trials. Measure with --repeat 5 to include it."
                .into(),
        );
    }
    table.notes.extend(of_one_run(alone).map(DisplayText::from));
    table
}

fn of_one_run((first, second): (usize, usize)) -> Option<Message> {
    (first + second > 0).then(|| message!(report_settings_of_one_run { first, second }))
}

pub fn all_runs_table(names: &[&str], others: &[Vec<ComparedMetric>]) -> Table {
    let mut table = Table::new("Measurements in all runs", &[("measurement", Left), ("", Left)]);
    table.columns.extend(names.iter().map(|name| (DisplayText::from(*name), Right)));
    table.heads = 2;
    for (what, quantity) in distinct_items(others.iter().flatten().map(|one| (&one.what, one.quantity))) {
        let found = |compared: &Vec<ComparedMetric>| {
            compared.iter().find(|c| c.what == *what && c.quantity == quantity).cloned()
        };
        let first = others.iter().find_map(found).map(|c| c.first.mean);
        let mut cells = vec![Cell::from(what), name(quantity).into()];
        cells.push(optional_cell(first, |v| value(quantity, v)));
        cells.extend(others.iter().map(|o| optional_cell(found(o), |c| value(quantity, c.second.mean))));
        table.add_row(cells);
    }
    table
}

pub fn comparison_summary(compared: &[ComparedMetric], (first, second): (&str, &str)) -> Message {
    if compared.is_empty() {
        return message!(report_no_measurement_of_the_same_settings { second, first });
    }
    let count = |verdict: ChangeVerdict| {
        let count = compared.iter().filter(|c| c.change.verdict == verdict).count();
        (count > 0).then_some(count)
    };
    let parts = [
        count(ChangeVerdict::Better).map(|count| message!(part_so_many_better { count })),
        count(ChangeVerdict::Worse).map(|count| message!(part_so_many_worse { count })),
        count(ChangeVerdict::NoneShown).map(|count| message!(part_so_many_without_a_change { count })),
        count(ChangeVerdict::CannotTell).map(|count| message!(part_so_many_cannot_be_told { count })),
    ];
    let tally = comma_list(parts.into_iter().flatten());
    message!(report_run_comparison { second, first, count: compared.len(), tally })
}

fn name(quantity: ComparedQuantity) -> &'static str {
    match quantity {
        ComparedQuantity::GoodputBps => "goodput",
        ComparedQuantity::TransactionsPerSecond => "transactions",
        ComparedQuantity::LatencyP50Ns => "latency p50",
        ComparedQuantity::LatencyP99Ns => "latency p99",
        ComparedQuantity::HalfRoundTripNs => "half RTT",
        ComparedQuantity::CpuPercent => "CPU",
        ComparedQuantity::PeIndex => "P/E",
        ComparedQuantity::AcceptedBps => "accepted",
        ComparedQuantity::DurableBps => "durable",
        ComparedQuantity::PayloadBps => "payload",
        ComparedQuantity::OperationsPerSecond => "operations",
    }
}

fn value(quantity: ComparedQuantity, value: f64) -> Cell {
    match quantity {
        ComparedQuantity::GoodputBps => rate_f(value),
        ComparedQuantity::AcceptedBps | ComparedQuantity::DurableBps | ComparedQuantity::PayloadBps => {
            megabytes(value)
        }
        ComparedQuantity::TransactionsPerSecond | ComparedQuantity::OperationsPerSecond => per_second(value),
        ComparedQuantity::LatencyP50Ns
        | ComparedQuantity::LatencyP99Ns
        | ComparedQuantity::HalfRoundTripNs => time(value.max(0.0).round()),
        ComparedQuantity::CpuPercent => percent(value),
        ComparedQuantity::PeIndex => plain(value),
    }
}

fn interval(measured: &RelativeChange) -> Cell {
    match measured.interval_percent {
        None => Cell::Missing,
        Some((low, high)) => Cell::number(low, NumberFormat::ChangeBound).worded(|least| {
            let interval = message!(report_from_to { least, most: change(high) });
            match measured.basis {
                VariationSource::Seconds => message!(report_within_seconds { interval }),
                VariationSource::Trials | VariationSource::Nothing => interval,
            }
        }),
    }
}

fn verdict(change: &RelativeChange) -> &'static str {
    match change.verdict {
        ChangeVerdict::Better => "better",
        ChangeVerdict::Worse => "worse",
        ChangeVerdict::NoneShown => "no significant change",
        ChangeVerdict::CannotTell => "inconclusive",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::run_comparison::TrialsMean;

    fn compared(
        quantity: ComparedQuantity,
        verdict: ChangeVerdict,
        basis: VariationSource,
    ) -> ComparedMetric {
        ComparedMetric {
            what: "load transmit, 64 B, 20 clients".into(),
            quantity,
            first: TrialsMean { mean: 100e6, trials: 1 },
            second: TrialsMean { mean: 110e6, trials: 1 },
            change: RelativeChange {
                percent: Some(10.0),
                interval_percent: (basis != VariationSource::Nothing).then_some((8.0, 12.0)),
                verdict,
                basis,
            },
        }
    }

    #[test]
    fn settings_stand_once_intervals_say_where_they_are_from_and_what_one_run_lacks_is_told() {
        let of = |compared: &[ComparedMetric]| changes_table(compared, (0, 0), ("first run", "second run"));
        let table = of(&[
            compared(ComparedQuantity::GoodputBps, ChangeVerdict::Better, VariationSource::Seconds),
            compared(ComparedQuantity::CpuPercent, ChangeVerdict::CannotTell, VariationSource::Nothing),
        ]);
        assert_eq!(table.rows[0][0], "load transmit, 64 B, 20 clients");
        assert_eq!(table.rows[1][0], "");
        assert_eq!(table.rows[0][4..], ["+10.0 %", "+8.0 to +12.0 % (within one trial)", "better"]);
        assert_eq!(table.rows[1][5..], ["–", "inconclusive"]);
        assert_eq!(table.notes.len(), 1);
        assert_eq!(of(&[]).notes.len(), 1);
        assert_eq!(of_one_run((0, 0)), None);
        assert!(of_one_run((0, 2)).unwrap().ends_with("0 in the first run, 2 in the second."));
    }
}
