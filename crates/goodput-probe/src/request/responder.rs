//! The responding end: reads a request, writes a response.

use super::SEQUENCE;
use crate::ProbeError;
use crate::link::ProbeConnection;
use crate::message::{send_all, send_counted};
use crate::socket::try_apply_options;
use crate::sys::{self, PageAlignedBuffer};
use crate::watch::ThreadCounters;
use crate::wire::{ControlMessageType, HandshakeRequest};
use goodput_model::datagram::MAX_PAYLOAD_IPV4;
use goodput_model::probe::{Request, RequestKind, SocketOptions, WaitMode};
use goodput_model::trial::TrialSpec;
use goodput_words::message;
use socket2::SockRef;
use std::io::{self, ErrorKind};
use std::net::{Shutdown, SocketAddr, TcpListener, UdpSocket};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub(crate) struct Responder<'a> {
    pub settings: &'a Request,
    pub order: &'a TrialSpec,
    /// Of accepted connections.
    pub options: &'a SocketOptions,
    pub fresh: Option<TcpListener>,
}

impl Responder<'_> {
    /// Answers until the connecting end ends the trial.
    pub fn answer_requests(
        self,
        link: &mut ProbeConnection,
        udp: Option<&UdpSocket>,
        counter: &ThreadCounters,
    ) -> Result<(), ProbeError> {
        let spin = self.settings.wait == WaitMode::Spin;
        match (self.settings.transport, udp, &self.fresh) {
            (RequestKind::TcpRr, ..) => self
                .on_stream(link.stream.as_raw_fd(), spin, counter)
                .map_err(|e| link.convert_io_error("a request", e)),
            (RequestKind::UdpRr, Some(socket), _) => {
                let stop = || drop(SockRef::from(socket).shutdown(Shutdown::Both));
                until_told(link, stop, |over| self.on_datagrams(socket, spin, counter, over))
            }
            (RequestKind::TcpCrr, _, Some(listener)) => {
                let peer = link.stream.peer_addr().ok();
                let stop = || drop(SockRef::from(listener).shutdown(Shutdown::Both));
                until_told(link, stop, |over| self.on_connections(listener, peer, counter, over))
            }
            _ => Err(ProbeError::Settings("the trial's socket is missing".into())),
        }
    }

    fn on_stream(&self, fd: RawFd, spin: bool, counter: &ThreadCounters) -> io::Result<()> {
        let mut request = PageAlignedBuffer::new(self.settings.request.0 as usize, 0)?;
        let response = PageAlignedBuffer::new(self.settings.response.0 as usize, b'r')?;
        let mut served = 0;
        while get(fd, &mut request, spin, |_| true)? {
            send_all(fd, &response)?;
            served += 1;
            counter.operations.store(served, Ordering::Relaxed);
        }
        Ok(())
    }

    fn on_datagrams(
        &self,
        socket: &UdpSocket,
        spin: bool,
        counter: &ThreadCounters,
        over: &AtomicBool,
    ) -> io::Result<()> {
        let fd = socket.as_raw_fd();
        let mut request = PageAlignedBuffer::new(MAX_PAYLOAD_IPV4 as usize, 0)?;
        let mut response = PageAlignedBuffer::new(self.settings.response.0 as usize, b'r')?;
        let mut served = 0;
        while !over.load(Ordering::Relaxed) {
            let flags = if spin { libc::MSG_DONTWAIT } else { 0 };
            let n = match sys::recv(fd, &mut request, flags) {
                Ok(n) => n,
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                    std::hint::spin_loop();
                    continue;
                }
                Err(e) if e.kind() == ErrorKind::ConnectionRefused => continue,
                Err(e) => return Err(e),
            };
            counter.add_traffic(0, n as u64);
            if HandshakeRequest::from_datagram(&request[..n]).is_some() {
                continue;
            }
            let number = n.min(response.len()).min(SEQUENCE as usize);
            response[..number].copy_from_slice(&request[..number]);
            if n > 0 && sys::send(fd, &response, 0).is_ok() {
                counter.add_traffic(response.len() as u64, 0);
                served += 1;
                counter.operations.store(served, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    fn on_connections(
        &self,
        listener: &TcpListener,
        peer: Option<SocketAddr>,
        counter: &ThreadCounters,
        over: &AtomicBool,
    ) -> io::Result<()> {
        let mut request = PageAlignedBuffer::new(self.settings.request.0 as usize, 0)?;
        let response = PageAlignedBuffer::new(self.settings.response.0 as usize, b'r')?;
        let patience = Some(self.order.deadlines.progress.to_duration());
        let mut served = 0;
        while !over.load(Ordering::Relaxed) {
            let (stream, from) = match listener.accept() {
                Ok(accepted) => accepted,
                Err(_) if over.load(Ordering::Relaxed) => return Ok(()),
                Err(e) if matches!(e.kind(), ErrorKind::ConnectionAborted | ErrorKind::Interrupted) => {
                    continue;
                }
                Err(e) => return Err(e),
            };
            // Serves only the connecting end of this trial.
            if peer.is_some_and(|p| p.ip() != from.ip()) {
                continue;
            }
            try_apply_options(&stream, self.options)?;
            stream.set_read_timeout(patience)?;
            stream.set_write_timeout(patience)?;
            let fd = stream.as_raw_fd();
            let count = |sent, received| {
                counter.add_traffic(sent, received);
                !over.load(Ordering::Relaxed)
            };
            let asked = get(fd, &mut request, false, |n| count(0, n as u64)).unwrap_or(false);
            if asked && send_counted(fd, &response, |n| count(n as u64, 0)).is_ok() {
                served += 1;
                counter.operations.store(served, Ordering::Relaxed);
            } else {
                // The kernel must not send the rest after a limit.
                let _ = SockRef::from(&stream).set_linger(Some(Duration::ZERO));
            }
        }
        Ok(())
    }
}

/// Runs `serve` until an End on the link, or its failure, then calls `stop`.
fn until_told(
    link: &mut ProbeConnection,
    stop: impl FnOnce() + Send,
    serve: impl FnOnce(&AtomicBool) -> io::Result<()>,
) -> Result<(), ProbeError> {
    let over = AtomicBool::new(false);
    let patient = link.stream.set_read_timeout(None);
    std::thread::scope(|scope| {
        let told_over = &over;
        let told = scope.spawn(move || {
            let told = link.expect_message(ControlMessageType::End, "the end");
            told_over.store(true, Ordering::Relaxed);
            stop();
            told
        });
        let served = serve(&over);
        let told = told.join().unwrap_or_else(|_| Err(ProbeError::Settings("a thread panicked".into())));
        let failed = |e| ProbeError::from_io_error(message!(part_probe_what_answering), e);
        patient.and(served).map_err(failed)?;
        told.map(drop)
    })
}

/// False when the other end has finished cleanly. `count` returns whether to go on.
#[inline(always)]
fn get(fd: RawFd, bytes: &mut [u8], spin: bool, count: impl Fn(usize) -> bool) -> io::Result<bool> {
    let flags = if spin { libc::MSG_DONTWAIT } else { 0 };
    let mut at = 0;
    while at < bytes.len() {
        match sys::recv(fd, &mut bytes[at..], flags) {
            Ok(0) if at == 0 => return Ok(false),
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(n) => {
                at += n;
                if !count(n) {
                    return Err(ErrorKind::ConnectionAborted.into());
                }
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) if spin && e.kind() == ErrorKind::WouldBlock => std::hint::spin_loop(),
            Err(e) => return Err(e),
        }
    }
    Ok(true)
}
