//! The CPU account of this machine against threads of known usage.
#![cfg(target_os = "linux")]

mod cpu_account;
mod spinner;
