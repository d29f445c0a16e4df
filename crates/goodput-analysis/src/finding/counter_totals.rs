//! Rules that compare independent counts of the same thing: a difference is an error.

use super::{Hit, load_findings, mbit, medium};
use crate::probe::series_name;
use goodput_model::probe::{BulkTransfer, StopCondition};
use goodput_model::summary::{DirectionSummary, TrialSummary};
use goodput_model::trial::{EndpointReport, Flow, TcpStatistics};
use goodput_model::{Message, Probe, Trial, TrialOutcome};
use goodput_words::message;
use goodput_words::message_argument::exact_bytes_arg;

/// Clock tolerance of a link: 100 parts in a million (IEEE 802.3).
const LINK_CLOCK: f64 = 100e-6;
/// Data that may be queued when the window opens: one largest segment train.
const EDGE_BYTES: f64 = 65_536.0;

fn flows(trial: &Trial) -> Vec<(&EndpointReport, &Flow, String)> {
    let Some(BulkTransfer { kind: "connection", count, .. }) = trial.probe.settings().bulk_transfer() else {
        return Vec::new();
    };
    let connection = |f: &Flow| series_name("connection", f, count);
    let of_end = |end| -> Vec<_> {
        let end: &EndpointReport = end;
        end.flows.iter().map(|f| (end, f, connection(f))).collect()
    };
    trial.ends.iter().flat_map(of_end).collect()
}

pub(super) fn check_interval_totals(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    if let Probe::Load(settings) = &trial.probe {
        return load_findings::check_load_interval_totals(trial, settings);
    }
    let Some(BulkTransfer { kind, count, .. }) = trial.probe.settings().bulk_transfer() else {
        return Vec::new();
    };
    let check = |(end, flow): (&EndpointReport, &Flow)| {
        let name = series_name(kind, flow, count);
        let wanted = series_name("intervals", flow, count);
        let column = end.series.iter().find(|s| s.name == wanted)?.column("bytes")?;
        let total = column.iter().fold(0i128, |sum, b| sum + i128::from(*b));
        (total != i128::from(flow.window_bytes)).then(|| {
            Hit::new(
                message!(rule_intervals_do_not_add_up_text {
                    connection: &name,
                    total: exact_bytes_arg(total),
                    window: exact_bytes_arg(flow.window_bytes),
                }),
                [format!("host = {}", end.host), format!("series = {wanted}")],
            )
        })
    };
    let flows = |end| -> Vec<_> {
        let end: &EndpointReport = end;
        end.flows.iter().filter(|f| f.receives).map(|f| (end, f)).collect()
    };
    trial.ends.iter().flat_map(flows).filter_map(check).collect()
}

fn against_kernel(trial: &Trial, receives: bool, counter: &str, of: fn(&TcpStatistics) -> u64) -> Vec<Hit> {
    let check = |(end, flow, name): (&EndpointReport, &Flow, String)| {
        let kernel = of(flow.tcp.as_ref()?);
        let ours = flow.total_bytes();
        (kernel != ours).then(|| {
            let (host, connection) = (&end.host, &name);
            let (ours_b, kernel_b) = (exact_bytes_arg(ours), exact_bytes_arg(kernel));
            Hit::new(
                if receives {
                    message!(rule_receiver_total_differs_text {
                        host,
                        connection,
                        ours: ours_b,
                        kernel: kernel_b
                    })
                } else {
                    message!(rule_sender_total_differs_text {
                        host,
                        connection,
                        ours: ours_b,
                        kernel: kernel_b
                    })
                },
                [format!("total_bytes = {ours}"), format!("{counter} = {kernel}")],
            )
        })
    };
    flows(trial)
        .into_iter()
        .filter(|(end, f, _)| {
            f.receives == receives && end.complete && trial.outcome == TrialOutcome::Complete
        })
        .filter_map(check)
        .collect()
}

pub(super) fn check_receiver_total(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    if let Probe::Load(settings) = &trial.probe {
        return load_findings::check_received_above_kernel_count(trial, settings);
    }
    against_kernel(trial, true, "tcp.bytes_received", |t| t.bytes_received)
}

