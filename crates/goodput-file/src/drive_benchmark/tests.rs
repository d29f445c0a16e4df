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
    let work = FileWorkload::Row { name, way, pattern, block, queue, threads, size, time: TIME };
    File { flush: FlushMode::None, ..test_settings(work) }
}

/// A slow place with a prepared file, and this row on it.
fn prepared(settings: &File) -> (FakeShare, Box<dyn FileJob>) {
    let fake = FakeShare::with_test_file(SIZE);
    fake.faults.slow_ns.store(1_000_000, SeqCst);
    let job = create_benchmark_job(fake.file_job_spec(settings)).unwrap();
    (fake, job)
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
        let (place, mut job) = prepared(&row(FileDirection::Read, pattern, queue, threads));
        let (mut ran, t0) = run(job.as_mut());
        assert!(ran.broken.is_none(), "{:?}", ran.broken);
        let sums = [("intervals-", "bytes"), ("latency-read", "count")]
            .map(|(series, column)| sum_series_column(&ran, series, column));
        assert_eq!((ran.t1_ns, sums), (t0 + TIME.0, [ran.report.bytes_read, ran.operations]));
        assert_eq!(ran.report.bytes_read, ran.operations * BLOCK);
        let ends = ran.series.iter().filter(|s| s.name.starts_with("intervals-"));
        let last = ends.map(|s| *s.column("end_ns").unwrap().last().unwrap());
        assert!(last.eq(vec![TIME.0 as i64; usize::from(threads)]));
        let possible = u64::from(queue * threads) * (TIME.0 / 1_000_000 + 1);
        assert!((1..=possible).contains(&ran.operations), "{} of {possible}", ran.operations);
        job.finish(&mut ran.report).unwrap();
        let verified = ran.report.verified.unwrap();
        assert!(verified.bytes > SIZE && verified.wrong == 0, "{verified:?}");
        assert_eq!(place.open_handle_count(), 0);
    }
}

#[test]
fn what_a_row_wrote_is_compared_block_by_block() {
    for (pattern, threads) in [(FileAccessPattern::Sequential, 2), (FileAccessPattern::Random, 1)] {
        let (place, mut job) = prepared(&row(FileDirection::Write, pattern, 4, threads));
        let before = place.file_content("test").unwrap();
        let (mut ran, _) = run(job.as_mut());
        assert_eq!(ran.report.bytes_written, ran.operations * BLOCK);
        let content = place.file_content("test").unwrap();
        assert_eq!(content.len() as u64, SIZE);
        let mut blocks = before.chunks(BLOCK as usize).zip(content.chunks(BLOCK as usize));
        let changed = blocks.position(|(before, after)| before != after).unwrap();
        place.flip_bit("test", changed * BLOCK as usize + 4096 + 99);
        job.finish(&mut ran.report).unwrap();
        assert_eq!(ran.report.verified, Some(VerificationCounts { bytes: SIZE, wrong: 1 }));
    }
}

#[test]
fn a_flush_within_the_window_moves_its_end() {
    let row = row(FileDirection::Write, FileAccessPattern::Sequential, 4, 1);
    let (place, mut job) = prepared(&File { flush: FlushMode::Within, ..row });
    place.faults.slow_ns.store(3_000_000, SeqCst);
    let (ran, t0) = run(job.as_mut());
    let (accepted, durable) = (ran.report.accepted_ns.unwrap(), ran.report.durable_ns.unwrap());
    assert!(accepted >= TIME.0 && durable >= accepted + 3_000_000);
    assert!(ran.t1_ns >= t0 + durable);
    let sums = [("latency-write", "count"), ("latency-flush", "count"), ("intervals-", "bytes")]
        .map(|(series, column)| sum_series_column(&ran, series, column));
    assert_eq!(sums, [ran.operations, 1, ran.report.bytes_written]);
    assert!(ran.report.classes.iter().map(|c| c.class).eq([FileOpClass::Write, FileOpClass::Flush]));
}

#[test]
fn a_flush_at_the_end_is_outside_the_window() {
    let settings = row(FileDirection::Write, FileAccessPattern::Sequential, 1, 1);
    let (place, mut job) = prepared(&File { flush: FlushMode::End, ..settings.clone() });
    let (ran, t0) = run(job.as_mut());
    assert_eq!(ran.t1_ns, t0 + TIME.0);
    assert!(ran.report.durable_ns.unwrap() > TIME.0 && ran.report.accepted_ns.unwrap() > 0);
    assert_eq!(place.flush_count(), 2, "the preparation's, and this");
    let (ran, _) = run(prepared(&File { flush: FlushMode::Each, ..settings }).1.as_mut());
    let flushes = sum_series_column(&ran, "latency-flush", "count");
    assert!(flushes > 0 && flushes.abs_diff(ran.operations) <= 1, "{flushes} of {}", ran.operations);
}

#[test]
fn a_share_that_goes_in_the_middle_gives_a_partial_report() {
    for threads in [1, 3] {
        let (place, mut job) = prepared(&row(FileDirection::Read, FileAccessPattern::Random, 2, threads));
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
    let (place, mut job) = prepared(&row(FileDirection::Read, FileAccessPattern::Random, 2, 2));
    let watched = Watched { cancel_after: Some(1), ..Watched::default() };
    let t0 = now_ns();
    let mut ran = job.run(t0, Some(t0 + LONG), TEST_TIMEOUT, &watched);
    assert!(ran.broken.is_none() && ran.t1_ns < t0 + LONG);
    job.finish(&mut ran.report).unwrap();
    assert_eq!(place.open_handle_count(), 0);
}

#[test]
fn a_row_that_cannot_be_is_refused() {
    let place = FakeShare::with_test_file(SIZE);
    let refused = |client, (size, block, queue, threads, time)| {
        let (name, way, pattern) = ("X".into(), FileDirection::Read, FileAccessPattern::Random);
        let (size, block, time) = (Bytes(size), Bytes(block), Nanos(time));
        let settings =
            test_settings(FileWorkload::Row { name, way, pattern, block, queue, threads, size, time });
        let order = FileJobSpec { client, ..place.file_job_spec(&settings) };
        create_benchmark_job(order).err().map(|e| e.trouble)
    };
    let sound = (SIZE, 4096, 1, 1, 1);
    assert_eq!(refused(0, sound), None);
    assert_eq!(refused(1, sound), Some(FileErrorKind::NotFound), "another client's file");
    assert_eq!(refused(0, (SIZE + 1, 4096, 1, 1, 1)), Some(FileErrorKind::EndOfFile));
    for row in [
        (SIZE, 512, 1, 1, 1),
        (SIZE, 0, 1, 1, 1),
        (SIZE, 4096, 0, 1, 1),
        (SIZE, 4096, 1, 0, 1),
        (10, 4096, 1, 1, 1),
        (SIZE, 4096, 1, 1, 0),
    ] {
        assert_eq!(refused(0, row), Some(FileErrorKind::NotSupported), "{row:?}");
    }
}
