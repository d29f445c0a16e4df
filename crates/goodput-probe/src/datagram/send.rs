//! One flow: sends datagrams at maximum rate or on a schedule, and counts the result of every call.

use super::pace::SendPacer;
use super::send_method::{GsoSend, MAX_GSO_SEGMENTS, MmsgSend, SendFailure, SendMethod, SingleSend};
use super::{DatagramEnd, STEP, header};
use crate::time::{now_ns, sleep_until};
use crate::watch::{ThreadCounters, ThreadSupervision};
use crate::{ProbeError, sys};
use goodput_model::Bytes;
use goodput_model::datagram::{Datagram, DatagramSyscalls, DatagramsSent, RefusedSends, SegmentationOffload};
use goodput_model::probe::WaitMode;
use goodput_model::trial::MeasurementWindow;
use std::io;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::atomic::Ordering;

/// Bytes, calls and offered datagrams.
pub(super) type SendCounts = (u64, u64, u64);

pub(super) struct FlowSendResult {
    pub account: DatagramsSent,
    /// At the edges of the window.
    pub edges: [SendCounts; 2],
    pub ended_ns: u64,
    pub error: Option<ProbeError>,
}

/// Sends from the warm-up until told to stop or the goal is reached; deregisters the thread.
pub(super) fn run_sender(
    part: &DatagramEnd,
    settings: &Datagram,
    window: &MeasurementWindow,
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
) -> FlowSendResult {
    let warm_up = if window.t1_ns == 0 { 0 } else { settings.warm_up.0 };
    let start = window.t0_ns.saturating_sub(warm_up);
    let mut sender = Sender {
        fd: part.socket.as_raw_fd(),
        size: settings.size.0,
        goal: part.goal.unwrap_or(u64::MAX),
        spin: settings.wait == WaitMode::Spin,
        start,
        pace: SendPacer::for_flow(settings, part.nth, start),
        due: 0,
        counter,
        shared,
        window: [window.t0_ns, window.t1_ns],
        next_edge: window.t0_ns,
        edges: [None; 2],
        offered: 0,
        sent: 0,
        calls: 0,
        most: 0,
        refusals: Vec::with_capacity(16),
    };
    let mut how = How { by: DatagramSyscalls::Plain, fallback: None, segment: None };
    let error = sender.choose(part, settings, &mut how).err();
    // Without a fixed end, everything sent is in the window.
    let edges = match window.t1_ns {
        0 => [(0, 0, 0), sender.counts()],
        _ => sender.edges.map(|edge| edge.unwrap_or(sender.counts())),
    };
    let account = DatagramsSent {
        offered: sender.offered,
        refused: sender.refusals,
        sent: sender.sent,
        calls: sender.calls,
        window_offered: edges[1].2.saturating_sub(edges[0].2),
        by: how.by,
        fallback: how.fallback,
        segment_size: how.segment,
        most_a_call: sender.most,
        most_late_ns: sender.pace.as_ref().map(|p| p.most_late_ns),
        late: sender.pace.as_ref().map(|p| p.late),
    };
    shared.deregister_thread(counter, error.is_some());
    FlowSendResult { account, edges, ended_ns: now_ns(), error }
}

struct How {
    by: DatagramSyscalls,
    fallback: Option<String>,
    segment: Option<Bytes>,
}

struct Sender<'a> {
    fd: RawFd,
    size: u64,
    goal: u64,
    spin: bool,
    start: u64,
    pace: Option<SendPacer>,
    due: u64,
    counter: &'a ThreadCounters,
    shared: &'a ThreadSupervision,
    window: [u64; 2],
    next_edge: u64,
    /// By the thread itself: what it had sent before its first clock reading after the edge.
    edges: [Option<SendCounts>; 2],
    offered: u64,
    sent: u64,
    calls: u64,
    most: u32,
    refusals: Vec<RefusedSends>,
}

enum Fault {
    /// The kernel does not segment buffers of this size; nothing was sent.
    NoSegments(io::Error),
    /// Permanent failure.
    Broken(io::Error),
}

