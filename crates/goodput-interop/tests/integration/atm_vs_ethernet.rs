//! The 88 published values of `studies/atm-vs-ethernet`: exact reading, the article's seven conclusions, and
//! their absence with changed values.

use goodput_analysis::experiment::conclusions::draw_conclusions;
use goodput_interop::published_data::PublishedDescription;
use goodput_model::experiment::conclusion::{Conclusion, ConclusionAnswer};
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};
use std::path::PathBuf;

fn study(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../studies/atm-vs-ethernet").join(file);
    std::fs::read_to_string(path).unwrap()
}

fn published() -> DataSet {
    let description = PublishedDescription::parse(&study("published.toml")).unwrap();
    description.build_data_set(&study(description.data_path())).unwrap()
}

fn with(share: f64, of: impl Fn(&DataSet, &DataRow) -> bool) -> DataSet {
    let mut data = published();
    let chosen: Vec<bool> = data.rows.iter().map(|row| of(&data, row)).collect();
    for (row, _) in data.rows.iter_mut().zip(chosen).filter(|(_, chosen)| *chosen) {
        if let ObservedValue::Value(value) = &mut row.value {
            *value *= share;
        }
    }
    data
}

fn is(row: &DataRow, factor: &str, level: &str) -> bool {
    row.levels.get(factor).is_some_and(|l| l == level)
}

fn concluded(data: &DataSet, number: usize) -> Conclusion {
    draw_conclusions(data).into_iter().find(|c| c.question == Some(number - 1)).unwrap()
}

fn said(data: &DataSet, number: usize) -> (ConclusionAnswer, String) {
    let found = concluded(data, number);
    (found.answer.unwrap(), found.finding.text.to_string())
}

#[test]
fn every_figure_is_read_to_the_digit() {
    let data = published();
    let text = study("published.csv");
    let printed: Vec<&str> =
        text.lines().filter(|l| !l.starts_with('#')).skip(1).filter_map(|l| l.rsplit(',').next()).collect();
    assert_eq!(printed.len(), 88);
    for (row, printed) in data.rows.iter().zip(&printed) {
        let ObservedValue::Value(value) = row.value else { panic!("{row:?}") };
        let head = &data.printed[row.measure];
        assert_eq!(format!("{:.*}", usize::from(head.decimals), value / head.scale), *printed, "{row:?}");
    }
    // NEC's cards were never in host C: two cells of Table 6.
    assert_eq!(data.rows.len(), 90);
    assert!(data.rows[88..].iter().all(|r| r.value == ObservedValue::NotMeasured && is(r, "pair", "C-B")));
}

#[test]
fn one_a_slow_cpu_is_enough_for_10base_t() {
    let (answer, text) = said(&published(), 1);
    assert_eq!(answer, ConclusionAnswer::No);
    assert_eq!(
        text,
        "tcp and udp do not depend on cpu with link 10base-t: from pentium 75 upwards the values lie \
            within 4.6 % of each other in all 4 of 4 combinations (8.65 to 9.33 Mbit/s)"
    );
    let slower = with(0.5, |_, r| is(r, "link", "10base-t") && is(r, "cpu", "pentium 75"));
    let (answer, text) = said(&slower, 1);
    assert_eq!(answer, ConclusionAnswer::Yes);
    assert!(text.ends_with("from pentium 100 upwards the remaining change is at most 3.0 %"), "{text}");
}

#[test]
fn two_the_fast_links_follow_the_cpu() {
    let (answer, text) = said(&published(), 2);
    assert_eq!(answer, ConclusionAnswer::Yes);
    assert_eq!(
        text,
        "tcp and udp rise with cpu with link 100base-tx, atm155-fore or atm155-nec in all 12 of 12 \
            combinations: pentium-mmx 200 gives 1.27 to 2.31 times the value of pentium 75"
    );
    let mut level = published();
    let first: Vec<DataRow> = level.rows.iter().filter(|r| is(r, "cpu", "pentium 75")).cloned().collect();
    for row in &mut level.rows {
        let like = |f: &&DataRow| {
            f.measure == row.measure && ["os", "link"].iter().all(|x| f.levels.get(*x) == row.levels.get(*x))
        };
        if let Some(slow) = first.iter().find(like) {
            row.value = slow.value.clone();
        }
    }
    let (answer, text) = said(&level, 2);
    assert_eq!((answer, text.contains("do not depend on cpu")), (ConclusionAnswer::No, true), "{text}");
}

#[test]
fn three_nt_beats_95_on_fast_links() {
    let (answer, text) = said(&published(), 3);
    assert_eq!(answer, ConclusionAnswer::Yes);
    assert_eq!(
        text,
        "windows-nt4 is better than windows95 for tcp and udp with link 100base-tx, atm155-fore or atm155-nec in all 30 of 30 combinations: 1.10 to 2.21 times"
    );
    let (answer, text) = said(&with(0.4, |_, r| is(r, "os", "windows-nt4")), 3);
    assert_eq!((answer, text.contains("worse in all 30 of 30")), (ConclusionAnswer::No, true), "{text}");
    let one = with(0.5, |d, r| {
        is(r, "os", "windows-nt4")
            && is(r, "link", "atm155-nec")
            && is(r, "cpu", "pentium 75")
            && d.measures[r.measure].probe == "tcp"
    });
    let (answer, text) = said(&one, 3);
    assert_eq!(answer, ConclusionAnswer::Mixed);
    assert!(text.contains("worse in 1 of 30 (tcp, atm155-nec, pentium 75: 0.94 times)"), "{text}");
}

