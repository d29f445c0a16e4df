//! Writes a run: the head at once, events as they happen, each trial to disk before it counts.

mod append;

pub use append::RunLock;

use crate::format::{self, sha256_hex};
use crate::private_files::{create_private_folder, create_private_folders};
use crate::reader::ReadError;
use crate::run_files::fsync_folder;
use crate::run_folder::MAX_LOG_BYTES;
use crate::sample_chunk::{self, ChunkError};
use goodput_model::recorder::RecordError;
use goodput_model::run::RunHeader;
use goodput_model::series::{Series, SeriesRef};
use goodput_model::{Event, Recorder, RunId, Trial};
use goodput_words::{ErrorMessage, Message, error_messages, message};
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A new run's head: name, time, format version.
///
/// `version` is the program's, `command` the typed one without secrets, `seed` that of all random parts.
pub fn new_run_header(
    version: &str,
    command: Vec<String>,
    seed: u64,
    labels: BTreeMap<String, String>,
) -> RunHeader {
    RunHeader {
        format: format::RUN_FORMAT_VERSION,
        id: RunId(uuid::Uuid::now_v7()),
        started: jiff::Timestamp::now().to_string(),
        version: version.to_string(),
        command,
        seed,
        labels,
    }
}

#[derive(Debug)]
pub enum WriteError {
    Io {
        path: PathBuf,
        source: io::Error,
    },
    Series {
        series: String,
        host: String,
        source: ChunkError,
    },
    /// An event that would not read back unchanged (a NaN, for example).
    Event {
        event: &'static str,
        why: Message,
    },
    Finished {
        id: RunId,
    },
    Busy {
        path: PathBuf,
    },
    /// An unreadable run cannot be extended.
    Unreadable {
        source: Box<ReadError>,
    },
}

error_messages! {
    WriteError {
        WriteError::Io { path, .. } => message!(error_cannot_write { path: path.display().to_string() }),
        WriteError::Series { series, host, source } => {
            let (series, host) = (format!("{series:?}"), format!("{host:?}"));
            let what = message!(error_run_series_not_stored { series, host });
            message!(list_colon { what, why: source.message_with_sources() })
        },
        WriteError::Event { event, why } => message!(error_run_event_not_stored { event: *event, why }),
        WriteError::Finished { id } => message!(error_run_is_finished { id: id.to_string() }),
        WriteError::Busy { path } => message!(error_written_by_another { path: path.display().to_string() }),
        WriteError::Unreadable { source } => message!(list_colon {
            what: message!(error_nothing_can_be_added),
            why: source.message_with_sources(),
        }),
    }
    sources { WriteError::Io { source, .. } => source }
}

/// The only writer of a run: its log is locked (advisory, flock(2)) until drop. Without [`RunWriter::finish`]
/// the run is interrupted, and [`RunWriter::open_for_append`] can continue it.
#[derive(Debug)]
pub struct RunWriter {
    id: RunId,
    folder: PathBuf,
    log: File,
    /// Bytes of complete lines.
    log_length: u64,
    finished: bool,
}

impl RunWriter {
    /// Creates `<root>/<id>` (and `root`), which appears when its head is on disk; fails if the run exists.
    pub fn create(root: &Path, head: RunHeader) -> Result<RunWriter, WriteError> {
        let head = RunHeader { format: format::RUN_FORMAT_VERSION, ..head };
        let folder = root.join(head.id.to_string());
        let new = root.join(format!(".{}.new", head.id));
        let text = serde_json::to_vec_pretty(&head)
            .map_err(|e| WriteError::Event { event: "head", why: e.to_string().into() })?;
        at(root, create_private_folders(root))?;
        at(&new, create_private_folder(&new))?;
        let log = RunWriter::create_in(&new, &folder, &text)
            // A full disk, for example.
            .inspect_err(|_| drop(fs::remove_dir_all(&new)))?;
        at(root, fsync_folder(root))?;
        Ok(RunWriter { id: head.id, folder, log, log_length: 0, finished: false })
    }

