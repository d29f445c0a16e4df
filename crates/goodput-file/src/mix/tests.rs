//! Mixes on an in-memory place.

use super::*;
use crate::clock::now_ns;
use crate::fake::Fake;
use crate::supervise::tests::Watched;
use goodput_model::Bytes;
use goodput_model::file::{Access, CreateOptions, Expect, FileOp, Place, Sink, TimedOp, Verify};
use std::sync::Mutex;
use std::sync::atomic::Ordering::SeqCst;

const FILE: CreateOptions = CreateOptions(0x40);
const FOLDER: CreateOptions = CreateOptions(0x1);
const MISSING: Expect = Expect::Status(0xC000_0034);
const PATIENCE: Nanos = Nanos(2_000_000_000);

/// Paths: 0 `clients`, 1 the player's folder, 2 and 3 files in it, 4 a pattern for them, 5 a shared file.
fn load(ops: &[(FileOp, Expect)]) -> Arc<LoadFile> {
    let paths = [
        "clients",
        "clients/client1",
        "clients/client1/a.txt",
        "clients/client1/b.txt",
        "clients/client1/*.txt",
        "common",
    ];
    let timed =
        ops.iter().zip(1..).map(|((op, expect), line)| TimedOp { at: None, op: *op, expect: *expect, line });
    Arc::new(LoadFile { paths: paths.map(String::from).to_vec(), ops: timed.collect(), handles: 4 })
}

fn settings(players: u16, max_errors: u32) -> File {
    File {
        clients: vec!["here".into(), "there".into()],
        place: Place::Sink { sink: Sink::Memory },
        workspace: ".goodput-test".into(),
        work: FileWork::Mix {
            load: MixSource::Office { seed: 7 },
            players,
            warm_up: Nanos(0),
            time: Nanos(0),
            max_errors,
            rate: None,
        },
        access: Access::Cached,
        flush: Flush::End,
        verify: Verify::Off,
        seed: 1,
        interval: Nanos(100_000_000),
        server_folder: None,
    }
}

fn mix(share: &Fake, settings: &File, load: &Arc<LoadFile>) -> Box<dyn Job> {
    let share = share.another().unwrap();
    open(JobOrder { settings, client: 0, share, load: Some(load.clone()) }).unwrap()
}

fn once(share: &Fake, players: u16, max_errors: u32, load: &Arc<LoadFile>) -> (JobResult, Box<dyn Job>) {
    let mut job = mix(share, &settings(players, max_errors), load);
    let ran = job.run(now_ns(), None, PATIENCE, &Watched::default());
    (ran, job)
}

fn class(ran: &JobResult, class: OpClass) -> ClassAccount {
    *ran.report.classes.iter().find(|c| c.class == class).unwrap()
}

fn create(path: u32, disposition: Disposition, handle: u32) -> FileOp {
    FileOp::Create { path, options: FILE, disposition, handle }
}

const fn read(handle: u32, offset: u64, size: u32, actual: u32) -> FileOp {
    FileOp::Read { handle, offset, size, actual }
}

const fn write(handle: u32, offset: u64, size: u32) -> FileOp {
    FileOp::Write { handle, offset, size, actual: size }
}

fn life() -> Vec<(FileOp, Expect)> {
    let ok = Expect::Success;
    vec![
        (FileOp::Create { path: 0, options: FOLDER, disposition: Disposition::Create, handle: 3 }, ok),
        (FileOp::Close { handle: 3 }, ok),
        (FileOp::Mkdir { path: 1 }, ok),
        (FileOp::QueryPath { path: 2, level: 1004 }, MISSING),
        (create(2, Disposition::Open, 0), MISSING),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 0 }, Expect::Status(0xC000_000F)),
        (create(2, Disposition::Create, 0), ok),
        (create(2, Disposition::Create, 1), Expect::Status(0xC000_0035)),
        (write(0, 0, 1_000), ok),
        (write(0, 500, 1_000), ok),
        (FileOp::Flush { handle: 0 }, ok),
        (FileOp::Lock { handle: 0, offset: 0, size: 10 }, ok),
        (FileOp::Unlock { handle: 0, offset: 0, size: 10 }, ok),
        (FileOp::QueryFile { handle: 0, level: 1018 }, ok),
        (FileOp::SetFile { handle: 0, level: 1004 }, ok),
        (FileOp::QueryFs { level: 1003 }, ok),
        (read(0, 0, 4_096, 1_500), ok),
        (read(0, 1_500, 4_096, 0), Expect::Status(0xC000_0011)),
        (read(0, 1_400, 4_096, 100), ok),
        (FileOp::Close { handle: 0 }, ok),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 1 }, ok),
        (FileOp::Rename { from: 2, to: 3 }, ok),
        (FileOp::Rename { from: 2, to: 3 }, Expect::Failure),
        (FileOp::Unlink { path: 2 }, MISSING),
        (FileOp::Rmdir { path: 1 }, Expect::Status(0xC000_0101)),
        (FileOp::Unlink { path: 4 }, ok),
        (FileOp::Unlink { path: 4 }, Expect::Status(0xC000_000F)),
        (FileOp::Rmdir { path: 1 }, ok),
        (FileOp::Deltree { path: 1 }, ok),
        (FileOp::Mkdir { path: 1 }, ok),
    ]
}

