//! An agent's policy: a refusal names rule, file and request.

use super::authority::{Authority, Files};
use super::{refused, short, with_key, word};
use crate::stage::{Agent, Home, free_port, until};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use std::path::PathBuf;
use std::time::Duration;

fn written(home: &Home, text: &str) -> Result<PathBuf, Failed> {
    let file = home.path().join("policy.toml");
    std::fs::write(&file, text)?;
    Ok(file)
}

fn agent(home: &Home, policy: &str, more: &str) -> Result<Agent, Failed> {
    let file = written(home, policy)?;
    let words = format!("--bind 127.0.0.1 --policy {} {more}", word(&file));
    home.agent(&words.split_whitespace().collect::<Vec<_>>())
}

pub fn who_and_where() -> CommandOutput {
    let home = Home::new();
    let authority = Authority::new("Fleet CA")?;
    let host = authority.issue(home.path(), "web1", &["127.0.0.1"], 86_400)?;
    let bench = authority.issue(home.path(), "bench1", &["bench1"], 86_400)?;
    let intern = authority.issue(home.path(), "intern", &["intern"], 86_400)?;
    let rules = "[coordinators]\nnames = ['bench1']\naddresses = ['127.0.0.0/8']\n[peers]\naddresses = ['127.0.0.1']\n";
    let named = agent(&home, rules, &host.options())?;
    let line = short(&named.ports());
    home.line(&format!("{line} {}", bench.options())).ended(0)?;
    let words = ["rule coordinators.names", "policy.toml", "the certificate", "intern", "bench1"];
    refused(home.line(&format!("{line} {}", intern.options())), 3, &words)?;
    drop(named);

    let rules = "[coordinators]\naddresses = ['192.0.2.0/24']\n";
    let far = agent(&home, rules, &host.options())?;
    let line = format!("{} {}", short(&far.ports()), bench.options());
    refused(home.line(&line), 3, &["from this address", "coordinators.addresses"])?;
    drop(far);

    let rules = "[peers]\naddresses = ['192.0.2.0/24']\n";
    let shy = agent(&home, rules, &host.options())?;
    let line = format!("{} {}", short(&shy.ports()), bench.options());
    refused(home.line(&line), 4, &["rule peers.addresses"])?;
    let other = authority.issue(home.path(), "web2", &["127.0.0.1"], 86_400)?;
    let free = agent(&home, "", &other.options())?;
    let line = format!("{} --from 127.0.0.1:{} {}", short(&free.ports()), shy.port, bench.options());
    refused(home.line(&line), 4, &["rule peers.addresses", "policy.toml", "data to or from 127.0.0.1"])
}

/// Behind a router the coordinator's certificate counts, not the router's.
pub fn behind_a_router() -> CommandOutput {
    let home = Home::new();
    let authority = Authority::new("Fleet CA")?;
    let issue = |name: &str, hosts: &[&str]| authority.issue(home.path(), name, hosts, 86_400);
    let (hub, host) = (issue("hub", &["127.0.0.1"])?, issue("web1", &["web1"])?);
    let (bench, intern) = (issue("bench1", &[])?, issue("intern", &[])?);
    let port = free_port();
    let _router = home.start_line(&format!("router --bind 127.0.0.1 --port {port} {}", hub.options()));
    let at = format!("127.0.0.1:{port}");
    let joined = format!("--name web1 --router {at} {}", host.options());
    let agent = agent(&home, "[coordinators]\nnames = ['bench1']\n", &joined)?;
    let line = |files: &Files| {
        let line = format!("{} --router {at} {}", short(""), files.options());
        home.line(&line.replace("127.0.0.1 ", "web1 "))
    };
    until("it is measured", Duration::from_secs(20), || Ok(line(&bench).code() == 0))?;
    refused(line(&intern), 3, &["rule coordinators.names", "intern"])?;
    drop(agent);
    let policy = home.path().join("policy.toml");
    std::fs::write(&policy, "[coordinators]\naddresses = ['127.0.0.1']\n")?;
    let words = format!("agent --policy {} --router {at} {}", word(&policy), host.options());
    refused(home.line(&words), 2, &["coordinators.addresses", "cannot be kept", "the router's address"])
}

pub fn file() -> CommandOutput {
    let home = with_key()?;
    let policy = written(&home, "[limits]\nrate = '50Mbit'\n")?;
    let check = |file: &str| home.line(&format!("agent --policy {file} --check"));
    let told = check(&word(&policy)).ended(0)?.stdout;
    must!(told.contains("limits.rate             50Mbit"), "{told}");
    must!(told.contains("coordinators.names      anything"), "{told}");
    written(&home, "[limits]\nrate = '50Mbit'\n\nspeed = 3\n")?;
    refused(check(&word(&policy)), 2, &["line 4: unknown field `speed`"])?;
    refused(check("/nowhere/policy.toml"), 2, &["cannot read the policy /nowhere/policy.toml"])?;

    let usual = home.path().join(".config/goodput/policy.toml");
    std::fs::write(&usual, "[probes]\nallowed = ['mtu']\n")?;
    let agent = home.agent(&["--bind", "127.0.0.1"])?;
    refused(home.line(&short(&agent.ports())), 4, &["rule probes.allowed", &word(&usual)])?;
    drop(agent);
    let agent = home.agent(&["--bind", "127.0.0.1", "--policy", "none"])?;
    home.line(&short(&agent.ports())).ended(0)?;
    drop(agent);
    // An agent does not start without its policy.
    std::fs::write(&usual, "[probe]\n")?;
    let refused = home.line("agent --bind 127.0.0.1 --port 45303 --data-port 45304").ended(2)?;
    must!(refused.stderr.contains("line 1: unknown field `probe`"), "{}", refused.stderr);
    Ok(())
}
