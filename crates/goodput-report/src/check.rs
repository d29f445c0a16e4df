//! The report of `goodput check`: the sentence with the command to run next, a table with a row for each figure, and
//! what to look at. In a terminal it fits one screen.

use crate::display_text::comma_list;
use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::page::{Block, PageStatement};
use crate::table::Align::{Left, Right};
use crate::table::cell::{bytes, nanos, optional_cell, percent, rate, size, volume_f};
use crate::table::{Cell, Table};
use crate::text::text_block::TextBlockList;
use goodput_model::check::PathCheck;
use goodput_model::{CpuAccountingScope, Finding, Message, Severity};
use goodput_words::message;

/// Findings in a terminal; the page has all.
const SHOWN: usize = 4;

pub(crate) fn append_check_text(out: &mut TextBlockList, check: &PathCheck) {
    out.add_message(&check.sentence);
    out.add_message(&check.next);
    out.add_table(figures_table(check));
    let mut found = findings(check);
    if found.len() > SHOWN {
        let count = found.len() - (SHOWN - 1);
        found.truncate(SHOWN - 1);
        found.push(finding(Severity::Note, message!(check_more_notes { count })));
    }
    out.add_findings(found);
}

pub(crate) fn check_blocks(check: &PathCheck) -> Vec<Block> {
    let next = Finding { try_next: check.next.clone(), ..finding(Severity::Note, check.sentence.clone()) };
    vec![
        Block::statements(vec![PageStatement::from_finding(&next)]),
        Block::figure(rates_figure(check)),
        Block::table(figures_table(check)),
        Block::findings(findings(check).iter().collect()),
    ]
}

fn finding(severity: Severity, text: Message) -> Finding {
    Finding { id: "check".into(), severity, text, evidence: Vec::new(), try_next: Message::default() }
}

/// The most important first: requirements, steps without a result, settings.
fn findings(check: &PathCheck) -> Vec<Finding> {
    let requirements = check
        .requirements
        .iter()
        .map(|r| finding(if r.met { Severity::Note } else { Severity::Error }, r.sentence.clone()));
    let unmeasured = check.not_measured.iter().map(|u| {
        let (step, cause) = (Message::from(u.step.name()), u.cause.clone());
        finding(Severity::Warning, message!(check_not_measured { step, cause }))
    });
    let notes = check.notes.iter().map(|note| finding(Severity::Note, note.clone()));
    let mut all: Vec<Finding> = requirements.chain(unmeasured).chain(notes).collect();
    all.sort_by_key(|f| std::cmp::Reverse(f.severity));
    all
}

