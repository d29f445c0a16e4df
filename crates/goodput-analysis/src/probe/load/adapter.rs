//! Compares the server adapter's count with the expected bytes of user data, headers and acknowledgements.
//! The kernel counts each connection's segments (TCP_INFO), read at both edges of the window; older runs have
//! one reading after the trial, which is scaled by bytes. Uncertainty: `docs/methods/load.md`.

use super::LoadParticipants;
use crate::medium_limit::ethernet::SEGMENTS_PER_ACK;
use crate::medium_limit::{TransportProtocol, ip_version_of_flow, total_header_bytes};
use goodput_model::host::HostCounters;
use goodput_model::load::Load;
use goodput_model::probe::TransferDirection;
use goodput_model::summary::AdapterTraffic;
use goodput_model::trial::{EndpointReport, Flow, TcpStatistics};

/// Ethernet header, which network cards and veth count. FCS, preamble and gap are in no byte counter.
const ETHERNET_HEADER: u64 = 14;
/// An adapter with fewer packets than this share of the segments was given several at once (segmentation
/// offload on veth), and counted one header for them.
const JOINED: f64 = 0.98;

/// The interfaces of the traffic, or the one with most traffic. `None` without counters.
pub(super) fn adapter_traffic(server: &EndpointReport) -> Option<AdapterTraffic> {
    let counters = server.counters.as_ref()?;
    let all = counters.interfaces.value()?;
    let path = server.inventory.as_ref().and_then(|i| i.path.value());
    let mut names: Vec<&String> = path.into_iter().flatten().filter(|name| all.contains_key(*name)).collect();
    if names.is_empty() {
        let moved = |name: &String| {
            let of = |counter| counters.interface_counter(name, counter).unwrap_or(0);
            of("tx_bytes").saturating_add(of("rx_bytes"))
        };
        names = all.keys().max_by_key(|name| moved(name)).into_iter().collect();
    }
    let sum = |counter: &str| {
        names.iter().filter_map(|name| counters.interface_counter(name, counter)).fold(0, u64::saturating_add)
    };
    let interface = names.iter().map(|n| n.as_str()).collect::<Vec<_>>().join(" + ");
    (!names.is_empty()).then(|| AdapterTraffic {
        interface,
        transmit_bytes: sum("tx_bytes"),
        receive_bytes: sum("rx_bytes"),
        transmit_packets: sum("tx_packets"),
        receive_packets: sum("rx_packets"),
    })
}

/// One direction: bytes of user data, segments, and bytes of their headers.
#[derive(Default)]
struct AdapterDirection {
    user: f64,
    segments: f64,
    headers: f64,
}

impl AdapterDirection {
    fn add(&mut self, user: f64, segments: f64, header: f64) {
        self.user += user;
        self.segments += segments;
        self.headers += segments * header;
    }

    fn counted(&self, packets: u64) -> f64 {
        let joined = self.segments > 0.0 && (packets as f64) < self.segments * JOINED;
        let share = if joined { packets as f64 / self.segments } else { 1.0 };
        self.user + self.headers * share
    }
}

/// Expected bytes each way, transmit first, between the counters' two readings. `None` without TCP_INFO of
/// every connection, with connections opened in the window, or with a client that dropped out.
pub(super) fn expected_adapter_bytes(
    members: &LoadParticipants<'_>,
    settings: &Load,
    adapter: &AdapterTraffic,
    elapsed_ns: u64,
) -> Option<(u64, u64)> {
    if settings.transactions_per_connection.is_some() || members.excluded.iter().any(|e| e.midway) {
        return None;
    }
    let (mut out, mut back) = (AdapterDirection::default(), AdapterDirection::default());
    for (client, end) in &members.clients {
        let mut workers: Vec<u16> = end.flows.iter().map(|f| f.index).collect();
        workers.sort_unstable();
        workers.dedup();
        for worker in workers.into_iter().filter(|w| settings.client_of_connection(*w) == Some(*client)) {
            connection(members.server, end, worker, &mut out, &mut back)?;
        }
    }
    let counters = members.server.counters.as_ref()?;
    // Counters and connections are read at different moments, above all on a busy host.
    let asked =
        members.server_flows().find_map(|f| f.tcp_window).map(|w| w.closed_ns.saturating_sub(w.opened_ns));
    let span = span(counters, asked.unwrap_or(elapsed_ns));
    let bytes = |way: &AdapterDirection, packets| (way.counted(packets) * span).round() as u64;
    Some((bytes(&out, adapter.transmit_packets), bytes(&back, adapter.receive_packets)))
}

