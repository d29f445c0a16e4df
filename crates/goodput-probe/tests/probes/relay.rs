//! Trials through a relay that duplicates, delays or drops packets by position or by a seed: a fault concerns
//! the packet that it hits and nothing else. `GOODPUT_PROVE=1` runs 500 seeds.

use crate::{both_ends_through, order, pingpong, proves};
use goodput_analysis::random::SplitMix64;
use goodput_model::datagram::{Datagram, DatagramRate};
use goodput_model::latency::Latency;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::mtu::{Mtu, MtuOutcome};
use goodput_model::probe::clock::Clock;
use goodput_model::probe::{PingPong, Request, RequestKind, StopCondition, Stream, TransferDirection};
use goodput_model::trial::TrialTimeouts;
use goodput_model::{Bytes, Nanos, Probe};
use goodput_probe::{CancelFlag, DataListener, EndpointMeasurement};
use std::collections::HashMap;
use std::io::{Read, Write};
use std::mem::MaybeUninit;
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread::{Scope, sleep};
use std::time::Duration;

const MS: u64 = 1_000_000;
/// Transactions of a request trial, and datagrams each way of a datagram trial.
const GOAL: u64 = 8;
const LARGEST_PACKET: u32 = 1_500;
/// The index in the opening of a control connection.
const CONTROL_CONNECTION: [u8; 2] = [0xff; 2];
/// A delay longer than the interval of repeated openings.
const LATE: Duration = Duration::from_millis(120);
/// Later packets overtake.
const REORDERED: Duration = Duration::from_millis(8);
const LAST_COPY: Duration = Duration::from_millis(25);
const TRIALS_AT_ONCE: usize = 10;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fault {
    /// Two copies at once, and one after later packets.
    Duplicate,
    Delay(Duration),
    Drop,
}

/// `way` 0 leads to the listening end, 1 from it.
#[derive(Debug, Clone, Copy)]
pub enum Plan {
    None,
    Udp {
        way: usize,
        number: u64,
        fault: Fault,
    },
    /// One read of the TCP connections is passed on late.
    Tcp {
        way: usize,
        number: u64,
    },
    /// Of ten UDP packets each way two are duplicated, two reordered, and, for odd seeds, three dropped.
    Random(u64),
}

impl Plan {
    fn udp_fault(self, way: usize, number: u64) -> Option<Fault> {
        match self {
            Plan::Udp { way: w, number: n, fault } => ((w, n) == (way, number)).then_some(fault),
            Plan::None | Plan::Tcp { .. } => None,
            Plan::Random(seed) => {
                let mut random = SplitMix64::new(seed << 32 | number << 1 | way as u64);
                match random.next_below(10) {
                    0 | 1 => Some(Fault::Duplicate),
                    2 | 3 => Some(Fault::Delay(REORDERED)),
                    4..=6 if seed % 2 == 1 => Some(Fault::Drop),
                    _ => None,
                }
            }
        }
    }
}

/// Passes UDP and TCP of one port on to a data listener, and TCP of the ports that the listening end announces.
/// It has an address of its own, so that these ports are free.
pub struct Relay {
    plan: Plan,
    pub at: SocketAddr,
    to: SocketAddr,
    tcp: TcpListener,
    udp: UdpSocket,
    /// More ports.
    announced: Mutex<Vec<SocketAddr>>,
    connections: Mutex<Connections>,
    paths: Mutex<Vec<Arc<UdpSocket>>>,
    ignores_datagrams: AtomicBool,
    datagram_bytes: [AtomicU64; 2],
    largest_datagram: [AtomicU64; 2],
    packets: [AtomicU64; 2],
    reads: [AtomicU64; 2],
    /// Late or dropped packets.
    hit: AtomicU64,
    over: AtomicBool,
}

#[derive(Default)]
struct Connections {
    open: Vec<Arc<Connection>>,
    /// Bytes of those that are closed, as [`Connection::bytes`].
    closed: [[u64; 2]; 2],
}

struct Connection {
    /// To the connecting end, and to the listening one.
    ends: [TcpStream; 2],
    ways_ended: AtomicUsize,
}

