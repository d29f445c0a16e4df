//! One flow: receives until the sender has finished and the socket is quiet, then reads the kernel's drops.

use super::arrivals::ReceiveCounter;
use super::receive_method::{self, ChosenReceiveMethod, ReceiveMethod};
use super::{DatagramEnd, record};
use crate::ProbeError;
use crate::interval_counter::{IntervalCounter, IntervalCounts};
use crate::time::{now_ns, sleep_until};
use crate::watch::{ThreadCounters, ThreadSupervision};
use goodput_model::Series;
use goodput_model::datagram::{Datagram, DatagramsReceived};
use goodput_model::probe::WaitMode;
use goodput_model::trial::MeasurementWindow;
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, RawFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const QUIET: u64 = 200_000_000;
const DRAIN: u64 = 2_000_000_000;
/// Polling interval at maximum rate. Waking a sleeping thread costs the sender's CPU more than sending a
/// datagram (an inter-processor interrupt, a VM exit); a timer does not.
const POLL_INTERVAL_NS: u64 = 100_000;
const NAPS: u32 = 50;
const NAP_BUFFER: u64 = 2 << 20;

pub(super) struct FlowReceiveResult {
    pub account: IntervalCounts,
    pub received: DatagramsReceived,
    pub variation: Option<Series>,
    pub error: Option<ProbeError>,
}

pub(super) struct ReceiveStopSignals<'a> {
    /// When the sender's totals arrived, on our clock; 0 until then.
    pub heard: &'a AtomicU64,
    pub abort: &'a AtomicBool,
}

/// Receives until the end was announced and the socket is quiet; deregisters the thread.
pub(super) fn run_receiver(
    part: &DatagramEnd,
    settings: &Datagram,
    window: &MeasurementWindow,
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
    end: &ReceiveStopSignals<'_>,
) -> FlowReceiveResult {
    let t1 = (window.t1_ns != 0).then_some(window.t1_ns);
    let mut receiver = Receiver {
        fd: part.socket.as_raw_fd(),
        spin: settings.wait == WaitMode::Spin,
        naps: settings.receiver_polls_periodically() && part.buffer >= NAP_BUFFER,
        looks: 0,
        size: settings.size.0,
        window: (window.t0_ns, t1.unwrap_or(u64::MAX)),
        ledger: IntervalCounter::new(window.t0_ns, t1, settings.interval.0),
        arrivals: ReceiveCounter::new(settings.size.0 as usize, settings.has_per_datagram_timestamps()),
        counter,
        left: false,
        calls: 0,
        last: window.t0_ns,
        most: 0,
    };
    let ChosenReceiveMethod { inlet, by, fallback } = receive_method::choose_receive_method(part, settings);
    let ended = inlet.and_then(|inlet| receiver.run(inlet, shared, end));
    let error = ended.err().map(ProbeError::system_error("receiving datagrams"));
    if !receiver.left {
        shared.deregister_thread(counter, error.is_some());
    }
    let now = now_ns();
    let Receiver { ledger, arrivals, size, calls, last, most, .. } = receiver;
    let heard = end.heard.load(Ordering::Relaxed);
    let received = DatagramsReceived {
        calls,
        by,
        fallback,
        most_a_call: most,
        drain_ns: if heard == 0 { 0 } else { now.saturating_sub(heard) },
        ..record::collect_receive_counts(part, settings, by, &arrivals)
    };
    let account = ledger.finish(now, arrivals.goodput_datagram_count() * size, calls, last);
    let variation = arrivals.delay_variation().map(|v| v.distribution_series(part.name("delay-variation")));
    FlowReceiveResult { account, received, variation, error }
}

struct Receiver<'a> {
    fd: RawFd,
    spin: bool,
    naps: bool,
    looks: u32,
    size: u64,
    window: (u64, u64),
    ledger: IntervalCounter,
    arrivals: ReceiveCounter,
    counter: &'a ThreadCounters,
    left: bool,
    calls: u64,
    last: u64,
    most: u32,
}

impl Receiver<'_> {
    /// The measured loop: one call, one clock reading, and the headers.
    fn run(
        &mut self,
        mut inlet: ReceiveMethod,
        shared: &ThreadSupervision,
        end: &ReceiveStopSignals<'_>,
    ) -> io::Result<()> {
        let mut stirred = 0;
        loop {
            let looks = self.spin || (self.naps && self.looks < NAPS);
            let flags = if looks { libc::MSG_DONTWAIT } else { 0 };
            let got = inlet.receive_datagrams(self.fd, flags);
            let now = now_ns();
            match got {
                Ok(got) => {
                    self.book(&inlet, got, now);
                    self.looks = 0;
                    stirred = now;
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if self.spin {
                        std::hint::spin_loop();
                    } else if looks {
                        self.looks += 1;
                        sleep_until(now + POLL_INTERVAL_NS);
                    }
                }
                // ECONNREFUSED and similar: an ICMP error about earlier packets.
                Err(e) if is_passing(&e) => {}
                Err(e) => return Err(e),
            }
            let heard = end.heard.load(Ordering::Relaxed);
            if heard != 0 {
                if !self.left {
                    self.left = true;
                    shared.deregister_thread(self.counter, false);
                }
                if now.saturating_sub(stirred.max(heard)) >= QUIET || now.saturating_sub(heard) >= DRAIN {
                    return Ok(());
                }
            }
            if end.abort.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }

    #[inline(always)]
    fn book(&mut self, inlet: &ReceiveMethod, got: usize, now: u64) {
        let before = self.arrivals.goodput_datagram_count();
        if now >= self.ledger.next_boundary_ns() {
            self.ledger.close_elapsed_intervals(now, before * self.size, self.calls, self.last);
        }
        let all = self.arrivals.received + self.arrivals.malformed;
        let at = (now >= self.window.0 && now < self.window.1).then_some(now);
        let bytes = inlet.record_arrivals(got, at, &mut self.arrivals);
        self.counter.add_traffic(0, bytes);
        self.calls += 1;
        let arrived = self.arrivals.received + self.arrivals.malformed - all;
        self.most = self.most.max(arrived as u32);
        let counted = self.arrivals.goodput_datagram_count();
        if counted > before {
            self.last = now;
        }
        self.counter.set_byte_and_syscall_counts(counted * self.size, self.calls);
        self.counter.operations.store(self.arrivals.received, Ordering::Relaxed);
    }
}

fn is_passing(e: &io::Error) -> bool {
    matches!(
        e.raw_os_error(),
        Some(
            libc::EINTR
                | libc::ECONNREFUSED
                | libc::EHOSTUNREACH
                | libc::ENETUNREACH
                | libc::EHOSTDOWN
                | libc::EMSGSIZE
                | libc::ENOPROTOOPT
                | libc::EACCES
        )
    )
}