#[test]
fn a_life_without_surprises() {
    let (share, ops) = (Fake::new(), life());
    let (ran, mut job) = once(&share, 2, 0, &load(&ops));
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    assert!(ran.report.surprises.is_empty(), "{:?}", ran.report.surprises);
    assert_eq!(ran.operations, 2 * ops.len() as u64);
    assert_eq!((ran.report.bytes_read, ran.report.bytes_written), (2 * 1_600, 2 * 2_000));
    let failing = ops.iter().filter(|(_, expect)| *expect != Expect::Success).count() as u64;
    let classes = &ran.report.classes;
    // Creating the shared folder twice is neither unexpected nor a planned failure.
    assert_eq!(classes.iter().map(|c| c.failed_as_expected).sum::<u64>(), 2 * failing);
    assert_eq!(classes.iter().map(|c| c.count).sum::<u64>(), ran.operations);
    assert!(classes.iter().all(|c| c.unexpected == 0));
    assert_eq!(classes.len(), OpClass::ALL.len(), "every class occurs");
    for class in classes {
        let series = ran.series.iter().find(|s| s.name == format!("latency-{}", class.class.name())).unwrap();
        assert_eq!(series.column("count").unwrap().iter().sum::<i64>(), class.count as i64);
    }
    for player in 0..2 {
        let series = ran.series.iter().find(|s| s.name == format!("intervals-{player}")).unwrap();
        assert_eq!(series.column("bytes").unwrap().iter().sum::<i64>(), 3_600);
    }
    assert_eq!(share.names(), ["clients", "clients/client1", "clients/client2"]);
    job.settle(&mut FileReport::default()).unwrap();
    assert_eq!((share.names(), share.open_handles()), (vec!["clients".to_string()], 0));
}

#[test]
fn data_cannot_be_compressed_and_writes_differ() {
    let share = Fake::new();
    let ops = [
        create(2, Disposition::Create, 0),
        write(0, 0, 8_192),
        create(3, Disposition::Create, 1),
        write(1, 0, 8_192),
    ];
    let (ran, _job) = once(&share, 1, 0, &load(&ops.map(|op| (op, Expect::Success))));
    assert!(ran.broken.is_none());
    let (a, b) =
        (share.content("clients/client1/a.txt").unwrap(), share.content("clients/client1/b.txt").unwrap());
    assert_ne!(a, b);
    let distinct: std::collections::HashSet<&[u8]> = a.chunks(8).chain(b.chunks(8)).collect();
    assert!(distinct.len() > 2_000, "{}", distinct.len());
}

#[test]
fn surprises_are_counted_and_told() {
    let share = Fake::new();
    let ops = [
        (create(2, Disposition::Open, 0), Expect::Success),
        (read(0, 0, 10, 10), Expect::Success),
        (create(2, Disposition::Create, 1), MISSING),
        (FileOp::Close { handle: 1 }, Expect::Success),
        (create(2, Disposition::Open, 1), Expect::Success),
        (write(1, 0, 5), Expect::Success),
        (read(1, 0, 10, 10), Expect::Success),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 1 }, Expect::Success),
        (FileOp::Deltree { path: 0 }, Expect::Success),
        (FileOp::Rename { from: 0, to: 3 }, Expect::Success),
    ];
    let (ran, _job) = once(&share, 1, 7, &load(&ops));
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    let unexpected: u64 = ran.report.classes.iter().map(|c| c.unexpected).sum();
    assert_eq!((unexpected, ran.operations), (7, 10));
    assert_eq!(ran.report.surprises.len(), 5, "the first few in words");
    let first = &ran.report.surprises[0];
    assert!(first.starts_with("player 1, line 1, create clients/client1/a.txt: "), "{first}");
    assert_eq!(class(&ran, OpClass::Create).unexpected, 2);
    assert_eq!(class(&ran, OpClass::Read).unexpected, 2);
    // Bytes of a short read count too.
    assert_eq!((ran.report.bytes_read, ran.report.bytes_written), (5, 5));
    assert!(share.names().contains(&"clients/client1".to_string()), "what all share is not removed");
}

