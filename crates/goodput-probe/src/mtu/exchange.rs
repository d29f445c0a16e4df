//! The probing with sockets: sends what the prober wants, answers what the other end sends, reads the error
//! queue. Both ends run this at once on one pair of connected sockets; small packets of a TCP connection
//! beside it say when an end has settled its direction.

use super::packet::{HEADER, Kind, Packet};
use super::prober::{Prober, Step};
use super::sys::{self as queue, Origin};
use crate::clock::now_ns;
use crate::link::Link;
use crate::sys::{self, Buffer};
use crate::watch::Counter;
use crate::wire::{Message, OPENING_LEN, Op, Opening, Status};
use crate::{Cancel, ProbeError};
use goodput_model::mtu::IpVersion;
use goodput_model::{Nanos, Token};
use std::io::{self, ErrorKind};
use std::net::UdpSocket;
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::Ordering;

/// No wait is longer, so that a cancelled trial ends soon.
const LONGEST_WAIT_NS: u64 = 100_000_000;
/// Times a packet is handed to the kernel while old errors are in the way.
const SENDS: u8 = 4;
/// Errors about earlier packets that one look may meet; more mean that the socket itself is broken.
const ERRORS: u32 = 1000;
/// The largest UDP payload, over IPv6.
const LARGEST_PAYLOAD: usize = 65_535 - 8;

/// What one end needs for its part.
pub(super) struct Exchange<'a> {
    pub link: &'a mut Link,
    pub udp: &'a UdpSocket,
    pub version: IpVersion,
    pub token: Token,
    pub counter: &'a Counter,
    pub cancel: &'a Cancel,
    /// How long both directions may take together.
    pub patience: Nanos,
    /// Why packets could not be sent, if some could not.
    pub unsent: Option<io::Error>,
}

