//! NFS exports, tested against NFS-Ganesha.
#![allow(clippy::unwrap_used)]

mod server;

use crate::smb::{lanes, path, put, stamped};
use goodput_file::nfs::Nfs;
use goodput_file::place::{Opening, clean_place, open_place};
use goodput_file::workspace::{self, CleanTarget};
use goodput_file::{FileError, FileErrorKind, Io, Open, RelPath, Share};
use goodput_model::file::{Disposition, Place};
use server::{Ganesha, MOUNT_PORT, PORT};
use std::fs;
use std::time::{Duration, Instant};

pub use server::{inside, why_none};

pub const STORIES: &[(&str, fn())] = &[
    ("operations", operations),
    ("dispositions", dispositions),
    ("find", find),
    ("lanes", round_trip),
    ("lanes_of_threads", threads),
    ("workspace", a_workspace),
    ("trouble", trouble),
    ("server_killed", server_killed),
];

pub fn be_inside() -> bool {
    let Some(name) = server::story() else { return false };
    let (_, tell) = STORIES.iter().find(|(known, _)| *known == name).unwrap();
    tell();
    true
}

fn connect(server: &Ganesha) -> Nfs {
    Nfs::connect("127.0.0.1", Some(PORT), Some(MOUNT_PORT), &server.export(), "").unwrap()
}

fn file(disposition: Disposition) -> Open {
    Open { disposition, folder: false, file: true, read_only: false, direct: false }
}

fn refused<T>(done: Result<T, FileError>, trouble: FileErrorKind) {
    let Err(error) = done else { panic!("it was not refused") };
    assert_eq!(error.trouble, trouble, "{error}: {}", error.source);
}

fn operations() {
    let server = Ganesha::start();
    let share = connect(&server);
    let facts = share.facts();
    assert_eq!((facts.engine.as_str(), facts.signed, facts.connections), ("nfs 3", Some(false), Some(1)));
    assert!(facts.max_io.unwrap().0.0 >= 8192 && facts.free.unwrap().0 > 0);
    let before = share.requests().unwrap();

    share.make_folder(&path("one")).unwrap();
    assert_eq!(share.requests().unwrap() - before, 1);
    assert!(server.folder().join("one").is_dir());
    refused(share.make_folder(&path("one")), FileErrorKind::Exists);
    refused(share.make_folder(&path("none/two")), FileErrorKind::PathNotFound);

    let text = stamped(0, 100_001);
    put(&share, "one/a", &text);
    assert_eq!(fs::read(server.folder().join("one/a")).unwrap(), text);
    let status = share.query(&path("one/a")).unwrap();
    assert_eq!((status.length, status.folder), (100_001, false));
    assert!(share.query(&path("one")).unwrap().folder && share.query(&RelPath::root()).unwrap().folder);
    refused(share.query(&path("one/b")), FileErrorKind::NotFound);
    refused(share.query(&path("two/b")), FileErrorKind::PathNotFound);

    let handle = share.open(&path("one/a"), file(Disposition::Open)).unwrap();
    assert_eq!(share.query_open(handle).unwrap().length, 100_001);
    let mut some = [0; 1000];
    assert_eq!(share.read_at(handle, &mut some, 50_000).unwrap(), 1000);
    assert_eq!(some, text[50_000..51_000]);
    assert_eq!(share.read_at(handle, &mut some, 99_501).unwrap(), 500);
    assert_eq!(share.read_at(handle, &mut some, 100_001).unwrap(), 0);
    share.write_at(handle, b"changed", 10).unwrap();
    share.flush(handle).unwrap();
    let old = fs::metadata(server.folder().join("one/a")).unwrap().modified().unwrap();
    std::thread::sleep(Duration::from_millis(20));
    share.touch(handle).unwrap();
    refused(share.lock(handle, 0, 1), FileErrorKind::NotSupported);
    refused(share.unlock(handle, 0, 1), FileErrorKind::NotSupported);
    share.close(handle).unwrap();
    refused(share.close(handle), FileErrorKind::Other);
    assert!(fs::metadata(server.folder().join("one/a")).unwrap().modified().unwrap() > old);
    assert_eq!(&fs::read(server.folder().join("one/a")).unwrap()[10..17], b"changed");

    put(&share, "one/b", b"");
    refused(share.rename(&path("one/a"), &path("one/b")), FileErrorKind::Exists);
    refused(share.rename(&path("one/x"), &path("one/y")), FileErrorKind::NotFound);
    share.rename(&path("one/a"), &path("c")).unwrap();
    assert!(server.folder().join("c").is_file() && !server.folder().join("one/a").exists());
    refused(share.remove_folder(&path("one")), FileErrorKind::NotEmpty);
    refused(share.remove_file(&path("one/x")), FileErrorKind::NotFound);
    share.remove_file(&path("one/b")).unwrap();
    share.remove_folder(&path("one")).unwrap();
    share.remove_file(&path("c")).unwrap();
    assert_eq!(fs::read_dir(server.folder()).unwrap().count(), 0);
    let space = share.space().unwrap();
    assert!(space.free > 0 && space.free <= space.total);
}

