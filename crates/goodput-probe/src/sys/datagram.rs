//! System calls for datagrams: batches, segmentation offload, socket drops.

use super::{PageAlignedBuffer, check, check_int, set_int_option};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};

/// linux/udp.h; not in libc for every C library.
const UDP_SEGMENT: libc::c_int = 103;
const UDP_GRO: libc::c_int = 104;

/// IP_RECVERR: a datagram dropped by a full local queue fails with ENOBUFS instead of vanishing (ip(7)).
pub fn enable_error_queue(fd: BorrowedFd<'_>, ipv4: bool) -> io::Result<()> {
    if ipv4 {
        set_int_option(fd, libc::IPPROTO_IP, libc::IP_RECVERR, 1)
    } else {
        // IPv6 sockets may carry IPv4 too.
        let _ = set_int_option(fd, libc::IPPROTO_IP, libc::IP_RECVERR, 1);
        set_int_option(fd, libc::IPPROTO_IPV6, libc::IPV6_RECVERR, 1)
    }
}

/// UDP_SEGMENT (udp(7)): segments of this payload; 0 for none.
pub fn set_gso_segment_size(fd: BorrowedFd<'_>, payload: u16) -> io::Result<()> {
    set_int_option(fd, libc::SOL_UDP, UDP_SEGMENT, libc::c_int::from(payload))
}

/// UDP_GRO (udp(7)): a message may hold several datagrams of a reported size.
pub fn set_udp_gro(fd: BorrowedFd<'_>, on: bool) -> io::Result<()> {
    set_int_option(fd, libc::SOL_UDP, UDP_GRO, libc::c_int::from(on))
}

/// SO_RCVBUFFORCE: exceeds net.core.rmem_max, with privilege.
pub fn force_receive_buffer_size(fd: BorrowedFd<'_>, bytes: usize) -> io::Result<()> {
    let bytes = libc::c_int::try_from(bytes).unwrap_or(libc::c_int::MAX);
    set_int_option(fd, libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, bytes)
}

/// Drops at this socket since its creation (SO_MEMINFO, SK_MEMINFO_DROPS).
pub fn socket_drop_count(fd: BorrowedFd<'_>) -> io::Result<u32> {
    const DROPS: usize = libc::SK_MEMINFO_DROPS as usize;
    let mut info = [0u32; DROPS + 1];
    let mut len = size_of_val(&info) as libc::socklen_t;
    // SAFETY: the pointer and length describe `info`.
    check_int(unsafe {
        libc::getsockopt(
            fd.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_MEMINFO,
            info.as_mut_ptr().cast(),
            &mut len,
        )
    })?;
    // Older kernels return fewer fields.
    if len as usize == size_of_val(&info) { Ok(info[DROPS]) } else { Err(io::ErrorKind::Unsupported.into()) }
}

/// True when the other end has closed the TCP connection, even with unread data (poll(2), POLLRDHUP).
pub fn has_peer_closed(fd: RawFd) -> io::Result<bool> {
    let mut poll = libc::pollfd { fd, events: libc::POLLRDHUP, revents: 0 };
    // SAFETY: one valid pollfd, no waiting.
    match check(unsafe { libc::poll(&mut poll, 1, 0) } as libc::ssize_t) {
        Ok(n) => Ok(n > 0),
        Err(e) if e.kind() == io::ErrorKind::Interrupted => Ok(false),
        Err(e) => Err(e),
    }
}

/// Adjacent datagrams of one size, and the headers for sendmmsg.
pub struct SendBatch {
    datagrams: PageAlignedBuffer,
    headers: Vec<libc::mmsghdr>,
    // Target of `headers`; never modified.
    _parts: Vec<libc::iovec>,
}

impl SendBatch {
    pub fn new(size: usize, slots: usize, fill: u8) -> io::Result<SendBatch> {
        let mut datagrams = PageAlignedBuffer::new(size * slots, fill)?;
        let mut parts: Vec<libc::iovec> = datagrams
            .chunks_exact_mut(size)
            .map(|d| libc::iovec { iov_base: d.as_mut_ptr().cast(), iov_len: d.len() })
            .collect();
        let headers = parts.iter_mut().map(header).collect();
        Ok(SendBatch { datagrams, headers, _parts: parts })
    }

    pub fn datagrams_mut(&mut self) -> &mut [u8] {
        &mut self.datagrams
    }

    /// Sends the first `n` datagrams: returns the number before a failure, or the first one's error.
    #[inline(always)]
    pub fn send_datagrams(&mut self, fd: RawFd, n: usize) -> io::Result<usize> {
        let n = n.min(self.headers.len());
        // SAFETY: the first `n` headers are valid; each points into `_parts`, and that into `datagrams`, both of
        // which live in `self` and are never moved within their allocations.
        check(unsafe { libc::sendmmsg(fd, self.headers.as_mut_ptr(), n as libc::c_uint, 0) } as libc::ssize_t)
    }
}