fn figures_table(check: &PathCheck) -> Table {
    let (there, back) = ways(check);
    let columns = [("", Left), (there.as_str(), Right), (back.as_str(), Right), ("", Left)];
    let mut table = Table::new("Figures of the path", &columns);
    let none = || Cell::from("");
    let p99 = |times: [Option<u64>; 2]| {
        let known = times.into_iter().flatten().map(|ns| message!(part_p99_mark { time: nanos(ns) }));
        Cell::from(comma_list(known))
    };
    let limit: Cell = match (check.limit_bps, &check.limit_name) {
        (Some(bps), Some(medium)) => message!(report_check_limit { rate: rate(bps), medium }).into(),
        (Some(_), None) => none(),
        (None, _) => "medium unknown (--medium names it)".into(),
    };
    let udp: Cell = match (check.udp_lossless_bps, check.udp_confirmed) {
        (Some(_), false) => "in a short trial only".into(),
        _ => none(),
    };
    let linear = check
        .saturation_size_bytes
        .map_or_else(none, |at| message!(report_check_linear_from { size: size(at) }).into());
    let cpus = [check.cpu_from, check.cpu_to];
    let one_kernel = cpus.into_iter().flatten().any(|cpu| cpu.scope == CpuAccountingScope::Shared);
    let whose = Cell::from(if one_kernel { "both ends (same kernel)" } else { "" });
    let [mtu_there, mtu_back] =
        [check.path_mtu_send_bytes, check.path_mtu_receive_bytes].map(|mtu| optional_cell(mtu, bytes));
    let [loaded_there, loaded_back] = [check.loaded_latency_send_p50_ns, check.loaded_latency_receive_p50_ns]
        .map(|ns| optional_cell(ns, nanos));
    let rates = |bps: [Option<u64>; 2]| bps.map(|bps| optional_cell(bps, rate));
    let [tcp_there, tcp_back] = rates([check.tcp_send_bps, check.tcp_receive_bps]);
    let [both_there, both_back] = rates([check.tcp_both_send_bps, check.tcp_both_receive_bps]);
    let [share_there, share_back] = [check.percent_of_limit_send, check.percent_of_limit_receive]
        .map(|share| optional_cell(share, percent));
    let [busy_there, busy_back] = cpus.map(|cpu| optional_cell(cpu, |cpu| percent(cpu.busy_percent)));
    let [most_there, most_back] = cpus.map(|cpu| optional_cell(cpu, |cpu| percent(cpu.busiest_percent)));
    let idle = optional_cell(check.idle_latency_p50_ns, nanos);
    let half = optional_cell(check.half_size_bytes, |size| volume_f(size.round()));
    let loaded_p99 = p99([check.loaded_latency_send_p99_ns, check.loaded_latency_receive_p99_ns]);
    for (name, there, back, note) in [
        ("path MTU", mtu_there, mtu_back, none()),
        ("idle RTT, median", idle, none(), p99([check.idle_latency_p99_ns, None])),
        ("RTT under TCP load, median", loaded_there, loaded_back, loaded_p99),
        ("TCP goodput", tcp_there, tcp_back, none()),
        ("share of the limit", share_there, share_back, limit),
        ("TCP, both directions", both_there, both_back, none()),
        ("UDP rate without loss", optional_cell(check.udp_lossless_bps, rate), none(), udp),
        ("size for half of the rate", half, none(), linear),
        ("CPU busy, sending host", busy_there, busy_back, whose),
        ("busiest CPU, sending host", most_there, most_back, none()),
    ] {
        table.add_row([Cell::from(name), there, back, note]);
    }
    table
}

fn ways(check: &PathCheck) -> (String, String) {
    (format!("{} → {}", check.from, check.to), format!("{} → {}", check.to, check.from))
}

/// The label of the line, and the note instead of it.
fn limit_texts(check: &PathCheck, bps: u64) -> (Message, Message) {
    let rate = || rate(bps);
    match &check.limit_name {
        Some(medium) => (
            message!(part_limit_of { medium, rate: rate() }),
            message!(report_limit_lies_above { medium, rate: rate() }),
        ),
        None => (
            message!(part_view_limit_rate { rate: rate() }),
            message!(report_view_limit_lies_above { rate: rate() }),
        ),
    }
}

