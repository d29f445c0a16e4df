//! Agents, coordinators and routers over the real engine, with real sockets on loopback.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod faults;
mod files;
mod kills;
mod load;
mod loopback;
mod router;
mod thousand;
