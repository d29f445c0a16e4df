//! Starts the test binary again in its own mount namespace, or as a process to be killed.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Names the test or role of the second process.
const INSIDE: &str = "GOODPUT_FILE_INSIDE";
/// A new PID namespace that dies with its first process.
pub const CONTAINER: [&str; 5] = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];

pub fn why_no_mounts() -> Option<String> {
    let tried = unshare().arg("true").output();
    let can = tried.is_ok_and(|ran| ran.status.success());
    (!can).then(|| "no mount namespace of one's own".to_string())
}

pub fn why_no_loop_devices() -> Option<String> {
    let can = is_root() && Path::new("/dev/loop-control").exists() && run("mkfs.ext4", &["-V"]).is_ok();
    (!can).then(|| "needs root, loop devices and mkfs.ext4".to_string())
}

pub fn why_no_containers() -> Option<String> {
    let can = run(CONTAINER[0], &[&CONTAINER[1..], &["true"]].concat()).is_ok();
    (!can).then(|| "no PID namespace".to_string())
}

/// Runs a test again where it may mount. `None` in the first process, after the second has succeeded.
pub fn own_mounts(story: &str) -> Option<Stage> {
    if part().is_some_and(|inside| inside == story) {
        return Some(Stage { folder: tempfile::tempdir().unwrap() });
    }
    let exe = std::env::current_exe().unwrap();
    let name = format!("folder_{story}");
    let second = unshare().arg(exe).args([name.as_str(), "--exact"]).env(INSIDE, story).output().unwrap();
    let said = String::from_utf8_lossy(&second.stdout) + String::from_utf8_lossy(&second.stderr);
    assert!(second.status.success() && said.contains("1 passed"), "{said}");
    None
}

fn unshare() -> Command {
    let mut command = Command::new("unshare");
    command.args(["--mount", "--propagation", "private"]);
    if !is_root() {
        command.args(["--user", "--map-root-user"]);
    }
    command.arg("--");
    command
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata("/proc/self").unwrap().uid() == 0
}

/// This program as a process with a role ([`part`]), behind the command `prefix`; dies with [`Actor`].
pub fn actor(part: &str, prefix: &[&str]) -> Actor {
    let exe = std::env::current_exe().unwrap();
    let line = [prefix, &[exe.to_str().unwrap()]].concat();
    let mut command = Command::new(line[0]);
    command.args(&line[1..]).env(INSIDE, part).stdin(Stdio::null()).stdout(Stdio::null());
    Actor(command.stderr(Stdio::null()).spawn().unwrap())
}

pub fn part() -> Option<String> {
    std::env::var(INSIDE).ok()
}

pub struct Actor(Child);

impl Actor {
    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        self.kill();
    }
}

pub struct Stage {
    folder: tempfile::TempDir,
}

impl Stage {
    pub fn tmpfs(&self, name: &str, options: &str) -> Mounted {
        self.mount(name, &["-t", "tmpfs", "-o", options, "none"])
    }

    pub fn ext4(&self, name: &str, mebibytes: u64) -> Mounted {
        let image = self.folder.path().join(format!("{name}.img"));
        std::fs::File::create(&image).unwrap().set_len(mebibytes << 20).unwrap();
        let image = image.to_str().unwrap();
        run("mkfs.ext4", &["-q", "-m", "0", image]).unwrap();
        self.mount(name, &["-o", "loop", image])
    }

    fn mount(&self, name: &str, source: &[&str]) -> Mounted {
        let point = self.folder.path().join(name);
        std::fs::create_dir(&point).unwrap();
        run("mount", &[source, &[point.to_str().unwrap()]].concat()).unwrap();
        Mounted(point)
    }

    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

pub struct Mounted(PathBuf);

impl Mounted {
    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn remount(&self, options: &str) {
        run("mount", &["-o", &format!("remount,{options}"), self.0.to_str().unwrap()]).unwrap();
    }
}

impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = run("umount", &[self.0.to_str().unwrap()]);
    }
}

/// Runs a command; the error is its output.
pub fn run(command: &str, arguments: &[&str]) -> Result<(), String> {
    let ran = Command::new(command).args(arguments).output().map_err(|e| format!("{command}: {e}"))?;
    if ran.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&ran.stderr).trim().to_string()) }
}
