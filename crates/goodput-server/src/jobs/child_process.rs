//! A job's process: this program as a child, with events on standard output and answers on standard input.
//! Each job has a thread that waits for all of its processes to end.

use super::job_tracker::JobExit;
use crate::live_events::MAX_EVENT_LINE_BYTES;
use goodput_model::event_line::{EventLine, ManualStepAnswer};
use goodput_words::{ErrorMessage, message};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::Pid;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// Makes the process end with the thread that started it.
const RUNNER: &str = "GOODPUT_RUNNER";
const RUNS: &str = "GOODPUT_RUNS";
/// Poll interval of a silent process.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
const SOON: Duration = Duration::from_millis(20);
/// Other processes may inherit its streams; they are read this long after its end.
const OUTPUT_TIMEOUT: Duration = Duration::from_secs(1);

#[derive(Debug, Clone)]
pub struct ChildCommand {
    pub program: PathBuf,
    pub args: Vec<String>,
    /// First line of its standard input, before any answer.
    pub input: Option<String>,
    pub environment: Vec<(&'static str, String)>,
    pub withheld: Vec<&'static str>,
    pub runs: PathBuf,
    pub grace: Duration,
}

#[derive(Debug)]
pub enum SupervisorEvent {
    Line(EventLine),
    Said(String),
    Closed,
    Stop,
    Answer(ManualStepAnswer),
}

#[derive(Debug)]
pub enum ChildOutput {
    Line(EventLine),
    Said(String),
}

/// Follows the process to its end; nothing of it remains afterwards.
pub fn run_child(
    launch: &ChildCommand,
    tell: &Sender<SupervisorEvent>,
    told: &Receiver<SupervisorEvent>,
    heard: &mut dyn FnMut(ChildOutput),
) -> JobExit {
    let mut child = match launch.command().spawn() {
        Ok(child) => child,
        Err(e) => {
            let program = launch.program.display().to_string();
            let how = message!(served_program_not_started { program, why: e.message() });
            return JobExit { exit: None, how };
        }
    };
    let mut open = 0;
    if let Some(out) = child.stdout.take() {
        open += 1;
        read_on(out, tell.clone(), |line| Some(SupervisorEvent::Line(serde_json::from_str(&line).ok()?)));
    }
    if let Some(err) = child.stderr.take() {
        open += 1;
        read_on(err, tell.clone(), |line| Some(SupervisorEvent::Said(line)));
    }
    let input = child.stdin.take().and_then(|input| match &launch.input {
        Some(line) => with_first_line(input, line),
        None => Some(input),
    });
    let mut process = Process { child, input, open, asked: None, gone: None };
    process.followed(launch.grace, told, heard)
}

impl ChildCommand {
    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        self.withheld.iter().for_each(|name| {
            command.env_remove(name);
        });
        command
            .args(&self.args)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env(RUNNER, std::process::id().to_string())
            .env(RUNS, &self.runs)
            // Ctrl-C at the server's terminal is for the server, which then interrupts its jobs.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

struct Process {
    child: Child,
    input: Option<ChildStdin>,
    /// Streams still open.
    open: u8,
    asked: Option<Instant>,
    gone: Option<Instant>,
}

impl Process {
    fn followed(
        &mut self,
        grace: Duration,
        told: &Receiver<SupervisorEvent>,
        heard: &mut dyn FnMut(ChildOutput),
    ) -> JobExit {
        loop {
            let soon = self.open == 0 || self.gone.is_some();
            let left = self.asked.map_or(POLL_INTERVAL, |at| grace.saturating_sub(at.elapsed()));
            match told.recv_timeout(if soon { SOON } else { left.min(POLL_INTERVAL) }) {
                Ok(SupervisorEvent::Line(line)) => heard(ChildOutput::Line(line)),
                Ok(SupervisorEvent::Said(sentence)) => heard(ChildOutput::Said(sentence)),
                Ok(SupervisorEvent::Closed) => self.open = self.open.saturating_sub(1),
                Ok(SupervisorEvent::Stop) => self.stop(),
                Ok(SupervisorEvent::Answer(answer)) => self.answer(&answer),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            if self.gone.is_none() && self.has_ended() {
                self.gone = Some(Instant::now());
            }
            let silent = self.open == 0 || self.gone.is_some_and(|at| at.elapsed() >= OUTPUT_TIMEOUT);
            if self.gone.is_some() && silent {
                return self.buried();
            }
            if self.gone.is_none() && self.asked.is_some_and(|at| at.elapsed() >= grace) {
                let _ = killpg(self.pid(), Signal::SIGKILL);
                // SIGKILL cannot be refused.
                self.asked = Some(Instant::now());
            }
        }
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32)
    }

    /// Interrupts it once: a second signal would abort. Not its group: inside a lab it forwards the signal.
    fn stop(&mut self) {
        if self.asked.is_none() && self.gone.is_none() {
            self.asked = Some(Instant::now());
            let _ = kill(self.pid(), Signal::SIGINT);
        }
    }

    fn answer(&mut self, answer: &ManualStepAnswer) {
        let Ok(mut line) = serde_json::to_vec(answer) else { return };
        line.push(b'\n');
        if let Some(input) = &mut self.input {
            // One answer per question never fills the pipe.
            let _ = input.write_all(&line).and_then(|()| input.flush());
        }
    }

    /// Without reaping: until then its PID and group remain valid.
    fn has_ended(&self) -> bool {
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
        !matches!(waitid(Id::Pid(self.pid()), flags), Ok(WaitStatus::StillAlive))
    }

    /// Kills the rest of its group, and reaps it.
    fn buried(&mut self) -> JobExit {
        let _ = killpg(self.pid(), Signal::SIGKILL);
        match self.child.wait() {
            Ok(status) => JobExit { exit: status.code(), how: status.to_string().into() },
            Err(e) => JobExit { exit: None, how: message!(served_end_not_seen { why: e.message() }) },
        }
    }
}

/// Writes on a thread, because the line may be longer than the pipe. Answers cannot overtake it: the process asks only
/// after reading it. `None` ends its input, which it reports.
fn with_first_line(input: ChildStdin, line: &str) -> Option<ChildStdin> {
    let mut pipe = File::from(input.as_fd().try_clone_to_owned().ok()?);
    let line = format!("{line}\n");
    std::thread::spawn(move || pipe.write_all(line.as_bytes()));
    Some(input)
}

/// Reads lines on a separate thread, so that a full pipe blocks nobody.
fn read_on(
    from: impl Read + Send + 'static,
    tell: Sender<SupervisorEvent>,
    message: impl Fn(String) -> Option<SupervisorEvent> + Send + 'static,
) {
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut line = Vec::new();
        loop {
            line.clear();
            match from.by_ref().take(MAX_EVENT_LINE_BYTES).read_until(b'\n', &mut line) {
                Ok(1..) => {}
                _ => break,
            }
            if let Some(message) = message(String::from_utf8_lossy(&line).trim_end().to_string())
                && tell.send(message).is_err()
            {
                return;
            }
        }
        let _ = tell.send(SupervisorEvent::Closed);
    });
}

#[cfg(test)]
mod tests;
