//! Reads an untrusted run: checks every reference, length and digest, and opens nothing outside its
//! `samples/`.

use crate::format;
use crate::format::sha256_hex;
use crate::sample_chunk::{self, ChunkError};
use goodput_model::run::RunHeader;
use goodput_model::series::{Series, SeriesRef};
use goodput_model::{Event, Run, Trial, TrialId};
use serde::Deserialize;
use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{} is not a run: it does not contain {}", path.display(), format::RUN_HEADER_FILE)]
    NotARun { path: PathBuf },
    #[error("cannot read {}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("{} has run format {theirs}, but this program reads 1 to {ours}: install a newer goodput", path.display())]
    Version { path: PathBuf, theirs: u64, ours: u32 },
    #[error("{} is damaged", path.display())]
    Head { path: PathBuf, source: serde_json::Error },
    /// A complete line of the log is not an event.
    #[error("line {line} of {} is damaged", path.display())]
    Event {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        source: serde_json::Error,
    },
    /// An event's reference to a series is invalid.
    #[error("line {line} of {} refers to its series wrongly: {why}", path.display())]
    Reference {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        why: String,
    },
    #[error("{} differs from the stored data: its {what} is {found}, not {expected}", path.display())]
    Changed {
        path: PathBuf,
        /// Length, SHA-256, name, number of rows.
        what: &'static str,
        expected: String,
        found: String,
    },
    #[error("cannot read the samples in {}", path.display())]
    Chunk { path: PathBuf, source: ChunkError },
}

/// With all samples. Of an interrupted run what was recorded; `finished` is then false. A damaged chunk is an
/// error; [`read_run_without_series`] still returns the rest.
pub fn read_run(folder: &Path) -> Result<Run, ReadError> {
    load(folder, true)
}

/// Without opening chunks: every end has empty `series`.
pub fn read_run_without_series(folder: &Path) -> Result<Run, ReadError> {
    load(folder, false)
}

fn load(folder: &Path, with_series: bool) -> Result<Run, ReadError> {
    let head = read_run_header(folder)?;
    let path = folder.join(format::EVENTS_FILE);
    let log = fs::read(&path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
    let mut run = Run { head, trials: Vec::new(), steps: Vec::new(), finished: false };
    for (line, text) in (1..).zip(newline_terminated_lines(&log)) {
        let damaged = |source| ReadError::Event { path: path.clone(), line, source };
        match serde_json::from_slice(text).map_err(damaged)? {
            Event::TrialFinished { mut trial, series } => {
                let wrong = |why| ReadError::Reference { path: path.clone(), line, why };
                check(&trial, &series).map_err(wrong)?;
                if with_series {
                    read_samples(folder, &mut trial, &series)?;
                }
                run.trials.push(*trial);
            }
            Event::Experiment { step } => run.steps.push(step),
            Event::RunFinished => run.finished = true,
            Event::Waiting { .. } | Event::TrialStarted { .. } | Event::Live(_) | Event::LiveEnds { .. } => {}
        }
    }
    Ok(run)
}

/// These trials with samples, in the order of the log, without decoding other lines.
pub fn read_trials(folder: &Path, wanted: &[TrialId]) -> Result<Vec<Trial>, ReadError> {
    let path = folder.join(format::EVENTS_FILE);
    let log = fs::read(&path).map_err(|source| ReadError::Io { path: path.clone(), source })?;
    let mut trials = Vec::new();
    for (line, text) in (1..).zip(newline_terminated_lines(&log)) {
        let damaged = |source| ReadError::Event { path: path.clone(), line, source };
        if !parse_recorded_trial(text).map_err(damaged)?.is_some_and(|id| wanted.contains(&id)) {
            continue;
        }
        if let Event::TrialFinished { mut trial, series } = serde_json::from_slice(text).map_err(damaged)? {
            let wrong = |why| ReadError::Reference { path: path.clone(), line, why };
            check(&trial, &series).map_err(wrong)?;
            read_samples(folder, &mut trial, &series)?;
            trials.push(*trial);
        }
    }
    Ok(trials)
}

pub(crate) fn parse_recorded_trial(line: &[u8]) -> Result<Option<TrialId>, serde_json::Error> {
    #[derive(Deserialize)]
    struct Kind<'a> {
        #[serde(borrow)]
        event: Cow<'a, str>,
    }
    #[derive(Deserialize)]
    struct Recorded {
        trial: Numbered,
    }
    #[derive(Deserialize)]
    struct Numbered {
        id: TrialId,
    }
    match serde_json::from_slice::<Kind<'_>>(line)?.event.as_ref() {
        "trial_finished" => serde_json::from_slice::<Recorded>(line).map(|recorded| Some(recorded.trial.id)),
        _ => Ok(None),
    }
}

