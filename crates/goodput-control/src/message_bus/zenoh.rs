//! The bus over Zenoh. A call is a query with two replies: `ACCEPTED`, then answer or refusal. Without the
//! first nobody serves the key; without the second the server died. Zenoh reports both as "no replies".

mod scout;
mod settings;

pub use scout::{ScoutReply, Scouting};
pub use settings::MAX_SESSIONS;

use super::memory::spawn_thread;
use super::{
    BusError, BusRegistration, CallError, CallReply, MessageBus, PresenceStatus, PresenceWatcher,
    PublicationListener, RequestHandler,
};
use crate::address::AgentRouterAddress;
use crate::identity::Identity;
use crate::ip_prefix::IpPrefix;
use crate::seconds_arg;
use goodput_words::{Message, message};
use settings::SessionSettings;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use zenoh::Wait;
use zenoh::bytes::ZBytes;
use zenoh::config::WhatAmI;
use zenoh::qos::{CongestionControl, Priority};
use zenoh::query::{ConsolidationMode, Query, QueryTarget, Reply};
use zenoh::sample::{Sample, SampleKind};

const ACCEPTED: u8 = 0;
const ANSWER: u8 = 1;
const REFUSED: u8 = 2;

/// Answers of all agents to one call; 20,000 agents at a router send about 80 MB.
const MAX_COLLECTED_BYTES: usize = 256 << 20;

/// The part of a refusal that is read.
const MAX_REFUSAL_BYTES: usize = 64 << 10;

/// Closing can hang for ten seconds after packet loss (zenoh issue 2675).
const CLOSE: Duration = Duration::from_secs(1);

/// A silently lost session is detected within this. Longer than a full link delays a session's messages: 6 s
/// of datagrams on a shared medium delayed them by over 4 s. Heartbeats and calls detect lost hosts sooner
/// (`docs/decisions/lost-coordinator.md`).
const LEASE: Duration = Duration::from_secs(20);
/// Lease between a router and its members: thousands of idle agents must send almost nothing.
pub const ROUTER_LEASE_DURATION: Duration = Duration::from_secs(60);
const OPEN: Duration = Duration::from_secs(5);

/// One Zenoh session of an agent, a router, or a coordinator.
pub struct ZenohBus {
    session: zenoh::Session,
}

#[derive(Debug, Clone, Copy)]
pub struct ZenohListenSettings<'a> {
    /// Up to 32 hexadecimal digits, the first not 0.
    pub id: &'a str,
    /// Whether it answers scouting.
    pub found: bool,
    /// Accepted source addresses; `None` for all.
    pub from: Option<&'a [IpPrefix]>,
}

impl ZenohBus {
    /// Listens on `addr`, with mutual TLS if there is an identity; discoverable only if `known` asks for it.
    pub fn listen(
        addr: SocketAddr,
        identity: Option<&Identity>,
        known: Option<ZenohListenSettings<'_>>,
    ) -> Result<ZenohBus, BusError> {
        let what = message!(error_bus_listen { address: addr.to_string() });
        let settings = SessionSettings {
            listen: vec![admitting(addr, AT_AN_AGENT, known.and_then(|k| k.from), identity)],
            known,
            ..SessionSettings::new(WhatAmI::Peer, identity, LEASE)
        };
        open(&settings, OPEN, what)
    }

    pub fn connect(
        addr: SocketAddr,
        identity: Option<&Identity>,
        deadline: Duration,
    ) -> Result<ZenohBus, BusError> {
        ZenohBus::connect_with_lease(addr, identity, LEASE, deadline)
    }

    /// The same, and the certificate must be for the host `called`. Ignored under a lab key.
    pub fn connect_with_server_name(
        addr: SocketAddr,
        called: &str,
        identity: Option<&Identity>,
        deadline: Duration,
    ) -> Result<ZenohBus, BusError> {
        let what = message!(error_bus_session_named { host: called, address: addr.to_string() });
        let connect = vec![named(peer(addr, identity), called, identity)];
        let settings = SessionSettings { connect, ..SessionSettings::new(WhatAmI::Peer, identity, LEASE) };
        open(&settings, deadline, what)
    }

    /// The same with its own lease, in which the agent detects our loss; four keep-alives per lease.
    pub fn connect_with_lease(
        addr: SocketAddr,
        identity: Option<&Identity>,
        lease: Duration,
        deadline: Duration,
    ) -> Result<ZenohBus, BusError> {
        let what = message!(error_bus_session { address: addr.to_string() });
        let settings = SessionSettings {
            connect: vec![anybody(peer(addr, identity), identity)],
            ..SessionSettings::new(WhatAmI::Peer, identity, lease)
        };
        open(&settings, deadline, what)
    }