    /// Fills `new` and renames it to `folder`; returns the locked log.
    fn create_in(new: &Path, folder: &Path, head: &[u8]) -> Result<File, WriteError> {
        at(new, create_private_folder(&new.join(format::SAMPLES_FOLDER)))?;
        write_new(&new.join(format::RUN_HEADER_FILE), &[head, &b"\n"[..]].concat())?;
        let log_file = new.join(format::EVENTS_FILE);
        let log = at(&log_file, OpenOptions::new().create_new(true).append(true).open(&log_file))?;
        at(&log_file, log.sync_all())?;
        // The file is new. Without lock support recording continues.
        let _ = log.try_lock();
        at(new, fsync_folder(new))?;
        // rename(2) would replace an empty folder of that name, which is no run.
        at(folder, fs::rename(new, folder))?;
        Ok(log)
    }

    pub fn id(&self) -> RunId {
        self.id
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Adds an event: on disk with the next trial, or at once for an experiment's step. Ignores
    /// [`Event::Live`], which is no result, and [`Event::TrialFinished`] and [`Event::RunFinished`], which
    /// [`Recorder::record`] and [`RunWriter::finish`] write.
    pub fn append_event(&mut self, event: &Event) -> Result<(), WriteError> {
        match event {
            Event::Waiting { .. } | Event::TrialStarted { .. } => self.append(event, false),
            // The effects of a step (a changed setting, a measurement) must not survive a crash without it.
            Event::Experiment { .. } => self.append(event, true),
            Event::Live(_) | Event::LiveEnds { .. } | Event::TrialFinished { .. } | Event::RunFinished => {
                Ok(())
            }
        }
    }

    /// Flushes everything; a second call has no effect.
    pub fn finish(&mut self) -> Result<(), WriteError> {
        if self.finished {
            return Ok(());
        }
        self.append(&Event::RunFinished, true)?;
        at(&self.folder, fsync_folder(&self.folder))?;
        self.finished = true;
        Ok(())
    }

    /// Chunks first, then the line: a line on disk always has its chunks.
    fn put_trial(&mut self, trial: &Trial) -> Result<(), WriteError> {
        if self.finished {
            return Err(WriteError::Finished { id: self.id });
        }
        let mut stored = trial.clone();
        let mut references = Vec::new();
        for end in &mut stored.ends {
            let series = std::mem::take(&mut end.series);
            let put = |s: &Series| self.put_series(&trial.id.to_string(), &end.host, s);
            references.push(series.iter().map(put).collect::<Result<Vec<_>, _>>()?);
        }
        if references.iter().any(|r| !r.is_empty()) {
            let samples = self.folder.join(format::SAMPLES_FOLDER);
            at(&samples, fsync_folder(&samples))?;
        }
        self.append(&Event::TrialFinished { trial: Box::new(stored), series: references }, true)
    }

    fn put_series(&self, trial: &str, host: &str, series: &Series) -> Result<SeriesRef, WriteError> {
        let bytes = sample_chunk::encode_chunk(series).map_err(|source| WriteError::Series {
            series: series.name.clone(),
            host: host.to_string(),
            source,
        })?;
        let stem = format!("{trial}-{}-{}", name_part(host), name_part(&series.name));
        // Both ends may have one host name, and sanitized names may be equal.
        let mut attempt = 1u32;
        let file = loop {
            let more = if attempt == 1 { String::new() } else { format!("-{attempt}") };
            let file = format!("{}/{stem}{more}{}", format::SAMPLES_FOLDER, format::CHUNK_FILE_EXTENSION);
            match write_new(&self.folder.join(&file), &bytes) {
                Ok(()) => break file,
                Err(WriteError::Io { source, .. })
                    if source.kind() == io::ErrorKind::AlreadyExists && attempt < 1_000 =>
                {
                    attempt += 1;
                }
                Err(e) => return Err(e),
            }
        };
        Ok(SeriesRef {
            name: series.name.clone(),
            file,
            rows: series.len() as u64,
            length: bytes.len() as u64,
            sha256: sha256_hex(&bytes),
        })
    }

    fn append(&mut self, event: &Event, to_disk: bool) -> Result<(), WriteError> {
        if self.finished {
            return Err(WriteError::Finished { id: self.id });
        }
        let line = line(event)?;
        if self.log_length + line.len() as u64 > MAX_LOG_BYTES {
            let why = message!(cause_run_log_full { most: MAX_LOG_BYTES.to_string() });
            return Err(WriteError::Event { event: "next", why });
        }
        let path = self.folder.join(format::EVENTS_FILE);
        let mut written = self.log.write_all(&line);
        if written.is_ok() && to_disk {
            written = self.log.sync_all();
        }
        if let Err(source) = written {
            // A partial line (full disk) must not spoil the next; else the reader names the damaged line.
            let _ = self.log.set_len(self.log_length);
            return Err(WriteError::Io { path, source });
        }
        self.log_length += line.len() as u64;
        Ok(())
    }
}

impl Recorder for RunWriter {
    fn record(&mut self, trial: &Trial) -> Result<(), RecordError> {
        self.put_trial(trial).map_err(|e| RecordError {
            place: self.folder.display().to_string(),
            cause: e.message_with_sources(),
        })
    }
}

/// A JSON line that reads back as the same event. JSON would write NaN as `null` and lose the trial; this
/// fails while the numbers are still in memory.
fn line(event: &Event) -> Result<Vec<u8>, WriteError> {
    let kind = match event {
        Event::Waiting { .. } => "waiting",
        Event::TrialStarted { .. } => "trial_started",
        Event::Live(_) => "live",
        Event::LiveEnds { .. } => "live_ends",
        Event::TrialFinished { .. } => "trial_finished",
        Event::Experiment { .. } => "experiment",
        Event::RunFinished => "run_finished",
    };
    let refuse = |why: Message| WriteError::Event { event: kind, why };
    let mut line = serde_json::to_vec(event).map_err(|e| refuse(e.to_string().into()))?;
    let back: Event = serde_json::from_slice(&line).map_err(|e| refuse(e.to_string().into()))?;
    if back != *event {
        return Err(refuse("it would read back as something else".into()));
    }
    line.push(b'\n');
    Ok(line)
}

/// A name as part of a file name on every system: letters, digits, dots and hyphens; at most 64 of them.
fn name_part(name: &str) -> String {
    let part: String = name
        .chars()
        .take(64)
        .map(|c| if c.is_ascii_alphanumeric() || c == '.' || c == '-' { c } else { '_' })
        .collect();
    if part.is_empty() { "_".into() } else { part }
}

/// Creates and flushes a new file.
fn write_new(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let mut file = at(path, OpenOptions::new().write(true).create_new(true).open(path))?;
    at(path, file.write_all(bytes))?;
    at(path, file.sync_all())
}

fn at<T>(path: &Path, result: io::Result<T>) -> Result<T, WriteError> {
    result.map_err(|source| WriteError::Io { path: path.to_path_buf(), source })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_become_harmless() {
        assert_eq!(name_part("lab:b"), "lab_b");
        assert_eq!(name_part("../../etc/passwd"), ".._.._etc_passwd");
        assert_eq!(name_part("Größe 1\n"), "Gr__e_1_");
        assert_eq!(name_part(""), "_");
        assert_eq!(name_part(&"x".repeat(300)).len(), 64);
    }

    #[test]
    fn a_head_has_a_name_that_sorts_by_time() {
        let first = new_run_header("0", vec![], 1, BTreeMap::new());
        let second = new_run_header("0", vec![], 1, BTreeMap::new());
        assert!(first.id < second.id);
        assert!(first.started.ends_with('Z') && first.format == format::RUN_FORMAT_VERSION);
    }
}
