//! What an order asks of one end, as far as it says so beforehand: an agent's policy is judged by it.

use super::StopCondition;
use crate::units::{BitRate, Bytes, Nanos};

/// What an order asks of one end; `None` where it sets no bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrafficDemand {
    /// Payload a second in one direction, all connections together.
    pub rate: Option<BitRate>,
    pub time: Option<Nanos>,
    /// Connections or flows at the same time. The one on which the window is agreed is not counted.
    pub connections: u32,
    /// Payload of the whole trial, both directions together.
    pub bytes: Option<Bytes>,
}

impl StopCondition {
    /// Of a trial that ends so, of `parts` directions and units of so many bytes.
    pub(super) fn traffic_demand(
        self,
        warm_up: Nanos,
        rate: Option<BitRate>,
        connections: u32,
        parts: u64,
        unit: Bytes,
    ) -> TrafficDemand {
        let (time, bytes) = match self {
            StopCondition::Time(window) => {
                let time = Some(Nanos(window.0.saturating_add(warm_up.0)));
                (time, bytes_at_rate(rate, time))
            }
            StopCondition::Bytes(bytes) => (None, Some(bytes.0)),
            StopCondition::Count(n) => (None, Some(n.saturating_mul(unit.0))),
        };
        let bytes = bytes.map(|b| Bytes(b.saturating_mul(parts)));
        TrafficDemand { rate, time, connections, bytes }
    }
}

impl TrafficDemand {
    /// Both at the same time, as long as the first takes.
    pub(super) fn combined_with(self, other: TrafficDemand) -> TrafficDemand {
        let both = |a: Option<u64>, b: Option<u64>| Some(a?.saturating_add(b?));
        TrafficDemand {
            rate: both(self.rate.map(|r| r.0), other.rate.map(|r| r.0)).map(BitRate),
            time: self.time,
            connections: self.connections + other.connections,
            bytes: both(self.bytes.map(|b| b.0), other.bytes.map(|b| b.0)).map(Bytes),
        }
    }
}

/// Bytes of a rate in a time.
pub(super) fn bytes_at_rate(rate: Option<BitRate>, time: Option<Nanos>) -> Option<u64> {
    let bits = u128::from(rate?.0) * u128::from(time?.0) / 1_000_000_000;
    Some(u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX))
}

/// End and bytes of an interval.
const INTERVAL_BYTES: u64 = 16;

/// Memory for counted intervals; nothing without a window: those intervals grow longer instead of more.
pub(super) fn interval_bytes(window: Option<Nanos>, interval: Nanos) -> u64 {
    window.map_or(0, |window| (window.0 / interval.0.max(1)).saturating_mul(INTERVAL_BYTES))
}

