//! What both ends observed in one trial of a stream or a copy: the input of a diagnosis.

mod copy;

use crate::descriptive_statistics::mean;
use crate::finding::{count_interface_drops, softnet_drops};
use crate::probe::{find_series, series_name};
use goodput_model::diagnosis::Intervention;
use goodput_model::probe::{Stream, TransferDirection};
use goodput_model::summary::{DirectionSummary, StreamResult, TrialSummary};
use goodput_model::trial::{EndpointReport, Flow, TcpStatistics, ThreadTime};
use goodput_model::{Probe, Trial, TrialOutcome};

/// Shares are between 0 and 1; of several connections the mean.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Observation {
    pub settings: Stream,
    pub complete: bool,
    /// Of the diagnosed direction; of both directions the sum. Of a transfer of fixed length over its time on the
    /// sender's clock.
    pub goodput_bps: f64,
    /// In the diagnosed direction alone.
    pub direction_bps: f64,
    pub elapsed_s: f64,
    /// Mean of the smoothed round trips in the window.
    pub round_trip_us: Option<f64>,
    pub min_round_trip_us: Option<f64>,
    /// Of the time with data outstanding.
    pub receive_window_share: f64,
    pub send_buffer_share: f64,
    /// Of the window: data was outstanding.
    pub busy_share: f64,
    /// Of the samples: the kernel had nothing to send.
    pub application_limited_share: Option<f64>,
    pub retransmit_share: f64,
    /// Duplicates that the receiver reported, of the segments sent again.
    pub needless_retransmit_share: Option<f64>,
    pub out_of_order_share: Option<f64>,
    pub segment_bytes: Option<u32>,
    pub window_scaling: Option<bool>,
    pub sender: EndObservation,
    pub receiver: EndObservation,
    /// In the queues of the sending host's interfaces; of the packets that they sent.
    pub sender_queue_drop_share: f64,
    /// In the interfaces and backlog of the receiving host; of the packets that it received.
    pub receiver_drop_share: f64,
    /// In its backlog alone, which also counts them as the interface's.
    pub backlog_drop_share: f64,
    /// Of the medium's limit; `None` where the medium is unknown.
    pub limit_share: Option<f64>,
    pub half_duplex: bool,
    pub shared_bus: bool,
    /// `None` for a stream.
    pub storage: Option<StorageObservation>,
}

/// The place of a copy, also where that is memory.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StorageObservation {
    /// The host that has it.
    pub host: String,
    /// Of the time: the block device had a request in flight. `None` where that is not counted.
    pub busy: Option<f64>,
    /// Of the time: the copy waited for the place, or for the network between.
    pub waited: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct EndObservation {
    pub host: String,
    /// Of the window, the mean of its measuring threads.
    pub running: f64,
    /// Ready to run, but without a CPU.
    pub waiting: f64,
    /// Of the periods of a CPU quota.
    pub throttled: f64,
    /// CPU time of the measuring threads.
    pub ns_per_byte: f64,
    /// Of the busiest CPU.
    pub busiest_cpu: f64,
    pub busiest_softirq: f64,
    /// The CPU with the most softirq time, and the least busy of the others.
    pub softirq_cpu: Option<u32>,
    pub other_cpu: Option<u32>,
    pub steal: f64,
}

impl EndObservation {
    /// How near its CPU is to being the limit.
    pub fn cpu_load(&self) -> f64 {
        (self.running + self.waiting).max(self.throttled)
    }
}

/// What a trial of a diagnosis changes; `None` outside a diagnosis.
pub fn intervention_of(probe: &Probe) -> Option<Intervention> {
    match probe {
        Probe::Stream(settings) => settings.intervention,
        Probe::File(settings) => settings.intervention,
        _ => None,
    }
}

