//! One server and many clients: traffic through the server in the window that all clients shared. Series,
//! besides those of [`members`]: `intervals-<worker>` (`end_ns` since t0, `bytes`) at each receiver; the
//! histograms `handover` (requests without a reply) and `reply` at their sender and `connect` at the clients
//! (`slot`, `value_ns`, `count`, and at the server `worker`); `connection-errors` (`errno`, `count`) at the
//! clients. Methods: `docs/methods/load.md`.

mod adapter;
mod members;

pub(crate) use members::LoadParticipants;

use super::{ProbeAnalysis, ServiceDemandUnits, TrialMeasurement, find_series, seconds_if_positive};
use crate::descriptive_statistics::jain_index;
use crate::latency::LatencyDistribution;
use crate::medium_limit::{self, TrafficDirections, TrafficKind};
use goodput_model::load::{Load, TrafficPattern};
use goodput_model::probe::TransferDirection;
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{
    ClientOverlap, ClientOverlapRates, LoadClientSummary, LoadResult, LoadSummary, ProbeResult,
    TheoreticalGoodputLimit,
};
use goodput_model::trial::{EndpointReport, Flow};
use goodput_model::{BitRate, Bytes, Message, Nanos, Trial};
use goodput_words::message;
use std::collections::BTreeMap;

impl ProbeAnalysis for Load {
    fn measure_trial(&self, trial: &Trial, _: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial, self)
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        let usable = medium_limit::load_limit::duplex_factor(self);
        let direction = if usable > 1.0 { TransferDirection::Both } else { TransferDirection::Send };
        Ok(TrafficDirections {
            directions: direction.one_way_directions(),
            one_way: true,
            packets: TrafficKind::Clients(usable),
        })
    }

    fn primary_metric(&self) -> &'static str {
        "goodput_bps"
    }

    fn aggregates_by_maximum(&self) -> bool {
        // A run asks how much the server can do; its points differ on purpose.
        true
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[ComparedQuantity::GoodputBps, ComparedQuantity::CpuPercent, ComparedQuantity::PeIndex]
    }

    fn describe_settings(&self) -> Message {
        let traffic = match self.traffic_pattern() {
            TrafficPattern::Transmit => "transmit",
            TrafficPattern::Receive => "receive",
            TrafficPattern::Duplex => "duplex",
            TrafficPattern::Mixed => "mixed",
        };
        let size = self.single_request_size().map_or_else(
            || self.mixes.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(" + "),
            |size| format!("{} B", size.0),
        );
        message!(part_versus_load { traffic, size, count: self.active_client_count() })
    }

    fn clear_run_specific_settings(&mut self) {
        self.seed = 0;
        self.clients = (1..=self.clients.len()).map(|n| n.to_string()).collect();
    }
}

/// Without the server's report there is no result: only it counts what it received, and has the window.
fn measure(trial: &Trial, settings: &Load) -> TrialMeasurement {
    let longest = trial.ends.iter().map(|e| e.window.elapsed().0).max().unwrap_or(0);
    let nothing = TrialMeasurement { elapsed_ns: longest, ..TrialMeasurement::default() };
    let Some(members) = LoadParticipants::from_trial(trial, settings) else { return nothing };
    let elapsed_ns = elapsed(&members);
    let rate = |bytes| BitRate::from_bytes_and_time(Bytes(bytes), Nanos(elapsed_ns)).map(|r| r.0);
    let (transmitted, received) = (members.transmitted_bytes(), members.received_bytes());
    let (Some(seconds), Some(transmit_bps), Some(receive_bps)) =
        (seconds_if_positive(elapsed_ns), rate(transmitted), rate(received))
    else {
        return TrialMeasurement { elapsed_ns, ..nothing };
    };
    let transactions = members.transaction_count();
    let per_client = per_client(&members, elapsed_ns);
    let connect = merged(&members, "connect");
    let reply = merged(&members, "reply").to_summary();
    let skews = edges(&members);
    let intervals = intervals(&members);
    let adapter = adapter::adapter_traffic(members.server);
    let expected =
        adapter.as_ref().and_then(|a| adapter::expected_adapter_bytes(&members, settings, a, elapsed_ns));
    let bytes = transmitted.saturating_add(received);
    let load = LoadSummary {
        traffic: settings.traffic_pattern(),
        size_bytes: settings.single_request_size().map(|s| s.0),
        clients: members.clients.len() as u16,
        workers: members.worker_count(),
        transmit_bps,
        receive_bps,
        requests_per_second: transactions / seconds,
        handover_ns: merged(&members, "handover").to_summary(),
        reply_ns: reply,
        connections_per_second: settings
            .transactions_per_connection
            .map(|_| connect.count() as f64 / seconds),
        connect_ns: connect.to_summary(),
        adapter,
        expected_adapter_bytes: expected,
        under_way_bytes: adapter::bytes_in_flight(&members),
        fairness: fairness(&members, &per_client),
        per_client,
        excluded: members.excluded.clone(),
        skew_p99_ns: skews.quantile(0.99),
        skew_max_ns: skews.max(),
        overlap: overlap(&members, &intervals, elapsed_ns),
        connection_errors: errors(&members),
        intervals,
    };
    TrialMeasurement {
        elapsed_ns,
        active_ns: active(&members),
        bytes: Some(bytes),
        goodput_bps: Some(transmit_bps.saturating_add(receive_bps)),
        work: Some(ServiceDemandUnits::Requests { kib: bytes as f64 / 1024.0, count: transactions }),
        result: Some(ProbeResult::Load(LoadResult {
            transactions_per_second: Some(load.requests_per_second),
            latency_ns: reply,
            load: Some(Box::new(load)),
        })),
    }
}

