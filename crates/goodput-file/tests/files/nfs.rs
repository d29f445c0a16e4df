//! NFS exports, tested against NFS-Ganesha.

mod hostile;
mod server;

use crate::liar::bounded;
use crate::share::{PATIENCE, Served, how, path, put, refused};
use goodput_file::location::{WorkspaceOpenMode, clean_workspaces_at_location, open_workspace_at_location};
use goodput_file::nfs::NfsShare;
use goodput_file::workspace::{self, WorkspaceSelection};
use goodput_file::{FileErrorKind, IoRequest, Share};
use goodput_model::file::{CreateDisposition, FileLocation};
use server::{Ganesha, MOUNT_PORT, PORT};
use std::fs;

pub use server::{inside, why_none};

pub const STORIES: &[(&str, fn())] = &[
    ("operations", operations),
    ("dispositions", || alike(|served| served.dispositions())),
    ("find", || alike(|served| served.find([FileErrorKind::PathNotFound; 2]))),
    ("lanes", || alike(|served| served.round_trip(&[(4096, 32), (65_536, 8), (1 << 20, 1), (1 << 20, 8)]))),
    ("lanes_of_threads", || alike(|served| served.threads())),
    ("workspace", a_workspace),
    ("trouble", trouble),
    ("server_killed", server_killed),
    ("hostile_reads", || bounded(hostile::reads)),
    ("hostile_writes", || bounded(hostile::writes)),
    ("hostile_lengths_and_numbers", || bounded(hostile::lengths_and_numbers)),
    ("hostile_sizes", || bounded(hostile::sizes)),
];

pub fn be_inside() -> bool {
    let Some(name) = server::story() else { return false };
    let (_, tell) = STORIES.iter().find(|(known, _)| *known == name).unwrap();
    tell();
    true
}

fn connect(server: &Ganesha) -> NfsShare {
    connect_at(server, PORT)
}

fn connect_at(server: &Ganesha, port: u16) -> NfsShare {
    NfsShare::connect("127.0.0.1", Some(port), Some(MOUNT_PORT), &server.export(), "", &|_| Ok(())).unwrap()
}

fn served<'a>(server: &Ganesha, share: &'a NfsShare) -> Served<'a> {
    Served { share, folder: server.folder(), smb: false }
}

fn operations() {
    let server = Ganesha::start();
    let share = connect(&server);
    let facts = share.location_facts();
    assert_eq!((facts.engine.as_str(), facts.signed, facts.connections), ("nfs 3", Some(false), Some(1)));
    assert!(facts.max_io.unwrap().0.0 >= 8192 && facts.free.unwrap().0 > 0);
    served(&server, &share).operations(Some(1));
    let handle = share.open(&path("a"), how(CreateDisposition::Create)).unwrap();
    for done in [share.lock_range(handle, 0, 1), share.unlock_range(handle, 0, 1)] {
        refused(done, FileErrorKind::NotSupported);
    }
}

fn alike(story: fn(&Served)) {
    let server = Ganesha::start();
    story(&served(&server, &connect(&server)));
}

/// Workspace rules over NFS, with ports from the portmapper.
fn a_workspace() {
    let server = Ganesha::start();
    let (host, export) = ("127.0.0.1".into(), server.export());
    let place = FileLocation::Nfs { host, port: None, mount_port: None, export, path: "deep".into() };
    let deep = server.folder().join("deep");
    let name = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6";
    refused(open_workspace_at_location(&place, name, WorkspaceOpenMode::Make), FileErrorKind::PathNotFound);
    fs::create_dir(&deep).unwrap();
    fs::write(deep.join("canary"), "sings").unwrap();
    refused(
        open_workspace_at_location(&place, name, WorkspaceOpenMode::Existing),
        FileErrorKind::PathNotFound,
    );
    let share = open_workspace_at_location(&place, name, WorkspaceOpenMode::Make).unwrap();
    refused(open_workspace_at_location(&place, name, WorkspaceOpenMode::Make), FileErrorKind::Exists);
    share.make_folder(&path("sub")).unwrap();
    put(share.as_ref(), "sub/f", b"text");
    let other = open_workspace_at_location(&place, name, WorkspaceOpenMode::Existing)
        .unwrap()
        .open_another_connection()
        .unwrap();
    assert_eq!(other.query_path_status(&path("sub/f")).unwrap().length, 4);
    let found = clean_workspaces_at_location(&place, WorkspaceSelection::Dead).unwrap();
    assert!(found.len() == 1 && found[0].removed.is_none(), "{found:?}");
    assert_eq!(workspace::remove_workspace(share.as_ref(), name).unwrap(), 4);
    assert!(!deep.join(name).exists());
    assert_eq!(fs::read(deep.join("canary")).unwrap(), b"sings");
}

fn trouble() {
    let server = Ganesha::start();
    let nowhere = NfsShare::connect("127.0.0.1", None, Some(MOUNT_PORT), "/not/exported", "", &|_| Ok(()));
    let trouble = nowhere.err().unwrap().trouble;
    assert!(matches!(trouble, FileErrorKind::LogOn | FileErrorKind::PathNotFound), "{trouble:?}");
    let share = connect(&server);
    put(&share, "f", b"soon gone");
    let handle = share.open(&path("f"), how(CreateDisposition::Open)).unwrap();
    connect(&server).remove_file(&path("f")).unwrap();
    refused(share.query_path_status(&path("f")), FileErrorKind::NotFound);
    refused(share.read_at(handle, &mut [0; 10], 0), FileErrorKind::NotFound);
    let mut lane = share.open_io_queue(handle, 100, 1).unwrap();
    for write in [false, true] {
        lane.submit(IoRequest { slot: 0, offset: 0, length: 100, write }).unwrap();
        refused(lane.wait_for_completion(PATIENCE).unwrap().moved, FileErrorKind::NotFound);
    }
}

fn server_killed() {
    let mut server = Ganesha::start();
    let share = connect(&server);
    served(&server, &share).server_killed(|| server.kill());
}
