//! A real smbd in a lab's host, with a share for the test: copies with a verdict, a server that dies.

use super::canaries::Canaries;
use super::{line, place, trials};
use crate::samba::{PASSWORD, Samba, USER, why_none};
use crate::stage::*;

pub struct Server {
    samba: Samba,
    target: String,
    password: String,
}

pub fn why_no_samba() -> Option<String> {
    why_none().map(|why| format!("{why}; .ci/setup test installs what is missing"))
}

impl Server {
    /// In host b; `more` are lines of smb.conf(5).
    pub fn up(lab: &Lab, folder: &Path, more: &str) -> Result<Server, Failed> {
        let (at, folder) = (lab.host("b"), folder.display());
        let lines = format!("[share]\npath = {folder}\nread only = no\nforce user = root\n{more}");
        let samba = Samba::start_with(&lines, &[PROGRAM, "lab", "exec", &at]);
        let target = format!("smb://{USER}@{at}/share");
        let password = format!("--password-file {}", lab.home.secret("password", format!("{PASSWORD}\n"))?);
        Ok(Server { samba, target, password })
    }

    /// The target, host a as its client, and the password.
    pub fn from_a(&self, lab: &Lab) -> String {
        format!("{} --from {} {}", self.target, lab.host("a"), self.password)
    }

    pub fn kill(&mut self) {
        self.samba.kill();
    }
}

/// On 100 Mbit/s the verdict names the link, or nothing.
pub fn copied_with_verdict() -> CommandOutput {
    let lab = Lab::up("copy", &["--rate", "100Mbit"])?;
    let (served, here) = (Canaries::sing(&lab.home, "served", 30)?, Canaries::sing(&lab.home, "here", 30)?);
    let server = Server::up(&lab, served.folder(), "")?;
    let (from, local) = (server.from_a(&lab), here.word());
    let at = format!("--server {} --server-folder {}", lab.host("b"), served.word());
    let words = format!("copy {from} {at} --local {local} --size 8MiB --repeat 1");
    let (document, trials) = trials(line(&lab.home, &words), 6)?;
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
    let lab = Lab::up("gone", &["--rate", "100Mbit"])?;
    let served = Canaries::sing(&lab.home, "served", 20)?;
    let mut server = Server::up(&lab, served.folder(), "")?;
    let words = format!("file copy {} --size 12MiB --repeat 9 --deadline 2s --json", server.from_a(&lab));
    let running = lab.home.start_line(&words);
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
    let server = Server::up(&lab, served.folder(), "")?;
    let words = format!("clean {}", server.from_a(&lab));
    let cleaned = line(&lab.home, &words).ended(0)?.json()?;
    must!(cleaned["folders"][0]["state"] == "removed", "{cleaned}");
    served.unharmed()
}
