//! Mixes on an in-memory place.

use super::*;
use crate::clock::now_ns;
use crate::fake::{self, FakeShare, TEST_WORKSPACE, sum_series_column};
use crate::supervise::tests::Watched;
use goodput_model::file::{
    CacheMode, CreateOptions, ExpectedOpStatus, FileLocation, FileOp, ScheduledFileOp, SinkStorageKind,
    VerifyMode,
};
use std::sync::Mutex;
use std::sync::atomic::Ordering::SeqCst;

const OK: ExpectedOpStatus = ExpectedOpStatus::Success;
const MISSING: ExpectedOpStatus = ExpectedOpStatus::Status(0xC000_0034);
const PATIENCE: Nanos = Nanos(2_000_000_000);
const QUERY: FileOp = FileOp::QueryFs { level: 1 };

/// Paths: 0 `clients`, 1 the player's folder, 2 and 3 files in it, 4 a pattern for them, 5 a shared file.
fn load(ops: &[(FileOp, ExpectedOpStatus)]) -> Arc<DbenchLoadFile> {
    let of_player = ["", "/a.txt", "/b.txt", "/*.txt"].map(|name| format!("clients/client1{name}"));
    let paths = ["clients".into()].into_iter().chain(of_player).chain(["common".into()]).collect();
    let timed =
        ops.iter().zip(1..).map(|(&(op, expect), line)| ScheduledFileOp { at: None, op, expect, line });
    Arc::new(DbenchLoadFile { paths, ops: timed.collect(), handles: 4 })
}

/// A load whose operations all have this expected result.
fn load_expecting(expect: ExpectedOpStatus, ops: &[FileOp]) -> Arc<DbenchLoadFile> {
    load(&ops.iter().map(|op| (*op, expect)).collect::<Vec<_>>())
}

fn settings(players: u16, max_errors: u32) -> File {
    let (load, none) = (FileOperationMixSource::Office { seed: 7 }, Nanos(0));
    let work = FileWorkload::Mix { load, players, warm_up: none, time: none, max_errors, rate: None };
    let clients = vec!["here".into(), "there".into()];
    let place = FileLocation::Sink { sink: SinkStorageKind::Memory };
    File { clients, place, access: CacheMode::Cached, verify: VerifyMode::Off, ..fake::test_settings(work) }
}

fn mix(share: &FakeShare, settings: &File, load: &Arc<DbenchLoadFile>) -> Box<dyn FileJob> {
    create_mix_job(FileJobSpec { load: Some(load.clone()), ..share.file_job_spec(settings) }).unwrap()
}

fn play(job: &mut Box<dyn FileJob>) -> JobResult {
    job.run(now_ns(), None, PATIENCE, &Watched::default())
}

