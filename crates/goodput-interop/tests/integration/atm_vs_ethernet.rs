//! The 88 published values of `studies/atm-vs-ethernet`: exact reading, the article's seven conclusions, and
//! their absence with changed values.

use goodput_analysis::experiment::conclusions::draw_conclusions;
use goodput_interop::published_data::PublishedDataDescription;
use goodput_model::experiment::conclusion::ConclusionAnswer::{self, Mixed, No, Yes};
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};
use std::path::PathBuf;

fn study(file: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../studies/atm-vs-ethernet").join(file);
    std::fs::read_to_string(path).unwrap()
}

fn published() -> DataSet {
    let description = PublishedDataDescription::parse(&study("published.toml")).unwrap();
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

fn said(data: &DataSet, number: usize) -> (ConclusionAnswer, String) {
    let found = draw_conclusions(data).into_iter().find(|c| c.question == Some(number - 1)).unwrap();
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
fn the_published_values_give_the_articles_seven_conclusions() {
    let data = published();
    for (number, (expected, parts)) in (1..).zip([
        // A slow CPU is enough for 10BASE-T.
        (
            No,
            "tcp and udp do not depend on cpu with link 10base-t: from pentium 75 upwards the values lie \
             within 4.6 % of each other in all 4 of 4 combinations (8.65 to 9.33 Mbit/s)",
        ),
        // The fast links follow the CPU.
        (
            Yes,
            "tcp and udp rise with cpu with link 100base-tx, atm155-fore or atm155-nec in all 12 of 12 \
             combinations: pentium-mmx 200 gives 1.27 to 2.31 times the value of pentium 75",
        ),
        // NT beats 95 on fast links.
        (
            Yes,
            "windows-nt4 is better than windows95 for tcp and udp with link 100base-tx, atm155-fore or \
             atm155-nec in all 30 of 30 combinations: 1.10 to 2.21 times",
        ),
        // ATM cards differ and are not always faster.
        (
            Mixed,
            "not all of atm155-fore and atm155-nec are better than 100base-tx in every combination\n\
             the result for atm155-fore is: better in 16 of 22\n\
             the result for atm155-nec is: better in 2 of 20 (udp, windows-nt4, pentium-mmx 166 or \
             pentium-mmx 200: 1.19 times), worse in 18 of 20\n\
             the result for atm155-fore relative to atm155-nec is: better in all 20 of 20 combinations: \
             1.23 to 2.25 times",
        ),
        // Over LANE UDP beats TCP.
        (
            Yes,
            "udp is better than tcp with link atm155-fore, atm155-nec or atm155-sun in all 22 of 22 \
             combinations: 1.16 to 1.69 times",
        ),
        // Above 100 Mbit/s only ATM, and not with everything.
        (
            Yes,
            "atm155-fore and atm155-sun reach 100.00 Mbit/s for udp: atm155-fore in 3 of 11 combinations, \
             best value 120.06 Mbit/s, atm155-sun in the one combination measured\n\
             atm155-fore never meets the goal with windows95 (best value 84.30 Mbit/s) or with pentium 75, \
             pentium 100 or pentium 133 (best value 72.88 Mbit/s)\n\
             10base-t, 100base-tx and atm155-nec do not meet the goal, best value 79.56 Mbit/s",
        ),
        // ATM does not pay for TCP.
        (
            No,
            "atm155-nec and atm155-fore are not more cost-effective than 100base-tx for tcp; one Mbit/s \
             costs 126 to 654 JPY with 100base-tx\n\
             atm155-nec costs 2.50 to 8.00 times as much and is better in none of 10 comparisons\n\
             atm155-fore costs 7.50 to 20 times as much and is better in 6 of 11 comparisons, by 1.26 times \
             at most",
        ),
    ]) {
        let (answer, text) = said(&data, number);
        assert_eq!(answer, expected, "{text}");
        assert!(number == 4 || text.starts_with(parts.lines().next().unwrap()), "{text}");
        assert!(parts.lines().all(|part| text.contains(part)), "{text}");
    }
}

#[test]
fn other_values_give_other_conclusions() {
    let atm = |_: &DataSet, r: &DataRow| r.levels["link"].starts_with("atm155");
    let udp = |d: &DataSet, r: &DataRow| d.measures[r.measure].probe == "udp";
    let nt = |_: &DataSet, r: &DataRow| is(r, "os", "windows-nt4");
    let slow = |_: &DataSet, r: &DataRow| is(r, "cpu", "pentium 75");
    let slow_10base_t = |d: &DataSet, r: &DataRow| is(r, "link", "10base-t") && slow(d, r);
    let one = |d: &DataSet, r: &DataRow| nt(d, r) && is(r, "link", "atm155-nec") && slow(d, r) && !udp(d, r);
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
    let mut cheap = published();
    for price in cheap.prices.iter_mut().filter(|p| p.level == "atm155-fore") {
        (price.from, price.to) = (10_000.0, 10_000.0);
    }
    for (number, data, expected, part) in [
        (1, with(0.5, slow_10base_t), Yes, "from pentium 100 upwards the remaining change is at most 3.0 %"),
        (2, level, No, "do not depend on cpu"),
        (3, with(0.4, nt), No, "worse in all 30 of 30"),
        (3, with(0.5, one), Mixed, "worse in 1 of 30 (tcp, atm155-nec, pentium 75: 0.94 times)"),
        (4, with(3.0, atm), Yes, "all of atm155-fore and atm155-nec are better than 100base-tx"),
        (5, with(0.5, udp), No, ""),
        (6, with(0.5, atm), No, "no link reaches 100.00 Mbit/s for udp"),
        (7, cheap, Mixed, ""),
        (7, with(40.0, |_, r| is(r, "link", "atm155-fore")), Yes, ""),
    ] {
        let (answer, text) = said(&data, number);
        assert_eq!((answer, text.contains(part)), (expected, true), "{number}: {text}");
    }
    let (_, text) = said(&with(2.0, |_, r| is(r, "link", "100base-tx")), 6);
    assert!(text.starts_with("100base-tx, atm155-fore and atm155-sun reach"), "{text}");
}

#[test]
fn the_rest_follows_from_the_figures_too() {
    let data = published();
    let all = draw_conclusions(&data);
    let text = |id: &str| -> Vec<&str> {
        let of_rule = all.iter().filter(|c| c.question.is_none() && c.finding.id == id);
        of_rule.map(|c| c.finding.text.as_str()).collect()
    };
    assert_eq!((text("not-measured").len(), text("above-limit").len()), (1, 0));
    for (id, at, part) in [
        ("not-measured", 0, "2 of 90 combinations were not measured: "),
        ("ceiling", 1, "97.5 % of the limit with 10base-t (9.33 Mbit/s of 9.57 Mbit/s"),
        ("matters-most", 0, "for tcp the most influential factor is link"),
    ] {
        assert!(text(id)[at].contains(part), "{:?}", text(id));
    }
    let crossing = text("crossing").join("\n");
    assert!(crossing.contains("atm155-nec becomes better than 100base-tx between pentium 133"), "{crossing}");
    for conclusion in &all {
        assert!(!conclusion.sure.is_empty() && !conclusion.finding.evidence.is_empty(), "{conclusion:#?}");
        assert!(conclusion.rows.iter().all(|r| *r < data.rows.len()));
    }
}
