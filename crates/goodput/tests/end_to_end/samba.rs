//! The real Samba of goodput-file's tests: `samba::Samba::start_with(lines, inside)`.

#[path = "../../../goodput-file/tests/files/samba.rs"]
mod server;

pub use server::*;
