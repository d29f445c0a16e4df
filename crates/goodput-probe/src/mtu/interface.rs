//! The outgoing interface of a socket, and its MTU.

use super::sys;
use goodput_model::mtu::{IpVersion, MtuInterface, TcpSegmentSizes};
use nix::ifaddrs::getifaddrs;
use std::net::{IpAddr, SocketAddr, TcpStream};
use std::os::fd::{AsFd, BorrowedFd};

pub(super) fn query_interface(
    own: Option<SocketAddr>,
    socket: BorrowedFd<'_>,
    version: IpVersion,
) -> MtuInterface {
    let name = own.map(|a| a.ip().to_canonical()).and_then(name_of);
    let mtu = name.as_ref().and_then(|name| sys::interface_mtu(socket, name).ok());
    let (level, option) = match version {
        IpVersion::V4 => (libc::SOL_IP, libc::IP_MTU),
        IpVersion::V6 => (libc::SOL_IPV6, libc::IPV6_MTU),
    };
    let route_mtu = sys::get_int_option(socket, level, option).ok().and_then(|mtu| u32::try_from(mtu).ok());
    MtuInterface { name, mtu, route_mtu }
}

fn name_of(own: IpAddr) -> Option<String> {
    let has = |address: &nix::sys::socket::SockaddrStorage| {
        let v4 = address.as_sockaddr_in().map(|a| IpAddr::V4(a.ip()));
        v4.or_else(|| address.as_sockaddr_in6().map(|a| IpAddr::V6(a.ip()))) == Some(own)
    };
    let mut all = getifaddrs().ok()?;
    all.find(|i| i.address.as_ref().is_some_and(has)).map(|i| i.interface_name)
}

pub(super) fn tcp_segment_sizes(stream: &TcpStream) -> Option<TcpSegmentSizes> {
    let info = crate::sys::tcp::tcp_info(stream.as_fd()).ok()?.fields;
    Some(TcpSegmentSizes {
        send_mss: info.tcpi_snd_mss,
        advertised_mss: info.tcpi_advmss,
        path_mtu: info.tcpi_pmtu,
    })
}
