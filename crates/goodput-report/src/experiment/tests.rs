//! Golden files and properties of an experiment's report. `UPDATE_GOLDEN=1 cargo test -p goodput-report`
//! rewrites the files; check the difference.

use super::*;
use crate::html;
use crate::page::Localizer;
use goodput_model::experiment::data_set::MeasureHeader;
use goodput_model::experiment::{BetterDirection, LevelPrices};
use goodput_model::summary::{RESULT_SCHEMA, ResultDocument};
use goodput_model::{RunId, Severity};
use std::path::PathBuf;

fn check(name: &str, got: &str) {
    let path: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests", "golden", name].iter().collect();
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, got).unwrap_or_else(|e| panic!("{name}: {e}"));
        return;
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
    let differs = expected.lines().zip(got.lines()).enumerate().find(|(_, (a, b))| a != b);
    assert!(expected == got, "{name} differs, first at {differs:#?}");
}

fn small() -> DataSet {
    let (mut data, _) = samples::small_experiment();
    data.prices = [("onboard", 0.0, 0.0), ("pci", 12_000.0, 15_000.0)]
        .map(|(level, from, to)| LevelPrices {
            factor: "nic".into(),
            level: level.into(),
            from,
            to,
            currency: "JPY".into(),
        })
        .to_vec();
    data
}

fn held() -> [RequirementResult; 2] {
    let cell =
        |at: &str, figure: &str, verdict: &str| (at.to_string(), figure.to_string(), verdict.to_string());
    [
        RequirementResult {
            text: "tcp.goodput_bps >= 600 Mbit/s".into(),
            verdict: "not measured".into(),
            cells: vec![
                cell("tcp, nic onboard, mtu 9000", "timed out after 30 s", "not measured"),
                cell("tcp, nic onboard, mtu 1500", "610.0 Mbit/s", "met"),
            ],
        },
        RequirementResult {
            text: "tcp.hosts[].cpu.busy_percent < 60 %".into(),
            verdict: "met".into(),
            cells: Vec::new(),
        },
    ]
}

fn findings() -> [Finding; 1] {
    [Finding {
        id: "host-changed".into(),
        severity: Severity::Warning,
        text: "the kernel of b changed between trials 3 and 4".into(),
        evidence: vec!["machine.kernel: 6.17 → 6.18".into()],
        try_next: "measure again with one kernel".into(),
    }]
}

fn with_all<T>(data: &DataSet, what: impl FnOnce(&ExperimentResults<'_>) -> T) -> T {
    let (held, findings) = (held(), findings());
    let source = ResultsSource {
        held: &held,
        findings: &findings,
        folder: Some("/runs/x"),
        ..ResultsSource::from_data(data)
    };
    what(&ExperimentResults::from_source(source))
}

#[test]
fn text_and_markdown() {
    let page = with_all(&small(), |r| r.build_page());
    check("experiment.txt", &text::page_to_text(&page, Some(100), &Localizer::ENGLISH));
    check(
        "experiment.md",
        &markdown::page_to_markdown(&page, Some(&|id: &str| format!("{id}.svg")), &Localizer::ENGLISH),
    );
    let (curves, _) = samples::size_curves();
    check(
        "experiment-curves.txt",
        &text::page_to_text(
            &ExperimentResults::from_source(ResultsSource::from_data(&curves)).build_page(),
            None,
            &Localizer::ENGLISH,
        ),
    );
}

#[test]
fn pictures() {
    let page = with_all(&small(), |r| r.build_page());
    let (curves, _) = samples::size_curves();
    let curves = ExperimentResults::from_source(ResultsSource::from_data(&curves)).build_page();
    let mut seen = Vec::new();
    // LOOK=DIR writes every figure as PNG.
    let look =
        std::env::var_os("LOOK").map(|dir| (PathBuf::from(dir), crate::png::Fonts::load_system_fonts()));
    for figure in page.figures().chain(curves.figures()) {
        if let Some((dir, fonts)) = &look {
            let drawn = crate::png::render_png(figure, fonts, 2.0).unwrap();
            std::fs::write(dir.join(format!("{}.png", figure.id)), drawn.bytes).unwrap();
        }
        let drawn = crate::svg::figure_to_svg_file(figure);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf\""), "{}", figure.id);
        resvg::usvg::roxmltree::Document::parse(&drawn).unwrap_or_else(|e| panic!("{}: {e}", figure.id));
        assert!(!figure.description.is_empty(), "{}", figure.id);
        if matches!(figure.id.as_str(), "bars-1" | "effects-1" | "curves-1-2") {
            check(&format!("experiment-{}.svg", figure.id), &drawn);
            seen.push(figure.id.clone());
        }
    }
    assert_eq!(seen, ["bars-1", "effects-1", "curves-1-2"]);
}

