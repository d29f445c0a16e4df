//! Loads over Zenoh and loopback sockets.

use crate::{ends, measured};
use goodput_control::{HostAddress, Session, SessionHosts, TrialPlan};
use goodput_model::ids::TrialId;
use goodput_model::load::{Load, LoadWorker, RequestMix};
use goodput_model::probe::Probe;
use goodput_model::trial::{EndRole, Trial, TrialOutcome, TrialTimeouts};
use goodput_model::units::{Bytes, Nanos};
use goodput_testkit::start_agent;

/// The first is the server, the others are clients `c1`, `c2`, ….
fn session(addresses: Vec<HostAddress>) -> Session {
    let mut named = addresses.into_iter().enumerate().map(|(n, at)| (format!("c{n}"), at));
    let server = ("server".to_string(), named.next().unwrap().1);
    let hosts = SessionHosts { server: Some(server), clients: named.collect(), ..SessionHosts::default() };
    Session::open(&hosts, None, &TrialTimeouts::default()).unwrap()
}

fn plan(session: &Session, mix: RequestMix) -> TrialPlan {
    let clients: Vec<String> = session.agent_hellos().1.iter().map(|(name, _)| name.to_string()).collect();
    let workers = (0..clients.len() as u16 * 2).map(|n| LoadWorker { client: n / 2, mix: 0 }).collect();
    let (time, warm_up) = (Nanos(500_000_000), Nanos(200_000_000));
    let load = Load { clients, workers, mixes: vec![mix], time, warm_up, ..Load::default() };
    TrialPlan::new(TrialId(5), Probe::Load(load))
}

fn arrived(trial: &Trial, role: EndRole) -> u64 {
    let ends = trial.ends.iter().filter(|e| e.role == role);
    ends.flat_map(|e| &e.flows).filter(|f| f.receives).map(|f| f.window_bytes).sum()
}

#[test]
fn three_clients_and_a_server_measure_one_window() {
    let (server, clients) =
        (start_agent("server"), [start_agent("c1"), start_agent("c2"), start_agent("c3")]);
    let session = session([&server].into_iter().chain(&clients).map(|a| a.1.clone()).collect());
    for (mix, transmits, receives) in [
        (RequestMix::transmit_only(Bytes(8192)), true, false),
        (RequestMix::receive_only(Bytes(8192)), false, true),
    ] {
        let trial = measured(&session, &plan(&session, mix));
        assert_eq!(trial.outcome, TrialOutcome::Complete);
        assert_eq!((ends(&trial), trial.excluded.len()), (vec!["c1", "c2", "c3", "server"], 0));
        assert_eq!(arrived(&trial, EndRole::Connect) > 0, transmits);
        assert_eq!(arrived(&trial, EndRole::Listen) > 0, receives);
        assert!(trial.ends[..3].iter().all(|e| e.skew.is_some()));
    }
    assert!(clients.iter().chain([&server]).all(|(agent, _)| agent.stored_results().is_empty()));
}
