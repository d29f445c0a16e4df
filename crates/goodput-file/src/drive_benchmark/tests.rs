use super::*;
use crate::clock::now_ns;
use crate::fake::{FakeShare, TEST_TIMEOUT, sum_series_column, test_settings};
use crate::supervise::tests::Watched;
use goodput_model::Bytes;
use std::sync::atomic::Ordering::SeqCst;

const BLOCK: u64 = 8192;
const SIZE: u64 = 100 * BLOCK;
const TIME: Nanos = Nanos(150_000_000);
/// Longer than any test.
const LONG: u64 = 60 * Nanos::SECOND.0;

fn row(way: FileDirection, pattern: FileAccessPattern, queue: u16, threads: u16) -> File {
    let (name, block, size) = ("X".into(), Bytes(BLOCK), Bytes(SIZE));
    let work = FileWork::Row { name, way, pattern, block, queue, threads, size, time: TIME };
    File { flush: FlushMode::None, ..test_settings(work) }
}

fn prepared() -> FakeShare {
    let fake = FakeShare::with_test_file(SIZE);
    fake.faults.slow_ns.store(1_000_000, SeqCst);
    fake
}

fn job(settings: &File, place: &FakeShare) -> Box<dyn FileJob> {
    create_benchmark_job(place.job_order(settings)).unwrap()
}

fn run(job: &mut dyn FileJob) -> (JobResult, u64) {
    let t0 = now_ns() + 20_000_000;
    let ran = job.run(t0, Some(t0 + TIME.0), TEST_TIMEOUT, &Watched::default());
    (ran, t0)
}

#[test]
fn what_completed_in_the_window_is_counted_once() {
    for (pattern, queue, threads) in [
        (FileAccessPattern::Sequential, 1, 1),
        (FileAccessPattern::Random, 8, 1),
        (FileAccessPattern::Random, 4, 3),
    ] {
        let place = prepared();
        let mut job = job(&row(FileDirection::Read, pattern, queue, threads), &place);
        let (mut ran, t0) = run(job.as_mut());
        assert!(ran.broken.is_none(), "{:?}", ran.broken);
        assert_eq!(ran.t1_ns, t0 + TIME.0);
        assert!(ran.operations > 0);
        assert_eq!(ran.report.bytes_read, ran.operations * BLOCK);
        assert_eq!(sum_series_column(&ran, "intervals-", "bytes"), ran.report.bytes_read);
        assert_eq!(sum_series_column(&ran, "latency-read", "count"), ran.operations);
        let ends = ran.series.iter().filter(|s| s.name.starts_with("intervals-"));
        let last: Vec<i64> = ends.map(|s| *s.column("end_ns").unwrap().last().unwrap()).collect();
        assert_eq!(last, vec![TIME.0 as i64; usize::from(threads)]);
        assert!(ran.operations <= u64::from(queue * threads) * (TIME.0 / 1_000_000 + 1));
        job.finish(&mut ran.report).unwrap();
        let verified = ran.report.verified.unwrap();
        assert!(verified.bytes > SIZE && verified.wrong == 0, "{verified:?}");
        assert_eq!(place.open_handle_count(), 0);
    }
}

#[test]
fn what_a_row_wrote_is_compared_block_by_block() {
    for (pattern, threads) in [(FileAccessPattern::Sequential, 2), (FileAccessPattern::Random, 1)] {
        let place = prepared();
        let mut job = job(&row(FileDirection::Write, pattern, 4, threads), &place);
        let before = place.file_content("test").unwrap();
        let (mut ran, _) = run(job.as_mut());
        assert_eq!(ran.report.bytes_written, ran.operations * BLOCK);
        let content = place.file_content("test").unwrap();
        assert_eq!(content.len() as u64, SIZE);
        let changed = (0..100).find(|n| {
            let range = n * BLOCK as usize..(n + 1) * BLOCK as usize;
            before[range.clone()] != content[range]
        });
        place.flip_bit("test", changed.unwrap() * BLOCK as usize + 4096 + 99);
        job.finish(&mut ran.report).unwrap();
        assert_eq!(ran.report.verified, Some(VerificationCounts { bytes: SIZE, wrong: 1 }));
    }
}

#[test]
fn writes_that_were_forgotten_are_found() {
    let place = prepared();
    let mut job = job(&row(FileDirection::Write, FileAccessPattern::Random, 4, 1), &place);
    place.faults.forgetful.store(true, SeqCst);
    let (mut ran, _) = run(job.as_mut());
    job.finish(&mut ran.report).unwrap();
    assert!(ran.report.verified.unwrap().wrong > 0);
}

