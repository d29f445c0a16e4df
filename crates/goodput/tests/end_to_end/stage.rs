//! The tests' environment: the program with an empty home, agents on loopback, labs, all removed on drop.

pub use goodput_testkit::free_port;
use libtest_mimic::Failed;
use nix::sys::signal::{self as signals, Signal};
use nix::unistd::Pid;
use serde_json::Value;
use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_goodput");
const LONGEST: Duration = Duration::from_secs(120);

pub struct Home {
    folder: tempfile::TempDir,
}

pub struct ProcessRun {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

pub struct Running {
    child: Child,
    began: Instant,
    out: Option<std::thread::JoinHandle<String>>,
    err: Option<std::thread::JoinHandle<String>>,
}

pub struct Agent {
    child: Child,
    pub port: u16,
    pub data_port: u16,
    pub notice: String,
}

impl Home {
    pub fn new() -> Home {
        Home { folder: tempfile::tempdir().expect("a folder for temporary files") }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn runs(&self) -> PathBuf {
        self.path().join("runs")
    }

    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        let mut command = Command::new(PROGRAM);
        command
            .args(args)
            .env("HOME", self.path())
            .env("GOODPUT_RUNS", self.runs())
            .env_remove("GOODPUT_KEY_FILE")
            .env_remove("GOODPUT_ROUTER")
            .env_remove("GOODPUT_INDEX")
            .env_remove("XDG_CACHE_HOME")
            .env_remove("XDG_DATA_HOME")
            .env_remove("XDG_STATE_HOME")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    pub fn start<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Running {
        running(self.command(args))
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> ProcessRun {
        self.start(args).end()
    }

    pub fn line(&self, line: &str) -> ProcessRun {
        self.run(line.split_whitespace())
    }

    pub fn agent(&self, more: &[&str]) -> Result<Agent, Failed> {
        let (port, data_port) = (free_port(), free_port());
        let (control, data) = (port.to_string(), data_port.to_string());
        let mut args = vec!["agent", "--port", &control, "--data-port", &data, "--spool", "memory"];
        args.extend(more);
        let mut child = self.command(args).spawn()?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("no standard error")?).lines();
        let (tell, told) = mpsc::channel();
        std::thread::spawn(move || {
            let first = lines.next().and_then(Result::ok);
            let _ = tell.send(first);
            lines.for_each(drop);
        });
        match told.recv_timeout(Duration::from_secs(20)) {
            Ok(Some(notice)) if !notice.starts_with("error") => Ok(Agent { child, port, data_port, notice }),
            other => {
                let _ = child.kill();
                let _ = child.wait();
                Err(format!("the agent did not start: {other:?}").into())
            }
        }
    }
}

impl ProcessRun {
    pub fn code(&self) -> i32 {
        self.status.code().unwrap_or(-1)
    }

    pub fn json(&self) -> Result<Value, Failed> {
        serde_json::from_str(&self.stdout)
            .map_err(|e| format!("{e} in {:?}; {}", self.stdout, self.stderr).into())
    }

    /// Also accepts exit code 1: findings of a busy machine, such as a short window or a late relay.
    pub fn measured(self) -> Result<Value, Failed> {
        const BUSY: [&str; 2] = ["window-too-short", "relay-late"];
        if self.code() != 1 {
            return self.ended(0)?.json();
        }
        let document = self.json()?;
        let trials = document["trials"].as_array().into_iter().flatten().chain([&document]);
        let findings = trials.flat_map(|trial| trial["findings"].as_array().into_iter().flatten());
        let errors: Vec<&str> =
            findings.filter(|f| f["severity"] == "error").filter_map(|f| f["id"].as_str()).collect();
        let busy = !errors.is_empty() && errors.iter().all(|id| BUSY.contains(id));
        if busy { Ok(document) } else { Err(format!("exit 1: {document}").into()) }
    }

    pub fn ended(self, code: i32) -> Result<ProcessRun, Failed> {
        if self.code() == code {
            Ok(self)
        } else {
            Err(format!("exit {:?} instead of {code}\n{}\n{}", self.status, self.stdout, self.stderr).into())
        }
    }
}

impl Running {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn end(self) -> ProcessRun {
        self.within(LONGEST)
    }

