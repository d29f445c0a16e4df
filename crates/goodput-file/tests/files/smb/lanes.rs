//! Many reads and writes in flight.

use super::{data, served};
use crate::samba::Samba;
use crate::share::{PATIENCE, how, path, put};
use goodput_file::workspace::WorkspaceParent;
use goodput_file::{IoRequest, Share};
use goodput_model::file::CreateDisposition;
use std::fs;

pub fn round_trip() {
    let samba = Samba::start();
    let share = data(&samba);
    served(&samba, &share).round_trip(&[(4096, 32), (65_536, 8), (1 << 20, 1), (1 << 20, 8), (20 << 20, 2)]);
    let handle = share.open(&path("f-4096-32"), how(CreateDisposition::Open)).unwrap();
    let mut lane = share.open_io_queue(handle, 4096, 1).unwrap();
    assert_eq!(lane.buffer(0).as_ptr() as usize % 4096, 0);
    let io = IoRequest { slot: 0, offset: 0, length: 10, write: false };
    lane.submit(io).unwrap();
    assert!(lane.buffer(0).is_empty(), "it is under way");
    assert!(lane.submit(io).is_err() && lane.submit(IoRequest { slot: 1, ..io }).is_err());
    assert_eq!(lane.wait_for_completion(PATIENCE).unwrap().moved.unwrap(), 10);
    assert!(lane.submit(IoRequest { length: 4097, ..io }).is_err());
    lane.submit(IoRequest { length: 0, ..io }).unwrap();
    assert_eq!(lane.wait_for_completion(PATIENCE).unwrap().moved.unwrap(), 0);
}

pub fn threads() {
    let samba = Samba::start();
    served(&samba, &data(&samba)).threads();
}

pub fn another() {
    let samba = Samba::start();
    let share = data(&samba);
    share.make_folder(&path("w")).unwrap();
    let below = share.open_subfolder("w").unwrap();
    let other = below.open_another().unwrap();
    drop((share, below));
    put(other.as_ref(), "f", b"through the other");
    assert_eq!(fs::read(samba.data().join("w/f")).unwrap(), b"through the other");
    assert_eq!(other.location_facts().connections, Some(1));
}
