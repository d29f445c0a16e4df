//! dbench's load files, read and written, and the line that dbench ends with.
//!
//! A load file is a captured list of the calls that one client made of an SMB server, one a line, as text or gzip:
//!
//! ```text
//! [seconds] OPERATION argument … STATUS
//! ```
//!
//! What the lines mean was read from the sources of dbench 4.0 and 5.0 and compared with the load file that dbench 4.0
//! comes with. The grammar of 4.0 is read in full; of 5.0 LOOP, REPEAT, SLEEP, SETSP and WAITSP. What makes up names or
//! numbers while it runs (WRITEPATTERN, RANDOMSTRING, `*`, `+n`) is refused with its line. So is every path that could
//! lead out of the folder that the load is played in.
//!
//! Names are compared without regard to case, as the servers do that such files were captured from: each part of a path
//! is spelled as it first occurs. On a folder that tells cases apart the load then means what it meant; dbench gets there
//! by looking through the folder for every name that it does not find.
//!
//! A line that dbench would complain about and pass over is passed over here too, with a [`Warning`]. Handles get
//! numbers from 0 on, in the order in which they first occur.

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

/// Characters of a line at the most; dbench cuts longer ones in two.
pub const LONGEST_LINE: usize = 1_023;
pub const LARGEST_TEXT: u64 = 1 << 30;
/// Operations at the most: about 450 MB in memory.
pub const MOST_OPERATIONS: usize = 8_000_000;
pub const MOST_PATHS: usize = 100_000;
pub const MOST_HANDLES: usize = 200_000;
/// Bytes of one read or write at the most.
pub const LARGEST_IO: u64 = goodput_model::file::LARGEST_BLOCK.0;
pub const LARGEST_FILE: u64 = 1 << 40;

/// Reads a load file, text or gzip.
///
/// # Errors
/// The first line that is refused, and why; see [`Fault`].
pub fn read(bytes: &[u8]) -> Result<(LoadFile, Vec<Warning>), LoadError> {
    match bytes {
        // RFC 1952, section 2.3.1.
        [0x1f, 0x8b, ..] => reader::read(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(bytes))),
        _ => reader::read(bytes),
    }
}