/// Bars for each direction: alone, both at once, and UDP.
fn rates_figure(check: &PathCheck) -> Figure {
    let (there, back) = ways(check);
    let names = [format!("TCP {there}"), format!("TCP {back}"), format!("UDP {there}")];
    let curve = |name: &str, rates: [Option<u64>; 3]| {
        let bars = rates.into_iter().zip(1u32..).filter_map(|(bps, at)| Some((f64::from(at), bps? as f64)));
        Curve::new(name, CurveStyle::Bars, bars.collect())
    };
    let curves: Vec<Curve> = [
        curve("one direction at a time", [check.tcp_send_bps, check.tcp_receive_bps, check.udp_lossless_bps]),
        curve("both directions at once", [check.tcp_both_send_bps, check.tcp_both_receive_bps, None]),
    ]
    .into_iter()
    .filter(|c| !c.points.is_empty())
    .collect();
    let best = curves.iter().flat_map(Curve::y_values).fold(0.0, f64::max);
    let limit = check.limit_bps.map(|bps| bps as f64).filter(|bps| *bps <= best * 4.0);
    let mut figure = Figure::new(
        "path-rates",
        message!(report_path_rates { way: format!("{} ↔ {}", check.from, check.to) }),
        &check.sentence,
        Axis::categorical_horizontal("", names.to_vec()),
        Axis::linear_from_zero("goodput", Quantity::Rate, [best].into_iter().chain(limit)),
        curves,
    );
    if let Some(bps) = check.limit_bps {
        let (label, beyond) = limit_texts(check, bps);
        figure.add_limit_line_or_note(bps as f64, label, || beyond);
    }
    figure
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::blocks_to_text;
    use goodput_model::check::{CheckStep, CheckedCpu, RequirementOutcome, UnmeasuredStep};

    fn sample() -> PathCheck {
        let cpu = CheckedCpu { scope: CpuAccountingScope::Host, busy_percent: 12.0, busiest_percent: 85.5 };
        PathCheck {
            from: "a".into(),
            to: "b".into(),
            path_mtu_send_bytes: Some(1500),
            path_mtu_receive_bytes: Some(1500),
            idle_latency_p50_ns: Some(210_000),
            idle_latency_p99_ns: Some(350_000),
            loaded_latency_send_p50_ns: Some(3_100_000),
            loaded_latency_receive_p50_ns: Some(2_900_000),
            loaded_latency_send_p99_ns: Some(5_200_000),
            loaded_latency_receive_p99_ns: Some(4_800_000),
            tcp_send_bps: Some(941_000_000),
            tcp_receive_bps: Some(940_000_000),
            tcp_both_send_bps: Some(930_000_000),
            tcp_both_receive_bps: Some(925_000_000),
            limit_bps: Some(941_482_444),
            limit_name: Some("ethernet 1 Gbit/s".into()),
            percent_of_limit_send: Some(99.9),
            percent_of_limit_receive: Some(99.8),
            udp_lossless_bps: Some(957_000_000),
            udp_confirmed: true,
            half_size_bytes: Some(12_345.6),
            saturation_size_bytes: Some(65_536),
            cpu_from: Some(cpu),
            cpu_to: Some(cpu),
            notes: (0..6).map(|n| Message::from(format!("setting {n}"))).collect(),
            sentence: "TCP from a to b 941.0 Mbit/s".into(),
            next: "to find out what limits it: goodput why HOST".into(),
            ..PathCheck::default()
        }
    }

    fn text(check: &PathCheck) -> String {
        let mut out = TextBlockList::default();
        append_check_text(&mut out, check);
        blocks_to_text(&out.0, Some(100))
    }

    #[test]
    fn it_fits_one_screen_whatever_there_is_to_look_at() {
        let mut check = sample();
        let cause = Message::from("no route to host");
        check.not_measured = vec![UnmeasuredStep { step: CheckStep::LosslessRate, cause }];
        check.requirements = vec![RequirementOutcome {
            requirement: "tcp_send_bps >= 10 Gbit/s".into(),
            metric: "tcp_send_bps".into(),
            required: 1e10,
            measured: Some(9.41e8),
            met: false,
            sentence: "requirement not met".into(),
        }];
        let shown = text(&check);
        let lines: Vec<&str> = shown.lines().collect();
        // Two lines remain for a long sentence.
        assert!(lines.len() <= 22 && lines.iter().all(|l| l.chars().count() <= 100), "{shown}");
        let last = &lines[lines.len() - 4..];
        let expected = [
            "error: requirement not met",
            "warning: not measured: UDP rate without loss: no route to host",
            "note: setting 0",
            "note: and 5 more: goodput report",
        ];
        assert_eq!(last, expected, "{shown}");
        assert!(shown.contains("p99 5.200 ms, p99 4.800 ms") && shown.contains("85.5 %"), "{shown}");
    }

    #[test]
    fn what_was_not_measured_has_a_dash_and_no_bar() {
        let check = PathCheck { from: "a".into(), to: "b".into(), ..PathCheck::default() };
        let table = figures_table(&check);
        assert_eq!((table.rows.len(), table.rows[3][1].to_string().as_str()), (10, "–"));
        assert!(rates_figure(&check).is_empty());
        let figure = rates_figure(&sample());
        let bars: Vec<usize> = figure.curves.iter().map(|c| c.points.len()).collect();
        assert_eq!((bars, figure.limits.len()), (vec![3, 2], 1));
        assert_eq!(figure.limits[0].label, "limit of ethernet 1 Gbit/s: 941.5 Mbit/s");
    }
}
