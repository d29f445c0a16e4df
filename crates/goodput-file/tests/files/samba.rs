//! A real Samba for tests: Debian's smbd with its own configuration, temporary folder and namespaces. Also
//! used, by path, by the program's tests.
#![allow(dead_code, clippy::unwrap_used)]

use std::fs;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub const USER: &str = "nobody";
pub const PASSWORD: &str = "corr3ct-horse";
/// A writable share, a read-only one, and one that is full after [`SMALL`] bytes.
pub const DATA: &str = "data";
pub const LOCKED: &str = "locked";
pub const LITTLE: &str = "little";
pub const SMALL: u64 = 24 << 20;

pub struct Samba {
    child: Child,
    folder: TempDir,
    pub port: u16,
}

pub fn why_none() -> Option<String> {
    for program in ["smbd", "smbpasswd", "smbclient", "unshare", "setpriv", "ip"] {
        if find(program).is_none() {
            return Some(format!("{program} is not installed"));
        }
    }
    let own =
        Command::new("unshare").args(["--mount", "--pid", "--fork", "true"]).stderr(Stdio::null()).status();
    match own {
        Ok(status) if status.success() => None,
        _ => Some("namespaces cannot be made here".into()),
    }
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(["/usr/sbin", "/sbin"].map(PathBuf::from));
    places.map(|place| place.join(program)).find(|file| file.is_file())
}

impl Samba {
    pub fn start() -> Samba {
        Samba::start_with("", &[])
    }

    /// Adds configuration lines and a command prefix `inside`, such as `nsenter --net=/proc/PID/ns/net --`,
    /// where the port is 445.
    pub fn start_with(lines: &str, inside: &[&str]) -> Samba {
        Samba::try_start(lines, inside).expect("a Samba")
    }

    fn try_start(lines: &str, inside: &[&str]) -> io::Result<Samba> {
        let folder = tempfile::Builder::new().prefix("samba-").tempdir_in("/dev/shm")?;
        let port = if inside.is_empty() {
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port()
        } else {
            445
        };
        for name in [DATA, LOCKED, LITTLE, "state", "state/private"] {
            fs::create_dir(folder.path().join(name))?;
        }
        fs::write(folder.path().join(LOCKED).join("present"), "here\n")?;
        let address = if inside.is_empty() { "127.0.0.1" } else { "0.0.0.0" };
        fs::write(folder.path().join("smb.conf"), configuration(folder.path(), port, address, lines))?;
        enrol(folder.path())?;
        let small = folder.path().join(LITTLE);
        let script = format!(
            "mount -t tmpfs -o size={SMALL} none {} && ip link set lo up && exec \"$@\"",
            small.display()
        );
        let mut words: Vec<&str> = inside.to_vec();
        // All its processes die with the PID namespace's first one, which dies with unshare and with us.
        words.extend([
            "setpriv",
            "--pdeathsig",
            "KILL",
            "unshare",
            "--mount",
            "--pid",
            "--fork",
            "--kill-child",
        ]);
        words.extend(["sh", "-c", &script, "sh"]);
        let smbd = find("smbd").ok_or(io::ErrorKind::NotFound)?;
        let log = fs::File::create(folder.path().join("state/out"))?;
        let child = Command::new(words[0])
            .args(&words[1..])
            .arg(smbd)
            .args(["--foreground", "--no-process-group", "--debug-stdout", "--configfile"])
            .arg(folder.path().join("smb.conf"))
            .stdin(Stdio::null())
            .stdout(log.try_clone()?)
            .stderr(log)
            .spawn()?;
        let mut samba = Samba { child, folder, port };
        samba.await_start(inside)?;
        Ok(samba)
    }

