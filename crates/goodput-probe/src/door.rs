//! The data port: accepts connections, checks their opening, hands them to the trial that expects them.
//!
//! A connection that shows no token of an expected trial gets one status byte and is closed; nobody who
//! has not shown a token is sent a datagram, and nothing larger than what was received.

use crate::wire::{OPENING_LEN, Opening, Status, VERSION, same_token};
use crate::{ProbeError, sys};
use goodput_model::Token;
use goodput_model::trial::Order;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Connections that are being looked at, at the most; more are closed unread.
const OPENINGS_AT_ONCE: usize = 256;
/// A connection has this long to show its opening.
const OPENING_DEADLINE: Duration = Duration::from_secs(3);

/// An open data port, TCP and UDP. Closed when dropped.
pub struct Door {
    local: SocketAddr,
    listener: TcpListener,
    udp: UdpSocket,
    book: Arc<Book>,
    threads: Vec<std::thread::JoinHandle<()>>,
}

/// What arrived for a trial.
pub(crate) enum Arrival {
    /// An accepted data connection with its stream index.
    Tcp(u16, TcpStream),
    /// A UDP socket connected to an address that has answered the challenge, with its stream index.
    Udp(u16, UdpSocket),
}

struct Book {
    expecting: Mutex<Vec<(Token, SyncSender<Arrival>)>>,
    closing: AtomicBool,
    openings: AtomicUsize,
    challenges: RandomState,
}

/// A place in the door's book for one trial's connections; given back when dropped.
pub struct Expected {
    token: Token,
    arrivals: Receiver<Arrival>,
    book: Arc<Book>,
    local: SocketAddr,
}

impl Door {
    /// Opens the data port on this address; port 0 takes any free one. An unspecified IPv6 address
    /// (`[::]`) takes IPv4 as well.
    ///
    /// # Errors
    /// [`ProbeError::Listen`] with what the system said.
    pub fn open(addr: SocketAddr) -> Result<Door, ProbeError> {
        let failed = |source| ProbeError::Listen { addr, source };
        let listener: TcpListener = bound(addr, Type::STREAM).map_err(failed)?.into();
        let local = listener.local_addr().map_err(failed)?;
        let udp: UdpSocket = bound(local, Type::DGRAM).map_err(failed)?.into();
        let book = Arc::new(Book {
            expecting: Mutex::default(),
            closing: AtomicBool::new(false),
            openings: AtomicUsize::new(0),
            challenges: RandomState::new(),
        });
        let accepting = (listener.try_clone().map_err(failed)?, book.clone());
        let receiving = (udp.try_clone().map_err(failed)?, book.clone());
        let threads = vec![
            std::thread::spawn(move || accept_connections(&accepting.0, &accepting.1)),
            std::thread::spawn(move || answer_datagrams(&receiving.0, local, &receiving.1)),
        ];
        Ok(Door { local, listener, udp, book, threads })
    }

    /// The address and port actually open.
    pub fn local_addr(&self) -> SocketAddr {
        self.local
    }

    /// From now on connections that show this token belong to the returned place.
    pub fn expect(&self, token: Token) -> Expected {
        let (sender, arrivals) = sync_channel(OPENINGS_AT_ONCE);
        self.book.lock().push((token, sender));
        Expected { token, arrivals, book: self.book.clone(), local: self.local }
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.book.closing.store(true, Ordering::Release);
        // On Linux this ends a blocked accept(2); a datagram to ourselves ends a blocked recvfrom(2).
        let _ = SockRef::from(&self.listener).shutdown(Shutdown::Both);
        let mut own = self.local;
        match own.ip() {
            IpAddr::V4(ip) if ip.is_unspecified() => own.set_ip(Ipv4Addr::LOCALHOST.into()),
            IpAddr::V6(ip) if ip.is_unspecified() => own.set_ip(Ipv6Addr::LOCALHOST.into()),
            _ => {}
        }
        let woken = self.udp.send_to(&[], own).is_ok();
        for (thread, woken) in self.threads.drain(..).zip([true, woken]) {
            if woken {
                let _ = thread.join();
            }
        }
    }
}

impl Expected {
    /// The next connection of this trial, or `None` when none came in time.
    pub(crate) fn next(&self, deadline: Duration) -> Option<Arrival> {
        self.arrivals.recv_timeout(deadline).ok()
    }

    /// The data port's own address.
    pub(crate) fn local_addr(&self) -> SocketAddr {
        self.local
    }
}

