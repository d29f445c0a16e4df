//! Other tools' files and protocols, one file a tool.
//!
//! Every unit is the other tool's own, whatever it calls it, and is turned into ours here and nowhere
//! else. Nothing is guessed: what has two readings is an error that names both.

pub mod dbench;
pub mod iometer;
pub mod netpipe;
pub mod published;
