//! Runs an ignored test in its own process, which can be killed or stopped.

use crate::WAIT_TIMEOUT;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

pub struct ChildTest {
    child: Child,
    lines: Receiver<(Instant, String)>,
}

impl ChildTest {
    /// `test` includes its module.
    pub fn start(test: &str, variables: &[(&str, String)]) -> ChildTest {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", test, "--ignored", "--nocapture", "--test-threads=1"])
            .envs(variables.iter().map(|(name, value)| (*name, value.as_str())))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, lines) = channel();
        let out = BufReader::new(child.stdout.take().unwrap());
        thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                let _ = sender.send((Instant::now(), line));
            }
        });
        ChildTest { child, lines }
    }

    #[track_caller]
    pub fn await_line(&self, words: &str) -> String {
        let until = Instant::now() + WAIT_TIMEOUT;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (_, line) = self.lines.recv_timeout(left).unwrap_or_else(|e| panic!("no {words:?}: {e}"));
            if let Some((_, rest)) = line.split_once(words) {
                return rest.trim().to_string();
            }
        }
    }

    /// Arrival times of lines with these words so far.
    pub fn times_of(&self, words: &str) -> Vec<Instant> {
        self.lines.try_iter().filter(|(_, line)| line.contains(words)).map(|(at, _)| at).collect()
    }

    /// SIGSTOP: its connections stay open.
    pub fn stop(&self) {
        kill(Pid::from_raw(self.child.id() as i32), Signal::SIGSTOP).unwrap();
    }
}

impl Drop for ChildTest {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
