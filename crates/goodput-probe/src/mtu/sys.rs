//! System calls of the path-MTU probe: error queue, interface MTU.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorOrigin {
    Local,
    Network,
    Other,
}

/// ip(7), IP_RECVERR.
#[derive(Debug, Clone, Copy)]
pub(super) struct ErrorQueueEntry {
    pub errno: i32,
    pub origin: ErrorOrigin,
    pub info: u32,
    pub by: Option<IpAddr>,
    /// Quoted bytes of our packet's payload.
    pub quoted: usize,
}

pub(super) fn read_error_queue(fd: RawFd, quoted: &mut [u8]) -> io::Result<Option<ErrorQueueEntry>> {
    #[repr(C, align(8))]
    struct Control([u8; 256]);
    let mut control = Control([0; 256]);
    let mut iov = libc::iovec { iov_base: quoted.as_mut_ptr().cast(), iov_len: quoted.len() };
    // SAFETY: a zeroed msghdr is valid; everything it points to is set below and outlives the call.
    let mut msg: libc::msghdr = unsafe { std::mem::zeroed() };
    msg.msg_iov = &raw mut iov;
    msg.msg_iovlen = 1;
    msg.msg_control = control.0.as_mut_ptr().cast();
    msg.msg_controllen = control.0.len() as _;
    // SAFETY: `msg`, its iovec and its control buffer live through the call.
    let n = unsafe { libc::recvmsg(fd, &mut msg, libc::MSG_ERRQUEUE | libc::MSG_DONTWAIT) };
    if n < 0 {
        let e = io::Error::last_os_error();
        return if e.kind() == io::ErrorKind::WouldBlock { Ok(None) } else { Err(e) };
    }
    // SAFETY: the kernel filled `msg`; CMSG_FIRSTHDR and CMSG_NXTHDR stay inside the control buffer, and what
    // is read from a message lies within its cmsg_len, as checked.
    unsafe {
        let mut c = libc::CMSG_FIRSTHDR(&msg);
        while !c.is_null() {
            let is_error = ((*c).cmsg_level == libc::SOL_IP && (*c).cmsg_type == libc::IP_RECVERR)
                || ((*c).cmsg_level == libc::SOL_IPV6 && (*c).cmsg_type == libc::IPV6_RECVERR);
            let data = libc::CMSG_DATA(c);
            let len = ((*c).cmsg_len as usize).saturating_sub(data as usize - c as usize);
            if is_error && len >= size_of::<libc::sock_extended_err>() {
                let e: libc::sock_extended_err = std::ptr::read_unaligned(data.cast());
                let at = size_of::<libc::sock_extended_err>();
                let rest = std::slice::from_raw_parts(data.add(at), len - at);
                let origin = match e.ee_origin {
                    libc::SO_EE_ORIGIN_LOCAL => ErrorOrigin::Local,
                    libc::SO_EE_ORIGIN_ICMP | libc::SO_EE_ORIGIN_ICMP6 => ErrorOrigin::Network,
                    _ => ErrorOrigin::Other,
                };
                return Ok(Some(ErrorQueueEntry {
                    errno: e.ee_errno as i32,
                    origin,
                    info: e.ee_info,
                    by: address(rest),
                    quoted: n as usize,
                }));
            }
            c = libc::CMSG_NXTHDR(&msg, c);
        }
    }
    // Not an error of ours, but the next entry may be.
    Ok(Some(ErrorQueueEntry { errno: 0, origin: ErrorOrigin::Other, info: 0, by: None, quoted: 0 }))
}

/// The address in a raw `sockaddr` (SO_EE_OFFENDER).
fn address(bytes: &[u8]) -> Option<IpAddr> {
    let family = u16::from_ne_bytes(*bytes.first_chunk()?);
    match i32::from(family) {
        // sockaddr_in: family, port, address.
        libc::AF_INET => Some(IpAddr::V4(Ipv4Addr::from(*bytes.get(4..)?.first_chunk::<4>()?))),
        // sockaddr_in6: family, port, flow, address.
        libc::AF_INET6 => {
            Some(IpAddr::V6(Ipv6Addr::from(*bytes.get(8..)?.first_chunk::<16>()?)).to_canonical())
        }
        _ => None,
    }
}

pub(super) fn get_int_option(
    fd: BorrowedFd<'_>,
    level: libc::c_int,
    name: libc::c_int,
) -> io::Result<libc::c_int> {
    let mut value: libc::c_int = 0;
    let mut len = size_of::<libc::c_int>() as libc::socklen_t;
    // SAFETY: the pointer and length describe one c_int.
    let done = unsafe { libc::getsockopt(fd.as_raw_fd(), level, name, (&raw mut value).cast(), &mut len) };
    if done < 0 { Err(io::Error::last_os_error()) } else { Ok(value) }
}

/// netdevice(7), SIOCGIFMTU, on any socket of the network namespace.
pub(super) fn interface_mtu(socket: BorrowedFd<'_>, name: &str) -> io::Result<u32> {
    // SAFETY: ifreq is plain bytes and numbers, all of which may be zero.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    if name.len() >= request.ifr_name.len() {
        return Err(io::Error::from_raw_os_error(libc::ENODEV));
    }
    for (to, from) in request.ifr_name.iter_mut().zip(name.bytes()) {
        *to = from as libc::c_char;
    }
    // SAFETY: `request` lives through the call; the name is terminated, as its length was checked.
    if unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCGIFMTU, &raw mut request) } < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: SIOCGIFMTU has written this member of the union.
    let mtu = unsafe { request.ifr_ifru.ifru_mtu };
    u32::try_from(mtu).map_err(|_| io::Error::from_raw_os_error(libc::ERANGE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsFd;

    #[test]
    fn addresses_as_they_lie_in_memory() {
        let mut v4 = [0; 16];
        v4[..2].copy_from_slice(&(libc::AF_INET as u16).to_ne_bytes());
        v4[4..8].copy_from_slice(&[10, 0, 0, 9]);
        assert_eq!(address(&v4), Some("10.0.0.9".parse().unwrap()));
        let mut v6 = [0; 28];
        v6[..2].copy_from_slice(&(libc::AF_INET6 as u16).to_ne_bytes());
        v6[8..24].copy_from_slice(&"::ffff:10.0.0.9".parse::<Ipv6Addr>().unwrap().octets());
        assert_eq!(address(&v6), Some("10.0.0.9".parse().unwrap()));
        assert!(address(&[]).is_none() && address(&[0; 8]).is_none());
    }

    #[test]
    fn a_closed_port_comes_from_the_network() {
        let bind = || std::net::UdpSocket::bind("127.0.0.1:0").unwrap();
        let (closed, socket) = (bind().local_addr().unwrap(), bind());
        crate::sys::set_int_option(socket.as_fd(), libc::SOL_IP, libc::IP_RECVERR, 1).unwrap();
        socket.connect(closed).unwrap();
        assert!(read_error_queue(socket.as_raw_fd(), &mut []).unwrap().is_none());
        socket.send(b"hello").unwrap();
        let until = crate::time::now_ns() + 2_000_000_000;
        assert!(crate::sys::wait_for_either_readable([socket.as_raw_fd(), -1], until).unwrap()[0]);
        let mut quoted = [0; 40];
        let error = read_error_queue(socket.as_raw_fd(), &mut quoted).unwrap().unwrap();
        assert_eq!((error.errno, error.origin), (libc::ECONNREFUSED, ErrorOrigin::Network));
        assert_eq!((error.by, &quoted[..error.quoted]), (Some(closed.ip()), &b"hello"[..]));
    }
}
