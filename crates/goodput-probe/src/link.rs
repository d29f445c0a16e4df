//! A data connection of a trial: opening, fixed messages, clock exchange, window.

mod clock_offset;

use crate::ProbeError;
use crate::bounds::validate_window;
use crate::data_listener::{IncomingConnection, TrialRegistration};
use crate::socket::{self, NonUserDataBytes, TcpInfo};
use crate::sys;
use crate::time::now_ns;
use crate::traffic_limits::TrafficCounts;
use crate::udp_handshake::HANDSHAKE_CHECK_INTERVAL;
use crate::wire::{
    CONTROL_MESSAGE_BYTES, ControlMessage, ControlMessageType, HANDSHAKE_REQUEST_BYTES, HandshakeRequest,
    HandshakeStatus, PROTOCOL_VERSION,
};
use clock_offset::measure_clock_offset;
use goodput_model::Nanos;
use goodput_model::probe::SocketOptions;
use goodput_model::trial::{MeasurementWindow, TcpStatistics, TrialSpec};
use goodput_words::message;
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::time::Duration;

/// Index of the control connection. Measured connections carry no such messages: small round trips before the
/// data mislead bbr's model of the path and cost it a third of its goodput at 1 KiB.
pub(crate) const CONTROL_CONNECTION_INDEX: u16 = u16::MAX;

pub(crate) fn control_socket_options() -> SocketOptions {
    SocketOptions { no_delay: Some(true), ..SocketOptions::default() }
}

/// Ends waits. On close, the kernel discards what still waits to be sent, and so exceeds no limit.
pub(crate) fn abort_connection(stream: &TcpStream) {
    let _ = SockRef::from(stream).set_linger(Some(Duration::ZERO));
    let _ = stream.shutdown(Shutdown::Both);
}

/// Duplicated sockets of a connection, to end waits for them from outside.
pub(crate) struct SocketShutdownHandle(Option<TcpStream>, Option<UdpSocket>);

impl SocketShutdownHandle {
    pub fn new(link: &ProbeConnection, udp: Option<&UdpSocket>) -> SocketShutdownHandle {
        SocketShutdownHandle(link.stream.try_clone().ok(), udp.and_then(|udp| udp.try_clone().ok()))
    }

    pub fn shut_down_sockets(&self) {
        // A socket that is gone already needs no unblocking.
        self.0.iter().for_each(abort_connection);
        let _ = self.1.as_ref().map(|udp| SockRef::from(udp).shutdown(Shutdown::Both));
    }

    /// Of the TCP connection.
    pub fn has_peer_closed(&self) -> bool {
        let closed = |stream: &TcpStream| sys::datagram::has_peer_closed(stream.as_raw_fd()).unwrap_or(false);
        self.0.as_ref().is_some_and(closed)
    }

    /// Of the TCP connection.
    pub fn tcp_traffic(&self) -> TrafficCounts {
        self.0.as_ref().and_then(TcpInfo::read).map(|info| info.traffic()).unwrap_or_default()
    }
}

/// TCP_RTO_MIN of Linux: the least timeout of a lost segment, besides the round trip.
const TCP_RTO_MIN_NS: u64 = 200_000_000;

pub(crate) struct ProbeConnection {
    pub stream: TcpStream,
    pub index: u16,
    peer: String,
    written: u64,
    read: u64,
    connected: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct ConnectionDialer<'a> {
    pub peer: SocketAddr,
    pub order: &'a TrialSpec,
    pub socket: &'a SocketOptions,
}