/// Units a second of so many bytes. A cast of a float saturates.
pub(super) fn payload_bit_rate(units: f64, each: Bytes) -> BitRate {
    BitRate((units * each.0 as f64 * 8.0).ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagram::{Datagram, DatagramRate};
    use crate::file::{File, FileDirection, FileLocation, FileWorkload, SinkStorageKind, VerifyMode};
    use crate::latency::Latency;
    use crate::load::{Load, LoadWorker, RequestMix};
    use crate::probe::{EndpointRole, Probe, Request, RequestKind, SocketOptions, Stream, TransferDirection};

    const S: u64 = 1_000_000_000;

    fn of(probe: Probe, role: EndpointRole) -> TrafficDemand {
        probe.settings().traffic_demand(role, 1)
    }

    fn paced(rate: u64) -> SocketOptions {
        SocketOptions { pacing: Some(BitRate(rate)), ..SocketOptions::default() }
    }

    #[test]
    fn only_a_paced_stream_has_a_bound() {
        let time = Some(Nanos(11 * S));
        let demand = of(Probe::Stream(Stream::default()), EndpointRole::Listen);
        assert_eq!(demand, TrafficDemand { rate: None, time, connections: 1, bytes: None });
        let (direction, socket) = (TransferDirection::Both, paced(8_000_000));
        let settings = Stream { direction, connections: 4, socket, ..Stream::default() };
        // 32 Mbit/s each way for 11 s, both ways.
        let (rate, bytes) = (Some(BitRate(32_000_000)), Some(Bytes(88_000_000)));
        let demand = of(Probe::Stream(settings), EndpointRole::Connect);
        assert_eq!(demand, TrafficDemand { rate, time, connections: 8, bytes });
    }

    #[test]
    fn a_demand_is_what_its_probe_asks_for() {
        let by = |stop| of(Probe::Stream(Stream { stop, ..Stream::default() }), EndpointRole::Listen);
        assert_eq!(by(StopCondition::Bytes(Bytes(7))).bytes, Some(Bytes(7)));
        let counted = by(StopCondition::Count(2));
        assert_eq!((counted.bytes, counted.time), (Some(Bytes(256 << 10)), None));
        let rate = Some(DatagramRate::Datagrams(1_000.0));
        let paced = Datagram { rate, size: Bytes(125), flows: 2, ..Datagram::default() };
        let paced = of(Probe::Datagram(paced), EndpointRole::Connect);
        assert_eq!((paced.rate, paced.connections), (Some(BitRate(1_000_000)), 2));
        let open = Request { rate: Some(10.0), response: Bytes(100), ..Request::default() };
        assert_eq!(of(Probe::Request(open), EndpointRole::Connect).rate, Some(BitRate(8_000)));
        for probe in [Probe::Datagram(Datagram::default()), Probe::Request(Request::default())] {
            assert_eq!(of(probe, EndpointRole::Connect).rate, None);
        }
    }

    #[test]
    fn latency_is_its_probes_and_its_load() {
        // 64 B each 5 ms.
        let idle = of(Probe::Latency(Latency::default()), EndpointRole::Connect);
        assert_eq!((idle.rate, idle.connections), (Some(BitRate(102_400)), 1));
        let loaded = Latency { load: Some(TransferDirection::Both), ..Latency::default() };
        let loaded = of(Probe::Latency(loaded), EndpointRole::Connect);
        assert_eq!((loaded.rate, loaded.connections), (None, 9));
    }

    #[test]
    fn a_client_of_a_load_has_its_own_workers_and_the_server_all() {
        let worker = |client| LoadWorker { client, mix: 0 };
        let (mixes, workers) = (vec![RequestMix::transmit_only(Bytes(64))], [0, 1, 1, 2].map(worker).into());
        let settings = Load { mixes, workers, socket: paced(1_000), ..Load::default() };
        let client = of(Probe::Load(settings.clone()), EndpointRole::Connect);
        let server = of(Probe::Load(settings), EndpointRole::Listen);
        assert_eq!((client.connections, server.connections), (2, 4));
        assert_eq!(server.rate, Some(BitRate(4_000)));
    }

    #[test]
    fn a_copy_is_also_what_it_compares_and_stores_again() {
        let bytes = |verify, storage_passes| {
            let (way, size, block) = (FileDirection::Write, Bytes(8 << 20), Bytes(1 << 20));
            let work = FileWorkload::Copy { way, size, block, depth: 1, local: None };
            let place = FileLocation::Sink { sink: SinkStorageKind::Memory };
            let copy = File::new(vec!["c".into()], place, String::new(), work);
            let file = File { verify, storage_passes, ..copy };
            of(Probe::File(file), EndpointRole::Connect).bytes
        };
        let all =
            [(VerifyMode::Off, 1), (VerifyMode::Sample, 1), (VerifyMode::Full, 1), (VerifyMode::Off, 4)];
        let all = all.map(|(verify, passes)| bytes(verify, passes));
        assert_eq!(all, [8, 9, 16, 32].map(|mib| Some(Bytes(mib << 20))));
    }

    #[test]
    fn pacing_bounds_no_connection_for_each_transaction() {
        let worker = LoadWorker { client: 1, mix: 0 };
        let (mixes, socket) = (vec![RequestMix::transmit_only(Bytes(64))], paced(1_000));
        let load = Load { mixes, workers: vec![worker], socket: socket.clone(), ..Load::default() };
        let each = Load { transactions_per_connection: Some(1), ..load.clone() };
        let request = Request { socket, ..Request::default() };
        let connecting = Request { transport: RequestKind::TcpCrr, ..request.clone() };
        for (bounded, boundless) in
            [(Probe::Load(load), Probe::Load(each)), (Probe::Request(request), Probe::Request(connecting))]
        {
            assert_eq!(of(bounded, EndpointRole::Connect).rate, Some(BitRate(1_000)));
            assert_eq!(of(boundless, EndpointRole::Connect).rate, None);
        }
    }
}
