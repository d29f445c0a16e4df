//! Transports of transactions: TCP in order, or numbered UDP datagrams.

use super::SEQUENCE;
use crate::sys::{self, PageAlignedBuffer};
use crate::time::now_ns;
use goodput_model::probe::{Request, WaitMode};
use std::io::{self, ErrorKind};
use std::net::{TcpStream, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};

/// Pause between polls while spinning: a poll holds the socket's lock, which delays arriving packets.
const BETWEEN_LOOKS_NS: u64 = 500;

/// Sends requests and identifies answers.
pub(crate) trait RequestChannel {
    /// Sends request `number`, waiting for space if necessary.
    fn send_request(&mut self, number: u64) -> io::Result<()>;
    /// Sends as much of request `number` as fits: true when complete. Repeat with the same number until then.
    fn try_send_request(&mut self, number: u64) -> io::Result<bool>;
    /// Waits for an answer until the instant. `writable` also ends the wait when there is space to send.
    fn receive_answer(&mut self, until_ns: u64, writable: bool) -> io::Result<Option<u64>>;
}

/// Answers come in the order of the requests.
pub(crate) struct TcpRequestChannel {
    fd: RawFd,
    spin: bool,
    request: PageAlignedBuffer,
    response: PageAlignedBuffer,
    sent: usize,
    got: usize,
    answered: u64,
}

impl TcpRequestChannel {
    pub fn new(stream: &TcpStream, settings: &Request) -> io::Result<TcpRequestChannel> {
        Ok(TcpRequestChannel {
            fd: stream.as_raw_fd(),
            spin: settings.wait == WaitMode::Spin,
            request: PageAlignedBuffer::new(settings.request.0 as usize, b'q')?,
            response: PageAlignedBuffer::new(settings.response.0 as usize, 0)?,
            sent: 0,
            got: 0,
            answered: 0,
        })
    }
}

impl RequestChannel for TcpRequestChannel {
    #[inline(always)]
    fn send_request(&mut self, _: u64) -> io::Result<()> {
        let mut at = 0;
        while at < self.request.len() {
            match sys::send(self.fd, &self.request[at..], 0) {
                Ok(n) => at += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(())
    }

    fn try_send_request(&mut self, _: u64) -> io::Result<bool> {
        match sys::send(self.fd, &self.request[self.sent..], libc::MSG_DONTWAIT) {
            Ok(n) => self.sent += n,
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(e) => return Err(e),
        }
        let gone = self.sent == self.request.len();
        if gone {
            self.sent = 0;
        }
        Ok(gone)
    }

    #[inline(always)]
    fn receive_answer(&mut self, until_ns: u64, writable: bool) -> io::Result<Option<u64>> {
        let waits = until_ns == u64::MAX && !writable && !self.spin;
        let flags = if waits { 0 } else { libc::MSG_DONTWAIT };
        loop {
            let at = self.got;
            match sys::recv(self.fd, &mut self.response[at..], flags) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    self.got += n;
                    if self.got == self.response.len() {
                        self.got = 0;
                        self.answered += 1;
                        return Ok(Some(self.answered - 1));
                    }
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock && !waits => {
                    if give_up(self.fd, self.spin, until_ns, writable)? {
                        return Ok(None);
                    }
                }
                Err(e) => return Err(e),
            }
        }
    }
}

/// After an empty poll, waits as configured; true at the instant or when there is space to send.
fn give_up(fd: RawFd, spin: bool, until_ns: u64, writable: bool) -> io::Result<bool> {
    if spin {
        let now = now_ns();
        let next = now + BETWEEN_LOOKS_NS;
        while now_ns() < next {
            std::hint::spin_loop();
        }
        return Ok(writable || now >= until_ns);
    }
    if writable {
        sys::wait_for_io(fd, true, true)?;
        return Ok(true);
    }
    Ok(!sys::wait_for_readable(fd, until_ns)? && now_ns() >= until_ns)
}

/// Numbered datagrams, if there is space, distinguish late, duplicate and reordered answers; otherwise an
/// answer belongs to the last request.
pub(crate) struct UdpRequestChannel {
    fd: RawFd,
    spin: bool,
    numbered: bool,
    request: PageAlignedBuffer,
    response: PageAlignedBuffer,
    last: u64,
}

impl UdpRequestChannel {
    pub fn new(socket: &UdpSocket, settings: &Request) -> io::Result<UdpRequestChannel> {
        Ok(UdpRequestChannel {
            fd: socket.as_raw_fd(),
            spin: settings.wait == WaitMode::Spin,
            numbered: settings.request.0.min(settings.response.0) >= SEQUENCE,
            request: PageAlignedBuffer::new(settings.request.0 as usize, b'q')?,
            response: PageAlignedBuffer::new((settings.response.0 as usize).max(64), 0)?,
            last: 0,
        })
    }

    fn stamp(&mut self, number: u64) {
        self.last = number;
        if self.numbered {
            self.request[..8].copy_from_slice(&number.to_be_bytes());
        }
    }
}

impl RequestChannel for UdpRequestChannel {
    #[inline(always)]
    fn send_request(&mut self, number: u64) -> io::Result<()> {
        self.stamp(number);
        sys::send(self.fd, &self.request, 0).map(drop)
    }

    fn try_send_request(&mut self, number: u64) -> io::Result<bool> {
        self.stamp(number);
        match sys::send(self.fd, &self.request, libc::MSG_DONTWAIT) {
            Ok(_) => Ok(true),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            Err(e) => Err(e),
        }
    }

    #[inline(always)]
    fn receive_answer(&mut self, until_ns: u64, writable: bool) -> io::Result<Option<u64>> {
        loop {
            match sys::recv(self.fd, &mut self.response, libc::MSG_DONTWAIT) {
                Ok(1) if self.response[0] == 0 => {}
                Ok(n) if self.numbered && n < 8 => {}
                Ok(_) => {
                    let number = u64::from_be_bytes(std::array::from_fn(|i| self.response[i]));
                    return Ok(Some(if self.numbered { number } else { self.last }));
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if give_up(self.fd, self.spin, until_ns, writable)? {
                        return Ok(None);
                    }
                }
                Err(e) => return Err(e),
            }
        }
    }
}
