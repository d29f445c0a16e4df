//! A document as CSV: one table for sizes, one for intervals, one for latency, one for the account of datagrams, one
//! for the trials themselves.
//! Every header names its unit; values are plain numbers in base units, empty where there is none.
//!
//! RFC 4180 with line feeds. A text cell that a spreadsheet would take for a formula gets an apostrophe before it.

mod file;
mod load;

use crate::headline::end_name;
use crate::headline::load::connects;
use goodput_model::mtu::{IpVersion, MtuOutcome};
use goodput_model::probe::Direction;
use goodput_model::summary::{Document, Summary};
use goodput_model::trial::Role;
use goodput_model::{Outcome, Probe};

/// One table of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CsvTable {
    /// For the file's name: `trials`, `points`, `intervals`, `latency`, `probes`, `datagrams`, `path_mtu`, `load`,
    /// `load_clients`, `load_curves`, `file_classes`, `file_groups`, `file`.
    pub name: &'static str,
    /// The text, header first.
    pub text: String,
}

/// Every table that has rows, `trials` first.
pub fn tables(document: &Document) -> Vec<CsvTable> {
    let summaries = crate::summaries(document);
    let all = [
        ("trials", trials(&summaries)),
        ("points", points(&summaries)),
        ("intervals", intervals(&summaries)),
        ("latency", latency(&summaries)),
        ("probes", probes(&summaries)),
        ("datagrams", datagrams(&summaries)),
        ("path_mtu", path_mtu(&summaries)),
        ("load", load::points(&summaries)),
        ("load_clients", load::clients(&summaries)),
        ("load_curves", load::curves(document.load_curves.as_ref())),
        ("file_classes", file::classes(&summaries)),
        ("file_groups", file::groups(document.file_run.as_ref())),
        ("file", file::trials(&summaries)),
    ];
    all.into_iter()
        .filter(|(_, text)| text.lines().count() > 1)
        .map(|(name, text)| CsvTable { name, text })
        .collect()
}

/// One row a trial: its main figures.
pub fn trials(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "probe",
        "outcome",
        "connects",
        "listens",
        "elapsed_ns",
        "bytes",
        "goodput_bps",
        "transactions_per_second",
        "limit_bps",
        "percent_of_limit",
        "pe_index",
        "us_per_kib",
        "us_per_transaction",
        "connects_cpu_busy_percent",
        "listens_cpu_busy_percent",
        "cpu_scope",
        "us_per_datagram",
    ]);
    for s in summaries {
        // Of many clients none speaks for the others.
        let one = |role| role == Role::Listen || !matches!(s.probe, Probe::Load(_));
        let cpu = |role| s.hosts.iter().find(|h| h.role == role && one(role)).and_then(|h| h.cpu.as_ref());
        let scope = cpu(Role::Connect).or(cpu(Role::Listen)).map(|c| format!("{:?}", c.scope).to_lowercase());
        let outcome = match s.outcome {
            Outcome::Complete => "complete",
            Outcome::Partial { .. } => "partial",
            Outcome::Failed { .. } => "failed",
        };
        out.row(&[
            s.trial.to_string(),
            s.probe.name().into(),
            outcome.into(),
            connects(s),
            end_name(s, Role::Listen),
            s.elapsed_ns.to_string(),
            cell(s.bytes),
            cell(s.goodput_bps),
            number(s.transactions_per_second()),
            cell(s.limit.goodput_bps),
            number(s.percent_of_limit),
            number(s.pe_index),
            number(s.service_demand.and_then(|d| d.us_per_kib)),
            number(s.service_demand.and_then(|d| d.us_per_transaction)),
            number(cpu(Role::Connect).map(|c| c.busy_percent)),
            number(cpu(Role::Listen).map(|c| c.busy_percent)),
            scope.unwrap_or_default(),
            number(s.service_demand.and_then(|d| d.us_per_datagram)),
        ]);
    }
    out.text
}

