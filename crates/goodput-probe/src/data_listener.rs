//! The data port: accepts connections, checks their opening, passes them to the expecting trial. Without a
//! valid token a connection gets one status byte and is closed; no datagram is sent that is larger than the
//! one received. `data_listener/pending_connections.rs` limits unauthenticated connections;
//! `data_listener/congestion.rs` sets the listener's congestion control.

mod congestion;
mod pending_connections;
mod udp;

pub(crate) use udp::{accept_udp, connect_udp};

use crate::wire::{
    HANDSHAKE_REQUEST_BYTES, HandshakeRequest, HandshakeStatus, PROTOCOL_VERSION, tokens_equal,
};
use crate::{ProbeError, locked};
use congestion::{CongestionRequest, ListenerCongestion};
use goodput_model::TrialToken;
use goodput_model::probe::SocketOptions;
use goodput_words::Message;
use pending_connections::PendingConnections;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

const ARRIVALS_AT_ONCE: usize = 256;
/// Limit for the opening of a connection.
const OPENING_DEADLINE: Duration = Duration::from_secs(3);

pub struct DataListener {
    local: SocketAddr,
    listener: Arc<TcpListener>,
    udp: UdpSocket,
    book: Arc<Book>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

pub(crate) enum IncomingConnection {
    Tcp(u16, TcpStream),
    /// Connected to an address that answered the challenge, with its stream index.
    Udp(u16, UdpSocket),
}

/// Whether data may flow to and from an address; the error is a sentence.
pub type PeerFilter = Box<dyn Fn(IpAddr) -> Result<(), Message> + Send + Sync>;

struct Book {
    expecting: Mutex<Vec<Entry>>,
    entries: AtomicU64,
    closing: AtomicBool,
    openings: PendingConnections,
    challenges: RandomState,
    congestion: ListenerCongestion,
    /// Unset, every address with the token is accepted.
    peers: OnceLock<PeerFilter>,
}

#[derive(Clone)]
struct Entry {
    number: u64,
    token: TrialToken,
    sender: SyncSender<IncomingConnection>,
    /// Flows that have their socket. The kernel gives all datagrams of an address to the newest of several
    /// sockets connected to it, so a second one, after a copied opening, would take them from the trial.
    udp_flows: Arc<Mutex<BTreeSet<u16>>>,
    rejection_reason: Arc<OnceLock<Message>>,
}

/// A trial's registration; removed on drop.
pub struct TrialRegistration {
    number: u64,
    arrivals: Receiver<IncomingConnection>,
    rejection_reason: Arc<OnceLock<Message>>,
    book: Arc<Book>,
    local: SocketAddr,
}

impl DataListener {
    /// Port 0 selects a free one; `[::]` accepts IPv4 as well.
    pub fn bind(addr: SocketAddr) -> Result<DataListener, ProbeError> {
        let failed = |source| ProbeError::Listen { addr, source };
        let (listener, udp) = bind_tcp_and_udp(addr).map_err(failed)?;
        let local = listener.local_addr().map_err(failed)?;
        let listener = Arc::new(listener);
        let book = Arc::new(Book {
            expecting: Mutex::default(),
            entries: AtomicU64::new(0),
            closing: AtomicBool::new(false),
            openings: PendingConnections::default(),
            challenges: RandomState::new(),
            congestion: ListenerCongestion::new(&listener),
            peers: OnceLock::new(),
        });
        let accepting = (listener.clone(), book.clone());
        let receiving = (udp.try_clone().map_err(failed)?, book.clone());
        let threads = vec![
            std::thread::spawn(move || accept_connections(&accepting.0, &accepting.1)),
            std::thread::spawn(move || udp::answer_udp_handshakes(&receiving.0, local, &receiving.1)),
        ];
        Ok(DataListener { local, listener, udp, book, threads })
    }

    pub fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// Restricts peer addresses; only the first call counts.
    pub fn set_peer_filter(&self, peers: PeerFilter) {
        let _ = self.book.peers.set(peers);
    }

