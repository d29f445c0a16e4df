//! A replayed request is refused: an order during its lease, after it, at another agent, changed, or bare; a
//! request for a lease. Forged and used tokens open nothing.

use super::{ask, key_of};
use crate::stage::*;
use goodput_control::identity::{Identity, PeerIdentity};
use goodput_control::message_bus::{CallError, MessageBus, ZenohBus};
use goodput_control::protocol::{
    self, HelloRequest, HelloResponse, JobStatusRequest, JobStatusResponse, LeaseRequest, LeaseStatus,
    StartJobRequest, StartJobResponse, request_zenoh_key,
};
use goodput_control::{LabKey, SigningMessageBus};
use goodput_model::probe::{Request, RequestKind, StopCondition, Stream};
use goodput_model::trial::{TrialSpec, TrialTimeouts};
use goodput_model::{Bytes, Nanos, Probe, TrialId, TrialToken};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::sync::Arc;

const SOON: Duration = Duration::from_secs(3);

pub struct Coordinator {
    bare: Arc<ZenohBus>,
    signed: SigningMessageBus,
    agent: String,
}

impl Coordinator {
    fn of(home: &Home, agent: &Agent) -> Result<Coordinator, Failed> {
        Coordinator::at(&key_of(home)?, (Ipv4Addr::LOCALHOST, agent.port).into())
    }

    pub fn at(key: &LabKey, at: SocketAddr) -> Result<Coordinator, Failed> {
        let identity = Identity::new(key, "by hand")?;
        let bare = Arc::new(ZenohBus::connect(at, Some(&identity), SOON)?);
        let question = HelloRequest { protocol: protocol::PROTOCOL_VERSION, challenge: "00".into() };
        let question = serde_json::to_vec(&question)?;
        let mut hello = None;
        until("somebody says hello", SOON, || {
            let answers = bare.call_all("goodput/hello/*", &question, SOON)?;
            let answered =
                answers.first().map(|answer| serde_json::from_slice::<HelloResponse>(&answer.payload));
            hello = answered.transpose()?;
            Ok(hello.is_some())
        })?;
        let HelloResponse { agent, session, .. } = hello.ok_or("no hello")?;
        let prover = identity.prover().clone();
        let signed = SigningMessageBus::new(bare.clone(), prover, PeerIdentity::KeyHolder, session);
        Ok(Coordinator { bare, signed, agent })
    }

    fn lease(&self) -> Result<String, Failed> {
        let (client, presence) = ("by hand".to_string(), protocol::coordinator_presence_zenoh_key("by-hand"));
        let ask = LeaseRequest::Request { client, presence, shared: false };
        match protocol::call_agent(&self.signed, &self.agent, &ask, SOON)? {
            LeaseStatus::Granted { id } => Ok(id),
            other => Err(format!("no lease: {other:?}").into()),
        }
    }

    fn start(&self, lease: &str, probe: Probe, token: TrialToken) -> Result<Vec<u8>, Failed> {
        let (connect, first_byte) = (Nanos(1_000_000_000), Nanos(2_000_000_000));
        let deadlines = TrialTimeouts { connect, first_byte, ..TrialTimeouts::default() };
        let order =
            TrialSpec { trial: TrialId(1), probe, token, deadlines, cpus: None, live: false, client: 0 };
        let start = StartJobRequest {
            lease: lease.to_string(),
            order,
            host: "far".into(),
            peer: None,
            vigil: protocol::LivenessPolicy::Lease,
            about: None,
            live_cpu: false,
        };
        Ok(self.signed.sign_request(&self.start_key(), &serde_json::to_vec(&start)?)?)
    }

    fn start_key(&self) -> String {
        request_zenoh_key(&self.agent, "start")
    }

    fn replay(&self, captured: &[u8]) -> Result<Vec<u8>, CallError> {
        self.bare.call(&self.start_key(), captured, SOON)
    }

    fn await_end(&self, job: &str) -> CommandOutput {
        until("the trial's end", Duration::from_secs(20), || {
            let ask = JobStatusRequest { job: job.to_string(), wait_ms: 500 };
            let status = protocol::call_agent(&self.signed, &self.agent, &ask, SOON)?;
            Ok(matches!(status, JobStatusResponse::Done(_)))
        })
    }
}

fn refused(answer: Result<Vec<u8>, CallError>, word: &str) -> CommandOutput {
    match answer {
        Err(CallError::Refused { message }) if message.contains(word) => Ok(()),
        other => Err(format!("not refused with {word:?}: {other:?}").into()),
    }
}