/// One row a message size.
pub fn points(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "size_bytes",
        "repeats",
        "batches",
        "time_ns",
        "interval_low_ns",
        "interval_high_ns",
        "goodput_bps",
        "half_rtt_min_ns",
        "half_rtt_p50_ns",
        "half_rtt_p99_ns",
        "cap_reached",
    ]);
    for s in summaries {
        for p in s.points() {
            out.row(&[
                s.trial.to_string(),
                p.size_bytes.to_string(),
                p.repeats.to_string(),
                p.batches.to_string(),
                number(Some(p.time_ns)),
                number(p.interval_ns.map(|i| i.0)),
                number(p.interval_ns.map(|i| i.1)),
                p.goodput_bps.to_string(),
                cell(p.half_rtt_ns.map(|h| h.min)),
                cell(p.half_rtt_ns.map(|h| h.p50)),
                cell(p.half_rtt_ns.and_then(|h| h.p99)),
                p.cap_reached.to_string(),
            ]);
        }
    }
    out.text
}

/// One row an interval of each direction.
pub fn intervals(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&["trial", "direction", "start_ns", "end_ns", "bytes"]);
    for s in summaries {
        for d in s.directions() {
            let direction = direction_name(d.direction);
            let mut start = 0;
            for (end, bytes) in &d.intervals {
                let cells = [
                    s.trial.to_string(),
                    direction.into(),
                    start.to_string(),
                    end.to_string(),
                    bytes.to_string(),
                ];
                out.row(&cells);
                start = *end;
            }
        }
        load::intervals(&mut out, s);
        file::intervals(&mut out, s);
    }
    out.text
}

/// One row a statistic of each latency: `min`, `mean`, `max` and percentiles.
pub fn latency(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&["trial", "statistic", "latency_ns", "transactions"]);
    for s in summaries {
        let Some(l) = s.latency() else { continue };
        let rows = [
            ("min", l.min),
            ("mean", l.mean),
            ("p50", l.p50),
            ("p90", l.p90),
            ("p99", l.p99),
            ("p999", l.p999),
            ("p9999", l.p9999),
            ("max", l.max),
        ];
        for (name, value) in rows {
            out.row(&[s.trial.to_string(), name.into(), value.to_string(), l.count.to_string()]);
        }
    }
    out.text
}

/// One row a latency trial: what became of its probes.
pub fn probes(summaries: &[&Summary]) -> String {
    let mut out =
        Writer::new(&["trial", "load", "sent", "answered", "lost", "round_trip_p50_ns", "goodput_bps"]);
    for s in summaries {
        let (Some(p), Probe::Latency(settings)) = (s.probes(), &s.probe) else { continue };
        out.row(&[
            s.trial.to_string(),
            crate::headline::latency::load(settings).into(),
            p.sent.to_string(),
            p.answered.to_string(),
            p.lost.to_string(),
            cell(p.round_trip_ns.map(|r| r.p50)),
            cell(s.goodput_bps),
        ]);
    }
    out.text
}

/// One row a direction of datagrams: its account, each place with both bounds, and its rates.
pub fn datagrams(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "direction",
        "size_bytes",
        "offered",
        "refused",
        "sent",
        "received",
        "difference",
        "lost_path_least",
        "lost_path_most",
        "lost_receiver_socket_least",
        "lost_receiver_socket_most",
        "lost_receiver_host_least",
        "lost_receiver_host_most",
        "duplicates",
        "reordered",
        "unresolved",
        "asked_per_second",
        "offered_per_second",
        "sent_per_second",
        "received_per_second",
        "jitter_ns",
        "delay_variation_p50_ns",
        "delay_variation_p99_ns",
        "datagrams_per_send",
        "datagrams_per_receive",
    ]);
    for s in summaries {
        for direction in s.directions() {
            let Some(d) = direction.datagrams.as_deref() else { continue };
            let t = &d.totals;
            let bounds = t.lost.bounds;
            let mut cells = vec![
                s.trial.to_string(),
                direction_name(direction.direction).into(),
                d.size_bytes.to_string(),
                cell(t.offered),
                cell(t.refused),
                cell(t.sent),
                cell(t.received),
                t.difference.map_or_else(String::new, |n| n.to_string()),
            ];
            let places = [
                bounds.map(|b| b.path),
                bounds.and_then(|b| b.receiver_socket),
                bounds.and_then(|b| b.receiver_host),
            ];
            cells.extend(places.iter().flat_map(|b| [cell(b.map(|b| b.least)), cell(b.map(|b| b.most))]));
            cells.extend([cell(t.duplicates), cell(t.reordered), t.unresolved.to_string()]);
            cells.extend(
                [
                    d.asked_per_second,
                    d.offered_per_second,
                    d.sent_per_second,
                    d.received_per_second,
                    d.jitter_ns,
                ]
                .map(number),
            );
            cells.extend([
                cell(d.delay_variation_ns.map(|v| v.p50)),
                cell(d.delay_variation_ns.map(|v| v.p99)),
                number(d.datagrams_per_send),
                number(d.datagrams_per_receive),
            ]);
            out.row(&cells);
        }
    }
    out.text
}

