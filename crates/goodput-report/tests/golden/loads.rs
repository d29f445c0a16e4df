//! Synthetic load runs: 13 request sizes in three directions from twenty clients, and a range of clients.

use super::*;
use goodput_model::load::{
    ClientWindowSkew, ExcludedClient, Load, LoadWorker, RequestMix, TrafficPattern, default_request_sizes,
};

const WINDOW: u64 = 5_000_000_000;
/// Mbit/s and busy per cent of the server, for each of the article's sizes.
const TRANSMIT: [[f64; 13]; 2] = [
    [38.0, 75.0, 148.0, 290.0, 520.0, 720.0, 830.0, 868.0, 890.0, 896.0, 899.0, 898.6, 898.1],
    [99.2, 98.4, 96.0, 91.0, 84.0, 77.0, 70.0, 64.0, 58.0, 52.0, 48.0, 46.0, 45.0],
];
const RECEIVE: [[f64; 13]; 2] = [
    [31.0, 60.0, 118.0, 230.0, 430.0, 640.0, 790.0, 860.0, 885.0, 895.0, 901.0, 900.4, 899.7],
    [99.0, 97.1, 94.2, 90.0, 88.0, 83.0, 79.0, 75.0, 70.0, 66.0, 63.0, 62.0, 61.0],
];
const DUPLEX: [[f64; 13]; 2] = [
    [35.0, 70.0, 140.0, 270.0, 500.0, 760.0, 960.0, 1050.0, 1085.0, 1100.0, 1111.0, 1109.0, 1106.0],
    [99.5, 98.0, 94.8, 93.0, 92.0, 90.0, 88.0, 86.0, 84.0, 82.0, 80.0, 79.0, 78.0],
];

fn name(client: u16) -> String {
    format!("c{}", client + 1)
}

fn settings(traffic: TrafficPattern, size: u64, clients: u16) -> Load {
    let size = Bytes(size);
    let (transmit, receive) = (RequestMix::transmit_only(size), RequestMix::receive_only(size));
    let mixes = match traffic {
        TrafficPattern::Transmit => vec![transmit],
        TrafficPattern::Receive => vec![receive],
        TrafficPattern::Duplex | TrafficPattern::Mixed => vec![transmit, receive],
    };
    let each = mixes.len() as u16;
    let workers =
        (0..clients).flat_map(|client| (0..each).map(move |mix| LoadWorker { client, mix })).collect();
    Load { clients: (0..clients).map(name).collect(), mixes, workers, seed: 42, ..Load::default() }
}

fn made_by_hand(id: &str, severity: Severity, text: &str) -> Finding {
    finding(id, severity, text, &["made by hand"], "")
}

