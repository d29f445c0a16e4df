//! Power: with the number of blocks chosen for 95 %, a true difference of 3 % is found in at least 89 of 100
//! comparisons on resampled trials, drift and correlation included.

use super::noise::{Drift, Noise, trials};
use super::played::{Order, blocked, compared, most_alarms};
use goodput_analysis::experiment::detectable_change::{
    PowerAnalysisSettings, TrialHistory, required_sample_size,
};
use goodput_model::experiment::comparison::{ChangeUnit, ComparisonVerdict};

const COMPARISONS: u64 = 100;
const MIN_FOUND: u64 = 89;
const CHANGE: f64 = 3.0;

/// Comparisons with a significant difference of the right sign, on trials resampled from the record.
fn found(record: &TrialHistory, blocks: usize, percent: f64, comparisons: u64, first_seed: u64) -> u64 {
    (first_seed..first_seed + comparisons)
        .filter(|seed| {
            let mut noise = Noise::new(seed.wrapping_mul(0x9FB2_1C65_1E98_DF25));
            let drawn = record.resample_blocks(blocks, 2, &mut noise.0);
            let trials: Vec<f64> = match record.change_unit() {
                ChangeUnit::Percent => drawn.into_iter().map(f64::exp).collect(),
                ChangeUnit::Unit => drawn,
            };
            let data = blocked(&trials, Order::Shuffled, percent / 100.0, &mut noise);
            let cell = compared(&data, *seed);
            cell.verdict == ComparisonVerdict::Real
                && (percent == 0.0 || cell.improves == Some(percent > 0.0))
        })
        .count() as u64
}

pub fn held(what: &str, record: &TrialHistory) {
    let size = required_sample_size(record, CHANGE, &PowerAnalysisSettings::with_defaults(17))
        .expect("3 % are within reach");
    let there = found(record, size.blocks, CHANGE, COMPARISONS, 500);
    let alarms = found(record, size.blocks, 0.0, 2 * COMPARISONS, 9_000);
    let (trials, blocks, power) = (record.trial_count(), size.blocks, size.power);
    println!("{what}: {trials} trials, {blocks} blocks (power {power:.3})");
    println!(
        "  {there} of {COMPARISONS} true differences of {CHANGE} % found, {alarms} false alarms of twice as many"
    );
    assert!(there >= MIN_FOUND, "{what}: found {there} of {COMPARISONS} with {blocks} blocks");
    assert!(alarms <= most_alarms(0.05, 2 * COMPARISONS), "{what}: {alarms} false alarms");
}

#[test]
fn the_chosen_number_of_blocks_finds_what_it_was_chosen_for() {
    for (seed, drift, heavy) in [
        (40, Drift::None, false),
        (41, Drift::None, true),
        (42, Drift::Linear(0.20), false),
        (43, Drift::Steps(0.10), false),
        (44, Drift::OneOverF(0.03), false),
        (45, Drift::OneOverF(0.10), true),
    ] {
        let record = trials(drift, heavy, 200, &mut Noise::new(seed));
        let record = TrialHistory::from_values(&record).expect("200 trials are a record");
        held(&format!("{drift:?}{}", if heavy { ", heavy tails" } else { "" }), &record);
    }
}
