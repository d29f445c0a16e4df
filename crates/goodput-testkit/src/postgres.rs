//! A temporary PostgreSQL on a socket, run by an unprivileged user.

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, Uid, chown};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Stops on drop.
pub struct PostgresServer {
    child: Child,
    programs: PathBuf,
    folder: TempDir,
    databases: AtomicU32,
}

/// PostgreSQL refuses to run as root; every Linux has this user.
const NOBODY: u32 = 65_534;

impl PostgresServer {
    /// The error says why there is none.
    pub fn start_server() -> Result<PostgresServer, String> {
        let programs = postgres_bin_folder()?;
        let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
        if Uid::effective().is_root() {
            chown(folder.path(), Some(NOBODY.into()), Some(NOBODY.into())).map_err(|e| e.to_string())?;
        }
        let data = folder.path().join("data");
        let made = as_nobody(&programs.join("initdb"))
            .args([
                "--no-sync",
                "--auth=trust",
                "--username=goodput",
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "-D",
            ])
            .arg(&data)
            .current_dir(folder.path())
            .output()
            .map_err(|e| format!("initdb: {e}"))?;
        if !made.status.success() {
            return Err(format!("initdb failed: {}", String::from_utf8_lossy(&made.stderr).trim()));
        }
        let log = fs::File::create(folder.path().join("log")).map_err(|e| e.to_string())?;
        let child = as_nobody(&programs.join("postgres"))
            .arg("-D")
            .arg(&data)
            .arg("-k")
            .arg(folder.path())
            // Each test uses a few connections; tests run in parallel on all CPUs.
            .args(["-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=500"])
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .map_err(|e| format!("postgres: {e}"))?;
        let server = PostgresServer { child, programs, folder, databases: AtomicU32::new(0) };
        let until = Instant::now() + Duration::from_secs(60);
        while !server.create("ready") {
            if Instant::now() > until {
                let log = fs::read_to_string(server.folder.path().join("log")).unwrap_or_default();
                return Err(format!("the server does not come up: {log}"));
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(server)
    }

    /// Of a new database.
    pub fn create_database(&self) -> String {
        let name = format!("story{}", self.databases.fetch_add(1, Ordering::Relaxed));
        assert!(self.create(&name), "cannot make the database {name}");
        format!("postgres:///{name}?host={}&user=goodput", self.folder.path().display())
    }

    fn create(&self, name: &str) -> bool {
        let made = Command::new(self.programs.join("createdb"))
            .arg("-h")
            .arg(self.folder.path())
            .args(["-U", "goodput", name])
            .output();
        made.is_ok_and(|m| m.status.success())
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        // Fast shutdown, then SIGKILL.
        let pid = Pid::from_raw(self.child.id() as i32);
        let _ = kill(pid, Signal::SIGINT);
        let until = Instant::now() + Duration::from_secs(20);
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(20));
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Drops privileges if we are root; ends with this process.
fn as_nobody(program: &Path) -> Command {
    let mut command = Command::new("setpriv");
    command.args(["--pdeathsig", "INT"]);
    if Uid::effective().is_root() {
        let id = NOBODY.to_string();
        command.args(["--reuid", &id, "--regid", &id, "--clear-groups"]);
    }
    command.arg("--").arg(program);
    command
}

/// Debian keeps them by version, others in the path.
pub fn postgres_bin_folder() -> Result<PathBuf, String> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions.map(|v| v.path().join("bin")).collect();
    found.sort();
    found.reverse();
    found.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let whole = |p: &PathBuf| ["initdb", "postgres", "createdb"].iter().all(|name| p.join(name).is_file());
    found.into_iter().find(whole).ok_or_else(|| "no PostgreSQL server is installed".to_string())
}
