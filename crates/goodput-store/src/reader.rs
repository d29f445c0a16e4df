//! Reads an untrusted run: checks every reference, length and digest, and opens nothing outside its
//! `samples/`.

use crate::format;
use crate::format::sha256_hex;
use crate::run_folder;
use crate::sample_chunk::{self, ChunkError, MAX_CHUNK_VALUES};
use goodput_model::run::RunHeader;
use goodput_model::series::{Series, SeriesColumn, SeriesRef};
use goodput_model::{Event, Run, Trial, TrialId};
use goodput_words::error_message::with_sources;
use goodput_words::{ErrorMessage, Message, message};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// Most rows × columns in all chunks that one call reads, 2 GiB in memory. Names of columns and values of the log count
/// as the memory that they take.
pub const MAX_RUN_VALUES: u64 = 1 << 28;

/// A value of the log while it is decoded (`Content` of serde), in values of chunks.
const LOG_VALUE: u64 = 4;

/// Most bytes of all chunks that one call reads.
pub const MAX_RUN_SAMPLE_BYTES: u64 = 4 << 30;

#[derive(Debug)]
pub enum ReadError {
    NotARun {
        path: PathBuf,
    },
    Io {
        path: PathBuf,
        source: io::Error,
    },
    Version {
        path: PathBuf,
        theirs: u64,
        ours: u32,
    },
    Head {
        path: PathBuf,
        source: serde_json::Error,
    },
    /// A complete line of the log is not an event.
    Event {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        source: serde_json::Error,
    },
    /// An event's reference to a series is invalid.
    Reference {
        path: PathBuf,
        /// Counted from 1.
        line: usize,
        why: Message,
    },
    Changed {
        path: PathBuf,
        /// Length, SHA-256, name, number of rows.
        what: &'static str,
        expected: String,
        found: String,
    },
    Chunk {
        path: PathBuf,
        source: ChunkError,
    },
    /// With the chunks before it.
    TooManySamples {
        path: PathBuf,
        /// Values or bytes.
        what: &'static str,
        most: u64,
    },
    /// A panic while its index entry was derived.
    NotEvaluated {
        path: PathBuf,
    },
    TooSlow {
        path: PathBuf,
    },
}

impl ReadError {
    fn path(&self) -> &Path {
        match self {
            ReadError::NotARun { path }
            | ReadError::Io { path, .. }
            | ReadError::Version { path, .. }
            | ReadError::Head { path, .. }
            | ReadError::Event { path, .. }
            | ReadError::Reference { path, .. }
            | ReadError::Changed { path, .. }
            | ReadError::Chunk { path, .. }
            | ReadError::TooManySamples { path, .. }
            | ReadError::NotEvaluated { path }
            | ReadError::TooSlow { path } => path,
        }
    }
}

/// Short words are known by their key, since a name may equal them.
fn part_message(what: &str) -> Message {
    match what {
        "bytes" => message!(part_run_bytes),
        "length" => message!(part_run_length),
        _ => what.into(),
    }
}

impl ErrorMessage for ReadError {
    fn message(&self) -> Message {
        let path = self.path().display().to_string();
        match self {
            ReadError::NotARun { .. } => message!(error_is_not_a_run { path, file: format::RUN_HEADER_FILE }),
            ReadError::Io { .. } => message!(error_cannot_read { path }),
            ReadError::Version { theirs, ours, .. } => {
                message!(error_run_format { path, theirs: theirs.to_string(), ours: *ours })
            }
            ReadError::Head { .. } => message!(error_is_damaged { path }),
            ReadError::Event { line, .. } => message!(error_line_is_damaged { line: line.to_string(), path }),
            ReadError::Reference { line, why, .. } => {
                message!(error_run_series_reference { line: line.to_string(), path, why })
            }
            ReadError::Changed { what, expected, found, .. } => {
                message!(error_not_what_was_stored { path, what: part_message(what), found, expected })
            }
            ReadError::Chunk { .. } => message!(error_cannot_read_samples { path }),
            ReadError::TooManySamples { what, most, .. } => {
                let (most, what) = (most.to_string(), part_message(what));
                message!(error_too_many_samples { path, most, what })
            }
            ReadError::NotEvaluated { .. } => message!(error_run_not_evaluated { path }),
            ReadError::TooSlow { .. } => message!(error_run_too_slow { path }),
        }
    }