    /// Joins a router; Zenoh reconnects automatically. One attempt is made before this returns.
    pub fn join_router(
        router: &AgentRouterAddress,
        identity: Option<&Identity>,
        deadline: Duration,
    ) -> Result<ZenohBus, BusError> {
        let what = message!(error_bus_join_router { router: router.to_string() });
        let settings = SessionSettings {
            connect: vec![routed(router, identity)],
            ..SessionSettings::new(WhatAmI::Client, identity, ROUTER_LEASE_DURATION)
        };
        open(&settings, deadline, what)
    }

    /// Runs a router on `addr`; connects and reconnects to the named routers.
    pub fn run_router(
        addr: SocketAddr,
        others: &[AgentRouterAddress],
        identity: Option<&Identity>,
    ) -> Result<ZenohBus, BusError> {
        let what = message!(error_bus_be_router { address: addr.to_string() });
        let settings = SessionSettings {
            listen: vec![admitting(addr, AT_A_ROUTER, None, identity)],
            connect: others.iter().map(|router| routed(router, identity)).collect(),
            ..SessionSettings::new(WhatAmI::Router, identity, ROUTER_LEASE_DURATION)
        };
        open(&settings, OPEN, what)
    }

    fn ask(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Receiver<Frame>, BusError> {
        let (tell, told) = channel();
        self.session
            .get(key)
            .payload(payload)
            .target(QueryTarget::All)
            .consolidation(ConsolidationMode::None)
            // Longer than our own deadline, which must expire first.
            .timeout(deadline + Duration::from_secs(1))
            .callback(move |reply: Reply| {
                if let Some(frame) = Frame::read(&reply) {
                    let _ = tell.send(frame);
                }
            })
            .wait()
            .map_err(|e| failed(format!("cannot call {key}"), e))?;
        Ok(told)
    }
}

struct Frame {
    key: String,
    kind: u8,
    body: Vec<u8>,
}

impl Frame {
    /// `None` for Zenoh's own timeout reply.
    fn read(reply: &Reply) -> Option<Frame> {
        let sample = reply.result().ok()?;
        let bytes = sample.payload().to_bytes();
        let (kind, body) = bytes.split_first()?;
        Some(Frame { key: sample.key_expr().as_str().to_string(), kind: *kind, body: body.to_vec() })
    }
}

impl MessageBus for ZenohBus {
    fn call(&self, key: &str, payload: &[u8], deadline: Duration) -> Result<Vec<u8>, CallError> {
        let until = Instant::now() + deadline;
        let told = self.ask(key, payload, deadline)?;
        let (mut accepted, mut refused) = (false, None);
        loop {
            match told.recv_timeout(until.saturating_duration_since(Instant::now())) {
                Ok(Frame { kind: ACCEPTED, .. }) => accepted = true,
                Ok(Frame { kind: ANSWER, body, .. }) => return Ok(body),
                // An agent at two connected routers receives a call twice and refuses the second copy, perhaps
                // before it answers the first.
                Ok(Frame { body, .. }) => {
                    refused.get_or_insert_with(|| read_refusal(&body));
                }
                Err(why) => {
                    let key = key.to_string();
                    return Err(match (refused, why) {
                        (Some(message), _) => CallError::Refused { message },
                        (None, RecvTimeoutError::Timeout) => CallError::Busy { key, deadline },
                        (None, RecvTimeoutError::Disconnected) if accepted => CallError::Died { key },
                        (None, RecvTimeoutError::Disconnected) => CallError::NoAgent { key },
                    });
                }
            }
        }
    }

    fn call_all(
        &self,
        pattern: &str,
        payload: &[u8],
        deadline: Duration,
    ) -> Result<Vec<CallReply>, CallError> {
        let until = Instant::now() + deadline;
        let told = self.ask(pattern, payload, deadline)?;
        let (mut answers, mut bytes) = (Vec::new(), 0);
        while let Ok(frame) = told.recv_timeout(until.saturating_duration_since(Instant::now())) {
            if frame.kind == ANSWER {
                bytes += frame.body.len();
                answers.push(CallReply { key: frame.key, payload: frame.body });
            }
            if bytes > MAX_COLLECTED_BYTES {
                break;
            }
        }
        Ok(answers)
    }

