//! Obstacles in a workspace: links, hard links, FIFOs, mounts. Nothing outside is touched.

use super::stage::{own_mounts, run};
use super::{fresh, made, names, place, workspace_name};
use crate::share::{READ_ONLY, how, path, put, refused};
use goodput_file::location::{WorkspaceOpenMode, clean_workspaces_at_location, open_workspace_at_location};
use goodput_file::workspace::{self, WorkspaceOwnerState, WorkspaceSelection};
use goodput_file::{FileErrorKind, FileOpenOptions};
use goodput_model::file::{CreateDisposition, WORKSPACE_MARKER_FILE};
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};

pub fn no_link_leads_out() {
    let (dir, share, name) = fresh();
    let (theirs, ours) = (dir.path().join("theirs"), dir.path().join(&name));
    std::fs::create_dir(&theirs).unwrap();
    std::fs::write(theirs.join("canary"), b"sings").unwrap();
    symlink(&theirs, ours.join("away")).unwrap();
    symlink("../theirs", ours.join("near")).unwrap();
    symlink(theirs.join("canary"), ours.join("file")).unwrap();
    symlink("/proc/self/root", ours.join("magic")).unwrap();
    symlink("nowhere", ours.join("dangling")).unwrap();
    put(share.as_ref(), "own", b"ours");
    for trap in ["away/canary", "near/canary", "file", "magic/etc/hostname", "away/new", "dangling"] {
        for disposition in CreateDisposition::ALL {
            for folder in [false, true] {
                let open = FileOpenOptions { folder, file: !folder, ..how(disposition) };
                let bad = share.open(&path(trap), open).unwrap_err();
                let sound = [FileErrorKind::Forbidden, FileErrorKind::Exists, FileErrorKind::NotFolder];
                assert!(sound.contains(&bad.trouble), "{trap} {disposition:?}: {bad}: {}", bad.source);
            }
        }
        assert!(share.rename(&path("own"), &path(&format!("{trap}/x"))).is_err());
    }
    for trap in ["away", "near", "magic"] {
        let below = |name: &str| path(&format!("{trap}/{name}"));
        refused(share.find_folder_entries(&path(trap), "*", None), FileErrorKind::Forbidden);
        assert!(
            share.query_path_status(&below("canary")).is_err() && share.make_folder(&below("x")).is_err()
        );
        assert!(share.remove_file(&below("canary")).is_err() && share.remove_folder(&below("x")).is_err());
        assert!(share.rename(&path("own"), &below("x")).is_err());
        assert!(share.rename(&below("canary"), &path("taken")).is_err());
    }
    workspace::remove_workspace(share.as_ref(), &name).unwrap();
    assert_eq!(names(dir.path()), ["theirs"]);
    assert_eq!(names(&theirs), ["canary"]);
    assert_eq!(std::fs::read(theirs.join("canary")).unwrap(), b"sings");
}

pub fn a_file_with_a_second_name_is_not_written() {
    let (dir, share, name) = fresh();
    let canary = dir.path().join("canary");
    std::fs::write(&canary, b"sings").unwrap();
    std::fs::hard_link(&canary, dir.path().join(&name).join("trap")).unwrap();
    for disposition in CreateDisposition::ALL {
        let creates = disposition == CreateDisposition::Create;
        let expected = if creates { FileErrorKind::Exists } else { FileErrorKind::Forbidden };
        refused(share.open(&path("trap"), how(disposition)), expected);
    }
    workspace::remove_workspace(share.as_ref(), &name).unwrap();
    assert_eq!(std::fs::read(&canary).unwrap(), b"sings");
    assert_eq!(std::fs::metadata(&canary).unwrap().nlink(), 1);
}

pub fn pipes_and_sockets_are_refused_at_once() {
    let (dir, share, name) = fresh();
    let ours = dir.path().join(&name);
    run("mkfifo", &[ours.join("pipe").to_str().unwrap()]).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(ours.join("socket")).unwrap();
    for open in [how(CreateDisposition::Open), READ_ONLY] {
        refused(share.open(&path("pipe"), open), FileErrorKind::Forbidden);
        assert!(share.open(&path("socket"), open).is_err());
    }
    assert!(ours.join("pipe").metadata().unwrap().file_type().is_fifo());
    workspace::remove_workspace(share.as_ref(), &name).unwrap();
    assert!(names(dir.path()).is_empty());
}

