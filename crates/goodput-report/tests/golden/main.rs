//! Golden files of terminal, figures, report and exports. `UPDATE_GOLDEN=1 cargo test -p goodput-report`
//! rewrites them; check the difference.

mod axes;
mod documents;
mod views;

use goodput_model::Trial;
use goodput_model::run::RunHeader;
use goodput_model::summary::{DirectionSummary, ProbeResult, RESULT_SCHEMA, ResultDocument, TrialSummary};
use goodput_report::page::Localizer;
use goodput_report::{csv, html, run_figures, svg, text, trial_figures, view};
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

fn document(summary: TrialSummary) -> ResultDocument {
    ResultDocument {
        schema: RESULT_SCHEMA.into(),
        run: None,
        summary: Some(summary),
        trials: Vec::new(),
        search: None,
        load_curves: None,
        file_run: None,
        error: None,
    }
}

fn report_of(document: &ResultDocument, head: Option<&RunHeader>, trials: &[Trial]) -> String {
    html::page_to_html(&view::run_report_page(document, head, trials), &Localizer::ENGLISH)
}

fn files() -> [(&'static str, ResultDocument); 3] {
    [
        ("file copies", documents::file_copies()),
        ("file marks", documents::file_marks()),
        ("file mixes", documents::file_mixes()),
    ]
}

#[test]
fn terminal() {
    let mut all = String::new();
    for (name, summary) in documents::all() {
        all.push_str(&format!("== {name} ==\n{}\n", text::summary_to_text(&summary, None)));
    }
    all.push_str(&format!("== search ==\n{}\n", text::document_to_text(&documents::search(), None)));
    all.push_str(&format!("== load run ==\n{}\n", text::document_to_text(&documents::load_run(), None)));
    all.push_str(&format!(
        "== load over clients ==\n{}\n",
        text::document_to_text(&documents::load_cycle(), Some(100))
    ));
    for (name, document) in files() {
        all.push_str(&format!("== {name} ==\n{}\n", text::document_to_text(&document, None)));
    }
    check("terminal.txt", &all);
}

#[test]
fn list() {
    let head = documents::head();
    let document = documents::demo();
    let row =
        goodput_report::table::runs::RunRow { head: &head, summaries: &document.trials, finished: true };
    let failed = [documents::failed()];
    let broken = goodput_report::table::runs::RunRow { head: &head, summaries: &failed, finished: false };
    let text = text::runs_to_text(&[row, broken], None) + &text::runs_to_text(&[], None);
    check("list.txt", &text);
}

#[test]
fn drawn_figures() {
    for (name, summary) in [
        ("stream_100", documents::stream_100()),
        ("sweep_few", documents::sweep_few()),
        ("request", documents::request_open()),
    ] {
        let first = trial_figures(&summary, None).remove(0);
        check(&format!("{name}.svg"), &svg::figure_to_svg_file(&first));
    }
    for f in run_figures(&documents::load_run()) {
        check(&format!("load-{}.svg", f.id), &svg::figure_to_svg_file(&f));
    }
    for (_, document) in files() {
        for f in run_figures(&document) {
            check(&format!("file-{}.svg", f.id), &svg::figure_to_svg_file(&f));
        }
    }
}

#[test]
fn report() {
    let mut summary = documents::stream_100();
    summary.result.stream().unwrap().directions[0].intervals.truncate(5);
    let trials = [documents::trial_of(&summary)];
    let (document, head) = (document(summary), documents::head());
    check("report.html", &report_of(&document, Some(&head), &trials));
}

#[test]
fn exports() {
    let doc = document(documents::sweep_few());
    for table in csv::document_tables(&doc) {
        check(&format!("{}.csv", table.name), &table.text);
    }
    let both = [documents::datagram_exact(), documents::datagram_bounds()];
    let tables = csv::document_tables(&ResultDocument { trials: both.into(), summary: None, ..doc });
    check("datagrams.csv", &tables.iter().find(|t| t.name == "datagrams").unwrap().text);
}

#[test]
fn load_report() {
    let document = documents::load_run();
    let trials: Vec<_> = document.trials.iter().map(documents::trial_of).collect();
    let page = report_of(&document, None, &trials);
    assert_eq!(page.matches("One server with many clients (load)</h2>").count(), 1);
    assert_eq!(page.matches("<figure>").count(), 3);
    assert_eq!(page.matches("<table aria-label=\"Load: ").count(), 1);
    assert_eq!(page.matches(">256 KiB</th><td>").count(), 6, "a row for each direction in two tables");
    check("load.txt", &text_of(&page));
}

#[test]
fn file_report() {
    let mut all = String::new();
    for (name, document) in files() {
        let trials: Vec<_> = document.trials.iter().map(documents::trial_of).collect();
        let page = report_of(&document, None, &trials);
        assert_eq!(page.matches("File access (file)</h2>").count(), 1, "{name}");
        all.push_str(&format!("== {name} ==\n{}\n", text_of(&page)));
    }
    check("file.txt", &all);
    let tables: Vec<String> = files()
        .iter()
        .flat_map(|(_, document)| csv::document_tables(document))
        .filter(|t| t.name == "file" || t.name == "file_groups")
        .map(|t| format!("{}\n{}", t.name, t.text))
        .collect();
    check("file.csv.txt", &tables.join("\n"));
}

fn text_of(page: &str) -> String {
    let body = page.split_once("<main>").map_or(page, |(_, body)| body);
    let mut out = String::new();
    for (i, part) in body.split('<').enumerate() {
        let (tag, words) = if i == 0 { ("", part) } else { part.split_once('>').unwrap_or((part, "")) };
        if tag.starts_with("/tr") || tag.starts_with("/h") || tag.starts_with("/p") || tag.starts_with("/li")
        {
            out.push('\n');
        } else if tag.starts_with("/t") {
            out.push_str(" | ");
        }
        out.push_str(words.trim_matches('\n'));
    }
    out.lines().filter(|l| !l.trim().is_empty()).map(|l| format!("{}\n", l.trim_end())).collect()
}

/// Figures are deterministic, well-formed XML with title and description.
#[test]
fn figures_are_deterministic_and_accessible() {
    for (name, summary) in documents::all() {
        for f in trial_figures(&summary, None) {
            let first = svg::figure_to_svg_file(&f);
            assert_eq!(first, svg::figure_to_svg_file(&f), "{name}");
            let xml =
                resvg::usvg::roxmltree::Document::parse(&first).unwrap_or_else(|e| panic!("{name}: {e}"));
            let root = xml.root_element();
            assert_eq!(root.attribute("role"), Some("img"));
            let label = root.attribute("aria-labelledby").unwrap();
            for (id, tag) in label.split(' ').zip(["title", "desc"]) {
                let node = root.children().find(|n| n.attribute("id") == Some(id)).unwrap();
                assert_eq!(node.tag_name().name(), tag);
                assert!(node.text().is_some_and(|t| !t.is_empty()), "{name} {tag}");
            }
            assert!(!first.contains("NaN") && !first.contains("inf"), "{name} {}", f.id);
        }
    }
}

/// The report has no requests and no scripts, whatever its names are.
#[test]
fn the_report_is_self_contained() {
    for (name, summary) in documents::all() {
        let trials = [documents::trial_of(&summary)];
        let document = document(summary);
        let page = report_of(&document, None, &trials);
        for bad in [
            "<script",
            "<link",
            "<img",
            "<iframe",
            "<object",
            "href=",
            "src=",
            "url(",
            "@import",
            " on",
            "javascript:",
        ] {
            let found = page.match_indices(bad).find(|(at, _)| inside_tag(&page, *at));
            assert!(found.is_none(), "{name}: {bad} at {found:?}");
        }
        assert!(page.contains("default-src 'none'"));
    }
}

/// True between `<` and `>`, where such words would have an effect.
fn inside_tag(page: &str, at: usize) -> bool {
    page.as_bytes()[at] == b'<' || page[..at].rfind('<') > page[..at].rfind('>')
}

fn directions(summary: &mut TrialSummary) -> &mut [DirectionSummary] {
    match &mut summary.result {
        ProbeResult::Stream(found) => &mut found.directions,
        ProbeResult::Datagram(found) => &mut found.directions,
        ProbeResult::Latency(found) => &mut found.directions,
        _ => &mut [],
    }
}

#[test]
fn degenerate_results_are_written() {
    for (name, mut summary) in documents::all() {
        summary.hosts.clear();
        summary.limit.goodput_bps = Some(0);
        summary.percent_of_limit = Some(f64::NAN);
        summary.elapsed_ns = 0;
        if let Some(found) = summary.result.pingpong() {
            for p in &mut found.points {
                p.time_ns = 0.0;
                p.goodput_bps = u64::MAX;
                p.interval_ns = Some((f64::NAN, f64::INFINITY));
            }
            if let Some(s) = &mut found.sweep {
                s.half_size_bytes = Some(f64::INFINITY);
                s.latency_ns = f64::NAN;
            }
        }
        for d in directions(&mut summary) {
            d.intervals = vec![(0, 0), (0, u64::MAX), (u64::MAX, 0)];
            d.bytes_per_read = Some(f64::NEG_INFINITY);
        }
        let latency = match &mut summary.result {
            ProbeResult::Request(found) => found.latency_ns.as_mut(),
            ProbeResult::Latency(found) => found.latency_ns.as_mut(),
            ProbeResult::Load(found) => found.latency_ns.as_mut(),
            ProbeResult::File(found) => found.latency_ns.as_mut(),
            _ => None,
        };
        if let Some(l) = latency {
            l.min = 0;
            l.max = u64::MAX;
        }
        assert!(!text::summary_to_text(&summary, Some(40)).is_empty(), "{name}");
        for f in trial_figures(&summary, None) {
            let drawn = svg::figure_to_svg_file(&f);
            assert!(!drawn.contains("NaN") && !drawn.contains("inf\""), "{name} {}", f.id);
        }
        let document = document(summary);
        let page = report_of(&document, None, &[]);
        assert!(page.ends_with("</html>\n"), "{name}");
    }
    let empty = ResultDocument {
        schema: RESULT_SCHEMA.into(),
        run: None,
        summary: None,
        trials: Vec::new(),
        search: None,
        load_curves: None,
        file_run: None,
        error: None,
    };
    let page = report_of(&empty, None, &[]);
    assert!(page.contains("contains no results"));
    assert!(csv::document_tables(&empty).is_empty());
}

proptest::proptest! {
    /// No text of others adds a tag or an escape sequence.
    #[test]
    fn foreign_text_stays_text(evil in proptest::prelude::any::<String>()) {
        let plain = |text: &str| {
            let mut s = documents::stream_both();
            directions(&mut s).iter_mut().for_each(|d| d.intervals.truncate(3));
            s.hosts[0].name = text.into();
            s.limit.medium = Some(text.into());
            s.limit.goodput_bps = Some(1_000_000);
            s.limit.reason = text.into();
            s.outcome = goodput_model::TrialOutcome::Partial { cause: text.into() };
            s.findings = documents::stream_100().findings;
            s.findings[0].text = text.into();
            s.findings[0].try_next = format!("x{text}").into();
            s.findings[0].evidence = vec![text.into()];
            let mut head = documents::head();
            head.command = vec![text.into()];
            head.started = text.into();
            head.labels = [(text.to_string(), text.to_string())].into();
            let terminal = text::summary_to_text(&s, Some(80));
            let document = document(s);
            (terminal, report_of(&document, Some(&head), &[]))
        };
        let (terminal, page) = plain(&evil);
        proptest::prop_assert!(!terminal.chars().any(|c| c.is_control() && c != '\n'));
        let tags = |page: &str| {
            // Text may wrap onto further <text> lines and be truncated; nothing else may differ.
            let mut found: Vec<String> = page.split('<').skip(1)
                .map(|t| t.split(['>', ' ']).next().unwrap_or("").to_string()).filter(|t| !t.ends_with("text")).collect();
            found.sort();
            found.dedup();
            found
        };
        let known = tags(&plain("host").1);
        for tag in tags(&page) {
            proptest::prop_assert!(known.contains(&tag), "{tag}");
        }
    }
}
