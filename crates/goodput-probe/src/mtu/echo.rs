//! Path MTU to a host without an agent: ICMP echo requests of many sizes (`mtu/search.rs`, `mtu/round.rs`).
//! Replies are as large as requests: if they may be fragmented (IPv4 replies of Linux) the result is the
//! forward path's MTU, else the smaller of both ways.

use super::icmp::{self, EchoCodec};
use super::packet::{self, PacketKind, ProbePacketHeader};
use super::prober::{MtuProber, ProberAction};
use super::queue::{self, QuotedPacketParser};
use super::{bounds, check, finding, interface, prepare, supervised, version_of};
use crate::sys::{self, PageAlignedBuffer};
use crate::time::now_ns;
use crate::watch::ThreadCounters;
use crate::{CancelFlag, EndpointTrial, MeasurementResult, ProbeError};
use goodput_model::TrialToken;
use goodput_model::mtu::{IcmpEchoSettings, IcmpEchoSocket, IpVersion, Mtu};
use goodput_model::trial::MeasurementWindow;
use goodput_words::message;
use socket2::{Domain, Protocol, Socket, Type};
use std::cell::RefCell;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::atomic::Ordering;

const LONGEST_WAIT_NS: u64 = 100_000_000;
/// Replies that determine the round trip before the search.
const FIRST: u64 = 3;
/// Interval of the first requests while unanswered.
const FIRST_GAP_NS: u64 = 200_000_000;
/// The first requests count down from here, so their late replies are not confused with the search's.
const FIRST_NUMBER: u64 = u64::MAX;

/// A ping socket, else a raw one. `PermissionDenied` without `net.ipv4.ping_group_range` and CAP_NET_RAW.
fn open(to: IpAddr) -> io::Result<(Socket, IcmpEchoSocket)> {
    let (domain, protocol) = match to {
        IpAddr::V4(_) => (Domain::IPV4, Protocol::ICMPV4),
        IpAddr::V6(_) => (Domain::IPV6, Protocol::ICMPV6),
    };
    let ping = match Socket::new(domain, Type::DGRAM, Some(protocol)) {
        Ok(socket) => return Ok((socket, IcmpEchoSocket::Ping)),
        Err(e) => e,
    };
    let raw = Socket::new(domain, Type::RAW, Some(protocol)).map_err(|_| ping)?;
    Ok((raw, IcmpEchoSocket::Raw))
}

/// Whether ICMP echo to this address is permitted; `PermissionDenied` if not.
pub fn check_icmp_permission(to: IpAddr) -> io::Result<()> {
    open(to.to_canonical()).map(drop)
}

pub(super) fn run_echo_probe(
    trial: EndpointTrial<'_>,
    settings: &Mtu,
    peer: SocketAddr,
) -> MeasurementResult {
    let (version, ip) = (version_of(peer), peer.ip().to_canonical());
    let EndpointTrial { order, cancel, .. } = trial;
    check(settings, Some(version))?;
    let (socket, kind) = open(ip).map_err(ProbeError::system_error("opening a socket for ICMP echo"))?;
    let mut to = SocketAddr::new(ip, 0);
    if let (SocketAddr::V6(to), SocketAddr::V6(peer)) = (&mut to, peer) {
        // Link-local addresses need their zone.
        to.set_scope_id(peer.scope_id());
    }
    let finding_way = || message!(part_probe_finding_way { address: ip.to_string() });
    socket.connect(&to.into()).map_err(|source| ProbeError::from_io_error(finding_way(), source))?;
    prepare(socket.as_fd(), version == IpVersion::V4, version == IpVersion::V6)?;
    let identifier = u16::from_be_bytes([order.token.0[0], order.token.0[1]]);
    let sender = EchoCodec { version, identifier: (kind == IcmpEchoSocket::Raw).then_some(identifier) };
    let window = MeasurementWindow { t0_ns: now_ns(), ..MeasurementWindow::default() };
    supervised(trial, window, |counter| {
        let own = interface::query_interface(
            socket.local_addr().ok().and_then(|a| a.as_socket()),
            socket.as_fd(),
            version,
        );
        let mut pinger = Pinger {
            socket: &socket,
            sender,
            token: order.token,
            to: ip,
            counter,
            cancel,
            sent: 0,
            unsent: None,
            said: RefCell::default(),
        };
        let began = now_ns();
        let round_trip = pinger.first(order.deadlines.connect.0);
        let bounds = bounds(settings, version, &own, None);
        let mut prober = MtuProber::new(settings, bounds, *round_trip.as_ref().unwrap_or(&0), began);
        let ended = round_trip.and_then(|_| pinger.run(&mut prober));
        let unsent = pinger.unsent.take().filter(|_| ended.is_ok());
        let said = pinger.said.take();
        let mut found = finding(&prober, version, own, None, unsent);
        found.report.echo = Some(IcmpEchoSettings { to: ip.to_string(), socket: kind });
        found.notes.extend(said.map(|(e, by)| match by {
            Some(by) => format!("{by} said of an echo: {e}"),
            None => format!("an echo could not be sent on: {e}"),
        }));
        (found, ended.err())
    })
}

struct Pinger<'a> {
    socket: &'a Socket,
    sender: EchoCodec,
    token: TrialToken,
    to: IpAddr,
    counter: &'a ThreadCounters,
    cancel: &'a CancelFlag,
    sent: u64,
    unsent: Option<io::Error>,
    /// The last error unrelated to packet size, and its source.
    said: RefCell<Option<(io::Error, Option<IpAddr>)>>,
}