impl Connection {
    /// Sent and received by this end, by the relay's socket, without the acknowledged SYN and FIN.
    fn bytes(&self, end: usize) -> [u64; 2] {
        // SAFETY: tcp_info is plain numbers.
        let info: libc::tcp_info =
            unsafe { socket_option(&self.ends[end], libc::IPPROTO_TCP, libc::TCP_INFO) };
        [info.tcpi_bytes_received.saturating_sub(1), info.tcpi_bytes_acked.saturating_sub(2)]
    }
}

/// # Safety
///
/// `T` is plain numbers, all of which may be zero.
unsafe fn socket_option<T>(socket: &impl AsRawFd, level: i32, name: i32) -> T {
    let mut value = MaybeUninit::<T>::zeroed();
    let mut length = size_of::<T>() as libc::socklen_t;
    let (fd, at) = (socket.as_raw_fd(), value.as_mut_ptr().cast());
    // SAFETY: pointer and length describe `value`.
    let done = unsafe { libc::getsockopt(fd, level, name, at, &mut length) };
    assert_eq!(done, 0, "{}", std::io::Error::last_os_error());
    // SAFETY: as the caller promises.
    unsafe { value.assume_init() }
}

/// What a socket had no room for, in datagrams.
fn dropped_datagrams(socket: &UdpSocket) -> u64 {
    const DROPS: usize = libc::SK_MEMINFO_DROPS as usize;
    // SAFETY: plain numbers.
    let info: [u32; DROPS + 1] = unsafe { socket_option(socket, libc::SOL_SOCKET, libc::SO_MEMINFO) };
    u64::from(info[DROPS])
}

impl Relay {
    pub fn new(to: SocketAddr, plan: Plan) -> Relay {
        let (tcp, udp, at) = loop {
            let tcp = TcpListener::bind("127.0.0.2:0").unwrap();
            let at = tcp.local_addr().unwrap();
            if let Ok(udp) = UdpSocket::bind(at) {
                break (tcp, udp, at);
            }
        };
        let counters = || -> [AtomicU64; 2] { Default::default() };
        udp.set_read_timeout(Some(LAST_COPY)).unwrap();
        Relay {
            plan,
            at,
            to,
            tcp,
            udp,
            announced: Mutex::default(),
            connections: Mutex::default(),
            paths: Mutex::default(),
            ignores_datagrams: AtomicBool::new(false),
            datagram_bytes: counters(),
            largest_datagram: counters(),
            packets: counters(),
            reads: counters(),
            hit: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    pub fn start<'s>(&'s self, s: &'s Scope<'s, '_>) -> End<'s> {
        s.spawn(move || self.pass_datagrams(s));
        s.spawn(move || self.pass_connections(s, &self.tcp, self.to));
        End(self)
    }

    pub fn is_over(&self) -> bool {
        self.over.load(Relaxed)
    }

    /// Counts no more of them.
    pub fn ignore_datagrams(&self) {
        self.ignores_datagrams.store(true, Relaxed);
    }

    /// Payload sent and received by the connecting (0) or listening (1) end, without control connections.
    pub fn bytes(&self, end: usize) -> [u64; 2] {
        let connections = self.connections.lock().unwrap();
        let open = connections.open.iter().map(|connection| connection.bytes(end));
        let [sent, received] = open.fold(connections.closed[end], |a, b| [a[0] + b[0], a[1] + b[1]]);
        let lost: u64 = match end {
            0 => dropped_datagrams(&self.udp),
            _ => self.paths.lock().unwrap().iter().map(|path| dropped_datagrams(path)).sum(),
        };
        let [out, back] = [end, 1 - end].map(|way| self.datagram_bytes[way].load(Relaxed));
        [sent + out + lost * self.largest_datagram[end].load(Relaxed), received + back]
    }

    fn pass_datagrams<'s>(&'s self, s: &'s Scope<'s, '_>) {
        let (mut bytes, mut paths) = (vec![0; 65_536], HashMap::new());
        while !self.over.load(Relaxed) {
            let Ok((n, from)) = self.udp.recv_from(&mut bytes) else { continue };
            let path = paths.entry(from).or_insert_with(|| self.open_path(s, from)).clone();
            self.pass(s, 0, &bytes[..n], move |bytes| drop(path.send(bytes)));
        }
    }

    /// A socket for each address of the connecting end; its answers go back there.
    fn open_path<'s>(&'s self, s: &'s Scope<'s, '_>, client: SocketAddr) -> Arc<UdpSocket> {
        let path = Arc::new(UdpSocket::bind("127.0.0.1:0").unwrap());
        path.connect(self.to).unwrap();
        path.set_read_timeout(Some(LAST_COPY)).unwrap();
        self.paths.lock().unwrap().push(path.clone());
        let back = path.clone();
        s.spawn(move || {
            let mut bytes = vec![0; 65_536];
            while !self.over.load(Relaxed) {
                let Ok(n) = back.recv(&mut bytes) else { continue };
                self.pass(s, 1, &bytes[..n], move |bytes| drop(self.udp.send_to(bytes, client)));
            }
        });
        path
    }

