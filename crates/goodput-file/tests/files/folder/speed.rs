//! Compares a lane with fio (https://github.com/axboe/fio), alternating, on the same file.

use super::{Dice, workspace_name};
use crate::share::{how, path};
use goodput_file::clock::{now_ns, thread_cpu_ns};
use goodput_file::folder::{IoEngine, open_target_with};
use goodput_file::{FileHandle, FileOpenOptions, IoRequest, Share, workspace};
use goodput_model::file::CreateDisposition;
use std::process::Command;
use std::time::Duration;

const SIZE: u64 = 1 << 30;
const BLOCK: usize = 4096;
const DEPTH: usize = 32;
const SECONDS: u64 = 2;
const ROUNDS: usize = 15;

struct Turn {
    rate: f64,
    /// CPU time of the worker per read, in ns.
    cost: f64,
}

fn ours(share: &dyn Share, file: FileHandle) -> Turn {
    let mut lane = share.open_io_queue(file, BLOCK, DEPTH).unwrap();
    let mut dice = Dice(now_ns() | 1);
    let blocks = SIZE / BLOCK as u64;
    let mut next =
        |slot| IoRequest { slot, offset: dice.below(blocks) * BLOCK as u64, length: BLOCK, write: false };
    for slot in 0..DEPTH {
        lane.submit(next(slot)).unwrap();
    }
    let worked = thread_cpu_ns();
    let begun = now_ns();
    let until = begun + SECONDS * 1_000_000_000;
    let mut reads = 0u64;
    let mut now = begun;
    while now < until {
        let done = lane.wait_for_completion(Duration::from_secs(10)).unwrap();
        assert_eq!(done.moved.unwrap(), BLOCK);
        reads += 1;
        now = now_ns();
        lane.submit(next(done.slot)).unwrap();
    }
    let cost = (thread_cpu_ns() - worked) as f64 / reads as f64;
    Turn { rate: reads as f64 * 1e9 / (now - begun) as f64, cost }
}

fn fio(file: &str) -> Option<Turn> {
    let seconds = format!("--runtime={SECONDS}");
    let ran = Command::new("fio")
        .args(["--name=row", "--rw=randread", "--bs=4k", "--iodepth=32", "--ioengine=io_uring", "--direct=1"])
        .args(["--time_based", "--norandommap", "--randrepeat=0", "--fixedbufs", "--registerfiles"])
        .args(["--readonly", "--output-format=json", &seconds, &format!("--filename={file}")])
        .output()
        .ok()?;
    let said: serde_json::Value = serde_json::from_slice(&ran.stdout).ok()?;
    let job = &said["jobs"][0];
    let rate = job["read"]["iops"].as_f64()?;
    let busy_percent = job["usr_cpu"].as_f64()? + job["sys_cpu"].as_f64()?;
    Some(Turn { rate, cost: busy_percent / 100.0 * 1e9 / rate })
}

pub fn random_reads_are_as_many_as_fios() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let target = open_target_with(dir.path().to_str().unwrap(), IoEngine::best_available()).unwrap();
    let name = workspace_name();
    let share = workspace::create_workspace(&target, &name).unwrap();
    let file = share
        .open(&path("test"), FileOpenOptions { direct: true, ..how(CreateDisposition::Create) })
        .unwrap();
    let mut lane = share.open_io_queue(file, 1 << 20, 1).unwrap();
    for block in 0..SIZE >> 20 {
        let noise = Dice(block + 1).bytes(1 << 10).repeat(1 << 10);
        lane.buffer(0).copy_from_slice(&noise);
        lane.submit(IoRequest { slot: 0, offset: block << 20, length: 1 << 20, write: true }).unwrap();
        lane.wait_for_completion(Duration::from_secs(60)).unwrap().moved.unwrap();
    }
    drop(lane);
    share.flush(file).unwrap();
    println!("{:?}", share.location_facts());
    let at = dir.path().join(&name).join("test");
    let (mut rates, mut costs) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mine = ours(share.as_ref(), file);
        let theirs = fio(at.to_str().unwrap()).expect("fio is installed");
        let ratio = mine.rate / theirs.rate;
        println!(
            "{:.0} reads a second at {:.0} ns of CPU, fio {:.0} at {:.0}: {ratio:.3}",
            mine.rate, mine.cost, theirs.rate, theirs.cost
        );
        rates.push(ratio);
        costs.push(mine.cost / theirs.cost);
    }
    let median = |of: &mut Vec<f64>| {
        of.sort_by(f64::total_cmp);
        of[ROUNDS / 2]
    };
    let (rate, cost) = (median(&mut rates), median(&mut costs));
    println!("medians: {rate:.3} of fio's reads, {cost:.3} of its CPU time a read");
    assert!(rate >= 0.97, "{rates:?}");
}
