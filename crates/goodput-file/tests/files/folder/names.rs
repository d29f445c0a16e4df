//! A folder as a share: opening, names, locks, and errors as in load files.

use super::{Dice, fresh, place};
use crate::share::{CREATE_DIRECT, READ_ONLY, Served, folder, how, path, put, refused};
use goodput_file::folder::open_target_folder;
use goodput_file::location::clean_workspaces_at_location;
use goodput_file::workspace::{self, WorkspaceParent, WorkspaceSelection};
use goodput_file::{FileErrorKind, FileOpenOptions, Share};
use goodput_model::file::{CreateDisposition, WORKSPACE_MARKER_FILE};
use std::os::unix::fs::MetadataExt;

fn alike(story: fn(&Served)) -> (tempfile::TempDir, Box<dyn Share>) {
    let (dir, share, name) = fresh();
    story(&Served { share: share.as_ref(), folder: dir.path().join(&name), smb: false });
    (dir, share)
}

pub fn operations_are_those_of_every_share() {
    let (_dir, share) = alike(|served| served.operations(None));
    put(share.as_ref(), "a", b"1");
    let rename = |from: &str, to: &str| share.rename(&path(from), &path(to));
    assert!(rename("", "x").is_err() && rename("a", "").is_err());
}

pub fn dispositions_are_those_of_smb() {
    use CreateDisposition::*;
    let (_dir, share) = alike(|served| served.dispositions());
    let open = |name: &str, how| share.open(&path(name), how).and_then(|file| share.close(file));
    for disposition in [Open, OpenIf, Overwrite] {
        open("folder", folder(disposition)).unwrap();
        refused(open("folder", how(disposition)), FileErrorKind::IsFolder);
    }
    refused(open("folder", READ_ONLY), FileErrorKind::IsFolder);
    refused(open("Open/below", how(Open)), FileErrorKind::PathNotFound);
    for name in ["", "folder"] {
        open(name, FileOpenOptions { file: false, ..how(Open) }).unwrap();
    }
    open("Open", FileOpenOptions { disposition: Overwrite, ..READ_ONLY }).unwrap();
    assert_eq!(share.query_path_status(&path("Open")).unwrap().length, 0);
    let handle = share.open(&path("folder"), folder(Open)).unwrap();
    assert!(share.write_at(handle, b"1", 0).is_err() && share.open_io_queue(handle, 4096, 1).is_err());
}

pub fn names_are_found_and_counted() {
    let (_dir, share) = alike(|served| served.find([FileErrorKind::NotFound, FileErrorKind::NotFolder]));
    let found = share.find_folder_entries(&path(""), "*", None).unwrap();
    assert!(found.iter().any(|e| e.name == WORKSPACE_MARKER_FILE));
}

pub fn a_lock_is_one_handles_alone() {
    let (_dir, share, _) = fresh();
    put(share.as_ref(), "file", &[0; 100]);
    let open = how(CreateDisposition::Open);
    let [one, two, reader] = [open, open, READ_ONLY].map(|how| share.open(&path("file"), how).unwrap());
    share.lock_range(one, 10, 10).unwrap();
    share.lock_range(one, 10, 10).unwrap();
    for other in [two, reader] {
        refused(share.lock_range(other, 15, 1), FileErrorKind::Locked);
    }
    share.lock_range(two, 20, 5).unwrap();
    share.lock_range(two, 15, 0).unwrap();
    share.unlock_range(one, 10, 10).unwrap();
    share.lock_range(two, 15, 1).unwrap();
    share.lock_range(one, 1 << 40, u64::MAX).unwrap();
    refused(share.lock_range(two, i64::MAX as u64 - 1, 1), FileErrorKind::Locked);
    refused(share.lock_range(two, u64::MAX, 1), FileErrorKind::NotSupported);
    share.close(one).unwrap();
    share.lock_range(two, 1 << 40, 1).unwrap();
    let another = share.open_another_connection().unwrap();
    assert!(another.lock_range(two, 0, 1).is_err(), "a handle belongs to its share");
}

pub fn bytes_come_back_as_they_were_written() {
    let (dir, share, name) = fresh();
    let mut dice = Dice(11);
    for direct in [false, true] {
        let file = format!("file-{direct}");
        let on_disk = dir.path().join(&name).join(&file);
        let handle = share.open(&path(&file), FileOpenOptions { direct, ..CREATE_DIRECT }).unwrap();
        let mut model = Vec::new();
        for _ in 0..200 {
            let (offset, length) = (dice.below(300_000) as usize, dice.below(20_000) as usize + 1);
            if dice.below(2) == 0 {
                let data = dice.bytes(length);
                share.write_at(handle, &data, offset as u64).unwrap();
                model.resize(model.len().max(offset + length), 0);
                model[offset..offset + length].copy_from_slice(&data);
            } else {
                let mut buffer = vec![7; length];
                let moved = share.read_at(handle, &mut buffer, offset as u64).unwrap();
                assert_eq!(moved, model.len().saturating_sub(offset).min(length));
                assert!(moved == 0 || buffer[..moved] == model[offset..offset + moved]);
            }
        }
        share.flush(handle).unwrap();
        assert_eq!(share.query_handle_status(handle).unwrap().length, model.len() as u64);
        share.close(handle).unwrap();
        assert!(share.close(handle).is_err() && share.read_at(handle, &mut [0], 0).is_err());
        assert_eq!(std::fs::read(on_disk).unwrap(), model);
    }
    assert_eq!(std::fs::metadata(dir.path().join(&name)).unwrap().mode() & 0o777, 0o700);
}

pub fn what_vanishes_is_said_and_not_waited_for() {
    let (dir, share, name) = fresh();
    put(share.as_ref(), "a", b"1");
    let open = share.open(&path("a"), how(CreateDisposition::Open)).unwrap();
    std::fs::remove_dir_all(dir.path().join(&name)).unwrap();
    share.write_at(open, b"22", 0).unwrap();
    refused(share.query_path_status(&path("a")), FileErrorKind::NotFound);
    refused(share.open(&path("b"), how(CreateDisposition::Create)), FileErrorKind::NotFound);
    refused(workspace::remove_workspace(share.as_ref(), &name), FileErrorKind::NotFound);
    assert!(clean_workspaces_at_location(&place(dir.path()), WorkspaceSelection::Dead).unwrap().is_empty());
    share.close(open).unwrap();
    let target = open_target_folder(dir.path().to_str().unwrap()).unwrap();
    std::fs::remove_dir(dir.path()).unwrap();
    let made = workspace::create_workspace(&target as &dyn WorkspaceParent, &super::workspace_name());
    refused(made, FileErrorKind::NotFound);
}
