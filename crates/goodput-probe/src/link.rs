//! A data connection of a trial: opening, fixed messages, clock exchange, window.

use crate::ProbeError;
use crate::confirmation::RETRY_INTERVAL;
use crate::data_listener::{Arrival, Expected};
use crate::socket::{self, Overhead};
use crate::time::now_ns;
use crate::wire::{MESSAGE_LEN, Message, OPENING_LEN, Op, Opening, Status, VERSION};
use goodput_model::Nanos;
use goodput_model::probe::SocketOptions;
use goodput_model::trial::{MeasurementWindow, TrialSpec};
use socket2::{Domain, Protocol, SockRef, Socket, Type};
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};

/// Index of the control connection. Measured connections carry no such messages: small round trips before the
/// data mislead bbr's model of the path and cost it a third of its goodput at 1 KiB.
pub(crate) const CONTROL: u16 = u16::MAX;

pub(crate) fn control_options() -> SocketOptions {
    SocketOptions { no_delay: Some(true), ..SocketOptions::default() }
}

/// The exchange with the least round trip counts.
const CLOCK_EXCHANGES: u64 = 16;

pub(crate) struct Link {
    pub stream: TcpStream,
    pub index: u16,
    peer: String,
    written: u64,
    read: u64,
    connected: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct Dial<'a> {
    pub peer: SocketAddr,
    pub order: &'a TrialSpec,
    pub socket: &'a SocketOptions,
}

impl Dial<'_> {
    /// Options, connect, opening, status.
    pub fn open(&self, index: u16) -> Result<Link, ProbeError> {
        self.answered(self.open_unanswered(index)?)
    }

    /// Limits segments in both directions (TCP_MAXSEG before the handshake), for paths that silently drop
    /// larger packets.
    pub fn open_narrow(&self, index: u16, segment: u32) -> Result<Link, ProbeError> {
        let narrow = |stream: &TcpStream| {
            let what = format!("TCP_MAXSEG {segment}");
            let set = SockRef::from(stream).set_tcp_mss(segment);
            set.map_err(|source| ProbeError::System { what, source })
        };
        self.answered(self.open_with(index, narrow)?)
    }

    fn answered(&self, mut link: Link) -> Result<Link, ProbeError> {
        link.patience(self.order.deadlines.first_byte)?;
        let mut status = [0];
        link.read(&mut status, "answer to the opening")?;
        accepted(status[0], link.peer())?;
        link.patience(self.order.deadlines.progress)?;
        Ok(link)
    }

    /// The status byte comes with or after the data.
    pub fn open_unanswered(&self, index: u16) -> Result<Link, ProbeError> {
        self.open_with(index, |_| Ok(()))
    }

    /// Applies `more` besides the options.
    fn open_with(
        &self,
        index: u16,
        more: impl FnOnce(&TcpStream) -> Result<(), ProbeError>,
    ) -> Result<Link, ProbeError> {
        let deadlines = self.order.deadlines;
        let refused = |source| ProbeError::Connect { addr: self.peer, source };
        let raw = Socket::new(Domain::for_address(self.peer), Type::STREAM, Some(Protocol::TCP))
            .map_err(refused)?;
        let stream = TcpStream::from(raw);
        socket::apply(&stream, self.socket)?;
        more(&stream)?;
        SockRef::from(&stream)
            .connect_timeout(&self.peer.into(), deadlines.connect.to_duration())
            .map_err(refused)?;
        let mut link =
            Link { stream, index, peer: self.peer.to_string(), written: 0, read: 0, connected: true };
        link.patience(deadlines.progress)?;
        let opening = Opening { version: VERSION, index, token: self.order.token, challenge: 0 };
        link.write(&opening.encode(), "opening")?;
        Ok(link)
    }
}