    /// Whether the filter admits an address, for connections that this host opens itself.
    pub fn check_peer(&self, address: IpAddr) -> Result<(), Message> {
        self.book.check_peer(address)
    }

    pub fn register_trial(&self, token: TrialToken) -> TrialRegistration {
        let (sender, arrivals) = sync_channel(ARRIVALS_AT_ONCE);
        let number = self.book.entries.fetch_add(1, Ordering::Relaxed);
        let rejection_reason = Arc::new(OnceLock::new());
        self.book.congestion.update();
        locked(&self.book.expecting).push(Entry {
            number,
            token,
            sender,
            udp_flows: Arc::default(),
            rejection_reason: rejection_reason.clone(),
        });
        TrialRegistration { number, arrivals, rejection_reason, book: self.book.clone(), local: self.local }
    }
}

impl Drop for DataListener {
    fn drop(&mut self) {
        self.book.closing.store(true, Ordering::Release);
        // On Linux this ends a blocked accept(2); a datagram to ourselves ends a blocked recvfrom(2).
        let _ = SockRef::from(&self.listener).shutdown(Shutdown::Both);
        let mut own = self.local;
        own.set_ip(loopback_if_unspecified(own.ip()));
        let woken = self.udp.send_to(&[], own).is_ok();
        for (thread, woken) in self.threads.drain(..).zip([true, woken]) {
            if woken {
                let _ = thread.join();
            }
        }
    }
}

impl TrialRegistration {
    pub(crate) fn next_connection(&self, deadline: Duration) -> Option<IncomingConnection> {
        self.arrivals.recv_timeout(deadline).ok()
    }

    /// While it lives, connections begin with the requested congestion control. Call before they open.
    pub(crate) fn request_congestion_control(&self, asked: &SocketOptions) -> Option<CongestionRequest<'_>> {
        self.book.congestion.request(self.number, asked.congestion.as_deref()?)
    }

    /// Why a connection with this token was rejected, if one was.
    pub(crate) fn connection_rejection_reason(&self) -> Option<&Message> {
        self.rejection_reason.get()
    }

    pub(crate) fn local_addr(&self) -> SocketAddr {
        self.local
    }
}

impl Drop for TrialRegistration {
    fn drop(&mut self) {
        locked(&self.book.expecting).retain(|entry| entry.number != self.number);
    }
}

impl Book {
    fn owner(&self, token: &TrialToken) -> Option<Entry> {
        locked(&self.expecting).iter().find(|entry| tokens_equal(&entry.token, token)).cloned()
    }

    fn check_peer(&self, address: IpAddr) -> Result<(), Message> {
        self.peers.get().map_or(Ok(()), |peers| peers(address))
    }

    /// False for a rejected address; its trial learns the reason.
    fn admits(&self, entry: &Entry, from: SocketAddr) -> bool {
        let Err(why) = self.check_peer(from.ip()) else { return true };
        let _ = entry.rejection_reason.set(why);
        false
    }

    /// What an address must echo to prove that it receives our datagrams.
    fn challenge(&self, addr: &SocketAddr, token: &TrialToken) -> u64 {
        self.challenges.hash_one((addr, token.0)) | 1
    }
}

/// The address of this host that a connection to no address reaches; others are unchanged.
pub fn loopback_if_unspecified(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}

/// A port that the kernel chose for TCP may be in use for UDP, then another one is tried.
fn bind_tcp_and_udp(addr: SocketAddr) -> io::Result<(TcpListener, UdpSocket)> {
    let mut tries = if addr.port() == 0 { 16 } else { 1 };
    loop {
        let tcp: TcpListener = bound(addr, Type::STREAM)?.into();
        match bound(tcp.local_addr()?, Type::DGRAM) {
            Ok(udp) => return Ok((tcp, udp.into())),
            Err(e) if e.kind() == io::ErrorKind::AddrInUse && tries > 1 => tries -= 1,
            Err(e) => return Err(e),
        }
    }
}