fn once(share: &FakeShare, players: u16, max_errors: u32, load: &Arc<DbenchLoadFile>) -> JobResult {
    play(&mut mix(share, &settings(players, max_errors), load))
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

const TWO_NEW_FILES: [FileOp; 2] =
    [create(2, CreateDisposition::Create, 0), create(3, CreateDisposition::Create, 1)];

const fn create(path: u32, disposition: CreateDisposition, handle: u32) -> FileOp {
    FileOp::Create { path, options: CreateOptions(0x40), disposition, handle }
}

const fn read(handle: u32, offset: u64, size: u32, actual: u32) -> FileOp {
    FileOp::Read { handle, offset, size, actual }
}

const fn write(handle: u32, offset: u64, size: u32) -> FileOp {
    FileOp::Write { handle, offset, size, actual: size }
}

fn life() -> Vec<(FileOp, ExpectedOpStatus)> {
    let (ok, status) = (OK, |low: u32| ExpectedOpStatus::Status(0xC000_0000 | low));
    let (options, disposition) = (CreateOptions(0x1), CreateDisposition::Create);
    vec![
        (FileOp::Create { path: 0, options, disposition, handle: 3 }, ok),
        (FileOp::Close { handle: 3 }, ok),
        (FileOp::Mkdir { path: 1 }, ok),
        (FileOp::QueryPath { path: 2, level: 1004 }, MISSING),
        (create(2, CreateDisposition::Open, 0), MISSING),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 0 }, status(0xF)),
        (create(2, CreateDisposition::Create, 0), ok),
        (create(2, CreateDisposition::Create, 1), status(0x35)),
        (write(0, 0, 1_000), ok),
        (write(0, 500, 1_000), ok),
        (FileOp::Flush { handle: 0 }, ok),
        (FileOp::Lock { handle: 0, offset: 0, size: 10 }, ok),
        (FileOp::Unlock { handle: 0, offset: 0, size: 10 }, ok),
        (FileOp::QueryFile { handle: 0, level: 1018 }, ok),
        (FileOp::SetFile { handle: 0, level: 1004 }, ok),
        (FileOp::QueryFs { level: 1003 }, ok),
        (read(0, 0, 4_096, 1_500), ok),
        (read(0, 1_500, 4_096, 0), status(0x11)),
        (read(0, 1_400, 4_096, 100), ok),
        (FileOp::Close { handle: 0 }, ok),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 1 }, ok),
        (FileOp::Rename { from: 2, to: 3 }, ok),
        (FileOp::Rename { from: 2, to: 3 }, ExpectedOpStatus::Failure),
        (FileOp::Unlink { path: 2 }, MISSING),
        (FileOp::Rmdir { path: 1 }, status(0x101)),
        (FileOp::Unlink { path: 4 }, ok),
        (FileOp::Unlink { path: 4 }, status(0xF)),
        (FileOp::Rmdir { path: 1 }, ok),
        (FileOp::Deltree { path: 1 }, ok),
        (FileOp::Mkdir { path: 1 }, ok),
    ]
}

#[test]
fn a_life_without_surprises() {
    let (share, ops) = (FakeShare::default(), life());
    let mut job = mix(&share, &settings(2, 0), &load(&ops));
    let ran = play(&mut job);
    without_surprise(&ran);
    assert_eq!(ran.operations, 2 * ops.len() as u64);
    assert_eq!((ran.report.bytes_read, ran.report.bytes_written), (2 * 1_600, 2 * 2_000));
    let failing = ops.iter().filter(|(_, expect)| *expect != OK).count() as u64;
    let classes = &ran.report.classes;
    // Creating the shared folder twice is neither unexpected nor a planned failure.
    assert_eq!(classes.iter().map(|c| c.failed_as_expected).sum::<u64>(), 2 * failing);
    assert_eq!(classes.iter().map(|c| c.count).sum::<u64>(), ran.operations);
    assert_eq!(classes.len(), FileOpClass::ALL.len(), "every class occurs");
    for class in classes {
        let timed = sum_series_column(&ran, &format!("latency-{}", class.class.name()), "count");
        assert_eq!((timed, class.unexpected), (class.count, 0), "{class:?}");
    }
    assert_eq!(["intervals-0", "intervals-1"].map(|name| sum_series_column(&ran, name, "bytes")), [3_600; 2]);
    assert_eq!(share.file_names(), ["clients", "clients/client1", "clients/client2"]);
    ends_clean(job, &share);
}

fn ends_clean(mut job: Box<dyn FileJob>, share: &FakeShare) {
    job.finish(&mut FileReport::default()).unwrap();
    assert_eq!((share.file_names(), share.open_handle_count()), (vec!["clients".to_string()], 0));
}

#[test]
fn data_cannot_be_compressed_and_writes_differ() {
    let share = FakeShare::default();
    let ops = [TWO_NEW_FILES, [write(0, 0, 8_192), write(1, 0, 8_192)]].concat();
    without_surprise(&once(&share, 1, 0, &load_expecting(OK, &ops)));
    let [a, b] = ["a", "b"].map(|name| share.file_content(&format!("clients/client1/{name}.txt")).unwrap());
    assert_ne!(a, b);
    let distinct: std::collections::HashSet<&[u8]> = a.chunks(8).chain(b.chunks(8)).collect();
    assert!(distinct.len() > 2_000, "{}", distinct.len());
}

