//! Runs as one file: a zstd-compressed tar archive (POSIX ustar, GNU long names), restorable by `tar --zstd
//! -xf FILE -C RUNS`. Each run is a folder `<run>/…`; a backup of a store begins with `schedules.json`.

mod expansion;

use crate::private_files::create_file_anew;
use crate::reader::read_run;
use crate::run_files::{self, RunImport, TransferError, with_path_context};
use expansion::unpack_bounded;
use goodput_model::RunId;
use goodput_words::{ErrorMessage, Message, error_messages, message};
use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use tar::{Builder, EntryType, Header};

/// Chunks are already compressed; logs shrink to a tenth at any level.
const LEVEL: i32 = 3;

/// Limit in bytes of all files beside the runs, which are read into memory.
const MAX_BESIDE: u64 = 16 << 20;

#[derive(Debug)]
pub enum ArchiveError {
    Write(io::Error),
    Damaged(io::Error),
    Foreign { name: String },
    Run(TransferError),
}

error_messages! {
    ArchiveError {
        ArchiveError::Write(_) => message!(error_cannot_write_the_archive),
        ArchiveError::Damaged(_) => message!(error_no_archive),
        ArchiveError::Foreign { name } => message!(error_archive_foreign_file { name: format!("{name:?}") }),
        ArchiveError::Run(error) => error.message_with_sources(),
    }
    sources { ArchiveError::Write(source) | ArchiveError::Damaged(source) => source }
    from { TransferError => ArchiveError::Run }
}

pub struct ArchiveBuilder<W: Write> {
    tar: Builder<zstd::Encoder<'static, W>>,
}

impl<W: Write> ArchiveBuilder<W> {
    pub fn new(to: W) -> Result<ArchiveBuilder<W>, ArchiveError> {
        let encoder = zstd::Encoder::new(to, LEVEL).map_err(ArchiveError::Write)?;
        Ok(ArchiveBuilder { tar: Builder::new(encoder) })
    }

    /// Adds a run under its name; of a run that is being written, the current state on disk.
    pub fn add_run(&mut self, folder: &Path) -> Result<(), ArchiveError> {
        let head = crate::reader::read_run_header(folder).map_err(|e| TransferError::Read(Box::new(e)))?;
        // The run's own time makes archives deterministic.
        let made = head.started.parse::<jiff::Timestamp>().map_or(0, |t| t.as_second().max(0) as u64);
        for file in run_files::list_run_files(folder)? {
            let bytes = run_files::read_file_contents(folder, &file)?;
            self.put(&format!("{}/{}", head.id, file.name), &bytes, made)?;
        }
        Ok(())
    }

    /// Adds a file beside the runs.
    pub fn add_extra_file(&mut self, name: &str, bytes: &[u8]) -> Result<(), ArchiveError> {
        self.put(name, bytes, 0)
    }

    fn put(&mut self, name: &str, bytes: &[u8], made: u64) -> Result<(), ArchiveError> {
        let mut header = Header::new_gnu();
        header.set_entry_type(EntryType::Regular);
        header.set_size(bytes.len() as u64);
        header.set_mode(0o600);
        header.set_mtime(made);
        self.tar.append_data(&mut header, name, bytes).map_err(ArchiveError::Write)
    }

    /// Returns the underlying writer.
    pub fn finish(self) -> Result<W, ArchiveError> {
        let encoder = self.tar.into_inner().map_err(ArchiveError::Write)?;
        encoder.finish().map_err(ArchiveError::Write)
    }
}

#[derive(Debug, Default)]
pub struct UnpackedArchive {
    pub folders: Vec<PathBuf>,
    pub damaged: Vec<(RunId, Message)>,
    pub beside: BTreeMap<String, Vec<u8>>,
}