pub fn orders() -> CommandOutput {
    let home = Home::with_key()?;
    let (agent, other) = (home.agent(&["--bind", "127.0.0.1"])?, home.agent(&["--bind", "127.0.0.1"])?);
    let (ours, elsewhere) = (Coordinator::of(&home, &agent)?, Coordinator::of(&home, &other)?);
    let lease = ours.lease()?;
    let stream = Stream { stop: StopCondition::Bytes(Bytes(1000)), warm_up: Nanos(0), ..Stream::default() };
    let captured = ours.start(&lease, Probe::Stream(stream), TrialToken([7; 16]))?;
    let started: StartJobResponse = serde_json::from_slice(&ours.replay(&captured)?)?;

    refused(ours.replay(&captured), "carried out before")?;
    ours.await_end(&started.job)?;
    refused(ours.replay(&captured), "carried out before")?;
    let at = captured.iter().position(|b| *b == b'\n').ok_or("no head")?;
    refused(ours.replay(&captured[at + 1..]), "no proof")?;
    let mut changed = captured.clone();
    *changed.last_mut().ok_or("empty")? = b' ';
    refused(ours.replay(&changed), "proof")?;
    // A new lease does not revalidate an old order, nor an old lease a new order.
    let released = lease.clone();
    protocol::call_agent(&ours.signed, &ours.agent, &LeaseRequest::Release { id: lease }, SOON)?;
    refused(ours.replay(&captured), "carried out before")?;
    let _next = ours.lease()?;
    refused(ours.replay(&captured), "carried out before")?;
    let late = ours.start(&released, Probe::Stream(Stream::default()), TrialToken([8; 16]))?;
    refused(ours.replay(&late), "has expired")?;
    // A request without an order of its own.
    let key = request_zenoh_key(&ours.agent, "kept");
    let kept = ours.signed.sign_request(&key, b"{}")?;
    ours.bare.call(&key, &kept, SOON)?;
    refused(ours.bare.call(&key, &kept, SOON), "carried out before")?;
    refused(elsewhere.replay(&captured), "was meant for")?;
    drop((ours, elsewhere));
    for agent in [&agent, &other] {
        ask(&home, agent, "").ended(0)?;
    }
    Ok(())
}

pub fn opened(at: SocketAddr, token: [u8; 16]) -> Result<Vec<u8>, Failed> {
    let mut stream = TcpStream::connect(at)?;
    stream.write_all(&super::stranger::opening(token, 0))?;
    stream.set_read_timeout(Some(SOON))?;
    let mut heard = Vec::new();
    stream.read_to_end(&mut heard)?;
    Ok(heard)
}

/// The status byte for an unknown token.
const UNKNOWN: [u8; 1] = [1];

pub fn tokens() -> CommandOutput {
    let home = Home::with_key()?;
    let agent = home.agent(&["--bind", "127.0.0.1"])?;
    let at: SocketAddr = (Ipv4Addr::LOCALHOST, agent.data_port).into();
    must!(opened(at, [0; 16])? == UNKNOWN, "an opening without a trial");
    let ours = Coordinator::of(&home, &agent)?;
    let lease = ours.lease()?;
    let token = [9; 16];
    let request =
        Request { transport: RequestKind::UdpRr, stop: StopCondition::Count(1), ..Request::default() };
    let start = ours.start(&lease, Probe::Request(request), TrialToken(token))?;
    let started: StartJobResponse = serde_json::from_slice(&ours.replay(&start)?)?;
    for bit in [0, 63, 127] {
        let mut forged = token;
        forged[bit / 8] ^= 1 << (bit % 8);
        must!(opened(at, forged)? == UNKNOWN, "bit {bit}");
    }
    // UDP: a forged token gets no answer, a valid one a challenge of the same length and nothing more.
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.connect(at)?;
    socket.set_read_timeout(Some(Duration::from_millis(200)))?;
    let heard = |words: &[u8]| -> Result<usize, Failed> {
        socket.send(words)?;
        Ok(socket.recv(&mut [0; 2048]).unwrap_or(0))
    };
    let mut forged = token;
    forged[15] ^= 1;
    must!(heard(&super::stranger::opening(forged, 0))? == 0, "a forged token was answered");
    let opening = super::stranger::opening(token, 0);
    must!(heard(&opening)? == opening.len(), "the challenge");
    must!(heard(&super::stranger::opening(token, 1))? <= opening.len(), "a wrong answer to the challenge");
    ours.await_end(&started.job)?;
    must!(opened(at, token)? == UNKNOWN, "a token after its trial");
    must!(heard(&opening)? == 0, "likewise by UDP");
    drop(ours);
    ask(&home, &agent, "").ended(0).map(drop)
}
