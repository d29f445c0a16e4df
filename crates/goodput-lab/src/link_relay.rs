//! The relay: a process that emulates shared media and delay, which the kernel cannot.
//!
//! Each host of a relayed link has a veth pair to the switches' namespace. The relay reads frames there,
//! simulates the medium in virtual time ([`csma`] for a shared medium, ports of a switch else), and passes
//! each frame on when real time has reached that time. It has one thread, if possible with SCHED_RR at the
//! lowest priority (sched(7)), and dies with the keeper.
//!
//! A host's own shaper limits its rate, as an adapter would; up to [`csma::MAX_QUEUED_FRAMES`] frames a station wait
//! here. Counters and lateness are published as [`goodput_model::host::RelayCounters`]; beyond [`MAX_P99_LATENESS`] a
//! finding marks the result.

mod counters;
pub mod csma;
mod impairment;
mod mac_table;
mod serve;
mod switch;

use crate::cpu_pin::CpuPin;
use crate::lab_name::LabOrHostName;
use crate::medium::LinkLayerParameters;
use crate::namespace::ParentNamespaceProcFs;
use crate::process::{self, ProcessId};
use crate::start_failure::LabStartFailure;
use crate::sys;
use crate::topology::Link;
use counters::{AtomicRelayCounters, CounterMetadata};
use csma::CsmaMedium;
use goodput_model::Nanos;
use goodput_model::host::LinkRelayCounters;
use goodput_words::message;
use impairment::ImpairmentQueue;
use nix::sys::prctl;
use nix::unistd::ForkResult;
use serde::{Deserialize, Serialize};
use serve::{ForwardingModel, LinkRelay};
use std::convert::Infallible;
use std::fs;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use switch::Switch;

/// Largest valid p99 lateness, over a full frame's time at 10 Mbit/s: beyond it timing is the machine's.
pub const MAX_P99_FRAME_LATENESS: Nanos = Nanos(2_000_000);
const NAMED: usize = 4;

#[derive(Debug, Clone)]
pub(crate) struct LinkRelayStation {
    pub interface: String,
    /// `None` is unshaped.
    pub line: Option<LinkLayerParameters>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkRelayState {
    pub process: ProcessId,
    pub record: PathBuf,
    /// On a shared medium.
    pub queue: Option<usize>,
    pub propagation: Option<Nanos>,
    /// Largest valid p99 lateness.
    pub bound: Nanos,
}

impl LinkRelayState {
    /// `None` without a readable file.
    pub fn counters(&self) -> Option<LinkRelayCounters> {
        serde_json::from_slice(&fs::read(&self.record).ok()?).ok()
    }
}

fn title(link: &Link) -> String {
    let names: Vec<&str> = link.hosts.iter().map(LabOrHostName::as_str).collect();
    let hosts = if names.len() > NAMED { format!("{} hosts", names.len()) } else { names.join(" - ") };
    format!("{hosts}, {}", link.describe())
}

/// Called in the keeper, which has one thread and the stations' namespace.
pub(crate) fn start_link_relay(
    link: &Link,
    stations: Vec<LinkRelayStation>,
    record: PathBuf,
    pin: Option<&CpuPin>,
    outer: &ParentNamespaceProcFs,
) -> Result<LinkRelayState, LabStartFailure> {
    let sockets = (stations.iter())
        .map(|LinkRelayStation { interface, .. }| {
            let what = message!(error_lab_cannot_have_frames { interface });
            sys::open_packet_socket(interface).map_err(LabStartFailure::wrap_error(what))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let failed = |e: io::Error| LabStartFailure::wrap_error("cannot start its process")(e);
    let process = match sys::fork().map_err(failed)? {
        ForkResult::Child => {
            let Err(why) = work(link, &stations, sockets, &record, pin);
            let _ = writeln!(io::stderr(), "the relay of {} has ended: {why}", title(link));
            sys::exit_immediately(1)
        }
        ForkResult::Parent { child } => outer.child_process_id(child.as_raw()).map_err(failed)?,
    };
    let shared = shared_medium(link);
    Ok(LinkRelayState {
        process,
        record,
        queue: shared.as_ref().map(|_| csma::MAX_QUEUED_FRAMES),
        propagation: shared.map(|medium: CsmaMedium<()>| Nanos(medium.propagation_delay_ns())),
        bound: MAX_P99_FRAME_LATENESS,
    })
}

fn shared_medium<P>(link: &Link) -> Option<CsmaMedium<P>> {
    let medium = link.medium.as_ref().filter(|medium| medium.half_duplex)?;
    Some(CsmaMedium::new(link.hosts.len(), medium.line.rate, link.collisions, link.seed))
}

fn work(
    link: &Link,
    stations: &[LinkRelayStation],
    sockets: Vec<OwnedFd>,
    record: &std::path::Path,
    pin: Option<&CpuPin>,
) -> io::Result<Infallible> {
    isolate_process(pin)?;
    let began = Instant::now();
    let tally = Arc::new(AtomicRelayCounters::new());
    let shared = shared_medium(link);
    let label = CounterMetadata {
        link: title(link),
        rate: link.medium.as_ref().map(|m| m.line.rate).or(link.rate),
        access: shared.as_ref().map(CsmaMedium::medium_access_counters),
        bound: MAX_P99_FRAME_LATENESS,
    };
    let middle = match shared {
        Some(medium) => ForwardingModel::Shared(medium),
        None => ForwardingModel::Switched(Switch::new(stations.iter().map(|s| s.line))),
    };
    let published = Arc::clone(&tally);
    let file = record.to_path_buf();
    // Started before this thread gets priority, so that it does not inherit it.
    let publisher = std::thread::Builder::new().name("relay-record".into());
    publisher.spawn(move || published.write_file_periodically(&label, began, &file))?;
    // Without the permission the relay is late more often, and counts that.
    tally.real_time.store(sys::set_round_robin_scheduling().is_ok(), Ordering::Relaxed);
    let impairment = ImpairmentQueue::new(link.way, stations.len(), link.seed);
    LinkRelay { stations: sockets, middle, impairment, tally, began }.run()
}

/// Closes the keeper's descriptors and improves timing.
fn isolate_process(pin: Option<&CpuPin>) -> io::Result<()> {
    process::detach_standard_streams()?;
    let _ = prctl::set_name(c"goodput-relay");
    // The default slack for ordinary processes is 50 µs.
    prctl::set_timerslack(1)?;
    if let Some(pin) = pin {
        sys::set_cpu_affinity(&pin.others)?;
    }
    Ok(())
}
