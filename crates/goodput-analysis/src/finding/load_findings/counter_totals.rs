//! Compares independent counts of a load: intervals, kernels, the other end, the server's adapter.

use super::point;
use crate::finding::{Hit, MAX_RETRANSMIT_PERCENT};
use crate::probe::load::LoadParticipants;
use goodput_model::load::Load;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::TrialSummary;
use goodput_model::trial::{EndpointReport, EndpointRole, Flow};
use goodput_model::{Message, Probe, Trial};
use goodput_words::message;
use goodput_words::message_argument::{exact_bytes_arg, fixed_decimals_arg, signed_percent_arg};

/// Allowed difference of user data, headers and acknowledgements from the adapter's count.
pub const MAX_ADAPTER_BYTES_DIFFERENCE_PERCENT: f64 = 2.0;
/// A direction is compared with the adapter's count when user data is at least this share of it; otherwise it
/// carries mainly acknowledgements.
const CARRIES_DATA: f64 = 0.5;

pub(super) fn participant_receiving_flows<'a>(
    trial: &'a Trial,
    settings: &'a Load,
) -> Vec<(&'a EndpointReport, &'a Flow)> {
    LoadParticipants::from_trial(trial, settings).map(|m| m.receiving_flows().collect()).unwrap_or_default()
}

pub(in crate::finding) fn check_load_interval_totals(trial: &Trial, settings: &Load) -> Vec<Hit> {
    let check = |(end, flow): (&EndpointReport, &Flow)| {
        let wanted = format!("intervals-{}", flow.index);
        let column = end.series.iter().find(|s| s.name == wanted)?.column("bytes")?;
        let total = column.iter().fold(0i128, |sum, b| sum + i128::from(*b));
        (total != i128::from(flow.window_bytes)).then(|| {
            Hit::new(
                message!(rule_intervals_do_not_add_up_text {
                    connection: format!("worker {}", flow.index),
                    total: exact_bytes_arg(total),
                    window: exact_bytes_arg(flow.window_bytes),
                }),
                [format!("host = {}", end.host), format!("series = {wanted}")],
            )
        })
    };
    participant_receiving_flows(trial, settings).into_iter().filter_map(check).collect()
}

/// A receiver may have read less than its kernel received: data in flight when the trial ends is dropped.
pub(in crate::finding) fn check_received_above_kernel_count(trial: &Trial, settings: &Load) -> Vec<Hit> {
    let check = |(end, flow): (&EndpointReport, &Flow)| {
        let (ours, kernel) = (flow.total_bytes(), flow.tcp?.bytes_received);
        (ours > kernel).then(|| {
            Hit::new(
                message!(rule_receiver_total_differs_text_2 {
                    host: &end.host,
                    ours: exact_bytes_arg(ours),
                    worker: flow.index.to_string(),
                    kernel: exact_bytes_arg(kernel),
                }),
                [format!("total_bytes = {ours}"), format!("tcp.bytes_received = {kernel}")],
            )
        })
    };
    participant_receiving_flows(trial, settings).into_iter().filter_map(check).collect()
}

/// A connection may deliver less than was sent: the last requests end with the trial.
pub(in crate::finding) fn check_received_above_sent(trial: &Trial, settings: &Load) -> Vec<Hit> {
    let sender = |flow: &Flow| {
        let ours = |f: &&Flow| f.index == flow.index && f.direction == flow.direction && !f.receives;
        trial.ends.iter().find_map(|end| end.flows.iter().find(ours))
    };
    let check = |(end, flow): (&EndpointReport, &Flow)| {
        let (received, sent) = (flow.total_bytes(), sender(flow)?.total_bytes());
        (received > sent).then(|| {
            Hit::new(
                message!(rule_ends_disagree_text_2 {
                    host: &end.host,
                    received: exact_bytes_arg(received),
                    worker: flow.index.to_string(),
                    sent: exact_bytes_arg(sent),
                }),
                [format!("sent = {sent}"), format!("received = {received}")],
            )
        })
    };
    participant_receiving_flows(trial, settings).into_iter().filter_map(check).collect()
}

pub(in crate::finding) fn check_load_retransmits(trial: &Trial) -> Vec<Hit> {
    if !matches!(trial.probe, Probe::Load(_)) {
        return Vec::new();
    }
    let of = |role: EndpointRole, direction: TransferDirection, whose: Message| {
        let ends = trial.ends.iter().filter(|e| e.role == role);
        let sending = ends.flat_map(|e| &e.flows).filter(|f| !f.receives && f.direction == direction);
        let (mut again, mut all) = (0u64, 0u64);
        for tcp in sending.filter_map(|f| f.tcp) {
            again = again.saturating_add(tcp.retransmits);
            all = all.saturating_add(tcp.data_segments_out);
        }
        let percent = again as f64 * 100.0 / all as f64;
        (all > 0 && percent >= MAX_RETRANSMIT_PERCENT).then(|| {
            Hit::new(
                message!(rule_retransmits_text_2 {
                    percent: fixed_decimals_arg(percent, 2, "%"),
                    whose,
                    again,
                    all
                }),
                [format!("tcp.retransmits = {again}"), format!("tcp.data_segments_out = {all}")],
            )
        })
    };
    let server = of(EndpointRole::Listen, TransferDirection::Receive, message!(clause_connections_of_server));
    server
        .into_iter()
        .chain(of(EndpointRole::Connect, TransferDirection::Send, message!(clause_connections_of_clients)))
        .collect()
}

pub(in crate::finding) fn check_adapter_bytes_differ(trial: &Trial, summary: &TrialSummary) -> Vec<Hit> {
    let Some((_, load)) = point(trial, summary) else { return Vec::new() };
    let (Some(adapter), Some((out, back))) = (&load.adapter, load.expected_adapter_bytes) else {
        return Vec::new();
    };
    let user = |bps: u64| bps as f64 / 8.0 * summary.elapsed_ns as f64 / 1e9;
    let ways = [
        (true, adapter.transmit_bytes, out, user(load.transmit_bps)),
        (false, adapter.receive_bytes, back, user(load.receive_bps)),
    ];
    let hit = |(sent, counted, expected, user): (bool, u64, u64, f64)| {
        let percent = (counted as f64 / expected as f64 - 1.0) * 100.0;
        let carries = expected > 0 && user >= counted.min(expected) as f64 * CARRIES_DATA;
        (carries && percent.abs() > MAX_ADAPTER_BYTES_DIFFERENCE_PERCENT).then(|| {
            let interface = &adapter.interface;
            let (sum, wanted) = (exact_bytes_arg(counted), exact_bytes_arg(expected));
            let percent = signed_percent_arg(percent);
            Hit::new(
                if sent {
                    message!(rule_adapter_differs_text { interface, counted: sum, percent, expected: wanted })
                } else {
                    message!(rule_adapter_differs_text_2 {
                        interface,
                        counted: sum,
                        percent,
                        expected: wanted
                    })
                },
                [format!("load.expected_adapter_bytes = {expected}"), format!("load.adapter = {counted}")],
            )
        })
    };
    ways.into_iter().filter_map(hit).collect()
}
