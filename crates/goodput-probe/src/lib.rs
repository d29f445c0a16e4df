//! Moves bytes between two hosts and writes down what happened.
//!
//! Two doors: [`connect`] for the `--from` end, [`listen`] for the named host. Both block until the
//! trial is over, run their measured loops on threads of their own, and report to an [`Observer`] from a
//! thread that does not measure. No async; the only clock is `clock.rs`; unsafe stands in `sys.rs`.

pub mod clock;
mod confirmation;
mod data_listener;
mod datagram;
pub mod file;
mod interval_counter;
mod latency;
mod link;
mod load;
mod message;
mod mtu;
mod peers;
mod pingpong;
mod request;
mod socket;
mod stream;
mod sys;
mod watch;
mod wire;

pub use data_listener::{DataListener, Expected, Peers};
pub use mtu::echo_allowed;

use goodput_model::trial::{Flow, Order, Window};
use goodput_model::{Nanos, PathMtuReport, Probe, Series};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a caller does at the window's edges and in between. Called from threads that do not measure: `tick` may come
/// from another than the rest, and then after `closed` as well.
pub trait Observer: Sync {
    /// The window opens in a few ms: whoever has more to read than a few tens of µs reads it now, so that measuring
    /// threads do not wait for their CPU when the window opens. Not called where a window opens without notice.
    fn opening(&self) {}
    /// The window has just opened: `t0_ns` on this host's monotonic clock.
    fn opened(&self, t0_ns: u64);
    /// About every 100 ms while the window is open.
    fn tick(&self, progress: Progress);
    /// The window has just closed: `t1_ns` on this host's monotonic clock.
    fn closed(&self, t1_ns: u64);
    /// Right after `closed`: whoever has more to read than a few tens of µs reads it now.
    fn ended(&self) {}
    /// How long ago this host itself heard whoever ordered the trial; `None` where nobody keeps account of it.
    fn orders_heard(&self) -> Option<Nanos> {
        None
    }
    /// Another host of the trial heard them so long ago.
    fn orders_heard_elsewhere(&self, _ago: Nanos) {}
}

/// How far a trial is; read from counters that measuring threads only add to.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Progress {
    /// Share of the trial done, 0 to 1, where it can be known.
    pub done: Option<f64>,
    /// Since the window opened.
    pub elapsed_ns: u64,
    /// User bytes received here since the window opened.
    pub bytes: u64,
    /// Operations completed here since the window opened.
    pub operations: u64,
}

/// Asks a running trial to end early.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Ends the trial at its next look.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What one end measured, whole or in part.
#[derive(Debug, Default)]
pub struct Measured {
    /// The window on this host's clock.
    pub window: Window,
    pub flows: Vec<Flow>,
    pub operations: u64,
    /// What the mtu probe found about the packets that this end sends.
    pub path_mtu: Option<PathMtuReport>,
    /// How well this client of a load kept the server's window.
    pub skew: Option<goodput_model::load::Skew>,
    /// Clients that the server of a load did not count, and why.
    pub excluded: Vec<goodput_model::load::Excluded>,
    /// What a client did to files, or what the listening end saw of it.
    pub file: Option<Box<goodput_model::file::FileReport>>,
    pub series: Vec<Series>,
    /// What the user must know.
    pub notes: Vec<String>,
    /// CPU time of the measuring threads over the window.
    pub threads_ns: u64,
    /// Why it broke off, if it did.
    pub broken: Option<ProbeError>,
}

/// Why a trial broke off.
#[derive(Debug, thiserror::Error)]
pub enum ProbeError {
    /// The other end's data port cannot be reached.
    #[error("cannot connect to the data port {addr}")]
    Connect { addr: SocketAddr, source: std::io::Error },
    /// The data port cannot be opened here.
    #[error("cannot listen on the data port {addr}")]
    Listen { addr: SocketAddr, source: std::io::Error },
    /// What answered is no goodput data port, or refused our token.
    #[error("{addr} did not accept the data connection: {why}")]
    Refused { addr: String, why: String },
    /// A wait ran past its deadline.
    #[error("no {what} from {from} within {seconds} s")]
    Deadline { what: &'static str, from: String, seconds: f64 },
    /// The other end closed or reset the connection in the middle.
    #[error("the other end ({from}) closed the connection in the middle of the trial")]
    PeerGone { from: String },
    /// A socket option or call that the trial cannot do without failed.
    #[error("{what} failed")]
    System { what: String, source: std::io::Error },
    /// A message did not arrive as it was sent.
    #[error("integrity: byte {at} of a {size}-byte message is wrong")]
    Integrity { at: u64, size: u64 },
    #[error("{0}")]
    Settings(String),
    /// Work on files could not go on.
    #[error("{what}")]
    Work { what: String, source: Box<dyn std::error::Error + Send + Sync> },
    #[error("cancelled")]
    Cancelled,
}

impl Measured {
    fn broken(error: ProbeError) -> Measured {
        Measured { broken: Some(error), ..Measured::default() }
    }
}

/// Runs the connecting end of a trial against a data port. Blocks until it is over; every wait inside
/// has a deadline, so it always returns.
pub fn connect(order: &Order, peer: SocketAddr, observer: &dyn Observer, cancel: &Cancel) -> Measured {
    match &order.probe {
        Probe::PingPong(settings) => pingpong::connect(order, settings, peer, observer, cancel),
        Probe::Stream(settings) => stream::connect(order, settings, peer, observer, cancel),
        Probe::Request(settings) => request::connect(order, settings, peer, observer, cancel),
        Probe::Datagram(settings) => datagram::connect(order, settings, peer, observer, cancel),
        Probe::Mtu(settings) => mtu::connect(order, settings, peer, observer, cancel),
        Probe::Latency(settings) => latency::connect(order, settings, peer, observer, cancel),
        Probe::Load(settings) => load::connect(order, settings, peer, observer, cancel),
        Probe::File(_) => Measured::broken(not_alone()),
    }
}

/// Runs the listening end of a trial whose connections arrive at a [`DataListener`]. Blocks like [`connect`].
pub fn listen(order: &Order, expected: Expected, observer: &dyn Observer, cancel: &Cancel) -> Measured {
    match &order.probe {
        Probe::PingPong(settings) => pingpong::listen(order, settings, expected, observer, cancel),
        Probe::Stream(settings) => stream::listen(order, settings, &expected, observer, cancel),
        Probe::Request(settings) => request::listen(order, settings, expected, observer, cancel),
        Probe::Datagram(settings) => datagram::listen(order, settings, &expected, observer, cancel),
        Probe::Mtu(settings) => mtu::listen(order, settings, &expected, observer, cancel),
        Probe::Latency(settings) => latency::listen(order, settings, &expected, observer, cancel),
        Probe::Load(settings) => load::listen(order, settings, &expected, observer, cancel),
        Probe::File(_) => Measured::broken(not_alone()),
    }
}

/// Work on files needs somebody who works on them, [`file::connect`] and [`file::listen`].
fn not_alone() -> ProbeError {
    ProbeError::Settings("the probe file is not run by itself".into())
}