    fn serve(&self, key: &str, handler: RequestHandler) -> Result<BusRegistration, BusError> {
        let (handler, served) = (Arc::new(handler), key.to_string());
        let queryable = self
            .session
            .declare_queryable(key)
            .callback(move |query: Query| {
                let (handler, served) = (handler.clone(), served.clone());
                // A handler may block, Zenoh's thread may not. Without a thread the call is dropped, which
                // its caller sees as "nobody there".
                let _ = spawn_thread("goodput-call", move || answer(&query, &served, &handler));
            })
            .wait()
            .map_err(|e| failed(format!("cannot serve {key}"), e))?;
        Ok(BusRegistration::new(queryable))
    }

    fn publish(&self, key: &str, payload: &[u8]) -> Result<(), BusError> {
        self.session
            .put(key, payload)
            .congestion_control(CongestionControl::Drop)
            .priority(Priority::Background)
            .wait()
            .map_err(|e| failed(format!("cannot publish {key}"), e))
    }

    fn subscribe(&self, pattern: &str, listener: PublicationListener) -> Result<BusRegistration, BusError> {
        let subscriber = self
            .session
            .declare_subscriber(pattern)
            .callback(move |s: Sample| listener(s.key_expr().as_str(), &s.payload().to_bytes()))
            .wait()
            .map_err(|e| failed(format!("cannot subscribe to {pattern}"), e))?;
        Ok(BusRegistration::new(subscriber))
    }

    fn announce_presence(&self, key: &str) -> Result<BusRegistration, BusError> {
        let token = self.session.liveliness().declare_token(key).wait();
        Ok(BusRegistration::new(token.map_err(|e| failed(format!("cannot announce {key}"), e))?))
    }

    fn list_present_keys(&self, pattern: &str, deadline: Duration) -> Result<Vec<String>, BusError> {
        let until = Instant::now() + deadline;
        let (tell, told) = channel();
        self.session
            .liveliness()
            .get(pattern)
            .timeout(deadline)
            .callback(move |reply: Reply| {
                if let Ok(sample) = reply.result() {
                    let _ = tell.send(sample.key_expr().as_str().to_string());
                }
            })
            .wait()
            .map_err(|e| failed(format!("cannot ask who is present as {pattern}"), e))?;
        let mut keys = Vec::new();
        while let Ok(key) = told.recv_timeout(until.saturating_duration_since(Instant::now())) {
            keys.push(key);
        }
        Ok(keys)
    }

