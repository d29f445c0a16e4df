//! Golden files of terminal, figures, report and exports. `UPDATE_GOLDEN=1 cargo test -p goodput-report`
//! rewrites them; check the difference.

mod axes;
mod documents;
mod views;

use documents::{check_golden, element_names, empty_document, file_runs, single_trial};
use goodput_model::Trial;
use goodput_model::run::RunHeader;
use goodput_model::summary::{DirectionSummary, ProbeResult, ResultDocument, TrialSummary};
use goodput_report::page::Localizer;
use goodput_report::path_diagram::PathDiagram;
use goodput_report::table::runs::RunRow;
use goodput_report::{csv, figures_across_trials, html, svg, text, trial_figures, view};

fn report_of(document: &ResultDocument, head: Option<&RunHeader>, trials: &[Trial]) -> String {
    html::page_to_html(&view::build_run_report_page(document, head, trials), &Localizer::ENGLISH)
}

fn to_text(document: &ResultDocument, width: Option<u16>) -> String {
    text::blocks_to_text(&text::text_blocks_for_document(document, width), width)
}

#[test]
fn terminal() {
    let part = |name: &str, text: String| format!("== {name} ==\n{text}\n");
    let trials = documents::all().into_iter();
    let mut all: String = trials.map(|(name, s)| part(name, to_text(&single_trial(s), None))).collect();
    let others = [
        ("search", documents::search(), None),
        ("load run", documents::load_run(), None),
        ("load over clients", documents::load_cycle(), Some(100)),
    ];
    let others = others.into_iter().chain(file_runs().map(|(name, document)| (name, document, None)));
    all.extend(others.map(|(name, document, width)| part(name, to_text(&document, width))));
    check_golden("terminal.txt", &all);
}

#[test]
fn list() {
    let head = documents::head();
    let document = documents::demo();
    let row = RunRow { head: &head, summaries: &document.trials, finished: true };
    let failed = [documents::failed()];
    let broken = RunRow { head: &head, summaries: &failed, finished: false };
    let text = text::runs_to_text(&[row, broken], None) + &text::runs_to_text(&[], None);
    check_golden("list.txt", &text);
}

#[test]
fn drawn_figures() {
    for (name, summary) in [
        ("stream_100", documents::stream_100()),
        ("sweep_few", documents::sweep_few()),
        ("request", documents::request_open()),
    ] {
        let first = trial_figures(&summary, None).remove(0);
        check_golden(&format!("{name}.svg"), &svg::figure_to_svg_file(&first));
    }
    let runs = file_runs().map(|(_, document)| ("file", document));
    for (name, document) in runs.into_iter().chain([("load", documents::load_run())]) {
        for f in figures_across_trials(&document) {
            check_golden(&format!("{name}-{}.svg", f.id), &svg::figure_to_svg_file(&f));
        }
    }
}

#[test]
fn why() {
    let document = documents::why();
    check_golden("why.txt", &to_text(&document, Some(100)));
    let diagram = PathDiagram::from_diagnosis(&documents::diagnosis()).unwrap();
    check_golden("why-path.svg", &svg::figure_to_svg_file(&diagram));
    let page = report_of(&document, None, &[]);
    assert_eq!(page.matches(">Path of the data</title>").count(), 1);
}

#[test]
fn report() {
    let mut summary = documents::stream_100();
    summary.result.stream().unwrap().directions[0].intervals.truncate(5);
    let trials = [documents::trial_of(&summary)];
    let page = report_of(&single_trial(summary), Some(&documents::head()), &trials);
    check_golden("report.html", &page);
}

#[test]
fn exports() {
    let doc = single_trial(documents::sweep_few());
    for table in csv::tables_for_document(&doc) {
        check_golden(&format!("{}.csv", table.name), &table.text);
    }
    let both = [documents::datagram_exact(), documents::datagram_bounds()];
    let tables = csv::tables_for_document(&ResultDocument { trials: both.into(), summary: None, ..doc });
    check_golden("datagrams.csv", &tables.iter().find(|t| t.name == "datagrams").unwrap().text);
}

#[test]
fn load_and_file_reports() {
    let page_of = |document: &ResultDocument| {
        let trials: Vec<_> = document.trials.iter().map(documents::trial_of).collect();
        report_of(document, None, &trials)
    };
    let page = page_of(&documents::load_run());
    let count = |part: &str| page.matches(part).count();
    assert_eq!((count("<figure>"), count("<table aria-label=\"Load: ")), (3, 1));
    check_golden("load.txt", &text_of(&page));
    let parts =
        file_runs().map(|(name, document)| format!("== {name} ==\n{}\n", text_of(&page_of(&document))));
    check_golden("file.txt", &parts.concat());
    let tables: Vec<String> = file_runs()
        .iter()
        .flat_map(|(_, document)| csv::tables_for_document(document))
        .filter(|t| t.name == "file" || t.name == "file_groups")
        .map(|t| format!("{}\n{}", t.name, t.text))
        .collect();
    check_golden("file.csv.txt", &tables.join("\n"));
}

fn text_of(page: &str) -> String {
    let body = page.split_once("<main>").map_or(page, |(_, body)| body);
    let mut out = String::new();
    for (i, part) in body.split('<').enumerate() {
        let (tag, words) = if i == 0 { ("", part) } else { part.split_once('>').unwrap_or((part, "")) };
        if ["/tr", "/h", "/p", "/li"].iter().any(|end| tag.starts_with(end)) {
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
        let page = report_of(&single_trial(summary), None, &trials);
        let all = "<script,<link,<img,<iframe,<object,href=,src=,url(,@import, on,javascript:";
        for bad in all.split(',') {
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
        assert!(!to_text(&single_trial(summary.clone()), Some(40)).is_empty(), "{name}");
        for f in trial_figures(&summary, None) {
            let drawn = svg::figure_to_svg_file(&f);
            assert!(!drawn.contains("NaN") && !drawn.contains("inf\""), "{name} {}", f.id);
        }
        let page = report_of(&single_trial(summary), None, &[]);
        assert!(page.ends_with("</html>\n"), "{name}");
    }
    assert!(csv::tables_for_document(&empty_document()).is_empty());
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
            let terminal = to_text(&single_trial(s.clone()), Some(80));
            (terminal, report_of(&single_trial(s), Some(&head), &[]))
        };
        let (terminal, page) = plain(&evil);
        proptest::prop_assert!(!terminal.chars().any(|c| c.is_control() && c != '\n'));
        let known = plain("host").1;
        let added: Vec<&str> = element_names(&page).difference(&element_names(&known)).copied().collect();
        proptest::prop_assert!(added.is_empty(), "{added:?}");
    }
}