/// The last `excluded` clients are not in the result.
pub fn load_point(traffic: TrafficPattern, size: u64, clients: u16, excluded: u16) -> TrialSummary {
    let at = default_request_sizes().iter().position(|s| s.0 == size).unwrap_or(0);
    let (measured, share) = match traffic {
        TrafficPattern::Transmit => (TRANSMIT, 1.0),
        TrafficPattern::Receive => (RECEIVE, 0.0),
        TrafficPattern::Duplex | TrafficPattern::Mixed => (DUPLEX, 0.54),
    };
    let [mbit, busy] = measured.map(|row| row[at]);
    let both: u64 = if traffic == TrafficPattern::Duplex { 2 } else { 1 };
    let most = f64::from(clients) * 94.1 * both as f64;
    let (mbit, busy) = if mbit > most { (most, busy * most / mbit) } else { (mbit, busy) };
    let intervals: Vec<(u64, u64, u64)> = (1..=WINDOW / INTERVAL_NS)
        .map(|i| {
            // The second half compensates the first half's noise.
            let wave = if i <= 25 { wobble(i + size) } else { -wobble(i - 25 + size) };
            let bytes = mbit * 1e6 / 8.0 * INTERVAL_NS as f64 / 1e9 * (1.0 + 0.01 * wave);
            (i * INTERVAL_NS, (bytes * share) as u64, (bytes * (1.0 - share)) as u64)
        })
        .collect();
    let (sent, received) =
        intervals.iter().fold((0, 0), |(s, r), (_, sent, received)| (s + sent, r + received));
    let bps = |bytes: u64| bytes * 8 * 1_000_000_000 / WINDOW;
    let in_it = clients - excluded;
    let skewed = traffic == TrafficPattern::Transmit && size == 64;
    let skew = |client: u16| ClientWindowSkew {
        offset_ns: -4_000_000_000 + i64::from(client) * 400_000_000,
        offset_error_ns: 21_000,
        drift_ppb: 1_200,
        first_ns: Some(if skewed { 61_000_000 } else { 41_000 + i64::from(client) * 1_700 }),
        last_ns: Some(35_000 + i64::from(client) * 900),
        surprise_ns: -3_100,
    };
    let client = |client: u16| {
        let part = (1.0 + 0.05 * wobble(u64::from(client))) / f64::from(in_it);
        LoadClientSummary {
            name: name(client),
            transmit_bps: (bps(sent) as f64 * part) as u64,
            receive_bps: (bps(received) as f64 * part) as u64,
            requests_per_second: (sent + received) as f64 / 5.0 / size as f64 * part,
            skew: Some(skew(client)),
        }
    };
    let excluded_client = |client: u16| ExcludedClient {
        host: name(client),
        cause: "it has not replied for 10 s.".into(),
        midway: true,
    };
    let most_skew = Some(if skewed { 61_000_000 } else { 73_300 });
    let (start_ns, end_ns) = (most_skew.unwrap_or(0), WINDOW - 52_100);
    let rates = ClientOverlapRates {
        start_ns: INTERVAL_NS,
        end_ns: WINDOW - INTERVAL_NS,
        transmit_bps: bps(sent),
        receive_bps: bps(received),
    };
    let percent = (end_ns - start_ns) as f64 * 100.0 / WINDOW as f64;
    let overlap = ClientOverlap { start_ns, end_ns, percent, rates: Some(rates) };
    let per_client: Vec<LoadClientSummary> = (0..in_it).map(client).collect();
    let requests_per_second = (sent + received) as f64 / 5.0 / size as f64;
    let each = (f64::from(in_it) * 1e9 / requests_per_second) as u64;
    let wire = |bytes: u64, other: u64| bytes + bytes * 66 / 1448 + other / 2 * 66 / 1448;
    let mut s = blank(Probe::Load(settings(traffic, size, clients)));
    s.elapsed_ns = WINDOW;
    s.active_ns = Some(WINDOW - 80_000);
    s.bytes = Some(sent + received);
    s.goodput_bps = Some(bps(sent) + bps(received));
    s.hosts = (0..clients)
        .map(|c| (name(c), EndpointRole::Connect, CpuAccountingScope::Shared, 38.0))
        .chain([("srv".to_string(), EndpointRole::Listen, CpuAccountingScope::Pinned, busy)])
        .map(|(name, role, scope, busy)| {
            let cpu = CpuSummary { cpus: 1, busy_percent_per_cpu: vec![busy], ..cpu(scope, busy) };
            host(&name, role, cpu)
        })
        .collect();
    s.pe_index = Some((bps(sent) + bps(received)) as f64 / 1e6 / busy);
    let per_kib = busy / 100.0 * 5e6 * 1024.0 / (sent + received) as f64;
    let per_transaction = busy / 100.0 * 1e6 / requests_per_second;
    s.service_demand =
        service_demand(CpuAccountingScope::Pinned, [Some(per_kib), None, Some(per_transaction)]);
    s.limit = limit(Some(941_482_444 * both), Some("1000base-t"), TCP_ON_ETHERNET);
    s.percent_of_limit = s.goodput_bps.map(|g| g as f64 * 100.0 / (941_482_444 * both) as f64);
    let handover = [each / 3, each, each * 9 / 10, each * 2, each * 3, each * 5, each * 9, each * 11];
    let load = LoadSummary {
        traffic,
        size_bytes: Some(size),
        clients: in_it,
        workers: in_it * both as u16,
        transmit_bps: bps(sent),
        receive_bps: bps(received),
        requests_per_second,
        handover_ns: Some(latencies((requests_per_second * 5.0) as u64, handover)),
        reply_ns: None,
        connections_per_second: None,
        connect_ns: None,
        adapter: Some(AdapterTraffic {
            interface: "eth0".into(),
            transmit_bytes: wire(sent, received) + 21_000,
            receive_bytes: wire(received, sent) + 17_000,
            transmit_packets: sent / 1448 + received / 2896,
            receive_packets: received / 1448 + sent / 2896,
        }),
        expected_adapter_bytes: Some((wire(sent, received), wire(received, sent))),
        under_way_bytes: None,
        fairness: Some(0.999),
        per_client,
        excluded: (in_it..clients).map(excluded_client).collect(),
        skew_p99_ns: most_skew,
        skew_max_ns: most_skew,
        overlap: Some(overlap),
        connection_errors: 0,
        intervals,
    };
    s.result = ProbeResult::Load(LoadResult {
        transactions_per_second: Some(requests_per_second),
        load: Some(Box::new(load)),
        ..LoadResult::default()
    });
    if busy >= 95.0 {
        let text =
            format!("the CPU of the server srv had no time to spare ({busy:.1} % busy): it is the limit");
        s.findings.push(made_by_hand("server-cpu-saturated", Severity::Note, &text));
    }
    if excluded > 0 {
        let first = name(in_it);
        let text = format!(
            "{excluded} of {clients} clients not in the result: {first} (it has not answered for 10 s)"
        );
        s.findings.push(made_by_hand("client-excluded", Severity::Warning, &text));
    }
    if skewed {
        let text = "20 of 20 clients began or ended up to 61.0 ms away from the window's edges";
        s.findings.push(made_by_hand("window-skew", Severity::Warning, text));
    }
    s
}

/// The article's experiment: 13 sizes in three directions, twenty clients; one client was lost in one point.
pub fn load_run() -> ResultDocument {
    let mut trials = Vec::new();
    for traffic in [TrafficPattern::Transmit, TrafficPattern::Receive, TrafficPattern::Duplex] {
        for size in default_request_sizes() {
            let lost = u16::from(traffic == TrafficPattern::Duplex && size.0 == 1024);
            trials.push(load_point(traffic, size.0, 20, lost));
        }
    }
    run_of(trials)
}

pub fn load_cycle() -> ResultDocument {
    let point = |clients| load_point(TrafficPattern::Transmit, 65_536, clients, 0);
    run_of([1, 4, 8, 12, 16, 20].into_iter().map(point).collect())
}