impl ConnectionDialer<'_> {
    /// Options, connect, opening, status.
    pub fn open(&self, index: u16) -> Result<ProbeConnection, ProbeError> {
        self.answered(self.open_without_handshake_status(index)?)
    }

    /// Limits segments both ways (TCP_MAXSEG before the handshake), for paths that silently drop larger ones.
    pub fn open_with_mss(&self, index: u16, segment: u32) -> Result<ProbeConnection, ProbeError> {
        let narrow = |stream: &TcpStream| {
            let set = SockRef::from(stream).set_tcp_mss(segment);
            set.map_err(|source| ProbeError::from_io_error(format!("TCP_MAXSEG {segment}"), source))
        };
        self.answered(self.open_with(index, narrow)?)
    }

    fn answered(&self, mut link: ProbeConnection) -> Result<ProbeConnection, ProbeError> {
        link.patience(self.order.deadlines.first_byte)?;
        let mut status = [0];
        link.read_exact(&mut status, "answer to the opening")?;
        check_handshake_status(status[0], link.peer_name())?;
        link.patience(self.order.deadlines.progress)?;
        Ok(link)
    }

    /// The status byte comes with or after the data.
    pub fn open_without_handshake_status(&self, index: u16) -> Result<ProbeConnection, ProbeError> {
        self.open_with(index, |_| Ok(()))
    }

    /// Applies `more` besides the options.
    fn open_with(
        &self,
        index: u16,
        more: impl FnOnce(&TcpStream) -> Result<(), ProbeError>,
    ) -> Result<ProbeConnection, ProbeError> {
        let deadlines = self.order.deadlines;
        let refused = |source| ProbeError::Connect { addr: self.peer, source };
        let raw = Socket::new(Domain::for_address(self.peer), Type::STREAM, Some(Protocol::TCP))
            .map_err(refused)?;
        let stream = TcpStream::from(raw);
        socket::apply_options(&stream, self.socket)?;
        more(&stream)?;
        SockRef::from(&stream)
            .connect_timeout(&self.peer.into(), deadlines.connect.to_duration())
            .map_err(refused)?;
        let mut link = ProbeConnection {
            stream,
            index,
            peer: self.peer.to_string(),
            written: 0,
            read: 0,
            connected: true,
        };
        link.patience(deadlines.progress)?;
        let opening =
            HandshakeRequest { version: PROTOCOL_VERSION, index, token: self.order.token, challenge: 0 };
        link.write_all(&opening.encode(), "opening")?;
        Ok(link)
    }
}

pub(crate) fn check_handshake_status(status: u8, peer: &str) -> Result<(), ProbeError> {
    let no = |why: &str| ProbeError::Refused { addr: peer.into(), why: why.into() };
    match HandshakeStatus::from_byte(status) {
        Some(HandshakeStatus::Accepted) => Ok(()),
        Some(HandshakeStatus::UnknownToken) => Err(no("it expects no trial with our token")),
        Some(HandshakeStatus::Version) => Err(no("it uses another version of the data protocol")),
        Some(HandshakeStatus::Peer) => {
            Err(no("its policy lets no data flow to or from this address (rule peers.addresses)"))
        }
        None => Err(no("it is no goodput agent")),
    }
}

impl ProbeConnection {
    pub fn open_control(order: &TrialSpec, peer: SocketAddr) -> Result<ProbeConnection, ProbeError> {
        ConnectionDialer { peer, order, socket: &control_socket_options() }.open(CONTROL_CONNECTION_INDEX)
    }

    /// Accepts the trial's next TCP connection: options, then the status byte.
    pub fn accept(
        expected: &TrialRegistration,
        order: &TrialSpec,
        asked: &SocketOptions,
    ) -> Result<ProbeConnection, ProbeError> {
        let mut link = ProbeConnection::accept_without_handshake_status(expected, order, asked)?;
        link.write_all(&[HandshakeStatus::Accepted as u8], "status")?;
        Ok(link)
    }

    pub fn accept_without_handshake_status(
        expected: &TrialRegistration,
        order: &TrialSpec,
        asked: &SocketOptions,
    ) -> Result<ProbeConnection, ProbeError> {
        ProbeConnection::accept_with_periodic_callback(expected, order, asked, || {})
    }

