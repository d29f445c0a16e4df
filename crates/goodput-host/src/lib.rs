//! Describes this host ([`facts`], [`inventory`]) and its activity over a window ([`cpu::CpuSnapshot`],
//! [`counters::CounterMeasurement`]); sets and restores what `ip`, `ethtool` and `sysctl` would set ([`knob`]). Sources
//! are the kernel's own: blocking netlink, `/proc` and `/sys`, no tools. Parsers are pure functions, tested
//! with recordings in `fixtures/host/`.
//!
//! Interfaces are those of the calling thread's network namespace. `/sys/class/net` shows the namespace of
//! its mount, so it is used only if it shows the same interfaces.

mod address;
mod cgroup;
pub mod counters;
pub mod cpu;
mod driver;
mod ethtool;
mod facts;
#[doc(hidden)]
pub mod fuzz;
mod interface;
mod interrupts;
mod inventory;
mod kernel_log;
pub mod knob;
mod link_statistics;
mod machine;
mod netlink;
mod own_file;
mod pci;
mod processor;
mod protocols;
mod qdisc;
mod relay;
mod route;
mod socket_owner;
mod softnet;
mod stat;
mod steering;
mod sys;
mod sysctl;

pub use sys::{bound_unused_memory, release_unused_memory};

pub use address::{LocalAddress, local_addresses, network_address};
pub use facts::host_facts;
pub use inventory::{InterfaceScope, collect_inventory};
pub use own_file::{foreign_owner, open_own_file, open_regular_file};
pub use socket_owner::{tcp_socket_owner, unmapped_address};

#[derive(Debug, thiserror::Error)]
pub enum HostError {
    #[error("cannot read {file}: {cause}")]
    Read { file: &'static str, cause: std::io::Error },
    #[error("{file} is not understood: {why}")]
    Parse { file: &'static str, why: String },
    #[error("{call} failed: {cause}")]
    Call { call: &'static str, cause: std::io::Error },
    #[error("{what} is not available on this system")]
    NotAvailable { what: &'static str },
}

fn read_text(file: &'static str) -> Result<String, HostError> {
    std::fs::read_to_string(file).map_err(|cause| HostError::Read { file, cause })
}
