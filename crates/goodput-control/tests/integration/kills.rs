//! A hundred random kills of agent, coordinator and router processes during loads: nothing hangs, orphaned
//! loads end within 2 s, lost hosts are named. Ignored by default: it takes minutes and needs its own
//! network:
//! `unshare -n sh -c 'ip link set lo up; cargo test -p goodput-control --test integration -- --ignored --nocapture hundred'`

use crate::{print_live, run};
use goodput_control::agent_router::{AgentRouter, AgentRouterSettings};
use goodput_control::registry::AgentRegistry;
use goodput_control::{
    Agent, AgentRouterAddress, AgentSettings, ControlError, Session, SessionHosts, TrialPlan,
};
use goodput_model::ids::TrialId;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::probe::Probe;
use goodput_model::trial::TrialTimeouts;
use goodput_model::units::{Bytes, Nanos};
use goodput_testkit::{ChildTest, WAIT_TIMEOUT, free_port, loopback_address};
use std::fmt::Write;
use std::net::Ipv4Addr;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: u64 = 100;
/// An orphaned load ends within this.
const ORPHANED: Duration = Duration::from_secs(2);
/// Allowed traffic on loopback afterwards in [`LOOK`]: heartbeats and requests; a load transfers a thousand
/// times as much.
const IDLE_BYTES: u64 = 2_000_000;
const LOOK: Duration = Duration::from_millis(300);

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|text| !text.is_empty())
}

fn router() -> Option<AgentRouterAddress> {
    let port = variable("GOODPUT_TEST_ROUTER")?.parse().unwrap();
    Some(AgentRouterAddress { host: "127.0.0.1".into(), port })
}

#[test]
#[ignore = "started by the test that kills it"]
fn child_router() {
    let settings = AgentRouterSettings {
        address: Some(Ipv4Addr::LOCALHOST.into()),
        port: router().unwrap().port,
        connect: Vec::new(),
    };
    let _router = AgentRouter::open(&settings, None).unwrap();
    println!("READY");
    thread::sleep(WAIT_TIMEOUT);
}

#[test]
#[ignore = "started by the test that kills it"]
fn child_agent() {
    let port = free_port();
    let settings = AgentSettings {
        name: variable("GOODPUT_TEST_NAME").unwrap(),
        address: Some(Ipv4Addr::LOCALHOST.into()),
        control_port: port,
        data_port: 0,
        data_addresses: vec![Ipv4Addr::LOCALHOST.into()],
        hidden: true,
        ..AgentSettings::default()
    };
    let agent = Agent::listen(&settings, None).unwrap();
    if let Some(router) = router() {
        let (tell, told) = channel();
        agent.join_router(router, move |said| drop(tell.send(said.to_string()))).unwrap();
        println!("{}", told.recv_timeout(WAIT_TIMEOUT).unwrap());
    }
    println!("READY {port}");
    thread::sleep(WAIT_TIMEOUT);
}