#[test]
fn too_many_surprises_end_the_mix() {
    let share = Fake::new();
    let bad = (FileOp::Unlink { path: 2 }, Expect::Success);
    let ops = [vec![bad; 50], vec![(FileOp::QueryFs { level: 1 }, Expect::Success)]].concat();
    let (ran, _job) = once(&share, 3, 9, &load(&ops));
    let broken = ran.broken.unwrap();
    let said = std::error::Error::source(&broken).unwrap().to_string();
    assert!(said.starts_with("10 operations ended otherwise than the load says, 9 are allowed; "), "{said}");
    assert!(ran.report.classes.iter().all(|c| c.count <= 30));
    assert!(once(&share, 3, 50, &load(&ops)).0.broken.is_none());
}

#[test]
fn a_lost_server_ends_it_at_once() {
    let share = Fake::new();
    let ops: Vec<_> = vec![(FileOp::QueryPath { path: 1, level: 1 }, Expect::Any); 1_000];
    let mut job = mix(&share, &settings(2, 1_000), &load(&ops));
    share.faults.gone_after.store(share.requests().unwrap() + 500, SeqCst);
    let begun = now_ns();
    let ran = job.run(begun, Some(begun + 60_000_000_000), PATIENCE, &Watched::default());
    assert_eq!(ran.broken.unwrap().trouble, FileErrorKind::Gone);
    assert!(ran.t1_ns < begun + 60_000_000_000);
    assert!(ran.operations > 0 && ran.operations < 600);
}

#[test]
fn passes_are_repeated_through_warm_up_and_window() {
    let share = Fake::new();
    // Leaves open and closed files; the next pass must not find them.
    let ops = [
        (FileOp::Mkdir { path: 1 }, Expect::Success),
        (create(2, Disposition::Create, 0), Expect::Success),
        (write(0, 0, 100), Expect::Success),
        (create(3, Disposition::Create, 1), Expect::Success),
    ];
    let mut job = mix(&share, &settings(2, 0), &load(&ops));
    share.faults.slow_ns.store(100_000, SeqCst);
    let watched = Watched::default();
    let t0 = now_ns() + 150_000_000;
    let t1 = t0 + 250_000_000;
    let ran = job.run(t0, Some(t1), PATIENCE, &watched);
    assert!(ran.broken.is_none() && ran.report.surprises.is_empty(), "{:?} {:?}", ran.broken, ran.report);
    assert_eq!(ran.t1_ns, t1);
    assert!(class(&ran, OpClass::Mkdir).count > 2, "more than one pass of each");
    assert_eq!(ran.report.bytes_written, 100 * class(&ran, OpClass::Write).count);
    let opened = watched.told.lock().unwrap().clone();
    assert_eq!(opened.iter().map(|t| t.0).collect::<Vec<_>>(), ["opened", "closed"]);
    assert!(ran.notes.iter().any(|note| note.contains("emptying the folders")), "{:?}", ran.notes);
    job.settle(&mut FileReport::default()).unwrap();
    assert_eq!((share.names(), share.open_handles()), (vec!["clients".to_string()], 0));
}

#[test]
fn loops_are_played_as_often_as_they_say() {
    let share = Fake::new();
    let any = Expect::Any;
    let query = (FileOp::QueryFs { level: 1 }, Expect::Success);
    let ops = [
        (FileOp::Loop { times: 3 }, any),
        query,
        (FileOp::Loop { times: 4 }, any),
        query,
        (FileOp::EndLoop, any),
        (FileOp::EndLoop, any),
        (FileOp::Loop { times: 1 }, any),
        query,
        (FileOp::EndLoop, any),
    ];
    assert_eq!(once(&share, 1, 0, &load(&ops)).0.operations, 3 + 3 * 4 + 1);
}

#[test]
fn a_loop_of_nothing_ends_with_the_window() {
    let share = Fake::new();
    let any = Expect::Any;
    let mut ops = vec![(FileOp::Loop { times: u32::MAX }, any), (FileOp::Loop { times: u32::MAX }, any)];
    ops.extend([(FileOp::EndLoop, any), (FileOp::EndLoop, any), (FileOp::QueryFs { level: 1 }, any)]);
    let mut job = mix(&share, &settings(1, 0), &load(&ops));
    let t0 = now_ns();
    let ran = job.run(t0, Some(t0 + 50_000_000), PATIENCE, &Watched::default());
    assert!(ran.broken.is_none() && ran.operations == 0);
}

