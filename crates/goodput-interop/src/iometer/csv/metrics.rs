//! The metrics of one point by manager, reads and writes, as IOmeter divides them.

use goodput_analysis::latency::LatencyDistribution;
use goodput_model::load::{Load, RequestMix, RequestMixLine};
use goodput_model::series::Series;
use goodput_model::summary::{CpuSummary, HostSummary, LoadClientSummary, LoadSummary, TrialSummary};
use goodput_model::trial::{EndpointReport, EndpointRole, Trial};

pub(super) struct LoadPointMetrics {
    pub managers: Vec<ManagerMetrics>,
    pub elapsed_ns: u64,
}

pub(super) struct ManagerMetrics {
    pub name: String,
    /// On the server those of all clients in the result.
    pub workers: usize,
    pub transactions_per_second: f64,
    pub connections_per_second: Option<f64>,
    pub read_bytes: u64,
    pub written_bytes: u64,
    /// Where they can be separated.
    pub ios: Option<(u64, u64)>,
    /// Without a reply.
    pub writes: Option<LatencyDistribution>,
    pub transactions: Option<LatencyDistribution>,
    pub connects: Option<LatencyDistribution>,
    pub cpu: Option<CpuSummary>,
    pub interrupts_per_second: Option<f64>,
    pub packets_per_second: Option<f64>,
    pub packet_errors: Option<u64>,
    /// Counted at clients only.
    pub errors: Option<u64>,
    pub retransmitted_per_second: Option<f64>,
}

impl LoadPointMetrics {
    /// `None` when nothing was measured.
    pub fn from_trial(trial: &Trial, summary: &TrialSummary, load: &Load) -> Option<LoadPointMetrics> {
        let found = summary.load_summary()?;
        let elapsed_ns = Some(summary.elapsed_ns).filter(|ns| *ns > 0)?;
        let point = Point { trial, summary, load, found, elapsed_ns };
        let mut managers = vec![point.server()];
        managers.extend(found.per_client.iter().map(|c| point.client(c)));
        Some(LoadPointMetrics { managers, elapsed_ns })
    }
}

/// Each once, in the order of workers.
pub(in crate::iometer) fn used_request_mixes(load: &Load) -> Vec<&RequestMix> {
    let mut mixes: Vec<&RequestMix> = Vec::new();
    for mix in load.workers.iter().filter_map(|w| load.mixes.get(usize::from(w.mix))) {
        if !mixes.iter().any(|m| std::ptr::eq(*m, mix)) {
            mixes.push(mix);
        }
    }
    mixes
}

/// True when requests have no reply, or all have one; `None` when some have.
pub(super) fn requests_have_replies(load: &Load) -> Option<bool> {
    let lines = drawn(load);
    let with = lines.iter().filter(|l| l.reply.0 > 0).count();
    match with {
        0 => Some(false),
        n if n == lines.len() => Some(true),
        _ => None,
    }
}

fn drawn(load: &Load) -> Vec<&RequestMixLine> {
    used_request_mixes(load).into_iter().flat_map(|m| &m.lines).filter(|l| l.share_percent > 0).collect()
}

struct Point<'a> {
    trial: &'a Trial,
    summary: &'a TrialSummary,
    load: &'a Load,
    found: &'a LoadSummary,
    elapsed_ns: u64,
}