impl Drop for Expected {
    fn drop(&mut self) {
        self.book.lock().retain(|(token, _)| !same_token(token, &self.token));
    }
}

impl Book {
    fn lock(&self) -> MutexGuard<'_, Vec<(Token, SyncSender<Arrival>)>> {
        self.expecting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn owner(&self, token: &Token) -> Option<SyncSender<Arrival>> {
        self.lock().iter().find(|(t, _)| same_token(t, token)).map(|(_, s)| s.clone())
    }

    /// What an address must send back to prove that it receives what is sent to it.
    fn challenge(&self, addr: &SocketAddr, token: &Token) -> u64 {
        self.challenges.hash_one((addr, token.0)) | 1
    }
}

/// A socket bound to the address; `[::]` serves IPv4 too where the system has IPv6.
fn bound(addr: SocketAddr, kind: Type) -> std::io::Result<Socket> {
    let protocol = if kind == Type::STREAM { Protocol::TCP } else { Protocol::UDP };
    let socket = Socket::new(Domain::for_address(addr), kind, Some(protocol))?;
    if addr.is_ipv6() {
        socket.set_only_v6(!addr.ip().is_unspecified())?;
    }
    socket.set_reuse_address(true)?;
    if kind == Type::DGRAM {
        // A trial's own UDP socket shares the port, connected to its one peer.
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
        let stream = match accepted {
            Ok((stream, _)) => stream,
            // Out of descriptors or a connection gone before it was taken: neither may end the agent.
            Err(_) => {
                std::thread::sleep(Duration::from_millis(10));
                continue;
            }
        };
        if book.openings.fetch_add(1, Ordering::AcqRel) >= OPENINGS_AT_ONCE {
            book.openings.fetch_sub(1, Ordering::AcqRel);
            continue;
        }
        let for_thread = book.clone();
        let spawned = std::thread::Builder::new().name("goodput-opening".into()).spawn(move || {
            let _ = take_opening(stream, &for_thread);
            for_thread.openings.fetch_sub(1, Ordering::AcqRel);
        });
        if spawned.is_err() {
            book.openings.fetch_sub(1, Ordering::AcqRel);
        }
    }
}

/// Reads one opening, answers it, and hands the connection over when it is accepted.
fn take_opening(mut stream: TcpStream, book: &Book) -> std::io::Result<()> {
    stream.set_read_timeout(Some(OPENING_DEADLINE))?;
    stream.set_write_timeout(Some(OPENING_DEADLINE))?;
    let mut bytes = [0; OPENING_LEN];
    stream.read_exact(&mut bytes)?;
    let Some(opening) = Opening::decode(&bytes) else { return Ok(()) };
    if opening.version != VERSION {
        return stream.write_all(&[Status::Version as u8]);
    }
    match book.owner(&opening.token) {
        // The trial itself answers, so that its socket options stand before the first byte flows.
        Some(owner) => {
            let _ = owner.try_send(Arrival::Tcp(opening.index, stream));
            Ok(())
        }
        None => stream.write_all(&[Status::UnknownToken as u8]),
    }
}

fn answer_datagrams(udp: &UdpSocket, local: SocketAddr, book: &Book) {
    let mut bytes = [0; 2048];
    loop {
        let received = udp.recv_from(&mut bytes);
        if book.closing.load(Ordering::Acquire) {
            return;
        }
        let Ok((OPENING_LEN, from)) = received else { continue };
        let Some(opening) = Opening::decode(&std::array::from_fn(|i| bytes[i])) else { continue };
        let Some(owner) = book.owner(&opening.token) else { continue };
        let challenge = book.challenge(&from, &opening.token);
        if opening.version == VERSION && opening.challenge == challenge {
            if let Ok(socket) = connected_udp(local, from) {
                let _ = owner.try_send(Arrival::Udp(opening.index, socket));
            }
        } else {
            let answer = Opening { version: VERSION, index: opening.index, token: Token([0; 16]), challenge };
            let _ = udp.send_to(&answer.encode(), from);
        }
    }
}

/// A socket of the trial's own on the data port, connected to the one address that may use it.
fn connected_udp(local: SocketAddr, peer: SocketAddr) -> std::io::Result<UdpSocket> {
    let socket = bound(local, Type::DGRAM)?;
    socket.connect(&peer.into())?;
    Ok(socket.into())
}

