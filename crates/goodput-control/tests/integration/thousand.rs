//! Times an order to a thousand agents in twenty processes. Ignored by default (it needs an idle machine):
//! `cargo test --release -p goodput-control --test integration -- --ignored --nocapture orders`

use crate::run;
use goodput_control::message_bus::ZenohBus;
use goodput_control::prober::{Prober, RunListenerTrialFn};
use goodput_control::{Agent, CancelFlag, HostAddress, Session, SessionHosts, TrialPlan};
use goodput_model::event::Event;
use goodput_model::ids::{TrialId, TrialToken};
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::probe::Probe;
use goodput_model::trial::{TrialOutcome, TrialSpec, TrialTimeouts};
use goodput_model::units::Bytes;
use goodput_probe::{EndpointMeasurement, TrialObserver};
use goodput_testkit::{ChildTest, find_free_port, loopback_address};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

const PROCESSES: usize = 20;
const AGENTS: usize = 50;

/// Starts and measures nothing: only the order is timed.
struct Nothing;

fn begin() -> EndpointMeasurement {
    println!("BEGUN");
    thread::sleep(Duration::from_secs(3));
    EndpointMeasurement::default()
}

impl Prober for Nothing {
    fn data_port(&self) -> Option<u16> {
        Some(9)
    }

    fn start_listening(&self, _: TrialToken) -> Option<RunListenerTrialFn> {
        Some(Box::new(|_, _, _| begin()))
    }

    fn connect_and_measure(
        &self,
        _: &TrialSpec,
        _: SocketAddr,
        _: &dyn TrialObserver,
        _: &CancelFlag,
    ) -> EndpointMeasurement {
        begin()
    }
}

fn listen() -> Option<(ZenohBus, u16)> {
    let port = find_free_port();
    ZenohBus::listen((Ipv4Addr::LOCALHOST, port).into(), None, None).ok().map(|bus| (bus, port))
}

/// One of the processes: its agents wait for orders until it is killed.
#[test]
#[ignore = "started by the test that gives it orders"]
fn child_agents() {
    let mut agents = Vec::new();
    for n in 0..AGENTS {
        // A free port may be taken by another of the twenty processes.
        let (bus, port) = std::iter::repeat_with(listen).flatten().next().unwrap();
        let name = format!("agent {n} of {}", std::process::id());
        agents.push(Agent::serve(Arc::new(bus), Arc::new(Nothing), None, &name, None).unwrap());
        println!("AGENT {port}");
    }
    // Bounded in case the test fails to kill it.
    thread::sleep(Duration::from_secs(120));
}

fn agents() -> (Vec<ChildTest>, Vec<HostAddress>) {
    let children: Vec<ChildTest> =
        (0..PROCESSES).map(|_| ChildTest::start("thousand::child_agents", &[])).collect();
    let addresses = children
        .iter()
        .flat_map(|child| (0..AGENTS).map(|_| loopback_address(child.await_line("AGENT ").parse().unwrap())))
        .collect();
    (children, addresses)
}

#[test]
#[ignore = "wants the machine for itself: 20 processes, 1,000 agents"]
fn orders_to_a_thousand_agents_are_acknowledged_within_two_seconds() {
    let (children, mut addresses) = agents();
    assert_eq!(addresses.len(), PROCESSES * AGENTS);
    let server = ("server".to_string(), addresses.remove(0));
    let clients: Vec<(String, HostAddress)> =
        addresses.into_iter().enumerate().map(|(n, address)| (format!("c{n}"), address)).collect();
    let names: Vec<String> = clients.iter().map(|(name, _)| name.clone()).collect();
    let begun = Instant::now();
    let hosts = SessionHosts { server: Some(server), clients, ..SessionHosts::default() };
    let session = Session::open(&hosts, None, &TrialTimeouts::default()).unwrap();
    assert!(session.excluded_clients().is_empty(), "{:?}", session.excluded_clients());
    println!("reached 1,000 agents in {:?}", begun.elapsed());
    let workers = (0..names.len() as u16).map(|client| LoadWorker { client, mix: 0 }).collect();
    let load =
        Load { clients: names, workers, mixes: vec![RequestMix::receive_only(Bytes(64))], ..Load::default() };
    for n in 1..=3 {
        let plan = TrialPlan { live: false, ..TrialPlan::new(TrialId(n), Probe::Load(load.clone())) };
        let (begun, mut leased) = (Instant::now(), Duration::ZERO);
        let mut tell = |event: &Event| {
            if matches!(event, Event::TrialStarted { .. }) {
                leased = begun.elapsed();
            }
        };
        let trial = run(&session, &plan, &mut tell).unwrap();
        let last = children.iter().flat_map(|child| child.times_of("BEGUN")).max().unwrap() - begun;
        println!(
            "leases of all after {leased:?}, the last has begun after {last:?}, all is over after {:?}",
            begun.elapsed()
        );
        assert_eq!((&trial.outcome, &trial.excluded[..]), (&TrialOutcome::Complete, &[][..]));
        assert!(last < Duration::from_secs(2), "{last:?}");
    }
}
