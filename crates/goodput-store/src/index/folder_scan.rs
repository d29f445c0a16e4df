//! Detects changes of run folders from names, lengths and times of files.

use super::run_card::IndexedRunOutcome;
use crate::catalog::{FindRunError, list_run_ids, parse_run_id};
use crate::{format, run_files};
use goodput_model::RunId;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

#[derive(Debug, Clone, PartialEq)]
pub(super) struct IndexedFolder {
    pub signature: String,
    pub outcome: String,
    pub stored: bool,
}

#[derive(Debug, Default, PartialEq)]
pub(super) struct FolderChanges {
    pub read: Vec<(RunId, PathBuf, String)>,
    /// Removed runs, and whether their files are in the database.
    pub gone: Vec<(RunId, bool)>,
}

pub(super) fn find_changed_folders(
    root: &Path,
    known: &HashMap<RunId, IndexedFolder>,
    all: bool,
) -> Result<FolderChanges, FindRunError> {
    let names = list_run_ids(root)?;
    let mut changes = FolderChanges::default();
    for id in &names {
        let folder = root.join(id.to_string());
        let signature = folder_signature(&folder);
        let changed = match known.get(id) {
            Some(k) if !all && k.outcome == IndexedRunOutcome::Running.name() => {
                // A killed program leaves the signature unchanged.
                !run_files::is_run_being_written(&folder) || worth_a_look(&k.signature, &signature)
            }
            Some(k) => all || k.signature != signature,
            None => true,
        };
        if changed {
            changes.read.push((*id, folder, signature));
        }
    }
    let gone = known.iter().filter(|(id, _)| names.binary_search(id).is_err());
    changes.gone = gone.map(|(id, k)| (*id, k.stored)).collect();
    changes.gone.sort_unstable();
    Ok(changes)
}

/// Since the last file was added; creating a run takes less, and so do transfers.
const LEFTOVER_AGE: Duration = Duration::from_secs(24 * 3600);

/// Removes what killed programs have left of runs that they created (`.ID.new`, `.ID.UNIQUE.new`) or removed
/// (`.ID.UNIQUE.gone`).
pub(super) fn remove_leftovers(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let is_old = |meta: &fs::Metadata| {
            meta.modified().is_ok_and(|at| at.elapsed().is_ok_and(|age| age > LEFTOVER_AGE))
        };
        if entry.file_name().to_str().is_some_and(is_leftover_name)
            && entry.metadata().is_ok_and(|meta| meta.is_dir() && is_old(&meta))
        {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn is_leftover_name(name: &str) -> bool {
    let stem = name.strip_suffix(".new").or_else(|| name.strip_suffix(".gone"));
    let id = stem.and_then(|stem| stem.strip_prefix('.')?.split('.').next());
    id.is_some_and(|id| parse_run_id(id).is_some())
}

/// Length and time of log and tags: other files are written once, before the log names them.
pub(super) fn folder_signature(folder: &Path) -> String {
    let of = |name: &str| match fs::symlink_metadata(folder.join(name)) {
        Ok(meta) => format!("{}.{}.{}", meta.len(), modified(&meta), inode(&meta)),
        Err(_) => "-".to_string(),
    };
    format!("{} {}", of(format::EVENTS_FILE), of(format::TAGS_FILE))
}

/// 0 if unknown.
pub(super) fn log_length(signature: &str) -> u64 {
    signature.split(['.', ' ']).next().and_then(|length| length.parse().ok()).unwrap_or(0)
}

/// A running run is read again if its tags changed or its log grew by a sixteenth: an experiment of a
/// thousand trials is read about a hundred times, since the machine may be measuring.
fn worth_a_look(then: &str, now: &str) -> bool {
    let parts = |signature: &str| {
        let tags = signature.split_once(' ').map_or("", |(_, tags)| tags);
        (log_length(signature), tags.to_string())
    };
    let ((before, old_tags), (after, new_tags)) = (parts(then), parts(now));
    after > before + before / 16 || after < before || old_tags != new_tags
}

fn modified(meta: &fs::Metadata) -> u128 {
    let since = meta.modified().ok().and_then(|t| t.duration_since(std::time::UNIX_EPOCH).ok());
    since.map_or(0, |d| d.as_nanos())
}

/// Two files of one clock tick may have the same length.
#[cfg(unix)]
fn inode(meta: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn inode(_: &fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_under_way_is_read_less_often_the_longer_it_is() {
        let log = |length: u64| format!("{length}.7.8 -");
        let looks = |from, to| worth_a_look(&log(from), &log(to));
        assert!(looks(0, 1) && looks(1_600, 1_701) && looks(100, 50));
        assert!(!looks(1_600, 1_700) && !looks(0, 0));
        assert!(worth_a_look("5.7.8 -", "5.7.8 9.1.1"));
    }

    #[test]
    fn old_leftovers_of_runs_are_removed_and_nothing_else() {
        let root = tempfile::tempdir().unwrap();
        let id = "01930000-0000-7000-8000-000000000001";
        let make = |name: &str, age: Duration| {
            let folder = root.path().join(name);
            fs::create_dir_all(folder.join(format::SAMPLES_FOLDER)).unwrap();
            let at = std::time::SystemTime::now() - age;
            fs::File::open(&folder).unwrap().set_modified(at).unwrap();
            folder
        };
        let old = 2 * LEFTOVER_AGE;
        let left = ["new", "0193abcd.new", "0193abcd.gone"].map(|end| make(&format!(".{id}.{end}"), old));
        let recent = make(&format!(".{id}.0193abce.new"), Duration::ZERO);
        let kept = [id, ".notes.new", ".live", &format!("{id}.new")].map(|name| make(name, old));
        remove_leftovers(root.path());
        assert!(!left.iter().any(|folder| folder.exists()));
        assert!(recent.exists() && kept.iter().all(|folder| folder.exists()));
    }

    #[test]
    fn new_changed_and_gone_runs_are_told_apart() {
        let root = tempfile::tempdir().unwrap();
        let id = |n: u32| RunId(format!("01930000-0000-7000-8000-{n:012}").parse().unwrap());
        let folder = |n| root.path().join(id(n).to_string());
        for n in 1..=3 {
            fs::create_dir(folder(n)).unwrap();
            fs::write(folder(n).join(format::EVENTS_FILE), "x\n").unwrap();
        }
        let known = |n, outcome: &str| {
            let signature = folder_signature(&folder(n));
            (id(n), IndexedFolder { signature, outcome: outcome.into(), stored: n == 4 })
        };
        let old = || HashMap::from([known(1, "complete"), known(2, "running"), known(4, "complete")]);
        let read = |all| {
            let found = find_changed_folders(root.path(), &old(), all).unwrap();
            assert_eq!(found.gone, [(id(4), true)]);
            found.read.into_iter().map(|(id, ..)| id).collect::<Vec<_>>()
        };
        assert_eq!(read(false), [id(2), id(3)]);
        assert_eq!(read(true), [id(1), id(2), id(3)]);
        let before = old();
        crate::tags::write_tags(&folder(1), &["x".to_string()]).unwrap();
        assert_eq!(find_changed_folders(root.path(), &before, false).unwrap().read.len(), 3);
    }
}
