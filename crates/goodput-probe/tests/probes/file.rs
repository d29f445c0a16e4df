//! File trials with test players, both ends on threads of this process.

use crate::limits::Limited;
use crate::{Measured, Moments, order};
use goodput_model::file::{
    CreateDisposition, File, FileAccessPattern, FileDirection, FileErrorKind, FileLocation, FileOpenOptions,
    FileOperationMixSource, FileReport, FileWorkload, SinkStorageKind,
};
use goodput_model::probe::TransferDirection;
use goodput_model::trial::TrialSpec;
use goodput_model::{Bytes, Nanos, Probe};
use goodput_probe::file::{
    DataConnectionPool, FileWorker, FileWorkloadResult, ListeningEndOptions, MemorySink, RemoteIoQueue,
    SinkStorage, TbenchConnection, WorkloadObserver, run_client, run_server,
};
use goodput_probe::time::now_ns;
use goodput_probe::{
    CancelFlag, DataListener, EndpointMeasurement, ProbeError, TrafficLimit, TrafficLimits, TrialObserver,
    TrialProgress,
};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

mod sinks;

const MS: u64 = 1_000_000;

fn copy() -> FileWorkload {
    FileWorkload::Copy {
        way: FileDirection::Write,
        size: Bytes(1),
        block: Bytes(4096),
        depth: 1,
        local: None,
    }
}

fn settings(clients: u16, place: FileLocation, work: FileWorkload) -> File {
    let clients = (0..clients).map(|c| format!("client{c}")).collect();
    let workspace = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6".into();
    File::new(clients, place, workspace, work)
}

fn folder() -> FileLocation {
    FileLocation::Folder { path: "/nowhere".into() }
}

fn order_of(settings: &File, client: u16) -> TrialSpec {
    TrialSpec { client, ..order(Probe::File(settings.clone())) }
}

type Fake = Box<dyn FileWorker + Send>;

fn data_listener() -> DataListener {
    DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap()
}

fn run(settings: &File, players: Vec<(u16, Fake)>) -> Measured {
    run_at(&data_listener(), settings, players, None, &CancelFlag::default())
}

fn run_with(settings: &File, players: Vec<(u16, Fake)>, keeper: Option<&dyn SinkStorage>) -> Measured {
    run_at(&data_listener(), settings, players, keeper, &CancelFlag::default())
}

fn run_at(
    data_listener: &DataListener,
    settings: &File,
    players: Vec<(u16, Fake)>,
    keeper: Option<&dyn SinkStorage>,
    cancel: &CancelFlag,
) -> Measured {
    let (at, expected) =
        (data_listener.local_addr(), data_listener.register_trial(order_of(settings, 0).token));
    std::thread::scope(|s| {
        let serving = s.spawn(move || {
            let moments = Moments::default();
            let service = ListeningEndOptions { keeper, before: &|| {} };
            let measured = run_server(&order_of(settings, 0), settings, expected, &moments, cancel, &service);
            moments.check(measured)
        });
        let client = |(number, mut player): (u16, Fake)| {
            let moments = Moments::default();
            let order = order_of(settings, number);
            let measured = run_client(&order, settings, at, &moments, &CancelFlag::default(), &mut *player);
            moments.check(measured)
        };
        let clients: Vec<_> = players.into_iter().map(|p| s.spawn(move || client(p))).collect();
        let clients = clients.into_iter().map(|c| c.join().unwrap()).collect();
        (clients, serving.join().unwrap())
    })
}

fn open_window(t0_ns: u64, stage: &WorkloadObserver<'_>) {
    std::thread::sleep(Duration::from_nanos(t0_ns.saturating_sub(now_ns())));
    stage.measurement_window_opened(t0_ns);
}

struct Sleeper {
    ready_ms: u64,
    ms: u64,
    fails: bool,
}

impl FileWorker for Sleeper {
    fn prepare(&mut self, data: Option<&DataConnectionPool>) -> Result<(), ProbeError> {
        assert!(data.is_none(), "the place is no sink");
        std::thread::sleep(Duration::from_millis(self.ready_ms));
        Ok(())
    }