/// From a trial and its summary; `None` for another probe, and for a copy that did not end.
pub fn observe(trial: &Trial, summary: &TrialSummary) -> Option<Observation> {
    let settings = match &trial.probe {
        Probe::Stream(settings) => settings,
        Probe::File(settings) => return copy::observe_copy(trial, summary, settings),
        _ => return None,
    };
    let result = summary.result.downcast_ref::<StreamResult>();
    let direction = diagnosed_direction(settings);
    let found = result.and_then(|r| r.directions.iter().find(|d| d.direction == direction));
    let goodput = |d: &DirectionSummary| d.goodput_bps.unwrap_or(0) as f64;
    let transfer = result.and_then(|r| r.transfer_bps).map(|bps| bps as f64);
    let sum: f64 = result.map_or(0.0, |r| r.directions.iter().map(goodput).sum());
    let [sender, receiver] = [false, true].map(|receives| end_of(trial, direction, receives));
    let tcp: Vec<&TcpStatistics> = sender.iter().flat_map(|end| accounts(end, direction)).collect();
    let busy: f64 = tcp.iter().map(|t| t.busy_us as f64).sum();
    let share = |part: fn(&TcpStatistics) -> u64| ratio(tcp.iter().map(|t| part(t) as f64).sum(), busy);
    let count = |part: fn(&TcpStatistics) -> u64| tcp.iter().map(|t| part(t) as f64).sum::<f64>();
    let optional = |part: fn(&TcpStatistics) -> Option<u64>| {
        tcp.iter().map(|t| part(t)).sum::<Option<u64>>().map(|n| n as f64)
    };
    let sent = count(|t| t.data_segments_out);
    let again = count(|t| t.retransmits);
    let arrived: Vec<&TcpStatistics> = receiver.iter().flat_map(|end| accounts(end, direction)).collect();
    let in_segments: f64 = arrived.iter().map(|t| t.data_segments_in as f64).sum();
    let out_of_order = arrived.iter().map(|t| t.out_of_order_segments).sum::<Option<u64>>();
    let rfc6349 = found.and_then(|d| d.rfc6349.as_deref());
    let socket = found.and_then(|d| d.sender_socket.as_ref());
    let elapsed_s = summary.elapsed_ns as f64 / 1e9;
    let ends = [(sender, false), (receiver, true)];
    let [sender_seen, receiver_seen] = ends
        .map(|(end, receives)| end.map(|e| observe_end(summary, e, direction, receives)).unwrap_or_default());
    Some(Observation {
        settings: settings.clone(),
        complete: trial.outcome == TrialOutcome::Complete,
        goodput_bps: transfer.unwrap_or(sum),
        direction_bps: found.map_or(0.0, goodput),
        elapsed_s,
        round_trip_us: rfc6349.and_then(|r| r.round_trip_mean_us),
        min_round_trip_us: rfc6349.and_then(|r| r.round_trip_baseline_us).map(f64::from),
        receive_window_share: share(|t| t.rwnd_limited_us),
        send_buffer_share: share(|t| t.sndbuf_limited_us),
        busy_share: ratio(busy / 1e6, elapsed_s * tcp.len() as f64),
        application_limited_share: sender
            .and_then(|end| application_limited_share(end, direction, settings.connections)),
        retransmit_share: ratio(again, sent),
        needless_retransmit_share: optional(|t| t.dsack_duplicates)
            .filter(|_| again > 0.0)
            .map(|n| n / again),
        out_of_order_share: out_of_order.map(|n| ratio(n as f64, in_segments)),
        segment_bytes: socket.and_then(|s| s.mss),
        window_scaling: socket.and_then(|s| s.window_scaling),
        sender: sender_seen,
        receiver: receiver_seen,
        sender_queue_drop_share: sender.map_or(0.0, |end| {
            let (dropped, sent) = count_interface_drops(end, &["qdisc_drops", "tx_dropped"], "tx_packets");
            ratio(dropped as f64, sent as f64)
        }),
        receiver_drop_share: receiver.map_or(0.0, |end| {
            let (dropped, received) =
                count_interface_drops(end, &["rx_dropped", "rx_missed_errors"], "rx_packets");
            ratio(dropped.saturating_add(softnet_drops(end)) as f64, received as f64)
        }),
        backlog_drop_share: receiver.map_or(0.0, |end| {
            let (_, received) = count_interface_drops(end, &[], "rx_packets");
            ratio(softnet_drops(end) as f64, received as f64)
        }),
        limit_share: summary.percent_of_limit.map(|percent| percent / 100.0),
        half_duplex: trial.medium.as_ref().is_some_and(|m| m.half_duplex),
        shared_bus: trial.bus.as_ref().is_some_and(|bus| bus.shared),
        storage: None,
    })
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

/// Of both directions the one that the connecting end sends.
pub fn diagnosed_direction(settings: &Stream) -> TransferDirection {
    settings.direction.one_way_directions()[0]
}

fn end_of(trial: &Trial, direction: TransferDirection, receives: bool) -> Option<&EndpointReport> {
    trial.ends.iter().find(|end| flows(end, direction, receives).next().is_some())
}

fn flows(end: &EndpointReport, direction: TransferDirection, receives: bool) -> impl Iterator<Item = &Flow> {
    end.flows.iter().filter(move |f| f.direction == direction && f.receives == receives)
}

/// In the window where it was read at the edges, else over the whole trial.
fn accounts(end: &EndpointReport, direction: TransferDirection) -> impl Iterator<Item = &TcpStatistics> {
    let ours = end.flows.iter().filter(move |f| f.direction == direction);
    ours.filter_map(|f| f.tcp_window.as_ref().map(|w| &w.account).or(f.tcp.as_ref()))
}

/// Of the samples in the window.
fn application_limited_share(end: &EndpointReport, direction: TransferDirection, count: u16) -> Option<f64> {
    let samples = flows(end, direction, false).filter_map(|flow| {
        let series = find_series(end, &series_name("tcp-info", flow, count))?;
        Some(series.column("app_limited")?.iter().map(|v| *v as f64).collect::<Vec<_>>())
    });
    mean(&samples.flatten().collect::<Vec<_>>())
}

fn observe_end(
    summary: &TrialSummary,
    end: &EndpointReport,
    direction: TransferDirection,
    receives: bool,
) -> EndObservation {
    let threads: Vec<&ThreadTime> =
        flows(end, direction, receives).filter_map(|f| f.thread.as_ref()).collect();
    let window = end.window.elapsed().0 as f64;
    let time = |of: fn(&ThreadTime) -> u64| threads.iter().map(|t| of(t) as f64).sum::<f64>();
    let share = |of: fn(&ThreadTime) -> u64| ratio(time(of), window * threads.len() as f64);
    let bytes: f64 = flows(end, direction, receives).map(|f| f.window_bytes as f64).sum();
    let host = summary.hosts.iter().find(|h| h.role == end.role);
    let cpu = host.and_then(|h| h.cpu.as_ref());
    let account = end.cpu.as_ref();
    let cpus = account.map_or(&[][..], |account| &account.cpus);
    let softirq = cpus.iter().max_by_key(|t| t.softirq_ns);
    let softirq_cpu = softirq.and_then(|t| t.cpu);
    let other = cpus.iter().filter(|t| t.cpu != softirq_cpu).max_by_key(|t| t.idle_ns);
    let softirq_percent = account.zip(softirq).and_then(|(a, t)| a.cpu_time_percent(t, |_, t| t.softirq_ns));
    EndObservation {
        host: end.host.clone(),
        running: share(|t| t.running_ns),
        waiting: share(|t| t.waiting_ns),
        throttled: cpu.and_then(|c| c.quota).map_or(0.0, |q| q.throttled_percent / 100.0),
        ns_per_byte: ratio(time(|t| t.running_ns), bytes),
        busiest_cpu: cpu
            .and_then(|c| c.busy_percent_per_cpu.iter().copied().reduce(f64::max))
            .map_or(0.0, |percent| percent / 100.0),
        busiest_softirq: softirq_percent.map_or(0.0, |percent| percent / 100.0),
        softirq_cpu,
        other_cpu: other.and_then(|t| t.cpu),
        steal: cpu.map_or(0.0, |c| c.steal_percent / 100.0),
    }
}
