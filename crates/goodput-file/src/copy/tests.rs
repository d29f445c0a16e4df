use super::*;
use crate::Share;
use crate::clock::now_ns;
use crate::fake::{FakeShare, TEST_TIMEOUT, sum_series_column, test_settings};
use crate::supervise::tests::Watched;
use goodput_model::Bytes;
use std::sync::atomic::Ordering::SeqCst;

const BLOCK: usize = 64 << 10;
/// 41 blocks, the last one short and unaligned.
const SIZE: u64 = 40 * BLOCK as u64 + 1_001;
const SOUND: Option<VerificationCounts> = Some(VerificationCounts { bytes: SIZE, wrong: 0 });

fn copy(way: FileDirection) -> File {
    let (size, block) = (Bytes(SIZE), Bytes(BLOCK as u64));
    test_settings(FileWorkload::Copy { way, size, block, depth: 4, local: None })
}

fn job(settings: &File, place: &FakeShare, local: Option<&FakeShare>) -> CopyJob {
    let FileWorkload::Copy { way, depth, .. } = settings.work else { panic!("not a copy") };
    let File { access, flush, verify, .. } = *settings;
    let (depth, target) = (usize::from(depth), copy_file_path(0).unwrap());
    let (size, block, keeps, made_up, on_disk) = (SIZE, BLOCK, false, false, true);
    let stored = size;
    let plan =
        CopyPlan { way, size, stored, block, depth, target, keeps, access, flush, verify, made_up, on_disk };
    let local = local.map(|fake| LocalWorkspace::from_existing(Box::new(fake.clone())));
    CopyJob::from_plan(place.file_job_spec(settings), plan, local).unwrap()
}

fn write(place: &FakeShare, local: Option<&FakeShare>) -> CopyJob {
    job(&copy(FileDirection::Write), place, local)
}

fn run(job: &mut CopyJob) -> JobResult {
    job.run(now_ns() + 3_000_000, None, TEST_TIMEOUT, &Watched::default())
}

/// What the comparison found.
fn settled(job: &mut CopyJob, ran: &mut JobResult) -> Option<VerificationCounts> {
    job.finish(&mut ran.report).unwrap();
    ran.report.verified
}

fn broken(ran: &JobResult) -> Option<FileErrorKind> {
    ran.broken.as_ref().map(|e| e.trouble)
}

#[test]
fn a_write_is_counted_to_the_byte_and_gone_after_it() {
    let place = FakeShare::default();
    let mut job = write(&place, None);
    let mut ran = run(&mut job);
    assert_eq!((ran.report.bytes_written, ran.report.bytes_read, ran.operations), (SIZE, 0, 41));
    let sums = [("intervals-0", "bytes"), ("latency-write", "count"), ("latency-flush", "count")]
        .map(|(series, column)| sum_series_column(&ran, series, column));
    assert_eq!(sums, [SIZE, 41, 1]);
    let (accepted, durable) = (ran.report.accepted_ns.unwrap(), ran.report.durable_ns.unwrap());
    assert!(accepted <= durable && place.flush_count() == 1);
    let classes = ran.report.classes.iter().map(|c| (c.class, c.count, c.bytes));
    assert!(classes.eq([(FileOpClass::Write, 41, SIZE), (FileOpClass::Flush, 1, 0)]));
    assert_eq!(place.file_content("copy").unwrap().len() as u64, SIZE);
    assert_eq!(settled(&mut job, &mut ran), SOUND);
    assert_eq!((place.file_content("copy"), place.open_handle_count()), (None, 0));
}

#[test]
fn a_read_compares_what_came_in() {
    let place = FakeShare::with_test_file(SIZE);
    let read = |verify| {
        let mut job = job(&File { verify, ..copy(FileDirection::Read) }, &place, None);
        let mut ran = run(&mut job);
        assert_eq!((ran.report.bytes_read, ran.report.bytes_written, ran.operations), (SIZE, 0, 41));
        assert_eq!((ran.report.accepted_ns, ran.report.durable_ns), (None, None));
        settled(&mut job, &mut ran).map(|found| (found.bytes, found.wrong))
    };
    let sample = 40 * 4096 + 1001;
    assert_eq!([read(VerifyMode::Off), read(VerifyMode::Sample)], [None, Some((sample, 0))]);
    place.flip_bit("test", 5 * BLOCK + 4095);
    assert_eq!(read(VerifyMode::Sample), Some((sample, 1)), "the first 4 KiB of each block were kept");
}

#[test]
fn both_ways_between_two_disks_the_same_bytes_arrive() {
    let (place, local) = (FakeShare::with_test_file(SIZE), FakeShare::with_test_file(SIZE));
    for (way, from, to) in [(FileDirection::Write, &local, &place), (FileDirection::Read, &place, &local)] {
        let mut job = job(&copy(way), &place, Some(&local));
        let mut ran = run(&mut job);
        assert_eq!(broken(&ran), None);
        assert_eq!(from.file_content("test"), to.file_content("copy"));
        assert_eq!(ran.report.bytes_read + ran.report.bytes_written, SIZE);
        assert!(ran.report.accepted_ns.unwrap() <= ran.report.durable_ns.unwrap());
        assert_eq!(settled(&mut job, &mut ran), SOUND);
        assert_eq!((place.open_handle_count(), local.open_handle_count()), (0, 0));
        assert_eq!([place.file_names(), local.file_names()], [["test"]; 2]);
    }
}

