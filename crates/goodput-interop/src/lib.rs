//! Other tools' file formats, one module a tool. Units are converted here and nowhere else; an ambiguous unit
//! is an error.

pub mod dbench;
pub mod iometer;
pub mod netpipe;
pub mod published_data;
