//! Checks the folders that users name, with hints for the refused ones.

use super::facts::MountInfo;
use super::{IoEngine, LocalFolder};
use crate::{ErrorText, FileError, FileErrorKind, attempt, sys};
use goodput_words::{Message, message};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

/// Refuses relative paths, files, devices, the root folder and the user's home itself.
pub fn open_target_folder(path: &str) -> Result<LocalFolder, FileError> {
    open_target_folder_with_engine(path, IoEngine::best_available())
}

pub fn open_target_folder_with_engine(path: &str, engine: IoEngine) -> Result<LocalFolder, FileError> {
    let refuse = |why: Message| {
        let what = ErrorText::of(attempt::work_in, format!("{path:?}"));
        Err(FileError::with_reason(what, FileErrorKind::Forbidden, why))
    };
    if !path.starts_with('/') {
        return refuse("an absolute path is wanted, one that begins with \"/\"".into());
    }
    let root = match sys::open_target_folder(path) {
        Ok(root) => root,
        Err(source) if source.raw_os_error() == Some(libc::ENOTDIR) => return refuse(not_a_folder(path)),
        Err(source) => {
            return Err(FileError::from_io_error(ErrorText::of(attempt::open_folder, path), source));
        }
    };
    if is(&root, "/") {
        let why = "that is the root of the file system; name a folder made for this, for example /tmp";
        return refuse(why.into());
    }
    let home = std::env::var("HOME").unwrap_or_default();
    if home.starts_with('/') && is(&root, &home) {
        return refuse(message!(cause_place_your_home { home: home.trim_end_matches('/') }));
    }
    let mount = Arc::new(MountInfo::of_folder(root.as_fd()));
    let shown = path.trim_end_matches('/').to_string();
    Ok(LocalFolder::new(Arc::new(root), None, shown, engine, mount))
}

fn not_a_folder(path: &str) -> Message {
    use std::os::unix::fs::FileTypeExt;
    match std::fs::metadata(path).map(|m| m.file_type()) {
        Ok(kind) if kind.is_block_device() || kind.is_char_device() => {
            "that is a device, which is never written to; name a folder on it instead".into()
        }
        Ok(kind) if kind.is_file() => {
            let folder = Path::new(path).parent().unwrap_or(Path::new("/")).display().to_string();
            message!(cause_place_is_a_file { folder })
        }
        _ => "that is no folder; name a folder on it instead".into(),
    }
}

fn is(folder: &OwnedFd, path: &str) -> bool {
    sys::open_target_folder(path).and_then(|other| sys::is_same_file(folder, &other)).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &str) -> String {
        let bad = open_target_folder(path).unwrap_err();
        format!("{bad}: {}", bad.source)
    }

    #[test]
    fn only_folders_that_are_nobodys_home_are_worked_in() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("file");
        std::fs::write(&file, b"theirs").unwrap();
        assert!(open_target_folder(dir.path().to_str().unwrap()).is_ok());
        let said = refused(file.to_str().unwrap());
        let instead = format!("name {} instead", dir.path().display());
        assert!(said.contains("that is a file") && said.contains(&instead), "{said}");
        assert!(refused("/dev/null").contains("a device, which is never written to"));
        assert!(refused("/").contains("root of the file system"));
        assert!(refused("/usr/..").contains("root of the file system"), "by whatever name");
        assert!(refused("tmp").contains("absolute path"));
        assert!(refused("").contains("absolute path"));
        assert_eq!(open_target_folder("/nowhere/at/all").unwrap_err().trouble, FileErrorKind::NotFound);
        if let Ok(home) = std::env::var("HOME")
            && Path::new(&home).is_dir()
        {
            assert!(refused(&home).contains("your home") || home == "/", "{home}");
        }
    }
}
