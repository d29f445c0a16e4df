//! A real Samba for tests: Debian's smbd with its own configuration, temporary folder and namespaces. Also
//! used, by path, by the program's tests.
#![allow(dead_code, clippy::unwrap_used)]

use std::fs;
use std::io;
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
    let programs = ["smbd", "smbpasswd", "smbclient", "unshare", "setpriv", "ip"];
    if let Some(missing) = programs.iter().find(|program| find(program).is_none()) {
        return Some(format!("{missing} is not installed"));
    }
    let mut own = Command::new("unshare");
    let status = own.args(["--mount", "--pid", "--fork", "true"]).stderr(Stdio::null()).status();
    (!status.is_ok_and(|status| status.success())).then(|| "namespaces cannot be made here".into())
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

    /// Adds configuration lines and a prefix `inside`, such as `nsenter --net=/proc/PID/ns/net --`: port 445.
    pub fn start_with(lines: &str, inside: &[&str]) -> Samba {
        Samba::try_start(lines, inside).expect("a Samba")
    }

    fn try_start(lines: &str, inside: &[&str]) -> io::Result<Samba> {
        let folder = tempfile::Builder::new().prefix("samba-").tempdir_in("/dev/shm")?;
        let (address, port) = match inside {
            [] => ("127.0.0.1", TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port()),
            _ => ("0.0.0.0", 445),
        };
        for name in [DATA, LOCKED, LITTLE, "state", "state/private"] {
            fs::create_dir(folder.path().join(name))?;
        }
        fs::write(folder.path().join(LOCKED).join("present"), "here\n")?;
        fs::write(folder.path().join("smb.conf"), configuration(folder.path(), port, address, lines))?;
        enrol(folder.path())?;
        let small = folder.path().join(LITTLE);
        let (small, up) = (small.display(), "ip link set lo up && exec \"$@\"");
        let script = format!("mount -t tmpfs -o size={SMALL} none {small} && {up}");
        let mut words: Vec<&str> = inside.to_vec();
        // All its processes die with the PID namespace's first one, which dies with unshare and with us.
        words.extend("setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child sh -c".split(' '));
        words.extend([script.as_str(), "sh"]);
        let smbd = find("smbd").ok_or(io::ErrorKind::NotFound)?;
        let log = fs::File::create(folder.path().join("state/out"))?;
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).arg(smbd).args(["--foreground", "--no-process-group", "--debug-stdout"]);
        command.arg("--configfile").arg(folder.path().join("smb.conf"));
        let child = command.stdin(Stdio::null()).stdout(log.try_clone()?).stderr(log).spawn()?;
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
            if client.stdout(Stdio::null()).stderr(Stdio::null()).status()?.success() {
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
        let [secret, conf] = ["state/credentials", "smb.conf"].map(|name| self.folder.path().join(name));
        fs::write(&secret, format!("username={USER}\npassword={PASSWORD}\n")).unwrap();
        let words = [inside, &["smbclient"]].concat();
        let mut command = Command::new(words[0]);
        command
            .args(&words[1..])
            .arg(format!("//127.0.0.1/{share}"))
            .args(["--port", &self.port.to_string()]);
        command.arg("--configfile").arg(conf).arg("--authentication-file").arg(secret);
        command.args(["--command", commands]);
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
    let listed = fs::read_to_string(path).unwrap_or_default();
    let children: Vec<u32> = listed.split_ascii_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    let below: Vec<u32> = children.iter().flat_map(|child| descendants(*child)).collect();
    children.into_iter().chain(below).collect()
}

fn configuration(folder: &Path, port: u16, address: &str, lines: &str) -> String {
    let at = folder.display();
    let only = if address == "0.0.0.0" { "no" } else { "yes" };
    let folders = ["lock directory", "state directory", "cache directory", "pid directory", "binddns dir"]
        .map(|name| format!("{name} = {at}/state\n"));
    // Files belong to the test's user.
    let shares = [(DATA, "no"), (LOCKED, "yes"), (LITTLE, "no")].map(|(name, read_only)| {
        format!("[{name}]\npath = {at}/{name}\nread only = {read_only}\nforce user = root\n")
    });
    let global = format!(
        "[global]
            workgroup = GOODPUT
            server role = standalone server
            disable netbios = yes
            smb ports = {port}
            interfaces = {address}
            bind interfaces only = {only}
            private dir = {at}/state/private
            ncalrpc dir = {at}/state/ncalrpc
            log file = {at}/state/log
            log level = 0
            passdb backend = tdbsam:{at}/state/passdb.tdb
            load printers = no
            printcap name = /dev/null
            disable spoolss = yes
            rpc start on demand helpers = no
            usershare max shares = 0
            {lines}
        "
    );
    let global = global.lines().map(|line| line.trim_start().to_string() + "\n").collect::<String>();
    global + &folders.concat() + &shares.concat()
}

fn enrol(folder: &Path) -> io::Result<()> {
    let (secret, at) = (format!("{PASSWORD}\\n{PASSWORD}\\n"), folder.display());
    let script = format!("printf '{secret}' | smbpasswd -c {at}/smb.conf -s -a {USER}");
    let done = Command::new("sh").args(["-c", &script]).output()?;
    if done.status.success() {
        return Ok(());
    }
    Err(io::Error::other(format!("smbpasswd: {}", String::from_utf8_lossy(&done.stderr))))
}