#[test]
fn surprises_are_counted_and_told() {
    let share = FakeShare::default();
    let ops = [
        (create(2, CreateDisposition::Open, 0), OK),
        (read(0, 0, 10, 10), OK),
        (create(2, CreateDisposition::Create, 1), MISSING),
        (FileOp::Close { handle: 1 }, OK),
        (create(2, CreateDisposition::Open, 1), OK),
        (write(1, 0, 5), OK),
        (read(1, 0, 10, 10), OK),
        (FileOp::Find { path: 4, level: 260, max: 9, count: 1 }, OK),
        (FileOp::Deltree { path: 0 }, OK),
        (FileOp::Rename { from: 0, to: 3 }, OK),
    ];
    let ran = once(&share, 1, 7, &load(&ops));
    let unexpected: u64 = ran.report.classes.iter().map(|c| c.unexpected).sum();
    assert_eq!((unexpected, ran.operations), (7, 10), "{:?}", ran.broken);
    assert_eq!(ran.report.surprises.len(), 5, "the first few in words");
    let first = &ran.report.surprises[0];
    assert!(first.starts_with("simulated client 1, line 1, create clients/client1/a.txt: "), "{first}");
    assert_eq!([FileOpClass::Create, FileOpClass::Read].map(|of| class(&ran, of).unexpected), [2; 2]);
    // Bytes of a short read count too.
    assert_eq!((ran.report.bytes_read, ran.report.bytes_written), (5, 5));
    assert!(share.file_names().contains(&"clients/client1".to_string()), "what all share is not removed");
}

#[test]
fn too_many_surprises_end_the_mix() {
    let share = FakeShare::default();
    let load = load_expecting(OK, &[[FileOp::Unlink { path: 2 }; 50].as_slice(), &[QUERY]].concat());
    let ran = once(&share, 3, 9, &load);
    assert!(ran.report.classes.iter().all(|c| c.count <= 30));
    let said = cause(ran);
    assert!(said.starts_with("10 operations ended otherwise than the load says, 9 are allowed; "), "{said}");
    assert!(once(&share, 3, 50, &load).broken.is_none());
}

#[test]
fn a_lost_server_ends_it_at_once() {
    let share = FakeShare::default();
    let load = load_expecting(ExpectedOpStatus::Any, &[FileOp::QueryPath { path: 1, level: 1 }; 1_000]);
    let mut job = mix(&share, &settings(2, 1_000), &load);
    share.faults.gone_after.store(share.request_count().unwrap() + 500, SeqCst);
    let begun = now_ns();
    let ran = job.run(begun, Some(begun + 60_000_000_000), PATIENCE, &Watched::default());
    assert_eq!(ran.broken.unwrap().trouble, FileErrorKind::Gone);
    assert!(ran.t1_ns < begun + 60_000_000_000 && (1..600).contains(&ran.operations));
}

#[test]
fn passes_are_repeated_through_warm_up_and_window() {
    let share = FakeShare::default();
    // Leaves open and closed files; the next pass must not find them.
    let [one, two] = TWO_NEW_FILES;
    let ops = [FileOp::Mkdir { path: 1 }, one, write(0, 0, 100), two];
    let mut job = mix(&share, &settings(2, 0), &load_expecting(OK, &ops));
    share.faults.slow_ns.store(100_000, SeqCst);
    let watched = Watched::default();
    let t0 = now_ns() + 150_000_000;
    let t1 = t0 + 250_000_000;
    let ran = job.run(t0, Some(t1), PATIENCE, &watched);
    without_surprise(&ran);
    assert_eq!(ran.t1_ns, t1);
    assert!(class(&ran, FileOpClass::Mkdir).count > 2, "more than one pass of each");
    assert_eq!(ran.report.bytes_written, 100 * class(&ran, FileOpClass::Write).count);
    assert!(*watched.told.lock().unwrap() == ["opened", "closed"]);
    assert!(ran.notes.iter().any(|note| note.contains("emptying the folders")), "{:?}", ran.notes);
    ends_clean(job, &share);
}

