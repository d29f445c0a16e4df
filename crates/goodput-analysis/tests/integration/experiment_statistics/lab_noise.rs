//! The lab's own noise: a record of equal trials of `goodput stream lab:b --from lab:a`
//! (`crates/goodput/examples/lab_noise.rs`, stored in `fixtures/noise/`).

use super::power::held;
use goodput_analysis::experiment::comparison;
use goodput_analysis::experiment::detectable_change::TrialHistory;
use goodput_model::experiment::comparison::ComparisonVerdict;
use goodput_model::experiment::data_set::DataSet;

/// `None`, with a message, where none is stored.
fn recorded() -> Option<DataSet> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/noise/lab-stream.json");
    let text = std::fs::read_to_string(path);
    let text = text.inspect_err(|cause| println!("skipped: no record of the lab's noise at {path}: {cause}"));
    Some(serde_json::from_str(&text.ok()?).expect("the record is a data set"))
}

#[test]
fn the_records_own_two_sides_are_equal() {
    let Some(data) = recorded() else { return };
    let found = comparison::compare_levels(&data, "side", "a", "b", 1);
    println!("{}", found.cells[0].words);
    assert_eq!(found.cells[0].verdict, ComparisonVerdict::NotShown);
    assert!(found.notes.is_empty(), "the order within its blocks is random: {:?}", found.notes);
}

#[test]
fn three_per_cent_are_found_on_the_labs_own_noise() {
    let Some(data) = recorded() else { return };
    let record = TrialHistory::from_data_set(&data, 0, &Default::default());
    held("the lab's own noise", &record.expect("the record is long enough"));
}
