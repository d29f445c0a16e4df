//! Mixes on an in-memory place.

use super::*;
use crate::clock::now_ns;
use crate::fake::{self, FakeShare, TEST_WORKSPACE, sum_series_column};
use crate::supervise::tests::Watched;
use goodput_model::Bytes;
use goodput_model::file::{
    AgentSink, CacheMode, CreateOptions, ExpectedStatus, FileLocation, FileOp, TimedFileOp, VerifyMode,
};
use std::sync::Mutex;
use std::sync::atomic::Ordering::SeqCst;

const FILE: CreateOptions = CreateOptions(0x40);
const FOLDER: CreateOptions = CreateOptions(0x1);
const MISSING: ExpectedStatus = ExpectedStatus::Status(0xC000_0034);
const PATIENCE: Nanos = Nanos(2_000_000_000);
const QUERY: FileOp = FileOp::QueryFs { level: 1 };

/// Paths: 0 `clients`, 1 the player's folder, 2 and 3 files in it, 4 a pattern for them, 5 a shared file.
fn load(ops: &[(FileOp, ExpectedStatus)]) -> Arc<DbenchLoadFile> {
    let of_player = ["", "/a.txt", "/b.txt", "/*.txt"].map(|name| format!("clients/client1{name}"));
    let paths = ["clients".into()].into_iter().chain(of_player).chain(["common".into()]);
    let timed = |((op, expect), line): (&(FileOp, ExpectedStatus), u32)| TimedFileOp {
        at: None,
        op: *op,
        expect: *expect,
        line,
    };
    Arc::new(DbenchLoadFile {
        paths: paths.collect(),
        ops: ops.iter().zip(1..).map(timed).collect(),
        handles: 4,
    })
}

/// A load whose operations all succeed.
fn sound(ops: &[FileOp]) -> Arc<DbenchLoadFile> {
    load(&ops.iter().map(|op| (*op, ExpectedStatus::Success)).collect::<Vec<_>>())
}

fn settings(players: u16, max_errors: u32) -> File {
    let (load, none) = (FileMixSource::Office { seed: 7 }, Nanos(0));
    let work = FileWork::Mix { load, players, warm_up: none, time: none, max_errors, rate: None };
    let (clients, place) =
        (vec!["here".into(), "there".into()], FileLocation::Sink { sink: AgentSink::Memory });
    File { clients, place, access: CacheMode::Cached, verify: VerifyMode::Off, ..fake::test_settings(work) }
}

fn mix(share: &FakeShare, settings: &File, load: &Arc<DbenchLoadFile>) -> Box<dyn FileJob> {
    create_mix_job(FileJobSpec { load: Some(load.clone()), ..share.job_order(settings) }).unwrap()
}

fn once(
    share: &FakeShare,
    players: u16,
    max_errors: u32,
    load: &Arc<DbenchLoadFile>,
) -> (JobResult, Box<dyn FileJob>) {
    let mut job = mix(share, &settings(players, max_errors), load);
    let ran = job.run(now_ns(), None, PATIENCE, &Watched::default());
    (ran, job)
}

#[track_caller]
fn without_surprise(ran: &JobResult) {
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    assert!(ran.report.surprises.is_empty(), "{:?}", ran.report.surprises);
}

fn cause(ran: JobResult) -> String {
    ran.broken.unwrap().source.to_string()
}

fn class(ran: &JobResult, class: FileOpClass) -> FileOpClassCounts {
    *ran.report.classes.iter().find(|c| c.class == class).unwrap()
}

fn create(path: u32, disposition: CreateDisposition, handle: u32) -> FileOp {
    FileOp::Create { path, options: FILE, disposition, handle }
}

const fn read(handle: u32, offset: u64, size: u32, actual: u32) -> FileOp {
    FileOp::Read { handle, offset, size, actual }
}

const fn write(handle: u32, offset: u64, size: u32) -> FileOp {
    FileOp::Write { handle, offset, size, actual: size }
}

