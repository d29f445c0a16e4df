//! Connects to a server and detects dead hosts.

use crate::operation_error::OperationError;
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::fd::AsFd;
use std::time::Duration;

/// A server silent for this long is gone: on connecting, small requests, and within a message.
pub(crate) const RESPONSE_TIMEOUT: Duration = Duration::from_secs(30);
/// Flushing may take a disk minutes; meanwhile TCP keepalive checks the host.
pub(crate) const FLUSH_RESPONSE_TIMEOUT: Duration = Duration::from_secs(900);
/// Longest system call before the deadline is checked.
pub(crate) const SOCKET_POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Keepalive idle time and interval (tcp(7)): an unplugged cable is noticed in half a minute.
const ASK_AFTER: Duration = Duration::from_secs(10);
const ASK_EVERY: Duration = Duration::from_secs(5);
const ASK_TIMES: u32 = 4;
/// TCP_USER_TIMEOUT.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// Connects to the first address that answers. The resolver's timeout (resolv.conf(5)) is extra.
pub(crate) fn connect_to_host(host: &str, port: u16) -> Result<TcpStream, OperationError> {
    let addresses: Vec<SocketAddr> = (host, port)
        .to_socket_addrs()
        .map_err(|error| OperationError::connection_lost(format!("{host} has no address: {error}")))?
        .collect();
    let each = RESPONSE_TIMEOUT / u32::try_from(addresses.len().max(1)).unwrap_or(1);
    let mut why = format!("{host} has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, each) {
            Ok(stream) => {
                set_socket_options(&stream).map_err(|error| OperationError::from_socket_error(&error))?;
                return Ok(stream);
            }
            Err(error) => why = format!("{address} does not answer: {error}"),
        }
    }
    Err(OperationError::connection_lost(why))
}

/// No delay for small messages, calls with a timeout, detection of dead hosts.
pub(crate) fn set_socket_options(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(SOCKET_POLL_INTERVAL))?;
    stream.set_write_timeout(Some(SOCKET_POLL_INTERVAL))?;
    set_keepalive_options(stream)
}

/// No delay for small messages, detection of dead hosts.
pub(crate) fn set_keepalive_options(stream: &impl AsFd) -> io::Result<()> {
    let socket = SockRef::from(stream);
    socket.set_tcp_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(ASK_AFTER).with_interval(ASK_EVERY).with_retries(ASK_TIMES);
    socket.set_tcp_keepalive(&keepalive)?;
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))
}