    fn pass<'s>(&'s self, s: &'s Scope<'s, '_>, way: usize, bytes: &[u8], send: impl Fn(&[u8]) + Send + 's) {
        if !self.ignores_datagrams.load(Relaxed) {
            self.datagram_bytes[way].fetch_add(bytes.len() as u64, Relaxed);
            self.largest_datagram[way].fetch_max(bytes.len() as u64, Relaxed);
        }
        let fault = self.plan.udp_fault(way, self.packets[way].fetch_add(1, Relaxed));
        let after = match fault {
            None => return send(bytes),
            Some(Fault::Duplicate) => {
                (0..2).for_each(|_| send(bytes));
                LAST_COPY
            }
            Some(Fault::Delay(_) | Fault::Drop) => {
                self.hit.fetch_add(1, Relaxed);
                let Some(Fault::Delay(delay)) = fault else { return };
                delay
            }
        };
        let bytes = bytes.to_vec();
        s.spawn(move || {
            sleep(after);
            send(&bytes);
        });
    }

    fn pass_connections<'s>(&'s self, s: &'s Scope<'s, '_>, tcp: &TcpListener, to: SocketAddr) {
        while let Ok((near, _)) = tcp.accept() {
            if self.over.load(Relaxed) {
                return;
            }
            let Ok(far) = TcpStream::connect(to) else { continue };
            let connection = Arc::new(Connection { ends: [near, far], ways_ended: AtomicUsize::new(0) });
            self.connections.lock().unwrap().open.push(connection.clone());
            for (way, connection) in [connection.clone(), connection].into_iter().enumerate() {
                s.spawn(move || {
                    self.pass_bytes(s, way, &connection);
                    if connection.ways_ended.fetch_add(1, Relaxed) == 1 {
                        self.close(&connection);
                    }
                });
            }
        }
    }

    fn close(&self, connection: &Arc<Connection>) {
        let mut connections = self.connections.lock().unwrap();
        let Some(at) = connections.open.iter().position(|open| Arc::ptr_eq(open, connection)) else { return };
        connections.open.swap_remove(at);
        for end in 0..2 {
            let bytes = connection.bytes(end);
            connections.closed[end].iter_mut().zip(bytes).for_each(|(sum, bytes)| *sum += bytes);
        }
    }

    fn pass_bytes<'s>(&'s self, s: &'s Scope<'s, '_>, way: usize, connection: &Arc<Connection>) {
        let (mut from, mut into) = (&connection.ends[way], &connection.ends[1 - way]);
        let mut bytes = vec![0; 65_536];
        let _ = into.set_nodelay(true);
        while let Ok(n @ 1..) = from.read(&mut bytes) {
            let read = self.reads[way].fetch_add(1, Relaxed);
            if matches!(self.plan, Plan::Tcp { way: w, number } if (w, number) == (way, read)) {
                sleep(LATE);
            }
            if way == 0 && bytes[..n].starts_with(b"GPUT") && bytes[6..8] == CONTROL_CONNECTION {
                self.connections.lock().unwrap().open.retain(|open| !Arc::ptr_eq(open, connection));
            }
            if way == 1 {
                announced_ports(&bytes[..n]).into_iter().for_each(|port| self.open_port(s, port));
            }
            if into.write_all(&bytes[..n]).is_err() {
                let _ = from.shutdown(Shutdown::Both);
                return;
            }
        }
        let _ = into.shutdown(Shutdown::Write);
    }

    fn open_port<'s>(&'s self, s: &'s Scope<'s, '_>, port: u16) {
        let (at, to) = (SocketAddr::new(self.at.ip(), port), SocketAddr::new(self.to.ip(), port));
        let Ok(tcp) = TcpListener::bind(at) else { return };
        self.announced.lock().unwrap().push(at);
        s.spawn(move || self.pass_connections(s, &tcp, to));
    }
}

