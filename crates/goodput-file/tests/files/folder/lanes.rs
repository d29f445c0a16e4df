//! Lanes of both engines: they write and read exactly what was requested.

use super::{Dice, workspace_name};
use crate::share::{CREATE_DIRECT, PATIENCE, how, path, refused};
use goodput_file::folder::{IoEngine, open_target_folder_with_engine};
use goodput_file::{FileErrorKind, FileOpenOptions, IoQueue, IoRequest, Share, workspace};
use goodput_model::file::CreateDisposition;
use std::path::Path;
use std::time::{Duration, Instant};

/// The best engine of this system, and threads.
pub fn engines() -> Vec<IoEngine> {
    let mut engines = vec![IoEngine::best_available(), IoEngine::Threads];
    engines.dedup();
    engines
}

fn share(folder: &Path, engine: IoEngine) -> Box<dyn Share> {
    let target = open_target_folder_with_engine(folder.to_str().unwrap(), engine).unwrap();
    workspace::create_workspace(&target, &workspace_name()).unwrap()
}

/// Random, non-overlapping reads and writes in flight, compared with memory; what the file holds.
fn random(lane: &mut dyn IoQueue, block: usize, depth: usize) -> Vec<u8> {
    let (mut dice, mut model) = (Dice(3 + depth as u64), Vec::new());
    let mut doing: Vec<Option<(IoRequest, Vec<u8>)>> = (0..depth).map(|_| None).collect();
    // Separate pages per slot, because mixed operations may complete in any order.
    let part = (4 * block).next_multiple_of(4096);
    let mut turn = 0;
    loop {
        turn += 1;
        let free = (0..depth).find(|slot| doing[*slot].is_none());
        if let (Some(slot), true) = (free, turn < 350) {
            let offset = (slot * part) as u64 + dice.below(3 * block as u64);
            let length = 1 + dice.below(block as u64) as usize;
            let io = IoRequest { slot, offset, length, write: dice.below(2) == 0 };
            assert_eq!(lane.buffer(slot).len(), block);
            let data = if io.write { dice.bytes(length) } else { Vec::new() };
            lane.buffer(slot)[..data.len()].copy_from_slice(&data);
            lane.submit(io).unwrap();
            doing[slot] = Some((io, data));
            if dice.below(2) == 0 {
                continue;
            }
        }
        if doing.iter().all(Option::is_none) {
            if turn < 350 {
                continue;
            }
            return model;
        }
        let done = lane.wait_for_completion(PATIENCE).unwrap();
        let (io, data) = doing[done.slot].take().unwrap();
        let (moved, offset) = (done.moved.unwrap(), io.offset as usize);
        if io.write {
            assert_eq!(moved, io.length);
            model.resize(model.len().max(offset + moved), 0);
            model[offset..offset + moved].copy_from_slice(&data);
        } else {
            // Other slots may have extended the file, leaving a hole here.
            let mut expected = model.get(offset..).unwrap_or_default().to_vec();
            expected.resize(moved, 0);
            assert!(lane.buffer(done.slot)[..moved] == expected, "{io:?}");
            let by_now = model.len().saturating_sub(offset).min(io.length);
            assert!(moved <= io.length && (moved == by_now || depth > 1), "{io:?} moved {moved} of {by_now}");
        }
    }
}

pub fn what_was_written_is_read() {
    let dir = tempfile::tempdir().unwrap();
    for engine in engines() {
        let share = share(dir.path(), engine);
        let lanes = [(false, 5000, 1), (false, 4096, 7), (true, 4096, 1), (true, 10_000, 5)];
        for (direct, block, depth) in lanes {
            let name = path(&format!("{direct}-{block}"));
            let file = share.open(&name, FileOpenOptions { direct, ..CREATE_DIRECT }).unwrap();
            let mut lane = share.open_io_queue(file, block, depth).unwrap();
            let model = std::thread::spawn(move || random(lane.as_mut(), block, depth)).join().unwrap();
            let mut whole = vec![0; model.len() + 1];
            let mut length = 0;
            while let more @ 1.. = share.read_at(file, &mut whole[length..], length as u64).unwrap() {
                length += more;
            }
            assert!(whole[..length] == model, "{engine:?} {direct} {block}");
            share.close(file).unwrap();
        }
    }
}

pub fn a_lane_refuses_what_it_cannot_do() {
    let dir = tempfile::tempdir().unwrap();
    for engine in engines() {
        let share = share(dir.path(), engine);
        let file = share.open(&path("test"), how(CreateDisposition::Create)).unwrap();
        share.write_at(file, &[1; 100], 0).unwrap();
        for (block, depth) in [(0, 1), (1, 0), (65 << 20, 1), (64 << 20, 500), (1, 100_000)] {
            refused(share.open_io_queue(file, block, depth), FileErrorKind::NotSupported);
        }
        let mut lane = share.open_io_queue(file, 100, 2).unwrap();
        let before = Instant::now();
        assert!(lane.wait_for_completion(PATIENCE).is_err(), "nothing is under way");
        assert!(before.elapsed() < PATIENCE / 2);
        let io = IoRequest { slot: 0, offset: 0, length: 100, write: false };
        for (slot, length) in [(2, 100), (0, 101), (0, 0)] {
            assert!(lane.submit(IoRequest { slot, length, ..io }).is_err());
        }
        lane.submit(io).unwrap();
        assert!(lane.submit(io).is_err() && lane.buffer(0).is_empty(), "it is under way");
        let done = lane.wait_for_completion(Duration::ZERO).unwrap_or_else(|bad| {
            assert_eq!(bad.trouble, FileErrorKind::Gone);
            lane.wait_for_completion(PATIENCE).unwrap()
        });
        assert_eq!((done.slot, done.moved.unwrap()), (0, 100));
        lane.submit(IoRequest { slot: 1, offset: u64::MAX - 50, length: 10, write: true }).unwrap();
        lane.submit(io).unwrap();
        let failed = (0..2).filter(|_| lane.wait_for_completion(PATIENCE).unwrap().moved.is_err());
        assert_eq!(failed.count(), 1);
        lane.submit(io).unwrap();
        share.close(file).unwrap();
        drop(lane);
    }
}