fn life() -> Vec<(FileOp, ExpectedStatus)> {
    let ok = ExpectedStatus::Success;
    vec![
        (FileOp::Create { path: 0, options: FOLDER, disposition: CreateDisposition::Create, handle: 3 }, ok),
        (FileOp::Close { handle: 3 }, ok),
        (FileOp::Mkdir { path: 1 }, ok),
        (FileOp::QueryPath { path: 2, level: 1004 }, MISSING),
        (create(2, CreateDisposition::Open, 0), MISSING),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 0 }, ExpectedStatus::Status(0xC000_000F)),
        (create(2, CreateDisposition::Create, 0), ok),
        (create(2, CreateDisposition::Create, 1), ExpectedStatus::Status(0xC000_0035)),
        (write(0, 0, 1_000), ok),
        (write(0, 500, 1_000), ok),
        (FileOp::Flush { handle: 0 }, ok),
        (FileOp::Lock { handle: 0, offset: 0, size: 10 }, ok),
        (FileOp::Unlock { handle: 0, offset: 0, size: 10 }, ok),
        (FileOp::QueryFile { handle: 0, level: 1018 }, ok),
        (FileOp::SetFile { handle: 0, level: 1004 }, ok),
        (FileOp::QueryFs { level: 1003 }, ok),
        (read(0, 0, 4_096, 1_500), ok),
        (read(0, 1_500, 4_096, 0), ExpectedStatus::Status(0xC000_0011)),
        (read(0, 1_400, 4_096, 100), ok),
        (FileOp::Close { handle: 0 }, ok),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 1 }, ok),
        (FileOp::Rename { from: 2, to: 3 }, ok),
        (FileOp::Rename { from: 2, to: 3 }, ExpectedStatus::Failure),
        (FileOp::Unlink { path: 2 }, MISSING),
        (FileOp::Rmdir { path: 1 }, ExpectedStatus::Status(0xC000_0101)),
        (FileOp::Unlink { path: 4 }, ok),
        (FileOp::Unlink { path: 4 }, ExpectedStatus::Status(0xC000_000F)),
        (FileOp::Rmdir { path: 1 }, ok),
        (FileOp::Deltree { path: 1 }, ok),
        (FileOp::Mkdir { path: 1 }, ok),
    ]
}

#[test]
fn a_life_without_surprises() {
    let (share, ops) = (FakeShare::default(), life());
    let (ran, mut job) = once(&share, 2, 0, &load(&ops));
    without_surprise(&ran);
    assert_eq!(ran.operations, 2 * ops.len() as u64);
    assert_eq!((ran.report.bytes_read, ran.report.bytes_written), (2 * 1_600, 2 * 2_000));
    let failing = ops.iter().filter(|(_, expect)| *expect != ExpectedStatus::Success).count() as u64;
    let classes = &ran.report.classes;
    // Creating the shared folder twice is neither unexpected nor a planned failure.
    assert_eq!(classes.iter().map(|c| c.failed_as_expected).sum::<u64>(), 2 * failing);
    assert_eq!(classes.iter().map(|c| c.count).sum::<u64>(), ran.operations);
    assert!(classes.iter().all(|c| c.unexpected == 0));
    assert_eq!(classes.len(), FileOpClass::ALL.len(), "every class occurs");
    for class in classes {
        assert_eq!(sum_series_column(&ran, &format!("latency-{}", class.class.name()), "count"), class.count);
    }
    for player in 0..2 {
        assert_eq!(sum_series_column(&ran, &format!("intervals-{player}"), "bytes"), 3_600);
    }
    assert_eq!(share.file_names(), ["clients", "clients/client1", "clients/client2"]);
    job.finish(&mut FileReport::default()).unwrap();
    assert_eq!((share.file_names(), share.open_handle_count()), (vec!["clients".to_string()], 0));
}

#[test]
fn data_cannot_be_compressed_and_writes_differ() {
    let share = FakeShare::default();
    let [one, two] = [(2, 0), (3, 1)].map(|(path, handle)| create(path, CreateDisposition::Create, handle));
    let ops = [one, write(0, 0, 8_192), two, write(1, 0, 8_192)];
    assert!(once(&share, 1, 0, &sound(&ops)).0.broken.is_none());
    let [a, b] = ["a", "b"].map(|name| share.file_content(&format!("clients/client1/{name}.txt")).unwrap());
    assert_ne!(a, b);
    let distinct: std::collections::HashSet<&[u8]> = a.chunks(8).chain(b.chunks(8)).collect();
    assert!(distinct.len() > 2_000, "{}", distinct.len());
}