/// Extracts an untrusted archive into a root: only files of runs, each below its own name; a run appears when
/// it is complete. The first failure ends it; earlier runs stay. An archive that expands too much fails with
/// [`ArchiveError::Damaged`].
pub fn unpack_archive(from: impl Read, root: &Path) -> Result<UnpackedArchive, ArchiveError> {
    let (unpacked_bytes, headers) = unpack_bounded(from).map_err(ArchiveError::Damaged)?;
    let mut archive = tar::Archive::new(unpacked_bytes);
    let mut beside_left = MAX_BESIDE;
    let mut unpacked = UnpackedArchive::default();
    let mut under_way: Option<(RunId, RunImport)> = None;
    let mut entries = archive.entries().map_err(ArchiveError::Damaged)?;
    // Files are read to their ends, so that only headers are read between them.
    while let Some(entry) = headers.within(|| entries.next()) {
        let mut entry = entry.map_err(ArchiveError::Damaged)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let kind = entry.header().entry_type();
        // tar(1) also stores folders.
        if kind == EntryType::Directory {
            continue;
        }
        let foreign = || ArchiveError::Foreign { name: name.clone() };
        if kind != EntryType::Regular {
            return Err(foreign());
        }
        let name = name.strip_prefix("./").unwrap_or(&name);
        let Some((run, file)) = name.split_once('/') else {
            // An empty file takes memory too.
            beside_left = beside_left.checked_sub(entry.size().max(512)).ok_or_else(foreign)?;
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).map_err(ArchiveError::Damaged)?;
            unpacked.beside.insert(name.to_string(), bytes);
            continue;
        };
        let id = crate::catalog::parse_run_id(run).ok_or_else(foreign)?;
        if under_way.as_ref().is_none_or(|(other, _)| *other != id) {
            finish(&mut unpacked, under_way.take())?;
            under_way = Some((id, RunImport::start(root, id)?));
        }
        if let Some((_, incoming)) = &under_way {
            incoming.add_file(file, &mut entry)?;
        }
    }
    finish(&mut unpacked, under_way)?;
    Ok(unpacked)
}

fn finish(unpacked: &mut UnpackedArchive, run: Option<(RunId, RunImport)>) -> Result<(), ArchiveError> {
    let Some((id, incoming)) = run else { return Ok(()) };
    let folder = incoming.commit()?;
    if let Err(e) = read_run(&folder) {
        unpacked.damaged.push((id, e.message()));
    }
    unpacked.folders.push(folder);
    Ok(())
}

pub fn archive_run(folder: &Path) -> Result<Vec<u8>, ArchiveError> {
    let mut pack = ArchiveBuilder::new(Vec::new())?;
    pack.add_run(folder)?;
    pack.finish()
}

/// Writes runs and other files to a new archive, which appears when it is complete.
pub fn write_archive_file(
    path: &Path,
    fill: impl FnOnce(&mut ArchiveBuilder<io::BufWriter<std::fs::File>>) -> Result<(), ArchiveError>,
) -> Result<(), ArchiveError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let new = path.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let whole = || {
        let file = with_path_context(&new, create_file_anew(&new, 0o600))?;
        let mut pack = ArchiveBuilder::new(io::BufWriter::new(file))?;
        fill(&mut pack)?;
        let file = pack.finish()?.into_inner().map_err(|e| ArchiveError::Write(e.into_error()))?;
        with_path_context(&new, file.sync_all())?;
        Ok(with_path_context(path, std::fs::rename(&new, path))?)
    };
    let result: Result<(), ArchiveError> = whole();
    if result.is_err() {
        let _ = std::fs::remove_file(&new);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(tar: Builder<zstd::Encoder<'static, Vec<u8>>>) -> String {
        let packed = ArchiveBuilder { tar }.finish().unwrap();
        let root = tempfile::tempdir().unwrap();
        let error = unpack_archive(&packed[..], root.path()).unwrap_err();
        assert_eq!(std::fs::read_dir(root.path()).unwrap().count(), 0, "something was left");
        match std::error::Error::source(&error) {
            Some(source) => source.to_string(),
            None => error.to_string(),
        }
    }

    fn entry(name: &str, kind: EntryType, bytes: &[u8]) -> Builder<zstd::Encoder<'static, Vec<u8>>> {
        let mut tar = ArchiveBuilder::new(Vec::new()).unwrap().tar;
        let mut header = Header::new_gnu();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(kind);
        header.set_size(bytes.len() as u64);
        header.set_cksum();
        tar.append(&header, bytes).unwrap();
        tar
    }

    #[test]
    fn only_files_of_runs_are_unpacked() {
        use EntryType::{Char, Fifo, GNUSparse, Link, Symlink};
        let run = "01930000-0000-7000-8000-00000000aaaa";
        let inside = ["../x", "samples/../../x.chunk"].map(|name| format!("{run}/{name}"));
        for name in ["/etc/x/y", "../x/run.json"].into_iter().chain(inside.iter().map(String::as_str)) {
            refused(entry(name, EntryType::Regular, b"x"));
        }
        for kind in [Symlink, Link, Fifo, Char, GNUSparse] {
            refused(entry(&format!("{run}/run.json"), kind, b""));
        }
    }

    #[test]
    fn headers_fill_no_memory() {
        let long = vec![b'x'; 1 << 20];
        for kind in [EntryType::GNULongName, EntryType::GNULongLink, EntryType::XHeader] {
            let why = refused(entry("x", kind, &long));
            assert!(why.contains("bytes of headers"), "{kind:?}: {why}");
        }
    }
}
