//! Checks that a loopback connection belongs to the server's user or root.
//!
//! Every local user can connect to loopback, and a measurement may read and write files as the server's user.
//! Where the kernel cannot look up one socket, its owner is in `/proc/net/tcp` and `tcp6` (proc(5),
//! `Documentation/networking/proc_net_tcp.rst`), addresses in hexadecimal.

use goodput_host::{tcp_socket_owner, unmapped_address};
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::fs::MetadataExt;

/// True if the socket at `peer` connected to `own` belongs to our user or root; false if unknown.
pub fn is_trusted_local_peer(peer: SocketAddr, own: SocketAddr) -> bool {
    let (peer, own) = (unmapped_address(peer), unmapped_address(own));
    if !peer.ip().is_loopback() || !own.ip().is_loopback() {
        return false;
    }
    let Ok(me) = fs::metadata("/proc/self").map(|m| m.uid()) else { return false };
    let owner = tcp_socket_owner(peer, own).unwrap_or_else(|_| owner_in_tables(peer, own));
    owner.is_some_and(|uid| uid == me || uid == 0)
}

fn owner_in_tables(local: SocketAddr, remote: SocketAddr) -> Option<u32> {
    // An IPv4 connection of an IPv6 socket is in the other file.
    ["/proc/self/net/tcp", "/proc/self/net/tcp6"]
        .iter()
        .filter_map(|file| fs::read_to_string(file).ok())
        .find_map(|table| owner(&table, local, remote))
}

/// Only of a socket that a program holds: for a closed one the kernel shows no inode, and root as its owner.
fn owner(table: &str, local: SocketAddr, remote: SocketAddr) -> Option<u32> {
    table.lines().skip(1).find_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (from, to) = (address(words.get(1)?)?, address(words.get(2)?)?);
        let held = *words.get(9)? != "0";
        if held && (from, to) == (local, remote) { words.get(7)?.parse().ok() } else { None }
    })
}

/// `0100007F:14EB` is 127.0.0.1:5355: 32-bit words in native byte order.
fn address(text: &str) -> Option<SocketAddr> {
    let (host, port) = text.split_once(':')?;
    let port = u16::from_str_radix(port, 16).ok()?;
    let word = |at: usize| u32::from_str_radix(host.get(at..at + 8)?, 16).ok().map(u32::to_ne_bytes);
    let ip = match host.len() {
        8 => IpAddr::V4(Ipv4Addr::from(word(0)?)),
        32 => {
            let words = [word(0)?, word(8)?, word(16)?, word(24)?];
            let mut bytes = [0; 16];
            bytes.iter_mut().zip(words.iter().flatten()).for_each(|(to, from)| *to = *from);
            IpAddr::V6(Ipv6Addr::from(bytes))
        }
        _ => return None,
    };
    Some(unmapped_address(SocketAddr::new(ip, port)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    const TABLE: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1504 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
   1: 0100007F:9C40 0100007F:1504 01 00000000:00000000 00:00000000 00000000  1000        0 2 1 0 20 4 0 10 -1
   2: 0100007F:1504 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     7        0 3 1 0 20 4 0 10 -1
   3: 0100007F:9C42 0100007F:1504 05 00000000:00000000 03:000003A1 00000000     0        0 0 3 0
   4: 0100007F:9C43 0100007F:1504 06 00000000:00000000 03:000003A1 00000000     0        0 0 3 0
";

    #[test]
    #[cfg(target_endian = "little")]
    fn the_kernels_table_says_whose_a_socket_is() {
        let at = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        assert_eq!(owner(TABLE, at(40_000), at(5_380)), Some(1000));
        for absent_or_closed in [40_001, 40_002, 40_003] {
            assert_eq!(owner(TABLE, at(absent_or_closed), at(5_380)), None);
        }
        let six = "00000000000000000000000001000000:1504";
        assert_eq!(address(six), Some(SocketAddr::from((Ipv6Addr::LOCALHOST, 5_380))));
        let mapped = "0000000000000000FFFF00000100007F:1504";
        assert_eq!(address(mapped), Some(at(5_380)));
    }

    #[test]
    fn only_our_own_connection_is_ours() {
        for address in ["127.0.0.1:0", "[::1]:0"] {
            let Ok(listener) = TcpListener::bind(address) else { continue };
            let client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let (server, peer) = listener.accept().unwrap();
            let own = server.local_addr().unwrap();
            assert!(is_trusted_local_peer(peer, own), "{address}");
            let me = fs::metadata("/proc/self").unwrap().uid();
            assert_eq!(owner_in_tables(peer, own), Some(me), "{address}");
            let other = SocketAddr::new(peer.ip(), peer.port() ^ 1);
            assert!(!is_trusted_local_peer(other, own) || other == client.peer_addr().unwrap());
            drop(client);
            assert!(!is_trusted_local_peer(peer, own), "{address}: nobody holds it any more");
        }
        let own = "127.0.0.1:5380".parse().unwrap();
        assert!(!is_trusted_local_peer("10.0.0.7:40000".parse().unwrap(), own));
    }
}
