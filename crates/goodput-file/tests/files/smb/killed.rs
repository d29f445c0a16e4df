//! A killed client leaves a workspace, which is found and removed; nothing else is touched.

use super::told;
use crate::samba::{self, PASSWORD, Samba, USER};
use crate::share::{how, path, refused, stamped};
use goodput_file::location::{WorkspaceMode, clean_location, open_location};
use goodput_file::workspace::WorkspaceSelection;
use goodput_file::{FileErrorKind, IoRequest};
use goodput_model::file::{CreateDisposition, FileLocation};
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CLIENT: &str = "GOODPUT_TEST_CLIENT";

fn place(port: u16) -> FileLocation {
    FileLocation::Smb {
        host: "127.0.0.1".into(),
        port,
        domain: None,
        user: Some(USER.into()),
        share: samba::DATA.into(),
        path: "deep/er".into(),
    }
}

pub fn be_client() -> bool {
    let Ok(what) = std::env::var(CLIENT) else { return false };
    let (port, workspace) = what.split_once(' ').unwrap();
    let share = open_location(&place(port.parse().unwrap()), workspace, WorkspaceMode::Make).unwrap();
    share.make_folder(&path("sub")).unwrap();
    let handle = share.open(&path("sub/test"), how(CreateDisposition::Create)).unwrap();
    let mut lane = share.open_io_queue(handle, 1 << 16, 2).unwrap();
    for number in 0.. {
        let slot = number as usize % 2;
        while lane.buffer(slot).is_empty() {
            lane.wait_for_completion(Duration::from_secs(5)).unwrap().moved.unwrap();
        }
        lane.submit(IoRequest { slot, offset: (number % 64) << 16, length: 1 << 16, write: true }).unwrap();
    }
    true
}

fn canaries(samba: &Samba) -> BTreeMap<String, Vec<u8>> {
    let folder = samba.data().join("deep/er");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        .filter(|file| file.is_file())
        .map(|file| (file.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&file).unwrap()))
        .collect()
}

pub fn client_killed() {
    let samba = Samba::start();
    told(PASSWORD);
    let place = place(samba.port);
    let workspace = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6";
    refused(open_location(&place, workspace, WorkspaceMode::Make), FileErrorKind::PathNotFound);
    fs::create_dir_all(samba.data().join("deep/er")).unwrap();
    for number in 0..20 {
        fs::write(samba.data().join(format!("deep/er/canary-{number}")), stamped(number, 1000)).unwrap();
    }
    fs::create_dir(samba.data().join("deep/er/.goodput-of-somebody-else")).unwrap();
    let before = canaries(&samba);
    assert!(clean_location(&place, WorkspaceSelection::Dead).unwrap().is_empty());

    let mut client = Command::new(std::env::current_exe().unwrap())
        .env(CLIENT, format!("{} {workspace}", samba.port))
        .env("GOODPUT_SMB_PASSWORD", PASSWORD)
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let written = samba.data().join("deep/er").join(workspace).join("sub/test");
    let began = Instant::now();
    while fs::metadata(&written).map_or(0, |file| file.len()) < 1 << 20 {
        assert!(began.elapsed() < Duration::from_secs(20) && client.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
    let found = clean_location(&place, WorkspaceSelection::Dead).unwrap();
    assert!(found.len() == 1 && found[0].removed.is_none() && written.exists(), "{found:?}");
    client.kill().unwrap();
    client.wait().unwrap();
    let found = clean_location(&place, WorkspaceSelection::Dead).unwrap();
    assert!(found.len() == 1 && matches!(found[0].removed, Some(Ok(_))), "{found:?}");
    assert!(!samba.data().join("deep/er").join(workspace).exists());
    assert!(samba.data().join("deep/er/.goodput-of-somebody-else").is_dir());
    assert_eq!(canaries(&samba), before);
    assert!(clean_location(&place, WorkspaceSelection::Dead).unwrap().is_empty());
}
