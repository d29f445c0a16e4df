//! A share of a real smbd in a lab's host: copies with a verdict, mixes, and failures.

use super::canaries::Canaries;
use super::server::{Server, Shared};
use super::{line, place, refusal, trials, work};
use crate::stage::{Home, Lab, list, number, until};
use crate::{CommandOutput, must};
use std::process::Command;
use std::time::{Duration, Instant};

pub use super::server::why_no_samba;

/// On 100 Mbit/s the verdict names the link, or nothing.
pub fn copied_with_verdict() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "copy", &["--rate", "100Mbit"])?;
    let (served, here) = (Canaries::sing(&home, "served", 30)?, Canaries::sing(&home, "here", 30)?);
    let server = Server::up(&home, &lab, "b", &Shared::writable(served.folder()))?;
    let (from, local) = (server.from_a(&lab), here.word());
    let at = format!("--server {} --server-folder {}", lab.host("b"), served.word());
    let words = format!("copy {from} {at} --local {local} --size 8MiB --repeat 1");
    let (document, trials) = trials(line(&home, &words), 6)?;
    let mut over_the_wire = 0;
    for trial in &trials {
        must!(number(trial, "/bytes")? == 8 << 20, "{trial}");
        let rate = number(trial, "/goodput_bps")?;
        if place(trial) != "folder" {
            over_the_wire += 1;
            // TCP's payload share of 1500-byte packets is 94.9 %.
            must!((20_000_000..95_000_000).contains(&rate), "{rate} bit/s: {trial}");
            let hosts = list(&trial["hosts"]);
            must!(hosts.len() == 2 && hosts.iter().any(|h| h["role"] == "listen"), "{hosts:?}");
        }
    }
    must!(over_the_wire == 4, "{trials:?}");
    let verdicts = list(&document["file_run"]["verdicts"]);
    must!(verdicts.len() == 2, "{document}");
    for verdict in verdicts {
        must!(verdict["text"].as_str().is_some_and(|t| t.len() > 20), "{verdict}");
        // Only the wire is slow; "unknown" is allowed, another cause is not.
        let cause = &verdict["cause"];
        must!(cause.is_null() || cause == "wire", "{verdict}");
    }
    served.unharmed()?;
    here.unharmed()
}

pub fn three_ways() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "mix", &[])?;
    let (served, here) = (Canaries::sing(&home, "served", 30)?, Canaries::sing(&home, "here", 30)?);
    let server = Server::up(&home, &lab, "b", &Shared::writable(served.folder()))?;
    let at = format!("{} --server {} --local {}", server.from_a(&lab), lab.host("b"), here.word());
    let words = format!("replay office {at} --time 1s --warm-up 300ms");
    let (document, trials) = trials(line(&home, &words), 3)?;
    let places: Vec<&str> = trials.iter().map(place).collect();
    must!(places == ["smb", "sink", "folder"], "{places:?}");
    for trial in &trials {
        must!(work(trial)["players"] == 1 && number(trial, "/bytes")? > 0, "{trial}");
        let classes = list(&trial["file"]["classes"]);
        let unexpected: u64 = classes.iter().filter_map(|c| c["unexpected"].as_u64()).sum();
        must!(!classes.is_empty() && unexpected == 0, "{}: {}", place(trial), trial["file"]);
    }
    let splits = list(&document["file_run"]["splits"]);
    must!(splits.len() == 1 && splits[0]["share_ns"].as_f64() > Some(0.0), "{splits:?}");
    served.unharmed()?;
    here.unharmed()
}

pub fn many_clients() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "many", &["--clients", "2"])?;
    let at = format!("{}:memory", lab.host("server"));
    let from = format!("{at} --from {}", lab.host("c[1-2]"));
    let words = format!("replay office {from} --clients 1,2,4 --time 700ms --warm-up 200ms");
    let (_, trials) = trials(line(&home, &words), 6)?;
    let kept: Vec<_> = trials.iter().filter(|t| t["probe"]["place"]["sink"]["kind"] == "memory").collect();
    must!(kept.len() == 3, "{trials:?}");
    for (trial, (clients, players)) in kept.iter().zip([(1, 1), (2, 1), (2, 2)]) {
        must!(list(&trial["probe"]["clients"]).len() == clients, "{trial}");
        must!(work(trial)["players"] == players && trial["file"]["clients"] == clients, "{trial}");
    }
    let words = format!("copy {from} --order read --size 4MiB --repeat 1");
    let (_, trials) = super::trials(line(&home, &words), 2)?;
    must!(trials.iter().all(|t| number(t, "/bytes").is_ok_and(|bytes| bytes == 8 << 20)), "{trials:?}");
    Ok(())
}

