//! An agent's policy: a refusal names rule, file and request.

use super::authority::{Authority, Files};
use super::{refused, short, with_key, word};
use crate::stage::{Agent, Home, ProcessRun, free_port};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use std::path::PathBuf;
use std::time::{Duration, Instant};

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

pub fn limits() -> CommandOutput {
    let home = with_key()?;
    let rules = "[probes]\nallowed = ['stream', 'datagram']\n[limits]\nrate = '50Mbit'\ntime = '5s'\n\
                 connections = 2\nbytes = '20MB'\n";
    let agent = agent(&home, rules, "")?;
    let stream =
        |more: &str| home.line(&format!("stream 127.0.0.1 {} --warm-up 0s --json {more}", agent.ports()));
    let file = "policy.toml";
    allowed(stream("--time 200ms --rate 20Mbit --connections 2"))?;
    refused(
        stream("--time 200ms"),
        4,
        &["rule limits.rate", file, "a rate without a bound", "at most 50Mbit"],
    )?;
    refused(stream("--time 200ms --rate 60Mbit"), 4, &["rule limits.rate", "asked for 60Mbit"])?;
    refused(stream("--time 6s --rate 1Mbit"), 4, &["rule limits.time", "asked for 6s", "at most 5s"])?;
    refused(stream("--bytes 1MB --rate 1Mbit"), 4, &["rule limits.time", "by bytes or count"])?;
    refused(
        stream("--time 1s --rate 1Mbit --connections 3"),
        4,
        &["rule limits.connections", "3 connections"],
    )?;
    refused(stream("--time 4s --rate 50Mbit"), 4, &["rule limits.bytes", "asked for 25MB"])?;
    let request = format!("request 127.0.0.1 {} --time 200ms --json", agent.ports());
    refused(home.line(&request), 4, &["rule probes.allowed", "the probe request"])?;
    let datagram =
        format!("datagram 127.0.0.1 {} --time 200ms --warm-up 0s --rate 1Mbit --json", agent.ports());
    allowed(home.line(&datagram))
}

/// Fails if a trial was not allowed to begin; on a busy host it may still fail later.
fn allowed(ran: ProcessRun) -> CommandOutput {
    let ran = if ran.code() == 5 { ran } else { ran.ended(0)? };
    must!(!ran.stdout.contains("refused by rule"), "{}", ran.stdout);
    Ok(())
}

pub fn who_and_where() -> CommandOutput {
    let home = Home::new();
    let authority = Authority::new("Fleet CA")?;
    let host = authority.issue(home.path(), "web1", &["127.0.0.1"], 86_400)?;
    let [bench, intern] =
        ["bench1", "intern"].map(|name| authority.issue(home.path(), name, &[name], 86_400));
    let (bench, intern) = (bench?, intern?);
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
    refused(home.line(&line), 3, &["takes no orders from this address", "coordinators.addresses"])?;
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
    let router =
        home.start(format!("router --bind 127.0.0.1 --port {port} {}", hub.options()).split_whitespace());
    let at = format!("127.0.0.1:{port}");
    let agent = agent(
        &home,
        "[coordinators]\nnames = ['bench1']\n",
        &format!("--name web1 --router {at} {}", host.options()),
    )?;
    let line = |files: &Files| {
        let shown = files.options();
        home.line(&format!(
            "stream web1 --router {at} --time 200ms --warm-up 0s --deadline 3s --json {shown}"
        ))
    };
    let until = Instant::now() + Duration::from_secs(20);
    while line(&bench).code() != 0 && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(200));
    }
    line(&bench).ended(0)?;
    refused(line(&intern), 3, &["rule coordinators.names", "intern"])?;
    drop(agent);
    let policy = home.path().join("policy.toml");
    std::fs::write(&policy, "[coordinators]\naddresses = ['127.0.0.1']\n")?;
    let words = format!("agent --policy {} --router {at} {}", word(&policy), host.options());
    refused(home.line(&words), 2, &["coordinators.addresses", "cannot be kept", "the router's address"])?;
    router.signal("TERM");
    router.end();
    Ok(())
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
