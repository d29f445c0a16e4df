//! One server and its clients: joining, clocks, window, loss and end; shared by the probes `load` and `file`.
//! Each client has a control connection. The server's clock is the reference: clients measure their offset,
//! the server fixes the window when all are ready, and each end counts by its own clock. Missing, late and
//! lost clients are excluded and named.
//!
//! Messages on a control connection, in order (layout: `wire.rs`):
//!
//! | from | message | meaning |
//! |---|---|---|
//! | client | `Join` a: its number | identity |
//! | server | `Join` | prepare |
//! | server | `Ready` a: port or 0, b: worker | load: that worker's connection arrived, or uses this port |
//! | client | `Beat` | heartbeat while it prepares or verifies |
//! | server | `Beat` | query to a silent client |
//! | client | `Clock` a: T1, d: heard | an exchange and heartbeat; at any time until its end |
//! | server | `Clock` a: T1, b: T2, c: T3, d: heard | its answer |
//! | client | `Ready` a: half the least round trip | ready and synchronised |
//! | server | `Go` a: t0, b: t1 or 0, d: the largest error of all | the window, on the server's clock |
//! | client | `Result` a: end of its work, on that clock | file: its work has ended |
//! | client | `End` | all totals sent |
//! | server | `End` a: 0, or 1 for an excluded client | the trial is over for it |
//!
//! *heard* is when the sender last heard the coordinator, on the server's clock; 0 if unknown. A full link to
//! one host may lose the coordinator's messages, those to all hosts hardly.

mod clock_sync;
mod control;
mod heartbeat;
mod join;
mod liveness;
mod offset;
mod peer;
mod supervise_client;
mod window_agreement;

pub(crate) use clock_sync::{ClockSync, LocalClock};
pub(crate) use control::ControlConnection;
pub(crate) use heartbeat::Heartbeat;
pub(crate) use join::{JoinedClient, check_measurement_not_started};
pub(crate) use offset::WindowTiming;
pub(crate) use peer::PeerState;
pub(crate) use supervise_client::ClientSupervisor;
pub(crate) use window_agreement::{announce_measurement_window, no_clients_error, record_excluded_clients};
