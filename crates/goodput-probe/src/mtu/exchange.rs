//! The socket loop of the MTU probe: sends packets, answers the other end's, reads the error queue. Both ends
//! run it on one pair of UDP sockets; a TCP connection signals when a direction is settled.

use super::packet::{HEADER, Kind, Packet};
use super::prober::{Prober, Step};
use super::queue::{self, Quotes};
use super::sys::readable_of;
use crate::link::Link;
use crate::sys::{self, Buffer};
use crate::time::now_ns;
use crate::watch::Counter;
use crate::wire::{Message, OPENING_LEN, Op, Opening, Status, same_token};
use crate::{Cancel, ProbeError};
use goodput_model::mtu::IpVersion;
use goodput_model::{Nanos, TrialToken};
use std::io::{self, ErrorKind};
use std::net::{IpAddr, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::Ordering;

const LONGEST_WAIT_NS: u64 = 100_000_000;
const ERRORS: u32 = 1000;
/// The largest UDP payload, over IPv6.
const LARGEST_PAYLOAD: usize = 65_535 - 8;

impl Quotes for TrialToken {
    fn number(&self, quoted: &[u8]) -> Option<u64> {
        // Our own answers are small; errors about them have no number.
        Packet::decode(quoted, self).filter(|p| p.kind == Kind::Probe).map(|p| p.seq)
    }

    fn other(&self, _: io::Error, _: Option<IpAddr>) {}
}

/// What one end needs for its part.
pub(super) struct Exchange<'a> {
    pub link: &'a mut Link,
    pub udp: &'a UdpSocket,
    pub version: IpVersion,
    pub token: TrialToken,
    pub counter: &'a Counter,
    pub cancel: &'a Cancel,
    /// Limit for both directions together.
    pub patience: Nanos,
    pub unsent: Option<io::Error>,
}

impl Exchange<'_> {
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
            let (news, word) = readable_of(udp, tcp, wait).map_err(failed)?;
            if news {
                queue::errors(udp, prober, &self.token).map_err(failed)?;
                self.receive(udp, prober, &mut buffer).map_err(failed)?;
                self.counter.operations.store(prober.count_answered(), Ordering::Relaxed);
            }
            if word {
                self.link.expect(Op::End, "the other end's word that it is done")?;
                theirs_over = true;
            }
        }
    }

    fn send(&mut self, prober: &mut Prober, packet: &mut Buffer, seq: u64, size: u32) -> io::Result<()> {
        let header = Packet { kind: Kind::Probe, seq, ip_bytes: size }.encode(&self.token);
        packet[..HEADER].copy_from_slice(&header);
        let payload = size.saturating_sub(self.version.udp_header_bytes()) as usize;
        let bytes = &packet[..payload.clamp(HEADER, LARGEST_PAYLOAD)];
        let why = queue::send(self.udp.as_raw_fd(), bytes, seq, prober, &self.token)?;
        self.unsent = why.or(self.unsent.take());
        Ok(())
    }

    fn receive(&self, fd: RawFd, prober: &mut Prober, buffer: &mut Buffer) -> io::Result<()> {
        let mut errors = 0;
        loop {
            let n = match sys::recv(fd, buffer, libc::MSG_DONTWAIT) {
                Ok(n) => n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if errors == ERRORS => return Err(e),
                Err(_) => {
                    errors += 1;
                    queue::errors(fd, prober, &self.token)?;
                    continue;
                }
            };
            if self.confirmed_again(&buffer[..n]) {
                continue;
            }
            let Some(packet) = Packet::decode(&buffer[..n], &self.token) else { continue };
            match packet.kind {
                Kind::Answer => prober.answered(packet.seq, now_ns()),
                Kind::Probe if n as u32 + self.version.udp_header_bytes() == packet.ip_bytes => {
                    let answer = Packet { kind: Kind::Answer, ..packet }.encode(&self.token);
                    // A lost answer is harmless; an old error is reported once.
                    if sys::send(fd, &answer, libc::MSG_DONTWAIT).is_err() {
                        queue::errors(fd, prober, &self.token)?;
                        let _ = sys::send(fd, &answer, libc::MSG_DONTWAIT);
                    }
                }
                Kind::Probe => {}
            }
        }
    }

    fn confirmed_again(&self, bytes: &[u8]) -> bool {
        let opening = bytes.first_chunk::<OPENING_LEN>().filter(|_| bytes.len() == OPENING_LEN);
        let again = opening.and_then(Opening::decode).is_some_and(|o| same_token(&o.token, &self.token));
        if again {
            let _ = self.udp.send(&[Status::Accepted as u8]);
        }
        again
    }
}
