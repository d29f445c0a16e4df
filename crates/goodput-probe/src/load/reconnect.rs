//! Connection-rate mode: connect, some transactions, close, repeatedly. Each worker has its own listening
//! port at the server, announced on the control connection, so the timed part carries no identification. Both
//! ends restart the sequence on each connection. The server closes first: TIME_WAIT stays at its one port
//! instead of using up the client's. Failed connections are counted by errno.

use super::latency_recorder::LatencyRecorder;
use super::session::{SessionEndReason, WorkerSession};
use crate::peers::PeerState;
use crate::socket;
use crate::time::{now_ns, sleep_until};
use goodput_model::trial::SocketReport;
use socket2::{Domain, Protocol, Socket, Type};
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::os::fd::AsRawFd;
use std::sync::atomic::Ordering;
use std::time::Duration;

const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Pause after a failed connection, to avoid flooding.
const RECOVERY_NS: u64 = 1_000_000;

#[derive(Default)]
pub(super) struct ReconnectRecord {
    pub errors: BTreeMap<i32, u64>,
    pub report: Option<SocketReport>,
}

impl WorkerSession<'_> {
    fn over(&self) -> bool {
        self.terms.stop.load(Ordering::Relaxed) || self.abandon.load(Ordering::Relaxed)
    }

    fn each(&self) -> u64 {
        self.terms.settings.transactions_per_connection.map_or(u64::MAX, u64::from)
    }

    /// Includes the longest pause of the other end.
    fn patience(&self) -> u64 {
        self.terms.order.deadlines.progress.0.saturating_add(self.duty.max_request_delay_ns())
    }

    fn report(&self, stream: &TcpStream, kept: &mut ReconnectRecord) {
        if kept.report.is_none() {
            kept.report = Some(socket::read_effective_socket_options(stream, &self.terms.settings.socket));
        }
    }

    pub fn run_connecting_sessions(
        &mut self,
        to: SocketAddr,
        connect: &mut LatencyRecorder<'_>,
        kept: &mut ReconnectRecord,
    ) {
        let mut connection = 0;
        while !self.over() {
            let before = now_ns();
            let opened = self.open(to).and_then(|stream| {
                let now = now_ns();
                connect.record_latency(now, now - before);
                connection += 1;
                self.report(&stream, kept);
                self.attach_connection(stream.as_raw_fd(), connection, self.patience());
                if self.run_transactions(self.each())? == SessionEndReason::Stopped {
                    stream.shutdown(Shutdown::Write)?;
                }
                self.inlet.wait_for_eof()
            });
            match opened {
                Err(e) if !self.over() => {
                    // A premature close has no errno.
                    *kept.errors.entry(e.raw_os_error().unwrap_or(libc::ECONNRESET)).or_default() += 1;
                    sleep_until(now_ns() + RECOVERY_NS);
                }
                _ => {}
            }
        }
    }

    /// Connects in short waits: on Linux a connect(2) interrupted by SO_SNDTIMEO continues when called again.
    fn open(&self, to: SocketAddr) -> io::Result<TcpStream> {
        let socket = Socket::new(Domain::for_address(to), Type::STREAM, Some(Protocol::TCP))?;
        socket.set_write_timeout(Some(POLL_INTERVAL))?;
        let stream = TcpStream::from(socket);
        socket::try_apply_options(&stream, &self.terms.settings.socket)?;
        let (socket, until) = (socket2::SockRef::from(&stream), now_ns().saturating_add(self.patience()));
        let to = to.into();
        loop {
            match socket.connect(&to) {
                Ok(()) => break,
                Err(e) if waits(&e) && now_ns() < until => {}
                Err(e) if waits(&e) => return Err(io::Error::from_raw_os_error(libc::ETIMEDOUT)),
                Err(e) => return Err(e),
            }
            if self.over() {
                return Err(ErrorKind::ConnectionAborted.into());
            }
        }
        stream.set_read_timeout(Some(POLL_INTERVAL))?;
        Ok(stream)
    }

    pub fn run_accepted_sessions(
        &mut self,
        listener: &TcpListener,
        from: Option<IpAddr>,
        client: &PeerState,
        kept: &mut ReconnectRecord,
    ) -> io::Result<()> {
        // Accepted sockets inherit the listening one's timeouts (socket(7); inet_csk_clone_lock in Linux).
        let socket = socket2::SockRef::from(listener);
        socket.set_read_timeout(Some(POLL_INTERVAL))?;
        socket.set_write_timeout(Some(POLL_INTERVAL))?;
        let mut connection = 0;
        loop {
            let accepted = listener.accept();
            if self.abandon.load(Ordering::Relaxed) {
                return Ok(());
            }
            let (stream, peer) = match accepted {
                Ok(accepted) => accepted,
                Err(e) if waits(&e) => {
                    if client.is_finished() {
                        return Ok(());
                    }
                    continue;
                }
                Err(e) if matches!(e.kind(), ErrorKind::Interrupted | ErrorKind::ConnectionAborted) => {
                    continue;
                }
                Err(e) => return Err(e),
            };
            // Serves only this worker's client.
            if from.is_some_and(|ip| ip != peer.ip().to_canonical()) {
                continue;
            }
            connection += 1;
            let _ = socket::apply_options(&stream, &self.terms.settings.socket);
            self.report(&stream, kept);
            self.attach_connection(stream.as_raw_fd(), connection, self.patience());
            let _ = self.run_transactions(self.each());
        }
    }
}

fn waits(e: &io::Error) -> bool {
    matches!(e.raw_os_error(), Some(libc::EAGAIN | libc::EINPROGRESS | libc::EALREADY | libc::EINTR))
}