fn direction_name(direction: Direction) -> &'static str {
    match direction {
        Direction::Send => "send",
        Direction::Receive => "receive",
        Direction::Both => "both",
    }
}

fn cell(value: Option<u64>) -> String {
    value.map_or_else(String::new, |v| v.to_string())
}

pub(crate) fn number(value: Option<f64>) -> String {
    value.filter(|v| v.is_finite()).map_or_else(String::new, |v| v.to_string())
}

/// Lines of CSV.
pub(crate) struct Writer {
    /// What is written so far.
    pub text: String,
}

/// One row a direction: the largest packet that passes and why nothing larger does.
pub fn path_mtu(summaries: &[&Summary]) -> String {
    let mut out = Writer::new(&[
        "trial",
        "direction",
        "ip_version",
        "passes_bytes",
        "fails_bytes",
        "outcome",
        "told_by",
        "interface",
        "interface_mtu_bytes",
        "tcp_mss_bytes",
        "took_ns",
    ]);
    for s in summaries {
        for d in s.path_mtu().iter().flat_map(|p| &p.directions) {
            let found = &d.found;
            let (outcome, by) = match &found.outcome {
                MtuOutcome::Told { by, .. } => ("told", by.clone()),
                MtuOutcome::BlackHole => ("black_hole", String::new()),
                MtuOutcome::OwnInterface { .. } => ("own_interface", String::new()),
                MtuOutcome::NothingLarger => ("nothing_larger", String::new()),
                MtuOutcome::Undecided { .. } => ("undecided", String::new()),
            };
            out.row(&[
                s.trial.to_string(),
                direction_name(d.direction).into(),
                if found.ip_version == IpVersion::V4 { "4".into() } else { "6".into() },
                cell(found.passes.map(u64::from)),
                cell(found.fails.map(u64::from)),
                outcome.into(),
                by,
                found.interface.name.clone().unwrap_or_default(),
                cell(found.interface.mtu.map(u64::from)),
                cell(found.tcp.map(|t| t.send_mss.into())),
                found.took.0.to_string(),
            ]);
        }
    }
    out.text
}

impl Writer {
    fn new(header: &[&str]) -> Writer {
        Writer { text: header.join(",") + "\n" }
    }

    /// With a header whose names others chose.
    pub(crate) fn with(header: &[String]) -> Writer {
        let mut writer = Writer { text: String::new() };
        writer.row(header);
        writer
    }

    /// Adds a line.
    pub(crate) fn row(&mut self, cells: &[String]) {
        let line: Vec<String> = cells.iter().map(|c| quoted(c)).collect();
        self.text.push_str(&line.join(","));
        self.text.push('\n');
    }
}

/// A cell with quotes where it needs them; a number stays as it is, also a negative one.
fn quoted(text: &str) -> String {
    let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']) && text.parse::<f64>().is_err();
    let text = if formula { format!("'{text}") } else { text.to_string() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn cells_are_quoted_and_formulas_defused() {
        assert_eq!(quoted("a,b"), "\"a,b\"");
        assert_eq!(quoted("say \"x\""), "\"say \"\"x\"\"\"");
        assert_eq!(quoted("=1+1"), "'=1+1");
        assert_eq!(quoted("-0.3"), "-0.3");
    }

    #[test]
    fn every_row_is_as_long_as_its_header_and_bytes_add_up() {
        let document = documents::demo();
        for table in tables(&document) {
            let columns = table.text.lines().next().unwrap().split(',').count();
            for line in table.text.lines() {
                assert_eq!(line.split(',').count(), columns, "{} {line}", table.name);
            }
        }
        let stream = &document.trials[1];
        let sum: u64 = intervals(&[stream])
            .lines()
            .skip(1)
            .map(|l| l.rsplit(',').next().unwrap().parse::<u64>().unwrap())
            .sum();
        assert_eq!(Some(sum), stream.bytes);
    }
}
