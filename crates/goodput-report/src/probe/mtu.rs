//! The report of a path MTU: the largest packet of each direction, and why none larger passes.

use super::{ProbeReport, setting_row};
use crate::csv::table::{self as csv, CsvTable};
use crate::display_text::{DisplayText, comma_list};
use crate::table::Align::{Left, Right};
use crate::table::cell::{bytes, count, nanos, optional_cell, time_setting};
use crate::table::{Cell, ColumnDefinitions, Table};
use crate::wording::{format_direction, format_endpoints};
use goodput_model::mtu::{IpVersion, MtuOutcome, PathMtuReport};
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{PathMtu, PathMtuDirection, ResultDocument, TrialSummary};
use goodput_model::{Message, Mtu};
use goodput_words::message;

impl ProbeReport for Mtu {
    fn title(&self) -> &'static str {
        "Path MTU (mtu)"
    }

    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        if self.icmp { format_direction(summary, TransferDirection::Send) } else { format_endpoints(summary) }
    }

    fn has_goodput_limit(&self) -> bool {
        false
    }

    // The CPU cost of a search does not matter.
    fn cpu_usage(&self, _summary: &TrialSummary) -> Option<Message> {
        None
    }

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let path = summary.path_mtu()?;
        let same = path.forward.is_some() && path.forward == path.reverse;
        let passes = |d: &PathMtuDirection| optional_cell(d.found.passes, bytes);
        match path.directions.as_slice() {
            [] => None,
            [a, b] if same && a.found.outcome == b.found.outcome => {
                let (size, why) = (optional_cell(path.forward, bytes), reason(&a.found.outcome));
                Some(message!(part_packets_pass_both_ways { size, why }))
            }
            [only] if only.found.echo.is_some() => {
                let why = reason(&only.found.outcome);
                Some(message!(part_largest_packet_by_echo { size: passes(only), why }))
            }
            each => {
                let packets = comma_list(each.iter().map(|d| {
                    let way = format_direction(summary, d.direction);
                    let what = message!(part_way_figure { way, figure: passes(d) });
                    message!(part_with_parts { what, parts: reason(&d.found.outcome) })
                }));
                Some(message!(part_mtu_largest_packets { packets }))
            }
        }
    }

    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        summary.path_mtu().map(in_short)
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let size = |size: Option<u32>, otherwise: &str| size.map_or(otherwise.into(), bytes);
        let packets = if self.icmp {
            "ICMP echo with don't-fragment set, forward path only"
        } else {
            "UDP with don't-fragment set, both directions at once"
        };
        vec![
            setting_row("packets", packets),
            setting_row("expected path MTU", size(self.expect, "not specified")),
            setting_row(
                "largest size tested",
                size(self.largest, "one byte above the MTU of the sender's interface"),
            ),
            setting_row("tries per packet size", count(self.tries.into())),
            setting_row(
                "reply timeout",
                message!(report_four_round_trips { time: time_setting(self.timer) }),
            ),
            setting_row("search time limit", time_setting(self.time)),
        ]
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        if summary.path_mtu().is_none() {
            return Vec::new();
        }
        vec![mtu_table(summary), sums_table(summary)]
    }

    fn csv_tables(_document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
        let rows = summaries.iter().flat_map(|s| directions(s).iter().map(move |d| (*s, d)));
        let columns: csv::CsvColumnDefinitions<'_, (&TrialSummary, &PathMtuDirection)> = &[
            ("trial", |(s, _)| s.trial.0.into()),
            ("direction", |(_, d)| d.direction.name().into()),
            ("ip_version", |(_, d)| if d.found.ip_version == IpVersion::V4 { "4" } else { "6" }.into()),
            ("passes_bytes", |(_, d)| d.found.passes.into()),
            ("fails_bytes", |(_, d)| d.found.fails.into()),
            ("outcome", |(_, d)| outcome(&d.found.outcome).into()),
            ("told_by", |(_, d)| match &d.found.outcome {
                MtuOutcome::Told { by, .. } => by.into(),
                _ => "".into(),
            }),
            ("interface", |(_, d)| d.found.interface.name.as_ref().into()),
            ("interface_mtu_bytes", |(_, d)| d.found.interface.mtu.into()),
            ("tcp_mss_bytes", |(_, d)| d.found.tcp.map(|t| t.send_mss).into()),
            ("took_ns", |(_, d)| d.found.took.0.into()),
        ];
        csv::build_table("path_mtu", columns, rows).into_iter().collect()
    }
}

/// `1,400 B`, or `1,300 B there, 1,400 B back`.
fn in_short(path: &PathMtu) -> Message {
    let forward = optional_cell(path.forward, bytes);
    if path.reverse_not_available.is_none() && path.forward == path.reverse {
        return comma_list([forward]);
    }
    let there = message!(part_mtu_there { size: forward });
    if path.reverse_not_available.is_some() {
        return there;
    }
    comma_list([there, message!(part_mtu_back { size: optional_cell(path.reverse, bytes) })])
}

