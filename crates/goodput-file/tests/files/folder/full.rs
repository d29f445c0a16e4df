//! File systems that are full or read-only.

use super::lanes::engines;
use super::stage::own_mounts;
use super::{made, names, place, workspace_name};
use crate::share::{PATIENCE, how, path, put, refused};
use goodput_file::folder::open_target_with;
use goodput_file::location::{WorkspaceMode, check_free_space, open_location};
use goodput_file::workspace::{self, WorkspaceParent};
use goodput_file::{FileErrorKind, IoRequest};
use goodput_model::Bytes;
use goodput_model::file::CreateDisposition;

pub fn a_full_disk_is_said_and_nothing_is_left() {
    let Some(stage) = own_mounts("a_full_disk_is_said") else { return };
    let small = stage.tmpfs("small", "size=4m");
    for engine in engines() {
        let target = open_target_with(small.path().to_str().unwrap(), engine).unwrap();
        let name = workspace_name();
        let share = workspace::create_workspace(&target, &name).unwrap();
        let space = share.disk_space().unwrap();
        assert!(check_free_space(Bytes(1 << 20), &space).is_ok(), "{space:?}");
        assert_eq!(check_free_space(Bytes(4 << 20), &space).unwrap_err().trouble, FileErrorKind::Full);
        let file = share.open(&path("test"), how(CreateDisposition::Create)).unwrap();
        let mut lane = share.open_io_queue(file, 256 << 10, 4).unwrap();
        let mut failed = 0;
        for block in 0..32u64 {
            let slot = (block % 4) as usize;
            lane.submit(IoRequest { slot, offset: block << 18, length: 256 << 10, write: true }).unwrap();
            match lane.wait_for_completion(PATIENCE).unwrap().moved {
                Ok(moved) => assert_eq!(moved, 256 << 10),
                bad => failed += usize::from(refused(bad, FileErrorKind::Full).status.is_none()),
            }
        }
        assert!((16..32).contains(&failed), "{failed} of 32 blocks did not fit into 4 MiB");
        refused(share.write_at(file, &[1; 8192], 9 << 20), FileErrorKind::Full);
        drop(lane);
        share.close(file).unwrap();
        workspace::remove_workspace(share.as_ref(), &name).unwrap();
        assert!(names(small.path()).is_empty());
    }
}

pub fn without_room_for_a_marker() {
    let Some(stage) = own_mounts("without_room_for_a_marker") else { return };
    let tiny = stage.tmpfs("tiny", "size=1m,nr_inodes=2");
    refused(open_location(&place(tiny.path()), &workspace_name(), WorkspaceMode::Make), FileErrorKind::Full);
    assert!(names(tiny.path()).is_empty(), "the folder was taken back");
}

pub fn what_may_only_be_read_is_said() {
    let Some(stage) = own_mounts("what_may_only_be_read_is_said") else { return };
    let mount = stage.tmpfs("locked", "size=1m");
    let (share, name) = made(mount.path());
    put(share.as_ref(), "test", b"data");
    mount.remount("ro");
    let make = open_location(&place(mount.path()), &workspace_name(), WorkspaceMode::Make);
    refused(make, FileErrorKind::ReadOnly);
    refused(share.open(&path("test"), how(CreateDisposition::Open)), FileErrorKind::ReadOnly);
    refused(workspace::remove_workspace(share.as_ref(), &name), FileErrorKind::ReadOnly);
    let reading = goodput_file::FileOpenOptions { read_only: true, ..how(CreateDisposition::Open) };
    let file = share.open(&path("test"), reading).unwrap();
    let mut data = [0; 4];
    assert_eq!((share.read_at(file, &mut data, 0).unwrap(), &data), (4, b"data"));
    assert!(share.write_at(file, b"x", 0).is_err());
    let target = goodput_file::folder::open_target(mount.path().to_str().unwrap()).unwrap();
    assert_eq!(names(mount.path()), [name.as_str()], "nothing new");
    assert!(target.open_subfolder(&name).is_ok());
}
