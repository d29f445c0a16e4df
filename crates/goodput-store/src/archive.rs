//! Runs as one file that can be mailed or put away: a tar archive (POSIX ustar, GNU long names) in zstd.
//!
//! Each run lies in it as its folder, `<run>/run.json`, `<run>/events.jsonl`, …, so that `tar --zstd -xf FILE -C RUNS`
//! restores it without this program. A backup of a whole store has `schedules.json` before the runs.

use crate::files::{self, Incoming, TransferError, at};
use crate::reader::read;
use goodput_model::RunId;
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};

/// Level of the compressor: chunks are compressed already, logs shrink to a tenth at any level.
const LEVEL: i32 = 3;

/// Another file of an archive is no longer than this.
const MOST_BESIDE: u64 = 16 << 20;

/// Why an archive could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The archive itself could not be written.
    #[error("cannot write the archive")]
    Write(#[source] io::Error),
    #[error("it is no archive of runs, or it is damaged")]
    Damaged(#[source] io::Error),
    #[error("{name:?} does not belong into an archive of runs")]
    Foreign { name: String },
    /// A run could not be read or put in its place.
    #[error(transparent)]
    Run(#[from] TransferError),
}

pub struct Pack<W: Write> {
    tar: Builder<zstd::Encoder<'static, W>>,
}

impl<W: Write> Pack<W> {
    /// Begins an archive.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn new(to: W) -> Result<Pack<W>, ArchiveError> {
        let encoder = zstd::Encoder::new(to, LEVEL).map_err(ArchiveError::Write)?;
        Ok(Pack { tar: Builder::new(encoder) })
    }

    /// Adds a run under its name. Of one that is being written, what is on disk now.
    ///
    /// # Errors
    /// [`ArchiveError::Run`], [`ArchiveError::Write`].
    pub fn add_run(&mut self, folder: &Path) -> Result<(), ArchiveError> {
        let head = crate::reader::read_head(folder).map_err(|e| TransferError::Read(Box::new(e)))?;
        // The run's own time, so that one run always gives the same bytes.
        let made = head.started.parse::<jiff::Timestamp>().map_or(0, |t| t.as_second().max(0) as u64);
        for file in files::list(folder)? {
            let bytes = files::contents(folder, &file)?;
            self.put(&format!("{}/{}", head.id, file.name), &bytes, made)?;
        }
        Ok(())
    }

    /// Adds another file, beside the runs.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn add_beside(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.put(name, bytes, 0)
    }

    fn put(&mut self, name: &str, bytes: &[u8], made: u64) -> Result<(), ArchiveError> {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(made);
        self.tar.append_data(&mut header, name, bytes).map_err(ArchiveError::Write)
    }

    /// Ends the archive and gives back what it was written to.
    ///
    /// # Errors
    /// [`ArchiveError::Write`].
    pub fn finish(self) -> Result<W, ArchiveError> {
        let encoder = self.tar.into_inner().map_err(ArchiveError::Write)?;
        encoder.finish().map_err(ArchiveError::Write)
    }
}

#[derive(Debug, Default)]
pub struct Unpacked {
    /// Runs that are in their places now, or were already.
    pub folders: Vec<PathBuf>,
    /// Runs among them whose samples cannot all be read, and why: they were put away so.
    pub damaged: Vec<(RunId, String)>,
    pub beside: BTreeMap<String, Vec<u8>>,
}

/// Takes all runs of an archive into a root. It may have come by mail: nothing is written but files of runs, each below
/// its own name, and a run appears only when it is whole.
///
/// # Errors
/// The first run that cannot be taken in ends it; those before it stay.
pub fn unpack(from: impl Read, root: &Path) -> Result<Unpacked, ArchiveError> {
    let decoder = zstd::Decoder::new(from).map_err(ArchiveError::Damaged)?;
    let mut archive = tar::Archive::new(decoder);
    let mut unpacked = Unpacked::default();
    let mut under_way: Option<(RunId, Incoming)> = None;
    for entry in archive.entries().map_err(ArchiveError::Damaged)? {
        let mut entry = entry.map_err(ArchiveError::Damaged)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let kind = entry.header().entry_type();
        // tar(1) stores the folders as well.
        if kind == EntryType::Directory {
            continue;
        }
        let foreign = || ArchiveError::Foreign { name: name.clone() };
        if kind != EntryType::Regular {
            return Err(foreign());
        }
        let name = name.strip_prefix("./").unwrap_or(&name);
        let Some((run, file)) = name.split_once('/') else {
            if entry.size() > MOST_BESIDE {
                return Err(foreign());
            }
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(ArchiveError::Damaged)?;
            unpacked.beside.insert(name.to_string(), bytes);
            continue;
        };
        let id = crate::catalog::run_id(run).ok_or_else(foreign)?;
        if under_way.as_ref().is_none_or(|(other, _)| *other != id) {
            finish(&mut unpacked, under_way.take())?;
            under_way = Some((id, Incoming::begin(root, id)?));
        }
        if let Some((_, incoming)) = &under_way {
            incoming.add(file, &mut entry)?;
        }
    }
    finish(&mut unpacked, under_way)?;
    Ok(unpacked)
}

fn finish(unpacked: &mut Unpacked, run: Option<(RunId, Incoming)>) -> Result<(), ArchiveError> {
    let Some((id, incoming)) = run else { return Ok(()) };
    let folder = incoming.keep()?;
    if let Err(e) = read(&folder) {
        unpacked.damaged.push((id, e.to_string()));
    }
    unpacked.folders.push(folder);
    Ok(())
}

/// One run as an archive of its own.
///
/// # Errors
/// As [`Pack::add_run`].
pub fn of_run(folder: &Path) -> Result<Vec<u8>, ArchiveError> {
    let mut pack = Pack::new(Vec::new())?;
    pack.add_run(folder)?;
    pack.finish()
}

/// Writes runs and other files as an archive to a new file, which appears under its name only when it is whole.
///
/// # Errors
/// [`ArchiveError::Write`], [`ArchiveError::Run`].
pub fn to_file(
    path: &Path,
    fill: impl FnOnce(&mut Pack<io::BufWriter<std::fs::File>>) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let whole = || {
        let file = at(&new, std::fs::File::create(&new))?;
        let mut pack = Pack::new(io::BufWriter::new(file))?;
        fill(&mut pack)?;
        let file = pack.finish()?.into_inner().map_err(|e| ArchiveError::Write(e.into_error()))?;
        at(&new, file.sync_all())?;
        Ok(at(path, std::fs::rename(&new, path))?)
    };
    let result: Result<(), ArchiveError> = whole();
    if result.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    result
}