fn dispositions() {
    let server = Ganesha::start();
    let share = connect(&server);
    let here = server.folder().join("f");
    let open = |disposition| {
        let handle = share.open(&path("f"), file(disposition))?;
        share.close(handle)
    };
    refused(open(Disposition::Open), FileErrorKind::NotFound);
    refused(open(Disposition::Overwrite), FileErrorKind::NotFound);
    for makes in [Disposition::Create, Disposition::OpenIf, Disposition::OverwriteIf, Disposition::Supersede]
    {
        open(makes).unwrap();
        assert_eq!(fs::read(&here).unwrap(), b"");
        let handle = share.open(&path("f"), file(Disposition::Open)).unwrap();
        share.write_at(handle, b"kept", 0).unwrap();
        share.close(handle).unwrap();
        match makes {
            Disposition::Create => refused(open(makes), FileErrorKind::Exists),
            _ => open(makes).unwrap(),
        }
        let left = fs::read(&here).unwrap().len();
        assert_eq!(left > 0, matches!(makes, Disposition::Create | Disposition::OpenIf), "{makes:?}");
        share.remove_file(&path("f")).unwrap();
    }
    share.make_folder(&path("d")).unwrap();
    refused(share.open(&path("d"), file(Disposition::Open)), FileErrorKind::IsFolder);
    open(Disposition::Create).unwrap();
    let folder = Open { folder: true, file: false, ..file(Disposition::Open) };
    refused(share.open(&path("f"), folder), FileErrorKind::NotFolder);
    let handle = share.open(&path("d"), folder).unwrap();
    assert!(share.query_open(handle).unwrap().folder);
}

fn find() {
    let server = Ganesha::start();
    let share = connect(&server);
    share.make_folder(&path("many")).unwrap();
    assert!(share.find(&path("many"), "*", None).unwrap().is_empty());
    for number in 0..1500 {
        fs::write(server.folder().join(format!("many/name-{number:04}.txt")), vec![0; number]).unwrap();
    }
    fs::create_dir(server.folder().join("many/folder")).unwrap();
    let mut all = share.find(&path("many"), "*", None).unwrap();
    all.sort_by(|a, b| a.name.cmp(&b.name));
    assert_eq!(all.len(), 1501, "in several replies");
    assert!(all[0].name == "folder" && all[0].status.folder);
    assert_eq!((all[900].name.as_str(), all[900].status.length), ("name-0899.txt", 899));
    assert_eq!(share.find(&path("many"), "*", Some(7)).unwrap().len(), 7);
    assert_eq!(share.find(&path("many"), "name-00?7.txt", None).unwrap().len(), 10);
    assert!(share.find(&path("many"), "*.doc", None).unwrap().is_empty());
    refused(share.find(&path("none"), "*", None), FileErrorKind::PathNotFound);
}

fn round_trip() {
    let server = Ganesha::start();
    let share = connect(&server);
    let bytes = stamped(0, 20_000_123);
    for (block, depth) in [(4096, 32), (65_536, 8), (1 << 20, 1), (1 << 20, 8)] {
        let bytes = if block == 4096 { &bytes[..1_000_001] } else { &bytes[..] };
        let name = format!("f-{block}-{depth}");
        lanes::write_all(&share, &name, bytes, block, depth);
        assert!(fs::read(server.folder().join(&name)).unwrap() == bytes, "{name}");
        lanes::read_all(&share, &name, bytes, block, depth);
    }
}