/// User bytes sent first in the window less those read in it, out of the server and into it.
pub(super) fn bytes_in_flight(members: &LoadParticipants<'_>) -> Option<(i64, i64)> {
    let sent = |flow: &Flow| {
        let tcp = flow.tcp_window?.account;
        tcp.bytes_sent?.checked_sub(tcp.bytes_retransmitted)
    };
    let by_server: Option<Vec<u64>> = members.server_flows().filter(|f| !f.receives).map(sent).collect();
    let of_clients = members.clients.iter().flat_map(|(_, end)| &end.flows);
    let by_clients: Option<Vec<u64>> = of_clients.filter(|f| !f.receives).map(sent).collect();
    let more = |sent: Vec<u64>, read: u64| sent.iter().sum::<u64>() as i64 - read as i64;
    Some((more(by_server?, members.transmitted_bytes()), more(by_clients?, members.received_bytes())))
}

/// Time between the two readings of the counters over `elapsed_ns`; 1 where unknown.
fn span(counters: &HostCounters, elapsed_ns: u64) -> f64 {
    let middle = |p: (u64, u64)| p.0 / 2 + p.1 / 2;
    let span = middle(counters.closed_ns).saturating_sub(middle(counters.opened_ns));
    if span > 0 && elapsed_ns > 0 { span as f64 / elapsed_ns as f64 } else { 1.0 }
}

fn connection(
    server: &EndpointReport,
    client: &EndpointReport,
    worker: u16,
    out: &mut AdapterDirection,
    back: &mut AdapterDirection,
) -> Option<()> {
    let at_server = || server.flows.iter().filter(move |f| f.index == worker);
    let header = header(at_server().next()?) as f64;
    let sent = receiver(client, worker, TransferDirection::Receive);
    let received = receiver(server, worker, TransferDirection::Send);
    // Unread data at the edges passed the adapter at another time than it was counted; TCP_INFO has what was
    // sent and received in the window.
    if let Some(tcp) = at_server().find_map(|f| f.tcp_window).map(|w| w.account) {
        let arrived = |flow: Option<&Flow>| {
            let kernel = |f: &Flow| f.tcp_window.map_or(f.window_bytes, |w| w.account.bytes_received) as f64;
            flow.map_or(0.0, kernel)
        };
        let segments = |all: Option<u64>, with_data: u64, others: u64| match all {
            Some(all) => all as f64,
            None => with_data as f64 + (others / SEGMENTS_PER_ACK) as f64,
        };
        let (with_data_out, with_data_in) = (tcp.data_segments_out, tcp.data_segments_in);
        // Data behind a lost segment has passed the adapter and is not counted as received.
        let given = tcp.bytes_sent.map(|sent| sent as f64);
        let given = given.unwrap_or_else(|| arrived(sent) + tcp.bytes_retransmitted as f64);
        out.add(given, segments(tcp.segments_out, with_data_out, with_data_in), header);
        back.add(arrived(received), segments(tcp.segments_in, with_data_in, with_data_out), header);
        return Some(());
    }
    in_proportion(at_server().find_map(|f| f.tcp)?, [sent, received], header, out, back);
    Some(())
}

fn receiver(end: &EndpointReport, worker: u16, direction: TransferDirection) -> Option<&Flow> {
    end.flows.iter().find(|f| f.index == worker && f.receives && f.direction == direction)
}

/// One reading after the trial: the window's part is that of its bytes.
fn in_proportion(
    tcp: TcpStatistics,
    [sent, received]: [Option<&Flow>; 2],
    header: f64,
    out: &mut AdapterDirection,
    back: &mut AdapterDirection,
) {
    let counted =
        |flow: Option<&Flow>| flow.map_or((0.0, 0.0), |f| (f.window_bytes as f64, f.total_bytes() as f64));
    let ((sent, sent_in_all), (received, received_in_all)) = (counted(sent), counted(received));
    let part = |part: f64, whole: f64| if whole > 0.0 { Some(part / whole) } else { None };
    let (out_part, back_part) = (part(sent, sent_in_all), part(received, received_in_all));
    // Acknowledgements belong to the other side's data; without any they are those of the opening.
    let acks = |all: Option<u64>, with_data: u64, others: u64| match all {
        Some(all) => all.saturating_sub(with_data) as f64,
        None => (others / SEGMENTS_PER_ACK) as f64,
    };
    let acks_out = acks(tcp.segments_out, tcp.data_segments_out, tcp.data_segments_in);
    let acks_back = acks(tcp.segments_in, tcp.data_segments_in, tcp.data_segments_out);
    let either = |first: Option<f64>, second: Option<f64>| first.or(second).unwrap_or(0.0);
    let again = tcp.bytes_retransmitted as f64 * out_part.unwrap_or(0.0);
    out.add(
        sent + again,
        tcp.data_segments_out as f64 * out_part.unwrap_or(0.0) + acks_out * either(back_part, out_part),
        header,
    );
    back.add(
        received,
        tcp.data_segments_in as f64 * back_part.unwrap_or(0.0) + acks_back * either(out_part, back_part),
        header,
    );
}

/// Bytes in front of a segment's data, without options of single segments (SACK blocks).
fn header(flow: &Flow) -> u64 {
    let timestamps = flow.socket.timestamps.unwrap_or(true);
    ETHERNET_HEADER + total_header_bytes(ip_version_of_flow(flow), TransportProtocol::Tcp { timestamps })
}
