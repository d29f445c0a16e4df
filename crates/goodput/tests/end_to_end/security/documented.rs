//! The commands and files of docs/SECURITY.md work as printed.

use super::authority::Files;
use super::{ask, short};
use crate::stage::*;
use std::process::{Command, Stdio};

const PAGE: &str = include_str!("../../../../../docs/SECURITY.md");

fn blocks(language: &str) -> Vec<&'static str> {
    let begin = format!("```{language}\n");
    PAGE.split(begin.as_str()).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

pub fn why_not() -> Option<String> {
    let told = Command::new("openssl").arg("version").stderr(Stdio::null()).output().ok();
    let version = told.map(|out| String::from_utf8_lossy(&out.stdout).into_owned()).unwrap_or_default();
    let major = version.strip_prefix("OpenSSL ").and_then(|v| v.split('.').next()?.parse::<u32>().ok());
    match major {
        Some(3..) => None,
        Some(_) => Some(format!("this is {}", version.trim())),
        None => Some("openssl is not installed".to_string()),
    }
}

/// The certificates are trusted: only the host name differs.
pub fn commands() -> CommandOutput {
    let home = Home::new();
    let [commands] = blocks("sh")[..] else { return Err("not one block of commands".into()) };
    let ran = Command::new("sh").args(["-e", "-c", commands]).current_dir(home.path()).output()?;
    must!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let [ca, certificate, private_key] =
        ["ca.pem", "web1.pem", "web1.key"].map(|name| home.path().join(name).display().to_string());
    let shown = Files { ca, certificate, private_key }.options();
    let options = format!("--bind 127.0.0.1 {shown}");
    let agent = home.agent(&options.split_whitespace().collect::<Vec<_>>())?;
    must!(agent.notice.contains("holders of certificates by Fleet CA"), "{}", agent.notice);
    let words = ["is not valid for the host 127.0.0.1", "valid for web1, web1.example.net, 10.0.0.7"];
    ask(&home, &agent, &shown).refused(3, &words)
}

pub fn files() -> CommandOutput {
    let home = Home::new();
    let [config, policy] = blocks("toml")[..] else { return Err("not two files".into()) };
    let policy = home.file("policy.toml", policy)?;
    let told = home.line(&format!("agent --policy {policy} --check")).ended(0)?.stdout;
    for rule in
        ["key holder", "fd00::/8", "10.0.0.0/16", "datagram", "1Gbit", "300s", "64", "100GB", "/srv/goodput"]
    {
        must!(told.contains(rule), "no {rule} in {told}");
    }
    must!(!told.contains("anything"), "a rule is left out on the page: {told}");
    home.file(".config/goodput/config.toml", config)?;
    home.line(&short("--port 1")).refused(4, &["cannot read the CA certificate /etc/goodput/ca.pem"])
}