fn threads() {
    let server = Ganesha::start();
    let share = connect(&server);
    std::thread::scope(|scope| {
        for number in 0..3 {
            let share = &share;
            scope.spawn(move || {
                let bytes = stamped(number << 30, 3_000_000);
                let name = format!("t-{number}");
                lanes::write_all(share, &name, &bytes, 300_000, 5);
                let handle = share.open(&path(&name), file(Disposition::Open)).unwrap();
                for at in (0..bytes.len()).step_by(200_003) {
                    let mut some = vec![0; 30_000];
                    let read = share.read_at(handle, &mut some, at as u64).unwrap();
                    assert!(some[..read] == bytes[at..at + read] && read > 0);
                }
                lanes::read_open(share, handle, &bytes, 300_000, 5);
            });
        }
    });
}

/// Workspace rules over NFS, with ports from the portmapper.
fn a_workspace() {
    let server = Ganesha::start();
    let place = Place::Nfs {
        host: "127.0.0.1".into(),
        port: None,
        mount_port: None,
        export: server.export(),
        path: "deep".into(),
    };
    let name = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6";
    refused(open_place(&place, name, Opening::Make), FileErrorKind::PathNotFound);
    fs::create_dir(server.folder().join("deep")).unwrap();
    fs::write(server.folder().join("deep/canary"), "sings").unwrap();
    refused(open_place(&place, name, Opening::Existing), FileErrorKind::PathNotFound);
    let share = open_place(&place, name, Opening::Make).unwrap();
    refused(open_place(&place, name, Opening::Make), FileErrorKind::Exists);
    share.make_folder(&path("sub")).unwrap();
    put(share.as_ref(), "sub/f", b"text");
    let other = open_place(&place, name, Opening::Existing).unwrap().another().unwrap();
    assert_eq!(other.query(&path("sub/f")).unwrap().length, 4);
    let found = clean_place(&place, CleanTarget::Dead).unwrap();
    assert!(found.len() == 1 && found[0].removed.is_none(), "{found:?}");
    assert_eq!(workspace::remove(share.as_ref(), name).unwrap(), 4);
    assert!(!server.folder().join("deep").join(name).exists());
    assert_eq!(fs::read(server.folder().join("deep/canary")).unwrap(), b"sings");
}

fn trouble() {
    let server = Ganesha::start();
    let nowhere = Nfs::connect("127.0.0.1", None, Some(MOUNT_PORT), "/not/exported", "");
    let refused_mount = nowhere.err().unwrap();
    assert!(
        matches!(refused_mount.trouble, FileErrorKind::LogOn | FileErrorKind::PathNotFound),
        "{}",
        refused_mount.source
    );
    let share = connect(&server);
    put(&share, "f", b"soon gone");
    let handle = share.open(&path("f"), file(Disposition::Open)).unwrap();
    connect(&server).remove_file(&path("f")).unwrap();
    refused(share.query(&path("f")), FileErrorKind::NotFound);
    let mut some = [0; 10];
    refused(share.read_at(handle, &mut some, 0), FileErrorKind::NotFound);
    let mut lane = share.lane(handle, 100, 1).unwrap();
    lane.submit(Io { slot: 0, offset: 0, length: 100, write: false }).unwrap();
    refused(lane.complete(Duration::from_secs(10)).unwrap().moved, FileErrorKind::NotFound);
    lane.submit(Io { slot: 0, offset: 0, length: 100, write: true }).unwrap();
    refused(lane.complete(Duration::from_secs(10)).unwrap().moved, FileErrorKind::NotFound);
}

fn server_killed() {
    let mut server = Ganesha::start();
    let share = connect(&server);
    let handle = share.open(&path("f"), file(Disposition::Create)).unwrap();
    let mut lane = share.lane(handle, 1 << 20, 2).unwrap();
    for slot in 0..2 {
        lane.submit(Io { slot, offset: (slot as u64) << 20, length: 1 << 20, write: true }).unwrap();
    }
    server.kill();
    let began = Instant::now();
    let gone = loop {
        match lane.complete(Duration::from_secs(5)) {
            Err(error) => break error,
            Ok(done) => {
                let io = Io { slot: done.slot, offset: 0, length: 1 << 20, write: true };
                if let Err(error) = lane.submit(io) {
                    break error;
                }
            }
        }
    };
    assert_eq!(gone.trouble, FileErrorKind::Gone, "{gone}: {}", gone.source);
    refused(share.query(&path("f")), FileErrorKind::Gone);
    refused(share.another(), FileErrorKind::Gone);
    assert!(began.elapsed() < Duration::from_secs(10));
}
