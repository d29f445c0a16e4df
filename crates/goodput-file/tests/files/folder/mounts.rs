//! Properties of file systems: their page cache and bypassing it, full or read-only ones.

use super::lanes::engines;
use super::stage::own_mounts;
use super::{made, names, place, workspace_name};
use crate::share::{CREATE_DIRECT, READ_ONLY, fill, how, path, put, read_open, refused, stamped, write_open};
use goodput_file::folder::{IoEngine, open_target_folder_with_engine};
use goodput_file::location::{WorkspaceOpenMode, open_workspace_at_location};
use goodput_file::workspace::{self, WorkspaceParent};
use goodput_file::{FileErrorKind, FileOpenOptions, Share};
use goodput_model::file::CreateDisposition;
use std::path::Path;

const SIZE: usize = 8 << 20;

fn written(share: &dyn Share, direct: bool) -> goodput_file::FileHandle {
    let name = path(if direct { "direct" } else { "cached" });
    let file = share.open(&name, FileOpenOptions { direct, ..CREATE_DIRECT }).unwrap();
    write_open(share, file, &stamped(0, SIZE), 1 << 20, 2);
    file
}

/// Cached data appears in the cache and can be dropped; direct data never appears.
fn a_disk(folder: &Path) {
    let (share, _) = made(folder);
    let share = share.as_ref();
    let cached = written(share, false);
    let facts = share.location_facts();
    assert_eq!((facts.engine.as_str(), facts.direct), (IoEngine::best_available().name(), None));
    assert!(facts.file_system.is_some() && facts.mount.is_some() && facts.free.is_some(), "{facts:?}");
    assert!(share.cached_percent(cached).unwrap() > 99.0);
    assert!(share.drop_cache(cached).unwrap());
    assert!(share.cached_percent(cached).unwrap() < 1.0);
    let direct = written(share, true);
    let facts = share.location_facts();
    if facts.direct != Some(true) {
        eprintln!("skipped: {:?} has no direct access", facts.file_system);
        return;
    }
    assert!(facts.alignment.is_some_and(|a| a.0.is_power_of_two() && a.0 <= 65536), "{facts:?}");
    assert!(share.cached_percent(direct).unwrap() < 1.0, "written past the cache");
    read_open(share, direct, &stamped(0, SIZE), 4096, 1);
    assert!(share.cached_percent(direct).unwrap() < 1.0, "read past the cache");
    let mut buffer = vec![0; SIZE];
    share.read_at(direct, &mut buffer[1..], 1).unwrap();
    assert!(share.cached_percent(direct).unwrap() > 90.0, "what is not aligned goes the usual way");
}

pub fn a_disks_cache_is_looked_into() {
    let dir = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    a_disk(dir.path());
}

pub fn direct_access_is_proved_on_ext4() {
    let Some(stage) = own_mounts("direct_access_is_proved_on_ext4") else { return };
    let disk = stage.ext4("disk", 64);
    let (share, _) = made(disk.path());
    written(share.as_ref(), true);
    let facts = share.location_facts();
    assert_eq!((facts.file_system.as_deref(), facts.direct), (Some("ext4"), Some(true)), "{facts:?}");
    assert!(facts.device.as_deref().is_some_and(|d| d.starts_with("7:")), "a loop device: {facts:?}");
    a_disk(disk.path());
}

pub fn memory_has_nothing_to_pass_by() {
    let Some(stage) = own_mounts("memory_has_nothing_to_pass_by") else { return };
    let memory = stage.tmpfs("memory", "size=32m");
    let (share, _) = made(memory.path());
    let file = written(share.as_ref(), true);
    let facts = share.location_facts();
    assert_eq!((facts.file_system.as_deref(), facts.direct), (Some("tmpfs"), Some(false)));
    assert_eq!((facts.alignment, facts.device), (None, None));
    assert!(!share.drop_cache(file).unwrap(), "there is no cache of it");
    assert!(share.cached_percent(file).unwrap() > 99.0);
}

pub fn a_full_disk_is_said() {
    let Some(stage) = own_mounts("a_full_disk_is_said") else { return };
    let small = stage.tmpfs("small", "size=4m");
    for engine in engines() {
        let target = open_target_folder_with_engine(small.path().to_str().unwrap(), engine).unwrap();
        let name = workspace_name();
        let share = workspace::create_workspace(&target, &name).unwrap();
        let file = share.open(&path("test"), how(CreateDisposition::Create)).unwrap();
        let (_, failed) = fill(share.as_ref(), file, 256 << 10, 32);
        assert!((16..32).contains(&failed.len()), "{} of 32 blocks did not fit into 4 MiB", failed.len());
        assert!(failed.iter().all(|error| error.status.is_none()));
        refused(share.write_at(file, &[1; 8192], 9 << 20), FileErrorKind::Full);
        share.close(file).unwrap();
        workspace::remove_workspace(share.as_ref(), &name).unwrap();
        assert!(names(small.path()).is_empty());
    }
}

pub fn without_room_for_a_marker() {
    let Some(stage) = own_mounts("without_room_for_a_marker") else { return };
    let tiny = stage.tmpfs("tiny", "size=1m,nr_inodes=2");
    refused(
        open_workspace_at_location(&place(tiny.path()), &workspace_name(), WorkspaceOpenMode::Make),
        FileErrorKind::Full,
    );
    assert!(names(tiny.path()).is_empty(), "the folder was taken back");
}

pub fn what_may_only_be_read_is_said() {
    let Some(stage) = own_mounts("what_may_only_be_read_is_said") else { return };
    let mount = stage.tmpfs("locked", "size=1m");
    let (share, name) = made(mount.path());
    put(share.as_ref(), "test", b"data");
    mount.remount("ro");
    let make = open_workspace_at_location(&place(mount.path()), &workspace_name(), WorkspaceOpenMode::Make);
    refused(make, FileErrorKind::ReadOnly);
    refused(share.open(&path("test"), how(CreateDisposition::Open)), FileErrorKind::ReadOnly);
    refused(workspace::remove_workspace(share.as_ref(), &name), FileErrorKind::ReadOnly);
    let file = share.open(&path("test"), READ_ONLY).unwrap();
    let mut data = [0; 4];
    assert_eq!((share.read_at(file, &mut data, 0).unwrap(), &data), (4, b"data"));
    assert!(share.write_at(file, b"x", 0).is_err());
    let target = goodput_file::folder::open_target_folder(mount.path().to_str().unwrap()).unwrap();
    assert_eq!(names(mount.path()), [name.as_str()], "nothing new");
    assert!(target.open_subfolder(&name).is_ok());
}
