//! Work on files: clients that do it, and one listening end that agrees their window and, where the place is a sink of
//! its own, keeps what they write.
//!
//! What the work is, this crate does not know: a [`Player`] does it. Joining, clocks, window and heartbeats are those of
//! `peers/`, as in the probe `load`. A window has a fixed length, or ends with the work of the last client.
//!
//! | file | what it is for |
//! |---|---|
//! | `client.rs`, `stage.rs` | a client's course, what its player is told |
//! | `server.rs`, `gate.rs`, `window.rs` | the listening end's course, and the connections that it takes |
//! | `check.rs` | settings that no trial can have |
//! | `keep.rs`, `memory.rs`, `tree.rs` | what a sink can do; one in memory, and one that keeps nothing |
//! | `frame.rs`, `serve.rs`, `work.rs` | the sink's protocol; the listening end's side of a data connection |
//! | `remote.rs`, `line.rs`, `lane.rs` | a client's side: one call after another, and many under way |
//! | `net.rs` | bytes in the sizes of a mix, for both sides |
//! | `meter.rs` | what passed on each data connection |
//!
//! Data connections have the client's number as their index. Series of a client: its player's, and `clock` as in a load.

mod check;
mod client;
mod data;
mod frame;
mod gate;
mod keep;
mod lane;
mod line;
mod memory;
mod meter;
mod net;
mod remote;
mod serve;
mod server;
mod stage;
mod tree;
mod window;
mod work;

pub use data::Data;
pub use keep::{Code, Fault, How, Keeper, Named, Room, Stat, is_sound};
pub use lane::RemoteLane;
pub use memory::{Fill, Matcher, Memory};
pub use net::Net;
pub use remote::Remote;
pub use stage::Stage;

use crate::data_listener::Expected;
use crate::{Cancel, Measured, Observer, ProbeError};
use goodput_model::file::{File, FileReport};
use goodput_model::trial::Order;
use goodput_model::{Nanos, Series};
use std::net::SocketAddr;

/// Does one client's work. All calls come from one thread, in this order.
pub trait Player {
    /// Gets everything ready that need not be in the window. `data` opens connections to the listening end's sink; `None`
    /// where the place is elsewhere.
    ///
    /// # Errors
    /// When the work cannot begin; the client then takes no part.
    fn prepare(&mut self, data: Option<&Data>) -> Result<(), ProbeError>;

    /// Works from `t0_ns` on this host's monotonic clock until `t1_ns`, or until the work is done where that is `None`.
    /// What happens before `t0_ns` is warm-up. Tells the stage when the window opens and closes, and looks at it for a
    /// wish to stop. Returns in any case: every wait has `patience`.
    fn play(&mut self, t0_ns: u64, t1_ns: Option<u64>, patience: Nanos, stage: &Stage<'_>) -> Played;

    /// After the window, when nothing is measured any more: compares what was written, closes what is open.
    ///
    /// # Errors
    /// When it cannot be compared or closed.
    fn settle(&mut self, report: &mut FileReport) -> Result<(), ProbeError>;
}

/// What a player's work came to.
#[derive(Debug, Default)]
pub struct Played {
    /// The window's end on this host's monotonic clock: as ordered, or when the work ended.
    pub t1_ns: u64,
    /// Everything but what is compared afterwards.
    pub report: FileReport,
    pub operations: u64,
    pub series: Vec<Series>,
    /// What the user must know.
    pub notes: Vec<String>,
    /// CPU time of the working threads over the window.
    pub threads_ns: u64,
    /// Why it broke off, if it did.
    pub broken: Option<ProbeError>,
}

/// What the listening end does beside agreeing the window.
pub struct Service<'a> {
    /// Keeps what is written to the sink; `None` where the place is elsewhere, or the sink is [`Net`].
    pub keeper: Option<&'a dyn Keeper>,
    /// Called when all clients are ready and wait, before the window is fixed: the last chance to empty caches.
    pub before: &'a dyn Fn(),
}

/// Runs one client. Blocks until the trial is over for it; every wait inside has a deadline.
pub fn connect(
    order: &Order,
    settings: &File,
    peer: SocketAddr,
    observer: &dyn Observer,
    cancel: &Cancel,
    player: &mut dyn Player,
) -> Measured {
    client::run(order, settings, peer, observer, cancel, player)
}

/// Runs the listening end. Blocks like [`connect`].
pub fn listen(
    order: &Order,
    settings: &File,
    expected: Expected,
    observer: &dyn Observer,
    cancel: &Cancel,
    service: &Service<'_>,
) -> Measured {
    server::run(order, settings, expected, observer, cancel, service)
}
