//! Agents found on the network and at routers, and measured by name.

pub mod sites;

use crate::stage::*;
use sites::Sites;

/// A new agent is found after at most the engine's longest scouting pause (8 s).
const SEEN: Duration = Duration::from_secs(20);

fn named<'a>(document: &'a Value, name: &str) -> Result<&'a Value, Failed> {
    let mut hosts = list(&document["hosts"]).iter();
    hosts.find(|h| h["name"] == name).ok_or_else(|| format!("no {name} in {document}").into())
}

pub fn on_the_network() -> CommandOutput {
    let (home, others) = (Home::with_key()?, Home::with_key()?);
    let sites = Sites::pair("net")?;
    let agent = |home: &Home, words: &str| {
        ready(sites.command(1, home, &format!("agent --spool memory {words}")), "waits for orders")
    };
    let _web = agent(&home, "--name web1 --label site=tokyo --group web")?;
    let _shy = agent(&home, "--port 5313 --data-port 5314 --name shy --hidden")?;
    let _stranger = agent(&others, "--port 5323 --data-port 5324 --name stranger")?;

    let ran = sites.line(0, &home, "hosts --json").ended(0)?;
    must!(ran.took < Duration::from_secs(6), "took {:?}", ran.took);
    let found = ran.json()?;
    must!(list(&found["hosts"]).len() == 2, "{found}");
    let web = named(&found, "web1")?;
    must!(web["address"] == "10.97.0.2" && web["trouble"].is_null(), "{web}");
    must!(web["groups"][0] == "web" && web["labels"]["site"] == "tokyo", "{web}");
    must!(web["facts"]["kernel"].is_string() && web["state"]["kind"] == "idle", "{web}");
    let mut hosts = list(&found["hosts"]).iter();
    let stranger = hosts.find(|h| h["name"].is_null()).ok_or("no stranger")?;
    must!(stranger["address"] == "10.97.0.2:5323" && number(stranger, "/protocol")? > 0, "{stranger}");
    let why = stranger["trouble"]["error"].as_str().unwrap_or_default();
    must!(why.contains("uses a different lab key"), "{stranger}");
    let table = sites.line(0, &home, "hosts").ended(0)?.stdout;
    must!(table.contains("web1") && table.contains("uses a different lab key"), "{table}");
    must!(!table.contains("shy"), "{table}");

    // A name that no resolver knows is an agent's; a hidden agent is reached by address only.
    let measure = |host: &str| {
        sites.line(0, &home, &format!("stream {host} --time 300ms --warm-up 0s --json --deadline 5s"))
    };
    let result = measure("web1").ended(0)?.json()?;
    must!(result["outcome"] == "complete" && result.to_string().contains("web1"), "{result}");
    measure("shy").refused(3, &["web1"])?;
    must!(measure("10.97.0.2:5313").ended(0)?.json()?["outcome"] == "complete", "by its address");
    Ok(())
}

pub fn two_sites() -> CommandOutput {
    let home = Home::with_key()?;
    let sites = Sites::three("sites")?;
    let _router = ready(sites.command(2, &home, "router"), "router on")?;
    let agent = |site: usize, name: &str| {
        let hub = ["10.98.0.1", "10.98.1.1"][site];
        let line = format!("agent --name {name} --router {hub} --spool memory --hidden");
        ready(sites.command(site, &home, &line), "registered at the router")
    };
    let (_tokyo, bonn) = (agent(0, "tokyo1")?, agent(1, "bonn1")?);
    let hosts = |more: &str| sites.line(0, &home, &format!("hosts --json {more}")).ended(0)?.json();
    must!(list(&hosts("")?["hosts"]).is_empty(), "nobody is found on the network");
    // Agents join a router shortly after their notice.
    until("both agents", SEEN, || Ok(list(&hosts("--router 10.98.0.1")?["hosts"]).len() == 2))?;
    let found = hosts("--router 10.98.0.1")?;
    must!(named(&found, "bonn1")?["data_addresses"][0] == "10.98.1.2:5304", "{found}");

    let measure = |site: usize, words: &str| {
        let hub = ["10.98.0.1", "10.98.1.1", "127.0.0.1"][site];
        let line = format!("stream {words} --router {hub} --time 300ms --warm-up 0s --json");
        sites.line(site, &home, &line).ended(0)?.json()
    };
    let before = sites.forwarded(2)?;
    let near = measure(0, "bonn1")?;
    must!(near["outcome"] == "complete" && number(&near, "/bytes")? > 0, "{near}");
    // The hub's kernel forwards the data; its router process does not see it.
    must!(sites.forwarded(2)? > before, "no packet was forwarded");
    let both = measure(2, "bonn1 --from tokyo1")?;
    must!(both["outcome"] == "complete", "{both}");

    let mut watch = running(sites.command(0, &home, "hosts --watch --json --router 10.98.0.1"));
    watch.says("\"name\":\"bonn1\"", SEEN)?;
    drop(bonn);
    watch.says("\"change\":\"down\"", SEEN)?;
    let _again = agent(1, "bonn1")?;
    watch.says("\"name\":\"bonn1\"", SEEN)?;
    watch.signal("INT");
    must!(watch.end().code() == 0, "Ctrl-C ends a watch");
    Ok(())
}

/// Limits: per cent of one core, packets per second in each direction, memory.
const CORE: f64 = 0.2;
const PACKETS: f64 = 2.0;
const MEMORY_KIB: u64 = 24 << 10;

fn spent(pid: u32) -> Result<(Duration, u64), Failed> {
    // utime and stime are fields 14 and 15 (proc(5)).
    let ticks: u64 = stat(pid).iter().skip(11).take(2).filter_map(|f| f.parse::<u64>().ok()).sum();
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let resident = status.lines().find_map(|l| l.strip_prefix("VmRSS:")).unwrap_or("");
    let resident = resident.split_whitespace().next().and_then(|f| f.parse().ok()).ok_or("no VmRSS")?;
    // USER_HZ is 100 on every Linux.
    Ok((Duration::from_millis(ticks * 10), resident))
}

pub fn as_good_as_not_there() -> CommandOutput {
    let time = Duration::from_secs(if proving() { 600 } else { 10 });
    let home = Home::with_key()?;
    let sites = Sites::pair("idle")?;
    let agent = ready(sites.command(1, &home, "agent --name idle --spool memory"), "waits for orders")?;
    let mut watch = running(sites.command(0, &home, "hosts --watch"));
    watch.says("up  idle", Duration::from_secs(20))?;
    // Discovery is not idle time.
    std::thread::sleep(Duration::from_secs(3));
    let (begun, (cpu, _), before) = (Instant::now(), spent(agent.pid())?, sites.packets(1)?);
    std::thread::sleep(time);
    let ((cpu_after, memory), after) = (spent(agent.pid())?, sites.packets(1)?);
    let seconds = begun.elapsed().as_secs_f64();
    let core = (cpu_after - cpu).as_secs_f64() / seconds * 100.0;
    let packets = [0, 1].map(|way| (after[way] - before[way]) as f64 / seconds);
    println!("idle agent, {seconds:.0} s: {core:.3} % of a core, {packets:.2?} packets/s, {memory} KiB");
    must!(packets.iter().all(|each| *each < PACKETS), "{packets:.2?} packets/s in and out");
    // Short periods have few clock ticks; the memory limit is for release builds.
    must!(!proving() || core < CORE, "{core:.3} % of a core");
    must!(!proving() || memory < MEMORY_KIB, "{memory} KiB");
    watch.signal("INT");
    must!(watch.end().code() == 0, "Ctrl-C ends a watch");
    Ok(())
}
