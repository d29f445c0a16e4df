//! One measurement of an experiment: this program as a child process that adds its trials to the run. Ctrl-C,
//! a lab's hosts and a hung process then behave as for a typed command.

use super::lab_names::qualify_lab_hosts;
use crate::events;
use crate::exit::ExitStatus;
use crate::failure::Failure;
use goodput_control::CancelFlag;
use goodput_control::experiment::{CommandOutcome, CommandRunner};
use goodput_lab::LabOrHostName;
use goodput_model::event_line::EventLine;
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome};
use goodput_model::{Message, TrialId};
use goodput_store::RunWriter;
use goodput_words::{ErrorMessage, message};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus as ProcessStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// Tells a measurement the PID of its runner.
pub(super) const RUNNER_PID_ENV_VARIABLE: &str = "GOODPUT_RUNNER";
/// How long an interrupted measurement may clean up.
const GRACE: Duration = Duration::from_secs(15);
/// How long a killed measurement may still hold its log.
const LOG_FREE: Duration = Duration::from_secs(10);
/// Poll interval for an interrupt. Rare, because a measurement is running.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// Bytes kept of a measurement's standard error.
const MAX_ERROR_TEXT: usize = 600;

/// The primary metric of an execution from its trials in the run's folder.
pub type PrimaryMetricFn = Box<dyn Fn(&CellExecution, &[TrialId]) -> Option<f64>>;

