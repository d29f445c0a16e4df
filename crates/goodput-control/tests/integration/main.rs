//! Integration tests of agents, coordinators and routers over Zenoh and loopback sockets.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod faults;
mod files;
mod kills;
mod load;
mod loopback;
mod router;
mod thousand;
