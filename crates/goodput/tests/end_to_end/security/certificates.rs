//! Certificates for a fleet: they suffice, and each invalid one is reported.

use super::authority::{Authority, Files};
use super::{ask, short};
use crate::stage::*;

struct Fleet {
    home: Home,
    authority: Authority,
    host: Files,
    bench: Files,
}

impl Fleet {
    fn new() -> Result<Fleet, Failed> {
        let home = Home::new();
        let authority = Authority::new("Fleet CA")?;
        let host = authority.issue(&home, "web1", &["web1", "localhost", "127.0.0.1"])?;
        let bench = authority.issue(&home, "bench1", &["bench1"])?;
        Ok(Fleet { home, authority, host, bench })
    }

    fn agent(&self, files: &Files) -> Result<Agent, Failed> {
        let options = format!("--bind 127.0.0.1 {}", files.options());
        self.home.agent(&options.split_whitespace().collect::<Vec<_>>())
    }
}

pub fn enough() -> CommandOutput {
    let fleet = Fleet::new()?;
    let agent = fleet.agent(&fleet.host)?;
    must!(agent.notice.contains("Fleet CA"), "{}", agent.notice);
    let line = format!("{} {}", short(&agent.ports()), fleet.bench.options());
    fleet.home.line(&line).ended(0)?;
    fleet.home.line(&line.replace("127.0.0.1", "localhost")).ended(0)?;

    let Files { ca, certificate, private_key } = &fleet.bench;
    let line = short(&agent.ports());
    let mut command = fleet.home.command(line.split_whitespace());
    command.env("GOODPUT_CA", ca).env("GOODPUT_CERTIFICATE", certificate);
    command.env("GOODPUT_PRIVATE_KEY", private_key);
    let out = command.output()?;
    must!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
    let out = command.env_remove("GOODPUT_PRIVATE_KEY").output()?;
    let said = String::from_utf8_lossy(&out.stdout);
    must!(out.status.code() == Some(2) && said.contains("missing: GOODPUT_PRIVATE_KEY"), "{said}");

    let config = format!("ca = {ca:?}\ncertificate = {certificate:?}\nprivate_key = {private_key:?}\n");
    fleet.home.file(".config/goodput/config.toml", config)?;
    fleet.home.line(&line).ended(0).map(drop)
}

pub fn named_when_wrong() -> CommandOutput {
    let fleet = Fleet::new()?;
    let agent = fleet.agent(&fleet.host)?;
    let home = &fleet.home;
    ask(home, &agent, "").refused(3, &["--ca, --certificate, --private-key"])?;

    let other = Authority::new("Other CA")?;
    let foreign = other.issue(home, "foreign", &["foreign"])?;
    let words = ["issued by \\\"Fleet CA\\\"", "Other CA", "one authority"];
    ask(home, &agent, &foreign.options()).refused(3, &words)?;
    let twin = Authority::new("Fleet CA")?.issue(home, "twin", &["twin"])?;
    ask(home, &agent, &twin.options()).refused(3, &["not signed by"])?;

    let both = home.file("both.ca", fleet.authority.pem()? + &other.pem()?)?;
    let words = ["rejects this host", "foreign", "Other CA", "the clock of this host shows 2"];
    ask(home, &agent, &Files { ca: both, ..foreign }.options()).refused(3, &words)?;

    let elsewhere = fleet.agent(&fleet.authority.issue(home, "web2", &["web2", "10.0.0.7"])?)?;
    let words = ["is not valid for the host 127.0.0.1", "valid for web2, 10.0.0.7", "use the host name web2"];
    ask(home, &elsewhere, &fleet.bench.options()).refused(3, &words)?;

    let lab = Home::with_key()?;
    ask(&lab, &agent, "").refused(3, &["uses certificates, but this host uses a lab key", "--ca"])?;
    let of_lab = lab.agent(&["--bind", "127.0.0.1"])?;
    let words = ["uses a lab key, but this host uses certificates", "--key-file"];
    ask(home, &of_lab, &fleet.bench.options()).refused(3, &words)?;

    ask(home, &agent, &fleet.bench.options()).ended(0).map(drop)
}