#[test]
fn players_wait_for_each_other() {
    struct Listed(Arc<Mutex<Vec<(usize, u32)>>>, usize);
    impl Wire for Listed {
        fn exchange(&mut self, request: u32, _: u32) -> Result<(), FileError> {
            if (self.1, request) == (0, 41) {
                std::thread::sleep(std::time::Duration::from_millis(60));
            }
            self.0.lock().unwrap().push((self.1, request));
            Ok(())
        }
    }
    let any = Expect::Any;
    let flush = (FileOp::Flush { handle: 0 }, any);
    let ops = [
        (FileOp::Sleep { time: Nanos(1_000_000) }, any),
        flush,
        (FileOp::SetPoint { point: 5 }, any),
        (FileOp::WaitPoint { player: 0, point: 5 }, any),
        (FileOp::WaitPoint { player: 1, point: 5 }, any),
        (FileOp::Close { handle: 0 }, any),
    ];
    let list = Arc::new(Mutex::new(Vec::new()));
    let wires = (0..2).map(|index| Box::new(Listed(list.clone(), index)) as Box<dyn Wire>).collect();
    let mut job = net_job(&settings(2, 0), 1, Some(load(&ops)), wires).unwrap();
    let ran = job.run(now_ns(), None, PATIENCE, &Watched::default());
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    let requests: Vec<u32> = list.lock().unwrap().iter().map(|(_, request)| *request).collect();
    assert_eq!(requests.iter().filter(|r| **r == net::SETUP.0).count(), 2);
    // Both flushes (41) precede the first close (47), though player 0's flush is slow.
    let first_close = requests.iter().position(|r| *r == 47).unwrap();
    assert_eq!(requests[..first_close].iter().filter(|r| **r == 41).count(), 2, "{requests:?}");
    assert_eq!(ran.report.facts.engine, "net");
}

#[test]
fn a_point_that_nobody_reaches_is_an_error() {
    let ops = |player| {
        [(FileOp::WaitPoint { player, point: 5 }, Expect::Any), (FileOp::QueryFs { level: 1 }, Expect::Any)]
    };
    let share = Fake::new();
    let nobody = once(&share, 2, 9, &load(&ops(7))).0.broken.unwrap();
    assert!(std::error::Error::source(&nobody).unwrap().to_string().contains("waits for player 7"));
    let mut job = mix(&share, &settings(2, 9), &load(&ops(0)));
    let ran = job.run(now_ns(), None, Nanos(20_000_000), &Watched::default());
    let never = ran.broken.unwrap();
    assert!(
        std::error::Error::source(&never).unwrap().to_string().contains("has not come to point 5"),
        "{never:?}"
    );
}

#[test]
fn lines_wait_for_their_time_and_a_rate_holds_back() {
    let share = Fake::new();
    let ok = Expect::Success;
    let mut timed = (*load(&[(create(2, Disposition::Create, 0), ok), (write(0, 0, 1_000), ok)])).clone();
    timed.ops[1].at = Some(Nanos(40_000_000));
    let begun = now_ns();
    assert!(once(&share, 1, 0, &Arc::new(timed)).0.broken.is_none());
    assert!(now_ns() - begun >= 40_000_000);

    // 3 writes of 1,000 bytes at 800 kbit/s: the third may begin 20 ms after the first.
    let ops = [create(2, Disposition::Create, 0), write(0, 0, 1_000), write(0, 0, 1_000), write(0, 0, 1_000)];
    let mut held = settings(1, 0);
    if let FileWork::Mix { rate, .. } = &mut held.work {
        *rate = Some(BitRate(800_000));
    }
    let mut job = mix(&Fake::new(), &held, &load(&ops.map(|op| (op, ok))));
    let begun = now_ns();
    assert!(job.run(begun, None, PATIENCE, &Watched::default()).broken.is_none());
    assert!(now_ns() - begun >= 20_000_000);
}

#[test]
fn an_operation_that_came_late_counts_from_when_it_was_due() {
    let share = Fake::new();
    let query = (FileOp::QueryPath { path: 0, level: 1 }, Expect::Success);
    let mut late = (*load(&[query, query])).clone();
    late.ops[1].at = Some(Nanos(1_000_000));
    let mut job = mix(&share, &settings(1, 0), &Arc::new(late));
    share.faults.slow_ns.store(30_000_000, SeqCst);
    let ran = job.run(now_ns(), None, PATIENCE, &Watched::default());
    let series = ran.series.iter().find(|s| s.name == "latency-query_path").unwrap();
    let longest = series.column("value_ns").unwrap().iter().max().copied().unwrap();
    assert!(longest >= 2 * 30_000_000 - 1_000_000, "{longest}: the wait for the first belongs to the second");
}

