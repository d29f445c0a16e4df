//! Says what a machine is ([`facts`], [`inventory`]) and what it did over a window ([`cpu::Snapshot`],
//! [`counters::Opening`]); sets what a person would set by `ip`, `ethtool` and `sysctl`, and puts it back ([`knob`]).
//!
//! Everything is read from the kernel itself: blocking netlink (rtnetlink and ethtool), `/proc` and `/sys`; no
//! tool is run and none's text is parsed. Reading and understanding are apart: the parsers are pure functions on
//! text or bytes, tested with what real machines gave, in `fixtures/host/`.
//!
//! A question about interfaces is answered for the network namespace of the calling thread. `/sys/class/net` shows
//! the namespace in which `/sys` was mounted, so it is used only for what nothing else tells, and only where it
//! is proved to show the same interfaces.
//!
//! Linux only; elsewhere every answer is [`HostError::NotAvailable`].

mod address;
mod cgroup;
pub mod counters;
pub mod cpu;
mod driver;
mod ethtool;
mod facts;
mod interface;
mod interrupts;
mod inventory;
mod kernel_log;
pub mod knob;
mod link;
mod machine;
mod netlink;
mod pci;
mod processor;
mod protocols;
mod qdisc;
mod relay;
mod route;
mod softnet;
mod stat;
mod steering;
mod sys;
mod sysctl;

pub use address::{LocalAddress, addresses};
pub use facts::facts;
pub use inventory::{Scope, inventory};

/// Why a host could not say something about itself.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The kernel's file could not be read.
    #[error("cannot read {file}")]
    Read { file: &'static str, source: std::io::Error },
    #[error("{file} is not understood: {why}")]
    Parse { file: &'static str, why: String },
    #[error("{call} failed")]
    Call { call: &'static str, source: std::io::Error },
    /// This operating system has no such account.
    #[error("{what} is not available on this system")]
    NotAvailable { what: &'static str },
}

impl HostError {
    /// The error with what the system said, as the reason why a fact is missing.
    fn reason(&self) -> String {
        match self {
            HostError::Read { source, .. } | HostError::Call { source, .. } => format!("{self}: {source}"),
            HostError::Parse { .. } | HostError::NotAvailable { .. } => self.to_string(),
        }
    }
}
