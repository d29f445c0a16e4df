//! Removes trees of a share.

use crate::{ErrorText, FileError, FileErrorKind, RelPath, Share, attempt};

const DEEPEST: usize = 256;

/// Removes a file or a tree; a missing one is no error.
pub(super) fn remove_tree(share: &dyn Share, path: &RelPath) -> Result<(), FileError> {
    match share.query_path_status(path) {
        Ok(status) if status.folder => empty(share, path, DEEPEST).and_then(|()| share.remove_folder(path)),
        Ok(_) => share.remove_file(path),
        Err(e) if is_not_found(&e) => Ok(()),
        Err(e) => Err(e),
    }
}

pub(super) fn is_not_found(error: &FileError) -> bool {
    error.trouble.is_not_found() || error.trouble == FileErrorKind::NoMatch
}

pub(super) fn join_path(folder: &RelPath, name: &str) -> Result<RelPath, FileError> {
    match folder.as_str() {
        "" => RelPath::parse(name),
        folder => RelPath::parse(&format!("{folder}/{name}")),
    }
}

fn empty(share: &dyn Share, folder: &RelPath, left: usize) -> Result<(), FileError> {
    if left == 0 {
        let what = ErrorText::of(attempt::empty_folder, format!("{:?}", folder.as_str()));
        let why = "there are too many folders in folders";
        return Err(FileError::with_reason(what, FileErrorKind::Other, why));
    }
    let entries = match share.find_folder_entries(folder, "*", None) {
        Err(e) if is_not_found(&e) => Vec::new(),
        found => found?,
    };
    for entry in entries.iter().filter(|entry| !matches!(entry.name.as_str(), "." | "..")) {
        let path = join_path(folder, &entry.name)?;
        if entry.status.folder {
            empty(share, &path, left - 1)?;
            share.remove_folder(&path)?;
        } else {
            share.remove_file(&path)?;
        }
    }
    Ok(())
}