#[test]
fn surprises_are_counted_and_told() {
    let share = FakeShare::default();
    let ops = [
        (create(2, CreateDisposition::Open, 0), ExpectedStatus::Success),
        (read(0, 0, 10, 10), ExpectedStatus::Success),
        (create(2, CreateDisposition::Create, 1), MISSING),
        (FileOp::Close { handle: 1 }, ExpectedStatus::Success),
        (create(2, CreateDisposition::Open, 1), ExpectedStatus::Success),
        (write(1, 0, 5), ExpectedStatus::Success),
        (read(1, 0, 10, 10), ExpectedStatus::Success),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 1 }, ExpectedStatus::Success),
        (FileOp::Deltree { path: 0 }, ExpectedStatus::Success),
        (FileOp::Rename { from: 0, to: 3 }, ExpectedStatus::Success),
    ];
    let (ran, _job) = once(&share, 1, 7, &load(&ops));
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    let unexpected: u64 = ran.report.classes.iter().map(|c| c.unexpected).sum();
    assert_eq!((unexpected, ran.operations), (7, 10));
    assert_eq!(ran.report.surprises.len(), 5, "the first few in words");
    let first = &ran.report.surprises[0];
    assert!(first.starts_with("simulated client 1, line 1, create clients/client1/a.txt: "), "{first}");
    assert_eq!(class(&ran, FileOpClass::Create).unexpected, 2);
    assert_eq!(class(&ran, FileOpClass::Read).unexpected, 2);
    // Bytes of a short read count too.
    assert_eq!((ran.report.bytes_read, ran.report.bytes_written), (5, 5));
    assert!(share.file_names().contains(&"clients/client1".to_string()), "what all share is not removed");
}

#[test]
fn too_many_surprises_end_the_mix() {
    let share = FakeShare::default();
    let bad = (FileOp::Unlink { path: 2 }, ExpectedStatus::Success);
    let ops = [vec![bad; 50], vec![(QUERY, ExpectedStatus::Success)]].concat();
    let (ran, _job) = once(&share, 3, 9, &load(&ops));
    assert!(ran.report.classes.iter().all(|c| c.count <= 30));
    let said = cause(ran);
    assert!(said.starts_with("10 operations ended otherwise than the load says, 9 are allowed; "), "{said}");
    assert!(once(&share, 3, 50, &load(&ops)).0.broken.is_none());
}

#[test]
fn a_lost_server_ends_it_at_once() {
    let share = FakeShare::default();
    let ops: Vec<_> = vec![(FileOp::QueryPath { path: 1, level: 1 }, ExpectedStatus::Any); 1_000];
    let mut job = mix(&share, &settings(2, 1_000), &load(&ops));
    share.faults.gone_after.store(share.request_count().unwrap() + 500, SeqCst);
    let begun = now_ns();
    let ran = job.run(begun, Some(begun + 60_000_000_000), PATIENCE, &Watched::default());
    assert_eq!(ran.broken.unwrap().trouble, FileErrorKind::Gone);
    assert!(ran.t1_ns < begun + 60_000_000_000);
    assert!(ran.operations > 0 && ran.operations < 600);
}

#[test]
fn passes_are_repeated_through_warm_up_and_window() {
    let share = FakeShare::default();
    // Leaves open and closed files; the next pass must not find them.
    let [one, two] = [(2, 0), (3, 1)].map(|(path, handle)| create(path, CreateDisposition::Create, handle));
    let ops = [FileOp::Mkdir { path: 1 }, one, write(0, 0, 100), two];
    let mut job = mix(&share, &settings(2, 0), &sound(&ops));
    share.faults.slow_ns.store(100_000, SeqCst);
    let watched = Watched::default();
    let t0 = now_ns() + 150_000_000;
    let t1 = t0 + 250_000_000;
    let ran = job.run(t0, Some(t1), PATIENCE, &watched);
    assert!(ran.broken.is_none() && ran.report.surprises.is_empty(), "{:?} {:?}", ran.broken, ran.report);
    assert_eq!(ran.t1_ns, t1);
    assert!(class(&ran, FileOpClass::Mkdir).count > 2, "more than one pass of each");
    assert_eq!(ran.report.bytes_written, 100 * class(&ran, FileOpClass::Write).count);
    assert!(watched.told.lock().unwrap().iter().map(|t| t.0).eq(["opened", "closed"]));
    assert!(ran.notes.iter().any(|note| note.contains("emptying the folders")), "{:?}", ran.notes);
    job.finish(&mut FileReport::default()).unwrap();
    assert_eq!((share.file_names(), share.open_handle_count()), (vec!["clients".to_string()], 0));
}

