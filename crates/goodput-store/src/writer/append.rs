//! Continues an unfinished run: cuts off a partial last line, and excludes other writers.

use super::{RunWriter, WriteError, at};
use crate::format;
use crate::reader::{newline_terminated_lines, parse_recorded_trial, read_run_header};
use crate::run_folder;
use goodput_model::{Event, TrialId};
use goodput_words::{Message, message};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

const LOOK_EVERY: Duration = Duration::from_millis(5);

const BLOCK: u64 = 64 * 1024;

/// The exclusive right to continue a run, held by an experiment while its measurements open the log in turn.
#[derive(Debug)]
pub struct RunLock(#[allow(dead_code, reason = "closing the file gives the lock back")] File);

impl RunLock {
    /// Waits up to `within` for another holder: a killed program may need a moment to end.
    pub fn acquire(folder: &Path, within: Duration) -> Result<RunLock, WriteError> {
        let path = folder.join(format::RUN_HEADER_FILE);
        let file = at(&path, run_folder::open(folder, format::RUN_HEADER_FILE))?;
        lock(&file, &path, within)?;
        Ok(RunLock(file))
    }
}

impl RunWriter {
    /// Opens a run to add events, and cuts off an unacknowledged last line. Waits up to `within` for another
    /// writer; fails for finished and unreadable runs.
    pub fn open_for_append(folder: &Path, within: Duration) -> Result<RunWriter, WriteError> {
        let unreadable = |source| WriteError::Unreadable { source: Box::new(source) };
        let head = read_run_header(folder).map_err(unreadable)?;
        if head.format != format::RUN_FORMAT_VERSION {
            // The head determines the format of lines, and is never rewritten.
            return Err(WriteError::Event {
                event: "next",
                why: message!(cause_run_other_format {
                    theirs: head.format.to_string(),
                    ours: format::RUN_FORMAT_VERSION,
                }),
            });
        }
        let path = folder.join(format::EVENTS_FILE);
        let mut options = OpenOptions::new();
        let opened = run_folder::open_with(folder, format::EVENTS_FILE, options.read(true).append(true));
        let mut log = at(&path, opened)?;
        lock(&log, &path, within)?;
        let (whole, finished) = at(&path, state(&mut log))?;
        if finished {
            return Err(WriteError::Finished { id: head.id });
        }
        if at(&path, log.metadata())?.len() > whole {
            at(&path, log.set_len(whole))?;
            at(&path, log.sync_all())?;
        }
        Ok(RunWriter { id: head.id, folder: folder.to_path_buf(), log, log_length: whole, finished: false })
    }

    /// Trials in the log from this byte on, and the log's end for the next call.
    pub fn trials_from_offset(&self, from: u64) -> Result<(Vec<TrialId>, u64), WriteError> {
        let path = self.folder.join(format::EVENTS_FILE);
        let mut log = at(&path, run_folder::open(&self.folder, format::EVENTS_FILE))?;
        let text = at(&path, read_range(&mut log, from, u64::MAX))?;
        let mut trials = Vec::new();
        for line in newline_terminated_lines(&text) {
            trials.extend(parse_recorded_trial(line).map_err(|e| self.damaged(&e))?);
        }
        Ok((trials, from + newline_terminated_lines(&text).map(|line| line.len() as u64).sum::<u64>()))
    }

    /// The last recorded trial, read backwards, because every execution of a long experiment calls it.
    pub fn last_recorded_trial(&self) -> Result<Option<TrialId>, WriteError> {
        let path = self.folder.join(format::EVENTS_FILE);
        let mut log = at(&path, run_folder::open(&self.folder, format::EVENTS_FILE))?;
        let mut reach = BLOCK;
        loop {
            let start = self.log_length.saturating_sub(reach);
            let text = at(&path, read_range(&mut log, start, self.log_length))?;
            // The first line began before this block, unless the log itself begins here.
            let cut = text.iter().position(|&b| b == b'\n').map_or(text.len(), |newline| newline + 1);
            let lines: Vec<&[u8]> =
                newline_terminated_lines(&text[if start == 0 { 0 } else { cut }..]).collect();
            for line in lines.into_iter().rev() {
                if let Some(trial) = parse_recorded_trial(line).map_err(|e| self.damaged(&e))? {
                    return Ok(Some(trial));
                }
            }
            if start == 0 {
                return Ok(None);
            }
            reach = reach.saturating_mul(8);
        }
    }

    fn damaged(&self, e: &serde_json::Error) -> WriteError {
        let (id, why) = (self.id.to_string(), Message::from(e.to_string()));
        WriteError::Event { event: "next", why: message!(cause_run_log_line_damaged { id, why }) }
    }
}

/// Length of complete lines, and whether the run is finished. Reads only the end.
fn state(log: &mut File) -> io::Result<(u64, bool)> {
    let mut end = log.seek(SeekFrom::End(0))?;
    while end > 0 {
        let start = end.saturating_sub(BLOCK);
        let block = read_range(log, start, end)?;
        if let Some(newline) = block.iter().rposition(|&b| b == b'\n') {
            let whole = start + newline as u64 + 1;
            return Ok((whole, last_is_the_end(log, whole)?));
        }
        end = start;
    }
    Ok((0, false))
}

fn last_is_the_end(log: &mut File, whole: u64) -> io::Result<bool> {
    let tail = read_range(log, whole.saturating_sub(BLOCK), whole)?;
    let last = tail.strip_suffix(b"\n").and_then(|t| t.rsplit(|&b| b == b'\n').next()).unwrap_or_default();
    Ok(matches!(serde_json::from_slice(last), Ok(Event::RunFinished)))
}

/// The bytes in [`start`, `end`), or up to the end of the file.
fn read_range(log: &mut File, start: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    log.seek(SeekFrom::Start(start))?;
    log.take(end - start).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Exclusive lock, flock(2).
fn lock(file: &File, path: &Path, within: Duration) -> Result<(), WriteError> {
    let until = Instant::now() + within;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => std::thread::sleep(LOOK_EVERY),
            Err(TryLockError::WouldBlock) => return Err(WriteError::Busy { path: path.to_path_buf() }),
            Err(TryLockError::Error(source)) => {
                return Err(WriteError::Io { path: path.to_path_buf(), source });
            }
        }
    }
}
