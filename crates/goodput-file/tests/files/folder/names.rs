//! A folder as a share: opening, names, locks, and errors as in load files.

use super::{Dice, how, made, names, path, place, write};
use goodput_file::folder::{Engine, open_target};
use goodput_file::place::clean_place;
use goodput_file::workspace::{self, CleanTarget, Target};
use goodput_file::{FileErrorKind, Open, Share};
use goodput_model::file::{Disposition, MARKER};
use std::os::unix::fs::MetadataExt;

fn folder(disposition: Disposition) -> Open {
    Open { folder: true, file: false, ..how(disposition) }
}

fn either(disposition: Disposition) -> Open {
    Open { file: false, ..how(disposition) }
}

fn length(share: &dyn Share, name: &str) -> u64 {
    share.query(&path(name)).unwrap().length
}

pub fn dispositions_are_those_of_smb() {
    use Disposition::*;
    let dir = tempfile::tempdir().unwrap();
    let (share, _) = made(dir.path());
    let share = share.as_ref();
    let open = |name: &str, how| {
        share.open(&path(name), how).and_then(|file| share.close(file)).map_err(|e| e.trouble)
    };
    for (disposition, on_missing, left) in [
        (Supersede, Ok(()), 0),
        (Open, Err(FileErrorKind::NotFound), 5),
        (Create, Ok(()), 5),
        (OpenIf, Ok(()), 5),
        (Overwrite, Err(FileErrorKind::NotFound), 0),
        (OverwriteIf, Ok(()), 0),
    ] {
        let (missing, there) = (format!("missing-{disposition:?}"), format!("there-{disposition:?}"));
        assert_eq!(open(&missing, how(disposition)), on_missing, "{disposition:?}");
        assert_eq!(share.query(&path(&missing)).is_ok(), on_missing.is_ok());
        write(share, &there, b"12345");
        let on_there = if disposition == Create { Err(FileErrorKind::Exists) } else { Ok(()) };
        assert_eq!(open(&there, how(disposition)), on_there, "{disposition:?}");
        assert_eq!(length(share, &there), left, "{disposition:?}");
    }
    assert_eq!(open("there-Open", goodput_file::Open { read_only: true, ..how(Overwrite) }), Ok(()));
    assert_eq!(length(share, "there-Open"), 0);
}

pub fn folders_and_files_are_told_apart() {
    use Disposition::*;
    let dir = tempfile::tempdir().unwrap();
    let (share, _) = made(dir.path());
    let share = share.as_ref();
    let open = |name: &str, how| {
        share.open(&path(name), how).and_then(|file| share.close(file)).map_err(|e| e.trouble)
    };
    write(share, "file", b"1");
    assert_eq!(open("folder", folder(Create)), Ok(()));
    assert_eq!(open("folder", folder(Create)), Err(FileErrorKind::Exists));
    for disposition in [Open, OpenIf, Overwrite] {
        assert_eq!(open("folder", folder(disposition)), Ok(()));
        assert_eq!(open("folder", how(disposition)), Err(FileErrorKind::IsFolder), "{disposition:?}");
    }
    assert_eq!(open("folder", either(Open)), Ok(()));
    assert_eq!(
        open("folder", goodput_file::Open { read_only: true, ..how(Open) }),
        Err(FileErrorKind::IsFolder)
    );
    assert_eq!(open("file", folder(Open)), Err(FileErrorKind::NotFolder));
    assert_eq!(open("file/below", how(Open)), Err(FileErrorKind::PathNotFound));
    assert_eq!(open("nowhere/below", how(Open)), Err(FileErrorKind::PathNotFound));
    assert_eq!(open("nowhere", how(Open)), Err(FileErrorKind::NotFound));
    assert_eq!(open("nowhere/below", how(Create)), Err(FileErrorKind::PathNotFound));
    assert_eq!(open("", either(Open)), Ok(()), "the workspace itself");
    let trouble = |outcome: Result<(), goodput_file::FileError>| outcome.unwrap_err().trouble;
    write(share, "folder/inner", b"");
    assert_eq!(trouble(share.remove_folder(&path("folder"))), FileErrorKind::NotEmpty);
    assert_eq!(trouble(share.remove_folder(&path("file"))), FileErrorKind::NotFolder);
    assert_eq!(trouble(share.remove_file(&path("folder"))), FileErrorKind::IsFolder);
    assert_eq!(trouble(share.remove_file(&path("nowhere"))), FileErrorKind::NotFound);
    assert_eq!(trouble(share.make_folder(&path("folder"))), FileErrorKind::Exists);
    assert_eq!(trouble(share.make_folder(&path("nowhere/folder"))), FileErrorKind::PathNotFound);
    let handle = share.open(&path("folder"), folder(Open)).unwrap();
    assert!(share.query_open(handle).unwrap().folder);
    assert!(share.write_at(handle, b"1", 0).is_err() && share.lane(handle, 4096, 1).is_err());
}

pub fn a_new_name_replaces_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let (share, _) = made(dir.path());
    write(share.as_ref(), "a", b"1");
    write(share.as_ref(), "b", b"22");
    share.make_folder(&path("folder")).unwrap();
    let rename = |from: &str, to: &str| share.rename(&path(from), &path(to)).map_err(|e| e.trouble);
    assert_eq!(rename("a", "b"), Err(FileErrorKind::Exists));
    assert_eq!(length(share.as_ref(), "b"), 2);
    assert_eq!(rename("a", "folder/c"), Ok(()));
    assert_eq!(rename("folder", "other"), Ok(()));
    assert_eq!(length(share.as_ref(), "other/c"), 1);
    assert_eq!(rename("nothing", "x"), Err(FileErrorKind::NotFound));
    assert!(rename("", "x").is_err() && rename("b", "").is_err());
}

