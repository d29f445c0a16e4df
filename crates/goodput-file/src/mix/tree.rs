//! Removes trees of a share.

use crate::{FileError, FileErrorKind, RelPath, Share};

const DEEPEST: usize = 256;

/// Removes a file or a tree; a missing one is no error.
pub(super) fn remove_tree(share: &dyn Share, path: &RelPath) -> Result<(), FileError> {
    match share.query(path) {
        Ok(status) if status.folder => empty(share, path, DEEPEST).and_then(|()| share.remove_folder(path)),
        Ok(_) => share.remove_file(path),
        Err(e) if is_absent(&e) => Ok(()),
        Err(e) => Err(e),
    }
}

pub(super) fn is_absent(error: &FileError) -> bool {
    matches!(error.trouble, FileErrorKind::NotFound | FileErrorKind::PathNotFound | FileErrorKind::NoMatch)
}

pub(super) fn below(folder: &RelPath, name: &str) -> Result<RelPath, FileError> {
    match folder.as_str() {
        "" => RelPath::parse(name),
        folder => RelPath::parse(&format!("{folder}/{name}")),
    }
}

fn empty(share: &dyn Share, folder: &RelPath, left: usize) -> Result<(), FileError> {
    if left == 0 {
        let what = format!("empty the folder {:?}", folder.as_str());
        return Err(FileError::because(what, FileErrorKind::Other, "there are too many folders in folders"));
    }
    let entries = match share.find(folder, "*", None) {
        Err(e) if is_absent(&e) => Vec::new(),
        found => found?,
    };
    for entry in entries.iter().filter(|entry| !matches!(entry.name.as_str(), "." | "..")) {
        let path = below(folder, &entry.name)?;
        if entry.status.folder {
            empty(share, &path, left - 1)?;
            share.remove_folder(&path)?;
        } else {
            share.remove_file(&path)?;
        }
    }
    Ok(())
}
