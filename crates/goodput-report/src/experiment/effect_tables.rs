//! Effects of factors over the whole design, and comparisons of levels cell by cell.

use super::comparison_tables::{self, p_value_cell};
use super::forest_plot::{ForestPlotRow, forest_plot};
use super::metric_unit::{MetricUnit, probe_metric_title};
use super::{ExperimentResults, FactorialEffects};
use crate::display_text::{DisplayText, comma_list};
use crate::figure::{Figure, Quantity};
use crate::page::Block;
use crate::table::Align::{Left, Right};
use crate::table::cell::{count, percent, plain, signed_percent};
use crate::table::{Cell, ColumnDefinitions, Table};
use goodput_analysis::experiment::effects::{
    EffectEstimate, EffectScale, EffectTerm, EffectsAnalysis, ErrorVarianceSource, LevelDeviation,
};
use goodput_analysis::experiment::level_ranking::{LevelRank, Ranking};
use goodput_model::Message;
use goodput_words::message;
use std::collections::BTreeMap;

const TERMS: usize = 20;
const LINES: usize = 40;

pub(super) fn effect_page_blocks(results: &ExperimentResults<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    for FactorialEffects { measure, effects: found, left_out } in &results.effects {
        let what = metric_title(results, *measure);
        let unit = results.source.data.measures.get(*measure).map(|m| m.unit.clone()).unwrap_or_default();
        let mut table = effects(&what, &unit, found);
        if !left_out.is_empty() {
            let note = message!(report_without_these_levels { levels: left_out.clone() });
            table.notes.push(note.into());
        }
        blocks.push(Block::table(table));
        let figure = levels(what, &unit, found, *measure);
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

fn metric_title(results: &ExperimentResults<'_>, measure: usize) -> Message {
    let measure = results.source.data.measures.get(measure);
    measure.map(|m| probe_metric_title(&m.probe, &m.figure)).unwrap_or_default()
}

fn effect(scale: EffectScale, unit: &str, value: f64) -> Cell {
    let difference = || plain(value).with_prefix(if value > 0.0 { "+" } else { "" });
    match (scale, unit) {
        (EffectScale::Ratio, _) => signed_percent((value - 1.0) * 100.0),
        (EffectScale::Difference, "") => difference(),
        (EffectScale::Difference, "%") => {
            difference().worded(|difference| message!(report_difference_in_points { difference }))
        }
        (EffectScale::Difference, unit) => {
            difference().worded(|first| message!(part_experiment_pair { first, then: unit }))
        }
    }
}

fn interval(scale: EffectScale, unit: &str, e: &EffectEstimate) -> Cell {
    e.interval.map_or("".into(), |i| {
        let most = effect(scale, unit, i.high);
        effect(scale, unit, i.low).worded(|least| message!(part_from_to { least, most }))
    })
}

fn effects(what: &Message, unit: &str, found: &EffectsAnalysis) -> Table {
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
    let title = message!(report_what_each_factor_does_to_what { what });
    let mut table = Table::from_items(title, with_ends, columns);
    table.notes.push(reading(found).into());
    if terms.len() > TERMS {
        table.notes.push(message!(report_weaker_terms { count: terms.len() - TERMS }).into());
    }
    let aliased = terms.iter().take(TERMS).filter(|t| !t.aliases.is_empty()).take(6).map(|term| {
        let others: Vec<String> = term.aliases.iter().map(|a| a.join(" × ")).collect();
        message!(report_looks_the_same { term: term.factors.join(" × "), others })
    });
    table.notes.extend(aliased.map(DisplayText::from));
    table.without_empty_columns()
}

/// Indistinguishable levels share their ranks.
fn ranks(results: &ExperimentResults<'_>) -> Option<Table> {
    let data = results.source.data;
    let ranked = results.rankings.iter().flat_map(|(measure, factor, ranking)| {
        let unit = MetricUnit::for_measure(data, *measure, ranking.ranks.iter().map(|r| r.median));
        let what = metric_title(results, *measure);
        ranking
            .ranks
            .iter()
            .map(move |rank| (what.clone(), factor, ranking, rank, unit.cell_with_unit(rank.median)))
    });
    let columns: ColumnDefinitions<'_, (Message, &String, &Ranking, &LevelRank, Cell)> = &[
        ("", Left, &|(what, ..)| what.into()),
        ("factor", Left, &|(_, factor, ..)| (*factor).into()),
        ("rank", Right, &|(.., rank, _)| {
            let best = count(rank.rank as u64);
            if rank.worst <= rank.rank {
                return best;
            }
            best.worded(|least| message!(part_experiment_span { least, most: rank.worst }))
        }),
        ("level", Left, &|(.., rank, _)| (&rank.level).into()),
        ("median", Right, &|(.., median)| median.clone()),
        ("no significant difference from", Left, &|(.., ranking, rank, _)| {
            if rank.like.len() + 1 == ranking.ranks.len() && rank.like.len() > 1 {
                "all other levels".into()
            } else {
                comma_list(&rank.like).into()
            }
        }),
    ];
    let mut table = Table::from_items("Ranking of factor levels", ranked, columns);
    table.heads = 3;
    let cautions = results.rankings.iter().filter_map(|(.., ranking)| ranking.caution.as_ref());
    let cautions: BTreeMap<&str, &Message> = cautions.map(|note| (note.as_str(), note)).collect();
    table.notes.push(
        "A rank is one plus the number of significantly better levels (over all combinations of other \
         factors); the second number is the worst possible rank."
            .into(),
    );
    table.notes.extend(cautions.into_values().map(DisplayText::from));
    (!table.rows.is_empty()).then(|| table.without_empty_columns())
}

fn reading(found: &EffectsAnalysis) -> Message {
    let mean = match found.scale {
        EffectScale::Ratio => message!(part_the_geometric_mean),
        EffectScale::Difference => message!(part_the_mean),
    };
    let noise = match found.noise {
        ErrorVarianceSource::Repeats => message!(part_noise_from_repeats { degrees: found.degrees }),
        ErrorVarianceSource::HigherOrder => message!(part_noise_from_the_rest),
        ErrorVarianceSource::Nothing => message!(part_noise_from_nothing),
    };
    let (count, blocks) = (found.observations, found.blocks);
    match blocks > 1 {
        true => message!(report_against_the_mean_blocks { mean, count, blocks, noise }),
        false => message!(report_against_the_mean { mean, count, noise }),
    }
}

fn levels(what: Message, unit: &str, found: &EffectsAnalysis, measure: usize) -> Figure {
    let per_cent = |v: f64| if found.scale == EffectScale::Ratio { (v - 1.0) * 100.0 } else { v };
    let mains: Vec<&EffectTerm> = found.terms.iter().filter(|t| t.factors.len() == 1).collect();
    let kinds: Vec<&str> = mains.iter().map(|t| t.factors[0].as_str()).collect();
    let mut changes: Vec<ForestPlotRow> = Vec::new();
    for (kind, term) in mains.iter().enumerate() {
        changes.extend(term.deviations.iter().map(|d| ForestPlotRow {
            name: message!(part_experiment_pair { first: &term.factors[0], then: d.levels.join(" × ") }),
            change: Some(per_cent(d.by.value)),
            interval: d.by.interval.map(|i| (per_cent(i.low), per_cent(i.high))),
            kind,
        }));
    }
    let (label, quantity) = match found.scale {
        EffectScale::Ratio => (message!(report_against_the_geometric_mean), Quantity::Percent),
        EffectScale::Difference => match unit {
            "%" => (message!(report_points_against_the_mean), Quantity::Plain),
            "" => (message!(report_against_the_mean_of_levels), Quantity::Plain),
            unit => (message!(report_against_the_mean_of_levels_unit { unit }), Quantity::Plain),
        },
    };
    let more = changes.len().saturating_sub(LINES);
    changes.truncate(LINES);
    let title = message!(report_what_each_level_does { what });
    let mut figure =
        forest_plot(&format!("effects-{}", measure + 1), title, &label, quantity, &kinds, &changes);
    if more > 0 {
        figure.notes.push(message!(report_weaker_levels { count: more }).into());
    }
    figure
}
