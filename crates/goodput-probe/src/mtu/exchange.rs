//! The socket loop of the MTU probe: sends packets, answers the other end's, reads the error queue. Both ends
//! run it on one pair of UDP sockets; a TCP connection signals when a direction is settled.

use super::packet::{PROBE_HEADER_BYTES, PacketKind, ProbePacketHeader};
use super::prober::{MtuProber, ProberAction};
use super::queue::{self, QuotedPacketParser};
use crate::link::ProbeConnection;
use crate::sys::{self, PageAlignedBuffer};
use crate::time::now_ns;
use crate::watch::ThreadCounters;
use crate::wire::{ControlMessage, ControlMessageType};
use crate::{CancelFlag, ProbeError};
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

impl QuotedPacketParser for TrialToken {
    fn quoted_sequence_number(&self, quoted: &[u8]) -> Option<u64> {
        // Our own answers are small; errors about them have no number.
        ProbePacketHeader::decode(quoted, self).filter(|p| p.kind == PacketKind::Probe).map(|p| p.seq)
    }

    fn handle_non_mtu_error(&self, _: io::Error, _: Option<IpAddr>) {}
}

/// What one end needs for its part.
pub(super) struct PacketExchange<'a> {
    pub link: &'a mut ProbeConnection,
    pub udp: &'a UdpSocket,
    pub version: IpVersion,
    pub token: TrialToken,
    pub counter: &'a ThreadCounters,
    pub cancel: &'a CancelFlag,
    /// Limit for both directions together.
    pub patience: Nanos,
    pub unsent: Option<io::Error>,
}

impl PacketExchange<'_> {
    pub fn run_exchange(&mut self, prober: &mut MtuProber) -> Result<(), ProbeError> {
        let failed = ProbeError::system_error("probing the path");
        let mut buffer = PageAlignedBuffer::new(LARGEST_PAYLOAD + 1, 0).map_err(failed)?;
        let mut packet = PageAlignedBuffer::new(LARGEST_PAYLOAD, 0).map_err(failed)?;
        let (udp, tcp) = (self.udp.as_raw_fd(), self.link.stream.as_raw_fd());
        let (mut told, mut theirs_over) = (false, false);
        let deadline_ns = now_ns().saturating_add(self.patience.0);
        loop {
            self.cancel.check_not_cancelled()?;
            let now = now_ns();
            if now > deadline_ns {
                let (what, seconds) = ("end of the other direction's search", self.patience.as_secs_f64());
                return Err(ProbeError::deadline_exceeded(what, self.link.peer_name(), seconds));
            }
            let until = match prober.next_action(now) {
                ProberAction::Send { seq, size } => {
                    self.send(prober, &mut packet, seq, size).map_err(failed)?;
                    now
                }
                ProberAction::Wait(until) => until,
                ProberAction::Over => {
                    if !told {
                        self.link.send_message(ControlMessage::new(ControlMessageType::End))?;
                        told = true;
                    }
                    u64::MAX
                }
            };
            if told && theirs_over {
                return Ok(());
            }
            let wait = until.min(now + LONGEST_WAIT_NS);
            let [news, word] = sys::wait_for_either_readable([udp, tcp], wait).map_err(failed)?;
            if news {
                queue::drain_error_queue(udp, prober, &self.token).map_err(failed)?;
                self.receive(udp, prober, &mut buffer).map_err(failed)?;
                self.counter.operations.store(prober.answered_count(), Ordering::Relaxed);
            }
            if word {
                self.link.expect_message(ControlMessageType::End, "the other end's word that it is done")?;
                theirs_over = true;
            }
        }
    }

    fn send(
        &mut self,
        prober: &mut MtuProber,
        packet: &mut PageAlignedBuffer,
        seq: u64,
        size: u32,
    ) -> io::Result<()> {
        let header = ProbePacketHeader { kind: PacketKind::Probe, seq, ip_bytes: size }.encode(&self.token);
        packet[..PROBE_HEADER_BYTES].copy_from_slice(&header);
        let payload = size.saturating_sub(self.version.udp_header_bytes()) as usize;
        let bytes = &packet[..payload.clamp(PROBE_HEADER_BYTES, LARGEST_PAYLOAD)];
        let fd = self.udp.as_raw_fd();
        let why = queue::send_probe(fd, bytes, seq, prober, &self.token, self.counter)?;
        self.unsent = why.or(self.unsent.take());
        Ok(())
    }

    fn receive(&self, fd: RawFd, prober: &mut MtuProber, buffer: &mut PageAlignedBuffer) -> io::Result<()> {
        let mut errors = 0;
        loop {
            // Packets may arrive faster than they are read.
            if self.cancel.is_cancelled() {
                return Ok(());
            }
            let n = match sys::recv(fd, buffer, libc::MSG_DONTWAIT) {
                Ok(n) => n,
                Err(e) if e.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(e) if errors == ERRORS => return Err(e),
                Err(_) => {
                    errors += 1;
                    queue::drain_error_queue(fd, prober, &self.token)?;
                    continue;
                }
            };
            self.counter.add_traffic(0, n as u64);
            let Some(packet) = ProbePacketHeader::decode(&buffer[..n], &self.token) else { continue };
            match packet.kind {
                PacketKind::Answer => prober.record_answer(packet.seq, now_ns()),
                PacketKind::Probe if n as u32 + self.version.udp_header_bytes() == packet.ip_bytes => {
                    let answer = ProbePacketHeader { kind: PacketKind::Answer, ..packet }.encode(&self.token);
                    self.counter.add_traffic(answer.len() as u64, 0);
                    // A lost answer is harmless; an old error is reported once.
                    if sys::send(fd, &answer, libc::MSG_DONTWAIT).is_err() {
                        queue::drain_error_queue(fd, prober, &self.token)?;
                        let _ = sys::send(fd, &answer, libc::MSG_DONTWAIT);
                    }
                }
                PacketKind::Probe => {}
            }
        }
    }
}