#[test]
fn four_atm_cards_differ_and_are_not_always_faster() {
    let (answer, text) = said(&published(), 4);
    assert_eq!(answer, ConclusionAnswer::Mixed);
    assert!(text.contains("not all are better than 100base-tx in every combination"), "{text}");
    assert!(text.contains("the result for atm155-fore is: better in 16 of 22"), "{text}");
    assert!(text.contains("the result for atm155-nec is: better in 2 of 20 (udp, windows-nt4, pentium-mmx 166 or pentium-mmx 200: 1.19 times), worse in 18 of 20"), "{text}");
    assert!(
        text.contains(
            "the result for atm155-fore relative to atm155-nec is: better in all 20 of 20 combinations: 1.23 to 2.25 times"
        ),
        "{text}"
    );
    let (answer, text) = said(&with(3.0, |_, r| r.levels["link"].starts_with("atm155")), 4);
    assert_eq!(
        (answer, text.contains("all are better than 100base-tx")),
        (ConclusionAnswer::Yes, true),
        "{text}"
    );
}

#[test]
fn five_over_lane_udp_beats_tcp() {
    let (answer, text) = said(&published(), 5);
    assert_eq!(answer, ConclusionAnswer::Yes);
    assert!(text.starts_with("udp is better than tcp with link atm155-fore, atm155-nec or atm155-sun in all 22 of 22 combinations: 1.16 to 1.69 times"), "{text}");
    let (answer, _) = said(&with(0.5, |d, r| d.measures[r.measure].probe == "udp"), 5);
    assert_eq!(answer, ConclusionAnswer::No);
}

#[test]
fn six_above_100_mbit_only_atm_and_not_with_everything() {
    let (answer, text) = said(&published(), 6);
    assert_eq!(answer, ConclusionAnswer::Yes, "{text}");
    assert!(
        text.starts_with(
            "atm155-fore and atm155-sun reach 100.00 Mbit/s for udp: atm155-fore in 3 of \
        11 combinations, best value 120.06 Mbit/s, atm155-sun in the one combination measured"
        ),
        "{text}"
    );
    assert!(text.contains("atm155-fore never meets the goal with windows95 (best value 84.30 Mbit/s) or with pentium 75, pentium 100 or pentium 133 (best value 72.88 Mbit/s)"), "{text}");
    assert!(
        text.contains("10base-t, 100base-tx and atm155-nec do not meet the goal, best value 79.56 Mbit/s"),
        "{text}"
    );
    let (answer, text) = said(&with(0.5, |_, r| r.levels["link"].starts_with("atm155")), 6);
    assert_eq!(answer, ConclusionAnswer::No);
    assert!(text.starts_with("no link reaches 100.00 Mbit/s for udp"), "{text}");
    let (_, text) = said(&with(2.0, |_, r| is(r, "link", "100base-tx")), 6);
    assert!(text.starts_with("100base-tx, atm155-fore and atm155-sun reach"), "{text}");
}

#[test]
fn seven_atm_does_not_pay_for_tcp() {
    let (answer, text) = said(&published(), 7);
    assert_eq!(answer, ConclusionAnswer::No);
    assert!(
        text.starts_with(
            "atm155-nec and atm155-fore are not more cost-effective than 100base-tx for \
        tcp; one Mbit/s costs: 100base-tx for 126 to 654 JPY"
        ),
        "{text}"
    );
    assert!(
        text.contains("atm155-nec costs 2.50 to 8.00 times as much and is better in none of 10 comparisons"),
        "{text}"
    );
    assert!(
        text.contains(
            "atm155-fore costs 7.50 to 20 times as much and is better in 6 of 11 comparisons, by 1.26 \
                times at most"
        ),
        "{text}"
    );
    let mut cheap = published();
    for price in cheap.prices.iter_mut().filter(|p| p.level == "atm155-fore") {
        (price.from, price.to) = (10_000.0, 10_000.0);
    }
    assert_eq!(said(&cheap, 7).0, ConclusionAnswer::Mixed);
    assert_eq!(said(&with(40.0, |_, r| is(r, "link", "atm155-fore")), 7).0, ConclusionAnswer::Yes);
}

#[test]
fn the_rest_follows_from_the_figures_too() {
    let data = published();
    let all = draw_conclusions(&data);
    let text = |id: &str| -> Vec<&str> {
        all.iter()
            .filter(|c| c.question.is_none() && c.finding.id == id)
            .map(|c| c.finding.text.as_str())
            .collect()
    };
    assert_eq!(text("not-measured").len(), 1);
    assert!(
        text("not-measured")[0].starts_with("2 of 90 combinations were not measured: "),
        "{:?}",
        text("not-measured")
    );
    assert!(text("above-limit").is_empty());
    let ceilings = text("ceiling");
    assert!(
        ceilings[1].contains("97.5 % of the limit with 10base-t (9.33 Mbit/s of 9.57 Mbit/s"),
        "{ceilings:?}"
    );
    assert!(
        text("matters-most")[0].starts_with("for tcp the most influential factor is link"),
        "{:?}",
        text("matters-most")
    );
    let crossing = text("crossing").join("\n");
    assert!(crossing.contains("atm155-nec becomes better than 100base-tx between pentium 133"), "{crossing}");
    for conclusion in &all {
        assert!(!conclusion.sure.is_empty() && !conclusion.finding.evidence.is_empty(), "{conclusion:#?}");
        assert!(conclusion.rows.iter().all(|r| *r < data.rows.len()));
    }
}