/// `[::]` serves IPv4 too where the system has IPv6.
fn bound(addr: SocketAddr, kind: Type) -> std::io::Result<Socket> {
    let protocol = if kind == Type::STREAM { Protocol::TCP } else { Protocol::UDP };
    let socket = Socket::new(Domain::for_address(addr), kind, Some(protocol))?;
    if addr.is_ipv6() {
        socket.set_only_v6(!addr.ip().is_unspecified())?;
    }
    socket.set_reuse_address(true)?;
    if kind == Type::DGRAM {
        // A trial's own UDP socket shares the port, connected to its peer.
        socket.set_reuse_port(true)?;
    }
    socket.bind(&addr.into())?;
    if kind == Type::STREAM {
        socket.listen(1024)?;
    }
    Ok(socket)
}

fn accept_connections(listener: &TcpListener, book: &Arc<Book>) {
    loop {
        let accepted = listener.accept();
        if book.closing.load(Ordering::Acquire) {
            return;
        }
        let (stream, from) = match accepted {
            Ok(accepted) => accepted,
            Err(_) => {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
        };
        let (number, stream) = book.openings.add_connection(from.ip(), stream);
        let for_thread = book.clone();
        let spawned = std::thread::Builder::new().name("goodput-opening".into()).spawn(move || {
            let _ = take_opening(number, stream, from, &for_thread);
            for_thread.openings.remove_connection(number);
        });
        if spawned.is_err() {
            book.openings.remove_connection(number);
        }
    }
}

fn take_opening(number: u64, stream: Arc<TcpStream>, from: SocketAddr, book: &Book) -> std::io::Result<()> {
    stream.set_write_timeout(Some(OPENING_DEADLINE))?;
    let mut bytes = [0; HANDSHAKE_REQUEST_BYTES];
    read_by_deadline(&stream, &mut bytes)?;
    let Some(opening) = HandshakeRequest::decode(&bytes) else { return Ok(()) };
    let say = |status: HandshakeStatus| (&*stream).write_all(&[status as u8]);
    if opening.version != PROTOCOL_VERSION {
        return say(HandshakeStatus::Version);
    }
    let Some(entry) = book.owner(&opening.token) else { return say(HandshakeStatus::UnknownToken) };
    if !book.admits(&entry, from) {
        return say(HandshakeStatus::Peer);
    }
    // Now ours alone. The trial answers, so that socket options are set before the first byte.
    if book.openings.remove_connection(number)
        && let Some(stream) = Arc::into_inner(stream)
    {
        book.congestion.restore_default(entry.number, &stream);
        let _ = entry.sender.try_send(IncomingConnection::Tcp(opening.index, stream));
    }
    Ok(())
}

fn read_by_deadline(mut stream: &TcpStream, into: &mut [u8]) -> std::io::Result<()> {
    let end = crate::time::now_ns() + OPENING_DEADLINE.as_nanos() as u64;
    let mut filled = 0;
    while filled < into.len() {
        let left = end.saturating_sub(crate::time::now_ns());
        if left == 0 {
            return Err(std::io::ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(Duration::from_nanos(left)))?;
        match stream.read(&mut into[filled..]) {
            Ok(0) => return Err(std::io::ErrorKind::UnexpectedEof.into()),
            Ok(n) => filled += n,
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::udp_handshake::confirm_handshake;

    fn data_listener() -> DataListener {
        DataListener::bind((Ipv4Addr::LOCALHOST, 0).into()).unwrap()
    }

    const OURS: TrialToken = TrialToken([1; 16]);

    /// What the listener answers to these bytes.
    fn answer(data_listener: &DataListener, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect(data_listener.local_addr()).unwrap();
        stream.write_all(bytes).unwrap();
        let mut got = Vec::new();
        let _ = stream.read_to_end(&mut got);
        got
    }

    fn opening(token: TrialToken) -> [u8; HANDSHAKE_REQUEST_BYTES] {
        HandshakeRequest { version: PROTOCOL_VERSION, index: 3, token, challenge: 0 }.encode()
    }

    #[test]
    fn a_connection_with_the_token_reaches_its_trial() {
        let data_listener = data_listener();
        let expected = data_listener.register_trial(OURS);
        // A second registration of the same token does not end the first.
        drop(data_listener.register_trial(OURS));
        let mut stream = TcpStream::connect(data_listener.local_addr()).unwrap();
        stream.write_all(&opening(OURS)).unwrap();
        let arrived = expected.next_connection(Duration::from_secs(5));
        assert!(matches!(arrived, Some(IncomingConnection::Tcp(3, _))));
        // A dropped listener is closed.
        let at = data_listener.local_addr();
        drop(data_listener);
        assert!(TcpStream::connect(at).is_err());
    }

    #[test]
    fn a_stranger_is_told_so_and_closed() {
        let data_listener = data_listener();
        let _expected = data_listener.register_trial(OURS);
        let unknown = answer(&data_listener, &opening(TrialToken([2; 16])));
        assert_eq!(unknown, [HandshakeStatus::UnknownToken as u8]);
        assert!(answer(&data_listener, b"GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n").is_empty());
    }

    #[test]
    fn udp_needs_the_token_and_the_challenge() {
        let data_listener = data_listener();
        let expected = data_listener.register_trial(OURS);
        let peer = data_listener.local_addr();
        let client = std::thread::spawn(move || connect_udp(peer, OURS, 3, Duration::from_secs(5)));
        let Some(IncomingConnection::Udp(3, ours)) = expected.next_connection(Duration::from_secs(5)) else {
            panic!("no arrival")
        };
        confirm_handshake(&ours, 3);
        assert!(client.join().unwrap().is_ok());
        assert!(connect_udp(peer, TrialToken([9; 16]), 0, Duration::from_millis(50)).is_err());
    }

    #[test]
    fn copies_of_an_opening_open_one_socket() {
        let data_listener = data_listener();
        let expected = data_listener.register_trial(OURS);
        let peer = data_listener.local_addr();
        let copying = UdpSocket::bind("127.0.0.1:0").unwrap();
        copying.connect(peer).unwrap();
        copying.send(&opening(OURS)).unwrap();
        let mut answer = [0; HANDSHAKE_REQUEST_BYTES];
        copying.recv(&mut answer).unwrap();
        let challenge = HandshakeRequest::decode(&answer).unwrap().challenge;
        let answered = HandshakeRequest { token: OURS, ..HandshakeRequest::answer(3, challenge) };
        (0..50).for_each(|_| drop(copying.send(&answered.encode())));
        let other = std::thread::spawn(move || connect_udp(peer, OURS, 4, Duration::from_secs(20)));
        let arrived = || match expected.next_connection(Duration::from_secs(20)) {
            Some(IncomingConnection::Udp(index, socket)) => (index, socket),
            _ => panic!("no arrival"),
        };
        let (first, second) = (arrived(), arrived());
        assert_eq!((first.0, second.0), (3, 4));
        confirm_handshake(&second.1, 4);
        assert!(other.join().unwrap().is_ok());
    }

    #[test]
    fn a_peer_that_the_policy_does_not_allow_is_turned_away_and_the_trial_told() {
        let data_listener = data_listener();
        data_listener.set_peer_filter(Box::new(|ip| Err(format!("nothing with {ip}").into())));
        let expected = data_listener.register_trial(OURS);
        for (token, answer) in [(2, HandshakeStatus::UnknownToken), (1, HandshakeStatus::Peer)] {
            assert_eq!(expected.connection_rejection_reason(), None, "whoever has no token is no news");
            let got = self::answer(&data_listener, &opening(TrialToken([token; 16])));
            assert_eq!(got, [answer as u8]);
        }
        assert_eq!(expected.connection_rejection_reason().unwrap(), "nothing with 127.0.0.1");
        let peer = data_listener.local_addr();
        assert!(connect_udp(peer, OURS, 0, Duration::from_millis(50)).is_err());
    }
}
