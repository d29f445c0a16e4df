//! Compares two levels of a factor, or two data sets, cell by cell: which differences are significant.
//! `paired_comparison.rs` compares levels measured in the same blocks, `unpaired_comparison.rs` data sets measured apart. Each
//! metric is a family of its own for Holm's procedure. `docs/methods/comparison.md`.

mod cells;
mod wording;

use super::multiple_testing::HolmCorrection;
use super::paired_comparison::{PairedBlocks, test_paired_differences, to_change_unit};
use super::rank_sum_test;
use super::sign_flip_test::SignFlipTest;
use super::unpaired_comparison::compare_unpaired_samples;
use crate::confidence_interval::ConfidenceInterval;
use crate::descriptive_statistics::median;
use cells::{CellPair, CellPairSide};
use goodput_model::Message;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::comparison::{
    ChangeUnit, ComparedCell, ComparedSampleSummary, Comparison, ComparisonVerdict, HypothesisTestFamily,
    SamplePairing,
};
use goodput_model::experiment::data_set::{DataSet, DataSetMetric};
use goodput_words::message;

pub const SIGNIFICANCE_LEVEL: f64 = 0.05;
/// Blocks from which on "always the same side first" is no coincidence: at most 1 in 32 in random order.
const ORDER_BLOCKS: usize = 6;

/// Two levels of a factor, in every cell that has either, in the order of the data. Warm-ups (block 0) do not
/// count. An unknown factor or level gives no cells.
pub fn compare_levels(data: &DataSet, factor: &str, first: &str, second: &str, seed: u64) -> Comparison {
    let sides = Sides { first: format!("{factor} = {first}"), second: format!("{factor} = {second}") };
    let cells = cells::pair_cells_by_level(data, factor, first, second);
    let mut all = compare_cells(&data.measures, &cells, &sides, SamplePairing::Blocked, seed);
    if cells.iter().any(|c| c.is_measured_in_fixed_order(ORDER_BLOCKS)) {
        all.notes.push(message!(report_order_not_random { one: &sides.first, other: &sides.second }));
    }
    all
}

/// Two data sets, named for the headings, in every cell that both have. A note counts the other cells.
pub fn compare_data_sets(first: (&str, &DataSet), second: (&str, &DataSet), seed: u64) -> Comparison {
    let sides = Sides { first: first.0.into(), second: second.0.into() };
    let found = cells::pair_cells_of_data_sets(first.1, second.1);
    let mut all = compare_cells(&first.1.measures, &found.cells, &sides, SamplePairing::Apart, seed);
    if found.alone != (0, 0) {
        let (of_first, of_second) = found.alone;
        all.notes.push(message!(report_cells_of_one_alone {
            firstCount: of_first,
            first: &sides.first,
            secondCount: of_second,
            second: &sides.second,
        }));
    }
    all.notes.push(
        "The two data sets were measured one after the other, not interleaved: the difference includes \
         everything else that changed in between."
            .into(),
    );
    all
}

struct Sides {
    first: String,
    second: String,
}

/// Result of a cell before the rest of its family is known.
#[derive(Clone, Copy)]
struct Judged {
    blocks: usize,
    left_out: usize,
    scale: ChangeUnit,
    /// Logarithms where `scale` is per cent, like all that follow.
    change: Option<f64>,
    interval: Option<ConfidenceInterval>,
    median: Option<f64>,
    median_interval: Option<ConfidenceInterval>,
    p: Option<f64>,
    min_p_value: f64,
    /// A side's own drift, where that is at least the change.
    within_drift: Option<f64>,
}

fn compare_cells(
    measures: &[DataSetMetric],
    cells: &[CellPair],
    sides: &Sides,
    pairing: SamplePairing,
    seed: u64,
) -> Comparison {
    let mut families = Vec::new();
    let mut compared = Vec::new();
    for (at, measure) in measures.iter().enumerate() {
        let of_it: Vec<&CellPair> = cells.iter().filter(|c| c.measure == at).collect();
        if of_it.is_empty() {
            continue;
        }
        let judged: Vec<Judged> = of_it
            .iter()
            .map(|cell| match pairing {
                SamplePairing::Blocked => blocked(cell, SignFlipTest::for_family(seed, of_it.len())),
                SamplePairing::Apart => compare_unpaired(cell),
            })
            .collect();
        let plural = if of_it.len() == 1 { "" } else { "s" };
        let name = format!(
            "{} {}: {} against {}, {} cell{plural}",
            measure.probe,
            measure.figure,
            sides.second,
            sides.first,
            of_it.len()
        );
        let family = HolmCorrection::new(name, &judged.iter().map(|j| j.p).collect::<Vec<_>>());
        let index = families.len() as u32;
        for ((cell, judged), adjusted) in of_it.iter().zip(judged).zip(&family.adjusted) {
            compared.push(compared_cell(
                measure,
                cell,
                &judged,
                *adjusted,
                (index, family.size),
                pairing,
                sides,
            ));
        }
        families.push(HypothesisTestFamily { name: family.name, size: family.size as u32 });
    }
    Comparison {
        first: sides.first.clone(),
        second: sides.second.clone(),
        pairing,
        alpha: SIGNIFICANCE_LEVEL,
        families,
        cells: compared,
        notes: Vec::new(),
    }
}

