//! The report of datagrams: a trial with its losses, and the search for the highest rate without loss.

mod tables;

pub(crate) use tables::rate_search_table;

use super::over_time::goodput_over_time_figure;
use super::{ProbeReport, sending_end, setting_row, stop, transfer_clause, wait, with_goodput_by_direction};
use crate::csv::table::{self as csv, CsvTable};
use crate::display_text::{comma_list, semicolon_list};
use crate::figure::Figure;
use crate::table::cell::{
    count, nanos, optional_cell, per_second, plain, rate, rate_setting, size_setting, small_percent,
    time_setting,
};
use crate::table::{Cell, Table};
use crate::wording::{format_direction, with_share_of_goodput_limit};
use goodput_model::datagram::{DatagramRate, DatagramSyscalls, SegmentationOffload};
use goodput_model::probe::TransferDirection;
use goodput_model::summary::{
    CountBounds, DatagramSummary, DatagramTotals, DirectionSummary, LostDatagramBounds, RateSearchOutcome,
    RateSearchSummary, ResultDocument, TrialSummary,
};
use goodput_model::{Datagram, Message, MessageArg, Probe, Trial};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;
use tables::{count_bounds_cell, count_with_percentage};

impl ProbeReport for Datagram {
    fn title(&self) -> &'static str {
        "UDP datagrams (datagram)"
    }

    fn format_endpoints(&self, summary: &TrialSummary) -> String {
        format_direction(summary, self.direction)
    }

    fn result(&self, summary: &TrialSummary) -> Option<Message> {
        let mut text = transfer_clause(summary)?;
        if let Some(all) = received_per_second(summary) {
            let datagrams =
                message!(part_datagrams_a_second { rate: plain(all), size: size_setting(self.size) });
            text = comma_list([text, datagrams]);
        }
        if self.direction == TransferDirection::Both {
            text = with_goodput_by_direction(text, summary);
        }
        text = comma_list([text].into_iter().chain(offload(summary, self)));
        text = with_share_of_goodput_limit(text, summary);
        Some(semicolon_list([text].into_iter().chain(summary.datagram_totals().map(losses))))
    }

    /// `94.13 Mbit/s, 8,127/s, 0.012 % lost`, for a list.
    fn short_result(&self, summary: &TrialSummary) -> Option<Message> {
        let each = received_per_second(summary).unwrap_or(0.0);
        let rates = [rate(summary.goodput_bps?), per_second(each)].map(MessageArg::from);
        let lost = summary.datagram_totals().and_then(|t| {
            let (lost, sent) = (t.lost.total?, t.sent.filter(|s| *s > 0)?);
            Some(match lost {
                0 => message!(part_datagrams_none_lost),
                _ => message!(part_datagrams_lost { lost: small_percent(lost as f64 * 100.0 / sent as f64) }),
            })
        });
        Some(comma_list(rates.into_iter().chain(lost.map(MessageArg::from))))
    }

    fn settings_rows(&self) -> Vec<(&'static str, Cell)> {
        let direction = sending_end(self.direction, "both directions at once, on separate sockets");
        let rate = match self.rate {
            None => message!(report_as_many_as_the_kernel_takes),
            Some(DatagramRate::Datagrams(n)) => {
                message!(report_rate_in_each_direction { rate: per_second(n) })
            }
            Some(DatagramRate::Bits(bits)) => {
                message!(report_payload_rate_in_each_direction { rate: rate_setting(bits) })
            }
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
            let share = quantity_arg(s.loss_percent, "%", format!("{} %", s.loss_percent));
            let ceiling = s.ceiling.map(|ceiling| match ceiling {
                DatagramRate::Datagrams(n) => per_second(n),
                DatagramRate::Bits(bits) => rate_setting(bits),
            });
            let goal = match ceiling {
                Some(rate) => message!(report_search_highest_rate_up_to { share, rate }),
                None => message!(report_search_highest_rate { share }),
            };
            rows.push(setting_row("search goal", goal));
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

/// Of both directions; `None` without a count.
fn received_per_second(summary: &TrialSummary) -> Option<f64> {
    let each = summary.direction_summaries().iter();
    each.filter_map(|d| d.datagrams.as_deref()?.received_per_second).reduce(|all, one| all + one)
}

/// `none of 701,234 lost`, or how many of how many were lost, and where.
fn losses(t: &DatagramTotals) -> Message {
    let all = optional_cell(t.sent, count);
    let lost = |count: Cell, all: Cell| match places(t) {
        Some(places) => message!(part_so_many_lost_where { count, all, places }),
        None => message!(part_so_many_lost { count, all }),
    };
    let text = match (t.lost.total, t.lost.bounds, t.difference) {
        (Some(0), ..) => message!(part_none_lost { all }),
        (Some(total), ..) => lost(count_with_percentage(total, t.sent), all),
        (None, Some(b), _) => lost(count_bounds_cell(b.total), all),
        (None, None, Some(difference)) if difference >= 0 => {
            message!(part_sent_and_not_received { count: difference.unsigned_abs(), all })
        }
        (None, None, Some(difference)) => {
            message!(part_more_received_than_sent { count: difference.unsigned_abs(), all })
        }
        (None, None, None) => message!(part_losses_not_known),
    };
    let more = |n: Option<u64>| n.filter(|n| *n > 0);
    let others = [
        more(t.refused).map(|count| message!(part_refused_at_the_sender { count })),
        more(t.duplicates).map(|count| message!(part_copies_count { count })),
        more(t.reordered).map(|count| message!(part_out_of_order { count })),
    ];
    semicolon_list([text].into_iter().chain(non_empty_list(others)))
}

/// `10,000 on the path, 2,500 at the receiver's socket`.
fn places(t: &DatagramTotals) -> Option<Message> {
    let b = t.lost.bounds?;
    let lost = |b: Option<CountBounds>| b.filter(|b| b.most > 0).map(count_bounds_cell);
    let path = |count: Cell| match t.lost.path_includes.as_slice() {
        [] => message!(part_at_place_path { count }),
        [one] if one == "receiver_host" => message!(part_at_place_path_or_host { count }),
        _ => message!(part_at_place_path_or_receiver { count }),
    };
    non_empty_list([
        lost(Some(b.path)).map(path),
        lost(b.receiver_socket).map(|count| message!(part_at_place_socket { count })),
        lost(b.receiver_host).map(|count| message!(part_at_place_host { count })),
    ])
}

fn non_empty_list(parts: [Option<Message>; 3]) -> Option<Message> {
    let known: Vec<Message> = parts.into_iter().flatten().collect();
    (!known.is_empty()).then(|| comma_list(known))
}

fn offload(summary: &TrialSummary, settings: &Datagram) -> Option<Message> {
    let first = summary.direction_summaries().iter().find_map(|d| d.datagrams.as_deref())?;
    let used = |by: Option<DatagramSyscalls>, sends| {
        by.filter(|by| *by != DatagramSyscalls::Plain).map(|by| calls(by, sends))
    };
    match (used(first.sent_by, true), used(first.received_by, false)) {
        (Some(how), Some(other)) => Some(message!(part_sent_and_received_by { how, other })),
        (Some(how), None) => Some(message!(part_sent_by { how })),
        (None, Some(how)) => Some(message!(part_received_by { how })),
        (None, None) => {
            (settings.offload == SegmentationOffload::Plain).then(|| message!(part_one_system_call_each))
        }
    }
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

pub fn format_rate_search_step(summary: &TrialSummary) -> Option<Message> {
    let each = |d: &DirectionSummary| {
        let own = d.datagrams.as_deref()?;
        let bounds = own.totals.lost.bounds?.total;
        let lost = match bounds {
            CountBounds { most: 0, .. } => message!(part_datagrams_nothing_lost),
            CountBounds { least, most } if least == most => {
                message!(part_datagrams_lost { lost: count_with_percentage(most, own.totals.sent) })
            }
            _ => message!(part_datagrams_lost { lost: count_bounds_cell(bounds) }),
        };
        Some(message!(part_datagrams_sent_delivered {
            sent: optional_cell(own.sent_bps, rate),
            delivered: optional_cell(d.goodput_bps, rate),
            lost
        }))
    };
    let all: Option<Vec<Message>> = summary.direction_summaries().iter().map(each).collect();
    all.filter(|all| !all.is_empty()).map(semicolon_list)
}

pub fn format_rate_search_result(found: &RateSearchSummary, last: Option<&TrialSummary>) -> Message {
    let allowed = if found.allowed_loss_percent > 0.0 {
        message!(part_with_at_most_lost { lost: small_percent(found.allowed_loss_percent) })
    } else {
        message!(part_without_loss)
    };
    let size = last.and_then(|s| match &s.probe {
        Probe::Datagram(d) => Some(d.size),
        _ => None,
    });
    let datagrams = message!(part_datagrams_a_second {
        rate: optional_cell(found.datagrams_per_second, plain),
        size: optional_cell(size, size_setting)
    });
    let at = optional_cell(found.rate_bps, rate);
    let time = optional_cell(last.map(|s| s.elapsed_ns), nanos);
    let lost = optional_cell(found.loss_percent, small_percent);
    match found.outcome {
        RateSearchOutcome::Lossless => match found.failed_at_bps.map(rate) {
            Some(failed) => message!(report_highest_rate_confirmed {
                allowed,
                rate: at,
                datagrams,
                time,
                tooMuch: failed
            }),
            None => message!(report_highest_rate_none_higher { allowed, rate: at, datagrams, time }),
        },
        RateSearchOutcome::HeldBackAtSender => match found.refused.filter(|n| *n > 0) {
            Some(count) => {
                message!(report_search_held_back_refused { count, rate: at, datagrams, allowed, time })
            }
            None => message!(report_search_held_back { rate: at, datagrams, allowed, time }),
        },
        RateSearchOutcome::NotConfirmed => {
            message!(report_search_not_confirmed { allowed, rate: at, datagrams, lost })
        }
        RateSearchOutcome::LossAtEveryRate => {
            message!(report_search_loss_everywhere { allowed, lost, rate: at, datagrams })
        }
        RateSearchOutcome::NoAnswer => message!(report_search_no_answer { allowed, trials: found.trials }),
    }
}
