//! Tables of prices and their value, by `goodput-analysis`.

use super::ExperimentResults;
use super::metric_unit::{MetricUnit, probe_metric_title};
use crate::display_text::{DisplayText, comma_list, semicolon_list};
use crate::grouping::group_by_key;
use crate::page::{Block, TableVariants};
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, plain};
use crate::table::{Cell, ColumnDefinitions, NumberFormat, Table};
use goodput_analysis::experiment::price_performance::{
    LevelPricePerformance, PricePerformance, PricePerformanceVerdict, analyze_price_performance,
};
use goodput_model::Message;
use goodput_words::message;
use std::collections::{BTreeMap, BTreeSet};

/// Value per 1,000 units of currency, since one yen buys too little.
const FOR: f64 = 1000.0;

pub(super) fn price_performance_page_blocks(results: &ExperimentResults<'_>) -> Vec<Block> {
    let data = results.source.data;
    let priced: BTreeSet<&String> = data.prices.iter().map(|p| &p.factor).collect();
    let seed = results.source.head.map_or(0, |h| h.seed);
    let mut blocks = Vec::new();
    for measure in super::primary_measures(data) {
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
    let what = data.measures.get(measure).map(|m| probe_metric_title(&m.probe, &m.figure));
    let heading = message!(report_what_costs_with_each { what: what.unwrap_or_default(), factor });
    let prices = Prices { unit, currency: found.first().map_or("", |w| &w.currency), found };
    Block::Table(Box::new(TableVariants {
        short: prices.short(&heading, factor),
        whole: prices.whole(&heading, factor),
    }))
}

struct Prices<'a> {
    unit: MetricUnit,
    currency: &'a str,
    found: &'a [PricePerformance],
}

impl Prices<'_> {
    fn short(&self, heading: &Message, factor: &str) -> Table {
        let levels = self.found.iter().flat_map(|w| &w.levels);
        let of_all = |all: &[&LevelPricePerformance], kind: fn(&PricePerformanceVerdict) -> bool| match all
            .iter()
            .filter(|l| kind(&l.verdict))
            .count()
        {
            0 => "".into(),
            n => count(n as u64).worded(|count| message!(report_so_many_of { count, all: all.len() })),
        };
        let columns: ColumnDefinitions<'_, (&String, Vec<&LevelPricePerformance>)> = &[
            (factor, Left, &|(name, _)| (*name).into()),
            ("price", Right, &|(_, all)| self.price(all[0])),
            ("", Right, &|(_, all)| {
                let per_unit = all.iter().filter_map(|l| l.per_unit);
                self.for_so_much(per_unit.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))))
            }),
            ("cost-effective", Right, &|(_, all)| {
                of_all(all, |v| matches!(v, PricePerformanceVerdict::Pays))
            }),
            ("not cost-effective", Right, &|(_, all)| {
                of_all(all, |v| matches!(v, PricePerformanceVerdict::DoesNotPay { .. }))
            }),
            ("inconclusive", Right, &|(_, all)| {
                of_all(all, |v| matches!(v, PricePerformanceVerdict::CannotTell { .. }))
            }),
        ];
        let mut table = Table::from_items(heading, group_by_key(levels.map(|l| (&l.level, l))), columns);
        table.columns[2].0 = match self.unit.name.as_str() {
            "" => self.for_sum(),
            unit => message!(part_experiment_unit_for_sum { unit, sum: self.sum() }),
        }
        .into();
        table.notes.push(
            "A level is not cost-effective if another one is significantly cheaper and at least as good. \
             Counted over the combinations of the other factors."
                .into(),
        );
        table
    }

    fn whole(&self, heading: &Message, factor: &str) -> Table {
        let unit = &self.unit;
        let figure = if unit.name.is_empty() { "value" } else { &unit.name };
        let columns: ColumnDefinitions<'_, (&PricePerformance, &LevelPricePerformance)> = &[
            ("", Left, &|(one, _)| comma_list(one.at.values()).into()),
            (factor, Left, &|(_, level)| (&level.level).into()),
            ("price", Right, &|(_, level)| self.price(level)),
            (figure, Right, &|(_, level)| unit.number_cell(level.figure.median)),
            ("", Right, &|(_, level)| self.for_so_much(level.per_unit)),
            ("cost per additional unit", Right, &|(_, level)| {
                level.extra.as_ref().map_or("".into(), |(than, (low, high))| {
                    let extra = span(*low, *high, |v| plain(v * unit.scale));
                    extra.worded(|price| message!(part_experiment_more_than { price, level: than }))
                })
            }),
            ("", Left, &|(_, level)| verdict(&level.verdict).into()),
        ];
        let mut table = Table::from_items(
            heading,
            self.found.iter().flat_map(|one| one.levels.iter().map(move |level| (one, level))),
            columns,
        );
        table.heads = 2;
        table.columns[4].0 = self.for_sum().into();
        let left_out = self
            .found
            .iter()
            .flat_map(|w| &w.left_out)
            .map(|(level, why)| message!(report_level_is_left_out { level, why }));
        let left_out: BTreeMap<String, Message> = left_out.map(|note| (note.to_string(), note)).collect();
        table.notes.extend(left_out.into_values().map(DisplayText::from));
        table.without_empty_columns()
    }

    fn for_sum(&self) -> Message {
        message!(part_experiment_for_sum { sum: self.sum() })
    }

    fn sum(&self) -> Cell {
        self.in_currency(Cell::number(FOR, NumberFormat::Fixed(0)))
    }

    fn in_currency(&self, sum: Cell) -> Cell {
        if self.currency.is_empty() {
            return sum;
        }
        sum.worded(|first| message!(part_experiment_pair { first, then: self.currency }))
    }

    fn for_so_much(&self, per_unit: Option<(f64, f64)>) -> Cell {
        let bought = |v: f64| plain(v * FOR / self.unit.scale);
        per_unit.map_or("".into(), |(low, high)| span(low, high, bought))
    }

    fn price(&self, level: &LevelPricePerformance) -> Cell {
        let cell = |v: f64| Cell::number(v, NumberFormat::Fixed(if v < 100.0 { 2 } else { 0 }));
        self.in_currency(span(level.price.0, level.price.1, cell))
    }
}

fn verdict(verdict: &PricePerformanceVerdict) -> Message {
    match verdict {
        PricePerformanceVerdict::Pays => message!(report_pays),
        PricePerformanceVerdict::DoesNotPay { than } => {
            message!(report_does_not_pay_than { levels: than.clone() })
        }
        PricePerformanceVerdict::CannotTell { reasons } => {
            message!(report_cannot_tell_why { reasons: semicolon_list(reasons.iter().cloned()) })
        }
    }
}

/// `10,000`, or `50,000–80,000`.
fn span(from: f64, to: f64, cell: impl Fn(f64) -> Cell) -> Cell {
    let (a, b) = (cell(from), cell(to));
    if a == b { a } else { a.worded(|least| message!(part_experiment_span { least, most: b })) }
}