/// The ports in "ready" messages of 40 bytes, perhaps after a status byte (`wire.rs`).
fn announced_ports(bytes: &[u8]) -> Vec<u16> {
    let messages = bytes[bytes.len() % 40..].chunks_exact(40);
    let ready = messages.filter(|message| message[..4] == [0, 0, 0, 3] && message[8..14] == [0; 6]);
    ready.map(|message| u16::from_be_bytes([message[14], message[15]])).filter(|port| *port > 0).collect()
}

/// Ends a relay's threads, also when a trial panics.
pub struct End<'a>(&'a Relay);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.over.store(true, Relaxed);
        let announced = self.0.announced.lock().unwrap();
        announced.iter().chain([&self.0.at]).for_each(|at| drop(TcpStream::connect(at)));
    }
}

fn run(probe: &Probe, plan: Plan) {
    let mut order = order(probe.clone());
    // No end may be abandoned on a busy machine.
    let wait = Nanos(60_000 * MS);
    order.deadlines = TrialTimeouts { connect: wait, first_byte: wait, progress: wait, ..order.deadlines };
    let data_listener = DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap();
    let relay = &Relay::new(data_listener.local_addr(), plan);
    let (a, b) = std::thread::scope(|s| {
        let _end = relay.start(s);
        both_ends_through(&order, &data_listener, relay.at, &CancelFlag::default())
    });
    let what = format!("{} through {plan:?}", probe.name());
    assert!(a.broken.is_none() && b.broken.is_none(), "{what}: {:?} {:?}", a.broken, b.broken);
    let lost = match probe {
        Probe::Datagram(_) => lost_datagrams(&a, &b, &what),
        Probe::Request(_) => {
            assert!(a.operations <= GOAL, "{what}: {} answers", a.operations);
            GOAL - a.operations
        }
        Probe::Latency(_) => {
            let probes = a.series.iter().find(|s| s.name == "probes").unwrap();
            probes.column("latency_ns").unwrap().iter().filter(|latency| **latency < 0).count() as u64
        }
        Probe::Mtu(_) => {
            // Loss of many packets may leave it undecided.
            for end in [&a, &b].into_iter().filter(|_| !matches!(plan, Plan::Random(seed) if seed % 2 == 1)) {
                let found = end.path_mtu.as_ref().unwrap();
                let expected = (Some(LARGEST_PACKET), &MtuOutcome::NothingLarger);
                assert_eq!((found.passes, &found.outcome), expected, "{what}");
            }
            0
        }
        _ => 0,
    };
    let hit = relay.hit.load(Relaxed);
    assert!(lost <= hit, "{what}: {lost} lost, {hit} late or dropped");
}

fn lost_datagrams(a: &EndpointMeasurement, b: &EndpointMeasurement, what: &str) -> u64 {
    let flows = || a.flows.iter().chain(&b.flows);
    let lost = flows().filter(|f| f.receives).map(|receiver| {
        let sender = flows().find(|f| !f.receives && f.index == receiver.index).unwrap();
        let sent = sender.datagrams.as_ref().unwrap().sent.as_ref().unwrap().sent;
        let received = receiver.datagrams.as_ref().unwrap().received.as_ref().unwrap();
        assert_eq!(received.malformed, 0, "{what}");
        assert!(received.once.is_none_or(|once| once <= sent), "{what}: {sent} sent, {received:?}");
        sent.saturating_sub(received.once.unwrap_or(received.received))
    });
    lost.sum()
}