pub fn wrong_password() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "wrong", &[])?;
    let served = Canaries::sing(&home, "served", 5)?;
    let server = Server::up(&home, &lab, "b", &Shared::writable(served.folder()))?;
    let file = Server::secret(&home, "wrong-password", "hunter2")?;
    let at = format!("{} --from {}", server.target(), lab.host("a"));
    let words = format!("copy {at} --size 1MiB --repeat 1 --password-file {file}");
    let told = refusal(line(&home, &words), 4, &["LOGON_FAILURE", "--password-file"])?;
    must!(!told.to_string().contains("hunter2"), "{told}");
    refusal(line(&home, &format!("clean {at} --password-file {file}")), 4, &["LOGON_FAILURE"])?;
    // No password, and nobody to ask.
    refusal(line(&home, &format!("copy {at} --size 1MiB --repeat 1")), 2, &["password", "--password-file"])?;
    let missing = server.target().replace("/share", "/nothing");
    let words =
        format!("copy {missing} --from {} --size 1MiB --repeat 1 {}", lab.host("a"), server.password());
    refusal(line(&home, &words), 4, &["BAD_NETWORK_NAME"])?;
    served.unharmed()
}

pub fn read_only() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "ro", &[])?;
    let served = Canaries::sing(&home, "served", 5)?;
    let server =
        Server::up(&home, &lab, "b", &Shared { read_only: true, ..Shared::writable(served.folder()) })?;
    let words = format!("copy {} --size 1MiB --repeat 1", server.from_a(&lab));
    let said = refusal(line(&home, &words), 4, &[])?["error"].to_string();
    let causes = ["ACCESS_DENIED", "WRITE_PROTECTED", "only be read"];
    must!(causes.iter().any(|cause| said.contains(cause)), "{said}");
    served.unharmed()
}

pub fn full() -> CommandOutput {
    let home = Home::new();
    let small = home.path().join("small");
    std::fs::create_dir(&small)?;
    // Before the lab, whose hosts copy the current mounts.
    let mounted = Mounted::tmpfs(&small, "24m")?;
    let lab = Lab::up(&home, "full", &["--rate", "100Mbit"])?;
    let served = Canaries::sing(&home, "small", 5)?;
    let server = Server::up(&home, &lab, "b", &Shared::writable(served.folder()))?;
    let words = format!("file copy {} --order write --size 12MiB --repeat 9 --json", server.from_a(&lab));
    let running = home.start_line(&words);
    until("a folder of ours", Duration::from_secs(15), || Ok(!served.workspaces()?.is_empty()))?;
    std::thread::sleep(Duration::from_millis(2_500));
    let filler = small.join("filler");
    let _ = std::fs::write(&filler, vec![1u8; 24 << 20]);
    let ran = running.end();
    std::fs::remove_file(&filler)?;
    must!([4, 5].contains(&ran.code()), "{:?} {} {}", ran.status, ran.stdout, ran.stderr);
    let error = ran.json()?["error"].to_string();
    must!(error.contains("DISK_FULL") || error.contains("No space") || error.contains("are free"), "{error}");
    served.unharmed()?;
    drop((server, lab));
    drop(mounted);
    Ok(())
}

pub fn server_killed() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "gone", &["--rate", "100Mbit"])?;
    let served = Canaries::sing(&home, "served", 20)?;
    let mut server = Server::up(&home, &lab, "b", &Shared::writable(served.folder()))?;
    let words = format!("file copy {} --size 12MiB --repeat 9 --deadline 2s --json", server.from_a(&lab));
    let running = home.start_line(&words);
    until("a folder of ours", Duration::from_secs(15), || Ok(!served.workspaces()?.is_empty()))?;
    std::thread::sleep(Duration::from_millis(2_000));
    server.kill();
    let killed = Instant::now();
    let ran = running.end();
    must!(killed.elapsed() < Duration::from_secs(15), "told only after {:?}", killed.elapsed());
    must!([4, 5].contains(&ran.code()), "{:?} {} {}", ran.status, ran.stdout, ran.stderr);
    let document = ran.json()?;
    must!(document["error"]["cause"].is_string(), "{document}");
    must!(!served.workspaces()?.is_empty(), "our folder is gone with its server");
    let server = Server::up(&home, &lab, "b", &Shared::writable(served.folder()))?;
    let words = format!("clean {}", server.from_a(&lab));
    let cleaned = line(&home, &words).ended(0)?.json()?;
    must!(cleaned["folders"][0]["state"] == "removed", "{cleaned}");
    served.unharmed()
}

struct Mounted<'a> {
    at: &'a std::path::Path,
}

impl<'a> Mounted<'a> {
    fn tmpfs(at: &'a std::path::Path, size: &str) -> Result<Mounted<'a>, libtest_mimic::Failed> {
        let size = format!("size={size}");
        let done =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "goodput-story"]).arg(at).status()?;
        must!(done.success(), "mount: {done}");
        Ok(Mounted { at })
    }
}

impl Drop for Mounted<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(self.at).status();
    }
}