/// Every link has a target, identifiers are unique, and there are no requests.
#[test]
fn the_page_is_whole_in_itself() {
    for data in [small(), samples::two_factor_article().0, samples::size_curves().0] {
        let page = with_all(&data, |results| html::page_to_html(&results.build_page(), &Localizer::ENGLISH));
        let xml = page.replacen("<!DOCTYPE html>", "", 1);
        let ids: Vec<&str> = xml.split(" id=\"").skip(1).map(|r| r.split('"').next().unwrap()).collect();
        let mut unique = ids.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!(unique.len(), ids.len(), "an identifier is defined twice");
        let links: Vec<&str> = xml.split("href=\"").skip(1).map(|r| r.split('"').next().unwrap()).collect();
        for link in &links {
            match link.strip_prefix('#') {
                Some(id) => assert!(ids.contains(&id), "{link} leads nowhere"),
                None => {
                    assert!(link.starts_with("data:text/csv;") || link.starts_with("data:application/json;"))
                }
            }
        }
        assert!(links.iter().any(|l| l.starts_with('#')), "statements rest on cells");
        for bad in ["<script", "<link", "<img", "<iframe", "src=", "url(", "@import", "javascript:"] {
            assert!(!page.contains(bad), "{bad}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}

#[test]
fn the_data_within_the_page_are_the_data() {
    let data = small();
    let page = with_all(&data, |results| html::page_to_html(&results.build_page(), &Localizer::ENGLISH));
    let of = |media: &str| {
        let encoded =
            page.split(&format!("href=\"data:{media};base64,")).nth(1).unwrap().split('"').next().unwrap();
        data_encoding::BASE64.decode(encoded.as_bytes()).unwrap()
    };
    assert_eq!(String::from_utf8(of("text/csv")).unwrap(), csv::observations_to_csv(&data));
    let back: DataSet = serde_json::from_slice(&of("application/json")).unwrap();
    assert_eq!(back, data);
}

#[test]
fn the_document_is_extended_and_not_replaced() {
    let data = small();
    let document = ResultDocument {
        schema: RESULT_SCHEMA.into(),
        run: Some(RunId(uuid::Uuid::nil())),
        summary: None,
        trials: Vec::new(),
        search: None,
        load_curves: None,
        file_run: None,
        error: None,
    };
    let text = with_all(&data, |results| json::experiment_to_json(&document, results).unwrap());
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["schema"], "goodput/result/1");
    assert_eq!(value["experiment"]["schema"], json::EXPERIMENT_SCHEMA);
    let all = "/cells/0/id /cells/0/levels/nic /cells/0/median /cells/0/interval/0 /cells/0/n \
               /conclusions/0/text /conclusions/0/sure /requirements/0/verdict \
               /effects/0/terms/0/factors/0 /comparisons/0/cells/0/verdict /ranks/0/ranks/0/level \
               /data/rows/0/levels/nic";
    for pointer in all.split_whitespace() {
        assert!(value["experiment"].pointer(pointer).is_some_and(|v| !v.is_null()), "{pointer}");
    }
    serde_json::from_str::<ResultDocument>(&text).expect("a reader of the document still reads it");
}

#[test]
fn nothing_measured_is_a_page_all_the_same() {
    let empty = DataSet::default();
    let results = ExperimentResults::from_source(ResultsSource::from_data(&empty));
    assert!(text::page_to_text(&results.build_page(), None, &Localizer::ENGLISH).contains("0 values"));
    assert!(html::page_to_html(&results.build_page(), &Localizer::ENGLISH).ends_with("</html>\n"));
    let mut failed = small();
    for row in &mut failed.rows {
        row.value = ObservedValue::Failed("no route".into());
    }
    let page = ExperimentResults::from_source(ResultsSource::from_data(&failed)).build_page();
    assert!(text::page_to_text(&page, None, &Localizer::ENGLISH).contains("[1] no route"));
    let mut odd = small();
    for (i, row) in odd.rows.iter_mut().enumerate() {
        row.value = ObservedValue::Value([0.0, -1.0, f64::NAN, f64::INFINITY, 1e300][i % 5]);
        row.measure = i % 3;
    }
    let page = ExperimentResults::from_source(ResultsSource::from_data(&odd)).build_page();
    for figure in page.figures() {
        let drawn = crate::svg::figure_to_svg_file(figure);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf\""), "{}", figure.id);
    }
}

/// The largest one-factor report has a hundred levels.
#[test]
fn a_hundred_levels_are_dots_that_fit() {
    let mut data = DataSet {
        title: "many".into(),
        measures: vec![MeasureHeader {
            probe: "tcp".into(),
            figure: "goodput_bps".into(),
            unit: "bit/s".into(),
            better: BetterDirection::Higher,
            over_size: false,
        }],
        ..DataSet::default()
    };
    let levels: Vec<String> = (0..100).map(|i| format!("level {i}")).collect();
    let numbers = Vec::new();
    data.factors.push(goodput_model::experiment::data_set::FactorAxis {
        name: "f".into(),
        levels: levels.clone(),
        numbers,
    });
    for (i, level) in levels.into_iter().enumerate() {
        data.rows.push(goodput_model::experiment::data_set::DataRow {
            levels: [("f".to_string(), level)].into(),
            measure: 0,
            size_bytes: None,
            value: ObservedValue::Value(1e6 * (i + 1) as f64),
            block: 1,
            order: None,
            evidence: String::new(),
        });
    }
    let cells = data_cell::cells_of_data(&data);
    let forms = pivot_table::pivot_layouts(&data, &cells);
    let figure = &figure::layout_figures(&data, &forms[0], 0)[0];
    assert_eq!(figure.curves[0].style, crate::figure::Style::Dots);
    assert!(crate::svg::figure_to_svg(figure, crate::svg::Theme::Light, "x").contains("level 99"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(24))]
    /// No text of others adds a tag or an escape sequence.
    #[test]
    fn foreign_text_stays_text(evil in proptest::prelude::any::<String>()) {
        let drawn = |text: &str| {
            let mut data = small();
            data.title = text.into();
            data.source = text.into();
            for row in &mut data.rows {
                row.evidence = text.into();
                if let ObservedValue::Failed(reason) = &mut row.value {
                    *reason = text.into();
                }
                if let Some(level) = row.levels.get_mut("nic").filter(|l| *l == "pci") {
                    *level = format!("p{text}");
                }
            }
            data.factors[0].levels[1] = format!("p{text}");
            data.prices[1].level = format!("p{text}");
            let page = with_all(&data, |r| r.build_page());
            (text::page_to_text(&page, Some(80), &Localizer::ENGLISH), html::page_to_html(&page, &Localizer::ENGLISH))
        };
        let (terminal, page) = drawn(&evil);
        proptest::prop_assert!(!terminal.chars().any(|c| c.is_control() && c != '\n'));
        let tags = |page: &str| {
            let mut found: Vec<String> = page.split('<').skip(1)
                .map(|t| t.split(['>', ' ']).next().unwrap_or("").to_string()).filter(|t| !t.ends_with("text")).collect();
            found.sort();
            found.dedup();
            found
        };
        let known = tags(&drawn("ci").1);
        for tag in tags(&page) {
            proptest::prop_assert!(known.contains(&tag), "{tag}");
        }
    }
}