#[test]
#[ignore = "started by the test that kills it"]
fn child_coordinator() {
    let registry = AgentRegistry::new(None, router(), TrialTimeouts::default());
    let find = |name: &str, port: &str| match router() {
        Some(_) => registry.resolve_name(name).unwrap(),
        None => loopback_address(port.parse().unwrap()),
    };
    let hosts = variable("GOODPUT_TEST_HOSTS").unwrap();
    let mut hosts = hosts.split(',').map(|host| {
        let (name, port) = host.split_once(':').unwrap();
        (name.to_string(), find(name, port))
    });
    let server = hosts.next().unwrap();
    let hosts = SessionHosts { server: Some(server), clients: hosts.collect(), ..SessionHosts::default() };
    let session = Session::open(&hosts, None, &TrialTimeouts::default()).unwrap();
    let workers = (0..4).map(|n| LoadWorker { client: n / 2, mix: n % 2 }).collect();
    let load = Load {
        clients: hosts.clients.iter().map(|(name, _)| name.clone()).collect(),
        workers,
        mixes: vec![RequestMix::transmit_only(Bytes(16384)), RequestMix::receive_only(Bytes(16384))],
        time: Nanos(variable("GOODPUT_TEST_MS").unwrap().parse::<u64>().unwrap() * 1_000_000),
        warm_up: Nanos(200_000_000),
        ..Load::default()
    };
    let plan = TrialPlan::new(TrialId(1), Probe::Load(load));
    match run(&session, &plan, &mut print_live) {
        Ok(trial) => println!("TRIAL {}", serde_json::to_string(&(&trial.outcome, &trial.excluded)).unwrap()),
        Err(e @ ControlError::Call { .. }) => println!("TRIAL not begun: {e}"),
        Err(e) => panic!("{e}"),
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Coordinator,
    FrozenCoordinator,
    Client,
    Server,
    Router,
}

fn passed() -> u64 {
    let text = std::fs::read_to_string("/proc/net/dev").unwrap();
    let lo = text.lines().find_map(|line| line.trim().strip_prefix("lo:")).unwrap();
    lo.split_whitespace().next().unwrap().parse().unwrap()
}

fn round(seed: u64, log: &mut String) {
    let mut dice = Dice(seed);
    let routed = dice.below(2) == 1;
    let victim = match dice.below(if routed { 5 } else { 4 }) {
        0 => Victim::Coordinator,
        1 => Victim::FrozenCoordinator,
        2 => Victim::Client,
        3 => Victim::Server,
        _ => Victim::Router,
    };
    let pause = Duration::from_millis(dice.below(1_500));
    let way = [("GOODPUT_TEST_ROUTER", if routed { free_port().to_string() } else { String::new() })];
    let mut router = routed.then(|| ChildTest::start("kills::child_router", &way));
    if let Some(router) = &router {
        router.await_line("READY");
    }
    let agent = |name: &str| {
        let process =
            ChildTest::start("kills::child_agent", &[way[0].clone(), ("GOODPUT_TEST_NAME", name.into())]);
        let port = process.await_line("READY");
        (process, format!("{name}:{port}"))
    };
    let ((server, s), (one, c1), (two, c2)) = (agent("s"), agent("c1"), agent("c2"));
    let (mut server, mut two) = (Some(server), Some(two));
    let ms = if victim == Victim::Client { 3_000 } else { 20_000 };
    let what =
        [way[0].clone(), ("GOODPUT_TEST_HOSTS", [s, c1, c2].join(",")), ("GOODPUT_TEST_MS", format!("{ms}"))];
    let mut coordinator = Some(ChildTest::start("kills::child_coordinator", &what));
    coordinator.as_ref().unwrap().await_line("LIVE");
    thread::sleep(pause);
    let blow = Instant::now();
    match victim {
        Victim::Coordinator => drop(coordinator.take()),
        Victim::FrozenCoordinator => coordinator.as_ref().unwrap().stop(),
        Victim::Client => drop(two.take()),
        Victim::Server => drop(server.take()),
        Victim::Router => drop(router.take()),
    }
    let mut said = String::new();
    if victim != Victim::Client {
        thread::sleep((blow + ORPHANED).saturating_duration_since(Instant::now()));
        let before = passed();
        thread::sleep(LOOK);
        let moved = passed() - before;
        let _ = write!(said, "{moved} B in {LOOK:?} after 2 s; ");
        assert!(moved < IDLE_BYTES, "seed {seed}, {victim:?}: the load goes on: {said}");
    }
    if let Some(coordinator) = coordinator.filter(|_| victim != Victim::FrozenCoordinator) {
        said += &coordinator.await_line("TRIAL");
    }
    let _ = writeln!(log, "{seed} {victim:?} routed {routed} after {pause:?}: {said}");
    match victim {
        Victim::Client => {
            assert!(said.contains(r#"{"outcome":"complete"}"#) && said.contains(r#""host":"c2""#), "{said}");
            assert!(!said.contains(r#""host":"c1""#), "{said}");
        }
        Victim::Server => assert!(said.contains("the server"), "{said}"),
        Victim::Router => assert!(!said.contains(r#"{"outcome":"complete"}"#), "{said}"),
        Victim::Coordinator | Victim::FrozenCoordinator => {}
    }
    drop((one, two, server, router));
}

#[test]
#[ignore = "takes minutes and a network of its own"]
fn a_hundred_kills() {
    let mut log = String::new();
    for seed in 0..ROUNDS {
        round(seed, &mut log);
        print!("{log}");
        log.clear();
    }
}