pub(crate) fn accepted(status: u8, peer: &str) -> Result<(), ProbeError> {
    let no = |why: &str| ProbeError::Refused { addr: peer.into(), why: why.into() };
    match Status::from_byte(status) {
        Some(Status::Accepted) => Ok(()),
        Some(Status::UnknownToken) => Err(no("it expects no trial with our token")),
        Some(Status::Version) => Err(no("it speaks another version of the data protocol")),
        Some(Status::Peer) => {
            Err(no("its policy lets no data flow to or from this address (rule peers.addresses)"))
        }
        None => Err(no("it is no goodput agent")),
    }
}

impl Link {
    /// Accepts the trial's next TCP connection: options, then the status byte.
    pub fn take(expected: &Expected, order: &TrialSpec, asked: &SocketOptions) -> Result<Link, ProbeError> {
        let mut link = Link::take_unanswered(expected, order, asked)?;
        link.write(&[Status::Accepted as u8], "status")?;
        Ok(link)
    }

    pub fn take_unanswered(
        expected: &Expected,
        order: &TrialSpec,
        asked: &SocketOptions,
    ) -> Result<Link, ProbeError> {
        Link::take_meanwhile(expected, order, asked, || {})
    }

    /// Like [`Link::take_unanswered`]; calls a function every [`RETRY_INTERVAL`] meanwhile.
    pub fn take_meanwhile(
        expected: &Expected,
        order: &TrialSpec,
        asked: &SocketOptions,
        meanwhile: impl Fn(),
    ) -> Result<Link, ProbeError> {
        let wait = Nanos(order.deadlines.connect.0 + order.deadlines.first_byte.0);
        let end = now_ns().saturating_add(wait.0);
        let arrival = loop {
            match expected.next(RETRY_INTERVAL) {
                Some(Arrival::Udp(..)) => {}
                None if now_ns() < end && expected.rejection_reason().is_none() => meanwhile(),
                other => break other,
            }
        };
        match arrival {
            Some(Arrival::Tcp(index, stream)) => Link::arrived(index, stream, order, asked),
            Some(Arrival::Udp(..)) | None => Err(match expected.rejection_reason() {
                Some(why) => ProbeError::Settings(why.to_string()),
                None => ProbeError::Deadline {
                    what: "data connection",
                    from: "the connecting end".into(),
                    seconds: wait.as_secs_f64(),
                },
            }),
        }
    }

    /// A connection from the data listener; the caller sends the status byte.
    pub fn arrived(
        index: u16,
        stream: TcpStream,
        order: &TrialSpec,
        asked: &SocketOptions,
    ) -> Result<Link, ProbeError> {
        socket::apply(&stream, asked)?;
        let peer = stream.peer_addr().map(|a| a.to_string()).unwrap_or_default();
        let read = OPENING_LEN as u64;
        let link = Link { stream, index, peer, written: 0, read, connected: false };
        link.patience(order.deadlines.progress)?;
        Ok(link)
    }

    pub fn peer(&self) -> &str {
        &self.peer
    }

    /// Limit of one read or write without progress.
    fn patience(&self, deadline: Nanos) -> Result<(), ProbeError> {
        socket::set_deadline(&self.stream, deadline.to_duration())
    }

    pub fn broken(&self, what: &'static str, e: std::io::Error) -> ProbeError {
        match e.kind() {
            ErrorKind::WouldBlock | ErrorKind::TimedOut => ProbeError::Deadline {
                what,
                from: self.peer.clone(),
                seconds: self.stream.read_timeout().ok().flatten().unwrap_or_default().as_secs_f64(),
            },
            ErrorKind::UnexpectedEof
            | ErrorKind::ConnectionReset
            | ErrorKind::ConnectionAborted
            | ErrorKind::BrokenPipe
            | ErrorKind::NotConnected => ProbeError::PeerGone { from: self.peer.clone() },
            _ => ProbeError::System { what: what.into(), source: e },
        }
    }

