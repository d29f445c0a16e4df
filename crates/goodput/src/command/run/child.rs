//! One measurement of an experiment: this program once more, as a process of its own that adds its trials to the run.
//! So Ctrl-C, a lab's hosts and a process that hangs are what they are for a command that a person has typed.

use super::names::in_lab;
use crate::events;
use crate::exit::Exit;
use crate::failure::Failure;
use goodput_control::Cancel;
use goodput_control::experiment::{Measured, Measuring};
use goodput_lab::Name;
use goodput_model::TrialId;
use goodput_model::event_line::EventLine;
use goodput_model::experiment::record::{Cell, CellOutcome};
use goodput_store::RunWriter;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The variable that tells a measurement who runs it.
pub(super) const RUNNER: &str = "GOODPUT_RUNNER";
/// How long a measurement that was asked to end may take to clean up.
const GRACE: Duration = Duration::from_secs(15);
/// How long its log may still be held by one that was killed.
const LOG_FREE: Duration = Duration::from_secs(10);
/// Between two looks whether somebody asks for an end. Rare, because something is being measured.
const LOOK_EVERY: Duration = Duration::from_millis(200);
/// As much of what a measurement says on standard error as is kept of it.
const LAST_WORDS: usize = 600;

/// Tells the primary metric of an execution from its trials in the run's folder.
pub type PrimaryMetric = Box<dyn Fn(&Cell, &[TrialId]) -> Option<f64>>;

