//! The bus over Zenoh. Everything the engine would do by default and a measuring host must not is set here.
//!
//! A call is a query with several replies: `ACCEPTED` at once, then the answer or the refusal. Without the
//! first frame nobody was there, with it and without a second the other side died: the engine alone reports
//! both as "no replies".

use super::memory::spawn;
use super::{Answer, Bus, BusError, CallError, Handler, Listener, Presence, Registration, Watcher};
use crate::identity::Identity;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use zenoh::Wait;
use zenoh::bytes::ZBytes;
use zenoh::qos::{CongestionControl, Priority};
use zenoh::query::{ConsolidationMode, Query, QueryTarget, Reply};
use zenoh::sample::{Sample, SampleKind};

const ACCEPTED: u8 = 0;
const ANSWER: u8 = 1;
const REFUSED: u8 = 2;

/// Closing can hang for ten seconds when packets are lost (zenoh issue 2675): after this we leave without it.
const CLOSE: Duration = Duration::from_secs(1);

/// One engine session: an agent's, or a coordinator's to one agent.
pub struct ZenohBus {
    session: zenoh::Session,
}

impl ZenohBus {
    /// Waits for coordinators on `addr`; with an identity by mutual TLS only.
    pub fn listen(addr: SocketAddr, identity: Option<&Identity>) -> Result<ZenohBus, BusError> {
        let what = format!("cannot listen for orders on {addr}");
        let config = config(&[], &[endpoint(addr, identity)], identity).map_err(|e| failed(&what, e))?;
        open(config, Duration::from_secs(5), what)
    }

    /// Connects to the one agent at `addr`.
    pub fn connect(
        addr: SocketAddr,
        identity: Option<&Identity>,
        deadline: Duration,
    ) -> Result<ZenohBus, BusError> {
        let what = format!("cannot open a session with {addr}");
        let config = config(&[peer(addr, identity)], &[], identity).map_err(|e| failed(&what, e))?;
        open(config, deadline, what)
    }

    fn ask(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Receiver<Frame>, BusError> {
        let (tell, told) = channel();
        self.session
            .get(key)
            .payload(payload)
            .target(QueryTarget::All)
            .consolidation(ConsolidationMode::None)
            // Our own deadline comes first; the engine's only ends what we no longer wait for.
            .timeout(deadline + Duration::from_secs(1))
            .callback(move |reply: Reply| {
                if let Some(frame) = Frame::read(&reply) {
                    let _ = tell.send(frame);
                }
            })
            .wait()
            .map_err(|e| failed(&format!("cannot call {key}"), e))?;
        Ok(told)
    }
}

/// One reply to a call.
struct Frame {
    key: String,
    kind: u8,
    body: Vec<u8>,
}

impl Frame {
    /// `None` for what is no reply of ours: the engine's own word that it stopped waiting.
    fn read(reply: &Reply) -> Option<Frame> {
        let sample = reply.result().ok()?;
        let bytes = sample.payload().to_bytes();
        let (kind, body) = bytes.split_first()?;
        Some(Frame { key: sample.key_expr().as_str().to_string(), kind: *kind, body: body.to_vec() })
    }
}

impl Bus for ZenohBus {
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError> {
        let until = Instant::now() + deadline;
        let told = self.ask(key, payload, deadline)?;
        let mut accepted = false;
        loop {
            match told.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Frame { kind: ACCEPTED, .. }) => accepted = true,
                Ok(Frame { kind: ANSWER, body, .. }) => return Ok(body),
                Ok(Frame { body, .. }) => {
                    return Err(CallError::Refused { message: String::from_utf8_lossy(&body).into_owned() });
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(CallError::Busy { key: key.to_string(), deadline });
                }
                Err(RecvTimeoutError::Disconnected) if accepted => {
                    return Err(CallError::Died { key: key.to_string() });
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(CallError::NoAgent { key: key.to_string() });
                }
            }
        }
    }

    fn call_all(&self, pattern: &str, payload: &[u8], deadline: Duration) -> Result<Vec<Answer>, CallError> {
        let until = Instant::now() + deadline;
        let told = self.ask(pattern, payload, deadline)?;
        let mut answers = Vec::new();
        while let Ok(frame) = told.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if frame.kind == ANSWER {
                answers.push(Answer { key: frame.key, payload: frame.body });
            }
        }
        Ok(answers)
    }

    fn serve(&self, key: &str, handler: Handler) -> Result<Registration, BusError> {
        let (handler, served) = (Arc::new(handler), key.to_string());
        let queryable = self
            .session
            .declare_queryable(key)
            .callback(move |query: Query| {
                let (handler, served) = (handler.clone(), served.clone());
                // A handler may wait, the engine's thread may not. A call that gets no thread is dropped
                // unanswered, which its caller sees as "nobody there".
                let _ = spawn("goodput-call", move || answer(&query, &served, &handler));
            })
            .wait()
            .map_err(|e| failed(&format!("cannot serve {key}"), e))?;
        Ok(Registration::new(queryable))
    }

    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError> {
        self.session
            .put(key, payload)
            .congestion_control(CongestionControl::Drop)
            .priority(Priority::Background)
            .wait()
            .map_err(|e| failed(&format!("cannot publish {key}"), e))
    }

    fn subscribe(&self, pattern: &str, listener: Listener) -> Result<Registration, BusError> {
        let subscriber = self
            .session
            .declare_subscriber(pattern)
            .callback(move |s: Sample| listener(s.key_expr().as_str(), &s.payload().to_bytes()))
            .wait()
            .map_err(|e| failed(&format!("cannot subscribe to {pattern}"), e))?;
        Ok(Registration::new(subscriber))
    }

    fn announce(&self, key: &str) -> Result<Registration, BusError> {
        let token = self.session.liveliness().declare_token(key).wait();
        Ok(Registration::new(token.map_err(|e| failed(&format!("cannot announce {key}"), e))?))
    }

    fn watch(&self, pattern: &str, watcher: Watcher) -> Result<Registration, BusError> {
        let presence = |kind| if kind == SampleKind::Put { Presence::Up } else { Presence::Down };
        let subscriber = self
            .session
            .liveliness()
            .declare_subscriber(pattern)
            .history(true)
            .callback(move |s: Sample| watcher(s.key_expr().as_str(), presence(s.kind())))
            .wait()
            .map_err(|e| failed(&format!("cannot watch {pattern}"), e))?;
        Ok(Registration::new(subscriber))
    }
}