    fn run_workload(
        &mut self,
        t0: u64,
        t1: Option<u64>,
        _: Nanos,
        stage: &WorkloadObserver<'_>,
    ) -> FileWorkloadResult {
        open_window(t0, stage);
        let until = t1.unwrap_or(t0 + self.ms * MS);
        while now_ns() < until && !stage.is_cancelled() {
            stage.progress_updated(TrialProgress { elapsed_ns: now_ns() - t0, ..TrialProgress::default() });
            std::thread::sleep(Duration::from_millis(1));
        }
        let t1_ns = now_ns().min(until);
        stage.measurement_window_closed(t1_ns);
        let error = || ProbeError::Work("cannot go on: full".into());
        let broken = self.fails.then(error);
        FileWorkloadResult { t1_ns, operations: 7, broken, ..FileWorkloadResult::default() }
    }

    fn finish(&mut self, report: &mut FileReport) -> Result<(), ProbeError> {
        report.facts.engine = "fake".into();
        Ok(())
    }
}

fn sleeper(ms: u64) -> Fake {
    Box::new(Sleeper { ready_ms: 0, ms, fails: false })
}

fn failing(ms: u64) -> Fake {
    Box::new(Sleeper { ready_ms: 0, ms, fails: true })
}

#[test]
fn a_window_that_ends_with_the_work_covers_the_last_clients() {
    let settings = settings(3, folder(), copy());
    // The last one prepares longer than any silence limit.
    let late = Box::new(Sleeper { ready_ms: 2_500, ms: 150, fails: false });
    let players: Vec<(u16, Fake)> = vec![(0, sleeper(50)), (1, sleeper(400)), (2, late)];
    let (clients, server) = run(&settings, players);
    assert!(server.broken.is_none() && server.excluded.is_empty(), "{:?}", server.broken);
    for (client, ms) in clients.iter().zip([50, 400, 150]) {
        assert!(client.broken.is_none(), "{:?}", client.broken);
        assert_eq!((client.operations, client.file.as_ref().unwrap().facts.engine.as_str()), (7, "fake"));
        assert!(client.window.elapsed().0 == ms * MS, "{:?}", client.window);
        assert!(client.window.t0_ns.abs_diff(server.window.t0_ns) < MS, "all on one clock here");
        assert!(client.series.iter().any(|s| s.name == "clock" && !s.is_empty()));
    }
    let end = clients[1].window.t1_ns;
    assert!(server.window.t1_ns.abs_diff(end) < MS, "{} ns", server.window.t1_ns.abs_diff(end));
}

#[test]
fn a_window_of_a_fixed_time_is_the_same_for_all() {
    let (load, warm_up, time) = (FileOperationMixSource::Office { seed: 0 }, Nanos(20 * MS), Nanos(300 * MS));
    let mix = FileWorkload::Mix { load, players: 1, warm_up, time, max_errors: 0, rate: None };
    let settings = settings(2, folder(), mix);
    let (clients, server) = run(&settings, vec![(0, sleeper(0)), (1, sleeper(0))]);
    assert_eq!(server.window.elapsed(), Nanos(300 * MS));
    for client in &clients {
        assert!(client.broken.is_none(), "{:?}", client.broken);
        assert!(client.window.elapsed().0.abs_diff(300 * MS) < MS);
    }
}

#[test]
fn a_client_that_cannot_go_on_is_named_and_the_others_results_stand() {
    let settings = settings(2, folder(), copy());
    let (clients, server) = run(&settings, vec![(0, sleeper(600)), (1, failing(100))]);
    assert!(server.broken.is_none() && clients[0].broken.is_none(), "{:?}", clients[0].broken);
    let named: Vec<_> = server.excluded.iter().map(|e| (e.host.as_str(), e.midway)).collect();
    assert_eq!(named, [("client1", true)]);
    assert!(matches!(&clients[1].broken, Some(ProbeError::Work(why)) if why == "cannot go on: full"));
    assert_eq!(clients[1].operations, 7, "what it did is kept");
    assert!(server.window.t1_ns.abs_diff(clients[0].window.t1_ns) < MS);
}

#[test]
fn when_the_only_client_gives_up_the_listening_end_leaves_it_to_say_why() {
    let broken = run(&settings(1, folder(), copy()), vec![(0, failing(10))]).1.broken;
    assert!(matches!(&broken, Some(ProbeError::PeerGone { from }) if from == "client0"), "{broken:?}");
}