#[test]
fn loops_are_played_as_often_as_they_say() {
    let share = FakeShare::default();
    let [one, three, four] = [1, 3, 4].map(|times| FileOp::Loop { times });
    let end = FileOp::EndLoop;
    let ops = [three, QUERY, four, QUERY, end, end, one, QUERY, end].map(|op| (op, ExpectedStatus::Any));
    assert_eq!(once(&share, 1, 0, &load(&ops)).0.operations, 3 + 3 * 4 + 1);
}

#[test]
fn a_loop_of_nothing_ends_with_the_window() {
    let share = FakeShare::default();
    let (forever, end) = (FileOp::Loop { times: u32::MAX }, FileOp::EndLoop);
    let ops = [forever, forever, end, end, QUERY].map(|op| (op, ExpectedStatus::Any));
    let mut job = mix(&share, &settings(1, 0), &load(&ops));
    let t0 = now_ns();
    let ran = job.run(t0, Some(t0 + 50_000_000), PATIENCE, &Watched::default());
    assert!(ran.broken.is_none() && ran.operations == 0);
}

#[test]
fn players_wait_for_each_other() {
    struct Listed(Arc<Mutex<Vec<(usize, u32)>>>, usize);
    impl WireConnection for Listed {
        fn exchange(&mut self, request: u32, _: u32) -> Result<(), FileError> {
            if (self.1, request) == (0, 41) {
                std::thread::sleep(std::time::Duration::from_millis(60));
            }
            self.0.lock().unwrap().push((self.1, request));
            Ok(())
        }
    }
    let ops = [
        FileOp::Sleep { time: Nanos(1_000_000) },
        FileOp::Flush { handle: 0 },
        FileOp::SetPoint { point: 5 },
        FileOp::WaitPoint { player: 0, point: 5 },
        FileOp::WaitPoint { player: 1, point: 5 },
        FileOp::Close { handle: 0 },
    ]
    .map(|op| (op, ExpectedStatus::Any));
    let list = Arc::new(Mutex::new(Vec::new()));
    let wires =
        (0..2).map(|index| Box::new(Listed(list.clone(), index)) as Box<dyn WireConnection>).collect();
    let mut job = create_wire_job(&settings(2, 0), 1, Some(load(&ops)), wires).unwrap();
    let ran = job.run(now_ns(), None, PATIENCE, &Watched::default());
    assert!(ran.broken.is_none(), "{:?}", ran.broken);
    let requests: Vec<u32> = list.lock().unwrap().iter().map(|(_, request)| *request).collect();
    assert_eq!(requests.iter().filter(|r| **r == wire_backend::TBENCH_SETUP_BYTES.0).count(), 2);
    // Both flushes (41) precede the first close (47), though player 0's flush is slow.
    let first_close = requests.iter().position(|r| *r == 47).unwrap();
    assert_eq!(requests[..first_close].iter().filter(|r| **r == 41).count(), 2, "{requests:?}");
    assert_eq!(ran.report.facts.engine, "net");
}

#[test]
fn a_point_that_nobody_reaches_is_an_error() {
    let waits =
        |player| load(&[FileOp::WaitPoint { player, point: 5 }, QUERY].map(|op| (op, ExpectedStatus::Any)));
    let share = FakeShare::default();
    assert!(cause(once(&share, 2, 9, &waits(7)).0).contains("waits for simulated client 7"));
    let mut job = mix(&share, &settings(2, 9), &waits(0));
    let ran = job.run(now_ns(), None, Nanos(20_000_000), &Watched::default());
    assert!(cause(ran).contains("did not reach point 5"));
}

#[test]
fn lines_wait_for_their_time_and_a_rate_holds_back() {
    let share = FakeShare::default();
    let (new, data) = (create(2, CreateDisposition::Create, 0), write(0, 0, 1_000));
    let mut timed = (*sound(&[new, data])).clone();
    timed.ops[1].at = Some(Nanos(40_000_000));
    let begun = now_ns();
    assert!(once(&share, 1, 0, &Arc::new(timed)).0.broken.is_none());
    assert!(now_ns() - begun >= 40_000_000);

    // 3 writes of 1,000 bytes at 800 kbit/s: the third may begin 20 ms after the first.
    let mut held = settings(1, 0);
    if let FileWork::Mix { rate, .. } = &mut held.work {
        *rate = Some(BitRate(800_000));
    }
    let mut job = mix(&FakeShare::default(), &held, &sound(&[new, data, data, data]));
    let begun = now_ns();
    assert!(job.run(begun, None, PATIENCE, &Watched::default()).broken.is_none());
    assert!(now_ns() - begun >= 20_000_000);
}

