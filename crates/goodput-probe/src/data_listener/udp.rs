//! The UDP part of the data port. An address must echo a challenge, of the same length as its opening with
//! the token, before the trial sends it datagrams.

use super::{Book, IncomingConnection, TrialRegistration, bound};
use crate::wire::{HANDSHAKE_REQUEST_BYTES, HandshakeRequest, HandshakeStatus, PROTOCOL_VERSION};
use crate::{ProbeError, sys};
use goodput_model::TrialToken;
use goodput_model::trial::TrialSpec;
use socket2::Type;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Answers openings; never sends more than it received, and nothing without a token.
pub(super) fn answer_udp_handshakes(udp: &UdpSocket, local: SocketAddr, book: &Book) {
    let mut bytes = [0; 2048];
    loop {
        let received = udp.recv_from(&mut bytes);
        if book.closing.load(Ordering::Acquire) {
            return;
        }
        let Ok((HANDSHAKE_REQUEST_BYTES, from)) = received else { continue };
        let Some(opening) = HandshakeRequest::decode(&std::array::from_fn(|i| bytes[i])) else { continue };
        let Some(entry) = book.owner(&opening.token) else { continue };
        if !book.admits(&entry, from) {
            continue;
        }
        let challenge = book.challenge(&from, &opening.token);
        if opening.version == PROTOCOL_VERSION && opening.challenge == challenge {
            if let Ok(socket) = connected_udp(local, from) {
                let _ = entry.sender.try_send(IncomingConnection::Udp(opening.index, socket));
            }
        } else {
            let answer = HandshakeRequest {
                version: PROTOCOL_VERSION,
                index: opening.index,
                token: TrialToken([0; 16]),
                challenge,
            };
            let _ = udp.send_to(&answer.encode(), from);
        }
    }
}

fn connected_udp(local: SocketAddr, peer: SocketAddr) -> std::io::Result<UdpSocket> {
    let socket = bound(local, Type::DGRAM)?;
    socket.connect(&peer.into())?;
    Ok(socket.into())
}

/// The connecting end: sends the token, answers the challenge. The responder confirms with one status byte.
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
    loop {
        let _ = socket.send(&opening.encode());
        let now = crate::time::now_ns();
        if now >= end {
            let (what, seconds) = ("answer to the UDP opening", deadline.as_secs_f64());
            return Err(ProbeError::deadline_exceeded(what, peer.to_string(), seconds));
        }
        let readable = sys::wait_for_readable(socket.as_raw_fd(), end.min(now + 100_000_000));
        if !readable.map_err(ProbeError::system_error("poll"))? {
            continue;
        }
        let mut bytes = [0; HANDSHAKE_REQUEST_BYTES];
        match socket.recv(&mut bytes) {
            Ok(HANDSHAKE_REQUEST_BYTES) => {
                if let Some(answer) = HandshakeRequest::decode(&bytes) {
                    opening.challenge = answer.challenge;
                }
            }
            Ok(1) if bytes[0] == HandshakeStatus::Accepted as u8 => return Ok(socket),
            _ => {}
        }
    }
}

pub(crate) fn accept_udp(expected: &TrialRegistration, order: &TrialSpec) -> Result<UdpSocket, ProbeError> {
    let deadline = order.deadlines.first_byte;
    match expected.next_connection(deadline.to_duration()) {
        Some(IncomingConnection::Udp(_, socket)) => {
            let sent = socket.send(&[HandshakeStatus::Accepted as u8]);
            sent.map(|_| socket).map_err(ProbeError::system_error("the trial's UDP socket"))
        }
        _ => Err(ProbeError::deadline_exceeded("UDP opening", "the connecting host", deadline.as_secs_f64())),
    }
}