    fn watch_presence(&self, pattern: &str, watcher: PresenceWatcher) -> Result<BusRegistration, BusError> {
        let presence = |kind| if kind == SampleKind::Put { PresenceStatus::Up } else { PresenceStatus::Down };
        let subscriber = self
            .session
            .liveliness()
            .declare_subscriber(pattern)
            .history(true)
            .callback(move |s: Sample| watcher(s.key_expr().as_str(), presence(s.kind())))
            .wait()
            .map_err(|e| failed(format!("cannot watch {pattern}"), e))?;
        Ok(BusRegistration::new(subscriber))
    }
}

impl Drop for ZenohBus {
    fn drop(&mut self) {
        let session = self.session.clone();
        let (tell, told) = channel();
        let closing = spawn_thread("goodput-close", move || {
            let _ = session.close().wait();
            let _ = tell.send(());
        });
        if closing.is_ok() {
            let _ = told.recv_timeout(CLOSE);
        }
    }
}

fn answer(query: &Query, served: &str, handler: &RequestHandler) {
    let reply = |kind: u8, body: &[u8]| {
        let mut frame = Vec::with_capacity(body.len() + 1);
        frame.push(kind);
        frame.extend_from_slice(body);
        let _ = query.reply(served, frame).wait();
    };
    reply(ACCEPTED, b"");
    let payload = query.payload().map(ZBytes::to_bytes).unwrap_or_default();
    match handler(&payload) {
        Ok(body) => reply(ANSWER, &body),
        // Strings and finite numbers cannot fail to serialize.
        Err(message) => reply(REFUSED, &write_refusal(&message)),
    }
}

/// The text only, where the message is longer than what is read.
fn write_refusal(message: &Message) -> Vec<u8> {
    let body = serde_json::to_vec(message).unwrap_or_default();
    if body.len() <= MAX_REFUSAL_BYTES { body } else { message.as_bytes().to_vec() }
}

/// That of an agent of an older version is plain text.
fn read_refusal(body: &[u8]) -> Message {
    let body = &body[..body.len().min(MAX_REFUSAL_BYTES)];
    serde_json::from_slice(body).unwrap_or_else(|_| String::from_utf8_lossy(body).into_owned().into())
}

fn endpoint(addr: SocketAddr, identity: Option<&Identity>) -> String {
    format!("{}/{addr}", if identity.is_some() { "tls" } else { "tcp" })
}

/// Zenoh takes the text before the last colon as the certificate's name, so IPv6 addresses have no brackets.
fn peer(addr: SocketAddr, identity: Option<&Identity>) -> String {
    match (addr.ip(), identity) {
        (IpAddr::V6(ip), Some(_)) => format!("tls/{ip}:{}", addr.port()),
        _ => endpoint(addr, identity),
    }
}

/// Requires a certificate for this host name; removes the zone of an address.
fn named(endpoint: String, called: &str, identity: Option<&Identity>) -> String {
    if !identity.is_some_and(Identity::requires_host_name) {
        return endpoint;
    }
    let bare = called.split('%').next().unwrap_or_default();
    format!("{endpoint}#server_name={bare}")
}

/// Accepts a certificate for any host of our authority.
fn anybody(endpoint: String, identity: Option<&Identity>) -> String {
    let checks = identity.is_some_and(Identity::requires_host_name);
    if checks { format!("{endpoint}#verify_name_on_connect=false") } else { endpoint }
}

/// Concurrent handshakes at an agent, and the limit of each.
const AT_AN_AGENT: (u32, Duration) = (256, Duration::from_secs(3));
/// The same at a router, to which a whole site reconnects at once.
const AT_A_ROUTER: (u32, Duration) = (4096, Duration::from_secs(10));

/// Restricts sources and concurrent handshakes. Without TLS it listens on loopback only.
fn admitting(
    addr: SocketAddr,
    (most, patience): (u32, Duration),
    from: Option<&[IpPrefix]>,
    identity: Option<&Identity>,
) -> String {
    let endpoint = endpoint(addr, identity);
    if identity.is_none() {
        return endpoint;
    }
    let patience = patience.as_millis();
    let mut endpoint = format!("{endpoint}#tls_handshakes={most};tls_handshake_timeout_ms={patience}");
    if let Some(from) = from {
        let ranges: Vec<String> = from.iter().map(IpPrefix::to_string).collect();
        endpoint.push_str(&format!(";accept_from={}", ranges.join(",")));
    }
    endpoint
}

/// The router's name, so that Zenoh resolves it at each reconnect. IPv6 without brackets, as for [`peer`].
fn routed(router: &AgentRouterAddress, identity: Option<&Identity>) -> String {
    let (host, port) = (&router.host, router.port);
    match (host.parse::<IpAddr>(), identity) {
        (Ok(ip), identity) => peer(SocketAddr::new(ip, port), identity),
        (Err(_), identity) => format!("{}/{host}:{port}", if identity.is_some() { "tls" } else { "tcp" }),
    }
}

/// On its own thread, because Zenoh's deadlines do not cover all of it.
fn open(settings: &SessionSettings<'_>, deadline: Duration, what: Message) -> Result<ZenohBus, BusError> {
    let config = settings.to_config().map_err(|e| failed(&what, e))?;
    let (tell, told) = channel();
    spawn_thread("goodput-open", move || {
        let _ = tell.send(zenoh::open(config).wait());
    })?;
    match told.recv_timeout(deadline) {
        Ok(Ok(session)) => Ok(ZenohBus { session }),
        Ok(Err(e)) => Err(failed(what, e)),
        Err(_) => {
            let cause = message!(cause_no_session_within { seconds: seconds_arg(deadline.as_secs_f64()) });
            Err(BusError { what, cause })
        }
    }
}

fn failed(what: impl Into<Message>, cause: impl ToString) -> BusError {
    BusError { what: what.into(), cause: cause.to_string().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_a_message_and_that_of_an_older_agent_plain_text() {
        let refused = message!(error_bus_session { address: "10.0.0.1:5303" });
        assert_eq!(read_refusal(&write_refusal(&refused)), refused);
        let long = message!(error_bus_session { address: "x".repeat(MAX_REFUSAL_BYTES) });
        assert_eq!(read_refusal(&write_refusal(&long)), &long[..MAX_REFUSAL_BYTES]);
        assert_eq!(read_refusal(b"lease 7 has expired"), "lease 7 has expired");
        assert_eq!(read_refusal(&vec![b'x'; 2 * MAX_REFUSAL_BYTES]).len(), MAX_REFUSAL_BYTES);
    }
}
