//! Opens the sockets of a trial's flows, with the challenge.

use crate::data_listener::{IncomingConnection, TrialRegistration, connect_udp};
use crate::link::ProbeConnection;
use crate::time::now_ns;
use crate::udp_handshake::{self, HANDSHAKE_CHECK_INTERVAL};
use crate::{ProbeError, socket, sys};
use goodput_model::probe::SocketOptions;
use goodput_model::trial::{SocketReport, TrialSpec};
use goodput_model::{Bytes, Setting};
use socket2::SockRef;
use std::net::{SocketAddr, UdpSocket};
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

/// Default receive buffer: bridges some milliseconds without CPU time.
const RECEIVE_BUFFER: Bytes = Bytes(4 << 20);

/// Connecting end: one confirmed socket per flow.
pub(super) fn connect_flows(
    peer: SocketAddr,
    order: &TrialSpec,
    flows: u16,
) -> Result<Vec<UdpSocket>, ProbeError> {
    (0..flows)
        .map(|index| connect_udp(peer, order.token, index, order.deadlines.connect.to_duration()))
        .collect()
}

/// Listening end: takes every flow's socket and confirms it until the connecting end sends on TCP.
pub(super) fn accept_flows(
    expected: &TrialRegistration,
    order: &TrialSpec,
    link: &ProbeConnection,
    flows: u16,
) -> Result<Vec<UdpSocket>, ProbeError> {
    let mut sockets: Vec<Option<UdpSocket>> = (0..flows).map(|_| None).collect();
    let wait = order.deadlines.connect.0 + order.deadlines.first_byte.0;
    let mut end = now_ns().saturating_add(wait);
    loop {
        if sockets.iter().all(Option::is_some) {
            let look = now_ns() + HANDSHAKE_CHECK_INTERVAL.as_nanos() as u64;
            if sys::wait_for_readable(link.stream.as_raw_fd(), look)
                .map_err(ProbeError::system_error("poll"))?
            {
                return Ok(sockets.into_iter().flatten().collect());
            }
        } else if let Some(IncomingConnection::Udp(index, socket)) =
            expected.next_connection(HANDSHAKE_CHECK_INTERVAL)
        {
            if let Some(place @ None) = sockets.get_mut(usize::from(index)) {
                socket.set_nonblocking(true).map_err(ProbeError::system_error("O_NONBLOCK"))?;
                udp_handshake::confirm_handshake(&socket, index);
                *place = Some(socket);
                end = now_ns().saturating_add(wait);
            }
        }
        sockets
            .iter()
            .flatten()
            .for_each(|socket| udp_handshake::answer_repeated_handshakes(socket, &order.token));
        if now_ns() >= end {
            return Err(ProbeError::deadline_exceeded("UDP opening", link.peer_name(), wait as f64 / 1e9));
        }
    }
}

/// Sets options, error reporting and timeouts. Returns the usable receive buffer in bytes; 0 if unknown.
pub(super) fn configure_socket(
    socket: &UdpSocket,
    asked: &SocketOptions,
    receives: bool,
) -> Result<u64, ProbeError> {
    let raw = SockRef::from(socket);
    socket.set_nonblocking(false).map_err(ProbeError::system_error("O_NONBLOCK"))?;
    let patience = Some(Duration::from_nanos(super::STEP));
    socket.set_read_timeout(patience).map_err(ProbeError::system_error("SO_RCVTIMEO"))?;
    socket.set_write_timeout(patience).map_err(ProbeError::system_error("SO_SNDTIMEO"))?;
    let ipv4 = socket.local_addr().map_err(ProbeError::system_error("getsockname"))?.is_ipv4();
    sys::datagram::enable_error_queue(socket.as_fd(), ipv4)
        .map_err(ProbeError::system_error("IP_RECVERR"))?;
    socket::apply_options(socket, asked)?;
    let n = RECEIVE_BUFFER.0 as usize;
    if asked.receive_buffer.is_none()
        && receives
        && sys::datagram::force_receive_buffer_size(socket.as_fd(), n).is_err()
    {
        // Unprivileged, net.core.rmem_max limits it; the result is recorded.
        raw.set_recv_buffer_size(n).map_err(ProbeError::system_error(&format!("SO_RCVBUF {n}")))?;
    }
    Ok(raw.recv_buffer_size().map_or(0, |n| n as u64 / 2))
}

pub(super) fn read_effective_socket_options(
    socket: &UdpSocket,
    asked: &SocketOptions,
    receives: bool,
) -> SocketReport {
    let report = socket::read_common_socket_options(socket, asked);
    let asked = asked.receive_buffer.or(receives.then_some(RECEIVE_BUFFER));
    SocketReport { receive_buffer: Setting { asked, ..report.receive_buffer }, ..report }
}
