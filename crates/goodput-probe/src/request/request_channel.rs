//! Transports of transactions: TCP in order, or numbered UDP datagrams.

use super::SEQUENCE;
use crate::sys::{self, PageAlignedBuffer};
use crate::time::now_ns;
use crate::watch::ThreadCounters;
use crate::wire::HandshakeRequest;
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
    // Checked before the wait: a socket that was shut down counts as readable for ever.
    let over = now_ns() >= until_ns;
    if !over {
        sys::wait_for_readable(fd, until_ns)?;
    }
    Ok(over)
}

/// Numbers distinguish late, duplicate and reordered answers. A datagram below 8 bytes has the number's low
/// bytes, which identify the answer to the last request.
pub(crate) struct UdpRequestChannel<'a> {
    counter: &'a ThreadCounters,
    fd: RawFd,
    spin: bool,
    number_bytes: usize,
    response_bytes: usize,
    request: PageAlignedBuffer,
    response: PageAlignedBuffer,
    last: u64,
}

impl<'a> UdpRequestChannel<'a> {
    pub fn new(
        socket: &UdpSocket,
        settings: &Request,
        counter: &'a ThreadCounters,
    ) -> io::Result<UdpRequestChannel<'a>> {
        Ok(UdpRequestChannel {
            counter,
            fd: socket.as_raw_fd(),
            spin: settings.wait == WaitMode::Spin,
            number_bytes: settings.request.0.min(settings.response.0).min(SEQUENCE) as usize,
            response_bytes: settings.response.0 as usize,
            request: PageAlignedBuffer::new(settings.request.0 as usize, b'q')?,
            response: PageAlignedBuffer::new((settings.response.0 as usize).max(64), 0)?,
            last: 0,
        })
    }

    fn stamp(&mut self, number: u64) {
        self.last = number;
        let n = self.number_bytes;
        self.request[..n].copy_from_slice(&number.to_le_bytes()[..n]);
    }
}

impl RequestChannel for UdpRequestChannel<'_> {
    #[inline(always)]
    fn send_request(&mut self, number: u64) -> io::Result<()> {
        self.stamp(number);
        let sent = sys::send(self.fd, &self.request, 0)?;
        self.counter.add_traffic(sent as u64, 0);
        Ok(())
    }

    fn try_send_request(&mut self, number: u64) -> io::Result<bool> {
        self.stamp(number);
        match sys::send(self.fd, &self.request, libc::MSG_DONTWAIT) {
            Ok(n) => {
                self.counter.add_traffic(n as u64, 0);
                Ok(true)
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(false),
            Err(e) => Err(e),
        }
    }

    #[inline(always)]
    fn receive_answer(&mut self, until_ns: u64, writable: bool) -> io::Result<Option<u64>> {
        loop {
            // MSG_TRUNC: the length as sent, of a longer datagram too.
            let got = sys::recv(self.fd, &mut self.response, libc::MSG_DONTWAIT | libc::MSG_TRUNC);
            if let Ok(n) = got {
                self.counter.add_traffic(0, n as u64);
            }
            match got {
                // An empty datagram, or the socket was shut down.
                Ok(0) => return Ok(None),
                Ok(n) if n != self.response_bytes => {}
                Ok(n) if HandshakeRequest::from_datagram(&self.response[..n]).is_some() => {}
                Ok(_) => {
                    let mut number = self.last.to_le_bytes();
                    number[..self.number_bytes].copy_from_slice(&self.response[..self.number_bytes]);
                    return Ok(Some(u64::from_le_bytes(number)));
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

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Bytes;

    #[test]
    fn only_the_answer_to_the_last_request_counts() {
        let [a, b] = [(); 2].map(|()| UdpSocket::bind("127.0.0.1:0").unwrap());
        a.connect(b.local_addr().unwrap()).unwrap();
        b.connect(a.local_addr().unwrap()).unwrap();
        for size in [1, 8, 32, 100] {
            let (request, response) = (Bytes(size), Bytes(size));
            let settings = Request { request, response, ..Request::default() };
            let counter = ThreadCounters::default();
            let mut channel = UdpRequestChannel::new(&a, &settings, &counter).unwrap();
            let mut request = [0; 128];
            // Every answer comes twice and after a copy of the handshake.
            let mut transact = |number| {
                channel.send_request(number).unwrap();
                let n = b.recv(&mut request).unwrap();
                b.send(&HandshakeRequest::answer(0, 9).encode()).unwrap();
                (0..2).for_each(|_| assert_eq!(b.send(&request[..n]).unwrap(), n));
                let answers = |_| channel.receive_answer(now_ns() + 20_000_000_000, false).unwrap();
                (0..3).map(answers).position(|answer| answer == Some(number))
            };
            assert_eq!((transact(255), transact(256)), (Some(0), Some(1)), "{size} B");
        }
    }
}
