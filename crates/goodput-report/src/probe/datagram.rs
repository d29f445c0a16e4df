//! The report of datagrams: a trial with its losses, and the search for the highest rate without loss.

mod tables;

pub(crate) use tables::rate_search_table;

use super::over_time::goodput_over_time_figure;
use super::{ProbeReport, format_transfer, goodput_by_direction, sending_end, setting_row, stop, wait};
use crate::csv::table::{self as csv, CsvTable};
use crate::figure::Figure;
use crate::table::cell::{
    count, nanos, optional_cell, per_second, plain, rate, rate_setting, size, size_setting, small_percent,
    time_setting,
};
use crate::table::{Cell, Table};
use crate::wording::{format_direction, format_share_of_goodput_limit};
use goodput_model::datagram::{DatagramRate, DatagramSyscalls, SegmentationOffload};
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{
    DatagramSummary, DatagramTotals, DirectionSummary, LostDatagramBounds, RateSearchOutcome,
    RateSearchSummary, ResultDocument, TrialSummary,
};
use goodput_model::{Datagram, Probe, Trial};
use tables::{count_bounds_cell, count_with_percentage};

impl ProbeReport for Datagram {
    fn title(&self) -> &'static str {
        "UDP datagrams (datagram)"
    }

    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        format_direction(summary, self.direction)
    }

    fn format_result(&self, summary: &TrialSummary) -> Option<String> {
        let mut text = format_transfer(summary)?;
        let each: Vec<f64> = summary
            .direction_summaries()
            .iter()
            .filter_map(|d| d.datagrams.as_deref()?.received_per_second)
            .collect();
        if !each.is_empty() {
            let all = plain(each.iter().sum());
            text.push_str(&format!(", {all} datagrams per second of {}", size(self.size.0)));
        }
        if self.direction == TransferDirection::Both {
            text.push_str(&format!(" ({})", goodput_by_direction(summary)));
        }
        if let Some(offload) = offload(summary, self) {
            text.push_str(&format!(", {offload}"));
        }
        text.push_str(&format_share_of_goodput_limit(summary));
        if let Some(totals) = summary.datagram_totals() {
            text.push_str(&format!("; {}", losses(totals)));
        }
        Some(text)
    }

    /// `94.13 Mbit/s, 8,127/s, 0.012 % lost`, for a list.
    fn format_short_result(&self, summary: &TrialSummary) -> Option<String> {
        let goodput = summary.goodput_bps?;
        let each: f64 = summary
            .direction_summaries()
            .iter()
            .filter_map(|d| d.datagrams.as_deref()?.received_per_second)
            .sum();
        let lost = summary.datagram_totals().and_then(|t| {
            let (lost, sent) = (t.lost.total?, t.sent.filter(|s| *s > 0)?);
            Some(if lost == 0 {
                ", none lost".to_string()
            } else {
                format!(", {} lost", small_percent(lost as f64 * 100.0 / sent as f64))
            })
        });
        Some(format!("{}, {}{}", rate(goodput), per_second(each), lost.unwrap_or_default()))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let direction = sending_end(self.direction, "both directions at once, on separate sockets");
        let rate = match self.rate {
            None => "as fast as the kernel accepts".to_string(),
            Some(DatagramRate::Datagrams(n)) => format!("{} in each direction", per_second(n)),
            Some(DatagramRate::Bits(bits)) => format!("{} of payload in each direction", rate_setting(bits)),
        };
        let offload = match self.offload {
            SegmentationOffload::Auto => "UDP_SEGMENT and UDP_GRO where the kernel supports them",
            SegmentationOffload::Plain => "one datagram per system call",
            SegmentationOffload::Mmsg => "several datagrams per call (sendmmsg, recvmmsg)",
        };
        let mut rows = vec![
            setting_row("direction", direction),
            setting_row("flows each way", count(self.flows.into())),
            setting_row("payload per datagram", size_setting(self.size)),
            setting_row("rate", rate),
            setting_row("datagrams per system call", offload),
            setting_row("wait method", wait(self.wait)),
            setting_row("measurement end", stop(self.stop)),
            setting_row("warm-up (not counted)", time_setting(self.warm_up)),
            setting_row("sampling interval", time_setting(self.interval)),
        ];
        if self.rate.is_some() {
            rows.insert(4, setting_row("datagrams per burst", count(self.burst.into())));
        }
        if let Some(s) = &self.search {
            let ceiling = match s.ceiling {
                None => String::new(),
                Some(DatagramRate::Datagrams(n)) => format!(", up to {}", per_second(n)),
                Some(DatagramRate::Bits(bits)) => format!(", up to {}", rate_setting(bits)),
            };
            let text = format!("highest rate with at most {} % lost{ceiling}", s.loss_percent);
            rows.push(setting_row("search goal", text));
        }
        rows
    }

    fn result_tables(&self, summary: &TrialSummary) -> Vec<Table> {
        if summary.direction_summaries().is_empty() {
            return Vec::new();
        }
        vec![tables::datagram_counts_table(summary), tables::datagram_rate_table(summary)]
    }

    fn figures(&self, summary: &TrialSummary, _trial: Option<&Trial>) -> Vec<Figure> {
        vec![goodput_over_time_figure(
            summary,
            self.direction.one_way_directions().len(),
            Some(self.interval),
        )]
    }

    fn csv_tables(_document: &ResultDocument, summaries: &[&TrialSummary]) -> Vec<CsvTable> {
        type Row<'a> = (&'a TrialSummary, &'a DirectionSummary, &'a DatagramSummary);
        let rows = summaries.iter().flat_map(|s| {
            s.direction_summaries().iter().filter_map(move |way| Some((*s, way, way.datagrams.as_deref()?)))
        });
        fn bounds(d: &DatagramSummary) -> Option<LostDatagramBounds> {
            d.totals.lost.bounds
        }
        let columns: csv::CsvColumnDefinitions<'_, Row<'_>> = &[
            ("trial", |(s, ..)| s.trial.0.into()),
            ("direction", |(_, way, _)| way.direction.name().into()),
            ("size_bytes", |(.., d)| d.size_bytes.into()),
            ("offered", |(.., d)| d.totals.offered.into()),
            ("refused", |(.., d)| d.totals.refused.into()),
            ("sent", |(.., d)| d.totals.sent.into()),
            ("received", |(.., d)| d.totals.received.into()),
            ("difference", |(.., d)| d.totals.difference.into()),
            ("lost_path_least", |(.., d)| bounds(d).map(|b| b.path.least).into()),
            ("lost_path_most", |(.., d)| bounds(d).map(|b| b.path.most).into()),
            ("lost_receiver_socket_least", |(.., d)| {
                bounds(d).and_then(|b| Some(b.receiver_socket?.least)).into()
            }),
            ("lost_receiver_socket_most", |(.., d)| {
                bounds(d).and_then(|b| Some(b.receiver_socket?.most)).into()
            }),
            ("lost_receiver_host_least", |(.., d)| {
                bounds(d).and_then(|b| Some(b.receiver_host?.least)).into()
            }),
            ("lost_receiver_host_most", |(.., d)| bounds(d).and_then(|b| Some(b.receiver_host?.most)).into()),
            ("duplicates", |(.., d)| d.totals.duplicates.into()),
            ("reordered", |(.., d)| d.totals.reordered.into()),
            ("unresolved", |(.., d)| d.totals.unresolved.into()),
            ("asked_per_second", |(.., d)| d.asked_per_second.into()),
            ("offered_per_second", |(.., d)| d.offered_per_second.into()),
            ("sent_per_second", |(.., d)| d.sent_per_second.into()),
            ("received_per_second", |(.., d)| d.received_per_second.into()),
            ("jitter_ns", |(.., d)| d.jitter_ns.into()),
            ("delay_variation_p50_ns", |(.., d)| d.delay_variation_ns.map(|v| v.p50).into()),
            ("delay_variation_p99_ns", |(.., d)| d.delay_variation_ns.map(|v| v.p99).into()),
            ("datagrams_per_send", |(.., d)| d.datagrams_per_send.into()),
            ("datagrams_per_receive", |(.., d)| d.datagrams_per_receive.into()),
        ];
        csv::build_table("datagrams", columns, rows).into_iter().collect()
    }
}