    /// Like [`Link::accept_without_handshake_status`]; calls a function every [`RETRY_INTERVAL`] meanwhile.
    pub fn accept_with_periodic_callback(
        expected: &TrialRegistration,
        order: &TrialSpec,
        asked: &SocketOptions,
        meanwhile: impl Fn(),
    ) -> Result<ProbeConnection, ProbeError> {
        let wait = Nanos(order.deadlines.connect.0 + order.deadlines.first_byte.0);
        let end = now_ns().saturating_add(wait.0);
        let arrival = loop {
            match expected.next_connection(HANDSHAKE_CHECK_INTERVAL) {
                tcp @ Some(IncomingConnection::Tcp(..)) => break tcp,
                _ if now_ns() < end && expected.connection_rejection_reason().is_none() => meanwhile(),
                other => break other,
            }
        };
        match arrival {
            Some(IncomingConnection::Tcp(index, stream)) => {
                ProbeConnection::from_stream(index, stream, order, asked)
            }
            Some(IncomingConnection::Udp(..)) | None => Err(match expected.connection_rejection_reason() {
                Some(why) => ProbeError::Settings(why.clone()),
                None => ProbeError::deadline_exceeded(
                    "data connection",
                    message!(part_probe_connecting_host),
                    wait.as_secs_f64(),
                ),
            }),
        }
    }

    /// A control or data connection from the data listener, with the status byte.
    pub fn accept_stream(
        index: u16,
        stream: TcpStream,
        order: &TrialSpec,
    ) -> Result<ProbeConnection, ProbeError> {
        let mut link = ProbeConnection::from_stream(index, stream, order, &control_socket_options())?;
        link.write_all(&[HandshakeStatus::Accepted as u8], "status")?;
        Ok(link)
    }

    /// A connection from the data listener; the caller sends the status byte.
    pub fn from_stream(
        index: u16,
        stream: TcpStream,
        order: &TrialSpec,
        asked: &SocketOptions,
    ) -> Result<ProbeConnection, ProbeError> {
        socket::apply_options(&stream, asked)?;
        let peer = stream.peer_addr().map(|a| a.to_string()).unwrap_or_default();
        let read = HANDSHAKE_REQUEST_BYTES as u64;
        let link = ProbeConnection { stream, index, peer, written: 0, read, connected: false };
        link.patience(order.deadlines.progress)?;
        Ok(link)
    }

    /// A listener and its port, on the address that the other end has already reached. Connections begin with the
    /// requested congestion control; the other options are set on each.
    pub fn bind_listener(&self, asked: &SocketOptions) -> Result<(TcpListener, u16), ProbeError> {
        let failed = ProbeError::system_error("a port for further connections");
        let mut addr = self.stream.local_addr().map_err(failed)?;
        addr.set_port(0);
        let what = || message!(part_probe_port_on { address: addr.ip().to_string() });
        let failed = |source| ProbeError::from_io_error(what(), source);
        let listener = TcpListener::bind(addr).map_err(failed)?;
        if let Some(name) = &asked.congestion {
            // A refusal repeats on the accepted connections.
            let _ = SockRef::from(&listener).set_tcp_congestion(name.as_bytes());
        }
        let port = listener.local_addr().map_err(failed)?.port();
        Ok((listener, port))
    }

    pub fn peer_name(&self) -> &str {
        &self.peer
    }

    /// Limit of one read or write without progress.
    fn patience(&self, deadline: Nanos) -> Result<(), ProbeError> {
        socket::set_io_timeout(&self.stream, deadline.to_duration())
    }

