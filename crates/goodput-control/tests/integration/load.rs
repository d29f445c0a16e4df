//! Loads over Zenoh and loopback sockets.

use crate::{ends, load_plan, measured};
use goodput_control::{Session, SessionHosts};
use goodput_model::load::RequestMix;
use goodput_model::trial::{EndpointRole, Trial, TrialOutcome, TrialTimeouts};
use goodput_model::units::Bytes;
use goodput_testkit::start_agent;

fn arrived(trial: &Trial, role: EndpointRole) -> u64 {
    let ends = trial.ends.iter().filter(|e| e.role == role);
    ends.flat_map(|e| &e.flows).filter(|f| f.receives).map(|f| f.window_bytes).sum()
}

#[test]
fn three_clients_and_a_server_measure_one_window() {
    let agents = ["server", "c1", "c2", "c3"].map(|name| (name, start_agent(name)));
    let mut named = agents.iter().map(|(name, (_, at))| (name.to_string(), at.clone()));
    let server = named.next();
    let hosts = SessionHosts { server, clients: named.collect(), ..SessionHosts::default() };
    let session = Session::open(&hosts, None, &TrialTimeouts::default()).unwrap();
    for (mix, transmits, receives) in [
        (RequestMix::transmit_only(Bytes(8192)), true, false),
        (RequestMix::receive_only(Bytes(8192)), false, true),
    ] {
        let trial = measured(&session, &load_plan(&session, vec![mix], 500));
        assert_eq!(trial.outcome, TrialOutcome::Complete);
        assert_eq!((ends(&trial), trial.excluded.len()), (vec!["c1", "c2", "c3", "server"], 0));
        assert_eq!(arrived(&trial, EndpointRole::Connect) > 0, transmits);
        assert_eq!(arrived(&trial, EndpointRole::Listen) > 0, receives);
        assert!(trial.ends[..3].iter().all(|e| e.skew.is_some()));
    }
    assert!(agents.iter().all(|(_, (agent, _))| agent.stored_results().is_empty()));
}