#[test]
fn the_budget_counts_before_the_window_too() {
    let share = Fake::new();
    let ops = vec![(FileOp::Unlink { path: 2 }, Expect::Success); 3];
    let mut job = mix(&share, &settings(1, 20), &load(&ops));
    let t0 = now_ns() + 60_000_000_000;
    let ran = job.run(t0, Some(t0 + 1_000_000_000), PATIENCE, &Watched::default());
    assert!(ran.broken.is_some());
    assert!(
        ran.notes[0].starts_with("21 operations ended otherwise than the load says before the window"),
        "{:?}",
        ran.notes
    );
    assert!(ran.report.surprises.is_empty() && ran.operations == 0);
}

#[test]
fn what_cannot_be_played_is_refused_before() {
    let share = Fake::new();
    let file = settings(1, 0);
    let order =
        |load| JobOrder { settings: &file, client: 0, share: share.another().unwrap(), load: Some(load) };
    let mut outside = (*load(&life())).clone();
    outside.paths[5] = "../x".into();
    let refused = |load: LoadFile| open(order(Arc::new(load))).err().unwrap().trouble;
    assert_eq!(refused(outside), FileErrorKind::Forbidden);
    let huge = load(&[(create(2, Disposition::Create, 0), Expect::Any), (write(0, 1 << 45, 1), Expect::Any)]);
    assert_eq!(refused((*huge).clone()), FileErrorKind::Full);
    assert_eq!(refused(LoadFile::default()), FileErrorKind::Forbidden);
    let mut named = settings(1, 0);
    if let FileWork::Mix { load, .. } = &mut named.work {
        *load = MixSource::LoadFile { path: "/x".into(), sha256: String::new() };
    }
    let missing = open(JobOrder { settings: &named, client: 0, share: share.another().unwrap(), load: None });
    assert_eq!(missing.err().unwrap().trouble, FileErrorKind::NotSupported);
    assert!(net_job(&settings(2, 0), 0, None, Vec::new()).is_err());
    assert!(share.names().is_empty());
    assert_eq!(Bytes(check::footprint(&huge)), Bytes((1 << 45) + 1));
}

#[test]
fn our_own_profile_plays_without_a_surprise() {
    let share = Fake::new();
    let office = Arc::new(office::office(7));
    let (ran, mut job) = once(&share, 2, 0, &office);
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    assert!(ran.report.surprises.is_empty(), "{:?}", ran.report.surprises);
    assert_eq!(ran.operations, 2 * office.ops.len() as u64);
    let asked: u64 = office
        .ops
        .iter()
        .filter(|op| op.op.class() == Some(OpClass::Write))
        .map(|op| op.op.payload().0)
        .sum();
    assert_eq!(ran.report.bytes_written, 2 * asked);
    let came: u64 = office
        .ops
        .iter()
        .map(|op| match op.op {
            FileOp::Read { actual, .. } => u64::from(actual),
            _ => 0,
        })
        .sum();
    assert_eq!(ran.report.bytes_read, 2 * came);
    job.settle(&mut FileReport::default()).unwrap();
    assert_eq!(share.names(), ["clients"]);
}

#[test]
fn our_own_profile_plays_in_a_real_folder() {
    use crate::place::{Opening, open_place};
    let dir = tempfile::tempdir().unwrap();
    let place = Place::Folder { path: dir.path().to_str().unwrap().into() };
    let workspace = ".goodput-01890a5d-ac96-774b-bcce-b302099a8057";
    let settings = File { place: place.clone(), workspace: workspace.into(), ..settings(2, 0) };
    let share = open_place(&place, workspace, Opening::Make).unwrap();
    let mut job = open(JobOrder { settings: &settings, client: 1, share, load: None }).unwrap();
    let ran = job.run(now_ns(), None, PATIENCE, &Watched::default());
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    assert!(ran.report.surprises.is_empty(), "{:?}", ran.report.surprises);
    assert_eq!(ran.operations, 2 * office::office(7).ops.len() as u64);
    assert_eq!(ran.report.requests_per_operation, None);
    assert!(ran.threads_ns > 0);
    job.settle(&mut FileReport::default()).unwrap();
    let left: Vec<_> = std::fs::read_dir(dir.path().join(workspace).join("clients")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
