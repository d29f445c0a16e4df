//! The receiving loop: one `read` (or discard), one clock reading and two additions per call. Receive
//! coalescing adds a fixed delay after a short read that returned at once.

use super::added_work::AddedWork;
use super::{Connection, ThreadResult};
use crate::interval_counter::IntervalCounter;
use crate::link::check_handshake_status;
use crate::socket::TcpInfo;
use crate::sys::{self, PageAlignedBuffer};
use crate::time::{now_ns, sleep_ns};
use crate::watch::{ThreadCounters, ThreadSupervision};
use crate::{ProbeError, wire};
use goodput_model::probe::{Stream, StreamReceiveMethod};
use goodput_model::trial::MeasurementWindow;
use goodput_words::message;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsRawFd;

/// The listening end's status byte precedes its data.
fn take_status(connection: &Connection) -> Result<(), ProbeError> {
    let mut status = [0];
    (&connection.link.stream)
        .read_exact(&mut status)
        .map_err(|e| connection.link.convert_io_error("the first byte", e))?;
    check_handshake_status(status[0], connection.link.peer_name())
}

/// No delay follows a read that waited (data is scarce) or a long one (data has accumulated).
struct Coalescing {
    delay_ns: u64,
    /// Shorter reads are followed by a delay; its data stays well below the smallest receive buffer.
    short: usize,
    began: u64,
}

impl Coalescing {
    const SHORT: usize = 64 << 10;
    /// A read no longer than this returned at once.
    const AT_ONCE_NS: u64 = 20_000;

    fn new(delay_ns: u64, read: usize) -> Coalescing {
        Coalescing { delay_ns, short: Coalescing::SHORT.min(read), began: now_ns() }
    }

    #[inline(always)]
    fn after(&mut self, n: usize, now: u64) {
        let at_once = now.saturating_sub(self.began) <= Coalescing::AT_ONCE_NS;
        self.began = if n < self.short && at_once {
            sleep_ns(self.delay_ns);
            now_ns()
        } else {
            now
        };
    }

    /// Time since the last read was not spent waiting for data.
    fn restart(&mut self) {
        self.began = now_ns();
    }
}

pub(super) fn run_receiver(
    connection: &Connection,
    settings: &Stream,
    window: &MeasurementWindow,
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
) -> ThreadResult {
    let fd = connection.link.stream.as_raw_fd();
    let t1 = (window.t1_ns != 0).then_some(window.t1_ns);
    let mut ledger = IntervalCounter::new(window.t0_ns, t1, settings.interval.0);
    let most = settings.read.0 as usize;
    let mut coalescing = settings.receive_coalescing_delay().map(|delay| Coalescing::new(delay.0, most));
    let added = settings.added_cpu_time.receiver_ns_per_kib;
    let mut added = AddedWork::new(added, AddedWork::MAX_RECEIVER_SPIN_NS);
    let (mut bytes, mut calls, mut last) = (0u64, 0u64, window.t0_ns);
    let mut error = if connection.listens { None } else { take_status(connection).err() };
    let mut fin = false;
    let buffer = match settings.receiver {
        StreamReceiveMethod::Read => PageAlignedBuffer::new(most, 0),
        StreamReceiveMethod::Discard => PageAlignedBuffer::new(1, 0),
    };
    match buffer {
        Err(source) => {
            let what = message!(part_probe_buffer { bytes: most.to_string() });
            error = Some(ProbeError::from_io_error(what, source));
        }
        Ok(_) if error.is_some() => {}
        Ok(mut buffer) => loop {
            let got = match settings.receiver {
                StreamReceiveMethod::Read => sys::recv(fd, &mut buffer, 0),
                StreamReceiveMethod::Discard => sys::discard_received_bytes(fd, most),
            };
            let now = now_ns();
            match got {
                Ok(0) => {
                    fin = true;
                    break;
                }
                Ok(n) => {
                    if now >= ledger.next_boundary_ns() {
                        ledger.close_elapsed_intervals(now, bytes, calls, last);
                    }
                    bytes += n as u64;
                    calls += 1;
                    last = now;
                    counter.set_byte_and_syscall_counts(bytes, calls);
                    if let Some(coalescing) = &mut coalescing {
                        coalescing.after(n, now);
                    }
                    if let Some(added) = &mut added {
                        added.spend(n, &shared.stop);
                        coalescing.iter_mut().for_each(Coalescing::restart);
                    }
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => {
                    error = Some(connection.link.convert_io_error("data", e));
                    break;
                }
            }
        },
    }
    let now = now_ns();
    if error.is_none() && connection.goal.map_or(t1.is_some_and(|t1| now < t1), |goal| bytes < goal) {
        // End of file is an error unless everything arrived.
        error = Some(ProbeError::PeerGone { from: connection.link.peer_name().to_string() });
    }
    let tcp = TcpInfo::read(&connection.link.stream)
        .map(|i| i.user_data_statistics(connection.overhead(false, fin)));
    if error.is_none() {
        let said = (&connection.link.stream).write_all(&[wire::HandshakeStatus::Accepted as u8]);
        error = said.err().map(|e| connection.link.convert_io_error("the last byte", e));
    }
    ThreadResult {
        account: ledger.finish(now, bytes, calls, last),
        sent: (0, 0),
        tcp,
        zero_copy: None,
        error,
    }
}
