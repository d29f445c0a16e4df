//! Work on files: clients with players of the test's own, and the listening end, each on a thread of this process.

use crate::order;
use goodput_model::file::{
    Access, Disposition, File, FileReport, FileWay, FileWork, Flush, MixSource, Place, Sink, Verify,
};
use goodput_model::probe::Direction;
use goodput_model::trial::Order;
use goodput_model::{Bytes, Nanos, Probe};
use goodput_probe::clock::now_ns;
use goodput_probe::file::{
    Code, Data, How, Keeper, Memory, Played, Player, RemoteLane, Service, Stage, connect, listen,
};
use goodput_probe::{Cancel, DataListener, Measured, Observer, ProbeError, Progress};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Mutex;
use std::time::Duration;

const MS: u64 = 1_000_000;

/// Writes down which moments it was told of.
#[derive(Default)]
struct Moments(Mutex<Vec<&'static str>>);

impl Observer for Moments {
    fn opened(&self, _: u64) {
        self.0.lock().unwrap().push("opened");
    }
    fn tick(&self, _: Progress) {
        self.0.lock().unwrap().push("tick");
    }
    fn closed(&self, _: u64) {
        self.0.lock().unwrap().push("closed");
    }
}

impl Moments {
    fn edges(self) -> (Option<&'static str>, Option<&'static str>) {
        let told = self.0.into_inner().unwrap();
        (told.first().copied(), told.last().copied())
    }
}

fn copy() -> FileWork {
    FileWork::Copy { way: FileWay::Write, size: Bytes(1), block: Bytes(4096), depth: 1, local: None }
}

fn mix(ms: u64) -> FileWork {
    let load = MixSource::Office { seed: 0 };
    let (warm_up, time) = (Nanos(20 * MS), Nanos(ms * MS));
    FileWork::Mix { load, players: 1, warm_up, time, max_errors: 0, rate: None }
}

fn settings(clients: u16, place: Place, work: FileWork) -> File {
    File {
        clients: (0..clients).map(|c| format!("client{c}")).collect(),
        place,
        workspace: ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6".into(),
        work,
        access: Access::Direct,
        flush: Flush::End,
        verify: Verify::Off,
        seed: 0,
        interval: Nanos(100 * MS),
        server_folder: None,
    }
}

fn folder() -> Place {
    Place::Folder { path: "/nowhere".into() }
}

fn order_of(settings: &File, client: u16) -> Order {
    Order { client, ..order(Probe::File(settings.clone())) }
}

type Fake = Box<dyn Player + Send>;

/// Runs these clients, by number, and the listening end.
fn run(
    settings: &File,
    players: Vec<(u16, Fake)>,
    keeper: Option<&dyn Keeper>,
    cancel: &Cancel,
) -> (Vec<Measured>, Measured) {
    let data_listener = DataListener::open(([127, 0, 0, 1], 0).into()).unwrap();
    let (at, expected) = (data_listener.local_addr(), data_listener.expect(order_of(settings, 0).token));
    std::thread::scope(|s| {
        let serving = s.spawn(move || {
            let moments = Moments::default();
            let service = Service { keeper, before: &|| {} };
            let measured = listen(&order_of(settings, 0), settings, expected, &moments, cancel, &service);
            if measured.broken.is_none() {
                assert_eq!(moments.edges(), (Some("opened"), Some("closed")));
            }
            measured
        });
        let client = |(number, mut player): (u16, Fake)| {
            let moments = Moments::default();
            let order = order_of(settings, number);
            let measured = connect(&order, settings, at, &moments, &Cancel::default(), &mut *player);
            if measured.broken.is_none() {
                assert_eq!(moments.edges(), (Some("opened"), Some("closed")));
            }
            measured
        };
        let clients: Vec<_> = players.into_iter().map(|p| s.spawn(move || client(p))).collect();
        let clients = clients.into_iter().map(|c| c.join().unwrap()).collect();
        (clients, serving.join().unwrap())
    })
}

/// Takes so long to get ready, works so long or to the window's end, and then says so; fails when the test says it.
struct Sleeper {
    ready_ms: u64,
    ms: u64,
    fails: bool,
}

impl Player for Sleeper {
    fn prepare(&mut self, data: Option<&Data>) -> Result<(), ProbeError> {
        assert!(data.is_none(), "the place is no sink");
        std::thread::sleep(Duration::from_millis(self.ready_ms));
        Ok(())
    }

    fn play(&mut self, t0_ns: u64, t1_ns: Option<u64>, _: Nanos, stage: &Stage<'_>) -> Played {
        while now_ns() < t0_ns {
            std::thread::sleep(Duration::from_micros(100));
        }
        stage.opened(t0_ns);
        let until = t1_ns.unwrap_or(t0_ns + self.ms * MS);
        while now_ns() < until && !stage.is_cancelled() {
            stage.tick(Progress { elapsed_ns: now_ns() - t0_ns, ..Progress::default() });
            std::thread::sleep(Duration::from_millis(1));
        }
        let t1_ns = now_ns().min(until);
        stage.closed(t1_ns);
        let broken =
            self.fails.then(|| ProbeError::Work { what: "cannot go on".into(), source: "full".into() });
        Played { t1_ns, operations: 7, broken, ..Played::default() }
    }

    fn settle(&mut self, report: &mut FileReport) -> Result<(), ProbeError> {
        report.facts.engine = "fake".into();
        Ok(())
    }
}

fn sleeper(ms: u64) -> Fake {
    Box::new(Sleeper { ready_ms: 0, ms, fails: false })
}

#[test]
fn a_window_that_ends_with_the_work_covers_the_last_clients() {
    let settings = settings(3, folder(), copy());
    // The last takes longer to get ready than anything waits for a client that says nothing.
    let late = Box::new(Sleeper { ready_ms: 2_500, ms: 150, fails: false });
    let players: Vec<(u16, Fake)> = vec![(0, sleeper(50)), (1, sleeper(400)), (2, late)];
    let (clients, server) = run(&settings, players, None, &Cancel::default());
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
    let settings = settings(2, folder(), mix(300));
    let (clients, server) = run(&settings, vec![(0, sleeper(0)), (1, sleeper(0))], None, &Cancel::default());
    assert_eq!(server.window.elapsed(), Nanos(300 * MS));
    for client in &clients {
        assert!(client.broken.is_none(), "{:?}", client.broken);
        assert!(client.window.elapsed().0.abs_diff(300 * MS) < MS);
    }
}

#[test]
fn a_client_that_cannot_go_on_is_named_and_the_others_results_stand() {
    let settings = settings(2, folder(), copy());
    let fails: Fake = Box::new(Sleeper { ready_ms: 0, ms: 100, fails: true });
    let (clients, server) = run(&settings, vec![(0, sleeper(600)), (1, fails)], None, &Cancel::default());
    assert!(server.broken.is_none() && clients[0].broken.is_none(), "{:?}", clients[0].broken);
    let named: Vec<_> = server.excluded.iter().map(|e| (e.host.as_str(), e.midway)).collect();
    assert_eq!(named, [("client1", true)]);
    assert!(matches!(&clients[1].broken, Some(ProbeError::Work { what, .. }) if what == "cannot go on"));
    assert_eq!(clients[1].operations, 7, "what it did is kept");
    assert!(server.window.t1_ns.abs_diff(clients[0].window.t1_ns) < MS);
}

#[test]
fn when_the_only_client_gives_up_the_listening_end_leaves_it_to_say_why() {
    let fails: Fake = Box::new(Sleeper { ready_ms: 0, ms: 10, fails: true });
    let (_, server) = run(&settings(1, folder(), copy()), vec![(0, fails)], None, &Cancel::default());
    assert!(
        matches!(&server.broken, Some(ProbeError::PeerGone { from }) if from == "client0"),
        "{:?}",
        server.broken
    );
}

#[test]
fn a_client_that_does_not_come_is_missed() {
    let settings = settings(2, folder(), copy());
    let (clients, server) = run(&settings, vec![(1, sleeper(20))], None, &Cancel::default());
    assert!(clients[0].broken.is_none() && server.broken.is_none());
    assert_eq!((server.excluded.len(), server.excluded[0].host.as_str()), (1, "client0"));
    assert!(server.excluded[0].cause.starts_with("no connection from client0"), "{:?}", server.excluded);
}

#[test]
fn a_listening_end_that_is_stopped_takes_its_clients_with_it() {
    let (settings, cancel) = (settings(1, folder(), copy()), Cancel::default());
    let (clients, server) = std::thread::scope(|s| {
        let running = s.spawn(|| run(&settings, vec![(0, sleeper(1_000_000))], None, &cancel));
        std::thread::sleep(Duration::from_millis(700));
        cancel.cancel();
        running.join().unwrap()
    });
    assert!(matches!(server.broken, Some(ProbeError::Cancelled)), "{:?}", server.broken);
    let client = &clients[0];
    assert!(matches!(client.broken, Some(ProbeError::PeerGone { .. })), "{:?}", client.broken);
    assert!(client.operations == 7 && client.window.elapsed().0 < 10_000 * MS, "what it did is kept");
}

/// Copies through lanes: writes numbered blocks, flushes, reads them back and compares.
struct Copier {
    name: &'static str,
    blocks: u64,
    block: usize,
    depth: usize,
    lane: Option<(goodput_probe::file::Remote, u64, RemoteLane)>,
}

fn byte(offset: u64) -> u8 {
    (offset.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

impl Copier {
    fn go(&mut self, write: bool, mut look: impl FnMut(u64, &[u8])) -> u64 {
        let (_, _, lane) = self.lane.as_mut().unwrap();
        let (mut next, mut done, mut moved) = (0, 0, 0u64);
        let mut offsets = vec![0; self.depth];
        let mut free: Vec<usize> = (0..self.depth).collect();
        while done < self.blocks {
            while let Some(slot) = free.pop() {
                if next == self.blocks {
                    break;
                }
                let offset = next * self.block as u64;
                if write {
                    lane.buffer(slot).iter_mut().zip(offset..).for_each(|(b, at)| *b = byte(at));
                }
                offsets[slot] = offset;
                lane.submit(slot, offset, self.block, write).unwrap();
                next += 1;
            }
            let (slot, n) = lane.complete(Duration::from_secs(5)).unwrap();
            let n = n.unwrap();
            moved += n as u64;
            look(offsets[slot], &lane.buffer(slot)[..n]);
            free.push(slot);
            done += 1;
        }
        moved
    }
}

impl Player for Copier {
    fn prepare(&mut self, data: Option<&Data>) -> Result<(), ProbeError> {
        let remote = data.unwrap().remote().unwrap();
        let how = How {
            disposition: Disposition::Create,
            folder: false,
            file: true,
            read_only: false,
            direct: false,
        };
        let file = remote.open(self.name, how).unwrap();
        let lane = remote.lane(file, self.block, self.depth).unwrap();
        self.lane = Some((remote, file, lane));
        Ok(())
    }

    fn play(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, stage: &Stage<'_>) -> Played {
        while now_ns() < t0_ns {
            std::thread::sleep(Duration::from_micros(100));
        }
        stage.opened(t0_ns);
        let written = self.go(true, |_, _| {});
        let (remote, file, _) = self.lane.as_ref().unwrap();
        remote.flush(*file).unwrap();
        let t1_ns = now_ns();
        stage.closed(t1_ns);
        let report = FileReport { bytes_written: written, ..FileReport::default() };
        Played { t1_ns, report, operations: self.blocks, ..Played::default() }
    }

    fn settle(&mut self, report: &mut FileReport) -> Result<(), ProbeError> {
        let mut wrong = 0;
        let read = self.go(false, |offset, bytes| {
            wrong += bytes.iter().zip(offset..).filter(|(b, at)| **b != byte(*at)).count() as u64;
        });
        report.bytes_read = read;
        report.verified = Some(goodput_model::file::Verified { bytes: read, wrong });
        let (remote, file, _) = self.lane.take().unwrap();
        remote.close(file).unwrap();
        Ok(())
    }
}

fn matcher(_: &str) -> Box<dyn FnMut(&str) -> bool> {
    Box::new(|_| true)
}

/// A memory sink that behaves as if it waited for a device, so that several threads serve one connection.
struct Waits(Memory);

macro_rules! pass_on {
    ($($name:ident($($arg:ident: $type:ty),*) -> $result:ty;)*) => {
        impl Keeper for Waits {
            fn waits(&self) -> bool {
                true
            }
            $(fn $name(&self, $($arg: $type),*) -> Result<$result, goodput_probe::file::Fault> {
                std::thread::sleep(Duration::from_micros(200));
                self.0.$name($($arg),*)
            })*
        }
    };
}

pass_on! {
    open(path: &str, how: How) -> u64;
    close(handle: u64) -> ();
    read_at(handle: u64, into: &mut [u8], offset: u64) -> usize;
    write_at(handle: u64, data: &[u8], offset: u64) -> ();
    flush(handle: u64) -> ();
    query(path: &str) -> goodput_probe::file::Stat;
    query_open(handle: u64) -> goodput_probe::file::Stat;
    touch(handle: u64) -> ();
    room() -> goodput_probe::file::Room;
    find(folder: &str, pattern: &str, most: Option<usize>) -> Vec<goodput_probe::file::Named>;
    make_folder(path: &str) -> ();
    remove_folder(path: &str) -> ();
    remove_file(path: &str) -> ();
    rename(from: &str, to: &str) -> ();
    lock(handle: u64, offset: u64, length: u64) -> ();
    unlock(handle: u64, offset: u64, length: u64) -> ();
}

fn copiers(block: usize, blocks: u64, depth: usize) -> Vec<(u16, Fake)> {
    let copier = |name| -> Fake { Box::new(Copier { name, blocks, block, depth, lane: None }) };
    vec![(0, copier("a")), (1, copier("b"))]
}

#[test]
fn what_is_written_to_a_sink_in_memory_is_there_and_counted_at_both_ends() {
    let settings = settings(2, Place::Sink { sink: Sink::Memory }, copy());
    for (block, blocks, depth) in [(4096, 500, 32), (1 << 20, 12, 4), (5000, 40, 1)] {
        let total = block as u64 * blocks;
        let (plain, slow) = (Memory::keeping(64 << 20, matcher), Waits(Memory::keeping(64 << 20, matcher)));
        let keepers: [&dyn Keeper; 2] = [&plain, &slow];
        for keeper in keepers {
            let (clients, server) =
                run(&settings, copiers(block, blocks, depth), Some(keeper), &Cancel::default());
            assert!(server.broken.is_none() && server.excluded.is_empty(), "{:?}", server.excluded);
            for client in &clients {
                assert!(client.broken.is_none(), "{:?}", client.broken);
                let verified = client.file.as_ref().unwrap().verified.unwrap();
                assert_eq!((verified.bytes, verified.wrong), (total, 0));
                let sent: u64 = client
                    .flows
                    .iter()
                    .filter(|f| f.direction == Direction::Send)
                    .map(|f| f.window_bytes)
                    .sum();
                assert_eq!(sent, total, "in the window");
                let back = client.flows.iter().filter(|f| f.direction == Direction::Receive);
                assert_eq!(back.map(|f| f.after_bytes).sum::<u64>(), total, "after the window");
            }
            let arrived = server.flows.iter().filter(|f| f.receives);
            assert_eq!(arrived.map(|f| f.total_bytes()).sum::<u64>(), 2 * total);
            // Of so short a window the first operations may lie before it has opened at the server.
            assert!(server.operations > 0);
        }
    }
}

/// Asks for everything that a sink can do, and for what it must refuse.
struct Asker;

impl Player for Asker {
    fn prepare(&mut self, data: Option<&Data>) -> Result<(), ProbeError> {
        let remote = data.unwrap().remote().unwrap();
        let how =
            |disposition, folder| How { disposition, folder, file: !folder, read_only: false, direct: false };
        remote.make_folder("d").unwrap();
        let file = remote.open("d/f", how(Disposition::OpenIf, false)).unwrap();
        remote.write_at(file, b"hello", 3).unwrap();
        let mut back = [9; 20];
        assert_eq!((remote.read_at(file, &mut back, 0).unwrap(), &back[..8]), (8, &b"\0\0\0hello"[..]));
        assert_eq!(remote.query("d/f").unwrap().length, 8);
        assert_eq!(remote.query_open(file).unwrap().length, 8);
        assert!(remote.query("d").unwrap().folder);
        remote.touch(file).unwrap();
        remote.flush(file).unwrap();
        remote.lock(file, 1, 2).unwrap();
        let other = remote.another().unwrap();
        let again = other.open("d/f", how(Disposition::Open, false)).unwrap();
        assert_eq!(other.lock(again, 0, 9).unwrap_err().code, Code::Locked);
        remote.unlock(file, 1, 2).unwrap();
        other.lock(again, 0, 9).unwrap();
        assert_eq!(remote.find("d", "*", None).unwrap()[0].name, "f");
        assert_eq!(remote.find("d", "*", Some(0)).unwrap().len(), 0);
        assert!(remote.room().unwrap().free > 0);
        assert_eq!(remote.remove_folder("d").unwrap_err().code, Code::NotEmpty);
        for bad in ["../x", "/etc/passwd", "d/../../x", "d//f", "c:"] {
            assert_eq!(remote.query(bad).unwrap_err().code, Code::Forbidden, "{bad}");
            assert_eq!(remote.rename("d/f", bad).unwrap_err().code, Code::Forbidden, "{bad}");
            let made = remote.open(bad, how(Disposition::OpenIf, false));
            assert_eq!(made.unwrap_err().code, Code::Forbidden, "{bad}");
        }
        let full = remote.write_at(file, &vec![1; 9 << 20], 0).unwrap_err();
        assert!(full.code == Code::Full && full.why.contains("memory sink"), "{full:?}");
        remote.rename("d/f", "d/g").unwrap();
        remote.close(file).unwrap();
        other.close(again).unwrap();
        assert_eq!(remote.close(file).unwrap_err().code, Code::Other, "twice");
        remote.remove_file("d/g").unwrap();
        remote.remove_folder("d").unwrap();
        let mut lane = {
            let file = remote.open("x", how(Disposition::Create, false)).unwrap();
            remote.lane(file, 4096, 2).unwrap()
        };
        assert_eq!(lane.submit(5, 0, 1, true).unwrap_err().code, Code::Other);
        assert_eq!(lane.submit(0, 0, 5000, true).unwrap_err().code, Code::Other);
        lane.submit(0, 0, 4096, false).unwrap();
        let done = lane.complete(Duration::from_secs(5)).unwrap();
        assert_eq!(done, (0, Ok(0)), "the end of the file");
        Ok(())
    }

    fn play(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, stage: &Stage<'_>) -> Played {
        stage.opened(t0_ns);
        stage.closed(t0_ns);
        Played { t1_ns: t0_ns, ..Played::default() }
    }

    fn settle(&mut self, _: &mut FileReport) -> Result<(), ProbeError> {
        Ok(())
    }
}

#[test]
fn a_sink_does_all_that_it_is_asked_and_nothing_outside_the_workspace() {
    let settings = settings(1, Place::Sink { sink: Sink::Memory }, copy());
    let memory = Memory::keeping(8 << 20, matcher);
    let (clients, server) = run(&settings, vec![(0, Box::new(Asker))], Some(&memory), &Cancel::default());
    assert!(clients[0].broken.is_none() && server.broken.is_none(), "{:?}", clients[0].broken);
}

/// Exchanges bytes in the sizes of a mix.
struct Exchanger;

impl Player for Exchanger {
    fn prepare(&mut self, data: Option<&Data>) -> Result<(), ProbeError> {
        let mut net = data.unwrap().net().unwrap();
        for (request, reply) in
            [(8, 8), (74, 87), (59, 59 + 61_440), (59 + 65_536, 55), (41, 39), (1 << 20, 4)]
        {
            net.exchange(request, reply, Duration::from_secs(5)).unwrap();
        }
        assert_eq!(net.exchange(7, 8, Duration::from_secs(5)).unwrap_err().code, Code::Gone);
        Ok(())
    }

    fn play(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, stage: &Stage<'_>) -> Played {
        stage.opened(t0_ns);
        stage.closed(t0_ns);
        Played { t1_ns: t0_ns, ..Played::default() }
    }

    fn settle(&mut self, _: &mut FileReport) -> Result<(), ProbeError> {
        Ok(())
    }
}

#[test]
fn net_moves_exactly_the_bytes_that_a_mix_would() {
    let settings = settings(1, Place::Sink { sink: Sink::Net }, copy());
    let (clients, server) = run(&settings, vec![(0, Box::new(Exchanger))], None, &Cancel::default());
    assert!(clients[0].broken.is_none() && server.broken.is_none(), "{:?}", clients[0].broken);
    let total = |end: &Measured, receives: bool| -> u64 {
        end.flows.iter().filter(|f| f.receives == receives).map(|f| f.total_bytes()).sum()
    };
    let sent = 8 + 74 + 59 + 59 + 65_536 + 41 + (1 << 20);
    let back = 8 + 87 + 59 + 61_440 + 55 + 39 + 4;
    assert_eq!((total(&clients[0], false), total(&clients[0], true)), (sent, back));
    assert_eq!((total(&server, true), total(&server, false)), (sent, back));
}

/// Joins, and then a stranger with the token says what is no request on a data connection.
struct Nonsense {
    at: std::net::SocketAddr,
    token: [u8; 16],
}

impl Player for Nonsense {
    fn prepare(&mut self, data: Option<&Data>) -> Result<(), ProbeError> {
        for nonsense in [&[0xff; 64][..], &[0; 32], &[4; 32]] {
            let mut stream = TcpStream::connect(self.at).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            let mut opening = Vec::from(*b"GPUT");
            opening.extend(goodput_version().to_be_bytes());
            opening.extend(0u16.to_be_bytes());
            opening.extend(self.token);
            opening.extend([0; 8]);
            stream.write_all(&opening).unwrap();
            stream.write_all(nonsense).unwrap();
            let mut answer = Vec::new();
            // The status byte, then the end or a reset; no reply.
            let _ = stream.read_to_end(&mut answer);
            assert!(answer.is_empty() || answer == [0], "{answer:?}");
        }
        // Who keeps to the protocol is served.
        data.unwrap().remote().unwrap().room().unwrap();
        Ok(())
    }

    fn play(&mut self, t0_ns: u64, _: Option<u64>, _: Nanos, stage: &Stage<'_>) -> Played {
        stage.opened(t0_ns);
        stage.closed(t0_ns);
        Played { t1_ns: t0_ns, ..Played::default() }
    }

    fn settle(&mut self, _: &mut FileReport) -> Result<(), ProbeError> {
        Ok(())
    }
}

/// The version of the data protocol, which is no public word.
fn goodput_version() -> u16 {
    1
}

#[test]
fn nonsense_on_a_data_connection_ends_that_connection_and_nothing_else() {
    let settings = settings(1, Place::Sink { sink: Sink::Memory }, copy());
    let memory = Memory::keeping(8 << 20, matcher);
    let data_listener = DataListener::open(([127, 0, 0, 1], 0).into()).unwrap();
    let (order, at) = (order_of(&settings, 0), data_listener.local_addr());
    let expected = data_listener.expect(order.token);
    let (client, server) = std::thread::scope(|s| {
        let serving = s.spawn(|| {
            let service = Service { keeper: Some(&memory), before: &|| {} };
            listen(&order, &settings, expected, &Moments::default(), &Cancel::default(), &service)
        });
        let mut player = Nonsense { at, token: order.token.0 };
        let client = connect(&order, &settings, at, &Moments::default(), &Cancel::default(), &mut player);
        (client, serving.join().unwrap())
    });
    assert!(client.broken.is_none() && server.broken.is_none(), "{:?}", client.broken);
}
