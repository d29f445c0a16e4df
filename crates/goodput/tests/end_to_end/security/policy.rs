//! An agent's policy: a refusal names rule, file and request.

use super::authority::{Authority, Files};
use super::{ask, short};
use crate::stage::*;

fn agent(home: &Home, policy: &str, more: &str) -> Result<Agent, Failed> {
    let words = format!("--bind 127.0.0.1 --policy {} {more}", home.file("policy.toml", policy)?);
    home.agent(&words.split_whitespace().collect::<Vec<_>>())
}

pub fn who_and_where() -> CommandOutput {
    let home = Home::new();
    let authority = Authority::new("Fleet CA")?;
    let host = authority.issue(&home, "web1", &["127.0.0.1"])?.options();
    let bench = authority.issue(&home, "bench1", &["bench1"])?.options();
    let intern = authority.issue(&home, "intern", &["intern"])?.options();
    let rules = "[coordinators]\nnames = ['bench1']\naddresses = ['127.0.0.0/8']\n[peers]\naddresses = ['127.0.0.1']\n";
    let named = agent(&home, rules, &host)?;
    ask(&home, &named, &bench).ended(0)?;
    let words = ["rule coordinators.names", "policy.toml", "the certificate", "intern", "bench1"];
    ask(&home, &named, &intern).refused(3, &words)?;
    drop(named);

    let far = agent(&home, "[coordinators]\naddresses = ['192.0.2.0/24']\n", &host)?;
    ask(&home, &far, &bench).refused(3, &["from this address", "coordinators.addresses"])?;
    drop(far);

    let shy = agent(&home, "[peers]\naddresses = ['192.0.2.0/24']\n", &host)?;
    ask(&home, &shy, &bench).refused(4, &["rule peers.addresses"])?;
    let free = agent(&home, "", &authority.issue(&home, "web2", &["127.0.0.1"])?.options())?;
    let words = ["rule peers.addresses", "policy.toml", "data to or from 127.0.0.1"];
    ask(&home, &free, &format!("--from 127.0.0.1:{} {bench}", shy.port)).refused(4, &words)
}

/// Behind a router the coordinator's certificate counts, not the router's.
pub fn behind_a_router() -> CommandOutput {
    let home = Home::new();
    let authority = Authority::new("Fleet CA")?;
    let issue = |name: &str, hosts: &[&str]| authority.issue(&home, name, hosts);
    let (hub, host) = (issue("hub", &["127.0.0.1"])?, issue("web1", &["web1"])?);
    let (bench, intern) = (issue("bench1", &[])?, issue("intern", &[])?);
    let port = find_free_port();
    let _router = home.start_line(&format!("router --bind 127.0.0.1 --port {port} {}", hub.options()));
    let at = format!("127.0.0.1:{port}");
    let joined = format!("--name web1 --router {at} {}", host.options());
    let agent = agent(&home, "[coordinators]\nnames = ['bench1']\n", &joined)?;
    let line = |files: &Files| {
        let line = format!("{} --router {at} {}", short(""), files.options());
        home.line(&line.replace("127.0.0.1 ", "web1 "))
    };
    until("it is measured", Duration::from_secs(20), || Ok(line(&bench).code() == 0))?;
    line(&intern).refused(3, &["rule coordinators.names", "intern"])?;
    drop(agent);
    let policy = home.file("policy.toml", "[coordinators]\naddresses = ['127.0.0.1']\n")?;
    let words = ["coordinators.addresses", "cannot be kept", "the router's address"];
    home.line(&format!("agent --policy {policy} --router {at} {}", host.options())).refused(2, &words)
}

pub fn file() -> CommandOutput {
    let home = Home::with_key()?;
    let check = |file: &str| home.line(&format!("agent --policy {file} --check"));
    let told = check(&home.file("policy.toml", "[limits]\nrate = '50Mbit'\n")?).ended(0)?.stdout;
    must!(told.contains("limits.rate             50Mbit"), "{told}");
    must!(told.contains("coordinators.names      anything"), "{told}");
    let policy = home.file("policy.toml", "[limits]\nrate = '50Mbit'\n\nspeed = 3\n")?;
    check(&policy).refused(2, &["line 4: unknown field `speed`"])?;
    check("/nowhere/policy.toml").refused(2, &["cannot read the policy /nowhere/policy.toml"])?;

    let usual = home.file(".config/goodput/policy.toml", "[probes]\nallowed = ['mtu']\n")?;
    let agent = home.agent(&["--bind", "127.0.0.1"])?;
    ask(&home, &agent, "").refused(4, &["rule probes.allowed", &usual])?;
    drop(agent);
    let agent = home.agent(&["--bind", "127.0.0.1", "--policy", "none"])?;
    ask(&home, &agent, "").ended(0)?;
    // An agent does not start without its policy.
    fs::write(&usual, "[probe]\n")?;
    let started = home.line("agent --bind 127.0.0.1 --port 45303 --data-port 45304");
    started.refused(2, &["line 1: unknown field `probe`"])
}
