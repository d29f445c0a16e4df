//! Effects of factors over the whole design, and comparisons of levels cell by cell.

use super::comparison_tables::{self, p_value_cell};
use super::forest_plot::{ForestPlotRow, forest_plot};
use super::metric_unit::{MetricUnit, probe_metric_title};
use super::{ExperimentResults, FactorialEffects};
use crate::figure::Quantity;
use crate::page::Block;
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, percent, plain, signed_percent};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_analysis::experiment::effects::{
    EffectEstimate, EffectScale, EffectTerm, EffectsAnalysis, ErrorVarianceSource, LevelDeviation,
};
use goodput_analysis::experiment::level_ranking::{LevelRank, Ranking};
use std::collections::BTreeSet;

const TERMS: usize = 20;
const LINES: usize = 40;

pub(super) fn effect_page_blocks(results: &ExperimentResults<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for FactorialEffects { measure, effects: found, left_out } in &results.effects {
        let name = results.source.data.measures.get(*measure).map(probe_metric_title).unwrap_or_default();
        let unit = results.source.data.measures.get(*measure).map(|m| m.unit.clone()).unwrap_or_default();
        let mut table = effects(&name, &unit, found);
        if !left_out.is_empty() {
            table.notes.push(format!(
                "Levels {} are excluded: too few measurements to separate the factors.",
                left_out.join(", ")
            ));
        }
        blocks.push(Block::table(table));
        let figure = levels(&name, &unit, found, *measure);
        if !figure.is_empty() {
            blocks.push(Block::figure(figure));
        }
    }
    blocks.extend(ranks(results).map(Block::table));
    for (number, comparison) in results.comparisons.iter().enumerate() {
        // Single observations decide nothing; conclusions have their ratios.
        if comparison.cells.iter().all(|c| c.interval.is_none()) {
            continue;
        }
        blocks
            .extend(comparison_tables::comparison_page_blocks(comparison, &format!("levels-{}", number + 1)));
    }
    blocks
}

fn effect(scale: EffectScale, unit: &str, value: f64) -> Cell {
    let difference = || plain(value).with_prefix(if value > 0.0 { "+" } else { "" });
    match (scale, unit) {
        (EffectScale::Ratio, _) => signed_percent((value - 1.0) * 100.0),
        (EffectScale::Difference, "") => difference(),
        (EffectScale::Difference, "%") => difference().with_suffix(" percentage points"),
        (EffectScale::Difference, unit) => difference().with_suffix(format_args!(" {unit}")),
    }
}

fn interval(scale: EffectScale, unit: &str, e: &EffectEstimate) -> Cell {
    e.interval.map_or("".into(), |i| {
        effect(scale, unit, i.low).with_suffix(format_args!(" to {}", effect(scale, unit, i.high)))
    })
}

fn effects(name: &str, unit: &str, found: &EffectsAnalysis) -> Table {
    let all: f64 = found.terms.iter().map(|t| t.sum_of_squares).sum();
    let mut terms: Vec<&EffectTerm> = found.terms.iter().collect();
    terms.sort_by(|a, b| b.sum_of_squares.total_cmp(&a.sum_of_squares));
    let with_ends = terms.iter().take(TERMS).filter_map(|term| {
        let by_value = |a: &&LevelDeviation, b: &&LevelDeviation| a.by.value.total_cmp(&b.by.value);
        let ends = term.deviations.iter();
        Some((*term, ends.clone().min_by(by_value)?, ends.max_by(by_value)?))
    });
    let columns: ColumnDefinitions<'_, (&EffectTerm, &LevelDeviation, &LevelDeviation)> = &[
        ("factor", Left, &|(term, ..)| term.factors.join(" × ").into()),
        ("minimum at", Left, &|(_, least, _)| least.levels.join(" × ").into()),
        ("", Right, &|(_, least, _)| effect(found.scale, unit, least.by.value)),
        ("maximum at", Left, &|(.., most)| most.levels.join(" × ").into()),
        ("", Right, &|(.., most)| effect(found.scale, unit, most.by.value)),
        ("95 % interval of the maximum", Left, &|(.., most)| interval(found.scale, unit, &most.by)),
        ("share of variation", Right, &|(term, ..)| percent(100.0 * term.sum_of_squares / all)),
        ("p", Right, &|(term, ..)| term.p.map_or("".into(), p_value_cell)),
    ];
    let mut table = Table::from_items(format!("Effect of each factor on {name}"), with_ends, columns);
    table.notes.push(reading(found));
    if terms.len() > TERMS {
        table.notes.push(format!("{} terms with smaller effects are not shown.", terms.len() - TERMS));
    }
    let alias = |t: &&EffectTerm| !t.aliases.is_empty();
    for term in terms.iter().take(TERMS).filter(|t| alias(t)).take(6) {
        let others: Vec<String> = term.aliases.iter().map(|a| a.join(" × ")).collect();
        table.notes.push(format!(
            "This design cannot separate {} from {}.",
            term.factors.join(" × "),
            others.join(", ")
        ));
    }
    table.without_empty_columns()
}

