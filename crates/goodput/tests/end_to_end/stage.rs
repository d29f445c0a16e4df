//! The tests' environment: the program with an empty home, agents on loopback, labs, all removed on drop; and
//! the names that every story uses.

pub use goodput_testkit::{find_free_port, must};
pub use libtest_mimic::Failed;
use nix::sys::signal::{self as signals, Signal};
use nix::unistd::Pid;
pub use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fmt::Display;
pub use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
pub use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
pub use std::time::{Duration, Instant};

pub type CommandOutput = Result<(), Failed>;

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_goodput");
const LONGEST: Duration = Duration::from_secs(120);
/// Time until ready, for a debug build on a busy machine.
const READY: Duration = Duration::from_secs(30);

pub struct Home {
    folder: tempfile::TempDir,
}

pub struct ProcessRun {
    pub status: ExitStatus,
    pub stdout: String,
    pub stderr: String,
    pub took: Duration,
}

/// A program in the background, killed on drop.
pub struct Running {
    child: Child,
    began: Instant,
    lines: Receiver<(usize, String)>,
    /// Standard output and standard error so far.
    said: [String; 2],
}

pub struct Agent {
    running: Running,
    pub port: u16,
    pub data_port: u16,
    pub notice: String,
}

impl Home {
    pub fn new() -> Home {
        Home { folder: tempfile::tempdir().expect("a folder for temporary files") }
    }

    pub fn with_key() -> Result<Home, Failed> {
        let home = Home::new();
        home.line("key new").ended(0)?;
        Ok(home)
    }