#[test]
fn a_flush_within_the_window_moves_its_end() {
    let place = prepared();
    let settings =
        File { flush: FlushMode::Within, ..row(FileDirection::Write, FileAccessPattern::Sequential, 4, 1) };
    let mut job = job(&settings, &place);
    place.faults.slow_ns.store(3_000_000, SeqCst);
    let (ran, t0) = run(job.as_mut());
    let (accepted, durable) = (ran.report.accepted_ns.unwrap(), ran.report.durable_ns.unwrap());
    assert!(accepted >= TIME.0 && durable >= accepted + 3_000_000);
    assert!(ran.t1_ns >= t0 + durable);
    assert_eq!(sum_series_column(&ran, "latency-write", "count"), ran.operations);
    assert_eq!(sum_series_column(&ran, "latency-flush", "count"), 1);
    assert_eq!(sum_series_column(&ran, "intervals-", "bytes"), ran.report.bytes_written);
    assert!(ran.report.classes.iter().map(|c| c.class).eq([FileOpClass::Write, FileOpClass::Flush]));
}

#[test]
fn a_flush_at_the_end_is_outside_the_window() {
    let place = prepared();
    let settings =
        File { flush: FlushMode::End, ..row(FileDirection::Write, FileAccessPattern::Sequential, 1, 1) };
    let mut job = job(&settings, &place);
    let (ran, t0) = run(job.as_mut());
    assert_eq!(ran.t1_ns, t0 + TIME.0);
    assert!(ran.report.durable_ns.unwrap() > TIME.0 && ran.report.accepted_ns.unwrap() > 0);
    assert_eq!(place.flush_count(), 2, "the preparation's, and this");
    let each = File { flush: FlushMode::Each, ..settings };
    let (ran, _) = run(self::job(&each, &place).as_mut());
    let flushes = sum_series_column(&ran, "latency-flush", "count");
    assert!(flushes > 0 && flushes.abs_diff(ran.operations) <= 1, "{flushes} of {}", ran.operations);
}

#[test]
fn a_share_that_goes_in_the_middle_gives_a_partial_report() {
    for threads in [1, 3] {
        let place = prepared();
        let mut job = job(&row(FileDirection::Read, FileAccessPattern::Random, 2, threads), &place);
        place.faults.gone_after.store(place.request_count().unwrap() + 300, SeqCst);
        let t0 = now_ns();
        let mut ran = job.run(t0, Some(t0 + LONG), TEST_TIMEOUT, &Watched::default());
        assert_eq!(ran.broken.as_ref().unwrap().trouble, FileErrorKind::Gone);
        assert!(ran.t1_ns < t0 + LONG);
        assert!(ran.operations > 0 && ran.report.bytes_read == ran.operations * BLOCK);
        assert_eq!(sum_series_column(&ran, "intervals-", "bytes"), ran.report.bytes_read);
        assert!(job.finish(&mut ran.report).is_err());
    }
}

#[test]
fn cancelling_ends_a_row() {
    let place = prepared();
    let mut job = job(&row(FileDirection::Read, FileAccessPattern::Random, 2, 2), &place);
    let watched = Watched { cancel_after: Some(1), ..Watched::default() };
    let t0 = now_ns();
    let mut ran = job.run(t0, Some(t0 + LONG), TEST_TIMEOUT, &watched);
    assert!(ran.broken.is_none() && ran.t1_ns < t0 + LONG);
    job.finish(&mut ran.report).unwrap();
    assert_eq!(place.open_handle_count(), 0);
}

#[test]
fn a_row_that_cannot_be_is_refused() {
    let place = prepared();
    let with = |(size, block, queue, threads, time): (u64, u64, u16, u16, u64)| {
        let (name, way, pattern) = ("X".into(), FileDirection::Read, FileAccessPattern::Random);
        let (size, block, time) = (Bytes(size), Bytes(block), Nanos(time));
        test_settings(FileWork::Row { name, way, pattern, block, queue, threads, size, time })
    };
    for (row, trouble) in [
        ((SIZE, 4096, 1, 1, 1), None),
        ((SIZE + 1, 4096, 1, 1, 1), Some(FileErrorKind::EndOfFile)),
        ((SIZE, 512, 1, 1, 1), Some(FileErrorKind::NotSupported)),
        ((SIZE, 0, 1, 1, 1), Some(FileErrorKind::NotSupported)),
        ((SIZE, 4096, 0, 1, 1), Some(FileErrorKind::NotSupported)),
        ((SIZE, 4096, 1, 0, 1), Some(FileErrorKind::NotSupported)),
        ((10, 4096, 1, 1, 1), Some(FileErrorKind::NotSupported)),
        ((SIZE, 4096, 1, 1, 0), Some(FileErrorKind::NotSupported)),
    ] {
        assert_eq!(
            create_benchmark_job(place.job_order(&with(row))).err().map(|e| e.trouble),
            trouble,
            "{row:?}"
        );
    }
    let settings = with((SIZE, 4096, 1, 1, 1));
    let others = create_benchmark_job(FileJobSpec { client: 1, ..place.job_order(&settings) });
    assert_eq!(others.err().map(|e| e.trouble), Some(FileErrorKind::NotFound), "another client's file");
}
