//! A killed client leaves a workspace, which is found and removed; nothing else is touched.

use super::told;
use crate::samba::{self, PASSWORD, Samba, USER};
use crate::share::{how, path, refused, stamped, write_open};
use goodput_file::FileErrorKind;
use goodput_file::location::{WorkspaceOpenMode, clean_workspaces_at_location, open_workspace_at_location};
use goodput_file::workspace::WorkspaceSelection;
use goodput_model::file::{CreateDisposition, FileLocation};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const CLIENT: &str = "GOODPUT_TEST_CLIENT";

fn place(port: u16) -> FileLocation {
    let (host, share, path) = ("127.0.0.1".into(), samba::DATA.into(), "deep/er".into());
    FileLocation::Smb { host, port, domain: None, user: Some(USER.into()), share, path }
}

pub fn be_client() -> bool {
    let Ok(what) = std::env::var(CLIENT) else { return false };
    let (port, workspace) = what.split_once(' ').unwrap();
    let share = open_workspace_at_location(&place(port.parse().unwrap()), workspace, WorkspaceOpenMode::Make)
        .unwrap();
    share.make_folder(&path("sub")).unwrap();
    let handle = share.open(&path("sub/test"), how(CreateDisposition::Create)).unwrap();
    loop {
        write_open(share.as_ref(), handle, &vec![1; 4 << 20], 1 << 16, 2);
    }
}

fn canaries(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.is_file()).map(|file| (file.clone(), fs::read(file).unwrap())).collect()
}

pub fn client_killed() {
    let samba = Samba::start();
    told(PASSWORD);
    let place = place(samba.port);
    let workspace = ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6";
    refused(
        open_workspace_at_location(&place, workspace, WorkspaceOpenMode::Make),
        FileErrorKind::PathNotFound,
    );
    let folder = samba.data().join("deep/er");
    fs::create_dir_all(folder.join(".goodput-of-somebody-else")).unwrap();
    for number in 0..20 {
        fs::write(folder.join(format!("canary-{number}")), stamped(number, 1000)).unwrap();
    }
    let before = canaries(&folder);
    let clean = || clean_workspaces_at_location(&place, WorkspaceSelection::Dead).unwrap();
    assert!(clean().is_empty());

    let mut command = Command::new(std::env::current_exe().unwrap());
    command.env(CLIENT, format!("{} {workspace}", samba.port)).env("GOODPUT_SMB_PASSWORD", PASSWORD);
    let mut client = command.stdout(Stdio::null()).spawn().unwrap();
    let written = folder.join(workspace).join("sub/test");
    let began = Instant::now();
    while fs::metadata(&written).map_or(0, |file| file.len()) < 1 << 20 {
        assert!(began.elapsed() < Duration::from_secs(20) && client.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(10));
    }
    let found = clean();
    assert!(found.len() == 1 && found[0].removed.is_none() && written.exists(), "{found:?}");
    client.kill().unwrap();
    client.wait().unwrap();
    let found = clean();
    assert!(found.len() == 1 && matches!(found[0].removed, Some(Ok(_))), "{found:?}");
    assert!(!folder.join(workspace).exists() && folder.join(".goodput-of-somebody-else").is_dir());
    assert_eq!(canaries(&folder), before);
    assert!(clean().is_empty());
}
