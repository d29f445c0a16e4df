//! Builds and removes labs: hosts are network namespaces with a command in each, links are veth pairs and
//! bridges with an MTU, a rate or a named medium. A [`relay`] emulates what the kernel cannot: shared media
//! and delay.
//!
//! A lab is one process, its **keeper** ([`keeper`]): first of its own PID namespace (and user namespace when
//! not root), it holds all network namespaces without system-wide names. When it dies the kernel removes
//! everything but files ([`runtime`]) and control groups, which later calls remove.
//!
//! The program that uses this crate
//!
//! 1. calls [`keeper::main`] first in its `main`, before any thread, when started with the hidden argument;
//! 2. calls [`up()`] with a checked [`Topology`] and the command of each host;
//! 3. calls [`exec::run`] to run something in a host, also before any thread.

pub mod bus;
pub mod cleanup;
pub mod disk;
pub mod down;
pub mod exec;
mod frame_rules;
mod group;
pub mod keeper;
mod link;
mod loop_device;
pub mod medium;
pub mod name;
pub mod namespace;
pub mod network;
pub mod packet_cost;
pub mod pin;
mod plan;
mod priority;
pub mod process;
pub mod relay;
pub mod runtime;
pub mod shape;
pub mod share;
pub mod state;
mod sys;
mod token_bucket;
pub mod tool;
pub mod topology;
pub mod up;
mod wiring;

pub use bus::BusState;
pub use cleanup::{FindError, Labs, find, list};
pub use disk::DiskState;
pub use down::{Down, DownError, down};
pub use exec::{ExecError, exit_code};
pub use group::LeftError;
pub use medium::NamedMedium;
pub use name::{DEFAULT_LAB, LabHost, Name, NameError};
pub use pin::Pin;
pub use plan::{HostCommand, HostPlace, Invocation, Refusal, RefusalKind};
pub use priority::go_ahead;
pub use runtime::{Runtime, RuntimeError};
pub use state::{HostState, LabState, Life, LinkState};
pub use topology::{
    Bus, BusTypeError, CpuShare, Disk, DiskTypeError, Host, Link, LinkImpairments, Loss, MAX_RULES, Medium,
    PacketCost, Topology, TopologyError,
};
pub use up::{Order, UpError, up};
