//! A hundred random kills of agent and router processes during loads: nothing hangs, orphaned loads end within
//! 2 s, lost hosts are named. Ignored by default: it takes minutes and needs its own network:
//! `unshare -n sh -c 'ip link set lo up; cargo test -p goodput-control --test integration -- --ignored --nocapture hundred'`
//! Kills of coordinators are in `faults` and `files`.

use crate::{cause, is_moving, load_plan, lost_midway, run};
use goodput_control::agent::Policy;
use goodput_control::agent_router::{AgentRouter, AgentRouterSettings};
use goodput_control::registry::AgentRegistry;
use goodput_control::{Agent, AgentRouterAddress, AgentSettings, ControlError, Session, SessionHosts};
use goodput_model::load::RequestMix;
use goodput_model::trial::{TrialOutcome, TrialTimeouts};
use goodput_model::units::Bytes;
use goodput_testkit::{ChildTest, WAIT_TIMEOUT, find_free_port, loopback_address};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::net::Ipv4Addr;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

const ROUNDS: u64 = 100;
/// An orphaned load ends within this.
const ORPHANED: Duration = Duration::from_secs(2);
/// Allowed loopback traffic afterwards in [`LOOK`]: heartbeats and requests; a load has 1,000 times more.
const IDLE_BYTES: u64 = 2_000_000;
const LOOK: Duration = Duration::from_millis(300);
const NAME: &str = "GOODPUT_TEST_NAME";
const ROUTER: &str = "GOODPUT_TEST_ROUTER";

fn router_at(port: &str) -> Option<AgentRouterAddress> {
    Some(AgentRouterAddress { host: "127.0.0.1".into(), port: port.parse().ok()? })
}

#[test]
#[ignore = "started by the test that kills it"]
fn child_router() {
    let port = std::env::var(ROUTER).unwrap().parse().unwrap();
    let settings =
        AgentRouterSettings { address: Some(Ipv4Addr::LOCALHOST.into()), port, connect: Vec::new() };
    let _router = AgentRouter::start(&settings, None).unwrap();
    println!("READY");
    thread::sleep(WAIT_TIMEOUT);
}

#[test]
#[ignore = "started by the test that kills it"]
fn child_agent() {
    let settings = AgentSettings {
        name: std::env::var(NAME).unwrap(),
        address: Some(Ipv4Addr::LOCALHOST.into()),
        control_port: find_free_port(),
        data_port: 0,
        data_addresses: vec![Ipv4Addr::LOCALHOST.into()],
        hidden: true,
        ..AgentSettings::default()
    };
    let agent = Agent::listen(&settings, None, Policy::default()).unwrap();
    if let Some(router) = router_at(&std::env::var(ROUTER).unwrap()) {
        let (tell, told) = channel();
        agent.join_router(router, move |said| drop(tell.send(said.to_string()))).unwrap();
        println!("{}", told.recv_timeout(WAIT_TIMEOUT).unwrap());
    }
    println!("READY {}", settings.control_port);
    thread::sleep(WAIT_TIMEOUT);
}

/// A number below `limit` that follows from the seed.
fn drawn(seed: u64, draw: &str, limit: u64) -> u64 {
    let mut hasher = DefaultHasher::new();
    (seed, draw).hash(&mut hasher);
    hasher.finish() % limit
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Victim {
    Client,
    Server,
    Router,
}

fn passed() -> u64 {
    let text = std::fs::read_to_string("/proc/net/dev").unwrap();
    let lo = text.lines().find_map(|line| line.trim().strip_prefix("lo:")).unwrap();
    lo.split_whitespace().next().unwrap().parse().unwrap()
}

fn round(seed: u64) {
    let routed = drawn(seed, "routed", 2) == 1;
    let victims = &[Victim::Client, Victim::Server, Victim::Router][..if routed { 3 } else { 2 }];
    let victim = victims[drawn(seed, "victim", victims.len() as u64) as usize];
    let pause = Duration::from_millis(drawn(seed, "pause", 1_500));
    let way = (ROUTER, if routed { find_free_port().to_string() } else { String::new() });
    let mut router = routed.then(|| ChildTest::start("kills::child_router", std::slice::from_ref(&way)));
    router.iter().for_each(|router| drop(router.await_line("READY")));
    let registry = AgentRegistry::new(None, router_at(&way.1), TrialTimeouts::default());
    let agent = |name: &str| {
        let process = ChildTest::start("kills::child_agent", &[way.clone(), (NAME, name.into())]);
        let port = process.await_line("READY").parse().unwrap();
        let at = if routed { registry.resolve_name(name).unwrap() } else { loopback_address(port) };
        (Some(process), (name.to_string(), at))
    };
    let ((mut server, s), (_one, c1), (mut two, c2)) = (agent("s"), agent("c1"), agent("c2"));
    let hosts = SessionHosts { server: Some(s), clients: vec![c1, c2], ..SessionHosts::default() };
    let session = Session::open(&hosts, None, &TrialTimeouts::default()).unwrap();
    let mixes = vec![RequestMix::transmit_only(Bytes(16384)), RequestMix::receive_only(Bytes(16384))];
    let plan = load_plan(&session, mixes, if victim == Victim::Client { 3_000 } else { 20_000 });
    let (live, lives) = channel();
    let result = thread::scope(|scope| {
        let running = scope.spawn(|| {
            run(&session, &plan, &mut |event| {
                if is_moving(event) {
                    let _ = live.send(());
                }
            })
        });
        lives.recv_timeout(WAIT_TIMEOUT).unwrap();
        thread::sleep(pause);
        let blow = Instant::now();
        drop(match victim {
            Victim::Client => two.take(),
            Victim::Server => server.take(),
            Victim::Router => router.take(),
        });
        if victim != Victim::Client {
            thread::sleep((blow + ORPHANED).saturating_duration_since(Instant::now()));
            let before = passed();
            thread::sleep(LOOK);
            let moved = passed() - before;
            assert!(moved < IDLE_BYTES, "seed {seed}, {victim:?}: the load goes on: {moved} B in {LOOK:?}");
        }
        running.join().unwrap()
    });
    println!("{seed} {victim:?} routed {routed} after {pause:?}");
    match (victim, &result) {
        (Victim::Client, Ok(trial)) => {
            assert_eq!(trial.outcome, TrialOutcome::Complete);
            assert!(lost_midway(trial).iter().map(|(host, _)| *host).eq(["c2"]), "{:?}", trial.excluded);
        }
        (Victim::Server, Ok(trial)) => assert!(cause(trial).contains("the server"), "{}", cause(trial)),
        (Victim::Router, Ok(trial)) => assert_ne!(trial.outcome, TrialOutcome::Complete),
        (Victim::Router, Err(ControlError::Call { .. })) => {}
        _ => panic!("{victim:?}: {result:?}"),
    }
}

#[test]
#[ignore = "takes minutes and a network of its own"]
fn a_hundred_kills() {
    (0..ROUNDS).for_each(round);
}
