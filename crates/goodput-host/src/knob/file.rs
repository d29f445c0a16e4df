//! The journal file: locked by one process, each line durable when the call returns.

use super::restore_journal;
use super::restorer::JournalStorage;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Locked while this lives (flock(2): released when the process dies).
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    path: PathBuf,
}

impl JournalFile {
    /// Opens or creates the file and its folder; returns complete lines and truncates a torn last one.
    /// `ResourceBusy` when another process has it.
    pub fn open(path: &Path) -> io::Result<(JournalFile, Vec<u8>)> {
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        let options =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).clone();
        let mut file = options.open(path)?;
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
        File::open(folder)?.sync_all()?;
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
}
