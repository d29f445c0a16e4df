//! One server and its clients: how they join, agree on clock and window, notice that one is gone, and end together. The
//! same for the probes `load` and `file`, which differ in what is done in the window.
//!
//! Each client has a control connection. The server's clock is the reference: a client learns how its own stands to it
//! by exchanges, the server fixes the window when all that will come have come, and each end counts by its own clock. A
//! client that does not come, comes too late or drops out is left out and named; the others go on.
//!
//! What is said on a control connection, in order (`wire.rs` has the layout):
//!
//! | from | message | meaning |
//! |---|---|---|
//! | client | `Join` a: its number | who it is |
//! | server | `Join` | get ready |
//! | server | `Ready` a: port or 0, b: worker | load: that worker's connection is here, or is to be opened on this port |
//! | client | `Beat` | a sign of life while it gets ready or compares |
//! | server | `Beat` | a sign of life to a client that has been silent |
//! | client | `Clock` a: T1, d: heard | an exchange, and a sign of life; at any time until its end |
//! | server | `Clock` a: T1, b: T2, c: T3, d: heard | its answer |
//! | client | `Ready` a: half the least round trip | it is ready and knows the server's clock |
//! | server | `Go` a: t0, b: t1 or 0, d: the largest error of all | the window, on the server's clock |
//! | client | `Result` a: when its work ended, on that clock | file: it works no more |
//! | client | `End` | it has said everything |
//! | server | `End` a: 0, or 1 for a client that is left out | the trial is over for it |
//!
//! *heard* is when the one who says it last heard whoever ordered the trial, on the server's clock; 0 for not known. On a
//! full link the word to one of them may be lost again and again, that to all of them is not.

mod attend;
mod clock_sync;
mod control;
mod gather;
mod heartbeat;
mod join;
mod liveness;
mod offset;
mod peer;

pub(crate) use attend::Attendance;
pub(crate) use clock_sync::{ClockSync, OwnClock};
pub(crate) use control::Control;
pub(crate) use gather::{name_excluded, none_left, open_window};
pub(crate) use heartbeat::Heartbeat;
pub(crate) use join::{Joined, in_time};
pub(crate) use offset::WindowEdges;
pub(crate) use peer::Peer;