fn run_all(trials: &[(&Probe, Plan)]) {
    let next = AtomicUsize::new(0);
    std::thread::scope(|s| {
        for _ in 0..TRIALS_AT_ONCE {
            s.spawn(|| {
                while let Some((probe, plan)) = trials.get(next.fetch_add(1, Relaxed)) {
                    run(probe, *plan);
                }
            });
        }
    });
}

fn udp_probes() -> Vec<Probe> {
    let (stop, rate) = (StopCondition::Count(GOAL), Some(DatagramRate::Datagrams(500.0)));
    let datagram = |direction, flows, size| {
        Probe::Datagram(Datagram { direction, flows, size: Bytes(size), rate, stop, ..Datagram::default() })
    };
    let request = |size, outstanding| {
        let (transport, request, response) = (RequestKind::UdpRr, Bytes(size), Bytes(size));
        Probe::Request(Request { transport, request, response, outstanding, stop, ..Request::default() })
    };
    let (interval, time, warm_up) = (Nanos(4 * MS), Nanos(32 * MS), Nanos(4 * MS));
    vec![
        // Sizes of the handshake's packets and of none.
        datagram(TransferDirection::Send, 1, 32),
        datagram(TransferDirection::Receive, 1, 1),
        datagram(TransferDirection::Both, 2, 100),
        request(1, 1),
        request(32, 4),
        Probe::Latency(Latency { load: None, interval, time, warm_up, ..Latency::default() }),
        Probe::Mtu(Mtu { largest: Some(LARGEST_PACKET), ..Mtu::default() }),
    ]
}

fn tcp_probes() -> Vec<Probe> {
    let stop = StopCondition::Count(GOAL);
    let request = |transport| Probe::Request(Request { transport, stop, ..Request::default() });
    let (interval, warm_up) = (Nanos(10 * MS), Nanos(10 * MS));
    let (clients, workers) = (vec!["client".to_string()], vec![LoadWorker { client: 0, mix: 0 }]);
    let mixes = vec![RequestMix::bidirectional(Bytes(1_000))];
    vec![
        Probe::Stream(Stream { stop: StopCondition::Bytes(Bytes(100_000)), ..Stream::default() }),
        request(RequestKind::TcpRr),
        request(RequestKind::TcpCrr),
        Probe::PingPong(PingPong { sizes: vec![Bytes(1)], ..pingpong::sweep(pingpong::native()) }),
        Probe::Clock(Clock { time: Nanos(30 * MS), interval, exchanges: 2 }),
        // A late window must not be over.
        Probe::Load(Load { clients, workers, mixes, time: Nanos(300 * MS), warm_up, ..Load::default() }),
    ]
}

#[test]
fn a_fault_of_one_packet_concerns_only_that_packet() {
    let probes = udp_probes();
    let mut trials = Vec::new();
    for (probe, way, number) in each_of(&probes, 10) {
        for fault in [Fault::Duplicate, Fault::Delay(LATE), Fault::Drop] {
            trials.push((probe, Plan::Udp { way, number, fault }));
        }
    }
    run_all(&trials);
}

#[test]
fn late_bytes_of_a_connection_break_nothing() {
    let probes = [udp_probes(), tcp_probes()].concat();
    // Each number in one of the ways.
    let trials = each_of(&probes, 24).filter(|(_, way, number)| number % 2 == *way as u64);
    run_all(&trials.map(|(probe, way, number)| (probe, Plan::Tcp { way, number })).collect::<Vec<_>>());
}

#[test]
fn faults_of_many_packets_lose_only_those() {
    let probes = udp_probes();
    let seeds = if proves() { 500 } else { 28 };
    let trials = (0..seeds).zip(probes.iter().cycle()).map(|(seed, probe)| (probe, Plan::Random(seed)));
    let trials: Vec<_> = trials.collect();
    run_all(&trials);
}

/// Every probe, way and number.
fn each_of(probes: &[Probe], numbers: u64) -> impl Iterator<Item = (&Probe, usize, u64)> {
    let places = move |probe| (0..2).flat_map(move |way| (0..numbers).map(move |n| (probe, way, n)));
    probes.iter().flat_map(places)
}
