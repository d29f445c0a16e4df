//! Golden files and properties of an experiment's report. `UPDATE_GOLDEN=1 cargo test -p goodput-report`
//! rewrites the files; check the difference.

use super::*;
use crate::documents::{check_golden, element_names, empty_document, finding};
use crate::figure::Figure;
use crate::html;
use crate::page::Localizer;
use goodput_model::experiment::{BetterDirection, FactorLevelPrice};
use goodput_model::summary::ResultDocument;
use goodput_model::{RunId, Severity};

fn small() -> DataSet {
    let (mut data, _) = test_data::small_experiment_data();
    data.prices = [("onboard", 0.0, 0.0), ("pci", 12_000.0, 15_000.0)]
        .map(|(level, from, to)| FactorLevelPrice {
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
    let result = |text: &str, verdict: &str, cells: &[[&str; 3]]| RequirementResult {
        text: text.into(),
        verdict: verdict.into(),
        cells: cells
            .iter()
            .map(|[at, figure, met]| (at.to_string(), (*figure).into(), met.to_string()))
            .collect(),
    };
    let cells = [
        ["tcp, nic onboard, mtu 9000", "timed out after 30 s", "not measured"],
        ["tcp, nic onboard, mtu 1500", "610.0 Mbit/s", "met"],
    ];
    [
        result("tcp.goodput_bps >= 600 Mbit/s", "not measured", &cells),
        result("tcp.hosts[].cpu.busy_percent < 60 %", "met", &[]),
    ]
}

fn with_all<T>(data: &DataSet, what: impl FnOnce(&ExperimentResults<'_>) -> T) -> T {
    let text = "the kernel of b changed between trials 3 and 4";
    let evidence = &["machine.kernel: 6.17 → 6.18"];
    let advice = "measure again with one kernel";
    let findings = [finding("host-changed", Severity::Warning, text, evidence, advice)];
    let source = ResultsSource {
        held: &held(),
        findings: &findings,
        folder: Some("/runs/x"),
        ..ResultsSource::from_data(data)
    };
    what(&ExperimentResults::from_source(source))
}

fn page_with_all(data: &DataSet) -> Page {
    with_all(data, |results| results.build_page())
}

fn page_of(data: &DataSet) -> Page {
    ExperimentResults::from_source(ResultsSource::from_data(data)).build_page()
}

fn text_of(page: &Page, width: Option<u16>) -> String {
    text::page_to_text(page, width, &Localizer::ENGLISH)
}

fn html_of(page: &Page) -> String {
    html::page_to_html(page, &Localizer::ENGLISH)
}

fn drawn(figure: &Figure) -> String {
    let drawn = crate::svg::figure_to_svg_file(figure);
    assert!(!drawn.contains("NaN") && !drawn.contains("inf\""), "{}", figure.id);
    drawn
}

#[test]
fn text_and_markdown() {
    let page = page_with_all(&small());
    check_golden("experiment.txt", &text_of(&page, Some(100)));
    let file_of = |id: &str| format!("{id}.svg");
    check_golden("experiment.md", &markdown::page_to_markdown(&page, Some(&file_of), &Localizer::ENGLISH));
    check_golden("experiment-curves.txt", &text_of(&page_of(&test_data::size_sweep_data().0), None));
}

#[test]
fn pictures() {
    let (page, curves) = (page_with_all(&small()), page_of(&test_data::size_sweep_data().0));
    let mut seen = Vec::new();
    for figure in page.figures().chain(curves.figures()) {
        let drawn = drawn(figure);
        resvg::usvg::roxmltree::Document::parse(&drawn).unwrap_or_else(|e| panic!("{}: {e}", figure.id));
        assert!(!figure.description.is_empty(), "{}", figure.id);
        if matches!(figure.id.as_str(), "bars-1" | "effects-1" | "curves-1-2") {
            check_golden(&format!("experiment-{}.svg", figure.id), &drawn);
            seen.push(figure.id.clone());
        }
    }
    assert_eq!(seen, ["bars-1", "effects-1", "curves-1-2"]);
}

/// Every link has a target, identifiers are unique, and there are no requests.
#[test]
fn the_page_is_whole_in_itself() {
    for data in [small(), test_data::published_article_data().0, test_data::size_sweep_data().0] {
        let page = html_of(&page_with_all(&data));
        let values = |name: &str| -> Vec<&str> {
            page.split(name).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
        };
        let ids = values(" id=\"");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "an identifier is defined twice");
        let links = values("href=\"");
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
    let page = html_of(&page_with_all(&data));
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
    let document = ResultDocument { run: Some(RunId(uuid::Uuid::nil())), ..empty_document() };
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
    let empty = page_of(&DataSet::default());
    assert!(text_of(&empty, None).contains("0 values"));
    assert!(html_of(&empty).ends_with("</html>\n"));
    let mut failed = small();
    for row in &mut failed.rows {
        row.value = ObservedValue::Failed("no route".into());
    }
    assert!(text_of(&page_of(&failed), None).contains("[1] no route"));
    let mut odd = small();
    for (i, row) in odd.rows.iter_mut().enumerate() {
        row.value = ObservedValue::Value([0.0, -1.0, f64::NAN, f64::INFINITY, 1e300][i % 5]);
        row.measure = i % 3;
    }
    for figure in page_of(&odd).figures() {
        drawn(figure);
    }
}

/// The largest one-factor report has a hundred levels.
#[test]
fn a_hundred_levels_are_dots_that_fit() {
    let levels: Vec<String> = (0..100).map(|i| format!("level {i}")).collect();
    let value = |i: usize| ObservedValue::Value(1e6 * (i + 1) as f64);
    let names: Vec<&str> = levels.iter().map(String::as_str).collect();
    let rows =
        names.iter().enumerate().map(|(i, level)| test_data::data_row(&[("f", *level)], 0, value(i), 1));
    let data = DataSet {
        title: "many".into(),
        measures: vec![test_data::data_set_metric("tcp", "goodput_bps", "bit/s", BetterDirection::Higher)],
        factors: vec![test_data::factor_axis("f", &names, &[])],
        rows: rows.collect(),
        ..DataSet::default()
    };
    let cells = cell_statistics::compute_cell_statistics(&data);
    let forms = pivot_table::pivot_layouts(&data, &cells);
    let figure = &figure::pivot_figures(&data, &forms[0], 0)[0];
    assert_eq!(figure.curves[0].style, crate::figure::CurveStyle::Dots);
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
            let page = page_with_all(&data);
            (text_of(&page, Some(80)), html_of(&page))
        };
        let (terminal, page) = drawn(&evil);
        proptest::prop_assert!(!terminal.chars().any(|c| c.is_control() && c != '\n'));
        let known = drawn("ci").1;
        let added: Vec<&str> = element_names(&page).difference(&element_names(&known)).copied().collect();
        proptest::prop_assert!(added.is_empty(), "{added:?}");
    }
}
