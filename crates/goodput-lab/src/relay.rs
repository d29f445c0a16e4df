//! The relay: a process of the keeper's that imitates what the kernel cannot, a medium that stations share and a delay.
//!
//! Each host of a relayed link has a veth pair to the switches' namespace. The relay reads what comes out of the pairs
//! there, lets the medium decide in virtual time when each frame has passed it ([`csma`] for a shared medium, a port
//! each for a switch), and hands it to the other hosts when the real clock has come to that time. It is one thread,
//! where it may before all ordinary processes (sched(7), SCHED_RR at the lowest priority), and dies with the keeper.
//!
//! A host's own shaper keeps what it sends to the medium's rate, as an adapter's send ring would. What then waits for
//! the medium waits here, [`csma::QUEUE`] frames a station.
//!
//! The relay publishes what it counted and how late it was, as [`goodput_model::host::RelayCounters`] in a file. What
//! was measured while it was later than [`BOUND`], or lost frames, is not the medium's, and a finding says so.

pub mod csma;
mod impairment;
mod learn;
mod serve;
mod switch;
mod tally;

use crate::medium::Line;
use crate::name::Name;
use crate::namespace::OuterProc;
use crate::pin::Pin;
use crate::process::ProcessId;
use crate::sys::{self, Side};
use crate::topology::Link;
use csma::Medium;
use goodput_model::Nanos;
use goodput_model::host::RelayCounters;
use impairment::Impairment;
use nix::sys::prctl;
use nix::unistd::{dup2_stdin, dup2_stdout};
use serde::{Deserialize, Serialize};
use serve::{Middle, Relay};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use switch::Switch;
use tally::{Label, Tally};

/// The lateness of a hundredth of the frames beyond which a result is not the medium's: more than a full frame takes at 10
/// Mbit/s, so that the machine and not the medium would decide who answers when.
pub const BOUND: Nanos = Nanos(2_000_000);
const NAMED: usize = 4;

/// A host's place at a relay.
#[derive(Debug, Clone)]
pub(crate) struct Station {
    pub interface: String,
    /// What a frame costs on its connection; `None` is unshaped.
    pub line: Option<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayState {
    pub process: ProcessId,
    pub record: PathBuf,
    /// Frames that wait at a station of a shared medium at most.
    pub queue: Option<usize>,
    pub propagation: Option<Nanos>,
    /// Lateness of a hundredth of the frames beyond which a result is not the medium's.
    pub bound: Nanos,
}

#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    #[error("cannot have the frames of {interface}")]
    Socket { interface: String, source: io::Error },
    #[error("cannot start its process")]
    Start(#[source] io::Error),
}

impl RelayState {
    /// What it has counted since it began; `None` while it has not written it, or not any more.
    pub fn counters(&self) -> Option<RelayCounters> {
        serde_json::from_slice(&fs::read(&self.record).ok()?).ok()
    }
}

fn title(link: &Link) -> String {
    let names: Vec<&str> = link.hosts.iter().map(Name::as_str).collect();
    let hosts = if names.len() > NAMED { format!("{} hosts", names.len()) } else { names.join(" - ") };
    format!("{hosts}, {}", link.words())
}

/// Starts the relay of a link. Called in the keeper, whose network namespace the stations' interfaces are in and which has
/// one thread.
pub(crate) fn start(
    link: &Link,
    stations: Vec<Station>,
    record: PathBuf,
    pin: Option<&Pin>,
    outer: &OuterProc,
) -> Result<RelayState, RelayError> {
    let sockets = (stations.iter())
        .map(|station| {
            sys::packet_socket(&station.interface)
                .map_err(|source| RelayError::Socket { interface: station.interface.clone(), source })
        })
        .collect::<Result<Vec<_>, _>>()?;
    let process = match sys::fork().map_err(RelayError::Start)? {
        Side::Child => {
            let why = work(link, &stations, sockets, &record, pin);
            // The keeper's log; when that is full too, nobody can be told.
            let _ = writeln!(io::stderr(), "the relay of {} has ended: {why}", title(link));
            sys::leave(1)
        }
        Side::Parent { child } => outer.child(child).map_err(RelayError::Start)?,
    };
    let shared = shared_medium(link);
    Ok(RelayState {
        process,
        record,
        queue: shared.as_ref().map(|_| csma::QUEUE),
        propagation: shared.map(|medium: Medium<()>| Nanos(medium.propagation_ns())),
        bound: BOUND,
    })
}

fn shared_medium<P>(link: &Link) -> Option<Medium<P>> {
    let medium = link.medium.as_ref().filter(|medium| medium.half_duplex)?;
    Some(Medium::new(link.hosts.len(), medium.line.rate, link.collisions, link.seed))
}

/// What the relay's process does, until it fails.
fn work(
    link: &Link,
    stations: &[Station],
    sockets: Vec<OwnedFd>,
    record: &std::path::Path,
    pin: Option<&Pin>,
) -> io::Error {
    if let Err(e) = settle(pin) {
        return e;
    }
    let began = Instant::now();
    let tally = Arc::new(Tally::new());
    let shared = shared_medium(link);
    let label = Label {
        link: title(link),
        rate: link.medium.as_ref().map(|m| m.line.rate).or(link.rate),
        shared: shared.is_some(),
        bound: BOUND,
    };
    let middle = match shared {
        Some(medium) => Middle::Shared(medium),
        None => Middle::Switched(Switch::new(stations.iter().map(|s| s.line))),
    };
    let published = Arc::clone(&tally);
    let file = record.to_path_buf();
    // Before this thread goes ahead of the others, so that the one that writes does not.
    let publisher = std::thread::Builder::new().name("relay-record".into());
    if let Err(e) = publisher.spawn(move || published.publish(&label, began, &file)) {
        return e;
    }
    // Without the right to it the relay is late more often, and says how late.
    tally.real_time.store(sys::round_robin().is_ok(), Ordering::Relaxed);
    let impairment = Impairment::new(link.way, stations.len(), link.seed);
    Relay { stations: sockets, middle, impairment, tally, began }.serve()
}

/// Lets go of what belongs to the keeper alone and becomes as punctual as it may.
fn settle(pin: Option<&Pin>) -> io::Result<()> {
    // Standard input is the lock of the runtime folder, standard output the way to `lab up`.
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    // A process is named for who looks at it; a kernel that refuses leaves it nameless.
    let _ = prctl::set_name(c"goodput-relay");
    // 50 µs is what the kernel may let a timer of an ordinary process be late.
    prctl::set_timerslack(1)?;
    if let Some(pin) = pin {
        sys::stay_on(&pin.others)?;
    }
    Ok(())
}
