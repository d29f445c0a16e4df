//! The UDP part of the data port. An address must echo a challenge, of the same length as its opening with
//! the token, before the trial sends it datagrams.

use super::{Book, IncomingConnection, TrialRegistration, bound};
use crate::udp_handshake::confirm_handshake;
use crate::wire::{HANDSHAKE_REQUEST_BYTES, HandshakeRequest, PROTOCOL_VERSION};
use crate::{ProbeError, locked, sys};
use goodput_model::TrialToken;
use goodput_model::trial::TrialSpec;
use goodput_words::message;
use socket2::Type;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Interval of an opening without an answer.
const REPEAT_INTERVAL_NS: u64 = 100_000_000;

/// Answers openings; never sends more than it received, and nothing without a token.
pub(super) fn answer_udp_handshakes(udp: &UdpSocket, local: SocketAddr, book: &Book) {
    let mut bytes = [0; 2048];
    loop {
        let received = udp.recv_from(&mut bytes);
        if book.closing.load(Ordering::Acquire) {
            return;
        }
        let Ok((n, from)) = received else { continue };
        let Some(opening) = HandshakeRequest::from_datagram(&bytes[..n]) else { continue };
        let Some(entry) = book.owner(&opening.token) else { continue };
        if !book.admits(&entry, from) {
            continue;
        }
        let challenge = book.challenge(&from, &opening.token);
        if opening.challenge != challenge {
            let _ = udp.send_to(&HandshakeRequest::answer(opening.index, challenge).encode(), from);
            continue;
        }
        let mut flows = locked(&entry.udp_flows);
        if !flows.contains(&opening.index)
            && let Ok(socket) = connected_udp(local, from)
            && entry.sender.try_send(IncomingConnection::Udp(opening.index, socket)).is_ok()
        {
            flows.insert(opening.index);
        }
    }
}

fn connected_udp(local: SocketAddr, peer: SocketAddr) -> std::io::Result<UdpSocket> {
    let socket = bound(local, Type::DGRAM)?;
    socket.connect(&peer.into())?;
    Ok(socket.into())
}

/// The connecting end: sends the token, answers the challenge, and waits until the trial confirms.
pub(crate) fn connect_udp(
    peer: SocketAddr,
    token: TrialToken,
    index: u16,
    deadline: Duration,
) -> Result<UdpSocket, ProbeError> {
    let any: IpAddr =
        if peer.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0)).map_err(ProbeError::system_error("binding a UDP socket"))?;
    socket.connect(peer).map_err(|source| ProbeError::Connect { addr: peer, source })?;
    let end = crate::time::now_ns() + deadline.as_nanos() as u64;
    let mut opening = HandshakeRequest { version: PROTOCOL_VERSION, index, token, challenge: 0 };
    let mut repeat_at = 0;
    loop {
        let now = crate::time::now_ns();
        if now >= end {
            let (what, seconds) = ("answer to the UDP opening", deadline.as_secs_f64());
            return Err(ProbeError::deadline_exceeded(what, peer.to_string(), seconds));
        }
        if now >= repeat_at {
            let _ = socket.send(&opening.encode());
            repeat_at = now + REPEAT_INTERVAL_NS;
        }
        let readable = sys::wait_for_readable(socket.as_raw_fd(), end.min(repeat_at));
        if !readable.map_err(ProbeError::system_error("poll"))? {
            continue;
        }
        let mut bytes = [0; HANDSHAKE_REQUEST_BYTES + 1];
        let n = sys::recv(socket.as_raw_fd(), &mut bytes, libc::MSG_DONTWAIT).unwrap_or(0);
        match HandshakeRequest::from_datagram(&bytes[..n]).filter(|answer| answer.index == index) {
            Some(HandshakeRequest { challenge: 0, .. }) => return Ok(socket),
            // A copy of a challenge is not answered again.
            Some(answer) if answer.challenge != opening.challenge => {
                (opening.challenge, repeat_at) = (answer.challenge, 0);
            }
            _ => {}
        }
    }
}

pub(crate) fn accept_udp(expected: &TrialRegistration, order: &TrialSpec) -> Result<UdpSocket, ProbeError> {
    let deadline = order.deadlines.first_byte;
    match expected.next_connection(deadline.to_duration()) {
        Some(IncomingConnection::Udp(index, socket)) => {
            confirm_handshake(&socket, index);
            Ok(socket)
        }
        _ => {
            let (from, seconds) = (message!(part_probe_connecting_host), deadline.as_secs_f64());
            Err(ProbeError::deadline_exceeded("UDP opening", from, seconds))
        }
    }
}
