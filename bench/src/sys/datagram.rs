//! System calls of the raw datagram loop: segmentation offload, several messages per call, precise sleeps.

use std::io;
use std::os::fd::{AsRawFd, RawFd};

/// linux/udp.h; not in libc for every C library.
const UDP_SEGMENT: libc::c_int = 103;
const UDP_GRO: libc::c_int = 104;

/// UDP_SEGMENT (udp(7)): splits sends into datagrams of this payload.
pub fn set_segment(socket: &impl AsRawFd, payload: u16) -> io::Result<()> {
    set_int(socket, libc::SOL_UDP, UDP_SEGMENT, payload.into())
}

/// UDP_GRO (udp(7)): one message may hold several datagrams and has their payload size.
pub fn set_merge(socket: &impl AsRawFd) -> io::Result<()> {
    set_int(socket, libc::SOL_UDP, UDP_GRO, 1)
}

/// SO_RCVBUFFORCE: root may exceed net.core.rmem_max.
pub fn force_receive_buffer(socket: &impl AsRawFd, bytes: u32) -> io::Result<()> {
    set_int(socket, libc::SOL_SOCKET, libc::SO_RCVBUFFORCE, bytes as libc::c_int)
}

fn set_int(
    socket: &impl AsRawFd,
    level: libc::c_int,
    name: libc::c_int,
    value: libc::c_int,
) -> io::Result<()> {
    let (at, len) = (&raw const value, size_of::<libc::c_int>() as libc::socklen_t);
    // SAFETY: the pointer and length describe one c_int.
    match unsafe { libc::setsockopt(socket.as_raw_fd(), level, name, at.cast(), len) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Precise wake-ups of the calling thread (prctl(2), PR_SET_TIMERSLACK).
pub fn exact_timers() {
    // SAFETY: takes plain numbers only.
    unsafe { libc::prctl(libc::PR_SET_TIMERSLACK, 1 as libc::c_ulong, 0, 0, 0) };
}

/// Space for one control message with an int.
#[derive(Clone)]
#[repr(C, align(8))]
struct Control([u8; 64]);

/// Buffers of recvmmsg, and the last result.
pub struct Batch<'a> {
    headers: Vec<libc::mmsghdr>,
    used: usize,
    // The target of `headers`; written by the kernel only.
    parts: Vec<libc::iovec>,
    _controls: Vec<Control>,
    _room: std::marker::PhantomData<&'a mut [u8]>,
}

impl<'a> Batch<'a> {
    pub fn new(room: &'a mut [u8], each: usize) -> Batch<'a> {
        let mut parts: Vec<libc::iovec> = room
            .chunks_exact_mut(each)
            .map(|d| libc::iovec { iov_base: d.as_mut_ptr().cast(), iov_len: d.len() })
            .collect();
        let mut controls = vec![Control([0; 64]); parts.len()];
        let header = |(part, control): (&mut libc::iovec, &mut Control)| {
            // SAFETY: mmsghdr is plain numbers and pointers, all of which may be zero.
            let mut header: libc::mmsghdr = unsafe { std::mem::zeroed() };
            header.msg_hdr.msg_iov = part;
            header.msg_hdr.msg_iovlen = 1;
            header.msg_hdr.msg_control = control.0.as_mut_ptr().cast();
            header.msg_hdr.msg_controllen = control.0.len() as _;
            header
        };
        let headers = parts.iter_mut().zip(&mut controls).map(header).collect();
        Batch { headers, used: 0, parts, _controls: controls, _room: std::marker::PhantomData }
    }

    /// `recvmmsg(2)` without waiting; the number of messages.
    #[inline(always)]
    pub fn receive(&mut self, fd: RawFd) -> io::Result<usize> {
        for header in &mut self.headers[..self.used] {
            // The kernel has overwritten it.
            header.msg_hdr.msg_controllen = size_of::<Control>() as _;
        }
        self.used = 0;
        let (headers, n) = (self.headers.as_mut_ptr(), self.headers.len() as libc::c_uint);
        // SAFETY: every header is valid; each points into `parts`, `_controls` and the room borrowed for 'a,
        // none of which moves. The time-out may be null.
        let got = unsafe { libc::recvmmsg(fd, headers, n, libc::MSG_DONTWAIT, std::ptr::null_mut()) };
        self.used = usize::try_from(got).map_err(|_| io::Error::last_os_error())?;
        Ok(self.used)
    }

    /// With the datagrams' payload size if the kernel merged several.
    #[inline(always)]
    pub fn messages(&self) -> impl Iterator<Item = (&[u8], Option<usize>)> {
        self.headers[..self.used].iter().zip(&self.parts).map(|(header, part)| {
            let len = (header.msg_len as usize).min(part.iov_len);
            // SAFETY: the part is a piece of the room borrowed for 'a, and nobody writes to it before the next call,
            // which needs `self` exclusively.
            (unsafe { std::slice::from_raw_parts(part.iov_base.cast::<u8>(), len) }, segment(&header.msg_hdr))
        })
    }
}

/// UDP_GRO is the only control message requested.
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
