//! Congestion control of the data port's listener. An accepted connection begins with it; a change after accept(2)
//! leaves what the former algorithm has set on the socket: bbr's pacing stays on (sk_pacing_status in Linux).
//!
//! A listener that was set once no longer follows the system's default (icsk_ca_setsockopt in Linux). Therefore the
//! present default is set when no trial waits with a request, and again when a trial is registered.

use crate::{locked, socket};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::collections::BTreeSet;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, Weak};

pub(super) struct ListenerCongestion {
    listener: Weak<TcpListener>,
    requests: Mutex<Requests>,
}

#[derive(Default)]
struct Requests {
    /// Numbers of trials and what they ask for; the listener has the last.
    waiting: Vec<(u64, String)>,
    /// All that the listener was set to; empty while it follows the system's default.
    used: BTreeSet<String>,
}

/// A trial's request; withdrawn on drop.
pub(crate) struct CongestionRequest<'a> {
    congestion: &'a ListenerCongestion,
    trial: u64,
}

impl ListenerCongestion {
    pub fn new(listener: &Arc<TcpListener>) -> ListenerCongestion {
        ListenerCongestion { listener: Arc::downgrade(listener), requests: Mutex::default() }
    }

    /// `None` when the kernel refuses it: then the trial learns the error from its connection.
    pub fn request(&self, trial: u64, name: &str) -> Option<CongestionRequest<'_>> {
        let listener = self.listener.upgrade()?;
        let mut requests = locked(&self.requests);
        if !requests.set_listener(&listener, name) {
            return None;
        }
        requests.waiting.push((trial, name.to_string()));
        Some(CongestionRequest { congestion: self, trial })
    }

    /// Sets the latest request, or the system's present default.
    pub fn update(&self) {
        let Some(listener) = self.listener.upgrade() else { return };
        let mut requests = locked(&self.requests);
        if requests.used.is_empty() {
            return;
        }
        let asked = requests.waiting.last().map(|(_, name)| name.clone());
        if let Some(name) = asked.or_else(system_default) {
            requests.set_listener(&listener, &name);
        }
    }

    /// For an accepted connection: another trial's request must not remain on one of a trial without a request.
    pub fn restore_default(&self, trial: u64, stream: &TcpStream) {
        let requests = locked(&self.requests);
        let asks = requests.waiting.iter().any(|(waiting, _)| *waiting == trial);
        // Another one is that of the route (congctl, ip-route(8)).
        let inherited = socket::congestion_control(stream).is_some_and(|name| requests.used.contains(&name));
        if !asks
            && inherited
            && let Some(name) = system_default()
        {
            let _ = SockRef::from(stream).set_tcp_congestion(name.as_bytes());
        }
    }
}

impl Requests {
    /// False when the kernel refuses it.
    fn set_listener(&mut self, listener: &TcpListener, name: &str) -> bool {
        let set = SockRef::from(listener).set_tcp_congestion(name.as_bytes()).is_ok();
        if set {
            self.used.extend(socket::congestion_control(listener));
        }
        set
    }
}

impl Drop for CongestionRequest<'_> {
    fn drop(&mut self) {
        locked(&self.congestion.requests).waiting.retain(|(waiting, _)| *waiting != self.trial);
        self.congestion.update();
    }
}

