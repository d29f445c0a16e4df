//! Processes killed at random moments, and what remains.

use super::stage::{CONTAINER, actor, part};
use super::{Dice, made, place, workspace_name};
use crate::share::{CREATE_DIRECT, path, put, write_open};
use goodput_file::Share;
use goodput_file::location::{WorkspaceOpenMode, clean_workspaces_at_location, open_workspace_at_location};
use goodput_file::workspace::{self, WorkspaceOwnerState, WorkspaceSelection};
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CANARIES: usize = 1000;
const ROUNDS: usize = 50;
const WORKER: &str = "worker in ";
const HOLDER: &str = "holder in ";

/// Content, inode, mode, links, and times of each file.
type Seen = BTreeMap<PathBuf, (Vec<u8>, [u64; 3], [i64; 4])>;

fn all(folder: &Path) -> Seen {
    let mut found = Seen::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let known = std::fs::symlink_metadata(&path).unwrap();
        if known.is_dir() {
            found.append(&mut all(&path));
            continue;
        }
        let identity = [known.ino(), known.mode().into(), known.nlink()];
        let changed = [known.mtime(), known.mtime_nsec(), known.ctime(), known.ctime_nsec()];
        let content = std::fs::read(&path).unwrap();
        found.insert(path, (content, identity, changed));
    }
    found
}

fn canaries(target: &Path, dice: &mut Dice) {
    let unmarked = workspace_name();
    let folders = [".goodput-notes", "goodput-workspace.json.d", "test", "a/b/c", &unmarked, "."]
        .map(|name| target.join(name));
    folders.iter().for_each(|folder| std::fs::create_dir_all(folder).unwrap());
    for i in 0..CANARIES {
        let name = if i == 0 { "test".to_string() } else { format!("goodput-workspace.json.{i}") };
        let length = dice.below(2000) as usize;
        std::fs::write(folders[i % folders.len()].join(name), dice.bytes(length)).unwrap();
    }
}

pub fn after_fifty_kills_nothing_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    canaries(dir.path(), &mut dice);
    let (before, folders_before) = (all(dir.path()), super::names(dir.path()));
    assert_eq!(before.len(), CANARIES);
    let (ours, own_name) = made(dir.path());
    put(ours.as_ref(), "test", b"still at work");

    let mut removed = 0;
    for round in 0..ROUNDS {
        let mut worker = actor(&format!("{WORKER}{}", dir.path().display()), &[]);
        // From before the start to the middle of the work.
        std::thread::sleep(Duration::from_micros(1000 + dice.below(60_000)));
        worker.kill();
        for one in clean_workspaces_at_location(&place(dir.path()), WorkspaceSelection::Dead).unwrap() {
            match one.state {
                WorkspaceOwnerState::Dead | WorkspaceOwnerState::Unmarked => {
                    removed += one.removed.unwrap().unwrap()
                }
                WorkspaceOwnerState::Alive => assert_eq!(one.name, own_name, "round {round}"),
                WorkspaceOwnerState::Foreign(_) => assert!(one.removed.is_none()),
                WorkspaceOwnerState::Unknown(why) => panic!("round {round}: {why}"),
            }
        }
        assert_eq!(super::names(&dir.path().join(&own_name)).len(), 2, "who lives is left alone");
    }
    assert!(removed > ROUNDS as u64, "{removed} files and folders: the kills came in the middle of work");
    workspace::remove_workspace(ours.as_ref(), &own_name).unwrap();
    assert_eq!(super::names(dir.path()), folders_before, "nothing of ours is left");
    assert!(before == all(dir.path()), "a file of theirs changed");
}

pub fn be_worker() -> bool {
    let part = part().unwrap_or_default();
    if let Some(target) = part.strip_prefix(WORKER) {
        let until = Instant::now() + Duration::from_secs(20);
        while Instant::now() < until {
            let (share, name) = made(Path::new(target));
            work(share.as_ref());
            workspace::remove_workspace(share.as_ref(), &name).unwrap();
        }
    } else if let Some(target) = part.strip_prefix(HOLDER) {
        let (share, _) = made(Path::new(target));
        put(share.as_ref(), "test", b"held");
        std::thread::sleep(Duration::from_secs(30));
    } else {
        return false;
    }
    true
}

fn work(share: &dyn Share) {
    share.make_folder(&path("clients")).unwrap();
    for player in 0..3 {
        let folder = format!("clients/client{player}");
        share.make_folder(&path(&folder)).unwrap();
        for i in 0..10 {
            put(share, &format!("{folder}/file-{i}"), &[i; 3000]);
        }
        let inside = |name| path(&format!("{folder}/{name}"));
        share.rename(&inside("file-3"), &inside("renamed")).unwrap();
        share.remove_file(&inside("file-4")).unwrap();
    }
    let file = share.open(&path("test"), CREATE_DIRECT).unwrap();
    write_open(share, file, &vec![1; 40 << 16], 64 << 10, 8);
    share.close(file).unwrap();
}

pub fn who_lives_in_a_container_is_not_dead() {
    let dir = tempfile::tempdir().unwrap();
    let mut holder = actor(&format!("{HOLDER}{}", dir.path().display()), &CONTAINER);
    let until = Instant::now() + Duration::from_secs(20);
    let name = loop {
        assert!(Instant::now() < until, "the holder did not begin");
        std::thread::sleep(Duration::from_millis(10));
        let mut found = super::names(dir.path()).into_iter();
        if let Some(name) = found.find(|name| dir.path().join(name).join("test").exists()) {
            break name;
        }
    };
    let look = |which| clean_workspaces_at_location(&place(dir.path()), which).unwrap().pop().unwrap();
    let alive = look(WorkspaceSelection::Dead);
    let spared = matches!(alive.state, WorkspaceOwnerState::Alive | WorkspaceOwnerState::Unknown(_));
    assert!(spared && alive.removed.is_none(), "{alive:?}");
    assert!(open_workspace_at_location(&place(dir.path()), &name, WorkspaceOpenMode::Existing).is_ok());
    holder.kill();
    // Its child processes end a moment later.
    let seen_all = std::fs::read_link("/proc/self/ns/pid").unwrap().as_os_str() == "pid:[4026531836]";
    let which = if seen_all { WorkspaceSelection::Dead } else { WorkspaceSelection::Named(&name) };
    let gone = loop {
        let one = look(which);
        if one.removed.is_some() || Instant::now() > until {
            break one;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let judged_dead = gone.state == WorkspaceOwnerState::Dead || !seen_all;
    assert!(matches!(gone.removed, Some(Ok(_))) && judged_dead, "{gone:?}");
    assert!(super::names(dir.path()).is_empty());
}