impl Point<'_> {
    fn server(&self) -> ManagerMetrics {
        let host = self.summary.hosts.iter().find(|h| h.role == EndpointRole::Listen);
        let end = self.trial.ends.iter().find(|e| e.role == EndpointRole::Listen);
        let (read, written) = (self.bytes(self.found.receive_bps), self.bytes(self.found.transmit_bps));
        let name = host.map(|h| h.name.clone()).or_else(|| end.map(|e| e.host.clone()));
        let mut machine = self.machine(name.unwrap_or_else(|| "server".into()), host, end);
        machine.workers = usize::from(self.found.workers);
        machine.transactions_per_second = self.found.requests_per_second;
        machine.connections_per_second = self.found.connections_per_second;
        (machine.read_bytes, machine.written_bytes) = (read, written);
        machine.ios = self.ios(self.found.requests_per_second, read, written);
        if let Some(adapter) = &self.found.adapter {
            let packets = adapter.transmit_packets.saturating_add(adapter.receive_packets);
            machine.packets_per_second = Some(self.per_second(packets));
        }
        machine
    }

    fn client(&self, client: &LoadClientSummary) -> ManagerMetrics {
        let host =
            self.summary.hosts.iter().find(|h| h.role == EndpointRole::Connect && h.name == client.name);
        let end = self.trial.ends.iter().find(|e| e.role == EndpointRole::Connect && e.host == client.name);
        // A client's reads are the server's writes.
        let (read, written) = (self.bytes(client.transmit_bps), self.bytes(client.receive_bps));
        let index = self.load.clients.iter().position(|name| *name == client.name);
        let workers = self.load.workers.iter().filter(|w| index == Some(usize::from(w.client))).count();
        let mut machine = self.machine(client.name.clone(), host, end);
        machine.workers = workers;
        machine.transactions_per_second = client.requests_per_second;
        (machine.read_bytes, machine.written_bytes) = (read, written);
        let as_server = self.ios(client.requests_per_second, written, read);
        machine.ios = as_server.map(|(reads, writes)| (writes, reads));
        machine
    }

    fn machine(
        &self,
        name: String,
        host: Option<&HostSummary>,
        end: Option<&EndpointReport>,
    ) -> ManagerMetrics {
        let series = |name: &str| end?.series.iter().find(|s| s.name == name);
        let times = |name: &str| {
            let series = series(name)?;
            // Without workers those of excluded clients cannot be separated.
            let workers = series.column("worker");
            let wanted = |row| workers.is_none_or(|w| w.get(row).is_some_and(|w| self.has_worker(*w)));
            LatencyDistribution::from_selected_rows(series, wanted).filter(|d| d.count() > 0)
        };
        let at_client = end.filter(|e| e.role == EndpointRole::Connect);
        let failed = |s: &Series| s.column("count").unwrap_or_default().iter().sum::<i64>();
        let counters = host.and_then(|h| h.counters.as_ref());
        let interfaces = counters.and_then(|c| c.interfaces.value());
        // IOmeter also adds the loopback interface, which is left out here.
        let sum = |names: [&str; 2]| {
            let moved = interfaces?.iter().filter(|(name, _)| *name != "lo").flat_map(|(_, counts)| counts);
            let wanted = moved.filter(|(name, _)| names.contains(&name.as_str()));
            Some(wanted.map(|(_, n)| *n).fold(0u64, u64::saturating_add))
        };
        let retransmitted = counters.and_then(|c| c.protocol_counter("Tcp.RetransSegs"));
        ManagerMetrics {
            name,
            workers: 0,
            transactions_per_second: 0.0,
            connections_per_second: None,
            read_bytes: 0,
            written_bytes: 0,
            ios: None,
            writes: times("handover"),
            transactions: times("reply"),
            connects: times("connect"),
            cpu: host.and_then(|h| h.cpu.clone()),
            interrupts_per_second: counters
                .and_then(|c| c.activity.value())
                .map(|a| self.per_second(a.interrupts)),
            packets_per_second: sum(["rx_packets", "tx_packets"]).map(|n| self.per_second(n)),
            packet_errors: sum(["rx_errors", "tx_errors"]),
            errors: at_client.map(|_| series("connection-errors").map_or(0, failed).unsigned_abs()),
            retransmitted_per_second: retransmitted
                .and_then(|n| u64::try_from(n).ok())
                .map(|n| self.per_second(n)),
        }
    }

    fn has_worker(&self, worker: i64) -> bool {
        let worker = usize::try_from(worker).ok().and_then(|w| self.load.workers.get(w));
        let name = worker.and_then(|w| self.load.clients.get(usize::from(w.client)));
        name.is_some_and(|name| self.found.per_client.iter().any(|c| c.name == *name))
    }

    fn per_second(&self, count: u64) -> f64 {
        count as f64 * 1e9 / self.elapsed_ns as f64
    }

    /// Exact for windows below 8 s, within a byte for each 16 s above.
    fn bytes(&self, rate_bps: u64) -> u64 {
        let bits = u128::from(rate_bps) * u128::from(self.elapsed_ns);
        u64::try_from((bits + 4_000_000_000) / 8_000_000_000).unwrap_or(u64::MAX)
    }

    fn ios(&self, transactions_per_second: f64, read: u64, written: u64) -> Option<(u64, u64)> {
        let count = (transactions_per_second * self.elapsed_ns as f64 / 1e9).round();
        // A negative or unknown rate becomes 0.
        let transactions = count as u64;
        if requests_have_replies(self.load)? {
            return Some((transactions, transactions));
        }
        let lines = drawn(self.load);
        let both_ways = used_request_mixes(self.load).iter().any(|m| m.both_ways);
        if !both_ways && lines.iter().all(|l| l.reads_percent == 0) {
            return Some((0, transactions));
        }
        if !both_ways && lines.iter().all(|l| l.reads_percent == 100) {
            return Some((transactions, 0));
        }
        // Requests of one size are divided by the bytes each way.
        let size = lines.first()?.size.0;
        let one_size = size > 0 && lines.iter().all(|l| l.size.0 == size);
        let share = written as f64 / (written.saturating_add(read)).max(1) as f64;
        let writes = ((share * transactions as f64).round() as u64).min(transactions);
        one_size.then_some((transactions - writes, writes))
    }
}
