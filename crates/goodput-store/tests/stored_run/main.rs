//! Whole runs on a real disk: what is written is what is read, also after a crash, also in years, and
//! what was tampered with is refused.

#![allow(clippy::unwrap_used, reason = "clippy sees tests only in functions marked so, not in their helpers")]

mod append;
mod crash;
mod hostile;
mod old_formats;
mod round_trip;
mod sample;
