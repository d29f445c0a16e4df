//! Builds and removes small networks: hosts are network namespaces with a command in each, links are veth
//! pairs and bridges, with an MTU and a rate, or a medium by name. A host may have a share of the CPU, a disk or a bus of
//! its own, or pay for packets. What the kernel cannot imitate, a shared medium and a delay, a [`relay`] does.
//!
//! A lab is one process, its **keeper** ([`keeper`]): first of a PID namespace of its own (and of a user
//! namespace when not root), it holds a network namespace for each host and one for the switches. Nothing
//! has a name in the system's lists; when the keeper dies, of whatever, the kernel removes everything.
//! What is left then are files in the runtime folder ([`runtime`]) and control groups, and every later call removes
//! those.
//!
//! The program that uses this crate does three things:
//!
//! 1. first of all in its `main`, before any thread: started with its hidden argument, it calls
//!    [`keeper::main`] and exits;
//! 2. `lab up` calls [`up()`] with a checked [`Topology`] and says what to run in each host;
//! 3. to run something in a host, itself or another program, it calls [`exec::run`], also before any thread.

mod ahead;
pub mod bus;
pub mod disk;
pub mod down;
pub mod exec;
mod group;
pub mod keeper;
mod link;
mod loop_device;
pub mod medium;
pub mod name;
pub mod namespace;
pub mod network;
pub mod packet_cost;
mod passing;
pub mod pin;
mod plan;
pub mod process;
mod readback;
pub mod relay;
pub mod runtime;
pub mod shape;
pub mod share;
pub mod state;
pub mod sweep;
mod sys;
pub mod tool;
pub mod topology;
pub mod up;
mod wiring;

pub use ahead::go_ahead;
pub use bus::BusState;
pub use disk::DiskState;
pub use down::{Down, DownError, down};
pub use exec::{ExecError, exit_code};
pub use group::LeftError;
pub use medium::NamedMedium;
pub use name::{DEFAULT_LAB, LabHost, Name, NameError};
pub use pin::Pin;
pub use plan::{HostCommand, HostPlace, Invocation, Refusal, RefusalKind};
pub use runtime::{Runtime, RuntimeError};
pub use state::{HostState, LabState, Life, LinkState};
pub use sweep::{FindError, Labs, find, list};
pub use topology::{
    Bus, BusTypeError, CpuShare, Disk, DiskTypeError, Host, Link, Loss, MOST_RULES, Medium, PacketCost,
    Topology, TopologyError, Way,
};
pub use up::{Order, UpError, up};
