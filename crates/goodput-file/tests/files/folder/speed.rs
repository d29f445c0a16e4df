//! The lane against fio (https://github.com/axboe/fio), in turns, on the same file.

use super::{Dice, how, path, workspace_name};
use goodput_file::clock::now_ns;
use goodput_file::folder::{Engine, open_target_with};
use goodput_file::{Handle, Io, Open, Share, workspace};
use goodput_model::file::Disposition;
use std::process::Command;
use std::time::Duration;

const SIZE: u64 = 1 << 30;
const BLOCK: usize = 4096;
const DEPTH: usize = 32;
const SECONDS: u64 = 4;
const ROUNDS: usize = 7;

/// Random direct reads of 4 KiB, 32 under way: reads a second, and CPU time of this thread for each.
fn ours(share: &dyn Share, file: Handle) -> f64 {
    let mut lane = share.lane(file, BLOCK, DEPTH).unwrap();
    let mut dice = Dice(now_ns() | 1);
    let blocks = SIZE / BLOCK as u64;
    let mut next = |slot| Io { slot, offset: dice.below(blocks) * BLOCK as u64, length: BLOCK, write: false };
    for slot in 0..DEPTH {
        lane.submit(next(slot)).unwrap();
    }
    let begun = now_ns();
    let until = begun + SECONDS * 1_000_000_000;
    let mut reads = 0u64;
    let mut now = begun;
    while now < until {
        let done = lane.complete(Duration::from_secs(10)).unwrap();
        assert_eq!(done.moved.unwrap(), BLOCK);
        reads += 1;
        // As a row does: each read has a time of its own.
        now = now_ns();
        lane.submit(next(done.slot)).unwrap();
    }
    reads as f64 * 1e9 / (now - begun) as f64
}

fn fio(file: &str) -> Option<f64> {
    let seconds = format!("--runtime={SECONDS}");
    let ran = Command::new("fio")
        .args(["--name=row", "--rw=randread", "--bs=4k", "--iodepth=32", "--ioengine=io_uring", "--direct=1"])
        .args(["--time_based", "--norandommap", "--randrepeat=0", "--fixedbufs", "--registerfiles"])
        .args(["--readonly", "--output-format=json", &seconds, &format!("--filename={file}")])
        .output()
        .ok()?;
    let said: serde_json::Value = serde_json::from_slice(&ran.stdout).ok()?;
    said["jobs"][0]["read"]["iops"].as_f64()
}

pub fn random_reads_are_as_many_as_fios() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let target = open_target_with(dir.path().to_str().unwrap(), Engine::best()).unwrap();
    let name = workspace_name();
    let share = workspace::make(&target, &name).unwrap();
    let file = share.open(&path("test"), Open { direct: true, ..how(Disposition::Create) }).unwrap();
    let mut lane = share.lane(file, 1 << 20, 1).unwrap();
    for block in 0..SIZE >> 20 {
        let noise = Dice(block + 1).bytes(1 << 10).repeat(1 << 10);
        lane.buffer(0).copy_from_slice(&noise);
        lane.submit(Io { slot: 0, offset: block << 20, length: 1 << 20, write: true }).unwrap();
        lane.complete(Duration::from_secs(60)).unwrap().moved.unwrap();
    }
    drop(lane);
    share.flush(file).unwrap();
    println!("{:?}", share.facts());
    let at = dir.path().join(&name).join("test");
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let mine = ours(share.as_ref(), file);
        let theirs = fio(at.to_str().unwrap()).expect("fio is installed");
        println!("{mine:.0} reads a second, fio {theirs:.0}: {:.3}", mine / theirs);
        ratios.push(mine / theirs);
    }
    ratios.sort_by(f64::total_cmp);
    println!("median {:.3}", ratios[ROUNDS / 2]);
    assert!(ratios[ROUNDS / 2] >= 0.97, "{ratios:?}");
}
