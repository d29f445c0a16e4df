use super::*;
use crate::experiment::test_data::{self, bit_rate_metric, measured_row, scale_values};
use crate::random::SplitMix64;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::data_set::{DataRow, ObservedValue};

fn data(rows: Vec<DataRow>) -> DataSet {
    let mut set = test_data::empty_data_set(&[("gro", &["on", "off"]), ("mtu", &["1500", "9000"])]);
    let latency = bit_rate_metric("tcp", "latency_ns.p50");
    set.measures.push(DataSetMetric { better: BetterDirection::Lower, ..latency });
    DataSet { rows, ..set }
}

fn row(measure: usize, gro: &str, mtu: &str, block: u32, order: u32, value: f64) -> DataRow {
    let row = measured_row(&[("gro", gro), ("mtu", mtu)], block, value);
    DataRow { measure, order: Some(order), evidence: format!("trial {order}").into(), ..row }
}

fn on_and_off(rows: Vec<DataRow>) -> Comparison {
    compare_levels(&data(rows), "gro", "on", "off", 1)
}

/// `off` is 5 % lower at mtu 1500 and no different at 9000; each block has its own speed.
fn blocks(n: u32) -> Vec<DataRow> {
    let mut random = SplitMix64::new(6);
    let mut noisy = |centre: f64| centre * (0.995 + random.next_below(1001) as f64 / 100_000.0);
    (1..=n)
        .flat_map(|block| {
            let speed = 9e8 * (1.0 - 0.02 * f64::from(block));
            let turned = block % 3 == 0;
            let (on, off) = if turned { (1, 0) } else { (0, 1) };
            let at = 4 * block;
            [
                row(0, "on", "1500", block, at + on, noisy(speed)),
                row(0, "off", "1500", block, at + off, noisy(0.95 * speed)),
                row(0, "on", "9000", block, at + 2 + on, noisy(speed)),
                row(0, "off", "9000", block, at + 2 + off, noisy(speed)),
            ]
        })
        .collect()
}

#[test]
fn a_real_difference_is_told_from_none() {
    let found = on_and_off(blocks(12));
    assert_eq!((found.cells.len(), found.families.len(), found.notes.len()), (2, 1, 0));
    assert_eq!(found.families[0].name, "tcp goodput_bps: gro = off against gro = on, 2 cells");
    let (small, large) = (&found.cells[0], &found.cells[1]);
    assert_eq!((small.verdict, small.improves, small.blocks), (ComparisonVerdict::Real, Some(false), 12));
    assert!((small.change.unwrap() + 5.0).abs() < 0.5);
    assert_eq!((small.p, small.p_adjusted), (Some(2.0 / 4096.0), Some(4.0 / 4096.0)));
    for part in [
        "tcp goodput_bps at mtu = 1500: gro = off is ",
        "lower than gro = on (95 % interval between −5.",
        "the difference is a statistically significant deterioration (p < 0.001 after Holm correction for 2 comparisons)",
    ] {
        assert!(small.words.contains(part), "{}", small.words);
    }
    assert_eq!((large.verdict, large.improves), (ComparisonVerdict::NotShown, None));
    let none = "no significant difference between gro = off and gro = on; the difference lies between −0.";
    assert!(large.words.contains(none), "{}", large.words);
}

#[test]
fn too_few_blocks_say_how_many_are_needed() {
    let ComparedCell { verdict, words, .. } = on_and_off(blocks(5)).cells.remove(0);
    assert_eq!(verdict, ComparisonVerdict::CannotTell);
    let few = "cannot be determined: 5 blocks with both levels, but 2 comparisons need at least 7";
    assert!(words.ends_with(few), "{words}");
    let once = &on_and_off(blocks(1)).cells[0];
    assert!(once.change.is_some() && once.interval.is_none());
    assert_eq!(once.verdict, ComparisonVerdict::CannotTell);
}

