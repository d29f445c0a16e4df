//! Reads and writes dbench's load files, and writes its result line.
//!
//! A load file is a trace of one SMB client's calls, one a line, as text or gzip: `[seconds] OPERATION
//! argument … STATUS`. The semantics come from the sources of dbench 4.0 and 5.0. The grammar of 4.0 is
//! complete; of 5.0 LOOP, REPEAT, SLEEP, SETSP and WAITSP. Generated names and numbers (WRITEPATTERN,
//! RANDOMSTRING, `*`, `+n`) are errors, as are paths outside the folder.
//!
//! Names are case-insensitive, as on the captured servers: each path component has its first spelling. A line
//! that dbench would ignore is ignored with a [`Warning`]. Handles are numbered from 0 in order of
//! appearance.

mod line;
mod names;
mod problem;
mod reader;
mod result;
mod status;
#[cfg(test)]
mod tests;
mod words;
mod write;

pub use problem::{Fault, LoadError, Warning, WriteError};
pub use result::result_line;
pub use status::{code, name};
pub use write::write;

use flate2::bufread::MultiGzDecoder;
use goodput_model::file::LoadFile;
use std::io::BufReader;

/// dbench cuts longer lines in two.
pub const LONGEST_LINE: usize = 1_023;
pub const LARGEST_TEXT: u64 = 1 << 30;
/// About 450 MB in memory.
pub const MAX_OPERATIONS: usize = 8_000_000;
pub const MAX_PATHS: usize = 100_000;
pub const MAX_HANDLES: usize = 200_000;
pub const LARGEST_IO: u64 = goodput_model::file::LARGEST_BLOCK.0;
pub const LARGEST_FILE: u64 = 1 << 40;

/// Text or gzip. The error names the first invalid line; see [`Fault`].
pub fn read(bytes: &[u8]) -> Result<(LoadFile, Vec<Warning>), LoadError> {
    match bytes {
        // RFC 1952, section 2.3.1.
        [0x1f, 0x8b, ..] => reader::read(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(bytes))),
        _ => reader::read(bytes),
    }
}