fn blocked(cell: &CellPair, test: SignFlipTest) -> Judged {
    let pairs = PairedBlocks::from_blocks(cell.block_pairs());
    let found = test_paired_differences(&pairs.differences, SIGNIFICANCE_LEVEL, test);
    Judged {
        blocks: pairs.differences.len(),
        left_out: pairs.left_out,
        scale: pairs.scale,
        change: found.map(|f| f.mean),
        interval: found.and_then(|f| f.interval),
        median: found.map(|f| f.median),
        median_interval: found.and_then(|f| f.median_interval),
        p: found.map(|f| f.p),
        min_p_value: found.map_or(1.0, |f| f.min_p_value),
        within_drift: None,
    }
}

fn compare_unpaired(cell: &CellPair) -> Judged {
    let (first, second) = (cell.first.values_in_time_order(), cell.second.values_in_time_order());
    let found = compare_unpaired_samples(&first, &second, SIGNIFICANCE_LEVEL);
    Judged {
        blocks: first.len().min(second.len()),
        left_out: 0,
        scale: found.map_or(ChangeUnit::Unit, |f| f.scale),
        change: found.map(|f| f.shift),
        interval: found.and_then(|f| f.interval),
        median: None,
        median_interval: None,
        p: found.map(|f| f.p),
        min_p_value: rank_sum_test::min_p_value(first.len(), second.len()),
        within_drift: found.filter(|f| f.is_within_drift()).map(|f| f.drift),
    }
}

fn compared_cell(
    measure: &DataSetMetric,
    cell: &CellPair,
    judged: &Judged,
    adjusted: Option<f64>,
    (family, size): (u32, usize),
    pairing: SamplePairing,
    sides: &Sides,
) -> ComparedCell {
    let verdict = match adjusted {
        // So few blocks that even the clearest difference would not pass.
        _ if judged.min_p_value * size.max(1) as f64 > SIGNIFICANCE_LEVEL
            && adjusted.is_none_or(|p| p > SIGNIFICANCE_LEVEL) =>
        {
            ComparisonVerdict::CannotTell
        }
        Some(_) if judged.within_drift.is_some() => ComparisonVerdict::CannotTell,
        Some(p) if p <= SIGNIFICANCE_LEVEL => ComparisonVerdict::Real,
        Some(_) => ComparisonVerdict::NotShown,
        None => ComparisonVerdict::CannotTell,
    };
    let tell = |v: f64| to_change_unit(judged.scale, v);
    let ends = |i: ConfidenceInterval| (tell(i.low), tell(i.high));
    let mut compared = ComparedCell {
        probe: measure.probe.clone(),
        figure: measure.figure.clone(),
        unit: measure.unit.clone(),
        better: measure.better,
        levels: cell.levels.clone(),
        size_bytes: cell.size_bytes,
        first: figures(&cell.first),
        second: figures(&cell.second),
        blocks: judged.blocks as u32,
        left_out: judged.left_out as u32,
        scale: judged.scale,
        change: judged.change.map(tell),
        interval: judged.interval.map(ends),
        median_change: judged.median.map(tell),
        median_interval: judged.median_interval.map(ends),
        p: judged.p,
        p_adjusted: adjusted,
        family,
        verdict,
        improves: (verdict == ComparisonVerdict::Real)
            .then(|| judged.change.map(|c| (c > 0.0) == (measure.better == BetterDirection::Higher)))
            .flatten(),
        words: Message::default(),
    };
    compared.words = wording::comparison_sentence(&compared, judged, size, pairing, sides);
    compared
}

fn figures(side: &CellPairSide) -> ComparedSampleSummary {
    let values = side.values_in_time_order();
    ComparedSampleSummary { median: median(&values), values: values.len() as u32, failed: side.failed }
}

#[cfg(test)]
mod tests;