/// The connecting end's half of the UDP opening: shows the token, answers the challenge. The trial's
/// responder confirms with one status byte once its socket is connected.
pub(crate) fn open_udp(
    peer: SocketAddr,
    token: Token,
    index: u16,
    deadline: Duration,
) -> Result<UdpSocket, ProbeError> {
    let system = |what: &str| {
        let what = what.to_string();
        move |source| ProbeError::System { what, source }
    };
    let any: IpAddr =
        if peer.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).map_err(system("binding a UDP socket"))?;
    socket.connect(peer).map_err(|source| ProbeError::Connect { addr: peer, source })?;
    let end = crate::clock::now_ns() + deadline.as_nanos() as u64;
    let mut opening = Opening { version: VERSION, index, token, challenge: 0 };
    loop {
        // Datagrams may be lost: the opening is said again every 100 ms until the deadline.
        let _ = socket.send(&opening.encode());
        let now = crate::clock::now_ns();
        if now >= end {
            return Err(ProbeError::Deadline {
                what: "answer to the UDP opening",
                from: peer.to_string(),
                seconds: deadline.as_secs_f64(),
            });
        }
        if !sys::readable_before(socket.as_raw_fd(), end.min(now + 100_000_000)).map_err(system("poll"))? {
            continue;
        }
        let mut bytes = [0; OPENING_LEN];
        match socket.recv(&mut bytes) {
            Ok(OPENING_LEN) => {
                if let Some(answer) = Opening::decode(&bytes) {
                    opening.challenge = answer.challenge;
                }
            }
            Ok(1) if bytes[0] == Status::Accepted as u8 => return Ok(socket),
            _ => {}
        }
    }
}

/// The listening end's half: takes the trial's UDP socket and confirms it.
pub(crate) fn take_udp(expected: &Expected, order: &Order) -> Result<UdpSocket, ProbeError> {
    let deadline = order.deadlines.first_byte;
    match expected.next(deadline.duration()) {
        Some(Arrival::Udp(_, socket)) => {
            let failed = |source| ProbeError::System { what: "the trial's UDP socket".into(), source };
            socket.send(&[Status::Accepted as u8]).map_err(failed)?;
            Ok(socket)
        }
        _ => Err(ProbeError::Deadline {
            what: "UDP opening",
            from: "the connecting end".into(),
            seconds: deadline.as_secs_f64(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn door() -> Door {
        Door::open((Ipv4Addr::LOCALHOST, 0).into()).unwrap()
    }

    fn opening(token: Token) -> [u8; OPENING_LEN] {
        Opening { version: VERSION, index: 3, token, challenge: 0 }.encode()
    }

    #[test]
    fn a_connection_with_the_token_reaches_its_trial() {
        let door = door();
        let expected = door.expect(Token([1; 16]));
        let mut stream = TcpStream::connect(door.local_addr()).unwrap();
        stream.write_all(&opening(Token([1; 16]))).unwrap();
        assert!(matches!(expected.next(Duration::from_secs(5)), Some(Arrival::Tcp(3, _))));
    }

    #[test]
    fn a_stranger_is_told_so_and_closed() {
        let door = door();
        let _expected = door.expect(Token([1; 16]));
        for (bytes, answer) in [
            (opening(Token([2; 16])).to_vec(), vec![Status::UnknownToken as u8]),
            (b"GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n".to_vec(), vec![]),
        ] {
            let mut stream = TcpStream::connect(door.local_addr()).unwrap();
            stream.write_all(&bytes).unwrap();
            let mut got = Vec::new();
            let _ = stream.read_to_end(&mut got);
            assert_eq!(got, answer);
        }
    }

    #[test]
    fn udp_needs_the_token_and_the_challenge() {
        let door = door();
        let expected = door.expect(Token([1; 16]));
        let peer = door.local_addr();
        let client = std::thread::spawn(move || open_udp(peer, Token([1; 16]), 3, Duration::from_secs(5)));
        let Some(Arrival::Udp(3, ours)) = expected.next(Duration::from_secs(5)) else { panic!("no arrival") };
        ours.send(&[Status::Accepted as u8]).unwrap();
        assert!(client.join().unwrap().is_ok());
        assert!(open_udp(peer, Token([9; 16]), 0, Duration::from_millis(50)).is_err());
    }

    #[test]
    fn a_dropped_door_is_closed() {
        let door = door();
        let at = door.local_addr();
        drop(door);
        assert!(TcpStream::connect(at).is_err());
    }
}