/// Makes measurements with processes of this program.
pub struct Processes {
    pub program: PathBuf,
    pub folder: PathBuf,
    /// The folder of the runs: what others have left with the agents is brought home there.
    pub runs: PathBuf,
    /// Options that every line gets, unless it has them: those that lead to hosts.
    pub options: Vec<(&'static str, String)>,
    /// Seed of the run; each cell has another that follows from it.
    pub seed: u64,
    pub lab: Option<Name>,
    /// The primary metric of an execution that is done; asked only where repeats depend on it.
    pub primary_metric: PrimaryMetric,
    /// How far the run's log has been read, in bytes.
    pub read_to: u64,
    /// The exit codes that lines have ended with.
    pub codes: BTreeSet<Option<i32>>,
    /// A program watches: what measurements tell is passed on to it.
    pub events: bool,
}

/// The words of one execution, after the program's own name and before how it is to print.
pub fn words(
    line: &[String],
    lab: Option<&Name>,
    options: &[(&'static str, String)],
    seed: u64,
) -> Vec<String> {
    let mut words: Vec<String> = line.iter().map(|word| in_lab(word, lab)).collect();
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

impl Measuring for Processes {
    fn measure(&mut self, cell: &Cell, line: &[String], limit: Duration, cancel: &Cancel) -> Measured {
        let failed = |cause: String| Measured {
            outcome: Some(CellOutcome::Failed { cause }),
            trials: Vec::new(),
            figure: None,
        };
        if cancel.is_cancelled() {
            return Measured { outcome: None, trials: Vec::new(), figure: None };
        }
        // What a broken-off execution has left is not of this one.
        if let Err(cause) = self.recorded() {
            return failed(cause);
        }
        let seed = self.seed.wrapping_add(u64::from(cell.number)) >> 1;
        let words = words(line, self.lab.as_ref(), &self.options, seed);
        let run = match self.start(&words) {
            Ok(process) => process.waited_for(limit, cancel),
            Err(e) => return failed(format!("this program cannot be started again: {e}")),
        };
        let trials = match self.recorded() {
            Ok(trials) => trials,
            Err(cause) => return failed(cause),
        };
        let outcome = match run.end {
            End::Cancelled => None,
            End::TimedOut => Some(CellOutcome::TimedOut),
            End::Itself(status) => {
                self.codes.insert(status.code());
                Some(outcome(status, run.document.as_ref(), &run.last_words, !trials.is_empty()))
            }
        };
        let done = outcome == Some(CellOutcome::Done);
        let figure = done.then(|| (self.primary_metric)(cell, &trials)).flatten();
        Measured { outcome, trials, figure }
    }
}

impl Processes {
    /// The trials that came into the run's log since the last time; waits until nobody writes it any more.
    fn recorded(&mut self) -> Result<Vec<TrialId>, String> {
        let writer = RunWriter::append_to(&self.folder, LOG_FREE);
        let (trials, end) =
            writer.and_then(|writer| writer.recorded(self.read_to)).map_err(|e| crate::failure::chain(&e))?;
        self.read_to = end;
        Ok(trials)
    }

    fn start(&self, words: &[String]) -> std::io::Result<Process> {
        let mut child = Command::new(&self.program)
            .args(words)
            .arg(if self.events { "--events" } else { "--json" })
            .args([OsString::from("--into"), self.folder.clone().into()])
            .env(RUNNER, std::process::id().to_string())
            .env("GOODPUT_RUNS", &self.runs)
            // A key pressed at the terminal is for the runner, which then asks its measurement to end.
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let read: fn(ChildStdout) -> Receiver<Vec<u8>> = if self.events { passed_on } else { reading };
        let (out, err) = (child.stdout.take().map(read), child.stderr.take().map(reading));
        Ok(Process { child, out, err, began: Instant::now() })
    }
}

struct Process {
    child: Child,
    out: Option<Receiver<Vec<u8>>>,
    err: Option<Receiver<Vec<u8>>>,
    began: Instant,
}

struct Run {
    end: End,
    document: Option<Value>,
    last_words: String,
}

#[derive(Clone, Copy)]
enum End {
    Itself(ExitStatus),
    TimedOut,
    Cancelled,
}

impl Process {
    fn waited_for(mut self, limit: Duration, cancel: &Cancel) -> Run {
        let mut text = None;
        let end = loop {
            let left = limit.saturating_sub(self.began.elapsed());
            // Its standard output ends with it: no need to ask again and again whether it is there.
            match self.out.as_ref().map(|out| out.recv_timeout(left.min(LOOK_EVERY))) {
                Some(Ok(bytes)) => {
                    text = Some(bytes);
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
        let rest = |from: Option<Receiver<Vec<u8>>>| {
            from.and_then(|from| from.recv_timeout(Duration::from_secs(1)).ok()).unwrap_or_default()
        };
        let text = text.unwrap_or_else(|| rest(self.out.take()));
        Run {
            end,
            document: serde_json::from_slice(&text).ok(),
            last_words: last_words(&String::from_utf8_lossy(&rest(self.err.take()))),
        }
    }

    fn ended(&mut self) {
        // Only it, not its group: inside a lab it passes the signal on, and a second one would end it at once.
        let pid = Pid::from_raw(self.child.id() as i32);
        let _ = kill(pid, Signal::SIGINT);
        let asked = Instant::now();
        while asked.elapsed() < GRACE {
            if matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // It leads its group, and its number is its own as long as nobody has waited for it.
        let _ = killpg(pid, Signal::SIGKILL);
        let _ = self.child.wait();
    }
}

/// Reads all of it, on a thread of its own, so that a full pipe holds up nobody.
fn reading(mut from: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        let _ = tell.send(bytes);
    });
    told
}

/// Passes on what a measurement tells while it runs; what comes back is the document that it would have printed instead, as
/// far as it is looked at here.
fn passed_on(from: ChildStdout) -> Receiver<Vec<u8>> {
    let (tell, told) = channel();
    std::thread::spawn(move || {
        let mut document = json!({});
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            match serde_json::from_str(&line) {
                // The run is the experiment's, and so is its end.
                Ok(EventLine::Started { .. } | EventLine::Unknown) | Err(_) => {}
                Ok(EventLine::Finished { failure, .. }) => document = json!({ "error": failure }),
                Ok(line) => events::tell(&line),
            }
        }
        let _ = tell.send(document.to_string().into_bytes());
    });
    told
}

/// What an exit code says of a cell. A finding of severity "error" is part of a whole result.
fn outcome(status: ExitStatus, document: Option<&Value>, last_words: &str, recorded: bool) -> CellOutcome {
    let codes = [Exit::Done, Exit::RequirementFailed].map(|exit| Some(i32::from(exit.code())));
    if codes.contains(&status.code()) {
        return match recorded {
            true => CellOutcome::Done,
            false => CellOutcome::Failed { cause: "it ended well and recorded nothing".into() },
        };
    }
    let said = |key: &str| document.and_then(|d| d["error"][key].as_str());
    let cause = match (said("error"), said("cause")) {
        (Some(error), Some(cause)) => format!("{error}: {cause}"),
        (Some(error), None) => error.to_string(),
        (None, _) if !last_words.is_empty() => format!("{status}: {last_words}"),
        (None, _) => status.to_string(),
    };
    CellOutcome::Failed { cause }
}

/// The end of what was said, in one line.
fn last_words(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let from = line.len().saturating_sub(LAST_WORDS);
    let from = (from..line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len());
    line[from..].to_string()
}

/// Whether this file is the program that runs now: after an update it is another one.
pub fn is_this_program(file: &Path) -> bool {
    let of = |path: &Path| std::fs::metadata(path).map(|meta| (meta.dev(), meta.ino())).ok();
    match of(Path::new("/proc/self/exe")) {
        Some(itself) => of(file) == Some(itself),
        // Where nothing tells, nothing is held against it.
        None => true,
    }
}

/// For a measurement that another program runs, an experiment or the server: gets this signal when that one ends, also when
/// it is killed. Must come before any thread is started.
pub fn end_with_the_runner(signal: Signal) -> Result<(), Failure> {
    let Ok(runner) = std::env::var(RUNNER) else { return Ok(()) };
    let _ = nix::sys::prctl::set_pdeathsig(signal);
    // It may have ended before the kernel was asked.
    match nix::unistd::getppid().to_string() == runner {
        true => Ok(()),
        false => Err(Failure::new(Exit::Interrupted, "the program that has started this one has ended")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;

    fn ended(code: i32) -> ExitStatus {
        ExitStatus::from_raw(code << 8)
    }

    #[test]
    fn a_line_gets_what_it_does_not_have() {
        let line = ["stream", "lab:b", "--key-file=k"].map(String::from);
        let options = [("--key-file", "/k".to_string()), ("--router", "hub".to_string())];
        let lab = "exp-1".parse().unwrap();
        let expected = ["stream", "lab:b@exp-1", "--key-file=k", "--router", "hub", "--seed", "3"];
        assert_eq!(words(&line, Some(&lab), &options, 3), expected);
        let seeded = ["stream", "b", "--seed", "9"].map(String::from);
        assert_eq!(words(&seeded, None, &[], 3), ["stream", "b", "--seed", "9"]);
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
        assert_eq!(failed(ExitStatus::from_raw(9), None, ""), "signal: 9 (SIGKILL)");
    }

    #[test]
    fn last_words_are_one_short_line() {
        assert_eq!(last_words("a\n  b\n"), "a b");
        assert_eq!(last_words(&"ö".repeat(1000)).chars().count(), 300);
    }
}