#[test]
fn a_client_that_does_not_come_is_missed() {
    let settings = settings(2, folder(), copy());
    let (clients, server) = run(&settings, vec![(1, sleeper(20))]);
    assert!(clients[0].broken.is_none() && server.broken.is_none());
    let [missing] = &server.excluded[..] else { panic!("{:?}", server.excluded) };
    assert!(missing.cause.starts_with("no connection from client0"), "{missing:?}");
}

#[test]
fn a_listening_end_that_is_stopped_takes_its_clients_with_it() {
    let (settings, cancel) = (settings(1, folder(), copy()), CancelFlag::default());
    let canceller = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(700));
        canceller.cancel();
    });
    let players = vec![(0, sleeper(1_000_000))];
    let (clients, server) = run_at(&data_listener(), &settings, players, None, &cancel);
    assert!(matches!(server.broken, Some(ProbeError::Cancelled)), "{:?}", server.broken);
    let client = &clients[0];
    assert!(matches!(client.broken, Some(ProbeError::PeerGone { .. })), "{:?}", client.broken);
    assert!(client.operations == 7 && client.window.elapsed().0 < 10_000 * MS, "what it did is kept");
}

/// Does all its work before the window.
struct Preparer<F>(F);

impl<F: FnMut(&DataConnectionPool)> FileWorker for Preparer<F> {
    fn prepare(&mut self, data: Option<&DataConnectionPool>) -> Result<(), ProbeError> {
        (self.0)(data.unwrap());
        Ok(())
    }

    fn run_workload(
        &mut self,
        t0_ns: u64,
        _: Option<u64>,
        _: Nanos,
        stage: &WorkloadObserver<'_>,
    ) -> FileWorkloadResult {
        stage.measurement_window_opened(t0_ns);
        stage.measurement_window_closed(t0_ns);
        FileWorkloadResult { t1_ns: t0_ns, ..FileWorkloadResult::default() }
    }

    fn finish(&mut self, _: &mut FileReport) -> Result<(), ProbeError> {
        Ok(())
    }
}

pub fn net_sink() -> File {
    settings(1, FileLocation::Sink { sink: SinkStorageKind::Net }, copy())
}

/// A client of it that exchanges messages for a second, before the window.
pub fn exchange_messages(
    order: &TrialSpec,
    settings: &File,
    at: SocketAddr,
    observer: &dyn TrialObserver,
    cancel: &CancelFlag,
) -> EndpointMeasurement {
    let mut exchange = Preparer(|data: &DataConnectionPool| {
        let Ok(mut net) = data.open_tbench_connection() else { return };
        let until = now_ns() + 1_000 * MS;
        while now_ns() < until && net.exchange_messages(65_536, 65_536, Duration::from_secs(5)).is_ok() {}
    });
    run_client(order, settings, at, observer, cancel, &mut exchange)
}

/// Exchanges messages after the window only.
#[derive(Default)]
struct LateExchange(Option<TbenchConnection>);

impl FileWorker for LateExchange {
    fn prepare(&mut self, data: Option<&DataConnectionPool>) -> Result<(), ProbeError> {
        self.0 = data.unwrap().open_tbench_connection().ok();
        Ok(())
    }

    fn run_workload(
        &mut self,
        t0_ns: u64,
        t1_ns: Option<u64>,
        patience: Nanos,
        stage: &WorkloadObserver<'_>,
    ) -> FileWorkloadResult {
        Preparer(|_: &DataConnectionPool| {}).run_workload(t0_ns, t1_ns, patience, stage)
    }

    fn finish(&mut self, _: &mut FileReport) -> Result<(), ProbeError> {
        let _ = self.0.as_mut().unwrap().exchange_messages(65_536, 65_536, Duration::from_secs(5));
        Ok(())
    }
}

