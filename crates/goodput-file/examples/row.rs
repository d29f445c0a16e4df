//! One row of the drive mark in a folder, without any agent: for comparing with other tools on the same file system.
//!
//! `cargo run --release -p goodput-file --example row -- FOLDER read|write seq|rnd BLOCK QUEUE THREADS SIZE SECONDS`
//! with sizes in bytes. Prints IOPS, MB/s, the median and 99th percentile of the latency, and the CPU of the threads.

use goodput_analysis::latency::Distribution;
use goodput_file::place::{Opening, open_place};
use goodput_file::{FileError, JobOrder, Ran, Seen, Trouble, Watch, clock, job};
use goodput_model::file::{Access, File, FilePattern, FileWay, FileWork, Flush, Place, Verify};
use goodput_model::{Bytes, Nanos};

struct Nobody;

impl Watch for Nobody {
    fn opened(&self, _: u64) {}
    fn tick(&self, _: Seen) {}
    fn closed(&self, _: u64) {}
    fn is_cancelled(&self) -> bool {
        false
    }
}

fn main() -> Result<(), FileError> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let usage = || FileError::because("run a row", Trouble::Other, "see the head of this example");
    let [folder, way, pattern, numbers @ ..] = args.as_slice() else { return Err(usage()) };
    let numbers: Vec<u64> = numbers.iter().filter_map(|n| n.parse().ok()).collect();
    let [block, queue, threads, size, seconds] = numbers[..] else { return Err(usage()) };
    let place = Place::Folder { path: folder.clone() };
    let now = clock::now_ns();
    let workspace = format!(".goodput-01890a5d-ac96-774b-bcce-{:012x}", now & 0xffff_ffff_ffff);
    let settings = |work| File {
        clients: vec!["here".into()],
        place: place.clone(),
        workspace: workspace.clone(),
        work,
        access: Access::Direct,
        flush: Flush::None,
        verify: Verify::Sample,
        seed: now,
        interval: Nanos::SECOND,
        server_folder: None,
    };
    let run = |work: FileWork, how| -> Result<Ran, FileError> {
        let settings = settings(work);
        let share = open_place(&place, &workspace, how)?;
        let mut job = job(JobOrder { settings: &settings, client: 0, share, load: None })?;
        let t0 = clock::now_ns() + 200_000_000;
        let t1 = settings.window().1.map(|length| t0 + length.0);
        let mut ran = job.run(t0, t1, Nanos(10 * Nanos::SECOND.0), &Nobody);
        job.settle(&mut ran.report)?;
        ran.broken.take().map_or(Ok(ran), Err)
    };
    run(FileWork::Prepare { file: Some(Bytes(size)) }, Opening::Make)?;
    let way = if way == "read" { FileWay::Read } else { FileWay::Write };
    let row = FileWork::Row {
        name: "row".into(),
        way,
        pattern: if pattern == "seq" { FilePattern::Sequential } else { FilePattern::Random },
        block: Bytes(block),
        queue: queue as u16,
        threads: threads as u16,
        size: Bytes(size),
        time: Nanos(seconds * Nanos::SECOND.0),
    };
    let ran = run(row, Opening::Existing);
    let removed = run(FileWork::Remove, Opening::Existing);
    let ran = ran?;
    removed?;
    let latency =
        ran.series.iter().find(|s| s.name.starts_with("latency-")).and_then(Distribution::from_series);
    let at = |q| latency.as_ref().and_then(|l| l.quantile(q)).unwrap_or(0) as f64 / 1e3;
    let iops = ran.operations as f64 / seconds as f64;
    println!(
        "iops {iops:.0} MB/s {:.1} p50 {:.1} us p99 {:.1} us cpu {:.3} us/op {:?} direct {:?} verified {:?}",
        iops * block as f64 / 1e6,
        at(0.5),
        at(0.99),
        ran.threads_ns as f64 / 1e3 / ran.operations.max(1) as f64,
        ran.report.facts.engine,
        ran.report.facts.direct,
        ran.report.verified,
    );
    Ok(())
}
