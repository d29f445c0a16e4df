//! Processes killed at random moments, and what remains.

use super::stage::{CONTAINER, actor, part};
use super::{Dice, made, place, workspace_name};
use crate::share::{PATIENCE, how, path, put};
use goodput_file::location::{WorkspaceMode, clean_location, open_location};
use goodput_file::workspace::{self, WorkspaceSelection, WorkspaceState};
use goodput_file::{FileOpenOptions, IoRequest, Share};
use goodput_model::file::CreateDisposition;
use std::collections::BTreeMap;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

const CANARIES: usize = 1000;
const ROUNDS: usize = 50;
const WORKER: &str = "worker in ";
const HOLDER: &str = "holder in ";

#[derive(Debug, PartialEq, Eq)]
struct Seen {
    content: Vec<u8>,
    identity: (u64, u32, u64),
    changed: (i64, i64, i64, i64),
}

fn all(folder: &Path) -> BTreeMap<PathBuf, Seen> {
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let known = std::fs::symlink_metadata(&path).unwrap();
        if known.is_dir() {
            found.append(&mut all(&path));
            continue;
        }
        let content = std::fs::read(&path).unwrap();
        let identity = (known.ino(), known.mode(), known.nlink());
        let changed = (known.mtime(), known.mtime_nsec(), known.ctime(), known.ctime_nsec());
        found.insert(path, Seen { content, identity, changed });
    }
    found
}

fn canaries(target: &Path, dice: &mut Dice) {
    let near = [".goodput-notes", "goodput-workspace.json.d", "test", "a/b/c"];
    let unmarked = workspace_name();
    let folders: Vec<PathBuf> =
        near.iter().copied().chain([unmarked.as_str(), "."]).map(|name| target.join(name)).collect();
    for folder in &folders {
        std::fs::create_dir_all(folder).unwrap();
    }
    for i in 0..CANARIES {
        let name = match i {
            0 => "test".to_string(),
            1..4 => format!("goodput-workspace.json.{i}"),
            _ => format!("canary-{i}"),
        };
        let folder = &folders[i % folders.len()];
        let length = dice.below(2000) as usize;
        std::fs::write(folder.join(name), dice.bytes(length)).unwrap();
    }
}

pub fn after_fifty_kills_nothing_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    canaries(dir.path(), &mut dice);
    let before = all(dir.path());
    assert_eq!(before.len(), CANARIES);
    let folders_before = super::names(dir.path());
    let (ours, own_name) = made(dir.path());
    put(ours.as_ref(), "test", b"still at work");

    let mut removed = 0;
    for round in 0..ROUNDS {
        let mut worker = actor(&format!("{WORKER}{}", dir.path().display()), &[]);
        // From before the start to the middle of the work.
        std::thread::sleep(Duration::from_micros(1000 + dice.below(60_000)));
        worker.kill();
        for one in clean_location(&place(dir.path()), WorkspaceSelection::Dead).unwrap() {
            match one.state {
                WorkspaceState::Dead | WorkspaceState::Unmarked => removed += one.removed.unwrap().unwrap(),
                WorkspaceState::Alive => assert_eq!(one.name, own_name, "round {round}"),
                WorkspaceState::Foreign(_) => assert!(one.removed.is_none()),
                WorkspaceState::Unknown(why) => panic!("round {round}: {why}"),
            }
        }
        assert_eq!(super::names(&dir.path().join(&own_name)).len(), 2, "who lives is left alone");
    }
    println!("{removed} files and folders of {ROUNDS} killed processes were removed");
    assert!(removed > ROUNDS as u64, "the kills came in the middle of work");
    workspace::remove_workspace(ours.as_ref(), &own_name).unwrap();
    assert_eq!(super::names(dir.path()), folders_before, "nothing of ours is left");
    let after = all(dir.path());
    assert!(before == after, "a file of theirs changed");
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
        share.rename(&path(&format!("{folder}/file-3")), &path(&format!("{folder}/renamed"))).unwrap();
        share.remove_file(&path(&format!("{folder}/file-4"))).unwrap();
    }
    let file = share
        .open(&path("test"), FileOpenOptions { direct: true, ..how(CreateDisposition::Create) })
        .unwrap();
    let mut lane = share.open_io_queue(file, 64 << 10, 8).unwrap();
    for next in 0..48 {
        let done = (next >= 8).then(|| lane.wait_for_completion(PATIENCE).unwrap());
        let slot = done.map_or(next, |done| {
            done.moved.unwrap();
            done.slot
        });
        if next < 40 {
            lane.submit(IoRequest { slot, offset: (next as u64) << 16, length: 64 << 10, write: true })
                .unwrap();
        }
    }
    drop(lane);
    share.flush(file).unwrap();
    share.close(file).unwrap();
}

pub fn who_lives_in_a_container_is_not_dead() {
    let dir = tempfile::tempdir().unwrap();
    let mut holder = actor(&format!("{HOLDER}{}", dir.path().display()), &CONTAINER);
    let until = Instant::now() + Duration::from_secs(20);
    let name = loop {
        let held =
            super::names(dir.path()).into_iter().find(|name| dir.path().join(name).join("test").exists());
        if let Some(name) = held {
            break name;
        }
        assert!(Instant::now() < until, "the holder did not begin");
        std::thread::sleep(Duration::from_millis(10));
    };
    let look = |which| clean_location(&place(dir.path()), which).unwrap().pop().unwrap();
    let alive = look(WorkspaceSelection::Dead);
    assert!(
        matches!(alive.state, WorkspaceState::Alive | WorkspaceState::Unknown(_)) && alive.removed.is_none(),
        "{alive:?}"
    );
    assert!(open_location(&place(dir.path()), &name, WorkspaceMode::Existing).is_ok());
    holder.kill();
    // Its child processes end a moment later.
    let seen_all = std::fs::read_link("/proc/self/ns/pid").unwrap().as_os_str() == "pid:[4026531836]";
    let gone = loop {
        let one = look(if seen_all { WorkspaceSelection::Dead } else { WorkspaceSelection::Named(&name) });
        if one.removed.is_some() || Instant::now() > until {
            break one;
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    assert!(
        matches!(gone.removed, Some(Ok(_))) && (gone.state == WorkspaceState::Dead || !seen_all),
        "{gone:?}"
    );
    assert!(super::names(dir.path()).is_empty());
}
