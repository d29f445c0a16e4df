//! One server and many clients: traffic through the server in the window that all clients shared. Series,
//! besides those of [`members`]: `intervals-<worker>` (`end_ns` since t0, `bytes`) at each receiver; the
//! histograms `handover` (requests without a reply) and `reply` at their sender and `connect` at the clients
//! (`slot`, `value_ns`, `count`, and at the server `worker`); `connection-errors` (`errno`, `count`) at the
//! clients. Methods: `docs/methods/load.md`.

mod adapter;
mod members;

pub(crate) use members::Members;

use super::{Measured, ProbeAnalysis, Work, seconds, series};
use crate::describe::jain_index;
use crate::latency::Distribution;
use crate::limit::{self, Carried, Packets};
use goodput_model::change::Quantity;
use goodput_model::load::{Load, Traffic};
use goodput_model::probe::Direction;
use goodput_model::summary::{ClientSummary, Limit, LoadResult, LoadSummary, ProbeResult};
use goodput_model::trial::{EndReport, Flow};
use goodput_model::{BitRate, Bytes, Nanos, Trial};
use std::collections::BTreeMap;

impl ProbeAnalysis for Load {
    fn measure(&self, trial: &Trial, _: &Limit) -> Measured {
        measure(trial, self)
    }

    fn carried(&self, _: &Trial) -> Result<Carried, &'static str> {
        let usable = limit::load::ways(self);
        let direction = if usable > 1.0 { Direction::Both } else { Direction::Send };
        Ok(Carried { directions: direction.parts(), one_way: true, packets: Packets::Clients(usable) })
    }

    fn primary_metric(&self) -> &'static str {
        "goodput_bps"
    }

    fn primary_is_maximum(&self) -> bool {
        // A run asks how much the server can do; its points differ on purpose.
        true
    }

    fn compared(&self) -> &'static [Quantity] {
        &[Quantity::GoodputBps, Quantity::CpuPercent, Quantity::PeIndex]
    }

    fn describe(&self) -> String {
        let traffic = match self.traffic() {
            Traffic::Transmit => "transmit",
            Traffic::Receive => "receive",
            Traffic::Duplex => "duplex",
            Traffic::Mixed => "mixed",
        };
        let size = self.size().map_or_else(
            || self.mixes.iter().map(|m| m.name.as_str()).collect::<Vec<_>>().join(" + "),
            |size| format!("{} B", size.0),
        );
        format!("load {traffic}, {size}, {} clients", self.busy_clients())
    }

    fn remove_chance(&mut self) {
        self.seed = 0;
        self.clients = (1..=self.clients.len()).map(|n| n.to_string()).collect();
    }
}

/// Without the server's report there is no result: only it counts what it received, and the window is its
/// own.
fn measure(trial: &Trial, settings: &Load) -> Measured {
    let longest = trial.ends.iter().map(|e| e.window.elapsed().0).max().unwrap_or(0);
    let nothing = Measured { elapsed_ns: longest, ..Measured::default() };
    let Some(members) = Members::of(trial, settings) else { return nothing };
    let elapsed_ns = elapsed(&members);
    let rate = |bytes| BitRate::over(Bytes(bytes), Nanos(elapsed_ns)).map(|r| r.0);
    let (transmitted, received) = (members.transmitted(), members.received());
    let (Some(seconds), Some(transmit_bps), Some(receive_bps)) =
        (seconds(elapsed_ns), rate(transmitted), rate(received))
    else {
        return Measured { elapsed_ns, ..nothing };
    };
    let transactions = members.transactions();
    let per_client = per_client(&members, elapsed_ns);
    let connect = merged(&members, "connect");
    let reply = merged(&members, "reply").summary();
    let skews = edges(&members);
    let adapter = adapter::traffic(members.server);
    let expected = adapter.as_ref().and_then(|a| adapter::expected(&members, settings, a, elapsed_ns));
    let bytes = transmitted.saturating_add(received);
    let load = LoadSummary {
        traffic: settings.traffic(),
        size_bytes: settings.size().map(|s| s.0),
        clients: members.clients.len() as u16,
        workers: members.workers(),
        transmit_bps,
        receive_bps,
        requests_per_second: transactions / seconds,
        handover_ns: merged(&members, "handover").summary(),
        reply_ns: reply,
        connections_per_second: settings
            .transactions_per_connection
            .map(|_| connect.count() as f64 / seconds),
        connect_ns: connect.summary(),
        adapter,
        expected_adapter_bytes: expected,
        under_way_bytes: adapter::under_way(&members),
        fairness: fairness(&members, &per_client),
        per_client,
        excluded: members.excluded.clone(),
        skew_p99_ns: skews.quantile(0.99),
        skew_max_ns: skews.max(),
        connection_errors: errors(&members),
        intervals: intervals(&members),
    };
    Measured {
        elapsed_ns,
        active_ns: active(&members),
        bytes: Some(bytes),
        goodput_bps: Some(transmit_bps.saturating_add(receive_bps)),
        work: Some(Work::Requests { kib: bytes as f64 / 1024.0, count: transactions }),
        result: Some(ProbeResult::Load(LoadResult {
            transactions_per_second: Some(load.requests_per_second),
            latency_ns: reply,
            load: Some(Box::new(load)),
        })),
        ..Measured::default()
    }
}