    fn await_start(&mut self, inside: &[&str]) -> io::Result<()> {
        let began = Instant::now();
        while began.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.child.try_wait()? {
                return Err(io::Error::other(format!("smbd ended ({status}): {}", self.log())));
            }
            // It listens before its helpers run, and then refuses shares with STATUS_NO_MEMORY.
            let mut client = self.client_inside(inside, DATA, "exit");
            let there = client.stdout(Stdio::null()).stderr(Stdio::null()).status()?.success();
            if there {
                return Ok(());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Err(io::Error::other(format!("smbd does not listen: {}", self.log())))
    }

    pub fn data(&self) -> PathBuf {
        self.folder.path().join(DATA)
    }

    pub fn locked(&self) -> PathBuf {
        self.folder.path().join(LOCKED)
    }

    pub fn log(&self) -> String {
        fs::read_to_string(self.folder.path().join("state/out")).unwrap_or_default()
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub fn signal(&self, signal: &str) {
        let pids: Vec<String> = descendants(self.child.id()).iter().map(u32::to_string).collect();
        let sent = Command::new("kill").arg(format!("-{signal}")).args(&pids).status();
        assert!(sent.unwrap().success(), "kill -{signal} {pids:?}");
    }

    pub fn client(&self, share: &str, commands: &str) -> Command {
        self.client_inside(&[], share, commands)
    }

    fn client_inside(&self, inside: &[&str], share: &str, commands: &str) -> Command {
        let secret = self.folder.path().join("state/credentials");
        let mut file = fs::File::create(&secret).unwrap();
        writeln!(file, "username={USER}\npassword={PASSWORD}").unwrap();
        let words = [inside, &["smbclient"]].concat();
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .arg(format!("//127.0.0.1/{share}"))
            .args(["--port", &self.port.to_string(), "--configfile"])
            .arg(self.folder.path().join("smb.conf"))
            .arg("--authentication-file")
            .arg(secret)
            .args(["--command", commands]);
        command
    }
}

impl Drop for Samba {
    fn drop(&mut self) {
        self.kill();
    }
}

/// From `/proc/PID/task/PID/children`, recursively.
fn descendants(of: u32) -> Vec<u32> {
    let path = format!("/proc/{of}/task/{of}/children");
    let children: Vec<u32> = fs::read_to_string(path)
        .unwrap_or_default()
        .split_ascii_whitespace()
        .filter_map(|pid| pid.parse().ok())
        .collect();
    let below: Vec<u32> = children.iter().flat_map(|child| descendants(*child)).collect();
    children.into_iter().chain(below).collect()
}

fn configuration(folder: &Path, port: u16, address: &str, lines: &str) -> String {
    let at = folder.display();
    // Files belong to the test's user.
    format!(
        "[global]
            workgroup = GOODPUT
            server role = standalone server
            disable netbios = yes
            smb ports = {port}
            interfaces = {address}
            bind interfaces only = {only}
            private dir = {at}/state/private
            lock directory = {at}/state
            state directory = {at}/state
            cache directory = {at}/state
            pid directory = {at}/state
            ncalrpc dir = {at}/state/ncalrpc
            binddns dir = {at}/state
            log file = {at}/state/log
            log level = 0
            passdb backend = tdbsam:{at}/state/passdb.tdb
            load printers = no
            printcap name = /dev/null
            disable spoolss = yes
            rpc start on demand helpers = no
            usershare max shares = 0
            {lines}
        [{DATA}]
            path = {at}/{DATA}
            read only = no
            force user = root
        [{LOCKED}]
            path = {at}/{LOCKED}
            read only = yes
            force user = root
        [{LITTLE}]
            path = {at}/{LITTLE}
            read only = no
            force user = root
        ",
        only = if address == "0.0.0.0" { "no" } else { "yes" },
    )
    .lines()
    .map(|line| line.trim_start().to_string() + "\n")
    .collect()
}

fn enrol(folder: &Path) -> io::Result<()> {
    let mut child = Command::new("smbpasswd")
        .arg("-c")
        .arg(folder.join("smb.conf"))
        .args(["-s", "-a", USER])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(input) = &mut child.stdin {
        write!(input, "{PASSWORD}\n{PASSWORD}\n")?;
    }
    let done = child.wait_with_output()?;
    if done.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("smbpasswd: {}", String::from_utf8_lossy(&done.stderr))))
}
