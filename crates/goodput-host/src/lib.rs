//! Says what a machine is ([`facts`]) and what its CPUs did ([`cpu::Snapshot`]).
//!
//! Everything is read without privileges from the kernel's own files. Reading and understanding are
//! apart: the parsers are pure functions on text, tested with files captured from real machines in
//! `fixtures/host/`. Counters of network cards and protocols come with a later order.
//!
//! Linux only; elsewhere every answer is [`HostError::NotAvailable`].

pub mod cpu;
mod facts;
mod stat;
mod sys;

pub use facts::facts;

/// Why a host could not say something about itself.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The kernel's file could not be read.
    #[error("cannot read {file}")]
    Read {
        /// The file.
        file: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file does not say what it says on other kernels.
    #[error("{file} is not understood: {why}")]
    Parse {
        /// The file.
        file: &'static str,
        /// The line or the field, and what is wrong with it.
        why: String,
    },
    /// A system call failed.
    #[error("{call} failed")]
    Call {
        /// The call with its main argument.
        call: &'static str,
        /// What the system said.
        source: std::io::Error,
    },
    /// This operating system has no such account.
    #[error("{what} is not available on this system")]
    NotAvailable {
        /// What was asked.
        what: &'static str,
    },
}