pub fn another_mount_is_not_entered() {
    let Some(stage) = own_mounts("another_mount_is_not_entered") else { return };
    let theirs = stage.folder().join("theirs");
    std::fs::create_dir(&theirs).unwrap();
    std::fs::write(theirs.join("canary"), b"sings").unwrap();
    let (share, name) = made(stage.folder());
    share.make_folder(&path("mount")).unwrap();
    put(share.as_ref(), "own", b"ours");
    let ours = stage.folder().join(&name);
    let point = ours.join("mount");
    let point = point.to_str().unwrap();
    run("mount", &["--bind", theirs.to_str().unwrap(), point]).unwrap();
    refused(share.open(&path("mount/canary"), how(CreateDisposition::Open)), FileErrorKind::Forbidden);
    assert!(workspace::remove_workspace(share.as_ref(), &name).is_err());
    assert_eq!(names(&theirs), ["canary"]);
    assert_eq!(names(&ours), [WORKSPACE_MARKER_FILE, "mount"], "the mark stays to the end");
    run("umount", &[point]).unwrap();
    workspace::remove_workspace(share.as_ref(), &name).unwrap();
    assert_eq!(names(stage.folder()), ["theirs"]);
}

pub fn only_what_carries_our_mark_is_cleaned() {
    let dir = tempfile::tempdir().unwrap();
    // A folder of a workspace's name with this file.
    let folder = |file: &str, content: &[u8]| {
        let name = workspace_name();
        std::fs::create_dir(dir.path().join(&name)).unwrap();
        std::fs::write(dir.path().join(&name).join(file), content).unwrap();
        name
    };
    let (share, alive) = made(dir.path());
    put(share.as_ref(), "test", b"data");
    let marker = std::fs::read(dir.path().join(&alive).join(WORKSPACE_MARKER_FILE)).unwrap();
    let not_ours = [
        folder("thesis.txt", b"years"),
        folder(WORKSPACE_MARKER_FILE, b"{\"magic\":\"mine\"}"),
        folder(WORKSPACE_MARKER_FILE, &marker),
    ];
    let torn = folder(WORKSPACE_MARKER_FILE, b"");
    std::fs::create_dir(dir.path().join(".goodput-notes")).unwrap();
    std::fs::write(dir.path().join(workspace_name()), b"a file").unwrap();
    symlink(dir.path().join(&alive), dir.path().join(workspace_name())).unwrap();
    let before = names(dir.path());

    let clean = |which| clean_workspaces_at_location(&place(dir.path()), which).unwrap();
    let found = clean(WorkspaceSelection::Dead);
    for one in &found {
        let removed = one.removed.as_ref().map(Result::is_ok);
        let expected = match (&one.state, removed) {
            (WorkspaceOwnerState::Unmarked, Some(true)) => one.name == torn,
            (WorkspaceOwnerState::Alive, None) => one.name == alive,
            (WorkspaceOwnerState::Foreign(_), None) => not_ours.contains(&one.name),
            _ => false,
        };
        assert!(expected, "{one:?}");
    }
    assert_eq!(found.len(), 5);
    let left: Vec<String> = before.into_iter().filter(|name| *name != torn).collect();
    assert_eq!(names(dir.path()), left);
    for name in &not_ours {
        let opened = open_workspace_at_location(&place(dir.path()), name, WorkspaceOpenMode::Existing);
        assert!(opened.is_err(), "{name} is no workspace");
        let named = clean(WorkspaceSelection::Named(name));
        assert!(named.iter().all(|one| one.removed.is_none()), "not even by name");
    }
    let found = clean(WorkspaceSelection::Named(&alive));
    assert_eq!(found.iter().filter(|one| one.removed.as_ref().is_some_and(Result::is_ok)).count(), 1);
    assert!(!dir.path().join(&alive).exists());
}

pub fn a_workspace_is_made_once() {
    let (dir, share, name) = fresh();
    put(share.as_ref(), "test", b"data");
    let open = |how| open_workspace_at_location(&place(dir.path()), &name, how).map(drop);
    refused(open(WorkspaceOpenMode::Make), FileErrorKind::Exists);
    open(WorkspaceOpenMode::Existing).unwrap();
    for hostile in ["..", ".", "", "/etc", ".goodput-x", "a/../.."] {
        for how in [WorkspaceOpenMode::Make, WorkspaceOpenMode::Existing] {
            refused(open_workspace_at_location(&place(dir.path()), hostile, how), FileErrorKind::Forbidden);
        }
    }
    let missing =
        open_workspace_at_location(&place(dir.path()), &workspace_name(), WorkspaceOpenMode::Existing);
    refused(missing, FileErrorKind::NotFound);
    assert_eq!(names(&dir.path().join(&name)), [WORKSPACE_MARKER_FILE, "test"]);
}
