//! A background program of a test, with its output.

use crate::stage::ProcessRun;
use libtest_mimic::Failed;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Time until ready, for a debug build on a busy machine.
const READY: Duration = Duration::from_secs(30);
const LONGEST: Duration = Duration::from_secs(60);

pub struct Process {
    child: Child,
    began: Instant,
    lines: Receiver<String>,
    seen: Vec<String>,
}

impl Process {
    pub fn of(mut command: Command) -> Result<Process, Failed> {
        let mut child = command.spawn()?;
        let (tell, lines) = channel();
        let streams: [Option<Box<dyn Read + Send>>; 2] = [
            child.stdout.take().map(|s| Box::new(s) as Box<dyn Read + Send>),
            child.stderr.take().map(|s| Box::new(s) as Box<dyn Read + Send>),
        ];
        for stream in streams.into_iter().flatten() {
            let tell = tell.clone();
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if tell.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Process { child, began: Instant::now(), lines, seen: Vec::new() })
    }

    pub fn start(command: Command, ready: &str) -> Result<Process, Failed> {
        let mut process = Process::of(command)?;
        process.says(ready, READY)?;
        Ok(process)
    }

    pub fn run(command: Command) -> ProcessRun {
        crate::stage::running(command).end()
    }

    pub fn says(&mut self, words: &str, within: Duration) -> Result<String, Failed> {
        let until = Instant::now() + within;
        loop {
            match self.lines.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    self.seen.push(line.clone());
                    if line.contains(words) {
                        return Ok(line);
                    }
                }
                Err(_) => return Err(format!("no {words:?} within {within:?}, only {:#?}", self.seen).into()),
            }
        }
    }

    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        let signal: Signal = format!("SIG{name}").parse().expect("a signal's name");
        kill(Pid::from_raw(self.child.id() as i32), signal)
            .expect("the process is ours and not yet waited for");
    }

    pub fn end(mut self) -> ProcessRun {
        let asked = Instant::now();
        let status = loop {
            match self.child.try_wait().expect("the child is ours") {
                Some(status) => break status,
                None if asked.elapsed() > LONGEST => {
                    let _ = self.child.kill();
                    break self.child.wait().expect("the child is ours");
                }
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        self.seen.extend(self.lines.try_iter());
        ProcessRun { status, stdout: self.seen.join("\n"), stderr: String::new(), took: self.began.elapsed() }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