/// The server's window, in full. Of an interrupted server up to the last sample of any end.
fn elapsed(members: &Members<'_>) -> u64 {
    let window = members.server.window.elapsed().0;
    if members.server.complete {
        return window;
    }
    let of_flow = |end: &EndReport, flow: &Flow| {
        let last = flow.last_byte_ns.map(|last| last.saturating_sub(end.window.t0_ns));
        last.max(rows(end, flow.index).map(|(end_ns, _)| end_ns).max())
    };
    let counted = members.receivers().filter_map(|(end, flow)| of_flow(end, flow)).max().filter(|c| *c > 0);
    counted.map_or(window, |c| if window > 0 { c.min(window) } else { c })
}

/// Each end on its own clock from its own t0.
fn active(members: &Members<'_>) -> Option<u64> {
    let since = |end: &EndReport, at: Option<u64>| at.map(|at| at.saturating_sub(end.window.t0_ns));
    let first = members.receivers().filter_map(|(end, f)| since(end, f.first_byte_ns)).min()?;
    let last = members.receivers().filter_map(|(end, f)| since(end, f.last_byte_ns)).max()?;
    Some(last.saturating_sub(first))
}

fn rows(end: &EndReport, worker: u16) -> impl Iterator<Item = (u64, u64)> + '_ {
    let found = series(end, &format!("intervals-{worker}"));
    let columns = found.and_then(|s| s.column("end_ns").zip(s.column("bytes")));
    let (ends, bytes) = columns.unwrap_or_default();
    ends.iter().zip(bytes).filter_map(|(e, b)| Some((u64::try_from(*e).ok()?, u64::try_from(*b).ok()?)))
}

/// Transmitted and received, summed over the workers by the intervals' common ends.
fn intervals(members: &Members<'_>) -> Vec<(u64, u64, u64)> {
    let mut by_end: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
    for (end, flow) in members.receivers() {
        for (end_ns, bytes) in rows(end, flow.index) {
            let slot = by_end.entry(end_ns).or_default();
            let part = if members.is_server(end) { &mut slot.1 } else { &mut slot.0 };
            *part = part.saturating_add(bytes);
        }
    }
    by_end.into_iter().map(|(end_ns, (transmit, receive))| (end_ns, transmit, receive)).collect()
}

/// The clients in the result, and the server's part that belongs to them. A server's series without workers
/// is taken whole.
fn merged(members: &Members<'_>, name: &str) -> Distribution {
    let of_clients =
        members.clients.iter().filter_map(|(_, end)| Distribution::from_series(series(end, name)?));
    let of_server = series(members.server, name).and_then(|found| {
        let workers = found.column("worker");
        Distribution::from_rows(found, |row| {
            workers.is_none_or(|w| w.get(row).is_some_and(|w| members.has_worker(*w)))
        })
    });
    of_clients.chain(of_server).fold(Distribution::default(), Distribution::and)
}

/// Distances of each client's first and last transfer from the window's edges.
fn edges(members: &Members<'_>) -> Distribution {
    let skews = members.clients.iter().filter_map(|(_, end)| end.skew);
    let edges = skews.flat_map(|s| [s.first_ns, s.last_ns]).flatten();
    Distribution::of(edges.map(|e| i64::try_from(e.unsigned_abs()).unwrap_or(i64::MAX)))
}

fn errors(members: &Members<'_>) -> u64 {
    let of_end = |end: &EndReport| {
        let counts = series(end, "connection-errors").and_then(|s| s.column("count")).unwrap_or_default();
        counts.iter().filter_map(|n| u64::try_from(*n).ok()).fold(0, u64::saturating_add)
    };
    members.clients.iter().map(|(_, end)| of_end(end)).fold(0, u64::saturating_add)
}

fn per_client(members: &Members<'_>, elapsed_ns: u64) -> Vec<ClientSummary> {
    let rate = |bytes| BitRate::over(Bytes(bytes), Nanos(elapsed_ns)).map_or(0, |r| r.0);
    let each = |(client, end): &(u16, &EndReport)| ClientSummary {
        name: end.host.clone(),
        transmit_bps: rate(members.transmitted_to(end)),
        receive_bps: rate(members.received_from(*client)),
        requests_per_second: seconds(elapsed_ns).map_or(0.0, |s| members.transactions_of(*client, end) / s),
        skew: end.skew,
    };
    members.clients.iter().map(each).collect()
}

/// `None` where clients had different work.
fn fairness(members: &Members<'_>, clients: &[ClientSummary]) -> Option<f64> {
    let rates: Vec<f64> = clients.iter().map(|c| c.transmit_bps as f64 + c.receive_bps as f64).collect();
    if members.same_work() { jain_index(&rates) } else { None }
}
