//! The workspace: a marked folder in the user's target, in which all work happens. Its marker file names the
//! owner, so it can be identified after its maker was killed.
//!
//! Order makes it safe: the folder must be new; the marker is created first and removed last. After a crash
//! there is an empty folder, an empty marker alone, or a valid marker. Folders, SMB and NFS share these rules
//! through [`Share`].

mod clean;
mod marker;

pub use clean::{InspectedWorkspace, WorkspaceOwnerState, WorkspaceSelection, clean_workspaces};
pub use marker::WorkspaceMarker;

use crate::{ErrorText, FileError, FileErrorKind, FileHandle, FileOpenOptions, RelPath, Share, attempt};
use goodput_model::file::{WORKSPACE_MARKER_FILE, WORKSPACE_PREFIX};
use goodput_words::message;

/// A place before it has a workspace. For this module only: its share can name files of others.
pub trait WorkspaceParent: Share {
    /// The place confined to one folder; `remove_folder` of its root removes the folder itself.
    fn open_subfolder(&self, name: &str) -> Result<Box<dyn Share>, FileError>;
}

const LONGEST_MARKER: usize = 16 << 10;
/// Attempts if the unmarked folder is removed by another process.
const ATTEMPTS: usize = 3;
const PASSES: usize = 5;

/// True for `.goodput-` and a UUID in lower case.
pub fn is_workspace_name(name: &str) -> bool {
    let Some(uuid) = name.strip_prefix(WORKSPACE_PREFIX) else { return false };
    uuid.len() == 36
        && uuid.char_indices().all(|(at, c)| match at {
            8 | 13 | 18 | 23 => c == '-',
            _ => matches!(c, '0'..='9' | 'a'..='f'),
        })
}

/// Makes a new workspace with its marker; leaves nothing on failure.
pub fn create_workspace(target: &dyn WorkspaceParent, name: &str) -> Result<Box<dyn Share>, FileError> {
    let folder = named(name)?;
    let share: &dyn Share = target;
    let mut last = None;
    for _ in 0..ATTEMPTS {
        share.make_folder(&folder)?;
        match mark(share, name).and_then(|()| open_workspace(target, name)) {
            Ok(made) => return Ok(made),
            Err(bad) => {
                let _ = share.remove_file(&marker_in(name)?);
                let _ = share.remove_folder(&folder);
                // A concurrent clean-up may have removed the empty folder.
                let removed = bad.trouble.is_not_found();
                last = Some(bad);
                if !removed {
                    break;
                }
            }
        }
    }
    Err(last.unwrap_or_else(|| {
        let what = ErrorText::of(attempt::make, name);
        FileError::with_reason(what, FileErrorKind::Other, "no attempt was made")
    }))
}

/// Opens an existing workspace with a valid marker.
pub fn open_workspace(target: &dyn WorkspaceParent, name: &str) -> Result<Box<dyn Share>, FileError> {
    named(name)?;
    let share = target.open_subfolder(name)?;
    read_workspace_marker(share.as_ref(), name)?;
    Ok(share)
}

/// Removes a workspace through its own share and returns the number of entries. Without our marker nothing is
/// touched; on failure the marker and what cannot be removed stay.
pub fn remove_workspace(share: &dyn Share, name: &str) -> Result<u64, FileError> {
    named(name)?;
    read_workspace_marker(share, name)?;
    let mut gone = 0;
    let mut outcome = Ok(());
    for _ in 0..PASSES {
        let (removed, trouble) = empty(share)?;
        gone += removed;
        outcome = trouble.map_or(Ok(()), Err);
        if outcome.is_ok() {
            break;
        }
    }
    outcome?;
    take_mark_and_folder(share)?;
    Ok(gone + 2)
}

fn take_mark_and_folder(share: &dyn Share) -> Result<(), FileError> {
    already_gone(share.remove_file(&RelPath::parse(WORKSPACE_MARKER_FILE)?))?;
    already_gone(share.remove_folder(&RelPath::root()))
}

