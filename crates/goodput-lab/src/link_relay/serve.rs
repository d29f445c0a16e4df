//! The relay's thread: reads frames, simulates the medium in virtual time, and releases frames in real time.
//! Late releases do not shift virtual time, so the long-term rate is exact; lateness is counted.

use super::counters::{AtomicRelayCounters, CounterValues};
use super::csma::CsmaMedium;
use super::impairment::ImpairmentQueue;
use super::mac_table::MacTable;
use super::switch::Switch;
use goodput_model::Nanos;
use goodput_model::host::link_relay::LinkRelayDrops;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::socket::{MsgFlags, recv, send};
use nix::sys::time::TimeSpec;
use std::convert::Infallible;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Largest IP packet with its header, and room for a tag.
const LONGEST: usize = 65_535 + 14 + 4;
/// Frames read from one station before others.
const AT_ONCE: usize = 32;
/// Interval of reading the kernel's drop counters.
const OVERRUNS_EVERY: Duration = Duration::from_millis(100);
/// Counters are updated at least this often.
const LONGEST_WAIT: Nanos = Nanos(100_000_000);

pub(super) enum ForwardingModel {
    Shared(CsmaMedium<Rc<[u8]>>),
    Switched(Switch),
}

pub(super) struct LinkRelay {
    pub stations: Vec<OwnedFd>,
    pub middle: ForwardingModel,
    pub impairment: ImpairmentQueue,
    pub tally: Arc<AtomicRelayCounters>,
    pub began: Instant,
}

#[derive(Default)]
struct ThreadCounters {
    known: MacTable,
    frames: u64,
    bytes: u64,
    overrun: u64,
}

impl LinkRelay {
    /// Runs until a socket fails, when its interface is gone.
    pub(super) fn run(mut self) -> io::Result<Infallible> {
        let mut books = ThreadCounters::default();
        let mut buffer = vec![0u8; LONGEST];
        let mut looked = Instant::now();
        let mut ready: Vec<usize> = Vec::new();
        loop {
            for station in ready.drain(..) {
                self.read(station, &mut buffer, &mut books)?;
            }
            self.pass(&mut books)?;
            if looked.elapsed() > OVERRUNS_EVERY {
                looked = Instant::now();
                books.overrun += self
                    .stations
                    .iter()
                    .map(|s| crate::sys::take_packet_drop_count(s).unwrap_or(0))
                    .sum::<u64>();
            }
            self.tally.update(&self.counted(&books));
            ready = self.wait()?;
        }
    }

    fn now(&self) -> u64 {
        self.began.elapsed().as_nanos() as u64
    }

    fn read(&mut self, station: usize, buffer: &mut [u8], books: &mut ThreadCounters) -> io::Result<()> {
        for _ in 0..AT_ONCE {
            let length = match recv(self.stations[station].as_raw_fd(), buffer, MsgFlags::MSG_DONTWAIT) {
                Ok(length) => length,
                Err(Errno::EAGAIN | Errno::EINTR) => break,
                Err(Errno::ENETDOWN) => break,
                Err(e) => return Err(e.into()),
            };
            let frame: Rc<[u8]> = buffer[..length].into();
            books.known.learn_source(station, &frame);
            self.pass(books)?;
            let now = self.now();
            match &mut self.middle {
                ForwardingModel::Shared(medium) => medium.enqueue_frame(station, length as u32, frame, now),
                ForwardingModel::Switched(switch) => {
                    let (impairment, known) = (&mut self.impairment, &books.known);
                    let to = (0..self.stations.len()).filter(|to| known.should_forward(*to, station, &frame));
                    let mut passed = false;
                    for to in to {
                        if let Some(at) = switch.enqueue_frame(to, length as u32, now) {
                            impairment.enqueue(to, at, &frame);
                            passed = true;
                        }
                    }
                    books.frames += u64::from(passed);
                    books.bytes += if passed { length as u64 } else { 0 };
                }
            }
        }
        Ok(())
    }

    fn pass(&mut self, books: &mut ThreadCounters) -> io::Result<()> {
        let now = self.now();
        let stations = self.stations.len();
        if let ForwardingModel::Shared(medium) = &mut self.middle {
            let impairment = &mut self.impairment;
            medium.advance_to(now, |delivery| {
                books.frames += 1;
                books.bytes += u64::from(delivery.length);
                let known = &books.known;
                for to in (0..stations).filter(|to| known.should_forward(*to, delivery.from, &delivery.frame))
                {
                    impairment.enqueue(to, delivery.at, &delivery.frame);
                }
            });
        }
        while let Some(release) = self.impairment.pop_due_frame(self.now()) {
            self.tally.record_frame_lateness(Nanos(self.now().saturating_sub(release.at)));
            let socket = self.stations[release.station].as_raw_fd();
            match send(socket, &release.frame, MsgFlags::MSG_DONTWAIT) {
                Ok(_) => {}
                Err(Errno::EAGAIN | Errno::ENOBUFS | Errno::EINTR | Errno::EMSGSIZE) => books.overrun += 1,
                // A host's interface may be down.
                Err(Errno::ENETDOWN | Errno::ENXIO) => {}
                Err(e) => return Err(e.into()),
            }
        }
        Ok(())
    }

    /// Returns the stations that have sent.
    fn wait(&mut self) -> io::Result<Vec<usize>> {
        let medium = match &self.middle {
            ForwardingModel::Shared(medium) => medium.next_event_time(),
            ForwardingModel::Switched(_) => None,
        };
        let due = medium.into_iter().chain(self.impairment.next_release_time()).min();
        let now = self.now();
        let left = due.map_or(LONGEST_WAIT.0, |due| due.saturating_sub(now).min(LONGEST_WAIT.0));
        let mut polled: Vec<PollFd<'_>> =
            self.stations.iter().map(|s| PollFd::new(s.as_fd(), PollFlags::POLLIN)).collect();
        match ppoll(&mut polled, Some(TimeSpec::from_duration(Duration::from_nanos(left))), None) {
            Ok(0) | Err(Errno::EINTR) => return Ok(Vec::new()),
            Ok(_) => {}
            Err(e) => return Err(e.into()),
        }
        let has = |(i, p): (usize, &PollFd<'_>)| p.any().unwrap_or(true).then_some(i);
        Ok(polled.iter().enumerate().filter_map(has).collect())
    }

    fn counted(&self, books: &ThreadCounters) -> CounterValues {
        let dropped = LinkRelayDrops { overrun: books.overrun, ..self.impairment.drop_counts() };
        let counted =
            CounterValues { frames: books.frames, bytes: books.bytes, dropped, ..CounterValues::default() };
        match &self.middle {
            ForwardingModel::Shared(medium) => CounterValues {
                access: medium.medium_access_counters(),
                wire_bits: medium.transmitted_wire_bits(),
                dropped: LinkRelayDrops {
                    queue: medium.queue_drops(),
                    excessive: medium.excessive_collisions(),
                    ..dropped
                },
                ..counted
            },
            ForwardingModel::Switched(switch) => CounterValues {
                wire_bits: switch.wire_bits,
                dropped: LinkRelayDrops { queue: switch.queue_drops, ..dropped },
                ..counted
            },
        }
    }
}