/// The server's window, in full. Of an interrupted server up to the last sample of any end.
fn elapsed(members: &LoadParticipants<'_>) -> u64 {
    let window = members.server.window.elapsed().0;
    if members.server.complete {
        return window;
    }
    let of_flow = |end: &EndpointReport, flow: &Flow| {
        let last = flow.last_byte_ns.map(|last| last.saturating_sub(end.window.t0_ns));
        last.max(rows(end, flow.index).map(|(end_ns, _)| end_ns).max())
    };
    let counted =
        members.receiving_flows().filter_map(|(end, flow)| of_flow(end, flow)).max().filter(|c| *c > 0);
    counted.map_or(window, |c| if window > 0 { c.min(window) } else { c })
}

/// Each end on its own clock from its own t0.
fn active(members: &LoadParticipants<'_>) -> Option<u64> {
    let since = |end: &EndpointReport, at: Option<u64>| at.map(|at| at.saturating_sub(end.window.t0_ns));
    let first = members.receiving_flows().filter_map(|(end, f)| since(end, f.first_byte_ns)).min()?;
    let last = members.receiving_flows().filter_map(|(end, f)| since(end, f.last_byte_ns)).max()?;
    Some(last.saturating_sub(first))
}

fn rows(end: &EndpointReport, worker: u16) -> impl Iterator<Item = (u64, u64)> + '_ {
    let found = find_series(end, &format!("intervals-{worker}"));
    let columns = found.and_then(|s| s.column("end_ns").zip(s.column("bytes")));
    let (ends, bytes) = columns.unwrap_or_default();
    ends.iter().zip(bytes).filter_map(|(e, b)| Some((u64::try_from(*e).ok()?, u64::try_from(*b).ok()?)))
}

/// Transmitted and received, summed over the workers by the intervals' common ends.
fn intervals(members: &LoadParticipants<'_>) -> Vec<(u64, u64, u64)> {
    let mut by_end: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for (end, flow) in members.receiving_flows() {
        for (end_ns, bytes) in rows(end, flow.index) {
            let slot = by_end.entry(end_ns).or_default();
            let part = if members.is_server(end) { &mut slot.1 } else { &mut slot.0 };
            *part = part.saturating_add(bytes);
        }
    }
    by_end.into_iter().map(|(end_ns, (transmit, receive))| (end_ns, transmit, receive)).collect()
}

/// The clients in the result, and their part of the server's. Its series without workers is taken whole.
fn merged(members: &LoadParticipants<'_>, name: &str) -> LatencyDistribution {
    let of_clients = members
        .clients
        .iter()
        .filter_map(|(_, end)| LatencyDistribution::from_series(find_series(end, name)?));
    let of_server = find_series(members.server, name).and_then(|found| {
        let workers = found.column("worker");
        LatencyDistribution::from_selected_rows(found, |row| {
            workers.is_none_or(|w| w.get(row).is_some_and(|w| members.has_worker(*w)))
        })
    });
    of_clients.chain(of_server).fold(LatencyDistribution::default(), LatencyDistribution::merge)
}

