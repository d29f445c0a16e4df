//! What the system still has of a lab, examined from outside.

use goodput_lab::{HostState, LabOrHostName, LabState};
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Folders in /proc of other processes; /proc/self and others lead back to this one.
fn others() -> impl Iterator<Item = PathBuf> {
    let mut numbers = names_in("/proc");
    numbers
        .retain(|name| name.bytes().all(|b| b.is_ascii_digit()) && *name != std::process::id().to_string());
    numbers.into_iter().map(|pid| Path::new("/proc").join(pid))
}

/// Other than this one and zombies.
pub fn processes(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for process in others() {
        let line = fs::read(process.join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.split([' ', '/', '.']).any(|part| part == word) {
            found.push(format!("{} {line}", process.file_name().unwrap().to_string_lossy()));
        }
    }
    found
}

/// Network and UTS namespaces of labs, held open because the kernel reuses their numbers. Mount namespaces
/// are not held, because their mounts would stay.
static HELD: Mutex<Vec<(PathBuf, LabOrHostName, Vec<File>)>> = Mutex::new(Vec::new());

pub fn hold(lab: &LabState) {
    let open = |fd: i32, inode: u64| {
        let file = File::open(format!("/proc/{}/fd/{fd}", lab.keeper.pid)).unwrap();
        assert_eq!(file.metadata().unwrap().ino(), inode, "the keeper holds another namespace than it says");
        file
    };
    let both = |host: &HostState| {
        let of = &host.namespaces;
        [open(of.net.fd, of.net.inode), open(of.uts.fd, of.uts.inode)]
    };
    let files = lab.hosts.iter().flat_map(both).collect();
    HELD.lock().unwrap().push((lab.key_file.clone(), lab.name.clone(), files));
}

pub fn release_lab(folder: &Path) {
    HELD.lock().unwrap().retain(|(key, ..)| !key.starts_with(folder));
}

pub fn namespaces(lab: &LabState) -> Vec<String> {
    let number = |file: &File| file.metadata().map(|m| (m.dev(), m.ino())).unwrap();
    let held = HELD.lock().unwrap();
    let (_, _, files) = held.iter().find(|(_, name, _)| *name == lab.name).expect("every lab is held");
    let meant: Vec<(u64, u64)> = files.iter().map(number).collect();
    let mut found = Vec::new();
    for process in others() {
        let inside = ["ns/net", "ns/uts"].map(|ns| process.join(ns));
        let open = fs::read_dir(process.join("fd")).into_iter().flatten().flatten().map(|e| e.path());
        for path in inside.into_iter().chain(open) {
            if fs::metadata(&path).is_ok_and(|m| meant.contains(&(m.dev(), m.ino()))) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

pub fn visible() -> String {
    let ask = |words: &[&str]| {
        let out = std::process::Command::new("ip").args(words).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let links = ask(&["-br", "link"]);
    let names: Vec<&str> = links.lines().filter_map(|l| l.split_whitespace().next()).collect();
    format!("{names:?} {}", ask(&["netns", "list"]))
}

pub fn groups(lab: &LabState) -> Vec<String> {
    let own = format!(".{}.{}.", lab.keeper.pid, lab.keeper.start_ticks);
    let hierarchies = names_in("/sys/fs/cgroup").into_iter().map(|name| format!("/sys/fs/cgroup/{name}"));
    hierarchies.flat_map(|at| names_in(&at)).filter(|name| name.contains(&own)).collect()
}

pub fn device(lab: &LabState) -> bool {
    let device = lab.hosts[0].disk.as_ref().map_or("", |disk| disk.device.as_str());
    names_in("/sys/block").iter().any(|name| name == device)
}

fn names_in(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// The kernel releases resources asynchronously.
pub fn nothing_left(lab: &LabState) -> Result<(), String> {
    eventually(|| {
        // A dying process has no command line any more, so the known ones are checked as well.
        let known = lab.hosts.iter().map(|h| h.process).chain([lab.keeper]).filter(|p| p.is_running());
        let known: Vec<String> = known.map(|p| format!("process {}", p.pid)).collect();
        let left = [processes(lab.name.as_str()), namespaces(lab), known, groups(lab)].concat();
        if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}")) }
    })
}

/// Long, because only failures wait, and a busy machine may take seconds to start a program.
const PATIENCE: Duration = Duration::from_secs(10);

pub fn eventually<T>(ask: impl Fn() -> Result<T, String>) -> Result<T, String> {
    let since = Instant::now();
    loop {
        match ask() {
            Err(_) if since.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(10)),
            answer => return answer,
        }
    }
}
