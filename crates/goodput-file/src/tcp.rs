//! Connects to the permitted addresses of a server and detects dead hosts.

use crate::FileErrorKind;
use crate::operation_error::OperationError;
use goodput_words::{ErrorMessage, Message, message};
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::{IpAddr, SocketAddr, TcpStream, ToSocketAddrs};
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

/// Whether a connection to an address is permitted; the error is a sentence.
pub type AddressFilter<'a> = &'a (dyn Fn(IpAddr) -> Result<(), Message> + Sync);

/// The addresses of a server that the caller's filter permits. A server is resolved once and all its
/// connections use these, because its name may lead elsewhere the next time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerAddresses(Vec<SocketAddr>);

impl ServerAddresses {
    /// The resolver's timeout (resolv.conf(5)) is not limited.
    pub(crate) fn resolve(
        host: &str,
        port: u16,
        permits: AddressFilter<'_>,
    ) -> Result<ServerAddresses, OperationError> {
        let found = (host, port).to_socket_addrs().map_err(|error| {
            OperationError::connection_lost(message!(cause_place_unresolved { host, why: error.message() }))
        })?;
        let mut permitted = Vec::new();
        let mut refused = None;
        for address in found {
            match permits(address.ip()) {
                Ok(()) => permitted.push(address),
                Err(why) => refused = refused.or(Some(why)),
            }
        }
        match refused {
            Some(why) if permitted.is_empty() => Err(OperationError::new(FileErrorKind::Forbidden, why)),
            None if permitted.is_empty() => {
                Err(OperationError::connection_lost(message!(cause_place_no_address { host })))
            }
            _ => Ok(ServerAddresses(permitted)),
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = SocketAddr> {
        self.0.iter().copied()
    }

    /// Connects to the first address that answers.
    pub(crate) fn connect(&self) -> Result<TcpStream, OperationError> {
        let each = RESPONSE_TIMEOUT / u32::try_from(self.0.len().max(1)).unwrap_or(1);
        let mut why = Message::default();
        for address in self.iter() {
            match TcpStream::connect_timeout(&address, each) {
                Ok(stream) => {
                    set_socket_options(&stream).map_err(|error| OperationError::from_socket_error(&error))?;
                    return Ok(stream);
                }
                Err(error) => {
                    let address = address.to_string();
                    why = message!(cause_place_does_not_answer { address, why: error.message() });
                }
            }
        }
        Err(OperationError::connection_lost(why))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    fn resolved(
        host: &str,
        permits: impl Fn(IpAddr) -> Result<(), Message> + Sync,
    ) -> Result<Vec<SocketAddr>, OperationError> {
        ServerAddresses::resolve(host, 9, &permits).map(|addresses| addresses.iter().collect())
    }

    #[test]
    fn only_permitted_addresses_of_a_server_are_used() {
        let second = Ipv4Addr::new(127, 0, 0, 2);
        assert_eq!(resolved("127.0.0.2", |_| Ok(())).unwrap(), [SocketAddr::from((second, 9))]);
        let refused = resolved("127.0.0.2", |ip| Err(format!("not to {ip}").into())).unwrap_err();
        assert_eq!(refused.trouble, FileErrorKind::Forbidden);
        assert_eq!(refused.why.message(), "not to 127.0.0.2");
        // May have an IPv6 address as well, which is left out.
        let some = resolved("localhost", |ip| if ip.is_ipv4() { Ok(()) } else { Err("not IPv6".into()) });
        let some = some.unwrap();
        assert!(!some.is_empty() && some.iter().all(SocketAddr::is_ipv4), "{some:?}");
    }
}
