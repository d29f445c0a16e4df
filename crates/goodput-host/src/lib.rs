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

use goodput_words::{Message, error_messages, message};

#[derive(Debug)]
pub enum HostError {
    Read { file: &'static str, cause: std::io::Error },
    Parse { file: &'static str, why: String },
    Call { call: &'static str, cause: std::io::Error },
    NotAvailable { what: &'static str },
}

error_messages! {
    HostError {
        HostError::Read { file, cause } =>
            message!(error_cannot_read_why { path: *file, why: cause.message() }),
        HostError::Parse { file, why } => message!(error_host_file_not_understood { file: *file, why }),
        HostError::Call { call, cause } =>
            message!(error_host_call_failed { call: Message::from(*call), why: cause.message() }),
        HostError::NotAvailable { what } => message!(error_host_not_available { what: Message::from(*what) }),
    }
}

fn read_text(file: &'static str) -> Result<String, HostError> {
    std::fs::read_to_string(file).map_err(|cause| HostError::Read { file, cause })
}
