//! A replayed order is refused: during its lease, after it, at another agent, changed, or bare.

use super::{key_of, with_key};
use crate::CommandOutput;
use crate::stage::{Agent, Home};
use goodput_control::SignedBus;
use goodput_control::bus::{Bus, CallError, ZenohBus};
use goodput_control::identity::Identity;
use goodput_control::protocol::{
    self, Collect, CollectRequest, Hello, HelloRequest, LeaseRequest, LeaseStatus, StartRequest, Started, key,
};
use goodput_model::probe::{Stop, Stream};
use goodput_model::trial::{Deadlines, Order};
use goodput_model::{Bytes, Nanos, Probe, Token, TrialId};
use libtest_mimic::Failed;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

const SOON: Duration = Duration::from_secs(3);

struct Coordinator {
    bare: Arc<ZenohBus>,
    signed: SignedBus,
    agent: String,
}

impl Coordinator {
    fn of(home: &Home, agent: &Agent) -> Result<Coordinator, Failed> {
        let identity = Identity::new(&key_of(home)?, "by hand")?;
        let at = (Ipv4Addr::LOCALHOST, agent.port).into();
        let bare = Arc::new(ZenohBus::connect(at, Some(&identity), SOON)?);
        let signed = SignedBus::over(bare.clone(), identity.prover().clone());
        let question = HelloRequest { protocol: protocol::PROTOCOL, challenge: "00".into() };
        let until = Instant::now() + SOON;
        let hello: Hello = loop {
            let answers = bare.call_all("goodput/hello/*", &serde_json::to_vec(&question)?, SOON)?;
            match answers.first() {
                Some(answer) => break serde_json::from_slice(&answer.payload)?,
                None if Instant::now() > until => return Err("nobody says hello".into()),
                None => std::thread::sleep(Duration::from_millis(20)),
            }
        };
        Ok(Coordinator { bare, signed, agent: hello.agent })
    }

    fn lease(&self) -> Result<String, Failed> {
        let (client, presence) = ("by hand".to_string(), protocol::presence_key("by-hand"));
        let ask = LeaseRequest::Request { client, presence, shared: false };
        match protocol::ask(&self.signed, &self.agent, &ask, SOON)? {
            LeaseStatus::Granted { id } => Ok(id),
            other => Err(format!("no lease: {other:?}").into()),
        }
    }

    fn release(&self, id: &str) -> CommandOutput {
        let ask = LeaseRequest::Release { id: id.to_string() };
        protocol::ask(&self.signed, &self.agent, &ask, SOON)?;
        Ok(())
    }

    fn start(&self, lease: &str, probe: Probe, token: Token) -> Result<Vec<u8>, Failed> {
        let (connect, first_byte) = (Nanos(1_000_000_000), Nanos(2_000_000_000));
        let deadlines = Deadlines { connect, first_byte, ..Deadlines::default() };
        let order = Order { trial: TrialId(1), probe, token, deadlines, cpus: None, live: false, client: 0 };
        let start = StartRequest {
            lease: lease.to_string(),
            order,
            host: "far".into(),
            peer: None,
            vigil: protocol::LivenessPolicy::Lease,
            about: None,
            live_cpu: false,
        };
        Ok(self.signed.signed(&self.start_key(), &serde_json::to_vec(&start)?)?)
    }

    fn start_key(&self) -> String {
        key(&self.agent, "start")
    }

    fn replay(&self, captured: &[u8]) -> Result<Vec<u8>, CallError> {
        self.bare.call(&self.start_key(), captured, SOON)
    }

    fn await_end(&self, job: &str) -> CommandOutput {
        let until = Instant::now() + Duration::from_secs(20);
        while Instant::now() < until {
            let ask = CollectRequest { job: job.to_string(), wait_ms: 500 };
            if let Collect::Done(_) = protocol::ask(&self.signed, &self.agent, &ask, SOON)? {
                return Ok(());
            }
        }
        Err("the trial does not end".into())
    }
}

fn refused(answer: Result<Vec<u8>, CallError>, word: &str) -> CommandOutput {
    match answer {
        Err(CallError::Refused { message }) if message.contains(word) => Ok(()),
        other => Err(format!("not refused with {word:?}: {other:?}").into()),
    }
}

fn stream() -> Probe {
    Probe::Stream(Stream { stop: Stop::Bytes(Bytes(1000)), warm_up: Nanos(0), ..Stream::default() })
}

pub fn orders() -> CommandOutput {
    let home = with_key()?;
    let (agent, other) = (home.agent(&["--bind", "127.0.0.1"])?, home.agent(&["--bind", "127.0.0.1"])?);
    let (ours, elsewhere) = (Coordinator::of(&home, &agent)?, Coordinator::of(&home, &other)?);
    let lease = ours.lease()?;
    let captured = ours.start(&lease, stream(), Token([7; 16]))?;
    let started: Started = serde_json::from_slice(&ours.replay(&captured)?)?;

    refused(ours.replay(&captured), "carried out before")?;
    ours.await_end(&started.job)?;
    refused(ours.replay(&captured), "carried out before")?;
    let at = captured.iter().position(|b| *b == b'\n').ok_or("no head")?;
    refused(ours.replay(&captured[at + 1..]), "no proof")?;
    let mut changed = captured.clone();
    *changed.last_mut().ok_or("empty")? = b' ';
    refused(ours.replay(&changed), "proof")?;
    // A new lease does not revalidate an old order.
    ours.release(&lease)?;
    refused(ours.replay(&captured), "has expired")?;
    let _next = ours.lease()?;
    refused(ours.replay(&captured), "has expired")?;
    refused(elsewhere.replay(&captured), "was meant for")?;
    drop((ours, elsewhere));
    for agent in [&agent, &other] {
        home.line(&super::short(&agent.ports())).ended(0)?;
    }
    Ok(())
}