/// Removes all but the marker; returns the count and the first failure.
fn empty(share: &dyn Share) -> Result<(u64, Option<FileError>), FileError> {
    let mut gone = 0;
    let mut trouble = None;
    let mut note = |outcome: Result<(), FileError>| match already_gone(outcome) {
        Ok(()) => gone += 1,
        Err(bad) => trouble = Some(bad),
    };
    // A folder is visited twice: before and after its contents.
    let mut waiting = vec![(RelPath::root(), false)];
    while let Some((folder, emptied)) = waiting.pop() {
        let is_root = folder.as_str().is_empty();
        if emptied {
            if !is_root {
                note(share.remove_folder(&folder));
            }
            continue;
        }
        waiting.push((folder.clone(), true));
        let entries = match share.find_folder_entries(&folder, "*", None) {
            Ok(entries) => entries,
            Err(bad) if is_root => return Err(bad),
            Err(bad) => {
                note(Err(bad));
                continue;
            }
        };
        for entry in entries {
            if is_root && entry.name == WORKSPACE_MARKER_FILE {
                continue;
            }
            let path = if is_root { entry.name } else { format!("{}/{}", folder.as_str(), entry.name) };
            match RelPath::parse(&path) {
                Ok(path) if entry.status.folder => waiting.push((path, false)),
                Ok(path) => note(share.remove_file(&path)),
                Err(bad) => note(Err(bad)),
            }
        }
    }
    Ok((gone, trouble))
}

fn already_gone(outcome: Result<(), FileError>) -> Result<(), FileError> {
    match outcome {
        Err(bad) if bad.trouble.is_not_found() => Ok(()),
        other => other,
    }
}

fn named(name: &str) -> Result<RelPath, FileError> {
    if is_workspace_name(name) {
        return RelPath::parse(name);
    }
    let why = message!(cause_place_workspace_name { prefix: WORKSPACE_PREFIX });
    let what = ErrorText::of(attempt::use_name, format!("{name:?}"));
    Err(FileError::with_reason(what, FileErrorKind::Forbidden, why))
}

fn marker_in(name: &str) -> Result<RelPath, FileError> {
    RelPath::parse(&format!("{name}/{WORKSPACE_MARKER_FILE}"))
}

fn mark(share: &dyn Share, name: &str) -> Result<(), FileError> {
    let text = WorkspaceMarker::for_this_process(name).to_json()?;
    let path = marker_in(name)?;
    let file = share.open(&path, FileOpenOptions::NEW_FILE)?;
    // Durable first: after a crash no file may exist without the marker.
    let written = share.write_at(file, text.as_bytes(), 0).and_then(|()| share.flush(file));
    written.and(share.close(file))
}

/// Reads the marker through the workspace's own share, and checks that it belongs to this folder.
pub fn read_workspace_marker(share: &dyn Share, name: &str) -> Result<WorkspaceMarker, FileError> {
    let text = marker_text(share)?;
    WorkspaceMarker::from_json(&text, name).map_err(|why| {
        FileError::with_reason(ErrorText::of(attempt::take_workspace, name), FileErrorKind::Forbidden, why)
    })
}

fn marker_text(share: &dyn Share) -> Result<Vec<u8>, FileError> {
    let file = share.open(&RelPath::parse(WORKSPACE_MARKER_FILE)?, FileOpenOptions::EXISTING_FILE)?;
    let text = read_whole(share, file);
    let closed = share.close(file);
    let text = text?;
    closed.map(|()| text)
}

fn read_whole(share: &dyn Share, file: FileHandle) -> Result<Vec<u8>, FileError> {
    let mut text = vec![0; LONGEST_MARKER];
    let mut length = 0;
    while length < text.len() {
        match share.read_at(file, &mut text[length..], length as u64)? {
            0 => break,
            more => length += more,
        }
    }
    text.truncate(length);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_the_prefix_and_a_uuid() {
        assert!(is_workspace_name(".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6"));
        for bad in [
            ".goodput-",
            ".goodput-mine",
            "0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6",
            ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f",
            ".goodput-0199C3A1-2b3c-7d4e-8f50-a1b2c3d4e5f6",
            ".goodput-0199c3a1-2b3c-7d4e-8f50-a1b2c3d4e5f6/..",
            ".goodput-0199c3a1-2b3c-7d4e-8f50-ä1b2c3d4e5f6",
        ] {
            assert!(!is_workspace_name(bad), "{bad}");
        }
    }
}
