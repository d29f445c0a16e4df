//! Certificates for a fleet: they suffice, and each invalid one is reported.

use super::authority::{Authority, Files};
use super::{refused, short, with_key, word};
use crate::stage::{Agent, Home};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;

const YEAR: i64 = 365 * 86_400;

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
        let host = authority.issue(home.path(), "web1", &["web1", "localhost", "127.0.0.1"], YEAR)?;
        let bench = authority.issue(home.path(), "bench1", &["bench1"], YEAR)?;
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
    let line = short(&agent.ports());
    fleet.home.line(&format!("{line} {}", fleet.bench.options())).ended(0)?;
    let by_name = line.replace("127.0.0.1", "localhost");
    fleet.home.line(&format!("{by_name} {}", fleet.bench.options())).ended(0)?;

    let with_variables = |missing: &str| {
        let mut command = fleet.home.command(line.split_whitespace());
        command.env("GOODPUT_CA", &fleet.bench.ca).env("GOODPUT_CERTIFICATE", &fleet.bench.certificate);
        command.env("GOODPUT_PRIVATE_KEY", &fleet.bench.private_key);
        if !missing.is_empty() {
            command.env_remove(missing);
        }
        command.output()
    };
    let out = with_variables("")?;
    must!(out.status.success(), "{}", String::from_utf8_lossy(&out.stdout));
    let out = with_variables("GOODPUT_PRIVATE_KEY")?;
    let said = String::from_utf8_lossy(&out.stdout);
    must!(out.status.code() == Some(2) && said.contains("missing: GOODPUT_PRIVATE_KEY"), "{said}");

    let folder = fleet.home.path().join(".config/goodput");
    std::fs::create_dir_all(&folder)?;
    let [ca, certificate, key] =
        [&fleet.bench.ca, &fleet.bench.certificate, &fleet.bench.private_key].map(|p| word(p));
    let config = format!("ca = {ca:?}\ncertificate = {certificate:?}\nprivate_key = {key:?}\n");
    std::fs::write(folder.join("config.toml"), config)?;
    fleet.home.line(&line).ended(0)?;
    Ok(())
}

pub fn named_when_wrong() -> CommandOutput {
    let fleet = Fleet::new()?;
    let agent = fleet.agent(&fleet.host)?;
    let line = short(&agent.ports());
    refused(fleet.home.line(&line), 3, &["--ca, --certificate, --private-key"])?;
    let folder = fleet.home.path();

    let other = Authority::new("Other CA")?;
    let foreign = other.issue(folder, "foreign", &["foreign"], YEAR)?;
    let words = ["issued by \\\"Fleet CA\\\"", "Other CA", "one authority"];
    refused(fleet.home.line(&format!("{line} {}", foreign.options())), 3, &words)?;
    let twin = Authority::new("Fleet CA")?.issue(folder, "twin", &["twin"], YEAR)?;
    refused(fleet.home.line(&format!("{line} {}", twin.options())), 3, &["not signed by"])?;

    let both = folder.join("both.ca");
    std::fs::write(&both, fleet.authority.pem()? + &other.pem()?)?;
    let believing = Files { ca: both, ..foreign }.options();
    let words = ["rejects this host", "foreign", "Other CA", "the clock of this host shows 2"];
    refused(fleet.home.line(&format!("{line} {believing}")), 3, &words)?;

    let elsewhere = fleet.authority.issue(folder, "web2", &["web2", "10.0.0.7"], YEAR)?;
    let elsewhere = fleet.agent(&elsewhere)?;
    let to_it = format!("{} {}", short(&elsewhere.ports()), fleet.bench.options());
    let words = ["is not valid for the host 127.0.0.1", "valid for web2, 10.0.0.7", "use the host name web2"];
    refused(fleet.home.line(&to_it), 3, &words)?;

    let lab = with_key()?;
    refused(lab.line(&line), 3, &["uses certificates, but this host uses a lab key", "--ca"])?;
    let of_lab = lab.agent(&["--bind", "127.0.0.1"])?;
    let to_it = format!("{} {}", short(&of_lab.ports()), fleet.bench.options());
    refused(fleet.home.line(&to_it), 3, &["uses a lab key, but this host uses certificates", "--key-file"])?;

    fleet.home.line(&format!("{line} {}", fleet.bench.options())).ended(0)?;
    Ok(())
}
