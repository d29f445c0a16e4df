//! What the system still knows of a lab: looked up outside, not asked of the lab.

use goodput_lab::LabState;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::time::{Duration, Instant};

/// Processes, beside this one and zombies, whose command line has this word in it.
pub fn processes(word: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc").unwrap().flatten() {
        let pid = entry.file_name().to_string_lossy().into_owned();
        if !pid.bytes().all(|b| b.is_ascii_digit()) || pid == std::process::id().to_string() {
            continue;
        }
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line).replace('\0', " ");
        if line.split([' ', '/', '.']).any(|part| part == word) {
            found.push(format!("{pid} {line}"));
        }
    }
    found
}

/// Namespaces of the lab that some process is in or holds open, as far as this user may look.
pub fn namespaces(lab: &LabState) -> Vec<String> {
    let inodes: Vec<u64> =
        lab.hosts.iter().flat_map(|h| [h.namespaces.net.inode, h.namespaces.mnt.inode]).collect();
    let mut found = Vec::new();
    for process in fs::read_dir("/proc").unwrap().flatten() {
        let inside = ["ns/net", "ns/mnt"].map(|ns| process.path().join(ns));
        let held = fs::read_dir(process.path().join("fd")).into_iter().flatten().flatten().map(|e| e.path());
        for path in inside.into_iter().chain(held) {
            if fs::metadata(&path).is_ok_and(|m| inodes.contains(&m.ino())) {
                found.push(path.display().to_string());
            }
        }
    }
    found
}

/// Links and named namespaces that everybody sees.
pub fn visible() -> String {
    let ask = |words: &[&str]| {
        let out = std::process::Command::new("ip").args(words).output().unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let links = ask(&["-br", "link"]);
    let names: Vec<&str> = links.lines().filter_map(|l| l.split_whitespace().next()).collect();
    format!("{names:?} {}", ask(&["netns", "list"]))
}

/// Control groups of a lab, in any hierarchy.
pub fn groups(lab: &LabState) -> Vec<String> {
    let own = format!(".{}.{}.", lab.keeper.pid, lab.keeper.start_ticks);
    let hierarchies = names_in("/sys/fs/cgroup").into_iter().map(|name| format!("/sys/fs/cgroup/{name}"));
    hierarchies.flat_map(|at| names_in(&at)).filter(|name| name.contains(&own)).collect()
}

/// Whether the kernel has the block device of the first host.
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

/// Fails unless nothing of the lab is left within two seconds; the kernel tidies behind its back.
pub fn nothing_left(lab: &LabState) -> Result<(), String> {
    eventually(|| {
        // A process that is dying has no command line any more, so the known ones are looked up as well.
        let known = lab.hosts.iter().map(|h| h.process).chain([lab.keeper]).filter(|p| p.runs());
        let known: Vec<String> = known.map(|p| format!("process {}", p.pid)).collect();
        let left = [processes(lab.name.as_str()), namespaces(lab), known].concat();
        if left.is_empty() { Ok(()) } else { Err(format!("left behind: {left:?}")) }
    })
}

/// Asks again until the answer is good, for two seconds.
pub fn eventually<T>(ask: impl Fn() -> Result<T, String>) -> Result<T, String> {
    let since = Instant::now();
    loop {
        match ask() {
            Err(_) if since.elapsed() < Duration::from_secs(2) => {
                std::thread::sleep(Duration::from_millis(10));
            }
            answer => return answer,
        }
    }
}