pub(super) fn check_sender_total(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    against_kernel(trial, false, "tcp.bytes_acked", |t| t.bytes_acked)
}

pub(super) fn check_both_ends_totals(trial: &Trial, _: &TrialSummary) -> Vec<Hit> {
    if trial.outcome != TrialOutcome::Complete {
        return Vec::new();
    }
    if let Probe::Load(settings) = &trial.probe {
        return load_findings::check_received_above_sent(trial, settings);
    }
    let all = flows(trial);
    let check = |(_, sent, name): &(&EndpointReport, &Flow, String)| {
        let received = all.iter().find(|(_, f, n)| f.receives && n == name)?.1.total_bytes();
        let sent = sent.total_bytes();
        (sent != received).then(|| {
            Hit::new(
                message!(rule_ends_disagree_text {
                    connection: name,
                    sent: exact_bytes_arg(sent),
                    received: exact_bytes_arg(received),
                }),
                [format!("sent = {sent}"), format!("received = {received}")],
            )
        })
    };
    all.iter().filter(|(_, f, _)| !f.receives).filter_map(check).collect()
}

pub(super) fn check_latency_count(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let (Probe::Request(_), Some(latency)) = (&trial.probe, summary.latency_summary()) else {
        return Vec::new();
    };
    let Some(end) = trial.endpoint_report(goodput_model::trial::EndpointRole::Connect) else {
        return Vec::new();
    };
    if latency.count == end.operations {
        return Vec::new();
    }
    let text =
        message!(rule_latency_count_differs_text { operations: end.operations, latencies: latency.count });
    vec![Hit::new(text, [format!("latency_ns.count = {}", latency.count)])]
}

/// Each direction is compared with its own share.
pub(super) fn check_goodput_above_limit(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some(limit) = summary.limit.goodput_bps else { return Vec::new() };
    if let Probe::Load(_) = &trial.probe {
        return load_findings::check_load_above_limit(trial, summary);
    }
    let Some(BulkTransfer { direction, stop, count: flows, .. }) = trial.probe.settings().bulk_transfer()
    else {
        let best = summary.size_sweep_summary().map_or(0, |s| s.best_bps);
        return above(summary, message!(clause_best_size), best, limit, 0.0).into_iter().collect();
    };
    let parts = direction.one_way_directions().len() as u64;
    let each = summary.limit.goodput_per_direction(parts).unwrap_or(limit);
    // Only a window that opens in the middle of the flow can find data queued at its edge.
    let edge = match (stop, summary.elapsed_ns) {
        (StopCondition::Time(_), 1..) => {
            EDGE_BYTES * 8e9 / summary.elapsed_ns as f64 * f64::from(flows.max(1))
        }
        _ => 0.0,
    };
    let of_direction = |d: &DirectionSummary| {
        let name = message!(clause_direction { direction: d.direction.name() });
        above(summary, name, d.goodput_bps?, each, edge)
    };
    // Directions that share the medium must keep its limit together, too.
    let together = summary.goodput_bps.filter(|_| summary.limit.shared && parts > 1);
    let edges = edge * parts as f64;
    let both =
        together.and_then(|bps| above(summary, message!(clause_both_directions_together), bps, limit, edges));
    summary.direction_summaries().iter().filter_map(of_direction).chain(both).collect()
}

fn above(summary: &TrialSummary, whose: Message, reached: u64, limit: u64, edge: f64) -> Option<Hit> {
    if reached as f64 <= limit as f64 * (1.0 + LINK_CLOCK) + edge {
        return None;
    }
    let text = message!(rule_above_limit_text {
        whose,
        reached: mbit(reached),
        limit: mbit(limit),
        medium: medium(summary),
    });
    let evidence = [
        format!("goodput_bps = {reached}"),
        format!("limit of one direction = {limit}"),
        format!("limit.reason = {}", summary.limit.reason),
    ];
    Some(Hit::new(text, evidence))
}