#[test]
fn the_time_goes_to_the_slower_disk() {
    for slow_place in [true, false] {
        let (place, local) = (FakeShare::with_test_file(SIZE), FakeShare::with_test_file(SIZE));
        let slow = if slow_place { &place } else { &local };
        slow.faults.pace_ns.store(5_000_000, SeqCst);
        let t0 = now_ns();
        let ran = write(&place, Some(&local)).run(t0, None, TEST_TIMEOUT, &Watched::default());
        let window = ran.t1_ns - t0;
        let (at_local, at_place) = (ran.report.local_wait_ns.unwrap(), ran.report.place_wait_ns.unwrap());
        let both = at_local + at_place;
        assert!((window / 10 * 8..=window).contains(&both), "{at_local} + {at_place} of {window}");
        let (slower, other) = if slow_place { (at_place, at_local) } else { (at_local, at_place) };
        assert!(slower > 4 * other, "slow place: {slow_place}, {at_local}, {at_place}");
    }
}

#[test]
fn a_missing_local_file_is_made_first() {
    let (place, local) = (FakeShare::with_test_file(SIZE), FakeShare::default());
    let mut job = write(&place, Some(&local));
    let mut ran = run(&mut job);
    assert_eq!(ran.notes.len(), 1, "{:?}", ran.notes);
    assert_eq!(settled(&mut job, &mut ran), SOUND);
}

#[test]
fn a_share_that_goes_in_the_middle_gives_a_partial_report() {
    for (way, with_local) in
        [(FileDirection::Write, false), (FileDirection::Write, true), (FileDirection::Read, false)]
    {
        let (place, local) = (FakeShare::with_test_file(SIZE), FakeShare::with_test_file(SIZE));
        let mut job = job(&copy(way), &place, with_local.then_some(&local));
        place.faults.gone_after.store(place.request_count().unwrap() + 20, SeqCst);
        let mut ran = run(&mut job);
        assert_eq!(broken(&ran), Some(FileErrorKind::Gone));
        let moved = ran.report.bytes_written + ran.report.bytes_read;
        assert!(moved > 0 && moved < SIZE && moved == ran.operations * BLOCK as u64);
        assert_eq!(sum_series_column(&ran, "intervals-0", "bytes"), moved);
        assert_eq!((ran.report.accepted_ns, ran.report.durable_ns), (None, None));
        assert_eq!((ran.report.classes[0].unexpected, ran.report.surprises.len()), (1, 1));
        assert!(job.finish(&mut ran.report).is_err());
        assert_eq!(ran.report.verified, None);
    }
}

#[test]
fn a_write_that_ends_early_gives_a_partial_report_and_no_file() {
    let gone = Some(FileErrorKind::Gone);
    let (silent, full, paced) = (10, 10 * BLOCK as u64, 30_000_000);
    for (name, [silent, full, paced], cancel_after, trouble) in [
        ("silent server", [silent, 0, 0], None, gone),
        ("full disk", [0, full, 0], None, Some(FileErrorKind::Full)),
        ("cancelled", [0, 0, paced], Some(2), None),
    ] {
        let place = FakeShare::default();
        let mut job = write(&place, None);
        if silent > 0 {
            place.faults.silent_after.store(place.request_count().unwrap() + silent, SeqCst);
        }
        place.faults.full_after.store(full, SeqCst);
        place.faults.pace_ns.store(paced, SeqCst);
        let (t0, watched) = (now_ns(), Watched { cancel_after, ..Watched::default() });
        let mut ran = job.run(t0, None, Nanos(400_000_000), &watched);
        assert_eq!((broken(&ran), ran.report.accepted_ns), (trouble, None), "{name}");
        assert!(ran.report.bytes_written < SIZE && (full == 0 || ran.report.bytes_written <= full), "{name}");
        assert!(watched.seen.lock().unwrap().iter().all(|s| s.done.unwrap() < 1.0), "{name}");
        if trouble == gone {
            assert!(ran.t1_ns - t0 >= 400_000_000, "the patience is kept");
        } else {
            assert_eq!((settled(&mut job, &mut ran), place.file_names()), (None, Vec::new()), "{name}");
        }
    }
}

#[test]
fn a_copy_that_cannot_be_is_refused() {
    let place = FakeShare::with_test_file(SIZE);
    for (size, block, depth, trouble) in [
        (SIZE, 4096, 1, None),
        (SIZE + 1, 4096, 1, Some(FileErrorKind::EndOfFile)),
        (0, 4096, 1, Some(FileErrorKind::NotSupported)),
        (1, 0, 1, Some(FileErrorKind::NotSupported)),
        (1, 512, 1, Some(FileErrorKind::NotSupported)),
        (1, 128 << 20, 1, Some(FileErrorKind::NotSupported)),
        (1, 4096, 0, Some(FileErrorKind::NotSupported)),
    ] {
        let (way, size, block) = (FileDirection::Read, Bytes(size), Bytes(block));
        let settings = test_settings(FileWorkload::Copy { way, size, block, depth, local: None });
        let refused = create_copy_job(place.file_job_spec(&settings)).err().map(|e| e.trouble);
        assert_eq!(refused, trouble, "{settings:?}");
    }
}

#[test]
fn the_target_needs_room_for_every_pass() {
    let place = FakeShare::default();
    let refused = |storage_passes| {
        let (way, size, block) = (FileDirection::Write, Bytes(200 << 30), Bytes(BLOCK as u64));
        let copy = FileWorkload::Copy { way, size, block, depth: 1, local: None };
        let settings = File { storage_passes, ..test_settings(copy) };
        create_copy_job(place.file_job_spec(&settings)).err().map(|e| e.trouble)
    };
    assert_eq!([refused(8), refused(1)], [Some(FileErrorKind::Full), None]);
}
