//! The CPU account of this machine against threads whose use is known.
#![cfg(target_os = "linux")]

mod cpu_account;
mod spinner;
