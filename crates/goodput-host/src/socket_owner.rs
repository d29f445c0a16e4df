//! The owner of a TCP socket, found by the kernel (sock_diag(7)): `/proc/net/tcp` lists all sockets.

use crate::HostError;
use crate::netlink::{NLM_F_REQUEST, NetlinkSocket, read_u32_at};
use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, Ordering};

const NETLINK_SOCK_DIAG: i32 = 4;
const SOCK_DIAG_BY_FAMILY: u16 = 20;
const AF_INET: u8 = 2;
const AF_INET6: u8 = 10;
const IPPROTO_TCP: u8 = 6;

/// The user of the program that holds the socket at `local`, connected to `remote`; `None` if there is none. The
/// caller holds the other end of the connection.
pub fn tcp_socket_owner(local: SocketAddr, remote: SocketAddr) -> Result<Option<u32>, HostError> {
    static IS_AVAILABLE: AtomicBool = AtomicBool::new(false);
    let mut netlink = NetlinkSocket::open(NETLINK_SOCK_DIAG)?;
    let found = find_socket(&mut netlink, local, remote)?;
    if !IS_AVAILABLE.load(Ordering::Relaxed) {
        // A kernel without it finds nothing.
        if found.is_none() && find_socket(&mut netlink, remote, local)?.is_none() {
            return Err(HostError::NotAvailable { what: "tcp_diag" });
        }
        IS_AVAILABLE.store(true, Ordering::Relaxed);
    }
    // The kernel shows root as the owner of a closed one.
    Ok(found.filter(|socket| socket.inode != 0).map(|socket| socket.user))
}

#[derive(Debug)]
pub(crate) struct TcpSocket {
    local: SocketAddr,
    remote: SocketAddr,
    user: u32,
    /// 0 if no program holds it.
    inode: u32,
}

fn find_socket(
    netlink: &mut NetlinkSocket,
    local: SocketAddr,
    remote: SocketAddr,
) -> Result<Option<TcpSocket>, HostError> {
    let (local, remote) = (unmapped_address(local), unmapped_address(remote));
    match netlink.request("sock_diag", SOCK_DIAG_BY_FAMILY, NLM_F_REQUEST, &question(local, remote)) {
        // Where there is no connection, a listener may be found.
        Ok(answer) => {
            let mut found = answer.iter().filter_map(|message| parse(message));
            Ok(found.find(|socket| (socket.local, socket.remote) == (local, remote)))
        }
        Err(HostError::Call { cause, .. }) if cause.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

/// `struct inet_diag_req_v2` of linux/inet_diag.h: in any state, on any interface, without a cookie.
fn question(local: SocketAddr, remote: SocketAddr) -> Vec<u8> {
    let mut body = vec![if local.is_ipv4() { AF_INET } else { AF_INET6 }, IPPROTO_TCP, 0, 0];
    body.extend(u32::MAX.to_ne_bytes());
    body.extend([local.port().to_be_bytes(), remote.port().to_be_bytes()].concat());
    for ip in [local.ip(), remote.ip()] {
        match ip {
            IpAddr::V4(v4) => body.extend([&v4.octets()[..], &[0; 12]].concat()),
            IpAddr::V6(v6) => body.extend(v6.octets()),
        }
    }
    body.extend([0; 4]);
    body.extend([0xff; 8]);
    body
}

/// `struct inet_diag_msg`.
pub(crate) fn parse(message: &[u8]) -> Option<TcpSocket> {
    let port = |at: usize| Some(u16::from_be_bytes(message.get(at..at + 2)?.try_into().ok()?));
    let ip = |at: usize| {
        let bytes: [u8; 16] = message.get(at..at + 16)?.try_into().ok()?;
        match *message.first()? {
            AF_INET => bytes.first_chunk::<4>().map(|v4| IpAddr::V4(Ipv4Addr::from(*v4))),
            AF_INET6 => Some(IpAddr::V6(Ipv6Addr::from(bytes))),
            _ => None,
        }
    };
    Some(TcpSocket {
        local: unmapped_address(SocketAddr::new(ip(8)?, port(4)?)),
        remote: unmapped_address(SocketAddr::new(ip(24)?, port(6)?)),
        user: read_u32_at(message, 64)?,
        inode: read_u32_at(message, 68)?,
    })
}

/// Unmaps IPv4-mapped addresses; drops scope and flow.
pub fn unmapped_address(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(address.ip().to_canonical(), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn the_kernel_finds_the_owner_of_one_connection() {
        let me = std::fs::metadata("/proc/self").unwrap().uid();
        for (listening, host) in [("127.0.0.1:0", "127.0.0.1"), ("[::1]:0", "::1"), ("[::]:0", "127.0.0.1")] {
            let Ok(listener) = TcpListener::bind(listening) else { continue };
            let to = SocketAddr::new(host.parse().unwrap(), listener.local_addr().unwrap().port());
            let client = TcpStream::connect(to).unwrap();
            let (server, peer) = listener.accept().unwrap();
            let own = server.local_addr().unwrap();
            let found = tcp_socket_owner(peer, own);
            if matches!(found, Err(HostError::NotAvailable { .. })) {
                return;
            }
            assert_eq!(found.unwrap(), Some(me), "{listening}");
            let listens = SocketAddr::new(own.ip(), to.port());
            assert_eq!(tcp_socket_owner(listens, listens).unwrap(), None, "{listening}: its listener");
            drop(client);
            assert_eq!(tcp_socket_owner(peer, own).unwrap(), None, "{listening}: nobody holds it");
        }
    }

    #[test]
    fn an_answer_cut_off_is_no_socket() {
        let mut message = vec![AF_INET, 1, 0, 0];
        message.extend([0x9c, 0x40, 0x15, 0x04, 127, 0, 0, 1]);
        message.resize(72, 0);
        message[64..].copy_from_slice(&[1000u32.to_ne_bytes(), 7u32.to_ne_bytes()].concat());
        let socket = parse(&message).unwrap();
        assert_eq!((socket.local, socket.user), ("127.0.0.1:40000".parse().unwrap(), 1000));
        assert_eq!((socket.remote, socket.inode), ("0.0.0.0:5380".parse().unwrap(), 7));
        assert!((0..72).all(|length| parse(&message[..length]).is_none()));
        message[0] = 1;
        assert!(parse(&message).is_none());
    }
}
