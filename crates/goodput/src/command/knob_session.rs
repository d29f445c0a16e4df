//! Child processes that hold host settings: one `goodput level-setter` per host, with JSON lines each way.
//! Processes, because a lab's host is only reachable inside its lab, a hung one must not block who started it, and one
//! whose starter is killed still restores. They end at the end of their input; agents then restore settings.

use crate::command::level_setter::LevelSetterRequest;
use goodput_control::knobs::{AppliedSetting, HostSettingSpec, RestoredSetting};
use goodput_model::Message;
use goodput_words::message_argument::fixed_decimals_arg;
use goodput_words::{ErrorMessage, message};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Name lookup, connection, TLS, and entering a lab's host.
const START: Duration = Duration::from_secs(40);
/// Longer than the deadlines of [`goodput_control::knobs::HostKnobs`].
const ANSWER: Duration = Duration::from_secs(240);
const LEAVE: Duration = Duration::from_secs(20);

pub struct HostKnobSession {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<Result<Value, Message>>,
    said: Receiver<String>,
}

/// Whose settings a session holds.
pub enum KnobSessionHost<'a> {
    /// Of this machine, without an agent.
    Here { journal: &'a Path },
    /// Of an agent's host, as typed, with the options that reach it.
    Agent { host: &'a str, reaching: &'a [(&'static str, String)] },
}

/// This machine without an agent: a loopback address or its name, without a port.
pub fn is_here(host: &str) -> bool {
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    host == "localhost" || bare.parse().is_ok_and(|ip: std::net::IpAddr| ip.is_loopback())
}

/// Shared by all runs of this user, so that the next one restores what a killed one left. `None` without a home.
pub fn local_knob_journal() -> Option<PathBuf> {
    let state = |v: &str| std::env::var_os(v).map(PathBuf::from).filter(|p| p.is_absolute());
    let state = state("XDG_STATE_HOME").or_else(|| state("HOME").map(|home| home.join(".local/state")));
    state.map(|state| state.join("goodput/knobs.journal"))
}

/// `client` is what the agent calls the holder; `towards` are the other hosts, which select an unnamed interface.
pub fn knob_session_command<'a>(
    program: &Path,
    client: &str,
    towards: impl Iterator<Item = &'a String>,
    host: &KnobSessionHost<'_>,
) -> Command {
    let mut command = Command::new(program);
    command.arg("level-setter").arg(format!("--client={client}"));
    command.args(towards.map(|other| format!("--towards={other}")));
    match host {
        KnobSessionHost::Here { journal } => {
            command.arg("--journal").arg(journal);
        }
        KnobSessionHost::Agent { host, reaching } => {
            command.args(reaching.iter().flat_map(|(option, value)| [option, value.as_str()]));
            // A host's name may come from the experiment's file and must not become an option.
            command.args(["--", *host]);
        }
    }
    command
}

impl HostKnobSession {
    pub fn open(mut command: Command) -> Result<HostKnobSession, Message> {
        // Ctrl-C is for this process, which restores settings; the children must live until then.
        command.process_group(0).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let cannot = |e: std::io::Error| message!(error_knob_session_not_started { why: e.message() });
        let mut child = command.spawn().map_err(cannot)?;
        let (tell, answers) = channel();
        let (say, said) = channel();
        if let Some(out) = child.stdout.take() {
            reading(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    let answer = serde_json::from_str::<Value>(&line);
                    let misunderstood = |e: serde_json::Error| {
                        message!(error_knob_session_answer { why: Message::from(e.to_string()) })
                    };
                    if tell.send(answer.map_err(misunderstood)).is_err() {
                        return;
                    }
                }
            });
        }
        if let Some(err) = child.stderr.take() {
            reading(move || {
                let mut text = Vec::new();
                let _ = err.take(1 << 16).read_to_end(&mut text);
                let _ = say.send(String::from_utf8_lossy(&text).into_owned());
            });
        }
        let input = child.stdin.take();
        let mut seat = HostKnobSession { child, input, answers, said };
        match seat.hear(START)? {
            ready if ready["answer"] == "ready" => Ok(seat),
            _ => Err("an answer came before a question".into()),
        }
    }

    /// The open session if it still lives, else a new one.
    pub fn reuse_or_open(
        open: Option<HostKnobSession>,
        command: impl FnOnce() -> Result<Command, Message>,
    ) -> Result<HostKnobSession, Message> {
        match open.and_then(|mut session| session.lives().then_some(session)) {
            Some(session) => Ok(session),
            None => HostKnobSession::open(command()?),
        }
    }

    fn lives(&mut self) -> bool {
        self.input.is_some() && matches!(self.child.try_wait(), Ok(None))
    }

    /// `None` where it cannot be read.
    pub fn read_setting(&mut self, subject: &HostSettingSpec) -> Result<Option<String>, Message> {
        self.ask(&LevelSetterRequest::Read { subject: subject.clone() }, "value")
    }

    pub fn apply_setting(
        &mut self,
        subject: &HostSettingSpec,
        value: &str,
    ) -> Result<AppliedSetting, Message> {
        self.ask(&LevelSetterRequest::Set { subject: subject.clone(), value: value.to_string() }, "put")
    }

    pub fn restore_settings(&mut self) -> Result<Vec<RestoredSetting>, Message> {
        self.ask(&LevelSetterRequest::Restore, "told")
    }

    pub fn read_inventory(&mut self) -> Result<Value, Message> {
        self.ask(&LevelSetterRequest::Inventory, "inventory")
    }

    /// The field of the answer, see [`crate::command::level_setter::LevelSetterResponse`].
    fn ask<T: DeserializeOwned>(&mut self, question: &LevelSetterRequest, field: &str) -> Result<T, Message> {
        let unwritten = |e: serde_json::Error| {
            message!(error_knob_session_question { why: Message::from(e.to_string()) })
        };
        let mut line = serde_json::to_vec(question).map_err(unwritten)?;
        line.push(b'\n');
        let written = self.input.as_mut().map(|input| input.write_all(&line).and_then(|()| input.flush()));
        if !matches!(written, Some(Ok(()))) {
            return Err(self.ended());
        }
        let mut answer = self.hear(ANSWER)?;
        let found = answer.get_mut(field).map(Value::take);
        let found = found.and_then(|value| serde_json::from_value(value).ok());
        found.ok_or_else(|| "the answer is to another question".into())
    }

    fn hear(&mut self, deadline: Duration) -> Result<Value, Message> {
        match self.answers.recv_timeout(deadline) {
            Ok(Ok(mut answer)) if answer["answer"] == "refused" => {
                Err(serde_json::from_value(answer["why"].take()).unwrap_or_default())
            }
            Ok(answer) => answer,
            Err(RecvTimeoutError::Timeout) => {
                // A late answer would be taken for the next question's.
                self.input = None;
                let _ = self.child.kill();
                let time = fixed_decimals_arg(deadline.as_secs_f64(), 0, "s");
                Err(message!(part_no_answer_within { time }))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.ended()),
        }
    }

    fn ended(&mut self) -> Message {
        self.input = None;
        let text = self.said.recv_timeout(LEAVE).unwrap_or_default();
        let part = |begin: &str| text.lines().find_map(|line| line.strip_prefix(begin)).map(str::trim);
        match (part("error:"), part("cause:")) {
            (Some(error), Some(cause)) => {
                message!(list_colon { what: Message::from(error), why: Message::from(cause) })
            }
            (Some(error), None) => error.into(),
            (None, _) => "the process that held its settings has ended".into(),
        }
    }
}

impl Drop for HostKnobSession {
    fn drop(&mut self) {
        // The end of its input ends it.
        self.input = None;
        let until = Instant::now() + LEAVE;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Without a thread there is no answer, and the deadline ends the wait.
fn reading(work: impl FnOnce() + Send + 'static) {
    let _ = thread::Builder::new().name("level-setter".into()).spawn(work);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_without_a_port_is_this_machine() {
        for here in ["localhost", "127.0.0.1", "::1", "[::1]"] {
            assert!(is_here(here), "{here}");
        }
        for there in ["127.0.0.1:6303", "10.0.0.1", "lab:a@x", "nas", ""] {
            assert!(!is_here(there), "{there}");
        }
    }

    #[test]
    fn a_process_that_says_why_it_ends_is_quoted() {
        let mut command = Command::new("sh");
        command.args(["-c", "echo error: no way >&2; echo cause: cut off >&2; exit 3"]);
        assert_eq!(HostKnobSession::open(command).err().as_deref(), Some("no way: cut off"));
        let mut silent = Command::new("sh");
        silent.args(["-c", "exit 0"]);
        assert!(HostKnobSession::open(silent).err().unwrap().contains("has ended"));
    }
}
