//! The five studies: each can run, and one's published figures match the article.

use crate::stage::Home;
use goodput_testkit::repository;
use std::process::Output;

const STUDIES: [&str; 5] =
    ["slow-pc-fast-nic", "gigabit-bottleneck", "atm-vs-ethernet", "jumbo-frames", "server-adapters"];

type Rows = &'static [(&'static str, &'static [&'static str])];

/// Row by row, as printed; empty where it prints nothing.
const TABLES: [(&str, Rows); 6] = [
    (
        "Table 2",
        &[
            ("10base-t", &["8.65", "8.77", "8.99", "8.73", "8.81"]),
            ("100base-tx", &["30.58", "37.52", "41.11", "44.48", "45.58"]),
            ("atm155-fore", &["31.27", "39.64", "46.10", "54.17", "57.25"]),
            ("atm155-nec", &["14.16", "20.05", "22.82", "29.34", "30.42"]),
        ],
    ),
    (
        "Table 3",
        &[
            ("10base-t", &["8.92", "9.09", "9.31", "9.31", "9.33"]),
            ("100base-tx", &["30.26", "37.11", "40.64", "43.01", "45.05"]),
            ("atm155-fore", &["36.42", "49.17", "56.23", "78.51", "84.30"]),
            ("atm155-nec", &["17.88", "24.25", "27.91", "36.08", "37.44"]),
        ],
    ),
    (
        "Table 4",
        &[
            ("10base-t", &["8.65", "8.77", "8.78", "8.86", "8.90"]),
            ("100base-tx", &["40.06", "56.10", "60.72", "76.77", "79.39"]),
            ("atm155-fore", &["35.34", "47.51", "50.85", "66.44", "67.26"]),
            ("atm155-nec", &["26.49", "35.21", "39.28", "50.82", "54.90"]),
        ],
    ),
    (
        "Table 5",
        &[
            ("10base-t", &["8.92", "9.09", "9.14", "9.23", "9.24"]),
            ("100base-tx", &["52.58", "60.08", "61.89", "66.77", "66.82"]),
            ("atm155-fore", &["50.15", "68.20", "72.88", "112.15", "113.98"]),
            ("atm155-nec", &["35.61", "48.73", "55.80", "79.56", "79.28"]),
        ],
    ),
    (
        "Table 6",
        &[
            ("10base-t", &["8.90", "9.24", "8.96", "9.23"]),
            ("100base-tx", &["79.39", "66.82", "75.34", "61.18"]),
            ("atm155-fore", &["67.26", "113.98", "79.01", "120.06"]),
            ("atm155-nec", &["54.90", "79.28"]),
        ],
    ),
    ("Table 7", &[("", &["79.17", "129.93"])]),
];

fn goodput(words: &[&str]) -> Output {
    Home::new().command(words).current_dir(repository("")).output().unwrap()
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Rows of a table in a Markdown report: `| 10base-t | 8.65 | … |`.
fn rows(report: &str, table: &str) -> Vec<(String, Vec<String>)> {
    let after =
        report.split_once(&format!("{table}. ")).unwrap_or_else(|| panic!("no {table} in\n{report}")).1;
    let lines = after.lines().skip(1).skip_while(|l| !l.starts_with('|')).take_while(|l| l.starts_with('|'));
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_string()).collect()
    };
    lines
        .skip(2)
        .map(|line| {
            let cells = cells(line);
            (cells[0].clone(), cells[1..].iter().filter(|c| !c.is_empty()).cloned().collect())
        })
        .collect()
}

pub fn the_published_tables_are_the_articles_to_the_digit() {
    let report =
        text(&goodput(&["report", "studies/atm-vs-ethernet/published.toml", "--format", "markdown"]));
    let mut seen = 0;
    for (table, expected) in TABLES {
        let drawn = rows(&report, table);
        assert_eq!(drawn.len(), expected.len(), "{table}: {drawn:?}");
        for ((head, figures), (link, printed)) in drawn.iter().zip(expected) {
            let printed: Vec<String> = printed.iter().map(ToString::to_string).collect();
            assert_eq!((head.as_str(), figures), (*link, &printed), "{table}");
            seen += figures.len();
        }
    }
    // Half of table 6 repeats tables 4 and 5: 88 and those eight.
    assert_eq!(seen, 96);
    for number in 1..=7 {
        assert!(report.contains(CONCLUSIONS[number - 1]), "conclusion {number} in\n{report}");
    }
}

/// Beginnings of the conclusions; `goodput-interop` tests whole sentences.
const CONCLUSIONS: [&str; 7] = [
    "tcp and udp do not depend on cpu with link 10base-t",
    "tcp and udp rise with cpu with link 100base-tx, atm155-fore or atm155-nec",
    "windows-nt4 is better than windows95",
    "not every one is better than 100base-tx everywhere",
    "udp is better than tcp with link atm155-fore, atm155-nec or atm155-sun",
    "atm155-fore and atm155-sun reach 100.00 Mbit/s",
    "atm155-nec and atm155-fore do not pay against 100base-tx",
];

pub fn every_study_can_be_run_and_says_what_it_expects() {
    for study in STUDIES {
        let folder = repository("studies").join(study);
        assert!(folder.join("EXPECTED.md").is_file(), "{study}");
        for more in [&[][..], &["--quick"][..]] {
            let name = format!("studies/{study}");
            let words: Vec<&str> =
                ["run", name.as_str(), "--check"].into_iter().chain(more.iter().copied()).collect();
            let explained = text(&goodput(&words));
            assert!(explained.contains("combination"), "{study}: {explained}");
        }
    }
}