#[test]
fn loops_are_played_as_often_as_they_say() {
    let [one, three, four, forever] = [1, 3, 4, u32::MAX].map(|times| FileOp::Loop { times });
    let end = FileOp::EndLoop;
    let nested = [three, QUERY, four, QUERY, end, end, one, QUERY, end];
    let played = once(&FakeShare::default(), 1, 0, &load_expecting(ExpectedOpStatus::Any, &nested));
    assert_eq!(played.operations, 3 + 3 * 4 + 1);
    // A loop of nothing ends with the window.
    let empty = load_expecting(ExpectedOpStatus::Any, &[forever, forever, end, end, QUERY]);
    let t0 = now_ns();
    let mut job = mix(&FakeShare::default(), &settings(1, 0), &empty);
    let ran = job.run(t0, Some(t0 + 50_000_000), PATIENCE, &Watched::default());
    assert!(ran.broken.is_none() && ran.operations == 0);
}

#[test]
fn players_wait_for_each_other() {
    struct Listed(Arc<Mutex<Vec<u32>>>, usize);
    impl TbenchTransport for Listed {
        fn exchange_messages(&mut self, request: u32, _: u32) -> Result<(), FileError> {
            if (self.1, request) == (0, 41) {
                std::thread::sleep(std::time::Duration::from_millis(60));
            }
            self.0.lock().unwrap().push(request);
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
    ];
    let load = load_expecting(ExpectedOpStatus::Any, &ops);
    let list = Arc::<Mutex<Vec<u32>>>::default();
    let wire = |index| Box::new(Listed(list.clone(), index)) as Box<dyn TbenchTransport>;
    let wires = vec![wire(0), wire(1)];
    let ran = play(&mut create_tbench_job(&settings(2, 0), 1, Some(load), wires).unwrap());
    without_surprise(&ran);
    let requests = list.lock().unwrap();
    assert_eq!(requests.iter().filter(|r| **r == tbench_backend::TBENCH_SETUP_BYTES.0).count(), 2);
    // Both flushes (41) precede the first close (47), though player 0's flush is slow.
    let first_close = requests.iter().position(|r| *r == 47).unwrap();
    assert_eq!(requests[..first_close].iter().filter(|r| **r == 41).count(), 2, "{requests:?}");
    assert_eq!(ran.report.facts.engine, "net");
}

#[test]
fn a_point_that_nobody_reaches_is_an_error() {
    let waits =
        |player| load_expecting(ExpectedOpStatus::Any, &[FileOp::WaitPoint { player, point: 5 }, QUERY]);
    let share = FakeShare::default();
    assert!(cause(once(&share, 2, 9, &waits(7))).contains("waits for simulated client 7"));
    let mut job = mix(&share, &settings(2, 9), &waits(0));
    let ran = job.run(now_ns(), None, Nanos(20_000_000), &Watched::default());
    assert!(cause(ran).contains("did not reach point 5"));
}

#[test]
fn lines_wait_for_their_time_and_a_rate_holds_back() {
    let took = |settings: &File, load: DbenchLoadFile| {
        let begun = now_ns();
        without_surprise(&play(&mut mix(&FakeShare::default(), settings, &Arc::new(load))));
        now_ns() - begun
    };
    let ops = [&[TWO_NEW_FILES[0]][..], &[write(0, 0, 1_000); 3]].concat();
    let mut timed = (*load_expecting(OK, &ops)).clone();
    let mut held = settings(1, 0);
    if let FileWorkload::Mix { rate, .. } = &mut held.work {
        *rate = Some(BitRate(800_000));
    }
    // 3 writes of 1,000 bytes at 800 kbit/s: the third may begin 20 ms after the first.
    assert!(took(&held, timed.clone()) >= 20_000_000);
    timed.ops[1].at = Some(Nanos(40_000_000));
    assert!(took(&settings(1, 0), timed) >= 40_000_000);
}

#[test]
fn an_operation_that_came_late_counts_from_when_it_was_due() {
    let share = FakeShare::default();
    let mut late = (*load_expecting(OK, &[FileOp::QueryPath { path: 0, level: 1 }; 2])).clone();
    late.ops[1].at = Some(Nanos(1_000_000));
    let mut job = mix(&share, &settings(1, 0), &Arc::new(late));
    share.faults.slow_ns.store(30_000_000, SeqCst);
    let ran = play(&mut job);
    let series = ran.series.iter().find(|s| s.name == "latency-query_path").unwrap();
    let longest = series.column("value_ns").unwrap().iter().max().copied().unwrap();
    assert!(longest >= 2 * 30_000_000 - 1_000_000, "{longest}: the wait for the first belongs to the second");
}

#[test]
fn the_budget_counts_before_the_window_too() {
    let share = FakeShare::default();
    let mut job = mix(&share, &settings(1, 20), &load_expecting(OK, &[FileOp::Unlink { path: 2 }; 3]));
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
    let mut settings = settings(1, 0);
    let huge = load_expecting(OK, &[TWO_NEW_FILES[0], write(0, 1 << 45, 1)]);
    let order = FileJobSpec { load: Some(huge), ..share.file_job_spec(&settings) };
    assert_eq!(create_mix_job(order).err().unwrap().trouble, FileErrorKind::Full);
    assert!(create_tbench_job(&settings, 0, None, Vec::new()).is_err(), "no connection for its player");
    if let FileWorkload::Mix { load, .. } = &mut settings.work {
        *load = FileOperationMixSource::LoadFile { path: "/x".into(), sha256: String::new() };
    }
    let missing = create_mix_job(share.file_job_spec(&settings)).err().unwrap().trouble;
    assert_eq!((missing, share.file_names()), (FileErrorKind::NotSupported, Vec::new()));
}

#[test]
fn our_own_profile_plays_in_a_real_folder_without_a_surprise() {
    use crate::location::{WorkspaceOpenMode, open_workspace_at_location};
    let dir = tempfile::tempdir().unwrap();
    let place = FileLocation::Folder { path: dir.path().to_str().unwrap().into() };
    let settings = File { place: place.clone(), ..settings(2, 0) };
    let share = open_workspace_at_location(&place, TEST_WORKSPACE, WorkspaceOpenMode::Make).unwrap();
    let mut job = create_mix_job(FileJobSpec { settings: &settings, client: 1, share, load: None }).unwrap();
    let ran = play(&mut job);
    without_surprise(&ran);
    let office = office_profile::generate_office_load(7);
    let (mut asked, mut came) = (0, 0);
    for op in &office.ops {
        match op.op {
            FileOp::Read { actual, .. } => came += u64::from(actual),
            op if op.class() == Some(FileOpClass::Write) => asked += op.payload_bytes().0,
            _ => {}
        }
    }
    let counted = [ran.operations, ran.report.bytes_written, ran.report.bytes_read];
    assert_eq!(counted, [office.ops.len() as u64, asked, came].map(|of_one| 2 * of_one));
    assert!(ran.report.requests_per_operation.is_none() && ran.threads_ns > 0);
    job.finish(&mut FileReport::default()).unwrap();
    let clients = dir.path().join(TEST_WORKSPACE).join("clients");
    assert_eq!(std::fs::read_dir(clients).unwrap().count(), 0);
}