    pub fn within(mut self, longest: Duration) -> ProcessRun {
        let status = loop {
            match self.child.try_wait().expect("the child is ours") {
                Some(status) => break status,
                None if self.began.elapsed() > longest => {
                    let _ = self.child.kill();
                    break self.child.wait().expect("the child is ours");
                }
                None => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let took = self.began.elapsed();
        let text =
            |h: Option<std::thread::JoinHandle<String>>| h.and_then(|h| h.join().ok()).unwrap_or_default();
        ProcessRun { status, stdout: text(self.out.take()), stderr: text(self.err.take()), took }
    }

    pub fn signal(&self, name: &str) {
        signal(self.pid(), name);
    }
}

impl Agent {
    pub fn ports(&self) -> String {
        format!("--port {}", self.port)
    }

    pub fn signal(&self, name: &str) {
        signal(self.child.id(), name);
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn kill(pid: u32) {
    signal(pid, "KILL");
}

pub fn running(mut command: Command) -> Running {
    let began = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let out = child.stdout.take().map(read_on);
    let err = child.stderr.take().map(read_on);
    Running { child, began, out, err }
}

pub fn signal(pid: u32, name: &str) {
    let signal: Signal = format!("SIG{name}").parse().expect("a signal's name");
    signals::kill(Pid::from_raw(pid as i32), signal).expect("the process is ours and not yet waited for");
}

fn read_on(mut from: impl Read + Send + 'static) -> std::thread::JoinHandle<String> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

pub struct Lab<'a> {
    home: &'a Home,
    pub name: String,
    state: Value,
}

impl<'a> Lab<'a> {
    pub fn of(home: &'a Home, story: &str, topology: &str) -> Result<Lab<'a>, Failed> {
        let file = home.path().join(format!("{story}.toml"));
        std::fs::write(&file, topology)?;
        Lab::up(home, story, &[&file.to_string_lossy()])
    }

    pub fn up(home: &'a Home, story: &str, more: &[&str]) -> Result<Lab<'a>, Failed> {
        static RAISED: AtomicU32 = AtomicU32::new(1);
        let number = RAISED.fetch_add(1, Ordering::Relaxed);
        let name = format!("e2e-{story}-{}-{number}", std::process::id());
        let mut lab = Lab { home, name, state: Value::Null };
        let mut args = vec!["lab", "up", "--json", "--name", &lab.name];
        args.extend(more);
        lab.state = home.run(args).ended(0)?.json()?;
        Ok(lab)
    }

    pub fn host(&self, host: &str) -> String {
        format!("lab:{host}@{}", self.name)
    }

    pub fn exec<'b>(&self, host: &str, command: impl IntoIterator<Item = &'b str>) -> Result<String, Failed> {
        let inside = ["lab".to_string(), "exec".into(), self.host(host), "--".into()];
        let words = inside.into_iter().chain(command.into_iter().map(str::to_string));
        Ok(self.home.run(words).ended(0)?.stdout)
    }

    pub fn counted(&self, host: &str, table: &str) -> Result<u64, Failed> {
        let list = ["nft", "list", "table"].into_iter().chain(table.split(' '));
        let text = self.exec(host, list)?;
        let after = text.split("counter packets ").nth(1).and_then(|t| t.split(' ').next()?.parse().ok());
        after.ok_or_else(|| format!("no counter in {text}").into())
    }

    pub fn agent(&self, host: &str) -> Result<u32, Failed> {
        let hosts = self.state["hosts"].as_array().ok_or("no hosts")?;
        let found = hosts.iter().find(|h| h["name"] == host).and_then(|h| h["process"]["pid"].as_u64());
        found.map(|pid| pid as u32).ok_or_else(|| format!("no agent in {host}: {}", self.state).into())
    }

    pub fn key_file(&self) -> Result<String, Failed> {
        let file = self.state["key_file"].as_str().map(str::to_string);
        file.ok_or_else(|| format!("no key in {}", self.state).into())
    }

    pub fn pinned(&self) -> Result<u64, Failed> {
        number(&self.state, "/pin/cpu")
    }

    pub fn down(&self) -> ProcessRun {
        self.home.run(["lab", "down", &self.name])
    }
}

impl Drop for Lab<'_> {
    fn drop(&mut self) {
        let _ = self.down();
    }
}

pub fn why_no_lab() -> Option<String> {
    let home = Home::new();
    match Lab::up(&home, "try", &[]) {
        Ok(_) => None,
        Err(_) => {
            let again =
                home.run(["lab", "up", "--name", &format!("e2e-why-{}", std::process::id()), "--json"]);
            let cause =
                |v: Value| v["error"]["cause"].as_str().or(v["error"]["error"].as_str()).map(str::to_string);
            Some(again.json().ok().and_then(cause).unwrap_or_else(|| "no lab can be raised here".to_string()))
        }
    }
}

pub fn number(document: &Value, pointer: &str) -> Result<u64, Failed> {
    document
        .pointer(pointer)
        .and_then(Value::as_u64)
        .ok_or_else(|| format!("no number at {pointer} of {document}").into())
}

/// Repeats an assertion about time or rate, which other load can only worsen, until one attempt succeeds.
pub fn undisturbed(attempts: u32, mut attempt: impl FnMut() -> Result<(), Failed>) -> Result<(), Failed> {
    let mut last = attempt();
    for number in 1..attempts {
        let Err(why) = &last else { break };
        println!("attempt {number} of {attempts}: {}", why.message().unwrap_or("failed"));
        last = attempt();
    }
    last
}

pub fn finding<'a>(result: &'a Value, id: &str) -> Option<&'a Value> {
    result["findings"].as_array()?.iter().find(|f| f["id"] == id)
}

pub fn proving() -> bool {
    std::env::var_os("GOODPUT_PROVE").is_some_and(|v| v == "1")
}