/// After [`check`].
fn read_samples(folder: &Path, trial: &mut Trial, series: &[Vec<SeriesRef>]) -> Result<(), ReadError> {
    for (end, references) in trial.ends.iter_mut().zip(series) {
        end.series = references.iter().map(|r| read_series(folder, r)).collect::<Result<_, _>>()?;
    }
    Ok(())
}

pub fn read_run_header(folder: &Path) -> Result<RunHeader, ReadError> {
    #[derive(Deserialize)]
    struct Version {
        format: u64,
    }
    let path = folder.join(format::RUN_HEADER_FILE);
    let text = match fs::read(&path) {
        Ok(text) => text,
        Err(e) if e.kind() == io::ErrorKind::NotFound => {
            return Err(ReadError::NotARun { path: folder.to_path_buf() });
        }
        Err(source) => return Err(ReadError::Io { path, source }),
    };
    // The version first: later heads may differ in the rest.
    let version: Version =
        serde_json::from_slice(&text).map_err(|source| ReadError::Head { path: path.clone(), source })?;
    if version.format == 0 || version.format > u64::from(format::RUN_FORMAT_VERSION) {
        let path = folder.to_path_buf();
        return Err(ReadError::Version { path, theirs: version.format, ours: format::RUN_FORMAT_VERSION });
    }
    serde_json::from_slice(&text).map_err(|source| ReadError::Head { path, source })
}

/// Lines with a newline. The rest was interrupted and never acknowledged.
pub(crate) fn newline_terminated_lines(log: &[u8]) -> impl Iterator<Item = &[u8]> {
    let end = log.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
    log[..end].split_inclusive(|&b| b == b'\n')
}

/// Checks that references match their trial and stay inside the run.
fn check(trial: &Trial, series: &[Vec<SeriesRef>]) -> Result<(), String> {
    if series.len() != trial.ends.len() {
        return Err(format!("{} ends have {} lists of series", trial.ends.len(), series.len()));
    }
    if trial.ends.iter().any(|e| !e.series.is_empty()) {
        return Err("samples stand in the log itself".into());
    }
    match series.iter().flatten().find(|r| !is_chunk_name(&r.file)) {
        Some(r) => Err(format!("{:?} is not a chunk of this run", r.file)),
        None => Ok(()),
    }
}

/// `samples/<letters, digits, dot, hyphen, underscore>.chunk`: no other folder, drive or stream on any
/// system.
pub(crate) fn is_chunk_name(file: &str) -> bool {
    let Some(name) = file.strip_prefix(format::SAMPLES_FOLDER).and_then(|f| f.strip_prefix('/')) else {
        return false;
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-' | b'_');
    name.ends_with(format::CHUNK_FILE_EXTENSION) && !name.starts_with('.') && name.bytes().all(plain)
}

fn read_series(folder: &Path, reference: &SeriesRef) -> Result<Series, ReadError> {
    let path = folder.join(&reference.file);
    let io = |source| ReadError::Io { path: path.clone(), source };
    let changed = |what, expected: String, found: String| {
        if expected == found {
            return Ok(());
        }
        Err(ReadError::Changed { path: path.clone(), what, expected, found })
    };
    // A link or pipe would lead outside the run.
    let meta = fs::symlink_metadata(&path).map_err(io)?;
    if !meta.is_file() {
        return Err(io(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")));
    }
    changed("length", reference.length.to_string(), meta.len().to_string())?;
    let bytes = fs::read(&path).map_err(io)?;
    changed("SHA-256", reference.sha256.to_ascii_lowercase(), sha256_hex(&bytes))?;
    let series = sample_chunk::decode_chunk(&bytes)
        .map_err(|source| ReadError::Chunk { path: path.clone(), source })?;
    changed("name", reference.name.clone(), series.name.clone())?;
    changed("number of rows", reference.rows.to_string(), series.len().to_string())?;
    Ok(series)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_chunks_are_opened() {
        assert!(is_chunk_name("samples/1-a.b-intervals_ns-2.chunk"));
        let elsewhere = ["../samples/x.chunk", "samples/../x.chunk", "samples/a/b.chunk", "/etc/passwd", ""];
        let odd =
            ["samples\\x.chunk", "samples/x:y.chunk", "samples/..chunk", "samples/x", "samples/x.chunk\0"];
        for bad in elsewhere.into_iter().chain(odd) {
            assert!(!is_chunk_name(bad), "{bad:?}");
        }
    }

    #[test]
    fn a_line_without_its_newline_was_never_recorded() {
        let lines = |log| newline_terminated_lines(log).count();
        assert_eq!((lines(b""), lines(b"{}"), lines(b"{}\n"), lines(b"{}\n{\"ev")), (0, 0, 1, 1));
    }
}