/// `none of 701,234 lost`, or how many of how many were lost, and where.
fn losses(t: &DatagramTotals) -> String {
    let sent = optional_cell(t.sent, count);
    let mut text = match (t.lost.total, t.lost.bounds, t.difference) {
        (Some(0), ..) => format!("none of {sent} lost"),
        (Some(total), ..) => format!("{} of {sent} lost{}", count_with_percentage(total, t.sent), places(t)),
        (None, Some(b), _) => format!("{} of {sent} lost{}", count_bounds_cell(b.total), places(t)),
        (None, None, Some(difference)) if difference >= 0 => {
            format!("{} of {sent} sent but not received", count(difference.unsigned_abs()))
        }
        (None, None, Some(difference)) => {
            format!("{} more received than the {sent} sent", count(difference.unsigned_abs()))
        }
        (None, None, None) => "number of lost datagrams unknown".to_string(),
    };
    let others = [
        (t.refused, "refused by the sender's kernel"),
        (t.duplicates, "duplicates"),
        (t.reordered, "received out of order"),
    ];
    let others: Vec<String> = others
        .into_iter()
        .filter_map(|(n, words)| n.filter(|n| *n > 0).map(|n| format!("{} {words}", count(n))))
        .collect();
    if !others.is_empty() {
        text.push_str(&format!("; {}", others.join(", ")));
    }
    text
}

