//! Connects to a server and detects dead hosts.

use crate::fault::Fault;
use socket2::{SockRef, TcpKeepalive};
use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::os::fd::AsFd;
use std::time::Duration;

/// A server that says nothing for so long is gone, whatever the caller's patience: connecting, an answer to a small
/// request, the rest of a message that has begun.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);
/// What makes data durable may take a disk minutes. That the server's host is alive is asked by TCP meanwhile.
pub(crate) const DURABLE_PATIENCE: Duration = Duration::from_secs(900);
/// How long a thread is inside a system call at the most before it looks at its deadline.
pub(crate) const TICK: Duration = Duration::from_millis(100);

/// A host that is silent on an idle connection is asked after so long, and again so often (tcp(7)): a cable that
/// was pulled while the server was thinking is noticed in half a minute.
const ASK_AFTER: Duration = Duration::from_secs(10);
const ASK_EVERY: Duration = Duration::from_secs(5);
const ASK_TIMES: u32 = 4;
/// Sent data that nobody acknowledges for so long ends the connection.
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// Connects to the first address of a name that answers. The resolver's own patience (resolv.conf(5)) comes before.
pub(crate) fn dial(host: &str, port: u16) -> Result<TcpStream, Fault> {
    let addresses: Vec<SocketAddr> = (host, port)
        .to_socket_addrs()
        .map_err(|error| Fault::gone(format!("{host} has no address: {error}")))?
        .collect();
    let each = PATIENCE / u32::try_from(addresses.len().max(1)).unwrap_or(1);
    let mut why = format!("{host} has no address");
    for address in addresses {
        match TcpStream::connect_timeout(&address, each) {
            Ok(stream) => {
                prepare(&stream).map_err(|error| Fault::socket(&error))?;
                return Ok(stream);
            }
            Err(error) => why = format!("{address} does not answer: {error}"),
        }
    }
    Err(Fault::gone(why))
}

/// Small messages go out at once, calls into the socket end in time, a dead host is noticed.
pub(crate) fn prepare(stream: &TcpStream) -> io::Result<()> {
    stream.set_read_timeout(Some(TICK))?;
    stream.set_write_timeout(Some(TICK))?;
    detect_dead_hosts(stream)
}

/// Small messages go out at once, and a dead host is noticed.
pub(crate) fn detect_dead_hosts(stream: &impl AsFd) -> io::Result<()> {
    let socket = SockRef::from(stream);
    socket.set_tcp_nodelay(true)?;
    let keepalive = TcpKeepalive::new().with_time(ASK_AFTER).with_interval(ASK_EVERY).with_retries(ASK_TIMES);
    socket.set_tcp_keepalive(&keepalive)?;
    socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))
}
