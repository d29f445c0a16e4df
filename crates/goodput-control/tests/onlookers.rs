//! Somebody looks on at a trial: each end is told by itself from then on, and agents are asked for nothing more.

// A test fails by panicking, in its helpers too.
#![allow(clippy::unwrap_used)]

use goodput_control::{Agent, AgentSettings, Cancel, HostAddress, Hosts, Onlookers, TrialPlan, run_trial};
use goodput_model::event::Event;
use goodput_model::id::TrialId;
use goodput_model::probe::{Probe, Stop, Stream};
use goodput_model::record::NoRecord;
use goodput_model::trial::Outcome;
use goodput_model::units::Nanos;
use std::net::{Ipv4Addr, TcpListener};

/// Long enough for an agent that was asked for its CPU to have a figure.
const WINDOW: Stop = Stop::Time(Nanos(1_500_000_000));

fn free_port() -> u16 {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port()
}

#[test]
fn ends_are_told_by_themselves_only_while_somebody_looks_on() {
    let settings = AgentSettings {
        name: "far".into(),
        address: Some(Ipv4Addr::LOCALHOST.into()),
        control_port: free_port(),
        data_port: 0,
        ..AgentSettings::default()
    };
    let _agent = Agent::listen(&settings, None).unwrap();
    let hosts = Hosts { to: HostAddress::new("127.0.0.1", settings.control_port), from: None, data: None };
    let onlookers = Onlookers::default();
    let stream = Stream { stop: WINDOW, warm_up: Nanos(0), ..Stream::default() };
    let plan =
        TrialPlan { onlookers: onlookers.clone(), ..TrialPlan::new(TrialId(1), Probe::Stream(stream)) };
    let (mut alone, mut ends_told) = (0, 0);
    let mut tell = |event: &Event| match event {
        Event::Live(_) => {
            alone += u32::from(!onlookers.are_there());
            // They come with the third glimpse.
            onlookers.set(alone >= 3);
        }
        Event::LiveEnds { ends, .. } => {
            assert!(onlookers.are_there(), "nobody looks on");
            assert_eq!(ends.len(), 2);
            let cpu = ends.iter().filter_map(|end| end.live?.busy_percent);
            assert_eq!(cpu.count(), 0, "agents were asked for their CPU");
            ends_told += 1;
        }
        _ => {}
    };
    let trial = run_trial(&hosts, &plan, None, &mut NoRecord, &mut tell, &Cancel::default()).unwrap();
    assert_eq!(trial.outcome, Outcome::Complete);
    assert!(alone == 3 && ends_told > 0, "{alone} glimpses before, {ends_told} after");
}