/// Distances of each client's first and last transfer from the window's edges.
fn edges(members: &LoadParticipants<'_>) -> LatencyDistribution {
    let skews = members.clients.iter().filter_map(|(_, end)| end.skew);
    let edges = skews.flat_map(|s| [s.first_ns, s.last_ns]).flatten();
    LatencyDistribution::from_values(edges.map(|e| i64::try_from(e.unsigned_abs()).unwrap_or(i64::MAX)))
}

fn overlap(
    members: &LoadParticipants<'_>,
    intervals: &[(u64, u64, u64)],
    elapsed_ns: u64,
) -> Option<ClientOverlap> {
    if !members.server.complete || members.clients.is_empty() {
        return None;
    }
    let (mut start_ns, mut end_ns) = (0, elapsed_ns);
    for (_, client) in &members.clients {
        let skew = client.skew?;
        // A negative distance is outside the window.
        let [first, last] = [skew.first_ns?, skew.last_ns?].map(|ns| ns.max(0).unsigned_abs());
        start_ns = start_ns.max(first.min(elapsed_ns));
        end_ns = end_ns.min(elapsed_ns.saturating_sub(last));
    }
    let end_ns = end_ns.max(start_ns);
    let percent = (end_ns - start_ns) as f64 * 100.0 / elapsed_ns as f64;
    let rates = whole_intervals(members, intervals, start_ns, end_ns);
    Some(ClientOverlap { start_ns, end_ns, percent, rates })
}

/// `None` without an interval of all receivers.
fn whole_intervals(
    members: &LoadParticipants<'_>,
    intervals: &[(u64, u64, u64)],
    start: u64,
    end: u64,
) -> Option<ClientOverlapRates> {
    let edges = || std::iter::once(0).chain(intervals.iter().map(|(end_ns, ..)| *end_ns));
    let (start_ns, end_ns) = (edges().find(|at| *at >= start)?, edges().rfind(|at| *at <= end)?);
    let is_edge = |(end, flow): (&EndpointReport, &Flow)| {
        [start_ns, end_ns].iter().all(|at| *at == 0 || rows(end, flow.index).any(|(end_ns, _)| end_ns == *at))
    };
    let time = end_ns.checked_sub(start_ns).filter(|ns| *ns > 0)?;
    if !members.receiving_flows().all(is_edge) {
        return None;
    }
    let within = intervals.iter().filter(|(at, ..)| *at > start_ns && *at <= end_ns);
    let (transmitted, received) = within.fold((0u64, 0u64), |(out, back), (_, transmit, receive)| {
        (out.saturating_add(*transmit), back.saturating_add(*receive))
    });
    let rate = |bytes| BitRate::from_bytes_and_time(Bytes(bytes), Nanos(time)).map(|r| r.0);
    Some(ClientOverlapRates {
        start_ns,
        end_ns,
        transmit_bps: rate(transmitted)?,
        receive_bps: rate(received)?,
    })
}

fn errors(members: &LoadParticipants<'_>) -> u64 {
    let of_end = |end: &EndpointReport| {
        let counts =
            find_series(end, "connection-errors").and_then(|s| s.column("count")).unwrap_or_default();
        counts.iter().filter_map(|n| u64::try_from(*n).ok()).fold(0, u64::saturating_add)
    };
    members.clients.iter().map(|(_, end)| of_end(end)).fold(0, u64::saturating_add)
}

fn per_client(members: &LoadParticipants<'_>, elapsed_ns: u64) -> Vec<LoadClientSummary> {
    let rate = |bytes| BitRate::from_bytes_and_time(Bytes(bytes), Nanos(elapsed_ns)).map_or(0, |r| r.0);
    let each = |(client, end): &(u16, &EndpointReport)| LoadClientSummary {
        name: end.host.clone(),
        transmit_bps: rate(members.bytes_transmitted_to(end)),
        receive_bps: rate(members.bytes_received_from(*client)),
        requests_per_second: seconds_if_positive(elapsed_ns)
            .map_or(0.0, |s| members.client_transactions(*client, end) / s),
        skew: end.skew,
    };
    members.clients.iter().map(each).collect()
}

/// `None` where clients had different work.
fn fairness(members: &LoadParticipants<'_>, clients: &[LoadClientSummary]) -> Option<f64> {
    let rates: Vec<f64> = clients.iter().map(|c| c.transmit_bps as f64 + c.receive_bps as f64).collect();
    if members.clients_have_same_request_mixes() { jain_index(&rates) } else { None }
}