/// The trial is over before the next check.
#[test]
fn a_limit_that_is_exceeded_at_the_end_breaks_the_trial() {
    let (settings, data_listener) = (net_sink(), data_listener());
    let (at, order) = (data_listener.local_addr(), order_of(&settings, 0));
    let expected = data_listener.register_trial(order.token);
    let limited = Limited(TrafficLimits { rate: None, bytes: Some(Bytes(1_000)) });
    let broken = std::thread::scope(|s| {
        s.spawn(|| {
            let (moments, cancel) = (Moments::default(), CancelFlag::default());
            let service = ListeningEndOptions { keeper: None, before: &|| {} };
            run_server(&order, &settings, expected, &moments, &cancel, &service)
        });
        let mut late = LateExchange::default();
        run_client(&order, &settings, at, &limited, &CancelFlag::default(), &mut late).broken
    });
    assert!(matches!(broken, Some(ProbeError::LimitReached(TrafficLimit::Bytes))), "{broken:?}");
}

#[test]
fn an_order_for_more_memory_than_possible_is_refused_at_both_ends() {
    let (name, way, pattern) = ("64M".into(), FileDirection::Read, FileAccessPattern::Random);
    let (block, size, time) = (Bytes(64 << 20), Bytes(1 << 30), Nanos(MS));
    let work = FileWorkload::Row { name, way, pattern, block, queue: 256, threads: 256, size, time };
    let (clients, server) = run(&settings(1, folder(), work), vec![(0, sleeper(0))]);
    for end in [&clients[0], &server] {
        let why = end.broken.as_ref().unwrap().to_string();
        assert!(why.contains("B of memory"), "{why}");
    }
}

/// The version of the data protocol, the stream's index, the token, and reserved bytes.
fn opening(index: u16, token: [u8; 16]) -> Vec<u8> {
    [&b"GPUT"[..], &1u16.to_be_bytes(), &index.to_be_bytes(), &token, &[0; 8]].concat()
}

/// The window would open in years, or in the past.
#[test]
fn a_client_with_an_impossible_clock_error_is_excluded() {
    let (settings, data_listener) = (settings(1, folder(), copy()), data_listener());
    let (at, token) = (data_listener.local_addr(), order_of(&settings, 0).token.0);
    let message = |op: u32, a: u64| [&op.to_be_bytes()[..], &[0; 4], &a.to_be_bytes(), &[0; 24]].concat();
    let (join, ready) = (message(30, 0), message(3, u64::MAX));
    let joining = std::thread::spawn(move || {
        // Refused until the trial is expected.
        let mut stream = loop {
            let (mut stream, mut status) = (TcpStream::connect(at).unwrap(), [1]);
            stream.write_all(&opening(u16::MAX, token)).unwrap();
            if stream.read_exact(&mut status).is_ok() && status == [0] {
                break stream;
            }
        };
        stream.write_all(&[join, ready].concat()).unwrap();
        let _ = stream.read_to_end(&mut Vec::new());
    });
    let (_, server) = run_at(&data_listener, &settings, vec![], None, &CancelFlag::default());
    assert!(server.broken.is_some() && server.window.t0_ns == 0, "{:?}", server.window);
    joining.join().unwrap();
}

#[test]
fn nonsense_on_a_data_connection_ends_that_connection_and_nothing_else() {
    let settings = settings(1, FileLocation::Sink { sink: SinkStorageKind::Memory }, copy());
    let memory = MemorySink::with_size_limit(8 << 20, sinks::matcher);
    let data_listener = data_listener();
    let (at, token) = (data_listener.local_addr(), order_of(&settings, 0).token.0);
    // Joins; then a stranger with the token sends an invalid request.
    let nonsense = move |data: &DataConnectionPool| {
        for nonsense in [&[0xff; 64][..], &[0; 32], &[4; 32]] {
            let mut stream = TcpStream::connect(at).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            stream.write_all(&opening(0, token)).unwrap();
            stream.write_all(nonsense).unwrap();
            let mut answer = Vec::new();
            // The status byte, then the end or a reset.
            let _ = stream.read_to_end(&mut answer);
            assert!(answer.is_empty() || answer == [0], "{answer:?}");
        }
        data.open_remote_files().unwrap().storage_space().unwrap();
    };
    let players: Vec<(u16, Fake)> = vec![(0, Box::new(Preparer(nonsense)))];
    let (clients, server) = run_at(&data_listener, &settings, players, Some(&memory), &CancelFlag::default());
    assert!(clients[0].broken.is_none() && server.broken.is_none(), "{:?}", clients[0].broken);
}