fn mtu_table(summary: &TrialSummary) -> Table {
    let columns: ColumnDefinitions<'_, &PathMtuDirection> = &[
        ("direction", Left, &|d| format_direction(summary, d.direction).into()),
        ("largest size that passes", Right, &|d| optional_cell(d.found.passes, bytes)),
        ("smallest size that fails", Right, &|d| optional_cell(d.found.fails, bytes)),
        ("reason for the limit", Left, &|d| reason(&d.found.outcome).into()),
        ("sender's interface", Left, &|d| interface(&d.found)),
        ("TCP MSS", Right, &|d| optional_cell(d.found.tcp, |t| bytes(t.send_mss))),
    ];
    let mut table = Table::from_items("Path MTU (size of the whole IP packet)", directions(summary), columns);
    let back = summary.path_mtu().and_then(|p| p.reverse_not_available.as_ref());
    table.notes.extend(back.map(|why| {
        let way = format_direction(summary, TransferDirection::Receive);
        DisplayText::from(message!(report_way_result { way, result: Message::from(why) }))
    }));
    // Without an agent there is no TCP connection.
    if back.is_some() { table.without_empty_columns() } else { table }
}

fn sums_table(summary: &TrialSummary) -> Table {
    let echo = directions(summary).iter().any(|d| d.found.echo.is_some());
    let payload = if echo { "maximum ICMP echo payload" } else { "maximum UDP payload" };
    let passing = directions(summary).iter().filter_map(|d| Some((d, d.found.passes?)));
    let columns: ColumnDefinitions<'_, (&PathMtuDirection, u32)> = &[
        ("direction", Left, &|(d, _)| format_direction(summary, d.direction).into()),
        (payload, Left, &|(d, passes)| udp_sum(&d.found, *passes).into()),
        ("maximum TCP segment", Left, &|(d, passes)| tcp_sum(&d.found, *passes).into()),
    ];
    let mut table = Table::from_items("Maximum payload (packet size minus headers)", passing, columns);
    let packets = |d: &PathMtuDirection| {
        DisplayText::from(message!(report_packets_answered_settled {
            way: format_direction(summary, d.direction),
            packets: d.found.sent,
            answered: d.found.answered,
            time: nanos(d.found.took.0)
        }))
    };
    table.notes.extend(directions(summary).iter().map(packets));
    table
}

fn directions(summary: &TrialSummary) -> &[PathMtuDirection] {
    summary.path_mtu().map_or(&[], |p| &p.directions)
}

/// `7,150 − 28 = 7,122 B passes, 7,123 B is too large`.
fn udp_sum(found: &PathMtuReport, passes: u32) -> Message {
    let headers = found.ip_version.udp_header_bytes();
    let sum = payload_sum(passes, headers);
    match found.fails.map(|f| f.saturating_sub(headers)) {
        Some(fails) => message!(report_sum_passes_does_not { sum, fails }),
        None => message!(report_mtu_sum_passes { sum }),
    }
}

/// `1,500 − 40 = 1,460`, and 12 less with timestamps.
fn tcp_sum(found: &PathMtuReport, passes: u32) -> Message {
    payload_sum(passes, found.ip_version.tcp_header_bytes())
}

fn payload_sum(packet: u32, headers: u32) -> Message {
    message!(part_mtu_sum { packet, headers, payload: packet.saturating_sub(headers) })
}

fn interface(found: &PathMtuReport) -> Cell {
    match (&found.interface.name, found.interface.mtu) {
        (Some(way), Some(mtu)) => message!(part_way_figure { way, figure: bytes(mtu) }).into(),
        (Some(name), None) => name.into(),
        (None, Some(mtu)) => bytes(mtu),
        (None, None) => Cell::Missing,
    }
}

fn reason(outcome: &MtuOutcome) -> Message {
    match outcome {
        MtuOutcome::Told { by, next_hop_mtu: 0 } => message!(part_told_too_big_without_size { by }),
        MtuOutcome::Told { by, next_hop_mtu } => {
            message!(part_told_too_big { by, size: bytes(*next_hop_mtu) })
        }
        MtuOutcome::BlackHole => message!(part_black_hole_silence),
        MtuOutcome::OwnInterface { mtu } => message!(part_own_interface { size: bytes(*mtu) }),
        MtuOutcome::NothingLarger => message!(part_nothing_larger_tried),
        MtuOutcome::Undecided { why } => message!(part_not_settled { why: Message::from(why) }),
    }
}

fn outcome(outcome: &MtuOutcome) -> &'static str {
    match outcome {
        MtuOutcome::Told { .. } => "told",
        MtuOutcome::BlackHole => "black_hole",
        MtuOutcome::OwnInterface { .. } => "own_interface",
        MtuOutcome::NothingLarger => "nothing_larger",
        MtuOutcome::Undecided { .. } => "undecided",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use crate::probe::headline::{headline, short_headline};

    #[test]
    fn by_echo_only_the_way_there_is_known() {
        let echo = documents::mtu_echo();
        let table = mtu_table(&echo);
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.rows[0][0], "a → printer");
        assert_eq!(table.notes, ["printer → a: not available without an agent on printer."]);
        let sums = sums_table(&echo);
        assert_eq!(sums.columns[1].0, "maximum ICMP echo payload");
        assert_eq!(sums.rows[0][1], "1,400 − 28 = 1,372 B passes, 1,373 B is too large");
        assert_eq!(short_headline(&documents::mtu_narrow()), "1,400 B");
        assert_eq!(short_headline(&echo), "1,400 B there");
        let text = "a → printer: largest packet 1,400 B (10.53.0.2 reported \"packet too big\" with an MTU of 1,400 B), measured with ICMP echo.";
        assert_eq!(headline(&echo), text);
    }
}
