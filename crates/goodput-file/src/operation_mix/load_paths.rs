//! The paths of a load, with one player's folder substituted.

use crate::wildcard::has_wildcard;
use crate::{ErrorText, FileError, FileErrorKind, RelPath, attempt};
use goodput_model::file::{DbenchLoadFile, FileOp, WORKSPACE_MARKER_FILE};
use std::collections::BTreeSet;

/// Relation of a path to the player's own folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PathOwner {
    /// A parent folder shared by all players, which exists already.
    Shared,
    Player,
    /// Outside any player's folder.
    Other,
}

#[derive(Debug, Clone)]
pub(super) struct LoadFilePath {
    pub path: RelPath,
    pub owner: PathOwner,
    /// For a path that ends in a pattern: the folder, and the pattern.
    pub pattern: Option<(RelPath, String)>,
}

#[derive(Debug, Clone)]
pub(super) struct LoadFilePaths {
    pub list: Vec<LoadFilePath>,
    /// The player's own folders (`clients/client7`); usually one.
    pub own: Vec<SimulatedClientFolder>,
    /// Their parents, outermost first.
    pub above: Vec<RelPath>,
}

#[derive(Debug, Clone)]
pub(super) struct SimulatedClientFolder {
    pub path: RelPath,
    pub made: bool,
}

impl LoadFilePaths {
    pub fn for_simulated_client(load: &DbenchLoadFile, number: usize) -> Result<LoadFilePaths, FileError> {
        let name = format!("client{number}");
        let paths: Vec<String> =
            load.paths.iter().map(|p| p.replace(DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER, &name)).collect();
        let homes: BTreeSet<String> = load
            .paths
            .iter()
            .filter_map(|path| home(path))
            .map(|home| home.replace(DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER, &name))
            .collect();
        let above: BTreeSet<&str> = homes.iter().flat_map(|home| ancestors(home)).collect();
        let list = paths.iter().map(|path| load_path(path, &homes, &above)).collect::<Result<_, _>>()?;
        let own = homes.iter().map(|home| {
            let makes = |op: &FileOp| match op {
                FileOp::Create { path, options, .. } if options.is_directory() => {
                    path_is(&paths, *path, home)
                }
                FileOp::Mkdir { path } => path_is(&paths, *path, home),
                _ => false,
            };
            Ok(SimulatedClientFolder {
                path: RelPath::parse(home)?,
                made: load.ops.iter().any(|op| makes(&op.op)),
            })
        });
        let mut above: Vec<&str> = above.iter().copied().filter(|path| !path.is_empty()).collect();
        above.sort_by_key(|path| path.len());
        let above = above.into_iter().map(RelPath::parse).collect::<Result<_, _>>()?;
        Ok(LoadFilePaths { own: own.collect::<Result<_, FileError>>()?, list, above })
    }
}

fn path_is(paths: &[String], index: u32, wanted: &str) -> bool {
    paths.get(index as usize).is_some_and(|path| path == wanted)
}

fn home(path: &str) -> Option<&str> {
    let at = path.find(DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER)?;
    Some(path[at..].find('/').map_or(path, |slash| &path[..at + slash]))
}

fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::once("").chain(path.match_indices('/').map(|(at, _)| &path[..at]))
}

fn load_path(
    path: &str,
    homes: &BTreeSet<String>,
    above: &BTreeSet<&str>,
) -> Result<LoadFilePath, FileError> {
    let first = path.split('/').next().unwrap_or_default();
    if first.eq_ignore_ascii_case(WORKSPACE_MARKER_FILE) {
        let what = ErrorText::of(attempt::play_path, format!("{path:?}"));
        let why = "that is the marker which says whose the folder is";
        return Err(FileError::with_reason(what, FileErrorKind::Forbidden, why));
    }
    let parsed = RelPath::parse(path)?;
    let within =
        |home: &String| path.strip_prefix(home.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('/'));
    let owner = match above.contains(path) || path.is_empty() {
        true => PathOwner::Shared,
        false if homes.iter().any(within) => PathOwner::Player,
        false => PathOwner::Other,
    };
    let (folder, last) = parsed.split_file_name();
    let pattern = match has_wildcard(last) {
        true => Some((RelPath::parse(folder)?, last.to_string())),
        false => None,
    };
    Ok(LoadFilePath { path: parsed, owner, pattern })
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::file::{CreateDisposition, CreateOptions, ExpectedOpStatus, ScheduledFileOp};

    fn load(paths: &[&str], ops: &[FileOp]) -> DbenchLoadFile {
        let timed =
            |op: &FileOp| ScheduledFileOp { at: None, op: *op, expect: ExpectedOpStatus::Success, line: 1 };
        let paths = paths.iter().map(|path| path.to_string()).collect();
        DbenchLoadFile { paths, ops: ops.iter().map(timed).collect(), handles: 1 }
    }

    #[test]
    fn a_player_has_a_folder_of_its_own() {
        let paths = "|clients|clients/client1|clients/client1/~dmtmp/a*.doc|shared/x|clients/client10";
        let paths: Vec<&str> = paths.split('|').collect();
        let paths =
            LoadFilePaths::for_simulated_client(&load(&paths, &[FileOp::Mkdir { path: 2 }]), 7).unwrap();
        let found: Vec<(&str, PathOwner)> = paths.list.iter().map(|s| (s.path.as_str(), s.owner)).collect();
        let expected = [
            ("", PathOwner::Shared),
            ("clients", PathOwner::Shared),
            ("clients/client7", PathOwner::Player),
            ("clients/client7/~dmtmp/a*.doc", PathOwner::Player),
            ("shared/x", PathOwner::Other),
            ("clients/client70", PathOwner::Player),
        ];
        assert_eq!(found, expected);
        let (folder, pattern) = paths.list[3].pattern.as_ref().unwrap();
        assert_eq!((folder.as_str(), pattern.as_str()), ("clients/client7/~dmtmp", "a*.doc"));
        let homes: Vec<(&str, bool)> = paths.own.iter().map(|h| (h.path.as_str(), h.made)).collect();
        assert_eq!(homes, [("clients/client7", true), ("clients/client70", false)]);
        assert_eq!(paths.above, [RelPath::parse("clients").unwrap()]);
    }

    #[test]
    fn a_folder_that_the_load_opens_is_made_by_it() {
        for (options, made) in [(CreateOptions(0x1), true), (CreateOptions(0x40), false)] {
            let create =
                FileOp::Create { path: 0, options, disposition: CreateDisposition::OpenIf, handle: 0 };
            let paths = LoadFilePaths::for_simulated_client(&load(&["a/client1"], &[create]), 2).unwrap();
            assert_eq!((paths.own.len(), paths.own[0].made), (1, made));
        }
    }

    #[test]
    fn what_leads_out_is_forbidden() {
        for bad in ["../x", "/etc", "a/../b", "c:/x", "Goodput-workspace.json", "goodput-workspace.json/x"] {
            let refused = LoadFilePaths::for_simulated_client(&load(&[bad], &[]), 1).unwrap_err();
            assert_eq!(refused.trouble, FileErrorKind::Forbidden, "{bad}");
        }
    }
}
