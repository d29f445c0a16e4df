//! Reads and writes dbench's load files, and writes its result line.
//!
//! A load file is a trace of one SMB client's calls, one a line, as text or gzip: `[seconds] OPERATION
//! argument … STATUS`. The semantics come from the sources of dbench 4.0 and 5.0. The grammar of 4.0 is
//! complete; of 5.0 LOOP, REPEAT, SLEEP, SETSP and WAITSP. Generated names and numbers (WRITEPATTERN,
//! RANDOMSTRING, `*`, `+n`) are errors, as are paths outside the folder.
//!
//! Names are case-insensitive, as on the captured servers: each path component has its first spelling. Lines
//! that dbench would ignore give a [`LineWarning`]. Handles are numbered from 0 in order of appearance.

mod line;
mod name_table;
mod reader;
mod result;
mod status;
#[cfg(test)]
mod tests;
mod tokens;
mod write;

pub use result::format_result_line;
pub use write::{LoadFileWriteError, write_load_file};

use crate::{LineWarning, truncate_text};
use flate2::bufread::MultiGzDecoder;
use goodput_model::MessageArg;
use goodput_model::file::DbenchLoadFile;
use goodput_words::{Message, error_messages, message};
use std::io::BufReader;

/// dbench cuts longer lines in two.
pub const MAX_LINE_BYTES: usize = 1_023;
pub const MAX_LOAD_FILE_BYTES: u64 = 1 << 30;
/// About 450 MB in memory.
pub const MAX_OPERATIONS: usize = 8_000_000;
pub const MAX_PATHS: usize = 100_000;
pub const MAX_HANDLES: usize = 200_000;
pub const MAX_IO_BYTES: u64 = goodput_model::file::MAX_BLOCK_SIZE.0;
pub const MAX_FILE_BYTES: u64 = 1 << 40;

#[derive(Debug, Clone, PartialEq)]
pub struct LoadFileError {
    /// Counted from 1; the last one for what is missing altogether.
    pub line: u32,
    pub why: Message,
}

error_messages! {
    LoadFileError {
        LoadFileError { line, why } => message!(error_line_why { line: line.to_string(), why }),
    }
}

fn too_many(what: &str, most: u64) -> Message {
    message!(cause_dbench_too_many { what: Message::from(what), most: most.to_string() })
}

fn made_up(word: impl Into<MessageArg>) -> Message {
    message!(cause_dbench_made_up { word })
}

/// `text` begins with `*` or `+`.
fn made_up_number(text: &str) -> Message {
    made_up(message!(part_dbench_the_number { number: truncate_text(text) }))
}

/// Text or gzip. The error names the first invalid line.
pub fn read_load_file(bytes: &[u8]) -> Result<(DbenchLoadFile, Vec<LineWarning>), LoadFileError> {
    match bytes {
        // RFC 1952, section 2.3.1.
        [0x1f, 0x8b, ..] => reader::read_lines(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(bytes))),
        _ => reader::read_lines(bytes),
    }
}