    fn message_with_sources(&self) -> Message {
        match self {
            ReadError::Chunk { source, .. } => {
                message!(list_colon { what: self.message(), why: source.message_with_sources() })
            }
            _ => with_sources(self.message(), self.source()),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.message())
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ReadError::Io { source, .. } => Some(source),
            ReadError::Head { source, .. } | ReadError::Event { source, .. } => Some(source),
            ReadError::Chunk { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// What remains for the chunks of a run, each of which one series has.
struct SampleBudget {
    values: u64,
    bytes: u64,
    files: HashSet<String>,
}

impl SampleBudget {
    fn new() -> SampleBudget {
        SampleBudget { values: MAX_RUN_VALUES, bytes: MAX_RUN_SAMPLE_BYTES, files: HashSet::new() }
    }

    fn take_values(&mut self, values: u64, path: &Path) -> Result<(), ReadError> {
        let too_many =
            || ReadError::TooManySamples { path: path.to_path_buf(), what: "values", most: MAX_RUN_VALUES };
        self.values = self.values.checked_sub(values).ok_or_else(too_many)?;
        Ok(())
    }

    /// Before a line is decoded: `0,` takes 32 bytes.
    fn take_line(&mut self, line: &[u8], path: &Path) -> Result<(), ReadError> {
        let values = line.iter().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count() as u64;
        self.take_values(values * LOG_VALUE, path)
    }
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
    let (path, log) = read_log(folder)?;
    let mut budget = SampleBudget::new();
    let mut run = Run { head, trials: Vec::new(), steps: Vec::new(), finished: false };
    for (line, text) in (1..).zip(newline_terminated_lines(&log)) {
        let damaged = |source| ReadError::Event { path: path.clone(), line, source };
        budget.take_line(text, &path)?;
        match serde_json::from_slice(text).map_err(damaged)? {
            Event::TrialFinished { mut trial, series } => {
                let wrong = |why| ReadError::Reference { path: path.clone(), line, why };
                check(&trial, &series, &mut budget).map_err(wrong)?;
                if with_series {
                    read_samples(folder, &mut trial, &series, &mut budget)?;
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
    let (path, log) = read_log(folder)?;
    let mut budget = SampleBudget::new();
    let mut trials = Vec::new();
    for (line, text) in (1..).zip(newline_terminated_lines(&log)) {
        let damaged = |source| ReadError::Event { path: path.clone(), line, source };
        if !parse_recorded_trial(text).map_err(damaged)?.is_some_and(|id| wanted.contains(&id)) {
            continue;
        }
        budget.take_line(text, &path)?;
        if let Event::TrialFinished { mut trial, series } = serde_json::from_slice(text).map_err(damaged)? {
            let wrong = |why| ReadError::Reference { path: path.clone(), line, why };
            check(&trial, &series, &mut budget).map_err(wrong)?;
            read_samples(folder, &mut trial, &series, &mut budget)?;
            trials.push(*trial);
        }
    }
    Ok(trials)
}

fn read_log(folder: &Path) -> Result<(PathBuf, Vec<u8>), ReadError> {
    let path = folder.join(format::EVENTS_FILE);
    match run_folder::read(folder, format::EVENTS_FILE) {
        Ok(log) => Ok((path, log)),
        Err(source) => Err(ReadError::Io { path, source }),
    }
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
fn read_samples(
    folder: &Path,
    trial: &mut Trial,
    series: &[Vec<SeriesRef>],
    budget: &mut SampleBudget,
) -> Result<(), ReadError> {
    for (end, references) in trial.ends.iter_mut().zip(series) {
        end.series = references.iter().map(|r| read_series(folder, r, budget)).collect::<Result<_, _>>()?;
    }
    Ok(())
}

pub fn read_run_header(folder: &Path) -> Result<RunHeader, ReadError> {
    #[derive(Deserialize)]
    struct Version {
        format: u64,
    }
    let path = folder.join(format::RUN_HEADER_FILE);
    let text = match run_folder::read(folder, format::RUN_HEADER_FILE) {
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

/// Checks that references match their trial, stay inside the run, and name each chunk once, as the writer does.
fn check(trial: &Trial, series: &[Vec<SeriesRef>], budget: &mut SampleBudget) -> Result<(), Message> {
    if series.len() != trial.ends.len() {
        let (ends, lists) = (trial.ends.len().to_string(), series.len().to_string());
        return Err(message!(cause_run_series_lists { ends, lists }));
    }
    if trial.ends.iter().any(|e| !e.series.is_empty()) {
        return Err("samples stand in the log itself".into());
    }
    if let Some(r) = series.iter().flatten().find(|r| !is_chunk_name(&r.file)) {
        return Err(message!(cause_run_no_chunk_of_it { file: format!("{:?}", r.file) }));
    }
    match series.iter().flatten().find(|r| !budget.files.insert(r.file.clone())) {
        Some(r) => Err(message!(cause_run_chunk_twice { file: format!("{:?}", r.file) })),
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

fn read_series(folder: &Path, reference: &SeriesRef, budget: &mut SampleBudget) -> Result<Series, ReadError> {
    let path = folder.join(&reference.file);
    let io = |source| ReadError::Io { path: path.clone(), source };
    let changed = |what, expected: String, found: String| {
        if expected == found {
            return Ok(());
        }
        Err(ReadError::Changed { path: path.clone(), what, expected, found })
    };
    let too_many = |what, most| ReadError::TooManySamples { path: path.clone(), what, most };
    budget.bytes =
        budget.bytes.checked_sub(reference.length).ok_or_else(|| too_many("bytes", MAX_RUN_SAMPLE_BYTES))?;
    let bytes = run_folder::read(folder, &reference.file).map_err(io)?;
    changed("length", reference.length.to_string(), bytes.len().to_string())?;
    changed("SHA-256", reference.sha256.to_ascii_lowercase(), sha256_hex(&bytes))?;
    let most = budget.values.min(MAX_CHUNK_VALUES);
    let series = sample_chunk::decode_chunk_within(&bytes, most).map_err(|source| match source {
        ChunkError::TooLarge { value, .. } if value > most && value <= MAX_CHUNK_VALUES => {
            too_many("values", MAX_RUN_VALUES)
        }
        source => ReadError::Chunk { path: path.clone(), source },
    })?;
    let names: usize =
        series.columns.iter().map(|column| size_of::<SeriesColumn>() + column.name.len()).sum();
    budget.take_values((series.len() * series.columns.len() + names / size_of::<i64>()) as u64, &path)?;
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

    /// A run's folder with one chunk.
    fn stored(series: &Series) -> (tempfile::TempDir, SeriesRef) {
        let run = tempfile::tempdir().unwrap();
        std::fs::create_dir(run.path().join(format::SAMPLES_FOLDER)).unwrap();
        let chunk = sample_chunk::encode_chunk(series).unwrap();
        std::fs::write(run.path().join("samples/a.chunk"), &chunk).unwrap();
        let (name, file, sha256) = (series.name.clone(), "samples/a.chunk".into(), sha256_hex(&chunk));
        let (rows, length) = (series.len() as u64, chunk.len() as u64);
        (run, SeriesRef { name, file, rows, length, sha256 })
    }

    #[test]
    fn all_chunks_of_a_run_have_one_budget() {
        let (run, reference) = stored(&Series::new("s", vec![("n", vec![0; 1_000])]));
        let refused = |values, bytes| {
            let mut budget = SampleBudget { values, bytes, files: HashSet::new() };
            let mut read = || read_series(run.path(), &reference, &mut budget);
            assert_eq!(read().unwrap().len(), 1_000);
            match read().unwrap_err() {
                ReadError::TooManySamples { what, .. } => what,
                other => panic!("{other}"),
            }
        };
        assert_eq!(refused(1_999, 1 << 20), "values");
        assert_eq!(refused(1 << 20, 2 * reference.length - 1), "bytes");
    }

    #[test]
    fn names_of_columns_and_values_of_the_log_take_memory_too() {
        let name = "x".repeat(1_000);
        let (run, reference) = stored(&Series::new("s", vec![(name.as_str(), Vec::new()); 1_000]));
        assert!(reference.length < 1_000, "{} bytes", reference.length);
        let mut budget = SampleBudget { values: 200_000, ..SampleBudget::new() };
        let mut read = || read_series(run.path(), &reference, &mut budget);
        assert!(read().is_ok());
        assert!(matches!(read(), Err(ReadError::TooManySamples { what: "values", .. })));

        let log = format!("{{\"event\":\"trial_finished\",\"x\":[{}0]}}\n", "0,".repeat(1_000));
        let mut budget = SampleBudget { values: 5_000, ..SampleBudget::new() };
        let mut take = || budget.take_line(log.as_bytes(), run.path());
        assert!(take().is_ok());
        assert!(matches!(take(), Err(ReadError::TooManySamples { .. })));
    }

    #[test]
    fn a_line_without_its_newline_was_never_recorded() {
        let lines = |log| newline_terminated_lines(log).count();
        assert_eq!((lines(b""), lines(b"{}"), lines(b"{}\n"), lines(b"{}\n{\"ev")), (0, 0, 1, 1));
    }
}
