//! A share of a real smbd in a lab's host: copies with a verdict, and a server that dies.

use super::canaries::Canaries;
use super::server::{Server, Shared};
use super::{line, place, trials};
use crate::stage::{Home, Lab, list, number, until};
use crate::{CommandOutput, must};
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