pub fn names_are_found_and_counted() {
    let dir = tempfile::tempdir().unwrap();
    let (share, _) = made(dir.path());
    share.make_folder(&path("folder")).unwrap();
    for name in ["folder/A.PPT", "folder/b.ppt", "folder/c.doc"] {
        write(share.as_ref(), name, b"12");
    }
    let find = |pattern: &str, most| {
        let mut found: Vec<String> =
            share.find(&path("folder"), pattern, most).unwrap().into_iter().map(|e| e.name).collect();
        found.sort();
        found
    };
    assert_eq!(find("*", None), ["A.PPT", "b.ppt", "c.doc"]);
    assert_eq!(find("<.ppt", None), ["A.PPT", "b.ppt"]);
    assert_eq!(find("*.xls", None), [""; 0]);
    assert_eq!(find("*", Some(2)).len(), 2);
    assert_eq!(share.find(&path("nowhere"), "*", None).unwrap_err().trouble, FileErrorKind::NotFound);
    assert!(share.find(&path(""), "*", None).unwrap().iter().any(|e| e.name == MARKER));
}

pub fn a_lock_is_one_handles_alone() {
    let dir = tempfile::tempdir().unwrap();
    let (share, _) = made(dir.path());
    write(share.as_ref(), "file", &[0; 100]);
    let open = |read_only| share.open(&path("file"), Open { read_only, ..how(Disposition::Open) }).unwrap();
    let (one, two, reader) = (open(false), open(false), open(true));
    share.lock(one, 10, 10).unwrap();
    share.lock(one, 10, 10).unwrap();
    assert_eq!(share.lock(two, 15, 1).unwrap_err().trouble, FileErrorKind::Locked);
    assert_eq!(share.lock(reader, 15, 1).unwrap_err().trouble, FileErrorKind::Locked);
    share.lock(two, 20, 5).unwrap();
    share.lock(two, 15, 0).unwrap();
    share.unlock(one, 10, 10).unwrap();
    share.lock(two, 15, 1).unwrap();
    share.lock(one, 1 << 40, u64::MAX).unwrap();
    assert_eq!(share.lock(two, i64::MAX as u64 - 1, 1).unwrap_err().trouble, FileErrorKind::Locked);
    assert_eq!(share.lock(two, u64::MAX, 1).unwrap_err().trouble, FileErrorKind::NotSupported);
    share.close(one).unwrap();
    share.lock(two, 1 << 40, 1).unwrap();
    let another = share.another().unwrap();
    assert!(another.lock(two, 0, 1).is_err(), "a handle belongs to its share");
}

pub fn bytes_come_back_as_they_were_written() {
    let dir = tempfile::tempdir().unwrap();
    let (share, name) = made(dir.path());
    let mut dice = Dice(11);
    for direct in [false, true] {
        let file = format!("file-{direct}");
        let handle = share.open(&path(&file), Open { direct, ..how(Disposition::Create) }).unwrap();
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
        let before = dir.path().join(&name).join(&file).metadata().unwrap();
        share.touch(handle).unwrap();
        let after = dir.path().join(&name).join(&file).metadata().unwrap();
        assert!((after.mtime(), after.mtime_nsec()) >= (before.mtime(), before.mtime_nsec()));
        assert_eq!(share.query_open(handle).unwrap().length, model.len() as u64);
        share.close(handle).unwrap();
        assert!(share.close(handle).is_err() && share.read_at(handle, &mut [0], 0).is_err());
        assert_eq!(std::fs::read(dir.path().join(&name).join(&file)).unwrap(), model);
    }
    assert_eq!(std::fs::metadata(dir.path().join(&name)).unwrap().mode() & 0o777, 0o700);
}

pub fn what_vanishes_is_said_and_not_waited_for() {
    let dir = tempfile::tempdir().unwrap();
    let (share, name) = made(dir.path());
    write(share.as_ref(), "a", b"1");
    let open = share.open(&path("a"), how(Disposition::Open)).unwrap();
    std::fs::remove_dir_all(dir.path().join(&name)).unwrap();
    share.write_at(open, b"22", 0).unwrap();
    assert_eq!(share.query(&path("a")).unwrap_err().trouble, FileErrorKind::NotFound);
    assert_eq!(
        share.open(&path("b"), how(Disposition::Create)).unwrap_err().trouble,
        FileErrorKind::NotFound
    );
    assert_eq!(workspace::remove(share.as_ref(), &name).unwrap_err().trouble, FileErrorKind::NotFound);
    assert!(clean_place(&place(dir.path()), CleanTarget::Dead).unwrap().is_empty());
    share.close(open).unwrap();
    let target = open_target(dir.path().to_str().unwrap()).unwrap();
    std::fs::remove_dir(dir.path()).unwrap();
    assert_eq!(
        workspace::make(&target as &dyn Target, &super::workspace_name()).map(drop).unwrap_err().trouble,
        FileErrorKind::NotFound
    );
}

pub fn facts_name_the_engine_and_the_file_system() {
    let dir = tempfile::tempdir().unwrap();
    let (share, _) = made(dir.path());
    let facts = share.facts();
    assert_eq!(facts.engine, Engine::best().name());
    assert!(facts.file_system.is_some() && facts.mount.is_some(), "{facts:?}");
    assert_eq!(facts.direct, None, "nobody asked yet");
    let space = share.space().unwrap();
    assert!(space.total >= space.free && space.free > 0 && facts.free.is_some());
    assert!(names(dir.path()).len() == 1);
}
