//! Loads over Zenoh and loopback sockets; agent and coordinator processes are killed.

use crate::{
    coordinator_lost, ends, files, is_moving, lost_midway, measured, print_live, recovered, run, take_away,
};
use goodput_control::{HostAddress, Hosts, Session, TrialPlan};
use goodput_model::event::Event;
use goodput_model::id::TrialId;
use goodput_model::load::{Load, Mix, Worker};
use goodput_model::probe::Probe;
use goodput_model::trial::{Deadlines, Outcome, Role, Trial};
use goodput_model::units::{Bytes, Nanos};
use goodput_testkit::{ChildTest, agent, at};
use std::path::Path;

#[test]
#[ignore = "started by the tests that kill it"]
fn child_coordinator() {
    let ports = std::env::var("GOODPUT_TEST_PORTS").unwrap();
    let session = session(ports.split(',').map(|port| at(port.parse().unwrap())).collect());
    let plan = plan(&session, Mix::both_ways(Bytes(16384)), 20_000);
    let _ = run(&session, &TrialPlan { client: "the child".into(), ..plan }, &mut print_live);
}

/// The first is the server, the others are clients `c1`, `c2`, ….
fn session(addresses: Vec<HostAddress>) -> Session {
    let mut named = addresses.into_iter().enumerate().map(|(n, at)| (format!("c{n}"), at));
    let server = ("server".to_string(), named.next().unwrap().1);
    let hosts = Hosts { server: Some(server), clients: named.collect(), ..Hosts::default() };
    Session::open(&hosts, None, &Deadlines::default()).unwrap()
}

fn plan(session: &Session, mix: Mix, ms: u64) -> TrialPlan {
    let clients: Vec<String> = session.hosts().1.iter().map(|(name, _)| name.to_string()).collect();
    let workers = (0..clients.len() as u16 * 2).map(|n| Worker { client: n / 2, mix: 0 }).collect();
    let (time, warm_up) = (Nanos(ms * 1_000_000), Nanos(200_000_000));
    let load = Load { clients, workers, mixes: vec![mix], time, warm_up, ..Load::default() };
    TrialPlan::new(TrialId(5), Probe::Load(load))
}

fn arrived(trial: &Trial, role: Role) -> u64 {
    let ends = trial.ends.iter().filter(|e| e.role == role);
    ends.flat_map(|e| &e.flows).filter(|f| f.receives).map(|f| f.window_bytes).sum()
}

#[test]
fn three_clients_and_a_server_measure_one_window() {
    let (server, clients) = (agent("server"), [agent("c1"), agent("c2"), agent("c3")]);
    let session = session([&server].into_iter().chain(&clients).map(|a| a.1.clone()).collect());
    for (mix, transmits, receives) in
        [(Mix::transmit(Bytes(8192)), true, false), (Mix::receive(Bytes(8192)), false, true)]
    {
        let trial = measured(&session, &plan(&session, mix, 500));
        assert_eq!(trial.outcome, Outcome::Complete);
        assert_eq!((ends(&trial), trial.excluded.len()), (vec!["c1", "c2", "c3", "server"], 0));
        assert_eq!(arrived(&trial, Role::Connect) > 0, transmits);
        assert_eq!(arrived(&trial, Role::Listen) > 0, receives);
        assert!(trial.ends[..3].iter().all(|e| e.skew.is_some()));
    }
    assert!(clients.iter().chain([&server]).all(|(agent, _)| agent.kept().is_empty()));
}

#[test]
fn a_client_that_is_killed_or_falls_silent_midway_is_named_and_the_others_results_stand() {
    for frozen in [false, true] {
        let (server, client) = (agent("server"), agent("c1"));
        let (process, at) = files::agent_process(Path::new("/nowhere"));
        let session = session(vec![server.1.clone(), client.1.clone(), at]);
        let mut process = Some(process);
        let mut lives = 0;
        let mut tell = |e: &Event| {
            lives += u32::from(is_moving(e));
            if lives == 3 {
                take_away(&mut process, frozen);
            }
        };
        let plan = plan(&session, Mix::both_ways(Bytes(8192)), 4_000);
        let trial = run(&session, &plan, &mut tell).unwrap();
        assert_eq!(trial.outcome, Outcome::Complete, "{:?}", trial.excluded);
        assert_eq!((ends(&trial), lost_midway(&trial)), (vec!["c1", "server"], vec![("c2", true)]));
        println!("frozen {frozen}: {}", trial.excluded[0].cause);
        assert!(arrived(&trial, Role::Connect) > 0 && arrived(&trial, Role::Listen) > 0);
    }
}

#[test]
fn a_coordinator_that_is_killed_or_falls_silent_leaves_a_load_that_the_next_one_brings_home() {
    for frozen in [false, true] {
        let agents = [agent("server"), agent("c1"), agent("c2")];
        let ports: Vec<String> = agents.iter().map(|(_, at)| at.port.to_string()).collect();
        let process = ChildTest::start("load::child_coordinator", &[("GOODPUT_TEST_PORTS", ports.join(","))]);
        coordinator_lost(process, frozen, &agents);
        let session = session(agents.iter().map(|(_, at)| at.clone()).collect());
        assert_eq!(ends(&recovered(&session, 3)), ["c1", "c2", "server"]);
        let trial = measured(&session, &plan(&session, Mix::receive(Bytes(8192)), 300));
        assert_eq!(trial.outcome, Outcome::Complete);
    }
}
