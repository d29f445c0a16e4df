//! Runs a program on this host without a shell and within a time limit.

use crate::time_arg;
use goodput_words::{ErrorMessage, Message, message};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Bytes of output that are kept; the rest is read and discarded.
const MAX_OUTPUT: usize = 64 << 10;
/// How long to wait for remaining output after exit: a child process may hold the pipe open.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(500);
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Returns standard output, trimmed. On timeout the whole process group is killed.
pub(super) fn run_command(words: &[String], limit: Duration) -> Result<String, Message> {
    let Some((program, rest)) = words.split_first() else { return Err("the command has no words".into()) };
    let line = &words.join(" ");
    let mut command = Command::new(program);
    command.args(rest).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    // The command must not learn where the keys are.
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(b"GOODPUT_"))
    {
        command.env_remove(name);
    }
    let failed = |e: io::Error| message!(error_command_cannot_be_started { command: line, why: e.message() });
    let mut child = command.spawn().map_err(failed)?;
    let (out, err) = (read_on(child.stdout.take()), read_on(child.stderr.take()));
    let failed = |e: io::Error| message!(error_command_cannot_be_awaited { command: line, why: e.message() });
    let Some(status) = wait(&mut child, limit).map_err(failed)? else {
        let time = time_arg(limit.as_secs() as f64);
        return Err(message!(error_command_timed_out { command: line, time }));
    };
    let text = |from: Receiver<Vec<u8>>| {
        let bytes = from.recv_timeout(OUTPUT_TIMEOUT).unwrap_or_default();
        String::from_utf8_lossy(&bytes).trim().to_string()
    };
    if status.success() {
        return Ok(text(out));
    }
    let ended = match (status.code(), status.signal()) {
        (Some(code), _) => message!(error_command_exit_code { command: line, code: code.to_string() }),
        (None, Some(signal)) => message!(error_command_signal { command: line, signal: signal.to_string() }),
        (None, None) => message!(error_command_ended { command: line }),
    };
    let said = text(err);
    Err(said.lines().last().map_or(ended.clone(), |why| message!(list_colon { what: ended, why })))
}

/// `None` after a timeout; the child was killed.
fn wait(child: &mut Child, limit: Duration) -> io::Result<Option<ExitStatus>> {
    let until = Instant::now() + limit;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status));
        }
        if Instant::now() >= until {
            let group = i32::try_from(child.id()).map(Pid::from_raw);
            if !group.is_ok_and(|group| killpg(group, Signal::SIGKILL).is_ok()) {
                child.kill()?;
            }
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

fn read_on(from: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (tell, told) = channel();
    if let Some(mut from) = from {
        let reading = move || {
            let mut kept = Vec::new();
            let mut page = [0u8; 4096];
            while let Ok(length @ 1..) = from.read(&mut page) {
                let room = MAX_OUTPUT.saturating_sub(kept.len());
                kept.extend_from_slice(&page[..length.min(room)]);
            }
            let _ = tell.send(kept);
        };
        let _ = thread::Builder::new().name("goodput-output".into()).spawn(reading);
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(|w| w.to_string()).collect()
    }

    fn ran(all: &[&str]) -> Result<String, Message> {
        run_command(&words(all), Duration::from_secs(20))
    }

    #[test]
    fn what_it_prints_is_read_and_what_goes_wrong_is_said_with_its_last_words() {
        assert_eq!(ran(&["printf", " two words \n"]), Ok("two words".into()));
        assert_eq!(ran(&["echo", "*", "$HOME;"]), Ok("* $HOME;".into()));
        assert_eq!(ran(&["sh", "-c", "yes | head -c 1000000"]).map(|t| t.len() / 1000), Ok(65));

        let said = ran(&["sh", "-c", "echo first >&2; echo no such card >&2; exit 3"]).unwrap_err();
        assert!(said.ends_with("ended with exit code 3: no such card"), "{said}");
        assert!(ran(&["/no/such/program"]).unwrap_err().contains("cannot be started"));
        assert!(run_command(&[], Duration::ZERO).is_err());
    }

    #[test]
    fn what_does_not_end_is_ended_with_its_children() {
        let began = Instant::now();
        let said = run_command(&words(&["sh", "-c", "sleep 600 & sleep 600"]), Duration::from_millis(50))
            .unwrap_err();
        assert!(said.contains("did not end within"), "{said}");
        assert!(began.elapsed() < Duration::from_secs(60));
        // A background child holds the pipe; its output is not awaited.
        assert_eq!(ran(&["sh", "-c", "sleep 2 & echo done"]).map(|t| t.is_empty() || t == "done"), Ok(true));
    }
}
