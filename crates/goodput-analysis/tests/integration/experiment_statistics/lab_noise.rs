//! The lab's own noise: a record of equal trials of `goodput stream lab:b --from lab:a`
//! (`crates/goodput/examples/lab_noise.rs`, stored in `fixtures/noise/`).

use super::played::most_alarms;
use super::power::{CHANGE, COMPARISONS, found, held};
use goodput_analysis::experiment::compare;
use goodput_analysis::experiment::resolution::{Record, Wanted, resolution, sample_size};
use goodput_analysis::experiment::steady::notes;
use goodput_model::experiment::comparison::Verdict;
use goodput_model::experiment::data::DataSet;
use std::path::Path;

/// `None`, with a message, where none is stored.
fn recorded() -> Option<DataSet> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/noise/lab-stream.json");
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(cause) => {
            println!("skipped: no record of the lab's noise at {}: {cause}", path.display());
            return None;
        }
    };
    Some(serde_json::from_str(&text).expect("the record is a data set"))
}

fn record(data: &DataSet) -> Record {
    Record::from_data(data, 0, &Default::default()).expect("the record is long enough")
}

#[test]
fn the_records_own_two_sides_are_equal() {
    let Some(data) = recorded() else { return };
    let found = compare::levels(&data, "side", "a", "b", 1);
    println!("{}", found.cells[0].words);
    assert_eq!(found.cells[0].verdict, Verdict::NotShown);
    assert!(found.notes.is_empty(), "the order within its blocks is random: {:?}", found.notes);
}

#[test]
fn what_the_lab_can_tell_apart() {
    let Some(data) = recorded() else { return };
    let found = resolution(&record(&data), &[6, 10, 20, 40], &Wanted::usual(1));
    println!("{found:#?}");
    for note in notes(&data) {
        println!("{}: {} {:?}", note.id, note.text, note.evidence);
    }
    assert!(found.trials >= 150);
    assert!(found.neighbour_deviation > 0.0 && found.deviation > 0.0);
    assert!(found.detectable.windows(2).all(|w| w[1].1 < w[0].1 * 1.02), "{:?}", found.detectable);
}

#[test]
fn three_per_cent_are_found_on_the_labs_own_noise() {
    let Some(data) = recorded() else { return };
    held("the lab's own noise", &record(&data));
}

#[test]
fn a_number_chosen_from_one_half_is_tried_on_the_other() {
    // A machine may differ from day to day: reported only. False alarms are asserted, for any record.
    let Some(data) = recorded() else { return };
    let mut rows = data.rows.clone();
    rows.sort_by_key(|r| r.order);
    let middle = rows.len() / 2;
    let half = |rows: &[goodput_model::experiment::data::Row]| {
        record(&DataSet { rows: rows.to_vec(), ..data.clone() })
    };
    let (early, late) = (half(&rows[..middle]), half(&rows[middle..]));
    for (what, chosen, tried) in [("early to late", &early, &late), ("late to early", &late, &early)] {
        let size = sample_size(chosen, CHANGE, &Wanted::usual(5)).expect("within reach");
        let there = found(tried, size.blocks, CHANGE, COMPARISONS, 20_000);
        let alarms = found(tried, size.blocks, 0.0, 2 * COMPARISONS, 30_000);
        println!(
            "{what}: {} blocks find {there} of {COMPARISONS}, {alarms} false alarms of {}",
            size.blocks,
            2 * COMPARISONS
        );
        assert!(alarms <= most_alarms(0.05, 2 * COMPARISONS), "{what}: {alarms} false alarms");
    }
}