/// Indistinguishable levels share their ranks.
fn ranks(results: &ExperimentResults<'_>) -> Option<Table> {
    let data = results.source.data;
    let ranked = results.rankings.iter().flat_map(|(measure, factor, ranking)| {
        let unit = MetricUnit::for_measure(data, *measure, ranking.ranks.iter().map(|r| r.median));
        let what = data.measures.get(*measure).map(probe_metric_title).unwrap_or_default();
        ranking
            .ranks
            .iter()
            .map(move |rank| (what.clone(), factor, ranking, rank, unit.cell_with_unit(rank.median)))
    });
    let columns: ColumnDefinitions<'_, (String, &String, &Ranking, &LevelRank, Cell)> = &[
        ("", Left, &|(what, ..)| what.into()),
        ("factor", Left, &|(_, factor, ..)| (*factor).into()),
        ("rank", Right, &|(.., rank, _)| {
            let worst = if rank.worst > rank.rank { format!("–{}", rank.worst) } else { String::new() };
            count(rank.rank as u64).with_suffix(worst)
        }),
        ("level", Left, &|(.., rank, _)| (&rank.level).into()),
        ("median", Right, &|(.., median)| median.clone()),
        ("no significant difference from", Left, &|(.., ranking, rank, _)| {
            if rank.like.len() + 1 == ranking.ranks.len() && rank.like.len() > 1 {
                "all other levels".into()
            } else {
                rank.like.join(", ").into()
            }
        }),
    ];
    let mut table = Table::from_items("Ranking of factor levels", ranked, columns);
    table.heads = 3;
    let cautions: BTreeSet<&String> =
        results.rankings.iter().filter_map(|(.., r)| r.caution.as_ref()).collect();
    table.notes.push(
        "A rank is one plus the number of significantly better levels (over all combinations of other \
         factors); the second number is the worst possible rank."
            .into(),
    );
    table.notes.extend(
        cautions.iter().map(|c| format!("{}.", crate::number_format::capitalize(c.trim_end_matches('.')))),
    );
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

fn reading(found: &EffectsAnalysis) -> String {
    let against = match found.scale {
        EffectScale::Ratio => "the geometric mean of all levels",
        EffectScale::Difference => "the mean of all levels",
    };
    let noise = match found.noise {
        ErrorVarianceSource::Repeats => {
            format!("noise estimated from repeats, {} degrees of freedom", count(found.degrees as u64))
        }
        ErrorVarianceSource::HigherOrder => {
            "noise estimated from higher-order interactions, because there are no repeats".to_string()
        }
        ErrorVarianceSource::Nothing => {
            "noise cannot be estimated, so there is no confidence interval and no \
            p-value"
                .to_string()
        }
    };
    let blocks =
        if found.blocks > 1 { format!(", {} block effects removed", found.blocks) } else { String::new() };
    format!(
        "Effects relative to {against}, each factor alone; {} observations{blocks}; {noise}. The share of a term is its part of the sum of squares of all terms.",
        count(found.observations as u64)
    )
}

fn levels(name: &str, unit: &str, found: &EffectsAnalysis, measure: usize) -> crate::figure::Figure {
    let per_cent = |v: f64| if found.scale == EffectScale::Ratio { (v - 1.0) * 100.0 } else { v };
    let mains: Vec<&EffectTerm> = found.terms.iter().filter(|t| t.factors.len() == 1).collect();
    let kinds: Vec<&str> = mains.iter().map(|t| t.factors[0].as_str()).collect();
    let mut changes: Vec<ForestPlotRow> = Vec::new();
    for (kind, term) in mains.iter().enumerate() {
        changes.extend(term.deviations.iter().map(|d| ForestPlotRow {
            name: format!("{} {}", term.factors[0], d.levels.join(" × ")),
            change: Some(per_cent(d.by.value)),
            interval: d.by.interval.map(|i| (per_cent(i.low), per_cent(i.high))),
            kind,
        }));
    }
    let (label, quantity) = match found.scale {
        EffectScale::Ratio => ("relative to the geometric mean of all levels".to_string(), Quantity::Percent),
        EffectScale::Difference if unit == "%" => {
            ("percentage points relative to the mean of all levels".into(), Quantity::Plain)
        }
        EffectScale::Difference if unit.is_empty() => {
            ("relative to the mean of all levels".into(), Quantity::Plain)
        }
        EffectScale::Difference => (format!("relative to the mean of all levels ({unit})"), Quantity::Plain),
    };
    let more = changes.len().saturating_sub(LINES);
    changes.truncate(LINES);
    let title = format!("Effect of each level on {name}");
    let mut figure =
        forest_plot(&format!("effects-{}", measure + 1), &title, &label, quantity, &kinds, &changes);
    if more > 0 {
        figure.notes.push(format!("{more} more levels are in the table."));
    }
    figure
}