pub struct MeasurementProcesses {
    pub program: PathBuf,
    pub folder: PathBuf,
    pub runs: PathBuf,
    /// Connection options that every line inherits.
    pub options: Vec<(&'static str, String)>,
    /// Seed of the run; each cell derives its own.
    pub seed: u64,
    pub lab: Option<LabOrHostName>,
    /// Called only where repeats depend on it.
    pub primary_metric: PrimaryMetricFn,
    /// Bytes of the run's log already read.
    pub read_to: u64,
    pub codes: BTreeSet<Option<i32>>,
    pub events: bool,
}

pub fn measurement_args(
    line: &[String],
    lab: Option<&LabOrHostName>,
    options: &[(&'static str, String)],
    seed: u64,
) -> Vec<String> {
    let mut words: Vec<String> = line.iter().map(|word| qualify_lab_hosts(word, lab)).collect();
    let own = [("--seed", seed.to_string())];
    for (option, value) in options.iter().chain(&own) {
        if !has(&words, option) {
            words.extend([(*option).to_string(), value.clone()]);
        }
    }
    words
}

fn has(words: &[String], option: &str) -> bool {
    words.iter().any(|w| w == option || w.strip_prefix(option).is_some_and(|rest| rest.starts_with('=')))
}

impl CommandRunner for MeasurementProcesses {
    fn run_command(
        &mut self,
        cell: &CellExecution,
        line: &[String],
        limit: Duration,
        cancel: &CancelFlag,
    ) -> CommandOutcome {
        self.run(cell, line, limit, cancel).unwrap_or_else(|cause| CommandOutcome {
            outcome: Some(CellOutcome::Failed { cause }),
            ..CommandOutcome::default()
        })
    }
}

impl MeasurementProcesses {
    fn run(
        &mut self,
        cell: &CellExecution,
        line: &[String],
        limit: Duration,
        cancel: &CancelFlag,
    ) -> Result<CommandOutcome, Message> {
        if cancel.is_cancelled() {
            return Ok(CommandOutcome::default());
        }
        // Skip what an interrupted execution has left.
        self.recorded()?;
        let seed = self.seed.wrapping_add(u64::from(cell.number)) >> 1;
        let words = measurement_args(line, self.lab.as_ref(), &self.options, seed);
        let started = self.start(&words);
        let process = started.map_err(|e| message!(error_knob_session_not_started { why: e.message() }))?;
        let (end, document, exit_message) = process.waited_for(limit, cancel);
        let trials = self.recorded()?;
        let outcome = match end {
            End::Cancelled => None,
            End::TimedOut => Some(CellOutcome::TimedOut),
            End::Itself(status) => {
                self.codes.insert(status.code());
                Some(outcome(status, document.as_ref(), &exit_message, !trials.is_empty()))
            }
        };
        let done = outcome == Some(CellOutcome::Done);
        let figure = done.then(|| (self.primary_metric)(cell, &trials)).flatten();
        Ok(CommandOutcome { outcome, trials, figure })
    }

    /// New trials in the run's log; waits until nobody writes it.
    fn recorded(&mut self) -> Result<Vec<TrialId>, Message> {
        let writer = RunWriter::open_for_append(&self.folder, LOG_FREE);
        let (trials, end) = writer
            .and_then(|writer| writer.trials_from_offset(self.read_to))
            .map_err(|e| e.message_with_sources())?;
        self.read_to = end;
        Ok(trials)
    }

    fn start(&self, words: &[String]) -> std::io::Result<Process> {
        let mut child = Command::new(&self.program)
            .args(words)
            .arg(if self.events { "--events" } else { "--json" })
            .args([OsString::from("--into"), self.folder.clone().into()])
            .env(RUNNER_PID_ENV_VARIABLE, std::process::id().to_string())
            .env("GOODPUT_RUNS", &self.runs)
            // Ctrl-C at the terminal is for the runner, which then interrupts its measurement.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let read = if self.events { forward_events } else { read_document };
        let out = child.stdout.take().map(|out| in_thread(move || read(out)));
        let err = child.stderr.take().map(|err| in_thread(move || exit_message(&read_all(err))));
        Ok(Process { child, out, err, began: Instant::now() })
    }
}

struct Process {
    child: Child,
    /// The document, or the parts of it that are used here.
    out: Option<Receiver<Option<Value>>>,
    err: Option<Receiver<String>>,
    began: Instant,
}

#[derive(Clone, Copy)]
enum End {
    Itself(ProcessStatus),
    TimedOut,
    Cancelled,
}

impl Process {
    /// How it ended, its document, and its last words.
    fn waited_for(mut self, limit: Duration, cancel: &CancelFlag) -> (End, Option<Value>, String) {
        let mut document = None;
        let end = loop {
            let left = limit.saturating_sub(self.began.elapsed());
            // Its standard output closes when it ends, so no polling is needed.
            match self.out.as_ref().map(|out| out.recv_timeout(left.min(LOOK_EVERY))) {
                Some(Ok(read)) => {
                    document = read;
                    self.out = None;
                }
                Some(Err(RecvTimeoutError::Timeout)) => {}
                Some(Err(RecvTimeoutError::Disconnected)) => self.out = None,
                None => std::thread::sleep(left.min(Duration::from_millis(2))),
            }
            if self.out.is_none()
                && let Ok(Some(status)) = self.child.try_wait()
            {
                break End::Itself(status);
            }
            if cancel.is_cancelled() {
                self.ended();
                break End::Cancelled;
            }
            if left.is_zero() {
                self.ended();
                break End::TimedOut;
            }
        };
        let document = document.or_else(|| rest(self.out.take()).flatten());
        (end, document, rest(self.err.take()).unwrap_or_default())
    }

    fn ended(&mut self) {
        // Not its group: inside a lab it forwards the signal, and a second one would end it at once.
        let pid = Pid::from_raw(self.child.id() as i32);
        let _ = kill(pid, Signal::SIGINT);
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // It leads its group, and its PID is valid until it is waited for.
        let _ = killpg(pid, Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

/// What a thread has not delivered yet.
fn rest<T>(from: Option<Receiver<T>>) -> Option<T> {
    from?.recv_timeout(Duration::from_secs(1)).ok()
}

/// Pipes are read on threads of their own, so that a full one blocks nobody.
fn in_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Receiver<T> {
    let (tell, told) = channel();
    std::thread::spawn(move || tell.send(work()));
    told
}

fn read_all(mut from: impl Read) -> Vec<u8> {
    let mut bytes = Vec::new();
    let _ = from.read_to_end(&mut bytes);
    bytes
}

fn read_document(from: ChildStdout) -> Option<Value> {
    serde_json::from_slice(&read_all(from)).ok()
}

/// Forwards a measurement's events.
fn forward_events(from: ChildStdout) -> Option<Value> {
    let mut document = json!({});
    for line in BufReader::new(from).lines().map_while(Result::ok) {
        match serde_json::from_str(&line) {
            // The experiment reports begin and end of the run itself.
            Ok(EventLine::Started { .. } | EventLine::Unknown) | Err(_) => {}
            Ok(EventLine::Finished { failure, .. }) => document = json!({ "error": failure }),
            Ok(line) => events::write_event_line(&line),
        }
    }
    Some(document)
}

/// A finding of severity "error" is part of a complete result.
fn outcome(
    status: ProcessStatus,
    document: Option<&Value>,
    exit_message: &str,
    recorded: bool,
) -> CellOutcome {
    let codes = [ExitStatus::Done, ExitStatus::RequirementFailed].map(|exit| Some(i32::from(exit.code())));
    if codes.contains(&status.code()) {
        return match recorded {
            true => CellOutcome::Done,
            false => CellOutcome::Failed { cause: message!(cause_cell_recorded_nothing) },
        };
    }
    let said = |key: &str| document.and_then(|d| d["error"][key].as_str()).map(Message::from);
    let cause = match (said("error"), said("cause")) {
        (Some(what), Some(why)) => message!(list_colon { what, why }),
        (Some(error), None) => error,
        (None, _) if !exit_message.is_empty() => {
            message!(list_colon { what: status.to_string(), why: exit_message })
        }
        (None, _) => status.to_string().into(),
    };
    CellOutcome::Failed { cause }
}

fn exit_message(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let from = line.len().saturating_sub(MAX_ERROR_TEXT);
    let from = (from..line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
    line[from..].to_string()
}

/// False after the program's file was replaced.
pub fn is_current_executable(file: &Path) -> bool {
    let of = |path: &Path| std::fs::metadata(path).map(|meta| (meta.dev(), meta.ino())).ok();
    match of(Path::new("/proc/self/exe")) {
        Some(itself) => of(file) == Some(itself),
        // Unknown counts as unchanged.
        None => true,
    }
}

/// Makes the kernel send this signal when the parent (an experiment or the server) ends, even if killed. Must
/// precede any thread.
pub fn set_parent_death_signal(signal: Signal) -> Result<(), Failure> {
    let Ok(runner) = std::env::var(RUNNER_PID_ENV_VARIABLE) else { return Ok(()) };
    let _ = nix::sys::prctl::set_pdeathsig(signal);
    // The parent may have ended before the request.
    match nix::unistd::getppid().to_string() == runner {
        true => Ok(()),
        false => {
            Err(Failure::new(ExitStatus::Interrupted, "the program that has started this one has ended"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn ended(code: i32) -> ProcessStatus {
        ProcessStatus::from_raw(code << 8)
    }

    #[test]
    fn a_line_gets_what_it_does_not_have() {
        let line = ["stream", "lab:b", "--key-file=k"].map(String::from);
        let options = [("--key-file", "/k".to_string()), ("--router", "hub".to_string())];
        let lab = "exp-1".parse().unwrap();
        let expected = ["stream", "lab:b@exp-1", "--key-file=k", "--router", "hub", "--seed", "3"];
        assert_eq!(measurement_args(&line, Some(&lab), &options, 3), expected);
        let seeded = ["stream", "b", "--seed", "9"].map(String::from);
        assert_eq!(measurement_args(&seeded, None, &[], 3), ["stream", "b", "--seed", "9"]);
    }

    #[test]
    fn an_outcome_is_what_the_command_said() {
        assert_eq!(outcome(ended(0), None, "", true), CellOutcome::Done);
        assert_eq!(outcome(ended(1), None, "", true), CellOutcome::Done);
        assert!(matches!(outcome(ended(0), None, "", false), CellOutcome::Failed { .. }));
        let failed = |status, document: Option<&Value>, words| match outcome(status, document, words, true) {
            CellOutcome::Failed { cause } => cause,
            other => panic!("{other:?}"),
        };
        let document = json!({ "error": { "error": "cannot measure", "cause": "refused" } });
        assert_eq!(failed(ended(3), Some(&document), "x"), "cannot measure: refused");
        assert_eq!(failed(ended(101), None, "panicked"), "exit status: 101: panicked");
        assert_eq!(failed(ProcessStatus::from_raw(9), None, ""), "signal: 9 (SIGKILL)");
    }

    #[test]
    fn last_words_are_one_short_line() {
        assert_eq!(exit_message(b"a\n  b\n"), "a b");
        assert_eq!(exit_message("ö".repeat(1000).as_bytes()).chars().count(), 300);
    }
}
