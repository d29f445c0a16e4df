//! A test marked as ignored, in a process of its own that can be killed, or stopped as if its link were cut.

use crate::SOON;
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
    /// Runs this test of the present binary, named with its module.
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
        let until = Instant::now() + SOON;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let (_, line) = self.lines.recv_timeout(left).unwrap_or_else(|e| panic!("no {words:?}: {e}"));
            if let Some((_, rest)) = line.split_once(words) {
                return rest.trim().to_string();
            }
        }
    }

    /// When each line with these words came, of those that came until now.
    pub fn times_of(&self, words: &str) -> Vec<Instant> {
        self.lines.try_iter().filter(|(_, line)| line.contains(words)).map(|(at, _)| at).collect()
    }

    /// Silent from now on, with all its connections open.
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
