//! NFS-Ganesha and a portmapper on loopback in their own network namespace. Each test runs inside in its own
//! process, because a threaded program cannot change its namespaces.

use std::fs;
use std::net::{Ipv4Addr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const INSIDE: &str = "GOODPUT_TEST_NFS";
pub const PORT: u16 = 2049;
pub const MOUNT_PORT: u16 = 20048;

pub struct Ganesha {
    child: Child,
    folder: TempDir,
}

pub fn why_none() -> Option<String> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places: Vec<PathBuf> =
        std::env::split_paths(&path).chain(["/usr/sbin", "/sbin"].map(PathBuf::from)).collect();
    for program in ["ganesha.nfsd", "rpcbind", "unshare", "setpriv", "ip"] {
        if !places.iter().any(|place| place.join(program).is_file()) {
            return Some(format!("{program} is not installed"));
        }
    }
    let mut own = Command::new("unshare");
    let status = own.args(["--net", "--mount", "--pid", "--fork", "true"]).stderr(Stdio::null()).status();
    (!status.is_ok_and(|status| status.success())).then(|| "namespaces cannot be made here".into())
}

/// Runs a test in its own namespaces; returns its output on failure.
pub fn inside(name: &str) -> Result<(), String> {
    let prepare = "ip link set lo up && mount -t proc proc /proc && mount -t tmpfs none /run \
         && mkdir -p /run/rpcbind /run/ganesha && rpcbind && exec \"$@\"";
    let mut second = Command::new("setpriv");
    second.args("--pdeathsig KILL unshare --net --mount --pid --fork --kill-child sh -c".split(' '));
    second.args([prepare, "sh"]).arg(std::env::current_exe().unwrap()).env(INSIDE, name);
    let told = second.stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8_lossy(&told.stderr);
    if told.status.success() { Ok(()) } else { Err(format!("{}: {said}", told.status)) }
}

pub fn story() -> Option<String> {
    std::env::var(INSIDE).ok()
}

impl Ganesha {
    pub fn start() -> Ganesha {
        let folder = tempfile::Builder::new().prefix("ganesha-").tempdir_in("/dev/shm").unwrap();
        fs::create_dir(folder.path().join("export")).unwrap();
        let at = folder.path().display();
        let configuration = format!(
            "NFS_CORE_PARAM {{ Protocols = 3; NFS_Port = {PORT}; MNT_Port = {MOUNT_PORT};
                Enable_NLM = false; Enable_RQUOTA = false; Enable_UDP = false; }}
            EXPORT {{ Export_Id = 1; Path = {at}/export; Pseudo = /export; Protocols = 3; Transports = TCP;
                Access_Type = RW; Squash = None; SecType = sys; FSAL {{ Name = VFS; }} }}"
        );
        fs::write(folder.path().join("ganesha.conf"), configuration).unwrap();
        let path = |name| folder.path().join(name);
        let mut command = Command::new("ganesha.nfsd");
        command.args(["-L".into(), path("log"), "-f".into(), path("ganesha.conf"), "-p".into(), path("pid")]);
        command.arg("-F").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut server = Ganesha { child: command.spawn().unwrap(), folder };
        server.await_start();
        server
    }

    fn await_start(&mut self) {
        let began = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, PORT)).is_err() {
            let log = fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(self.child.try_wait().unwrap().is_none(), "it ended: {log}");
            assert!(began.elapsed() < Duration::from_secs(20), "it does not listen: {log}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn folder(&self) -> PathBuf {
        self.folder.path().join("export")
    }

    pub fn export(&self) -> String {
        self.folder().to_string_lossy().into_owned()
    }

    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Ganesha {
    fn drop(&mut self) {
        self.kill();
    }
}
