//! The relay: a process that emulates shared media and delay, which the kernel cannot.
//!
//! Each host of a relayed link has a veth pair to the switches' namespace. The relay reads frames there,
//! simulates the medium in virtual time ([`csma`] for a shared medium, ports of a switch else), and passes
//! each frame on when real time has reached that time. It has one thread, if possible with SCHED_RR at the
//! lowest priority (sched(7)), and dies with the keeper.
//!
//! A host's own shaper limits its rate, as an adapter would; up to [`csma::QUEUE`] frames a station wait
//! here. Counters and lateness are published as [`goodput_model::host::RelayCounters`]; beyond [`BOUND`] a
//! finding marks the result.

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
use serve::{LinkSwitch, Relay};
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use switch::Switch;
use tally::{Label, SharedCounters};

/// Largest valid p99 lateness: more than a full frame takes at 10 Mbit/s, so that timing is the machine's,
/// not the medium's.
pub const BOUND: Nanos = Nanos(2_000_000);
const NAMED: usize = 4;

#[derive(Debug, Clone)]
pub(crate) struct Station {
    pub interface: String,
    /// `None` is unshaped.
    pub line: Option<Line>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RelayState {
    pub process: ProcessId,
    pub record: PathBuf,
    /// On a shared medium.
    pub queue: Option<usize>,
    pub propagation: Option<Nanos>,
    /// Largest valid p99 lateness.
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
    /// `None` without a readable file.
    pub fn counters(&self) -> Option<RelayCounters> {
        serde_json::from_slice(&fs::read(&self.record).ok()?).ok()
    }
}

fn title(link: &Link) -> String {
    let names: Vec<&str> = link.hosts.iter().map(Name::as_str).collect();
    let hosts = if names.len() > NAMED { format!("{} hosts", names.len()) } else { names.join(" - ") };
    format!("{hosts}, {}", link.words())
}

/// Called in the keeper, which has one thread and the stations' namespace.
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

fn work(
    link: &Link,
    stations: &[Station],
    sockets: Vec<OwnedFd>,
    record: &std::path::Path,
    pin: Option<&Pin>,
) -> io::Error {
    if let Err(e) = isolate_process(pin) {
        return e;
    }
    let began = Instant::now();
    let tally = Arc::new(SharedCounters::new());
    let shared = shared_medium(link);
    let label = Label {
        link: title(link),
        rate: link.medium.as_ref().map(|m| m.line.rate).or(link.rate),
        shared: shared.is_some(),
        bound: BOUND,
    };
    let middle = match shared {
        Some(medium) => LinkSwitch::Shared(medium),
        None => LinkSwitch::Switched(Switch::new(stations.iter().map(|s| s.line))),
    };
    let published = Arc::clone(&tally);
    let file = record.to_path_buf();
    // Started before this thread gets priority, so that it does not inherit it.
    let publisher = std::thread::Builder::new().name("relay-record".into());
    if let Err(e) = publisher.spawn(move || published.publish(&label, began, &file)) {
        return e;
    }
    // Without the permission the relay is late more often, and counts that.
    tally.real_time.store(sys::round_robin().is_ok(), Ordering::Relaxed);
    let impairment = Impairment::new(link.way, stations.len(), link.seed);
    Relay { stations: sockets, middle, impairment, tally, began }.serve()
}

/// Closes the keeper's descriptors and improves timing.
fn isolate_process(pin: Option<&Pin>) -> io::Result<()> {
    // Standard input is the lock of the runtime folder, standard output the pipe to `lab up`.
    let null = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    let _ = prctl::set_name(c"goodput-relay");
    // The default slack for ordinary processes is 50 µs.
    prctl::set_timerslack(1)?;
    if let Some(pin) = pin {
        sys::stay_on(&pin.others)?;
    }
    Ok(())
}