/// `: 10,000 on the path, 2,500 at the receiver's socket`.
fn places(t: &DatagramTotals) -> String {
    let Some(b) = t.lost.bounds else { return String::new() };
    let path = match t.lost.path_includes.as_slice() {
        [] => "on the path",
        [one] if one == "receiver_host" => "on the path or in the receiving host",
        _ => "on the path or at the receiver",
    };
    let all = [
        (Some(b.path), path),
        (b.receiver_socket, "at the receiver's socket"),
        (b.receiver_host, "in the receiving host"),
    ];
    let known: Vec<String> = all
        .into_iter()
        .filter_map(|(b, words)| {
            b.filter(|b| b.most > 0).map(|b| format!("{} {words}", count_bounds_cell(b)))
        })
        .collect();
    if known.is_empty() { String::new() } else { format!(": {}", known.join(", ")) }
}

fn offload(summary: &TrialSummary, settings: &Datagram) -> Option<String> {
    let first = summary.direction_summaries().iter().find_map(|d| d.datagrams.as_deref())?;
    let used = [("sent", first.sent_by), ("received", first.received_by)];
    let words: Vec<String> = used
        .into_iter()
        .filter_map(|(verb, by)| Some((verb, by.filter(|by| *by != DatagramSyscalls::Plain)?)))
        .map(|(verb, by)| format!("{verb} with {}", calls(by, verb == "sent")))
        .collect();
    if words.is_empty() {
        return (settings.offload == SegmentationOffload::Plain)
            .then(|| "one system call per datagram".to_string());
    }
    Some(words.join(" and "))
}

fn calls(by: DatagramSyscalls, sends: bool) -> &'static str {
    match (by, sends) {
        (DatagramSyscalls::Plain, _) => "one call per datagram",
        (DatagramSyscalls::Mmsg, true) => "sendmmsg",
        (DatagramSyscalls::Mmsg, false) => "recvmmsg",
        (DatagramSyscalls::Gso, _) => "UDP_SEGMENT",
        (DatagramSyscalls::Gro, _) => "UDP_GRO",
    }
}

pub fn format_rate_search_step(summary: &TrialSummary) -> Option<String> {
    let each = |d: &goodput_model::summary::DirectionSummary| {
        let own = d.datagrams.as_deref()?;
        let lost = own.totals.lost.bounds?.total;
        let lost = if lost.most == 0 {
            "nothing lost".to_string()
        } else if lost.least == lost.most {
            format!("{} lost", count_with_percentage(lost.most, own.totals.sent))
        } else {
            format!("{} lost", count_bounds_cell(lost))
        };
        Some(format!(
            "{} sent, {} delivered, {lost}",
            optional_cell(own.sent_bps, rate),
            optional_cell(d.goodput_bps, rate)
        ))
    };
    let all: Option<Vec<String>> = summary.direction_summaries().iter().map(each).collect();
    all.filter(|all| !all.is_empty()).map(|all| all.join("; "))
}

pub fn format_rate_search_result(found: &RateSearchSummary, last: Option<&TrialSummary>) -> String {
    let at = match (found.rate_bps, found.datagrams_per_second) {
        (Some(bps), Some(each)) => {
            format!("{} of user data, {} datagrams per second", rate(bps), plain(each))
        }
        _ => String::new(),
    };
    let size = last.and_then(|s| match &s.probe {
        Probe::Datagram(d) => Some(format!(" of {}", size(d.size.0))),
        _ => None,
    });
    let at = format!("{at}{}", size.unwrap_or_default());
    let allowed = if found.allowed_loss_percent > 0.0 {
        format!("with at most {} lost", small_percent(found.allowed_loss_percent))
    } else {
        "without loss".to_string()
    };
    let over = last.map_or(String::new(), |s| format!(" over {}", nanos(s.elapsed_ns)));
    let lost = optional_cell(found.loss_percent, small_percent);
    match found.outcome {
        RateSearchOutcome::Lossless => {
            let bound = match found.failed_at_bps {
                Some(bps) => format!("; {} was too high", rate(bps)),
                None => "; no higher rate was requested".to_string(),
            };
            format!("Highest rate {allowed}: {at}, confirmed{over}{bound}.")
        }
        RateSearchOutcome::HeldBackAtSender => {
            let refused = match found.refused {
                Some(n) if n > 0 => format!(", whose kernel refused {} datagrams", count(n)),
                _ => String::new(),
            };
            format!(
                "Limited by the sender{refused}: the path carried {at}, {allowed}{over}; the capacity above that \
                 rate is unknown."
            )
        }
        RateSearchOutcome::NotConfirmed => {
            format!(
                "No rate {allowed} was confirmed: {at} passed only a short trial; the last trial lost {lost}."
            )
        }
        RateSearchOutcome::LossAtEveryRate => {
            format!("No rate {allowed} was found: {lost} were lost even at {at}.")
        }
        RateSearchOutcome::NoAnswer => {
            format!(
                "The search for the highest rate {allowed} ended without a result after {} trials.",
                found.trials
            )
        }
    }
}