#[test]
fn an_operation_that_came_late_counts_from_when_it_was_due() {
    let share = FakeShare::default();
    let mut late = (*sound(&[FileOp::QueryPath { path: 0, level: 1 }; 2])).clone();
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
    let share = FakeShare::default();
    let mut job = mix(&share, &settings(1, 20), &sound(&[FileOp::Unlink { path: 2 }; 3]));
    let t0 = now_ns() + 60_000_000_000;
    let ran = job.run(t0, Some(t0 + 1_000_000_000), PATIENCE, &Watched::default());
    assert!(ran.broken.is_some());
    let told = "21 operations ended otherwise than the load says before the window";
    assert!(ran.notes[0].starts_with(told), "{:?}", ran.notes);
    assert!(ran.report.surprises.is_empty() && ran.operations == 0);
}

#[test]
fn what_cannot_be_played_is_refused_before() {
    let share = FakeShare::default();
    let file = settings(1, 0);
    let refused = |load: DbenchLoadFile| {
        let order = FileJobSpec { load: Some(Arc::new(load)), ..share.job_order(&file) };
        create_mix_job(order).err().unwrap().trouble
    };
    let mut outside = (*load(&life())).clone();
    outside.paths[5] = "../x".into();
    assert_eq!(refused(outside), FileErrorKind::Forbidden);
    let huge = load(&[
        (create(2, CreateDisposition::Create, 0), ExpectedStatus::Any),
        (write(0, 1 << 45, 1), ExpectedStatus::Any),
    ]);
    assert_eq!(refused((*huge).clone()), FileErrorKind::Full);
    assert_eq!(refused(DbenchLoadFile::default()), FileErrorKind::Forbidden);
    let mut named = settings(1, 0);
    if let FileWork::Mix { load, .. } = &mut named.work {
        *load = FileMixSource::LoadFile { path: "/x".into(), sha256: String::new() };
    }
    assert_eq!(create_mix_job(share.job_order(&named)).err().unwrap().trouble, FileErrorKind::NotSupported);
    assert!(create_wire_job(&settings(2, 0), 0, None, Vec::new()).is_err());
    assert!(share.file_names().is_empty());
    assert_eq!(Bytes(check::disk_footprint(&huge)), Bytes((1 << 45) + 1));
}

#[test]
fn our_own_profile_plays_without_a_surprise() {
    let share = FakeShare::default();
    let office = Arc::new(office_profile::generate_office_load(7));
    let (ran, mut job) = once(&share, 2, 0, &office);
    without_surprise(&ran);
    assert_eq!(ran.operations, 2 * office.ops.len() as u64);
    let (mut asked, mut came) = (0, 0);
    for op in &office.ops {
        match op.op {
            FileOp::Read { actual, .. } => came += u64::from(actual),
            op if op.class() == Some(FileOpClass::Write) => asked += op.payload_bytes().0,
            _ => {}
        }
    }
    assert_eq!((ran.report.bytes_written, ran.report.bytes_read), (2 * asked, 2 * came));
    job.finish(&mut FileReport::default()).unwrap();
    assert_eq!(share.file_names(), ["clients"]);
}

#[test]
fn our_own_profile_plays_in_a_real_folder() {
    use crate::location::{WorkspaceMode, open_location};
    let dir = tempfile::tempdir().unwrap();
    let place = FileLocation::Folder { path: dir.path().to_str().unwrap().into() };
    let settings = File { place: place.clone(), ..settings(2, 0) };
    let share = open_location(&place, TEST_WORKSPACE, WorkspaceMode::Make).unwrap();
    let mut job = create_mix_job(FileJobSpec { settings: &settings, client: 1, share, load: None }).unwrap();
    let ran = job.run(now_ns(), None, PATIENCE, &Watched::default());
    without_surprise(&ran);
    assert_eq!(ran.operations, 2 * office_profile::generate_office_load(7).ops.len() as u64);
    assert_eq!(ran.report.requests_per_operation, None);
    assert!(ran.threads_ns > 0);
    job.finish(&mut FileReport::default()).unwrap();
    let left: Vec<_> = std::fs::read_dir(dir.path().join(TEST_WORKSPACE).join("clients")).unwrap().collect();
    assert!(left.is_empty(), "{left:?}");
}
