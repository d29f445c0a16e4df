//! Obstacles in a workspace: links, hard links, FIFOs, mounts. Nothing outside is touched.

use super::stage::{own_mounts, run};
use super::{fresh, made, names, place, workspace_name};
use crate::share::{how, path, put, refused};
use goodput_file::location::{WorkspaceMode, clean_location, open_location};
use goodput_file::workspace::{self, WorkspaceSelection, WorkspaceState};
use goodput_file::{FileErrorKind, FileOpenOptions};
use goodput_model::file::{CreateDisposition, WORKSPACE_MARKER_FILE};
use std::os::unix::fs::{FileTypeExt, MetadataExt, symlink};

const ALL: [CreateDisposition; 6] = [
    CreateDisposition::Supersede,
    CreateDisposition::Open,
    CreateDisposition::Create,
    CreateDisposition::OpenIf,
    CreateDisposition::Overwrite,
    CreateDisposition::OverwriteIf,
];

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
        for disposition in ALL {
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
        refused(share.find_entries(&path(trap), "*", None), FileErrorKind::Forbidden);
        assert!(share.query_path(&below("canary")).is_err() && share.make_folder(&below("x")).is_err());
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
    for disposition in ALL {
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
    for read_only in [false, true] {
        let open = FileOpenOptions { read_only, ..how(CreateDisposition::Open) };
        refused(share.open(&path("pipe"), open), FileErrorKind::Forbidden);
        assert!(share.open(&path("socket"), open).is_err());
    }
    assert!(ours.join("pipe").metadata().unwrap().file_type().is_fifo());
    workspace::remove_workspace(share.as_ref(), &name).unwrap();
    assert!(names(dir.path()).is_empty());
}

pub fn another_mount_inside_is_not_entered() {
    let Some(stage) = own_mounts("another_mount_is_not_entered") else { return };
    let theirs = stage.folder().join("theirs");
    std::fs::create_dir(&theirs).unwrap();
    std::fs::write(theirs.join("canary"), b"sings").unwrap();
    let (share, name) = made(stage.folder());
    share.make_folder(&path("mount")).unwrap();
    put(share.as_ref(), "own", b"ours");
    let point = stage.folder().join(&name).join("mount");
    let point = point.to_str().unwrap();
    run("mount", &["--bind", theirs.to_str().unwrap(), point]).unwrap();
    refused(share.open(&path("mount/canary"), how(CreateDisposition::Open)), FileErrorKind::Forbidden);
    assert!(workspace::remove_workspace(share.as_ref(), &name).is_err());
    assert_eq!(names(&theirs), ["canary"]);
    assert_eq!(
        names(&stage.folder().join(&name)),
        [WORKSPACE_MARKER_FILE, "mount"],
        "the mark stays to the end"
    );
    run("umount", &[point]).unwrap();
    workspace::remove_workspace(share.as_ref(), &name).unwrap();
    assert_eq!(names(stage.folder()), ["theirs"]);
}

pub fn only_what_carries_our_mark_is_cleaned() {
    let dir = tempfile::tempdir().unwrap();
    let folder = |name: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir(&path).unwrap();
        path
    };
    let plain = workspace_name();
    std::fs::write(folder(&plain).join("thesis.txt"), b"years").unwrap();
    let forged = workspace_name();
    std::fs::write(folder(&forged).join(WORKSPACE_MARKER_FILE), b"{\"magic\":\"mine\"}").unwrap();
    let (share, alive) = made(dir.path());
    put(share.as_ref(), "test", b"data");
    let copied = workspace_name();
    std::fs::copy(
        dir.path().join(&alive).join(WORKSPACE_MARKER_FILE),
        folder(&copied).join(WORKSPACE_MARKER_FILE),
    )
    .unwrap();
    folder(".goodput-notes");
    std::fs::write(dir.path().join(workspace_name()), b"a file").unwrap();
    symlink(dir.path().join(&alive), dir.path().join(workspace_name())).unwrap();
    let torn = workspace_name();
    std::fs::write(folder(&torn).join(WORKSPACE_MARKER_FILE), b"").unwrap();
    let before = names(dir.path());

    let found = clean_location(&place(dir.path()), WorkspaceSelection::Dead).unwrap();
    for one in &found {
        let removed = one.removed.as_ref().map(|r| r.is_ok());
        match &one.name {
            name if *name == torn => {
                assert_eq!((&one.state, removed), (&WorkspaceState::Unmarked, Some(true)))
            }
            name if *name == alive => assert_eq!((&one.state, removed), (&WorkspaceState::Alive, None)),
            _ => assert!(matches!(one.state, WorkspaceState::Foreign(_)) && removed.is_none(), "{one:?}"),
        }
    }
    assert_eq!(found.len(), 5);
    let left: Vec<String> = before.into_iter().filter(|name| *name != torn).collect();
    assert_eq!(names(dir.path()), left);
    for name in [&plain, &forged, &copied] {
        let opened = open_location(&place(dir.path()), name, WorkspaceMode::Existing);
        assert!(opened.is_err(), "{name} is no workspace");
        let named = clean_location(&place(dir.path()), WorkspaceSelection::Named(name)).unwrap();
        assert!(named.iter().all(|one| one.removed.is_none()), "not even by name");
    }
    let found = clean_location(&place(dir.path()), WorkspaceSelection::Named(&alive)).unwrap();
    assert_eq!(found.iter().filter(|one| one.removed.as_ref().is_some_and(Result::is_ok)).count(), 1);
    assert!(!dir.path().join(&alive).exists());
}

pub fn a_workspace_is_made_once() {
    let (dir, share, name) = fresh();
    put(share.as_ref(), "test", b"data");
    let open = |how| open_location(&place(dir.path()), &name, how).map(drop);
    refused(open(WorkspaceMode::Make), FileErrorKind::Exists);
    open(WorkspaceMode::Existing).unwrap();
    for hostile in ["..", ".", "", "/etc", ".goodput-x", "a/../.."] {
        for how in [WorkspaceMode::Make, WorkspaceMode::Existing] {
            refused(open_location(&place(dir.path()), hostile, how), FileErrorKind::Forbidden);
        }
    }
    let missing = open_location(&place(dir.path()), &workspace_name(), WorkspaceMode::Existing);
    refused(missing, FileErrorKind::NotFound);
    assert_eq!(names(&dir.path().join(&name)), [WORKSPACE_MARKER_FILE, "test"]);
}