impl Exchange<'_> {
    /// Probes this end's direction and answers the other's until both are settled.
    pub fn run(&mut self, prober: &mut Prober) -> Result<(), ProbeError> {
        let failed = |source| ProbeError::System { what: "probing the path".into(), source };
        let mut buffer = Buffer::new(LARGEST_PAYLOAD + 1, 0).map_err(failed)?;
        let mut packet = Buffer::new(LARGEST_PAYLOAD, 0).map_err(failed)?;
        let (udp, tcp) = (self.udp.as_raw_fd(), self.link.stream.as_raw_fd());
        let (mut told, mut theirs_over) = (false, false);
        let deadline_ns = now_ns().saturating_add(self.patience.0);
        loop {
            if self.cancel.is_cancelled() {
                return Err(ProbeError::Cancelled);
            }
            let now = now_ns();
            if now > deadline_ns {
                return Err(ProbeError::Deadline {
                    what: "end of the other direction's search",
                    from: self.link.peer().to_string(),
                    seconds: self.patience.as_secs_f64(),
                });
            }
            let until = match prober.step(now) {
                Step::Send { seq, size } => {
                    self.send(prober, &mut packet, seq, size).map_err(failed)?;
                    now
                }
                Step::Wait(until) => until,
                Step::Over => {
                    if !told {
                        self.link.send(Message::new(Op::End))?;
                        told = true;
                    }
                    u64::MAX
                }
            };
            if told && theirs_over {
                return Ok(());
            }
            let wait = until.min(now + LONGEST_WAIT_NS);
            let (news, word) = queue::readable_of(udp, tcp, wait).map_err(failed)?;
            if news {
                self.errors(udp, prober).map_err(failed)?;
                self.receive(udp, prober, &mut buffer).map_err(failed)?;
                self.counter.operations.store(prober.count_answered(), Ordering::Relaxed);
            }
            if word {
                self.link.expect(Op::End, "the other end's word that it is done")?;
                theirs_over = true;
            }
        }
    }

    /// Sends one probing packet, and tells the prober when the kernel would not.
    fn send(&mut self, prober: &mut Prober, packet: &mut Buffer, seq: u64, size: u32) -> io::Result<()> {
        let fd = self.udp.as_raw_fd();
        let header = Packet { kind: Kind::Probe, seq, ip_bytes: size }.encode(&self.token);
        packet[..HEADER].copy_from_slice(&header);
        let payload = size.saturating_sub(self.version.udp_headers()) as usize;
        let bytes = &packet[..payload.clamp(HEADER, LARGEST_PAYLOAD)];
        let mut why = None;
        for _ in 0..SENDS {
            match sys::send(fd, bytes, libc::MSG_DONTWAIT) {
                Ok(_) => return Ok(()),
                Err(e) => {
                    // With IP_RECVERR an error of the network about an earlier packet is told by the next call;
                    // only one of this host's own making is about this packet.
                    if let Some(mtu) = self.errors(fd, prober)? {
                        prober.refused(seq, mtu);
                        return Ok(());
                    }
                    why = Some(e);
                }
            }
        }
        prober.not_sent(seq, now_ns());
        self.unsent = why;
        Ok(())
    }

    /// Empties the error queue. The MTU of this host's own interface, if it was the one to refuse.
    fn errors(&self, fd: RawFd, prober: &mut Prober) -> io::Result<Option<u32>> {
        let mut refused = None;
        let mut quoted = [0; HEADER];
        while let Some(error) = queue::next_error(fd, &mut quoted)? {
            if error.errno != libc::EMSGSIZE {
                continue;
            }
            match (error.origin, error.by) {
                (Origin::Local, _) => refused = Some(error.info),
                (Origin::Network, Some(by)) => {
                    let ours = Packet::decode(&quoted[..error.quoted.min(HEADER)], &self.token);
                    // Our own answers are small; whoever finds them too big is heard without a number.
                    let seq = ours.filter(|p| p.kind == Kind::Probe).map(|p| p.seq);
                    prober.too_big(seq, error.info, by);
                }
                _ => {}
            }
        }
        Ok(refused)
    }

    /// Takes everything that has arrived: answers for our prober, probing packets to be answered.
    fn receive(&self, fd: RawFd, prober: &mut Prober, buffer: &mut Buffer) -> io::Result<()> {
        let mut errors = 0;
        loop {
            let n = match sys::recv(fd, buffer, libc::MSG_DONTWAIT) {
                Ok(n) => n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                // An error about an earlier packet, told here: the queue has it at length.
                Err(e) if errors == ERRORS => return Err(e),
                Err(_) => {
                    errors += 1;
                    self.errors(fd, prober)?;
                    continue;
                }
            };
            if self.answer_opening(&buffer[..n]) {
                continue;
            }
            let Some(packet) = Packet::decode(&buffer[..n], &self.token) else { continue };
            match packet.kind {
                Kind::Answer => prober.answered(packet.seq, now_ns()),
                Kind::Probe if n as u32 + self.version.udp_headers() == packet.ip_bytes => {
                    let answer = Packet { kind: Kind::Answer, ..packet }.encode(&self.token);
                    // An answer that cannot be sent is one that is lost; an old error in the way is told once.
                    if sys::send(fd, &answer, libc::MSG_DONTWAIT).is_err() {
                        self.errors(fd, prober)?;
                        let _ = sys::send(fd, &answer, libc::MSG_DONTWAIT);
                    }
                }
                // Not whole: something on the way has cut it.
                Kind::Probe => {}
            }
        }
    }

    fn answer_opening(&self, bytes: &[u8]) -> bool {
        answer_opening(self.udp, self.token, bytes)
    }
}

/// Says once more that the opening was accepted, if it is an opening: the word was lost.
fn answer_opening(udp: &UdpSocket, token: Token, bytes: &[u8]) -> bool {
    let opening = bytes.first_chunk::<OPENING_LEN>().filter(|_| bytes.len() == OPENING_LEN);
    let again = opening.and_then(Opening::decode).is_some_and(|o| o.token == token);
    if again {
        let _ = udp.send(&[Status::Accepted as u8]);
    }
    again
}

/// Listening end: answers repeated openings until the connecting end speaks on the TCP connection.
pub(super) fn until_spoken_to(
    link: &Link,
    udp: &UdpSocket,
    token: Token,
    deadline_ns: u64,
) -> io::Result<()> {
    loop {
        let now = now_ns();
        let wait = deadline_ns.min(now + LONGEST_WAIT_NS);
        let (opening, word) = queue::readable_of(udp.as_raw_fd(), link.stream.as_raw_fd(), wait)?;
        if word || now >= deadline_ns {
            return Ok(());
        }
        if opening {
            let mut bytes = [0; 2 * OPENING_LEN];
            match sys::recv(udp.as_raw_fd(), &mut bytes, libc::MSG_DONTWAIT) {
                Ok(n) => {
                    answer_opening(udp, token, &bytes[..n]);
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                Err(e) if e.kind() == ErrorKind::ConnectionRefused => {}
                Err(e) => return Err(e),
            }
        }
    }
}
