//! Many reads and writes in flight.

use super::{data, file, path, stamped};
use crate::samba::Samba;
use goodput_file::{Handle, Io, Share};
use goodput_model::file::Disposition;
use std::fs;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_secs(20);

pub fn write_all(share: &dyn Share, name: &str, bytes: &[u8], block: usize, depth: usize) {
    let handle = share.open(&path(name), file(Disposition::Create)).unwrap();
    let mut lane = share.lane(handle, block, depth).unwrap();
    let mut idle: Vec<usize> = (0..depth).collect();
    let mut blocks = bytes.chunks(block).zip((0..).step_by(block));
    let mut lengths = vec![0; depth];
    loop {
        while let Some(slot) = idle.pop() {
            let Some((part, offset)) = blocks.next() else {
                idle.push(slot);
                break;
            };
            lane.buffer(slot)[..part.len()].copy_from_slice(part);
            lengths[slot] = part.len();
            lane.submit(Io { slot, offset, length: part.len(), write: true }).unwrap();
        }
        if idle.len() == depth {
            break;
        }
        let done = lane.complete(PATIENCE).unwrap();
        assert_eq!(done.moved.unwrap(), lengths[done.slot]);
        assert_eq!(lane.buffer(done.slot).len(), block);
        idle.push(done.slot);
    }
    share.flush(handle).unwrap();
    share.close(handle).unwrap();
}

pub fn read_all(share: &dyn Share, name: &str, bytes: &[u8], block: usize, depth: usize) {
    let handle = share.open(&path(name), file(Disposition::Open)).unwrap();
    read_open(share, handle, bytes, block, depth);
    share.close(handle).unwrap();
}

pub fn read_open(share: &dyn Share, handle: Handle, bytes: &[u8], block: usize, depth: usize) {
    let mut lane = share.lane(handle, block, depth).unwrap();
    let mut offsets = vec![0; depth];
    let mut next = 0;
    let mut under_way = 0;
    let mut seen = 0;
    let mut begin = |lane: &mut dyn goodput_file::Lane, slot: usize, offsets: &mut Vec<usize>| {
        if next > bytes.len() + block {
            return false;
        }
        offsets[slot] = next;
        lane.submit(Io { slot, offset: next as u64, length: block, write: false }).unwrap();
        next += block;
        true
    };
    for slot in 0..depth {
        under_way += usize::from(begin(lane.as_mut(), slot, &mut offsets));
    }
    while under_way > 0 {
        let done = lane.complete(PATIENCE).unwrap();
        let (from, moved) = (offsets[done.slot], done.moved.unwrap());
        assert_eq!(moved, bytes.len().saturating_sub(from).min(block), "at {from}");
        assert!(lane.buffer(done.slot)[..moved] == bytes[from.min(bytes.len())..][..moved], "at {from}");
        seen += moved;
        under_way -= 1;
        under_way += usize::from(begin(lane.as_mut(), done.slot, &mut offsets));
    }
    assert_eq!(seen, bytes.len());
}

pub fn round_trip() {
    let samba = Samba::start();
    let share = data(&samba);
    let bytes = stamped(0, 40_000_123);
    for (block, depth) in [(4096, 32), (65_536, 8), (1 << 20, 1), (1 << 20, 8), (20 << 20, 2)] {
        let bytes = if block == 4096 { &bytes[..1_000_001] } else { &bytes[..] };
        let name = format!("f-{block}-{depth}");
        write_all(&share, &name, bytes, block, depth);
        assert!(fs::read(samba.data().join(&name)).unwrap() == bytes, "{name}");
        read_all(&share, &name, bytes, block, depth);
    }
    let handle = share.open(&path("f-4096-32"), file(Disposition::Open)).unwrap();
    let mut lane = share.lane(handle, 4096, 1).unwrap();
    assert_eq!(lane.buffer(0).as_ptr() as usize % 4096, 0);
    let io = Io { slot: 0, offset: 0, length: 10, write: false };
    lane.submit(io).unwrap();
    assert!(lane.buffer(0).is_empty(), "it is under way");
    assert!(lane.submit(io).is_err());
    assert!(lane.submit(Io { slot: 1, ..io }).is_err());
    assert_eq!(lane.complete(PATIENCE).unwrap().moved.unwrap(), 10);
    assert!(lane.submit(Io { length: 4097, ..io }).is_err());
    lane.submit(Io { length: 0, ..io }).unwrap();
    assert_eq!(lane.complete(PATIENCE).unwrap().moved.unwrap(), 0);
}

/// Four threads on one connection, each with a lane and small calls.
pub fn two_threads() {
    let samba = Samba::start();
    let share = data(&samba);
    std::thread::scope(|scope| {
        for number in 0..4 {
            let share = &share;
            scope.spawn(move || {
                let bytes = stamped(number << 30, 9_000_000);
                let name = format!("t-{number}");
                write_all(share, &name, &bytes, 300_000, 5);
                let handle = share.open(&path(&name), file(Disposition::Open)).unwrap();
                for at in (0..bytes.len()).step_by(200_003) {
                    let mut some = vec![0; 70_000];
                    let read = share.read_at(handle, &mut some, at as u64).unwrap();
                    assert!(some[..read] == bytes[at..at + read] && read > 0);
                    assert_eq!(share.query_open(handle).unwrap().length, bytes.len() as u64);
                }
                read_open(share, handle, &bytes, 300_000, 5);
                share.close(handle).unwrap();
            });
        }
    });
}

pub fn another() {
    let samba = Samba::start();
    let share = data(&samba);
    share.make_folder(&path("w")).unwrap();
    let below = goodput_file::workspace::Target::below(&share, "w").unwrap();
    let other = below.another().unwrap();
    drop((share, below));
    super::put(other.as_ref(), "f", b"through the other");
    assert_eq!(fs::read(samba.data().join("w/f")).unwrap(), b"through the other");
    assert_eq!(other.facts().connections, Some(1));
}
