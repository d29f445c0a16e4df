//! A router sees every request, and sends each a second time.

use super::{Agent, AgentInfo, KnobJournalLocation, Policy, policy};
use crate::fake::{FakeConnection, FakeProber, ProbeGate, WAIT_TIMEOUT, file_setting};
use crate::identity::Identity;
use crate::lab_key::LabKey;
use crate::message_bus::{CallError, MemoryBus, MessageBus};
use crate::protocol::{
    AgentRequest, DiscardResultRequest, HoldKnobsRequest, HostInventoryRequest, JobStatusRequest,
    JobStatusResponse, LeaseRequest, LeaseStatus, ListResultsRequest, ReachabilityRequest, ReadKnobRequest,
    RestoreKnobsRequest, SetKnobRequest, StartJobRequest, StopJobRequest, StoredResult,
};
use crate::session::agent_connection::AgentConnection;
use goodput_host::knob::ControlConnectionPath;
use goodput_model::Nanos;
use goodput_model::probe::Stream;
use goodput_model::trial::TrialTimeouts;
use std::sync::Arc;

fn asked<A: AgentRequest>(end: &AgentConnection, question: &A) -> A::Answer {
    end.call(question, WAIT_TIMEOUT).unwrap()
}

pub(super) fn order(lease: &str) -> StartJobRequest {
    StartJobRequest { lease: lease.to_string(), ..policy::tests::start(Stream::default(), None) }
}

fn measured(end: &AgentConnection, lease: &str) -> StoredResult {
    let job = asked(end, &order(lease)).job;
    loop {
        let progress = asked(end, &JobStatusRequest { job: job.clone(), wait_ms: 1000 });
        if let JobStatusResponse::Done(kept) = progress {
            return kept;
        }
    }
}

#[test]
fn no_request_is_carried_out_twice() {
    let folder = tempfile::tempdir().unwrap();
    let speed = folder.path().join("speed");
    std::fs::write(&speed, "100\n").unwrap();
    let identity = Arc::new(Identity::new(&LabKey::generate().unwrap(), "test").unwrap());
    let (bus, prober) = (MemoryBus::new(), FakeProber::with_gate(&ProbeGate::new_open()));
    let (card, policy, journal) =
        (AgentInfo::with_name("far").unwrap(), Policy::default(), KnobJournalLocation::Memory);
    let shared = Arc::new(bus.clone());
    let _agent =
        Agent::serve_with_journal(shared, prober, Some(identity.clone()), card, None, policy, journal)
            .unwrap();
    let router = FakeConnection::new(&bus);
    let timeouts = TrialTimeouts::default();
    let end =
        AgentConnection::connect_over_bus(Arc::new(router.clone()), "far".into(), Some(&identity), &timeouts)
            .unwrap();

    let (client, presence) = ("test".to_string(), end.presence.clone());
    let request = LeaseRequest::Request { client: client.clone(), presence: presence.clone(), shared: false };
    let LeaseStatus::Granted { id } = asked(&end, &request) else { panic!("no lease") };
    asked(&end, &LeaseRequest::Renew { id: id.clone(), wait_ms: 0 });
    let kept = measured(&end, &id);
    assert_eq!(asked(&end, &ListResultsRequest {}).len(), 1);
    end.fetch_result(&kept).unwrap();
    asked(&end, &StopJobRequest { job: kept.job.clone() });
    asked(&end, &DiscardResultRequest { job: kept.job });
    asked(&end, &LeaseRequest::Release { id });
    asked(&end, &ReachabilityRequest { addresses: Vec::new(), deadline: Nanos(0) });
    asked(&end, &HostInventoryRequest {});
    let (subject, towards, control) = (file_setting(&speed), Vec::new(), ControlConnectionPath::Own);
    asked(&end, &ReadKnobRequest { subject: subject.clone(), towards: towards.clone() });
    let (who, value) = ((client.clone(), presence.clone()), "1000".to_string());
    asked(&end, &SetKnobRequest { client: who.0, presence: who.1, subject, towards, control, value });
    asked(&end, &HoldKnobsRequest { presence: presence.clone() });
    asked(&end, &RestoreKnobsRequest { client, presence });

    let captured = router.captured_requests();
    let mut verbs: Vec<&str> = captured.iter().filter_map(|(key, _)| key.rsplit('/').next()).collect();
    verbs.sort_unstable();
    verbs.dedup();
    let all = "abandon collect discard fetch hold-knobs inventory kept lease reach read-knob restore-knobs \
               set-knob start";
    assert_eq!(verbs.join(" "), all);
    for (key, payload) in captured {
        match bus.call(&key, &payload, WAIT_TIMEOUT) {
            Err(CallError::Refused { message }) => {
                assert_eq!(message, "this request has been carried out before", "{key}");
            }
            other => panic!("{key}: {other:?}"),
        }
    }
    assert_eq!(std::fs::read_to_string(&speed).unwrap(), "100\n");
}
