//! The journal file: locked by one process, each line durable when the call returns. Its commands are run with
//! this process's rights, so only a file that nobody else could write is used.

use super::restore_journal;
use super::restorer::JournalStorage;
use crate::own_file::{open_own_file, open_own_folder};
use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Locked while this lives (flock(2): released when the process dies).
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    path: PathBuf,
}

impl JournalFile {
    /// Opens or creates the file and its folder; returns complete lines and truncates a torn last one.
    /// `ResourceBusy` when another process has it, `PermissionDenied` when another user may have written it; then
    /// the file is unchanged.
    pub fn open(path: &Path) -> io::Result<(JournalFile, Vec<u8>)> {
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        let folder = open_own_folder(folder)?;
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        // In the folder that was checked, whatever its path leads to by now.
        let within = Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(name);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false).mode(0o600);
        let mut file = open_own_file(&within, &options).map_err(|e| match e.kind() {
            io::ErrorKind::PermissionDenied => {
                io::Error::new(e.kind(), format!("{e}; check the settings that it names, then remove it"))
            }
            _ => e,
        })?;
        file.try_lock().map_err(|e| match e {
            TryLockError::WouldBlock => {
                io::Error::new(io::ErrorKind::ResourceBusy, "another process that sets knobs has it")
            }
            TryLockError::Error(e) => e,
        })?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        bytes.truncate(restore_journal::trim_partial_line(&bytes).len());
        file.set_len(bytes.len() as u64)?;
        file.seek(SeekFrom::End(0))?;
        file.sync_all()?;
        // The file's name must be durable too.
        folder.sync_all()?;
        Ok((JournalFile { file, path: path.to_path_buf() }, bytes))
    }
}

impl JournalStorage for JournalFile {
    fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let before = self.file.stream_position()?;
        let written = self.file.write_all(lines).and_then(|()| self.file.sync_data());
        if written.is_err() {
            // Removes a partial line.
            let _ = self.file.set_len(before);
            let _ = self.file.seek(SeekFrom::Start(before));
        }
        written
    }

    fn clear(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.file.sync_data()
    }

    fn name(&self) -> String {
        self.path.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("goodput-journal-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        folder.join("deep/knobs.journal")
    }

    #[test]
    fn lines_stay_and_a_torn_one_goes() {
        let path = place("torn");
        let (mut log, found) = JournalFile::open(&path).unwrap();
        assert!(found.is_empty());
        log.append(b"one\n").unwrap();
        let busy = JournalFile::open(&path).unwrap_err();
        assert_eq!(busy.kind(), io::ErrorKind::ResourceBusy);
        drop(log);
        std::fs::write(&path, b"one\ntw").unwrap();
        let (mut log, found) = JournalFile::open(&path).unwrap();
        assert_eq!(found, b"one\n");
        log.append(b"three\n").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"one\nthree\n");
        log.clear().unwrap();
        log.append(b"four\n").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"four\n");
        drop(log);
        std::fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
    }

    /// Another user could put an older journal of ours back, or take this one away.
    #[test]
    fn a_journal_in_a_folder_of_others_is_not_used() {
        use std::os::unix::fs::PermissionsExt;
        let path = place("folder");
        drop(JournalFile::open(&path).unwrap());
        let folder = path.parent().unwrap();
        assert_eq!(std::fs::metadata(folder).unwrap().permissions().mode() & 0o077, 0);
        std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o777)).unwrap();
        let refused = JournalFile::open(&path).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        assert!(refused.to_string().contains("its folder"), "{refused}");
        std::fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
    }

    /// Without the checks the torn line would be cut off.
    #[test]
    fn a_link_is_refused_and_the_file_behind_it_unchanged() {
        let path = place("link");
        let other = path.with_file_name("other");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        let text = b"{\"event\":\"closed\",\"id\":1}\ntorn";
        std::fs::write(&other, text).unwrap();
        for symbolic in [true, false] {
            let made = match symbolic {
                true => std::os::unix::fs::symlink(&other, &path),
                false => std::fs::hard_link(&other, &path),
            };
            made.unwrap();
            let refused = JournalFile::open(&path).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
            assert!(refused.to_string().ends_with("then remove it"), "{refused}");
            std::fs::remove_file(&path).unwrap();
        }
        assert_eq!(std::fs::read(&other).unwrap(), text);
        std::fs::remove_dir_all(path.ancestors().nth(2).unwrap()).unwrap();
    }
}
