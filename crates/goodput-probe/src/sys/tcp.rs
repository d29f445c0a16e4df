//! What the kernel reports of a TCP connection.

use super::check_int;
use std::io;
use std::mem::offset_of;
use std::os::fd::{AsRawFd, BorrowedFd};

/// Place of the byte that begins with tcpi_delivery_rate_app_limited (linux/tcp.h); not in every libc.
const DELIVERY_BITS: usize = 7;
const APP_LIMITED: u8 = if cfg!(target_endian = "little") { 1 } else { 0x80 };

/// TCP_INFO; fields that an older kernel lacks are zero.
#[derive(Clone, Copy)]
pub struct TcpInfoReading {
    pub fields: libc::tcp_info,
    /// The sender had no data ready during the latest measurement of the delivery rate.
    pub app_limited: bool,
    /// Bytes that the kernel filled.
    filled: usize,
}

impl TcpInfoReading {
    /// `None` before Linux 4.19.
    pub fn dsack_duplicates(&self) -> Option<u32> {
        self.known(offset_of!(libc::tcp_info, tcpi_dsack_dups), self.fields.tcpi_dsack_dups)
    }

    /// `None` before Linux 4.19.
    pub fn reordering_events(&self) -> Option<u32> {
        self.known(offset_of!(libc::tcp_info, tcpi_reord_seen), self.fields.tcpi_reord_seen)
    }

    /// `None` before Linux 5.4.
    pub fn out_of_order_segments(&self) -> Option<u32> {
        self.known(offset_of!(libc::tcp_info, tcpi_rcv_ooopack), self.fields.tcpi_rcv_ooopack)
    }

    /// The other end's receive window in bytes; `None` before Linux 5.4.
    pub fn send_window(&self) -> Option<u32> {
        self.known(offset_of!(libc::tcp_info, tcpi_snd_wnd), self.fields.tcpi_snd_wnd)
    }

    fn known(&self, offset: usize, value: u32) -> Option<u32> {
        (offset + size_of::<u32>() <= self.filled).then_some(value)
    }
}

pub fn tcp_info(fd: BorrowedFd<'_>) -> io::Result<TcpInfoReading> {
    let mut bytes = [0u8; size_of::<libc::tcp_info>()];
    let mut len = bytes.len() as libc::socklen_t;
    // SAFETY: the pointer and length describe `bytes`.
    check_int(unsafe {
        let into = bytes.as_mut_ptr().cast();
        libc::getsockopt(fd.as_raw_fd(), libc::IPPROTO_TCP, libc::TCP_INFO, into, &mut len)
    })?;
    // SAFETY: `bytes` is as long as the structure, which is plain numbers: any bytes are valid.
    let fields: libc::tcp_info = unsafe { std::ptr::read_unaligned(bytes.as_ptr().cast()) };
    let app_limited = bytes[DELIVERY_BITS] & APP_LIMITED != 0;
    Ok(TcpInfoReading { fields, app_limited, filled: len as usize })
}
