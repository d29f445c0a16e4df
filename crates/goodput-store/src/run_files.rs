//! The files of a run, and transfers of runs: `run.json`, `events.jsonl`, `tags.json` and the chunks in
//! `samples/`. Reports beside them are not transferred.

use crate::format;
use crate::format::sha256_hex;
use crate::private_files::create_private_folders;
use crate::reader::{ReadError, is_chunk_name, read_run_header};
use crate::run_folder;
use goodput_model::RunId;
use goodput_words::{error_messages, message};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub enum TransferError {
    Io {
        path: PathBuf,
        source: io::Error,
    },
    Read(Box<ReadError>),
    Foreign {
        name: String,
    },
    TooLarge {
        name: String,
        most: u64,
    },
    Named {
        folder: String,
        id: RunId,
    },
    /// A different run of that name exists.
    Differs {
        id: RunId,
        name: String,
    },
}

error_messages! {
    TransferError {
        TransferError::Io { path, .. } => {
            message!(error_cannot_read_or_write { path: path.display().to_string() })
        },
        TransferError::Read(error) => message!(list_colon {
            what: message!(error_run_cannot_be_kept),
            why: error.message_with_sources(),
        }),
        TransferError::Foreign { name } => message!(error_run_foreign_file { name: format!("{name:?}") }),
        TransferError::TooLarge { name, most } => {
            message!(error_run_file_too_large { file: format!("{name:?}"), most: most.to_string() })
        },
        TransferError::Named { folder, id } => {
            message!(error_run_folder_of_another { folder: format!("{folder:?}"), id: id.to_string() })
        },
        TransferError::Differs { id, name } => message!(error_run_differs { id: id.to_string(), file: name }),
    }
    sources { TransferError::Io { source, .. } => source }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFile {
    /// Relative to the run's folder, with `/`.
    pub name: String,
    pub length: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileDigest {
    /// Relative to the run's folder.
    pub name: String,
    pub length: u64,
    pub sha256: String,
}

pub fn is_run_file_name(name: &str) -> bool {
    [format::RUN_HEADER_FILE, format::EVENTS_FILE, format::TAGS_FILE].contains(&name) || is_chunk_name(name)
}

pub fn list_run_files(folder: &Path) -> Result<Vec<RunFile>, TransferError> {
    let mut files = Vec::new();
    let samples = folder.join(format::SAMPLES_FOLDER);
    if fs::symlink_metadata(&samples).is_ok_and(|meta| !meta.is_dir()) {
        let source = io::Error::new(io::ErrorKind::NotADirectory, "not a plain folder");
        return Err(TransferError::Io { path: samples, source });
    }
    for (below, prefix) in [(folder.to_path_buf(), ""), (samples, "samples/")] {
        let entries = match fs::read_dir(&below) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound && !prefix.is_empty() => continue,
            Err(source) => return Err(TransferError::Io { path: below, source }),
        };
        for entry in entries {
            let entry = with_path_context(&below, entry)?;
            let Some(name) = entry.file_name().to_str().map(|n| format!("{prefix}{n}")) else { continue };
            // A link leads out of the run; the reader refuses it too.
            let meta = with_path_context(&below, entry.metadata())?;
            if is_run_file_name(&name) && meta.is_file() {
                files.push(RunFile { name, length: meta.len() });
            }
        }
    }
    files.sort_unstable_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

pub fn file_digests(folder: &Path) -> Result<Vec<FileDigest>, TransferError> {
    list_run_files(folder)?
        .into_iter()
        .map(|file| {
            let bytes = read_file_contents(folder, &file)?;
            Ok(FileDigest { length: bytes.len() as u64, sha256: sha256_hex(&bytes), name: file.name })
        })
        .collect()
}

/// Of a log that has grown, only the part that was listed.
pub(crate) fn read_file_contents(folder: &Path, file: &RunFile) -> Result<Vec<u8>, TransferError> {
    let mut bytes = with_path_context(&folder.join(&file.name), run_folder::read(folder, &file.name))?;
    bytes.truncate(usize::try_from(file.length).unwrap_or(usize::MAX));
    Ok(bytes)
}

/// A run under construction beside its place. Dropped before [`RunImport::commit`] it leaves nothing.
#[derive(Debug)]
pub struct RunImport {
    root: PathBuf,
    folder: PathBuf,
    id: RunId,
    kept: bool,
}

impl RunImport {
    pub fn start(root: &Path, id: RunId) -> Result<RunImport, TransferError> {
        // Two programs may import one run concurrently.
        let unique = uuid::Uuid::now_v7().simple();
        let folder = root.join(format!(".{id}.{unique}.new"));
        let samples = folder.join(format::SAMPLES_FOLDER);
        with_path_context(&samples, create_private_folders(&samples))?;
        Ok(RunImport { root: root.to_path_buf(), folder, id, kept: false })
    }

    /// Adds a file, flushed to disk; fails with [`TransferError::Foreign`] if it does not belong to a run, and
    /// with [`TransferError::TooLarge`] if no reader would accept it.
    pub fn add_file(&self, name: &str, from: &mut dyn Read) -> Result<(), TransferError> {
        if !is_run_file_name(name) {
            return Err(TransferError::Foreign { name: name.to_string() });
        }
        let path = self.folder.join(name);
        let mut to = with_path_context(&path, OpenOptions::new().write(true).create_new(true).open(&path))?;
        let most = run_folder::max_file_bytes(name);
        let copied = with_path_context(&path, io::copy(&mut from.take(most.saturating_add(1)), &mut to))?;
        if copied > most {
            return Err(TransferError::TooLarge { name: name.to_string(), most });
        }
        with_path_context(&path, to.flush().and_then(|()| to.sync_all()))
    }

    /// Moves the run to `<root>/<name>`. The same run is kept with its own tags; a different one fails with
    /// [`TransferError::Differs`].
    pub fn commit(mut self) -> Result<PathBuf, TransferError> {
        let id = read_run_id(&self.folder)?;
        if id != self.id {
            return Err(TransferError::Named { folder: self.id.to_string(), id });
        }
        let place = self.root.join(self.id.to_string());
        if place.join(format::RUN_HEADER_FILE).exists() {
            ensure_same_run(self.id, &file_digests(&self.folder)?, &file_digests(&place)?)?;
            return Ok(place);
        }
        let samples = self.folder.join(format::SAMPLES_FOLDER);
        with_path_context(&samples, fsync_folder(&samples))?;
        with_path_context(&self.folder, fsync_folder(&self.folder))?;
        with_path_context(&place, fs::rename(&self.folder, &place))?;
        self.kept = true;
        with_path_context(&self.root, fsync_folder(&self.root))?;
        Ok(place)
    }
}

impl Drop for RunImport {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Fails unless both are of the same run, except for tags.
pub(crate) fn ensure_same_run(
    id: RunId,
    one: &[FileDigest],
    other: &[FileDigest],
) -> Result<(), TransferError> {
    let plain = |d: &&FileDigest| d.name != format::TAGS_FILE;
    let (mut one, mut other) = (one.iter().filter(plain), other.iter().filter(plain));
    loop {
        match (one.next(), other.next()) {
            (None, None) => return Ok(()),
            (a, b) if a == b => {}
            (a, b) => {
                let name = a.or(b).map(|d| d.name.clone()).unwrap_or_default();
                return Err(TransferError::Differs { id, name });
            }
        }
    }
}

pub(crate) fn read_run_id(folder: &Path) -> Result<RunId, TransferError> {
    read_run_header(folder).map(|head| head.id).map_err(|e| TransferError::Read(Box::new(e)))
}

/// As [`RunImport::commit`].
pub fn copy_run(folder: &Path, root: &Path) -> Result<PathBuf, TransferError> {
    let incoming = RunImport::start(root, read_run_id(folder)?)?;
    for file in list_run_files(folder)? {
        let path = folder.join(&file.name);
        let mut from = with_path_context(&path, run_folder::open(folder, &file.name))?.take(file.length);
        incoming.add_file(&file.name, &mut from)?;
    }
    incoming.commit()
}

/// The name disappears at once, even if files cannot be removed later.
pub fn remove_run(folder: &Path) -> Result<(), TransferError> {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let gone = folder.with_file_name(format!(".{name}.{}.gone", uuid::Uuid::now_v7().simple()));
    with_path_context(folder, fs::rename(folder, &gone))?;
    with_path_context(&gone, fs::remove_dir_all(&gone))
}

/// Without it a new file may be lost in a power cut, fsync(2). Other systems cannot sync folders.
pub(crate) fn fsync_folder(path: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(path)?.sync_all() } else { Ok(()) }
}

/// True while a command or experiment holds the run's lock (flock(2)). The check takes the lock for an
/// instant, which a writer waits out.
pub fn is_run_being_written(folder: &Path) -> bool {
    [format::RUN_HEADER_FILE, format::EVENTS_FILE].iter().any(|name| {
        let Ok(file) = run_folder::open(folder, name) else { return false };
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock))
    })
}

pub(crate) fn with_path_context<T>(path: &Path, result: io::Result<T>) -> Result<T, TransferError> {
    result.map_err(|source| TransferError::Io { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_runs_own_files_travel() {
        for name in ["run.json", "events.jsonl", "tags.json", "samples/1-a-intervals.chunk"] {
            assert!(is_run_file_name(name), "{name}");
        }
        for name in ["report.html", "samples/", "samples/../run.json", "/run.json", "", "./run.json"] {
            assert!(!is_run_file_name(name), "{name}");
        }
    }
}
