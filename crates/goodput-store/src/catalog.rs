//! Finds runs below a root folder by reading the folders, without an index.

use crate::reader::{ReadError, read_run_without_series};
use goodput_model::{Run, RunId};
use goodput_words::{error_messages, message};
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum FindRunError {
    NoHome,
    Io { root: PathBuf, source: io::Error },
    Empty { root: PathBuf },
    NotFound { root: PathBuf, name: String },
    Ambiguous { name: String, candidates: Vec<RunId> },
}

error_messages! {
    FindRunError {
        FindRunError::NoHome => message!(error_no_folder_for_runs),
        FindRunError::Io { root, .. } => {
            message!(error_cannot_list_runs { path: root.display().to_string() })
        },
        FindRunError::Empty { root } => message!(error_there_is_no_run { path: root.display().to_string() }),
        FindRunError::NotFound { root, name } => {
            message!(error_no_run_called { path: root.display().to_string(), name: format!("{name:?}") })
        },
        FindRunError::Ambiguous { name, candidates } => {
            let names: Vec<String> = candidates.iter().map(RunId::to_string).collect();
            message!(error_may_be_any_of { name: format!("{name:?}"), names })
        },
    }
    sources { FindRunError::Io { source, .. } => source }
}

#[derive(Debug)]
pub struct RunListing {
    pub runs: Vec<ListedRun>,
    pub unreadable: Vec<ReadError>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ListedRun {
    pub folder: PathBuf,
    /// Without samples: every end has empty `series`.
    pub run: Run,
}

/// `$XDG_DATA_HOME/goodput/runs`, else `~/.local/share/goodput/runs` (XDG Base Directory Specification 0.8).
pub fn default_runs_root() -> Result<PathBuf, FindRunError> {
    root_from(env::var_os("XDG_DATA_HOME"), env::var_os("HOME"))
}

/// The specification ignores relative paths.
fn root_from(data_home: Option<OsString>, home: Option<OsString>) -> Result<PathBuf, FindRunError> {
    let absolute = |v: Option<OsString>| v.map(PathBuf::from).filter(|p| p.is_absolute());
    absolute(data_home)
        .or_else(|| absolute(home).map(|h| h.join(".local/share")))
        .map(|data| data.join("goodput/runs"))
        .ok_or(FindRunError::NoHome)
}

/// Oldest first; empty if the root does not exist.
pub fn list_runs(root: &Path) -> Result<RunListing, FindRunError> {
    let mut listing = RunListing { runs: Vec::new(), unreadable: Vec::new() };
    for id in list_run_ids(root)? {
        let folder = root.join(id.to_string());
        match read_run_without_series(&folder) {
            Ok(run) => listing.runs.push(ListedRun { folder, run }),
            Err(e) => listing.unreadable.push(e),
        }
    }
    Ok(listing)
}

/// The folder of a run: `last`, a full name, or its beginning or end, in any case. Names begin with the time,
/// so runs of a minute differ in the last, random digits. An ambiguous name's error lists the candidates.
pub fn find_run(root: &Path, name: &str) -> Result<PathBuf, FindRunError> {
    let all = list_run_ids(root)?;
    let newest = *all.last().ok_or_else(|| FindRunError::Empty { root: root.to_path_buf() })?;
    let wanted = name.trim().to_ascii_lowercase();
    if wanted == "last" {
        return Ok(root.join(newest.to_string()));
    }
    let matches = |id: &RunId| {
        let id = id.to_string();
        id.starts_with(&wanted) || id.ends_with(&wanted)
    };
    let candidates: Vec<RunId> = all.into_iter().filter(matches).collect();
    match candidates[..] {
        [] => Err(FindRunError::NotFound { root: root.to_path_buf(), name: name.to_string() }),
        [only] if !wanted.is_empty() => Ok(root.join(only.to_string())),
        _ => Err(FindRunError::Ambiguous { name: name.to_string(), candidates }),
    }
}

/// Names of runs by time; other folders are ignored.
pub(crate) fn list_run_ids(root: &Path) -> Result<Vec<RunId>, FindRunError> {
    let error = |source| FindRunError::Io { root: root.to_path_buf(), source };
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(e) => return Err(error(e)),
    };
    let mut ids = Vec::new();
    for entry in entries {
        let name = entry.map_err(error)?.file_name();
        if let Some(id) = name.to_str().and_then(parse_run_id) {
            ids.push(id);
        }
    }
    ids.sort_unstable();
    Ok(ids)
}

/// Only the writer's form: one run, one name.
pub(crate) fn parse_run_id(name: &str) -> Option<RunId> {
    let id = RunId(uuid::Uuid::try_parse(name).ok()?);
    (id.to_string() == name).then_some(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_follows_the_specification() {
        let root = |data: Option<&str>, home: Option<&str>| {
            root_from(data.map(Into::into), home.map(Into::into)).ok()
        };
        assert_eq!(root(Some("/d"), Some("/h")), Some("/d/goodput/runs".into()));
        assert_eq!(root(None, Some("/h")), Some("/h/.local/share/goodput/runs".into()));
        assert_eq!(root(Some("relative"), Some("/h")), Some("/h/.local/share/goodput/runs".into()));
        assert_eq!(root(Some(""), Some("/h")), Some("/h/.local/share/goodput/runs".into()));
        assert_eq!(root(None, None), None);
    }

    #[test]
    fn runs_are_found_by_either_end_of_their_name() {
        let root = tempfile::tempdir().unwrap();
        assert!(matches!(find_run(root.path(), "last"), Err(FindRunError::Empty { .. })));
        let a = "01930000-0000-7000-8000-00000000aaaa";
        let b = "01930000-0000-7000-8000-00000000bbbb";
        for name in [b, a, ".01930000-0000-7000-8000-00000000cccc.new", "notes"] {
            fs::create_dir(root.path().join(name)).unwrap();
        }
        let found = |name: &str| find_run(root.path(), name).map(|p| p.file_name().unwrap().to_owned());
        assert_eq!(found("last").unwrap(), b);
        assert_eq!(found(a).unwrap(), a);
        assert_eq!(found("AAAA").unwrap(), a);
        assert!(matches!(found("cccc"), Err(FindRunError::NotFound { .. })));
        assert!(matches!(found(""), Err(FindRunError::Ambiguous { .. })));
        let both = found("0193").unwrap_err();
        assert_eq!(both.to_string(), format!("\"0193\" is ambiguous; it matches {a}, {b}"));
    }

    #[test]
    fn one_bad_folder_does_not_hide_the_others() {
        let root = tempfile::tempdir().unwrap();
        assert!(list_runs(&root.path().join("absent")).unwrap().runs.is_empty());
        fs::create_dir(root.path().join("01930000-0000-7000-8000-00000000aaaa")).unwrap();
        let listing = list_runs(root.path()).unwrap();
        assert!(listing.runs.is_empty());
        assert!(matches!(listing.unreadable[..], [ReadError::NotARun { .. }]));
    }
}