impl QuotedPacketParser for Pinger<'_> {
    fn quoted_sequence_number(&self, quoted: &[u8]) -> Option<u64> {
        icmp::expand_sequence_number(self.sender.parse_quoted_sequence_number(quoted)?, self.sent)
    }

    fn handle_non_mtu_error(&self, error: io::Error, by: Option<IpAddr>) {
        *self.said.borrow_mut() = Some((error, by));
    }
}

impl Pinger<'_> {
    /// Encodes a request of this IP packet size; returns the message's length.
    fn write(&self, message: &mut PageAlignedBuffer, seq: u64, size: u32) -> usize {
        let header = ProbePacketHeader { kind: PacketKind::Probe, seq, ip_bytes: size }.encode(&self.token);
        message[icmp::ICMP_HEADER_BYTES..icmp::ICMP_HEADER_BYTES + packet::PROBE_HEADER_BYTES]
            .copy_from_slice(&header);
        // IP and echo headers are as long as those of IP and UDP.
        let payload = size.saturating_sub(self.sender.version.udp_header_bytes()) as usize;
        let length = (icmp::ICMP_HEADER_BYTES + payload.max(packet::PROBE_HEADER_BYTES)).min(message.len());
        self.sender.write_echo_request(seq as u16, &mut message[..length]);
        length
    }

    fn first(&mut self, patience_ns: u64) -> Result<u64, ProbeError> {
        let failed = ProbeError::system_error("ICMP echo");
        let fd = self.socket.as_raw_fd();
        let size = self.sender.version.udp_header_bytes() + packet::PROBE_HEADER_BYTES as u32;
        let mut message = PageAlignedBuffer::new(icmp::ICMP_HEADER_BYTES + packet::PROBE_HEADER_BYTES, 0)
            .map_err(failed)?;
        let mut answer = PageAlignedBuffer::new(LARGEST, 0).map_err(failed)?;
        let mut nobody = MtuProber::new(&Mtu::default(), super::MtuSearch::new(size, size, &[]), 0, now_ns());
        let (mut best, mut answered, mut asked) = (u64::MAX, 0, 0u64);
        let end = now_ns().saturating_add(patience_ns);
        while answered < FIRST {
            let sent_at = now_ns();
            if sent_at >= end {
                break;
            }
            let seq = FIRST_NUMBER - asked;
            asked += 1;
            let length = self.write(&mut message, seq, size);
            if sys::send(fd, &message[..length], libc::MSG_DONTWAIT).is_err() {
                queue::drain_error_queue(fd, &mut nobody, &*self).map_err(failed)?;
            }
            let until = end.min(sent_at + FIRST_GAP_NS);
            while now_ns() < until {
                self.cancel.check_not_cancelled()?;
                if !sys::wait_for_readable(fd, until.min(now_ns() + LONGEST_WAIT_NS)).map_err(failed)? {
                    continue;
                }
                queue::drain_error_queue(fd, &mut nobody, &*self).map_err(failed)?;
                let heard = self.take(&mut answer).map_err(failed)?;
                if heard.iter().any(|p| p.seq == seq) {
                    best = best.min(now_ns() - sent_at);
                    answered += 1;
                    break;
                }
            }
        }
        if answered == 0 {
            let seconds = patience_ns as f64 / 1e9;
            return Err(ProbeError::deadline_exceeded(
                "answer to an ICMP echo",
                self.to.to_string(),
                seconds,
            ));
        }
        Ok(best)
    }

    fn run(&mut self, prober: &mut MtuProber) -> Result<(), ProbeError> {
        let failed = ProbeError::system_error("probing the path");
        let mut message = PageAlignedBuffer::new(LARGEST, 0).map_err(failed)?;
        let mut answer = PageAlignedBuffer::new(LARGEST, 0).map_err(failed)?;
        let fd = self.socket.as_raw_fd();
        loop {
            self.cancel.check_not_cancelled()?;
            let now = now_ns();
            let until = match prober.next_action(now) {
                ProberAction::Send { seq, size } => {
                    let length = self.write(&mut message, seq, size);
                    self.sent = seq + 1;
                    let sent = queue::send_probe(fd, &message[..length], seq, prober, &*self, self.counter);
                    self.unsent = sent.map_err(failed)?.or(self.unsent.take());
                    now
                }
                ProberAction::Wait(until) => until,
                ProberAction::Over => return Ok(()),
            };
            if sys::wait_for_readable(fd, until.min(now + LONGEST_WAIT_NS)).map_err(failed)? {
                queue::drain_error_queue(fd, prober, &*self).map_err(failed)?;
                for packet in self.take(&mut answer).map_err(failed)? {
                    prober.record_answer(packet.seq, now_ns());
                }
                self.counter.operations.store(prober.answered_count(), Ordering::Relaxed);
            }
        }
    }

    fn take(&self, buffer: &mut PageAlignedBuffer) -> io::Result<Vec<ProbePacketHeader>> {
        let mut all = Vec::new();
        while !self.cancel.is_cancelled() {
            let n = match sys::recv(self.socket.as_raw_fd(), buffer, libc::MSG_DONTWAIT) {
                Ok(n) => n,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                // Nothing left, or an error that the error queue details.
                Err(_) => return Ok(all),
            };
            self.counter.add_traffic(0, n as u64);
            let Some(payload) = self.sender.parse_echo_reply(&buffer[..n]) else { continue };
            let Some(packet) = ProbePacketHeader::decode(payload, &self.token) else { continue };
            if payload.len() as u32 + self.sender.version.udp_header_bytes() == packet.ip_bytes {
                all.push(packet);
            }
        }
        Ok(all)
    }
}

/// The largest ICMP message, over IPv6, with an IPv4 header with options.
const LARGEST: usize = 65_535 + 60;