/// One part, without address or control data.
fn header(part: &mut libc::iovec) -> libc::mmsghdr {
    // SAFETY: mmsghdr is plain numbers and pointers, all of which may be zero.
    let mut header: libc::mmsghdr = unsafe { std::mem::zeroed() };
    header.msg_hdr.msg_iov = part;
    header.msg_hdr.msg_iovlen = 1;
    header
}

/// Space for a control message with an int.
#[derive(Clone)]
#[repr(C, align(8))]
struct Control([u8; 64]);

pub struct ReceiveBatch {
    room: PageAlignedBuffer,
    each: usize,
    headers: Vec<libc::mmsghdr>,
    used: usize,
    // Target of `headers`; written by the kernel only.
    _parts: Vec<libc::iovec>,
    _controls: Vec<Control>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceivedPacket<'a> {
    pub bytes: &'a [u8],
    /// As the kernel reports it, with MSG_TRUNC more than fits.
    pub length: usize,
    /// Datagram size in a merged packet (UDP_GRO).
    pub segment: Option<usize>,
}

impl ReceiveBatch {
    /// `slots` messages of up to `each` bytes, each at least 1.
    pub fn new(slots: usize, each: usize) -> io::Result<ReceiveBatch> {
        let mut room = PageAlignedBuffer::new(each * slots, 0)?;
        let mut parts: Vec<libc::iovec> = room
            .chunks_exact_mut(each)
            .map(|d| libc::iovec { iov_base: d.as_mut_ptr().cast(), iov_len: d.len() })
            .collect();
        let mut controls = vec![Control([0; 64]); slots];
        let headers = parts
            .iter_mut()
            .zip(&mut controls)
            .map(|(part, control)| {
                let mut header = header(part);
                header.msg_hdr.msg_control = control.0.as_mut_ptr().cast();
                header.msg_hdr.msg_controllen = control.0.len() as _;
                header
            })
            .collect();
        Ok(ReceiveBatch { room, each, headers, used: 0, _parts: parts, _controls: controls })
    }

    /// `recvmmsg(2)`: waits for one message (unless `flags` say otherwise) and takes all available.
    #[inline(always)]
    pub fn receive_messages(&mut self, fd: RawFd, flags: libc::c_int) -> io::Result<usize> {
        for header in &mut self.headers[..self.used] {
            // The kernel overwrote it.
            header.msg_hdr.msg_controllen = size_of::<Control>() as _;
        }
        self.used = 0;
        // SAFETY: every header is valid; each points into `_parts`, `_controls` and `room`, all of which live in
        // `self` and are never moved within their allocations. The time-out may be null.
        let got = check(unsafe {
            libc::recvmmsg(
                fd,
                self.headers.as_mut_ptr(),
                self.headers.len() as libc::c_uint,
                flags | libc::MSG_WAITFORONE,
                std::ptr::null_mut(),
            )
        } as libc::ssize_t)?;
        self.used = got.min(self.headers.len());
        Ok(self.used)
    }

    #[inline(always)]
    pub fn received_packets(&self) -> impl Iterator<Item = ReceivedPacket<'_>> {
        self.headers[..self.used].iter().zip(self.room.chunks_exact(self.each)).map(|(header, bytes)| {
            ReceivedPacket {
                bytes: &bytes[..(header.msg_len as usize).min(bytes.len())],
                length: header.msg_len as usize,
                segment: segment(&header.msg_hdr),
            }
        })
    }
}

/// The segment size of UDP_GRO, the only control message requested.
#[inline(always)]
fn segment(message: &libc::msghdr) -> Option<usize> {
    // SAFETY: the kernel filled `message`; CMSG_FIRSTHDR gives null or a whole header inside the control buffer,
    // and a UDP_GRO message carries an int (udp(7)).
    unsafe {
        let first = libc::CMSG_FIRSTHDR(message);
        if first.is_null() || (*first).cmsg_level != libc::SOL_UDP || (*first).cmsg_type != UDP_GRO {
            return None;
        }
        let size: libc::c_int = std::ptr::read_unaligned(libc::CMSG_DATA(first).cast());
        usize::try_from(size).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::UdpSocket;
    use std::os::fd::AsFd;

    #[test]
    fn a_merged_packet_says_of_what() {
        let [a, b] = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
        a.connect(b.local_addr().unwrap()).unwrap();
        assert_eq!(socket_drop_count(b.as_fd()).unwrap(), 0);
        if set_gso_segment_size(a.as_fd(), 5).is_err() || set_udp_gro(b.as_fd(), true).is_err() {
            eprintln!("skipped: this kernel has no UDP_SEGMENT or no UDP_GRO");
            return;
        }
        a.send(b"11111222223333344").unwrap();
        let mut into = ReceiveBatch::new(2, 64).unwrap();
        into.receive_messages(b.as_raw_fd(), 0).unwrap();
        let first = into.received_packets().next().map(|p| (p.bytes.to_vec(), p.segment));
        assert_eq!(first, Some((b"11111222223333344".to_vec(), Some(5))));
    }
}