#[test]
fn failures_are_counted_and_warm_ups_are_not() {
    let mut rows = blocks(9);
    rows[0].value = ObservedValue::Failed("timed out".into());
    rows[5].value = ObservedValue::NotMeasured;
    rows.push(row(0, "on", "1500", 0, 0, 1.0));
    let cell = &on_and_off(rows).cells[0];
    assert_eq!((cell.first.failed, cell.first.values, cell.second.values), (1, 8, 8));
    assert_eq!((cell.blocks, cell.left_out), (7, 2));
    assert!(cell.words.contains("2 incomplete blocks excluded"), "{}", cell.words);
    let mut dead = blocks(9);
    for row in dead.iter_mut().filter(|r| r.levels["gro"] == "off") {
        row.value = ObservedValue::Failed("no route".into());
    }
    let found = on_and_off(dead);
    let cell = &found.cells[0];
    assert_eq!((cell.verdict, cell.p, found.families[0].size), (ComparisonVerdict::CannotTell, None, 0));
    let none = "no comparison is possible: gro = on has 9 values, gro = off failed 9 of 9 times";
    assert!(cell.words.ends_with(none), "{}", cell.words);
}

#[test]
fn every_figure_is_a_family_and_knows_which_way_is_better() {
    let mut rows = blocks(10);
    for block in 1..=10 {
        let wobble = f64::from(block * 37 % 11) * 10.0;
        rows.push(row(1, "on", "1500", block, 4 * block, 10_000.0 + wobble));
        rows.push(row(1, "off", "1500", block, 4 * block + 1, 8_000.0 + wobble));
    }
    let found = on_and_off(rows);
    assert_eq!(found.families.iter().map(|f| f.size).collect::<Vec<_>>(), [2, 1]);
    let latency = found.cells.iter().find(|c| c.figure == "latency_ns.p50").unwrap();
    assert_eq!((latency.verdict, latency.improves, latency.family), (ComparisonVerdict::Real, Some(true), 1));
    assert!(latency.words.ends_with("significant improvement (p = 0.002)"), "{}", latency.words);
    assert_eq!((latency.p_adjusted, found.notes.len()), (latency.p, 1));
}

/// The side `on` of eight blocks.
fn eight_blocks() -> DataSet {
    data(blocks(8).into_iter().filter(|r| r.levels["gro"] == "on").collect())
}

#[test]
fn two_data_sets_are_compared_apart() {
    let (first, mut second) = (eight_blocks(), eight_blocks());
    scale_values(&mut second.rows, |_| 1.5);
    let found = compare_data_sets(("before", &first), ("after", &second), 1);
    assert_eq!((found.pairing, found.cells.len(), found.notes.len()), (SamplePairing::Apart, 2, 1));
    assert_eq!(found.cells[0].verdict, ComparisonVerdict::Real, "{}", found.cells[0].words);
    assert!((found.cells[0].change.unwrap() - 50.0).abs() < 3.0);
    let same = compare_data_sets(("before", &first), ("again", &first), 1);
    assert!(same.cells.iter().all(|c| c.verdict == ComparisonVerdict::NotShown));
    assert_eq!(compare_levels(&first, "colour", "red", "blue", 1).cells, []);
}

#[test]
fn what_only_one_has_is_counted_and_not_compared() {
    let (first, mut second) = (eight_blocks(), eight_blocks());
    second.rows.retain(|r| r.levels["mtu"] == "1500");
    second.measures.push(bit_rate_metric("tcp", "pe_index"));
    second.rows.push(row(2, "on", "1500", 1, 1, 3.0));
    second.rows.push(DataRow { value: ObservedValue::NotMeasured, ..row(2, "on", "9000", 1, 2, 0.0) });
    let told = |found: &Comparison| found.notes.iter().find(|n| n.starts_with("Cells")).cloned();
    let found = compare_data_sets(("before", &first), ("after", &second), 1);
    let alone =
        "Cells that exist in only one of the two data sets and are not compared: 1 of before, 1 of after.";
    assert_eq!((found.cells.len(), told(&found).as_deref()), (1, Some(alone)));
    let turned = compare_data_sets(("after", &second), ("before", &first), 1);
    assert_eq!((turned.cells.len(), told(&turned).is_some()), (1, true));
    assert_eq!(told(&compare_data_sets(("before", &first), ("again", &first), 1)), None);
}

#[test]
fn a_sentence_for_figures_without_ratio() {
    let mut rows = blocks(8);
    for row in &mut rows {
        row.value = ObservedValue::Value(if row.levels["gro"] == "on" { 0.0 } else { f64::from(row.block) });
    }
    let cell = &on_and_off(rows).cells[0];
    assert_eq!((cell.scale, cell.change), (ChangeUnit::Unit, Some(4.5)));
    assert!(cell.words.contains("is 4.5 bit/s higher than gro = on"), "{}", cell.words);
}
