//! The relay's thread: reads frames, simulates the medium in virtual time, and releases each frame at its
//! real time. Virtual time does not depend on late releases, so the long-term rate is exact; lateness is
//! counted.

use super::csma::Medium;
use super::impairment::Impairment;
use super::learn::Stations;
use super::switch::Switch;
use super::tally::{Counted, SharedCounters};
use goodput_model::Nanos;
use goodput_model::host::relay::RelayDrops;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::socket::{MsgFlags, recv, send};
use nix::sys::time::TimeSpec;
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

pub(super) enum LinkSwitch {
    Shared(Medium<Rc<[u8]>>),
    Switched(Switch),
}

pub(super) struct Relay {
    pub stations: Vec<OwnedFd>,
    pub middle: LinkSwitch,
    pub impairment: Impairment,
    pub tally: Arc<SharedCounters>,
    pub began: Instant,
}

#[derive(Default)]
struct ThreadCounters {
    known: Stations,
    frames: u64,
    bytes: u64,
    overrun: u64,
}

impl Relay {
    /// Runs until a socket fails, when its interface is gone.
    pub(super) fn serve(mut self) -> io::Error {
        let mut books = ThreadCounters::default();
        let mut buffer = vec![0u8; LONGEST];
        let mut looked = Instant::now();
        let mut ready: Vec<usize> = Vec::new();
        loop {
            for station in ready.drain(..) {
                if let Err(e) = self.read(station, &mut buffer, &mut books) {
                    return e;
                }
            }
            if let Err(e) = self.pass(&mut books) {
                return e;
            }
            if looked.elapsed() > OVERRUNS_EVERY {
                looked = Instant::now();
                books.overrun +=
                    self.stations.iter().map(|s| crate::sys::packet_drops(s).unwrap_or(0)).sum::<u64>();
            }
            self.tally.store(&self.counted(&books));
            match self.wait() {
                Ok(found) => ready = found,
                Err(e) => return e,
            }
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
            books.known.learn(station, &frame);
            self.pass(books)?;
            let now = self.now();
            match &mut self.middle {
                LinkSwitch::Shared(medium) => medium.arrive(station, length as u32, frame, now),
                LinkSwitch::Switched(switch) => {
                    let (impairment, known) = (&mut self.impairment, &books.known);
                    let to = (0..self.stations.len()).filter(|to| known.is_for(*to, station, &frame));
                    let mut passed = false;
                    for to in to {
                        if let Some(at) = switch.pass(to, length as u32, now) {
                            impairment.put(to, at, &frame);
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
        if let LinkSwitch::Shared(medium) = &mut self.middle {
            let impairment = &mut self.impairment;
            medium.advance(now, |delivery| {
                books.frames += 1;
                books.bytes += u64::from(delivery.length);
                let known = &books.known;
                for to in (0..stations).filter(|to| known.is_for(*to, delivery.from, &delivery.frame)) {
                    impairment.put(to, delivery.at, &delivery.frame);
                }
            });
        }
        while let Some(release) = self.impairment.due(self.now()) {
            self.tally.late(Nanos(self.now().saturating_sub(release.at)));
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
            LinkSwitch::Shared(medium) => medium.next(),
            LinkSwitch::Switched(_) => None,
        };
        let due = medium.into_iter().chain(self.impairment.next()).min();
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

    fn counted(&self, books: &ThreadCounters) -> Counted {
        let dropped = RelayDrops { overrun: books.overrun, ..self.impairment.dropped() };
        let counted = Counted { frames: books.frames, bytes: books.bytes, dropped, ..Counted::default() };
        match &self.middle {
            LinkSwitch::Shared(medium) => Counted {
                access: medium.counts(),
                wire_bits: medium.wire_bits(),
                dropped: RelayDrops { queue: medium.overflowed(), excessive: medium.excessive(), ..dropped },
                ..counted
            },
            LinkSwitch::Switched(switch) => Counted {
                wire_bits: switch.wire_bits(),
                dropped: RelayDrops { queue: switch.overflowed(), ..dropped },
                ..counted
            },
        }
    }
}