impl Sender<'_> {
    fn choose(&mut self, part: &DatagramEnd, settings: &Datagram, how: &mut How) -> Result<(), ProbeError> {
        let size = self.size as usize;
        if settings.uses_one_datagram_per_call() {
            return self.all(SingleSend::new(size)).map_err(broken);
        }
        if settings.offload == SegmentationOffload::Auto {
            let refused = match u16::try_from(size) {
                Ok(payload) => sys::datagram::set_gso_segment_size(part.socket.as_fd(), payload).err(),
                Err(_) => Some(io::ErrorKind::InvalidInput.into()),
            };
            let mut refused = refused.map(Fault::NoSegments);
            if refused.is_none() {
                how.by = DatagramSyscalls::Gso;
                how.segment = Some(settings.size);
                for most in [MAX_GSO_SEGMENTS, MAX_GSO_SEGMENTS / 2] {
                    match self.all(GsoSend::new(size, most, part.largest)) {
                        Err(fault @ Fault::NoSegments(_)) => refused = Some(fault),
                        other => return other.map_err(broken),
                    }
                }
                let _ = sys::datagram::set_gso_segment_size(part.socket.as_fd(), 0);
            }
            if let Some(Fault::NoSegments(e) | Fault::Broken(e)) = refused {
                how.fallback = Some(format!(
                    "UDP_SEGMENT refused for {size}-byte datagrams after {} of them ({e}): they do not fit the \
                     path's MTU, or the way out cannot cut them",
                    self.sent
                ));
            }
        }
        (how.by, how.segment) = (DatagramSyscalls::Mmsg, None);
        self.all(MmsgSend::new(size)).map_err(broken)
    }

    fn all<O: SendMethod>(&mut self, outlet: io::Result<O>) -> Result<(), Fault> {
        let mut outlet = outlet.map_err(Fault::Broken)?;
        sleep_until(self.start);
        match self.pace.take() {
            None => self.at_most(&mut outlet),
            Some(mut pace) => {
                let ended = self.paced(&mut outlet, &mut pace);
                self.pace = Some(pace);
                ended
            }
        }
    }

    fn at_most<O: SendMethod>(&mut self, outlet: &mut O) -> Result<(), Fault> {
        while self.offered < self.goal && !self.stopped() {
            let n = outlet.max_datagrams_per_call().min(self.goal - self.offered);
            self.offer(outlet, n, now_ns())?;
        }
        Ok(())
    }

    fn paced<O: SendMethod>(&mut self, outlet: &mut O, pace: &mut SendPacer) -> Result<(), Fault> {
        while self.offered < self.goal && !self.stopped() {
            let now = now_ns();
            if self.offered >= self.due {
                let due = pace.next_send_time();
                if now < due {
                    self.wait(due.min(now + STEP));
                    continue;
                }
                pace.start_burst(now);
                self.due = self.offered.saturating_add(pace.burst).min(self.goal);
            }
            self.offer(outlet, outlet.max_datagrams_per_call().min(self.due - self.offered), now)?;
        }
        Ok(())
    }

    fn wait(&self, until: u64) {
        if self.spin {
            while now_ns() < until {
                std::hint::spin_loop();
            }
        } else {
            sleep_until(until);
        }
    }

    fn counts(&self) -> SendCounts {
        (self.sent * self.size, self.calls, self.offered)
    }

    #[cold]
    fn cross(&mut self, now: u64) {
        let counts = self.counts();
        for (edge, at) in self.edges.iter_mut().zip(self.window) {
            if now >= at {
                edge.get_or_insert(counts);
            }
        }
        self.next_edge = self.window.into_iter().find(|at| now < *at).unwrap_or(u64::MAX);
    }

    #[inline(always)]
    fn stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Sends the next `n` datagrams.
    #[inline(always)]
    fn offer<O: SendMethod>(&mut self, outlet: &mut O, n: u64, now: u64) -> Result<(), Fault> {
        if now >= self.next_edge {
            self.cross(now);
        }
        header::write_headers(outlet.datagram_buffer(n as usize), self.size as usize, self.offered, now);
        match outlet.send_datagrams(self.fd, n as usize) {
            Ok(taken) => {
                let taken = taken as u64;
                self.counter.add_traffic(taken * self.size, 0);
                self.offered += taken;
                self.sent += taken;
                self.calls += 1;
                self.most = self.most.max(taken as u32);
                if taken < n {
                    self.stopped_short(now);
                }
            }
            Err(SendFailure { error, datagrams }) => {
                self.failed(error, datagrams as u64, O::USES_KERNEL_SEGMENTATION)?
            }
        }
        self.counter.set_byte_and_syscall_counts(self.sent * self.size, self.calls);
        self.counter.operations.store(self.offered, Ordering::Relaxed);
        Ok(())
    }

    /// sendmmsg stops at the failed datagram without errno. One that waited for space is offered again.
    #[cold]
    fn stopped_short(&mut self, began: u64) {
        if now_ns() - began < STEP / 10 * 9 {
            self.refuse(0, 1);
        }
    }

    #[cold]
    fn failed(&mut self, error: io::Error, datagrams: u64, cuts: bool) -> Result<(), Fault> {
        let errno = error.raw_os_error().unwrap_or(0);
        match errno {
            // The wait for space was interrupted; the flag is checked again.
            libc::EINTR | libc::EAGAIN => {}
            libc::EINVAL | libc::EIO | libc::EMSGSIZE | libc::ENOPROTOOPT | libc::EOPNOTSUPP if cuts => {
                return Err(Fault::NoSegments(error));
            }
            libc::EBADF | libc::ENOTSOCK | libc::EFAULT | libc::EINVAL | libc::EDESTADDRREQ => {
                return Err(Fault::Broken(error));
            }
            _ => self.refuse(errno, datagrams),
        }
        Ok(())
    }

    /// Refused datagrams keep their sequences, which nobody receives.
    #[cold]
    fn refuse(&mut self, errno: i32, datagrams: u64) {
        self.offered += datagrams;
        match self.refusals.binary_search_by_key(&errno, |r| r.errno) {
            Ok(at) => {
                self.refusals[at].calls += 1;
                self.refusals[at].datagrams += datagrams;
            }
            Err(at) => self.refusals.insert(at, RefusedSends { errno, calls: 1, datagrams }),
        }
    }
}