/// That of a new socket.
fn system_default() -> Option<String> {
    let new = Socket::new(Domain::IPV4, Type::STREAM, Some(Protocol::TCP)).ok()?;
    socket::congestion_control(&new)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data_listener::{DataListener, IncomingConnection, TrialRegistration};
    use crate::link::{ConnectionDialer, ProbeConnection};
    use crate::wire::{HandshakeRequest, PROTOCOL_VERSION};
    use crate::{CancelFlag, TrialObserver, TrialProgress, run_listening_end};
    use goodput_model::probe::{SocketOptions, Stream};
    use goodput_model::trial::{TrialSpec, TrialTimeouts};
    use goodput_model::{Probe, TrialId, TrialToken};
    use std::io::Write;
    use std::time::Duration;

    struct Nobody;

    impl TrialObserver for Nobody {
        fn measurement_window_opened(&self, _: u64) {}
        fn progress_updated(&self, _: TrialProgress) {}
        fn measurement_window_closed(&self, _: u64) {}
    }

    const TOKENS: [TrialToken; 2] = [TrialToken([1; 16]), TrialToken([2; 16])];

    fn data_listener() -> DataListener {
        DataListener::bind(([127, 0, 0, 1], 0).into()).unwrap()
    }

    fn asking_for(name: &str) -> SocketOptions {
        SocketOptions { congestion: Some(name.to_string()), ..SocketOptions::default() }
    }

    /// The system's default and another one that every process may set; `None` where there is no other.
    fn algorithms() -> Option<[String; 2]> {
        let allowed = std::fs::read_to_string("/proc/sys/net/ipv4/tcp_allowed_congestion_control").unwrap();
        let default = system_default().unwrap();
        let other = allowed.split_whitespace().find(|name| *name != default)?.to_string();
        Some([default, other])
    }

    fn of_listener(data_listener: &DataListener) -> String {
        socket::congestion_control(&data_listener.listener).unwrap()
    }

    /// Of a connection as the trial gets it, before its options are set.
    fn of_connection(data_listener: &DataListener, trial: &TrialRegistration, token: TrialToken) -> String {
        let mut stream = TcpStream::connect(data_listener.local_addr()).unwrap();
        let opening = HandshakeRequest { version: PROTOCOL_VERSION, index: 0, token, challenge: 0 };
        stream.write_all(&opening.encode()).unwrap();
        match trial.next_connection(Duration::from_secs(20)) {
            Some(IncomingConnection::Tcp(_, accepted)) => socket::congestion_control(&accepted).unwrap(),
            _ => panic!("no arrival"),
        }
    }

    #[test]
    fn connections_of_a_trial_begin_with_what_it_asks_for_and_others_have_the_default() {
        let Some([default, other]) = algorithms() else { return };
        let data_listener = data_listener();
        let [asking, plain] = TOKENS.map(|token| data_listener.register_trial(token));
        let found = || {
            let asking = of_connection(&data_listener, &asking, TOKENS[0]);
            [of_listener(&data_listener), asking, of_connection(&data_listener, &plain, TOKENS[1])]
        };
        assert_eq!(found(), [&*default; 3]);
        let request = asking.request_congestion_control(&asking_for(&other));
        assert_eq!(found(), [&*other, &*other, &*default]);
        drop(request);
        assert_eq!(found(), [&*default; 3]);
    }

    #[test]
    fn the_latest_request_has_the_listener_and_a_refused_one_changes_nothing() {
        let Some([default, other]) = algorithms() else { return };
        let data_listener = data_listener();
        let [one, two] = TOKENS.map(|token| data_listener.register_trial(token));
        assert!(one.request_congestion_control(&asking_for("nosuch")).is_none());
        assert!(one.request_congestion_control(&SocketOptions::default()).is_none());
        assert_eq!(of_listener(&data_listener), default);
        let first = one.request_congestion_control(&asking_for(&other));
        let second = two.request_congestion_control(&asking_for(&default));
        assert_eq!(of_listener(&data_listener), default);
        drop(second);
        assert_eq!(of_listener(&data_listener), other);
        drop(first);
        assert_eq!(of_listener(&data_listener), default);
    }

    #[test]
    fn the_listener_is_set_before_the_measured_connections_are_opened() {
        let Some([default, other]) = algorithms() else { return };
        let data_listener = data_listener();
        let peer = data_listener.local_addr();
        let probe = Probe::Stream(Stream { socket: asking_for(&other), ..Stream::default() });
        let (trial, token, deadlines) = (TrialId(1), TOKENS[0], TrialTimeouts::default());
        let order = TrialSpec { trial, probe, token, deadlines, cpus: None, live: false, client: 0 };
        let expected = data_listener.register_trial(token);
        let listening = std::thread::scope(|s| {
            let listening = s.spawn(|| run_listening_end(&order, expected, &Nobody, &CancelFlag::default()));
            let talk = ProbeConnection::open_control(&order, peer).unwrap();
            assert_eq!(of_listener(&data_listener), other);
            let dial = ConnectionDialer { peer, order: &order, socket: &SocketOptions::default() };
            let link = dial.open_without_handshake_status(0).unwrap();
            drop((link, talk));
            listening.join().unwrap()
        });
        assert!(listening.broken.is_some(), "this end left");
        assert_eq!(of_listener(&data_listener), default);
    }
}
