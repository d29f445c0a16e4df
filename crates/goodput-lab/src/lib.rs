//! Labs: hosts are network namespaces with a command in each, links are veth pairs and bridges with an MTU, a
//! rate or a named medium. A [`relay`] emulates what the kernel cannot: shared media and delay.
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

mod cgroup;
pub mod cleanup;
pub mod cpu_pin;
pub mod cpu_quota;
pub mod disk;
pub mod emulated_host_bus;
pub mod emulated_packet_cost;
pub mod exec;
pub mod external_tool;
mod frame_rules;
mod ip_batch;
pub mod lab_name;
mod lab_plan;
pub mod lab_process;
pub mod lab_start;
pub mod lab_state;
pub mod lab_stop;
pub mod link_relay;
mod loop_device;
pub mod medium;
pub mod namespace;
pub mod network;
pub mod process;
pub mod runtime_folder;
mod start_failure;
mod sys;
mod token_bucket;
pub mod topology;
pub mod traffic_shape;
mod veth;

pub use cgroup::StaleCgroupRemovalError;
pub use cleanup::{FindLabError, LabList, find_lab, list_labs};
pub use cpu_pin::CpuPin;
pub use disk::DiskState;
pub use emulated_host_bus::EmulatedHostBusState;
pub use exec::{ExecError, exit_code};
pub use lab_name::{DEFAULT_LAB, LabHostRef, LabOrHostName, ParseNameError};
pub use lab_plan::{HostCommand, HostEnvironment, ProgramInvocation};
pub use lab_start::{StartLabError, StartLabRequest, start_lab};
pub use lab_state::{HostState, LabLiveness, LabState, LinkState};
pub use lab_stop::{StopLabError, StopLabOutcome, stop_lab};
pub use medium::NamedMedium;
pub use runtime_folder::{RuntimeFolder, RuntimeFolderError};
pub use start_failure::{LabStartFailure, LabStartFailureKind};
pub use sys::set_round_robin_scheduling as raise_priority;
pub use topology::{
    CpuShare, Disk, EmulatedHostBus, EmulatedPacketCost, Host, Link, LinkImpairments, LinkMedium, LossRate,
    MAX_RULES_PER_PACKET, ParseDiskError, Topology, TopologyError,
};