    /// With an agent on loopback.
    pub fn with_agent() -> Result<(Home, Agent), Failed> {
        let home = Home::new();
        let agent = home.agent(&[])?;
        Ok((home, agent))
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, and the folders that it lies in.
    pub fn file(&self, name: &str, text: impl AsRef<[u8]>) -> Result<String, Failed> {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(&path, text)?;
        Ok(path.display().to_string())
    }

    /// Likewise, but only the owner can read it.
    pub fn secret(&self, name: &str, text: impl AsRef<[u8]>) -> Result<String, Failed> {
        let path = self.file(name, text)?;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600))?;
        Ok(path)
    }

    pub fn runs(&self) -> PathBuf {
        self.path().join("runs")
    }

    pub fn command<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Command {
        self.command_by(&[], args)
    }

    /// The program, started by another one.
    pub fn command_by<S: AsRef<OsStr>>(&self, by: &[&str], args: impl IntoIterator<Item = S>) -> Command {
        let words = [by, &[PROGRAM]].concat();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(args).env("HOME", self.path()).env("GOODPUT_RUNS", self.runs());
        let ours = ["GOODPUT_KEY_FILE", "GOODPUT_ROUTER", "GOODPUT_INDEX"];
        for name in ours.iter().chain(&["XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"]) {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub fn start<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> Running {
        running(self.command(args))
    }

    pub fn start_line(&self, line: &str) -> Running {
        self.start(line.split_whitespace())
    }

    pub fn run<S: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = S>) -> ProcessRun {
        self.start(args).end()
    }

    pub fn line(&self, line: &str) -> ProcessRun {
        self.start_line(line).end()
    }

    /// The document that a command line prints, which ends with exit code 0.
    pub fn json(&self, line: &str) -> Result<Value, Failed> {
        self.line(&format!("{line} --json")).ended(0)?.json()
    }

    pub fn agent(&self, more: &[&str]) -> Result<Agent, Failed> {
        let (port, data_port) = (find_free_port(), find_free_port());
        let line = format!("agent --port {port} --data-port {data_port} --spool memory");
        let mut running = self.start(line.split(' ').chain(more.iter().copied()));
        let notice = running.says("", READY)?;
        must!(!notice.starts_with("error"), "the agent did not start: {notice}");
        Ok(Agent { running, port, data_port, notice })
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

    /// Also accepts exit code 1 where `relay-late` is the only error: the machine was busy.
    pub fn measured(self) -> Result<Value, Failed> {
        let document = self.json()?;
        let trials = list(&document["trials"]).iter().chain([&document]);
        let errors = trials.flat_map(|trial| list(&trial["findings"])).filter(|f| f["severity"] == "error");
        let errors: Vec<&Value> = errors.collect();
        let is_busy = |f: &&Value| f["id"] == "relay-late";
        let busy = self.code() == 1 && !errors.is_empty() && errors.iter().all(is_busy);
        must!(self.code() == 0 || busy, "{:?}: {document} {}", self.status, self.stderr);
        Ok(document)
    }

    pub fn ended(self, code: i32) -> Result<ProcessRun, Failed> {
        must!(self.code() == code, "{:?}\n{}\n{}", self.status, self.stdout, self.stderr);
        Ok(self)
    }

    /// Ended with this code, and these words and a hint in its error, as text or as a document.
    pub fn refused(self, code: i32, words: &[&str]) -> CommandOutput {
        let ran = self.ended(code)?;
        let (error, hint) = if ran.stdout.trim().is_empty() {
            (ran.stderr.clone(), ran.stderr.contains("error: ") && ran.stderr.contains("hint: "))
        } else {
            let error = &ran.json()?["error"];
            (error.to_string(), error["hint"].is_string() && error["exit_code"] == code)
        };
        let missing = words.iter().find(|word| !error.contains(**word));
        must!(hint && missing.is_none(), "{missing:?} in {error}");
        Ok(())
    }
}

impl Running {
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    pub fn signal(&self, name: &str) {
        signal(self.pid(), name);
    }

    pub fn input(&mut self, line: impl Display) -> Result<(), Failed> {
        Ok(writeln!(self.child.stdin.as_mut().ok_or("no standard input")?, "{line}")?)
    }

    /// Waits for a line with these words.
    pub fn says(&mut self, words: &str, within: Duration) -> Result<String, Failed> {
        let until = Instant::now() + within;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let Ok((stream, line)) = self.lines.recv_timeout(left) else {
                return Err(format!("no {words:?} within {within:?}, only {:#?}", self.said).into());
            };
            self.said[stream].push_str(&line);
            if line.contains(words) {
                return Ok(line.trim_end().to_string());
            }
        }
    }

    pub fn end(self) -> ProcessRun {
        self.within(LONGEST)
    }

    /// Killed if it has not ended this long from now on.
    pub fn within(mut self, longest: Duration) -> ProcessRun {
        let until = Instant::now() + longest;
        let status = loop {
            match self.child.try_wait().expect("the child is ours") {
                Some(status) => break status,
                None if Instant::now() > until => {
                    let _ = self.child.kill();
                    break self.child.wait().expect("the child is ours");
                }
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        let took = self.began.elapsed();
        while let Ok((stream, line)) = self.lines.recv_timeout(LONGEST) {
            self.said[stream].push_str(&line);
        }
        let [stdout, stderr] = std::mem::take(&mut self.said);
        ProcessRun { status, stdout, stderr, took }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Agent {
    pub fn ports(&self) -> String {
        format!("--port {}", self.port)
    }

    /// The command line of a probe with this agent.
    pub fn probe(&self, probe: &str, more: &str) -> String {
        format!("{probe} 127.0.0.1 --port {} {more}", self.port)
    }

    pub fn signal(&self, name: &str) {
        self.running.signal(name);
    }
}

pub fn running(mut command: Command) -> Running {
    let began = Instant::now();
    let mut child = command.spawn().expect("the program starts");
    let (tell, lines) = channel();
    let out = child.stdout.take().map(|out| Box::new(out) as Box<dyn Read + Send>);
    let err = child.stderr.take().map(|err| Box::new(err) as Box<dyn Read + Send>);
    for (number, stream) in [out, err].into_iter().enumerate() {
        let Some(stream) = stream else { continue };
        let tell = tell.clone();
        thread::spawn(move || {
            let (mut from, mut line) = (BufReader::new(stream), Vec::new());
            while from.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
                // Reads on without a receiver, so that the program never blocks.
                let _ = tell.send((number, String::from_utf8_lossy(&line).into_owned()));
                line.clear();
            }
        });
    }
    Running { child, began, lines, said: Default::default() }
}

/// Started and ready, which a line with these words shows.
pub fn ready(command: Command, words: &str) -> Result<Running, Failed> {
    let mut running = running(command);
    running.says(words, READY)?;
    Ok(running)
}

pub fn signal(pid: u32, name: &str) {
    let signal: Signal = format!("SIG{name}").parse().expect("a signal's name");
    signals::kill(Pid::from_raw(pid as i32), signal).expect("the process is ours and not yet waited for");
}

/// All processes of this machine.
pub fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// A process's stat without its number and name, which may contain anything (proc(5)): its state, its parent
/// and so on; nothing if it is gone.
pub fn stat(pid: u32) -> Vec<String> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let after = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    after.split_whitespace().map(str::to_string).collect()
}

pub fn children_of(parent: u32) -> Vec<u32> {
    processes().filter(|pid| stat(*pid).get(1) == Some(&parent.to_string())).collect()
}

/// A counter of /proc/net/snmp (proc(5)): a line of names and one of values for each protocol.
pub fn snmp(text: &str, protocol: &str, name: &str) -> Result<u64, Failed> {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(protocol)?.strip_prefix(": "));
    let (names, values) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let found = names.split(' ').zip(values.split(' ')).find(|(n, _)| *n == name);
    found.and_then(|(_, v)| v.parse().ok()).ok_or_else(|| format!("no {name} in {text}").into())
}

/// The sums of the counters of /proc/net/dev (proc(5)) over all links but loopback: bytes and packets received
/// are 0 and 1, those sent 8 and 9.
pub fn link_counters(text: &str) -> [u64; 16] {
    let mut sums = [0; 16];
    for (name, counters) in text.lines().filter_map(|line| line.split_once(':')) {
        let counters = counters.split_whitespace().filter_map(|counter| counter.parse::<u64>().ok());
        if name.trim() != "lo" {
            sums.iter_mut().zip(counters).for_each(|(sum, counter)| *sum += counter);
        }
    }
    sums
}

/// Polls until it holds.
pub fn until(what: &str, within: Duration, mut holds: impl FnMut() -> Result<bool, Failed>) -> CommandOutput {
    let began = Instant::now();
    while !holds()? {
        must!(began.elapsed() < within, "{what}: not within {within:?}");
        thread::sleep(Duration::from_millis(10));
    }
    Ok(())
}

pub struct Lab {
    pub home: Home,
    pub name: String,
    state: Value,
}

impl Lab {
    pub fn of(story: &str, topology: &str) -> Result<Lab, Failed> {
        let home = Home::new();
        let file = home.file("topology.toml", topology)?;
        Lab::raised(home, story, &[&file])
    }

    pub fn up(story: &str, more: &[&str]) -> Result<Lab, Failed> {
        Lab::raised(Home::new(), story, more)
    }

    fn raised(home: Home, story: &str, more: &[&str]) -> Result<Lab, Failed> {
        static RAISED: AtomicU32 = AtomicU32::new(1);
        let number = RAISED.fetch_add(1, Ordering::Relaxed);
        let name = format!("e2e-{story}-{}-{number}", std::process::id());
        let mut lab = Lab { home, name, state: Value::Null };
        let args = ["lab", "up", "--json", "--name", &lab.name];
        lab.state = lab.home.run(args.iter().chain(more)).ended(0)?.json()?;
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
        let mut hosts = list(&self.state["hosts"]).iter();
        let found = hosts.find(|h| h["name"] == host).and_then(|h| h["process"]["pid"].as_u64());
        found.map(|pid| pid as u32).ok_or_else(|| format!("no agent in {host}: {}", self.state).into())
    }

    pub fn key_file(&self) -> Result<String, Failed> {
        let file = self.state["key_file"].as_str().map(str::to_string);
        file.ok_or_else(|| format!("no key in {}", self.state).into())
    }

    /// A probe from host a to host b.
    pub fn probe(&self, probe: &str, more: &str) -> String {
        format!("{probe} {} --from {} --json {more}", self.host("b"), self.host("a"))
    }

    pub fn load(&self, clients: &str, more: &str) -> String {
        format!("load {} --clients {} {more}", self.host("server"), self.host(clients))
    }

    pub fn measure(&self, probe: &str, more: &str) -> Result<Value, Failed> {
        self.home.line(&self.probe(probe, more)).measured()
    }

    pub fn down(&self) -> ProcessRun {
        self.home.run(["lab", "down", &self.name])
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.down();
    }
}

pub fn why_no_lab() -> Option<String> {
    let (home, name) = (Home::new(), format!("e2e-try-{}", std::process::id()));
    let tried = home.line(&format!("lab up --name {name} --json"));
    home.line(&format!("lab down {name}"));
    let cause = |v: Value| v["error"]["cause"].as_str().or(v["error"]["error"].as_str()).map(str::to_string);
    let why = || tried.json().ok().and_then(cause).unwrap_or_else(|| "no lab can be raised here".to_string());
    (tried.code() != 0).then(why)
}

/// The elements of an array; none if it is something else.
pub fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
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
    list(&result["findings"]).iter().find(|f| f["id"] == id)
}

pub fn proving() -> bool {
    std::env::var_os("GOODPUT_PROVE").is_some_and(|v| v == "1")
}