impl Drop for ZenohBus {
    fn drop(&mut self) {
        let session = self.session.clone();
        let (tell, told) = channel();
        let closing = spawn("goodput-close", move || {
            let _ = session.close().wait();
            let _ = tell.send(());
        });
        if closing.is_ok() {
            let _ = told.recv_timeout(CLOSE);
        }
    }
}

/// Answers one query from a thread of its own.
fn answer(query: &Query, served: &str, handler: &Handler) {
    let reply = |kind: u8, body: &[u8]| {
        let mut frame = Vec::with_capacity(body.len() + 1);
        frame.push(kind);
        frame.extend_from_slice(body);
        // A caller that has gone needs no answer.
        let _ = query.reply(served, frame).wait();
    };
    reply(ACCEPTED, b"");
    let payload = query.payload().map(ZBytes::to_bytes).unwrap_or_default();
    match handler(&payload) {
        Ok(body) => reply(ANSWER, &body),
        Err(message) => reply(REFUSED, message.as_bytes()),
    }
}

fn endpoint(addr: SocketAddr, identity: Option<&Identity>) -> String {
    format!("{}/{addr}", if identity.is_some() { "tls" } else { "tcp" })
}

/// Where to connect. The engine takes what stands before the last colon for the name in the certificate,
/// brackets and all, and then refuses it; without brackets an IPv6 address passes.
fn peer(addr: SocketAddr, identity: Option<&Identity>) -> String {
    match (addr.ip(), identity) {
        (IpAddr::V6(ip), Some(_)) => format!("tls/{ip}:{}", addr.port()),
        _ => endpoint(addr, identity),
    }
}

/// Opens a session on a thread of its own, because the engine's own deadlines do not cover all of it.
fn open(config: zenoh::Config, deadline: Duration, what: String) -> Result<ZenohBus, BusError> {
    let (tell, told) = channel();
    spawn("goodput-open", move || {
        // Too late for anybody: the session closes as it is dropped.
        let _ = tell.send(zenoh::open(config).wait());
    })?;
    match told.recv_timeout(deadline) {
        Ok(Ok(session)) => Ok(ZenohBus { session }),
        Ok(Err(e)) => Err(failed(&what, e)),
        Err(_) => Err(failed(&what, format!("no session within {} s", deadline.as_secs_f64()))),
    }
}

/// The engine's settings. Its defaults listen on every address, look for peers by multicast, connect to
/// whoever is heard of and authenticate nobody.
fn config(
    connect: &[String],
    listen: &[String],
    identity: Option<&Identity>,
) -> Result<zenoh::Config, zenoh::Error> {
    let mut config = zenoh::Config::default();
    let mut set = |key: &str, value: String| config.insert_json5(key, &value);
    let list = |of: &[String]| format!("[{}]", of.iter().map(|e| quoted(e)).collect::<Vec<_>>().join(","));
    set("mode", quoted("peer"))?;
    set("connect/endpoints", list(connect))?;
    set("listen/endpoints", list(listen))?;
    // One attempt, and a failure is a failure: the preflight has already said that the port answers.
    set("connect/timeout_ms", "0".into())?;
    set("connect/exit_on_failure", "true".into())?;
    set("listen/timeout_ms", "0".into())?;
    set("listen/exit_on_failure", "true".into())?;
    set("scouting/delay", "0".into())?;
    set("scouting/gossip/enabled", "false".into())?;
    set("scouting/gossip/autoconnect", "[]".into())?;
    set("scouting/multicast/enabled", "false".into())?;
    set("scouting/multicast/listen", "false".into())?;
    set("scouting/multicast/autoconnect", "[]".into())?;
    set("adminspace/enabled", "false".into())?;
    set("adminspace/permissions/read", "false".into())?;
    set("transport/shared_memory/enabled", "false".into())?;
    set("transport/unicast/open_timeout", "3000".into())?;
    set("transport/unicast/accept_timeout", "3000".into())?;
    set("transport/link/tx/lease", "4000".into())?;
    set("transport/link/tx/keep_alive", "4".into())?;
    set("transport/link/rx/max_message_size", (64 << 20).to_string())?;
    if let Some(identity) = identity {
        let pem = |pem: &str| quoted(&data_encoding::BASE64.encode(pem.as_bytes()));
        set("transport/link/tls/enable_mtls", "true".into())?;
        // The authority is the lab key's own and says who belongs; addresses and names may change. That the
        // agent knows the key, and not only some public authority, is proved once more in `hello`.
        set("transport/link/tls/verify_name_on_connect", "false".into())?;
        set("transport/link/tls/root_ca_certificate_base64", pem(&identity.authority))?;
        for side in ["listen", "connect"] {
            set(&format!("transport/link/tls/{side}_certificate_base64"), pem(&identity.certificate))?;
            set(&format!("transport/link/tls/{side}_private_key_base64"), pem(identity.private_key()))?;
        }
    }
    Ok(config)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn failed(what: &str, cause: impl ToString) -> BusError {
    BusError { what: what.to_string(), cause: cause.to_string() }
}