    pub fn write(&mut self, bytes: &[u8], what: &'static str) -> Result<(), ProbeError> {
        self.stream.write_all(bytes).map_err(|e| self.broken(what, e))?;
        self.written += bytes.len() as u64;
        Ok(())
    }

    pub fn read(&mut self, into: &mut [u8], what: &'static str) -> Result<(), ProbeError> {
        self.stream.read_exact(into).map_err(|e| self.broken(what, e))?;
        self.read += into.len() as u64;
        Ok(())
    }

    /// Non-user bytes that the kernel has counted: everything through [`Link::write`] and [`Link::read`], our
    /// SYN if we connected, and the FINs as given.
    pub fn overhead(&self, fin_sent: bool, fin_received: bool) -> Overhead {
        Overhead {
            acked: self.written + u64::from(self.connected) + u64::from(fin_sent),
            received: self.read + u64::from(fin_received),
        }
    }

    pub fn send(&mut self, message: Message) -> Result<(), ProbeError> {
        self.write(&message.encode(), "message")
    }

    pub fn expect(&mut self, op: Op, what: &'static str) -> Result<Message, ProbeError> {
        let message = self.receive(what)?;
        if message.op == op { Ok(message) } else { Err(self.out_of_order()) }
    }

    pub fn receive(&mut self, what: &'static str) -> Result<Message, ProbeError> {
        let mut bytes = [0; MESSAGE_LEN];
        self.read(&mut bytes, what)?;
        Message::decode(&bytes).ok_or_else(|| self.out_of_order())
    }

    pub fn out_of_order(&self) -> ProbeError {
        ProbeError::Refused { addr: self.peer.clone(), why: "it sent a message out of order".into() }
    }

    /// Connecting end: the listening end's clock minus ours, and half the least round trip.
    pub fn measure_clock(&mut self) -> Result<(i64, u64), ProbeError> {
        let mut best = (0i64, u64::MAX);
        for a in 0..CLOCK_EXCHANGES {
            let sent = now_ns();
            self.send(Message { a, ..Message::new(Op::Clock) })?;
            let answer = self.expect(Op::Clock, "clock exchange")?;
            let received = now_ns();
            let half = (received - sent) / 2;
            if half < best.1 {
                best = (answer.b.wrapping_sub(sent + half) as i64, half);
            }
        }
        Ok(best)
    }

    /// Connecting end: agrees on the window and returns it on this end's clock. The listening end's clock is
    /// the reference. `t1` is `None` when the trial ends by bytes, count or confidence.
    pub fn agree(&mut self, warm_up: Nanos, length: Option<Nanos>) -> Result<MeasurementWindow, ProbeError> {
        let (offset, error) = self.measure_clock()?;
        // Time for the message and for starting threads.
        let lead = 10_000_000 + 4 * error;
        let t0 = now_ns() + lead + warm_up.0;
        let t1 = length.map_or(0, |l| t0 + l.0);
        let there = |t: u64| if t == 0 { 0 } else { t.wrapping_add(offset as u64) };
        self.send(Message { op: Op::Go, a: there(t0), b: there(t1), c: offset as u64, d: error })?;
        self.expect(Op::Ready, "readiness")?;
        Ok(MeasurementWindow { t0_ns: t0, t1_ns: t1, clock_offset_ns: -offset, clock_error_ns: error })
    }

    /// Listening end: answers the clock exchange and receives the window, on this end's clock.
    pub fn follow(&mut self) -> Result<MeasurementWindow, ProbeError> {
        loop {
            let message = self.receive("the window")?;
            match message.op {
                Op::Clock => self.send(Message { b: now_ns(), ..message })?,
                Op::Go => {
                    let window = MeasurementWindow {
                        t0_ns: message.a,
                        t1_ns: message.b,
                        clock_offset_ns: 0,
                        clock_error_ns: message.d,
                    };
                    self.send(Message::new(Op::Ready))?;
                    return Ok(window);
                }
                _ => return Err(self.out_of_order()),
            }
        }
    }
}