fn broken(fault: Fault) -> ProbeError {
    let (Fault::NoSegments(source) | Fault::Broken(source)) = fault;
    ProbeError::system_error("sending a datagram")(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_thread_counts_at_an_edge_what_it_had_sent_before() {
        let (counter, shared) = (ThreadCounters::default(), ThreadSupervision::new(1));
        let mut sender = Sender {
            fd: -1,
            size: 10,
            goal: u64::MAX,
            spin: false,
            start: 0,
            pace: None,
            due: 0,
            counter: &counter,
            shared: &shared,
            window: [100, 200],
            next_edge: 100,
            edges: [None; 2],
            offered: 0,
            sent: 0,
            calls: 0,
            most: 0,
            refusals: Vec::new(),
        };
        // Without a CPU from 110 to 290 and from 300 to 900.
        for now in [90, 110, 290, 300, 900] {
            if now >= sender.next_edge {
                sender.cross(now);
            }
            (sender.offered, sender.sent, sender.calls) =
                (sender.offered + 3, sender.sent + 2, sender.calls + 1);
        }
        assert_eq!(sender.edges, [Some((20, 1, 3)), Some((40, 2, 6))]);
        assert_eq!(sender.next_edge, u64::MAX);
        // Nothing was sent before the first reading, which is after both edges.
        (sender.edges, sender.next_edge) = ([None; 2], 100);
        sender.cross(1_000);
        assert_eq!(sender.edges, [Some(sender.counts()); 2]);
    }
}
