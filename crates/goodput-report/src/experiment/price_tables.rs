//! Tables of prices and their value, by `goodput-analysis`.

use super::ExperimentResults;
use super::metric_unit::{MetricUnit, measure_title};
use crate::number::format_grouped;
use crate::page::{Block, TableVariants};
use crate::table::cell::{count, plain};
use crate::table::{Align, Cell, NumberFormat, Table};
use goodput_analysis::experiment::price_performance::{
    LevelPricePerformance, PricePerformance, PricePerformanceVerdict, analyze_price_performance,
};
use std::collections::{BTreeMap, BTreeSet};

/// Value per 1,000 units of currency, since one yen buys too little.
const FOR: f64 = 1000.0;

pub(super) fn price_blocks(results: &ExperimentResults<'_>) -> Vec<Block> {
    let data = results.source.data;
    let primary_metric = |m: &usize| {
        data.measures.iter().position(|other| other.probe == data.measures[*m].probe) == Some(*m)
            && !data.measures[*m].over_size
    };
    let priced: BTreeSet<&String> = data.prices.iter().map(|p| &p.factor).collect();
    let seed = results.source.head.map_or(0, |h| h.seed);
    let mut blocks = Vec::new();
    for measure in (0..data.measures.len()).filter(primary_metric) {
        for factor in &priced {
            let found = analyze_price_performance(data, (measure, None), factor, &BTreeMap::new(), seed);
            if !found.is_empty() {
                blocks.push(tables(results, measure, factor, &found));
            }
        }
    }
    blocks
}

fn tables(
    results: &ExperimentResults<'_>,
    measure: usize,
    factor: &str,
    found: &[PricePerformance],
) -> Block {
    let data = results.source.data;
    let values = found.iter().flat_map(|w| &w.levels).map(|l| l.figure.median);
    let unit = MetricUnit::for_measure(data, measure, values);
    let name = data.measures.get(measure).map(measure_title).unwrap_or_default();
    let currency = found.first().map(|w| w.currency.clone()).unwrap_or_default();
    let heading = format!("Cost of {name} for each level of {factor}");
    Block::Table(Box::new(TableVariants {
        short: short(&heading, factor, &unit, &currency, found),
        whole: whole(&heading, factor, &unit, &currency, found),
    }))
}

fn short(
    heading: &str,
    factor: &str,
    unit: &MetricUnit,
    currency: &str,
    found: &[PricePerformance],
) -> Table {
    let (left, right) = (Align::Left, Align::Right);
    let bought = format!("{} for {} {currency}", unit.name, format_grouped(FOR, 0));
    let columns = [
        (factor, left),
        ("price", right),
        (bought.trim(), right),
        ("cost-effective", right),
        ("not cost-effective", right),
        ("inconclusive", right),
    ];
    let mut table = Table::new(heading, &columns);
    let mut names: Vec<&String> = Vec::new();
    for level in found.iter().flat_map(|w| &w.levels) {
        if !names.contains(&&level.level) {
            names.push(&level.level);
        }
    }
    for name in names {
        let all: Vec<&LevelPricePerformance> =
            found.iter().flat_map(|w| &w.levels).filter(|l| l.level == *name).collect();
        let of_all = |kind: fn(&PricePerformanceVerdict) -> bool| match all
            .iter()
            .filter(|l| kind(&l.verdict))
            .count()
        {
            0 => "".into(),
            n => count(n as u64).with_suffix(format_args!(" of {}", all.len())),
        };
        let per_unit = all.iter().filter_map(|l| l.per_unit);
        let reach = per_unit.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)));
        table.add_row(vec![
            name.into(),
            all.first().map_or("".into(), |l| format_price(l.price, currency)),
            reach.map_or("".into(), |r| for_so_much(r, unit)),
            of_all(|v| matches!(v, PricePerformanceVerdict::Pays)),
            of_all(|v| matches!(v, PricePerformanceVerdict::DoesNotPay { .. })),
            of_all(|v| matches!(v, PricePerformanceVerdict::CannotTell { .. })),
        ]);
    }
    table.notes.push(
        "A level is not cost-effective if another one is significantly cheaper and at least as good. \
         Counted over the combinations of the other factors."
            .into(),
    );
    table
}

fn whole(
    heading: &str,
    factor: &str,
    unit: &MetricUnit,
    currency: &str,
    found: &[PricePerformance],
) -> Table {
    let (left, right) = (Align::Left, Align::Right);
    let figure = if unit.name.is_empty() { "value".to_string() } else { unit.name.clone() };
    let bought = format!("for {} {currency}", format_grouped(FOR, 0));
    let columns = [
        ("", left),
        (factor, left),
        ("price", right),
        (figure.as_str(), right),
        (bought.as_str(), right),
        ("cost per additional unit", right),
        ("", left),
    ];
    let mut table = Table::new(heading, &columns);
    table.heads = 2;
    for one in found {
        let at = one.at.values().cloned().collect::<Vec<_>>().join(", ");
        for level in &one.levels {
            let verdict = match &level.verdict {
                PricePerformanceVerdict::Pays => "cost-effective".to_string(),
                PricePerformanceVerdict::DoesNotPay { than } => {
                    format!("not cost-effective compared with {}", than.join(", "))
                }
                PricePerformanceVerdict::CannotTell { reasons } => {
                    format!("undetermined: {}", reasons.join("; "))
                }
            };
            let extra = level.extra.as_ref().map(|(than, (low, high))| {
                let scaled = |v: f64| plain(v * unit.scale);
                span(*low, *high, scaled).with_suffix(format_args!(" more than {than}"))
            });
            table.add_row(vec![
                (&at).into(),
                (&level.level).into(),
                format_price(level.price, currency),
                unit.number_cell(level.figure.median),
                level.per_unit.map_or("".into(), |r| for_so_much(r, unit)),
                extra.unwrap_or("".into()),
                verdict.into(),
            ]);
        }
    }
    let mut left_out: Vec<String> = found
        .iter()
        .flat_map(|w| w.left_out.iter().map(|(level, why)| format!("{level} is excluded: {why}.")))
        .collect();
    left_out.sort();
    left_out.dedup();
    table.notes = left_out;
    table.without_empty_columns()
}

fn for_so_much((low, high): (f64, f64), unit: &MetricUnit) -> Cell {
    span(low * FOR / unit.scale, high * FOR / unit.scale, plain)
}

fn format_price(price: (f64, f64), currency: &str) -> Cell {
    let sum = span(price.0, price.1, |v| Cell::number(v, NumberFormat::Fixed(if v < 100.0 { 2 } else { 0 })));
    if currency.is_empty() { sum } else { sum.with_suffix(format_args!(" {currency}")) }
}

/// `10,000`, or `50,000–80,000`.
fn span(from: f64, to: f64, cell: impl Fn(f64) -> Cell) -> Cell {
    let (a, b) = (cell(from), cell(to));
    if a == b { a } else { a.with_suffix(format_args!("–{b}")) }
}
