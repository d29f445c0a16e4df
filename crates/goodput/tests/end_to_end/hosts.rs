//! Agents found on the network and at routers, and measured by name.

pub mod idle;
pub mod sites;

use crate::stage::{Home, ProcessRun, list, number, ready, running};
use crate::{CommandOutput, must};
use libtest_mimic::Failed;
use serde_json::Value;
use sites::Sites;
use std::time::Duration;

/// A new agent is found after at most the engine's longest scouting pause (8 s).
const SEEN: Duration = Duration::from_secs(20);

/// Agents without a name are listed by address.
fn names(document: &Value) -> Vec<String> {
    let hosts = list(&document["hosts"]).iter();
    hosts.map(|h| h["name"].as_str().or(h["address"].as_str()).unwrap_or("").to_string()).collect()
}

fn named<'a>(document: &'a Value, name: &str) -> Result<&'a Value, Failed> {
    let mut hosts = list(&document["hosts"]).iter();
    hosts.find(|h| h["name"] == name).ok_or_else(|| format!("no {name} in {document}").into())
}

/// Waits for agents, which join a router shortly after their notice.
fn until(count: usize, list: impl Fn() -> ProcessRun) -> Result<Value, Failed> {
    let mut document = Value::Null;
    for _ in 0..20 {
        document = list().ended(0)?.json()?;
        if names(&document).len() == count {
            return Ok(document);
        }
        std::thread::sleep(Duration::from_millis(250));
    }
    Err(format!("not {count} agents: {document}").into())
}

pub fn on_the_network() -> CommandOutput {
    let (home, others) = (Home::new(), Home::new());
    home.line("key new").ended(0)?;
    others.line("key new").ended(0)?;
    let sites = Sites::pair("net")?;
    let agent = |home: &Home, ports: [&str; 2], more: &[&str]| {
        let words = ["agent", "--port", ports[0], "--data-port", ports[1], "--spool", "memory"];
        ready(sites.command(1, home, words.iter().chain(more)), "waits for orders")
    };
    let _web =
        agent(&home, ["5303", "5304"], &["--name", "web1", "--label", "site=tokyo", "--group", "web"])?;
    let _shy = agent(&home, ["5313", "5314"], &["--name", "shy", "--hidden"])?;
    let _stranger = agent(&others, ["5323", "5324"], &["--name", "stranger"])?;

    let ran = running(sites.command(0, &home, ["hosts", "--json"])).end().ended(0)?;
    must!(ran.took < Duration::from_secs(6), "took {:?}", ran.took);
    let found = ran.json()?;
    must!(list(&found["hosts"]).len() == 2, "{found}");
    let web = named(&found, "web1")?;
    must!(web["address"] == "10.97.0.2" && web["trouble"].is_null(), "{web}");
    must!(web["groups"][0] == "web" && web["labels"]["site"] == "tokyo", "{web}");
    must!(web["facts"]["kernel"].is_string() && web["state"]["kind"] == "idle", "{web}");
    let stranger = list(&found["hosts"])
        .iter()
        .find(|h| h["name"].is_null())
        .ok_or_else(|| format!("no stranger in {found}"))?;
    must!(stranger["address"] == "10.97.0.2:5323" && number(stranger, "/protocol")? > 0, "{stranger}");
    let why = stranger["trouble"]["error"].as_str().unwrap_or_default();
    must!(why.contains("uses a different lab key"), "{stranger}");
    let table = running(sites.command(0, &home, ["hosts"])).end().ended(0)?;
    must!(
        table.stdout.contains("web1") && table.stdout.contains("uses a different lab key"),
        "{}",
        table.stdout
    );
    must!(!table.stdout.contains("shy"), "{}", table.stdout);

    // A name that no resolver knows is an agent's; a hidden agent is reached by address only.
    let measure = |host: &str| {
        let words = ["stream", host, "--time", "300ms", "--warm-up", "0s", "--json", "--deadline", "5s"];
        running(sites.command(0, &home, words)).end()
    };
    let result = measure("web1").ended(0)?.json()?;
    must!(result["outcome"] == "complete" && result.to_string().contains("web1"), "{result}");
    let hidden = measure("shy").ended(3)?.json()?;
    must!(hidden["error"]["hint"].as_str().is_some_and(|h| h.contains("web1")), "{hidden}");
    must!(measure("10.97.0.2:5313").ended(0)?.json()?["outcome"] == "complete", "by its address");
    Ok(())
}

pub fn two_sites() -> CommandOutput {
    let home = Home::new();
    home.line("key new").ended(0)?;
    let sites = Sites::three("sites")?;
    let _router = ready(sites.command(2, &home, ["router"]), "router on")?;
    let agent = |site: usize, name: &str| {
        let hub = ["10.98.0.1", "10.98.1.1"][site];
        let words = ["agent", "--name", name, "--router", hub, "--spool", "memory", "--hidden"];
        ready(sites.command(site, &home, words), "registered at the router")
    };
    let (_tokyo, bonn) = (agent(0, "tokyo1")?, agent(1, "bonn1")?);
    let hosts = |more: &[&str]| {
        let words = ["hosts", "--json"];
        running(sites.command(0, &home, words.iter().chain(more))).end()
    };
    must!(names(&hosts(&[]).ended(0)?.json()?).is_empty(), "nobody is found on the network");
    let found = until(2, || hosts(&["--router", "10.98.0.1"]))?;
    must!(named(&found, "bonn1")?["data_addresses"][0] == "10.98.1.2:5304", "{found}");

    let measure = |site: usize, words: &[&str]| {
        let hub = ["10.98.0.1", "10.98.1.1", "127.0.0.1"][site];
        let common = ["--router", hub, "--time", "300ms", "--warm-up", "0s", "--json"];
        running(sites.command(site, &home, words.iter().chain(&common))).end().ended(0)?.json()
    };
    let before = sites.forwarded(2)?;
    let near = measure(0, &["stream", "bonn1"])?;
    must!(near["outcome"] == "complete" && number(&near, "/bytes")? > 0, "{near}");
    // The hub's kernel forwards the data; its router process does not see it.
    must!(sites.forwarded(2)? > before, "no packet was forwarded");
    let both = measure(2, &["stream", "bonn1", "--from", "tokyo1"])?;
    must!(both["outcome"] == "complete", "{both}");

    let mut watch = running(sites.command(0, &home, ["hosts", "--watch", "--json", "--router", "10.98.0.1"]));
    watch.says("\"name\":\"bonn1\"", SEEN)?;
    drop(bonn);
    watch.says("\"change\":\"down\"", SEEN)?;
    let _again = agent(1, "bonn1")?;
    watch.says("\"name\":\"bonn1\"", SEEN)?;
    watch.signal("INT");
    must!(watch.end().code() == 0, "Ctrl-C ends a watch");
    Ok(())
}
