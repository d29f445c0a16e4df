//! A thousand idle agents and one coordinator through a router on one machine.

use crate::stage::{Home, free_port, list, proving, ready, running};
use crate::{CommandOutput, must};
use goodput_control::agent::AgentCard;
use goodput_control::bus::ZenohBus;
use goodput_control::identity::Identity;
use goodput_control::prober::SocketProber;
use goodput_control::{Agent, LabKey, Registry, RouterAddress};
use goodput_model::trial::Deadlines;
use std::io::Read;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Makes this process run agents: router, key file, first number, count.
const VARIABLE: &str = "GOODPUT_STORY_AGENTS";
const ACKNOWLEDGED: Duration = Duration::from_secs(2);

pub fn be_agents() {
    let Ok(order) = std::env::var(VARIABLE) else { return };
    let agents = raise(&order);
    match &agents {
        Ok(_) => println!("ready"),
        Err(e) => println!("failed: {e}"),
    }
    // Until the test closes the input or kills us.
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
    // Skip fifty orderly exits; the router sees the sockets close.
    std::process::exit(i32::from(agents.is_err()));
}

fn raise(order: &str) -> Result<Vec<Agent>, String> {
    let words: Vec<&str> = order.split(' ').collect();
    let [router, key, first, count] = words.as_slice() else { return Err(format!("{order:?}")) };
    let router: RouterAddress = router.parse().map_err(|e| format!("{e}"))?;
    let key = LabKey::read(key.as_ref()).map_err(|e| e.to_string())?;
    let identity = Arc::new(Identity::new(&key, "agent").map_err(|e| e.to_string())?);
    let number = |text: &str| text.parse::<usize>().map_err(|e| e.to_string());
    let (first, count) = (number(first)?, number(count)?);
    let agent = |n: usize| {
        let bus =
            ZenohBus::join(&router, Some(&identity), Duration::from_secs(30)).map_err(|e| e.to_string())?;
        let mut card = AgentCard::named(&format!("idle{n:04}")).map_err(|e| e.to_string())?;
        card.groups = vec![if n.is_multiple_of(2) { "even".into() } else { "odd".into() }];
        let prober = Arc::new(SocketProber::connecting());
        Agent::serve_as(Arc::new(bus), prober, Some(identity.clone()), card, None).map_err(|e| e.to_string())
    };
    (first..first + count).map(agent).collect()
}

pub fn a_thousand() -> CommandOutput {
    let (processes, each) = if proving() { (20, 50) } else { (4, 15) };
    let count = processes * each;
    let home = Home::new();
    home.line("key new").ended(0)?;
    let key = home.path().join(".config/goodput/key");
    let port = free_port();
    let at = format!("127.0.0.1:{port}");
    let line = format!("router --bind 127.0.0.1 --port {port}");
    let _router = ready(home.command(line.split(' ')), "router on")?;
    let begun = Instant::now();
    let mut agents = Vec::new();
    for process in 0..processes {
        let mut command = Command::new(std::env::current_exe()?);
        let order = format!("{at} {} {} {each}", key.display(), process * each);
        command.env(VARIABLE, order).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        agents.push(running(command));
    }
    for process in &mut agents {
        let said = process.says("", Duration::from_secs(180))?;
        must!(said == "ready", "{said}");
    }
    let up = begun.elapsed();

    // An agent's declarations reach the router shortly after its notice.
    let mut listings = 0;
    let (listed, hosts) = loop {
        let listed = home.line(&format!("hosts --router {at} --json")).ended(0)?;
        let hosts = listed.json()?["hosts"].as_array().cloned().unwrap_or_default();
        listings += 1;
        if hosts.len() == count || listings == 10 {
            break (listed, hosts);
        }
    };
    must!(hosts.len() == count, "{} of {count} listed, also at the tenth time", hosts.len());
    let troubled = hosts.iter().find(|h| !h["trouble"].is_null());
    must!(troubled.is_none(), "one cannot be asked: {troubled:?}");
    let even = home.json(&format!("hosts --router {at} --group even"))?;
    must!(list(&even["hosts"]).len() == count / 2, "half of them are even");

    let key = LabKey::read(&key)?;
    let identity = Arc::new(Identity::new(&key, "coordinator")?);
    let router_address: RouterAddress = at.parse()?;
    let registry = Registry::new(Some(identity), Some(router_address), Deadlines::default());
    let mut slowest = Duration::ZERO;
    for _ in 0..5 {
        let begun = Instant::now();
        let answered = registry.list()?.iter().filter(|l| l.agent.trouble.is_none()).count();
        slowest = slowest.max(begun.elapsed());
        must!(answered == count, "{answered} of {count} acknowledged");
    }
    println!(
        "{count} agents in {processes} processes: up after {:.1} s; `goodput hosts` listed all at time {listings} in \
         {:.2} s; one order to all, acknowledged and proved, the slowest of five with its own session: {:.3} s",
        up.as_secs_f64(),
        listed.took.as_secs_f64(),
        slowest.as_secs_f64()
    );
    must!(slowest < ACKNOWLEDGED, "the last acknowledgement came after {slowest:?}");
    Ok(())
}