    pub fn convert_io_error(&self, what: &'static str, e: std::io::Error) -> ProbeError {
        match e.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => ProbeError::Deadline {
                what,
                from: (&self.peer).into(),
                seconds: self.stream.read_timeout().ok().flatten().unwrap_or_default().as_secs_f64(),
            },
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::NotConnected => ProbeError::PeerGone { from: self.peer.clone() },
            _ => ProbeError::System { what: crate::awaited_message(what), source: e },
        }
    }

    pub fn write_all(&mut self, bytes: &[u8], what: &'static str) -> Result<(), ProbeError> {
        self.stream.write_all(bytes).map_err(|e| self.convert_io_error(what, e))?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    pub fn read_exact(&mut self, into: &mut [u8], what: &'static str) -> Result<(), ProbeError> {
        self.stream.read_exact(into).map_err(|e| self.convert_io_error(what, e))?;
        self.read += into.len() as u64;
        Ok(())
    }

    /// Non-user bytes that the kernel has counted: everything through [`Link::write`] and [`Link::read`], our
    /// SYN if we connected, and the FINs as given.
    pub fn non_user_data_bytes(&self, fin_sent: bool, fin_received: bool) -> NonUserDataBytes {
        NonUserDataBytes {
            acked: self.written + u64::from(self.connected) + u64::from(fin_sent),
            received: self.read + u64::from(fin_received),
        }
    }

    pub fn tcp_statistics(&self) -> Option<TcpStatistics> {
        TcpInfo::read(&self.stream)
            .map(|info| info.user_data_statistics(self.non_user_data_bytes(false, false)))
    }

    pub fn send_message(&mut self, message: ControlMessage) -> Result<(), ProbeError> {
        self.write_all(&message.encode(), "message")
    }

    pub fn expect_message(
        &mut self,
        op: ControlMessageType,
        what: &'static str,
    ) -> Result<ControlMessage, ProbeError> {
        let message = self.receive_message(what)?;
        if message.op == op { Ok(message) } else { Err(self.unexpected_message_error()) }
    }

    pub fn receive_message(&mut self, what: &'static str) -> Result<ControlMessage, ProbeError> {
        let mut bytes = [0; CONTROL_MESSAGE_BYTES];
        self.read_exact(&mut bytes, what)?;
        ControlMessage::decode(&bytes).ok_or_else(|| self.unexpected_message_error())
    }

    pub fn unexpected_message_error(&self) -> ProbeError {
        ProbeError::Refused { addr: self.peer.clone(), why: "it sent a message out of order".into() }
    }

    /// Connecting end: agrees on the window and returns it on this end's clock. The listening end's clock is
    /// the reference. `t1` is `None` when the trial ends by bytes, count or confidence.
    pub fn propose_measurement_window(
        &mut self,
        (warm_up, length): (Nanos, Option<Nanos>),
    ) -> Result<MeasurementWindow, ProbeError> {
        let clock = measure_clock_offset(now_ns, || -> Result<u64, ProbeError> {
            self.send_message(ControlMessage::new(ControlMessageType::Clock))?;
            Ok(self.expect_message(ControlMessageType::Clock, "clock exchange")?.b)
        })?;
        let (offset, error) = (clock.offset_ns(), clock.error_ns());
        // Time for the message, its answer and for starting threads; with the warm-up also for the
        // retransmission of one of them.
        let lead = 10_000_000 + 2 * clock.max_round_trip_ns + TCP_RTO_MIN_NS.saturating_sub(warm_up.0);
        let t0 = now_ns() + lead + warm_up.0;
        let t1 = length.map_or(0, |l| t0 + l.0);
        let there = |t: u64| if t == 0 { 0 } else { t.wrapping_add(offset as u64) };
        self.send_message(ControlMessage {
            op: ControlMessageType::Go,
            a: there(t0),
            b: there(t1),
            c: offset as u64,
            d: error,
        })?;
        self.expect_message(ControlMessageType::Ready, "readiness")?;
        Ok(MeasurementWindow { t0_ns: t0, t1_ns: t1, clock_offset_ns: -offset, clock_error_ns: error })
    }

    /// Listening end: answers the clock exchange and receives the window, on this end's clock.
    pub fn receive_measurement_window(
        &mut self,
        (warm_up, length): (Nanos, Option<Nanos>),
    ) -> Result<MeasurementWindow, ProbeError> {
        loop {
            let message = self.receive_message("the window")?;
            match message.op {
                ControlMessageType::Clock => self.send_message(ControlMessage { b: now_ns(), ..message })?,
                ControlMessageType::Go => {
                    let window = MeasurementWindow {
                        t0_ns: message.a,
                        t1_ns: message.b,
                        clock_offset_ns: 0,
                        clock_error_ns: message.d,
                    };
                    validate_window(&window, warm_up, length, now_ns())?;
                    self.send_message(ControlMessage::new(ControlMessageType::Ready))?;
                    return Ok(window);
                }
                _ => return Err(self.unexpected_message_error()),
            }
        }
    }
}
