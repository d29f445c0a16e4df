//! The versions of what is stored, and their history.
//!
//! The promise: every version ever released stays readable. A stored run of each lies in
//! `fixtures/runs/v<version>/` and is read in the tests.
//!
//! # Run format (`format` in `run.json`)
//!
//! | version | since | what changed |
//! |---|---|---|
//! | 1 | 0.1.0 | the first: `run.json`, `events.jsonl`, `samples/` |
//! | 2 | 0.1.0 | a new kind of event, `experiment`: what an experiment does between its trials; several commands may have written one log, one after the other |
//!
//! A field with a default may be added to an event or a trial without a new version. A new kind of event,
//! a field without default, a changed meaning or a removed field needs one, and the reader keeps a path
//! for the old one.
//!
//! # Tags (`tags.json`, beside the log)
//!
//! `{"format": 1, "tags": ["before the switch", "keep"]}`: what somebody said of a run afterwards, and the only file of a
//! run that is ever written again. It may be missing, and nothing else depends on it.
//!
//! # Chunk format (bytes 4 and 5 of every chunk)
//!
//! | version | since | what changed |
//! |---|---|---|
//! | 1 | 0.1.0 | the first: see [`crate::chunk`] |

use sha2::{Digest, Sha256};

/// Version of the run folder written by this program; all from 1 to this are read.
pub const RUN: u32 = 2;

/// Version of the chunks written by this program; all from 1 to this are read.
pub const CHUNK: u16 = 1;

pub const HEAD_FILE: &str = "run.json";

/// The log's file name.
pub const EVENTS_FILE: &str = "events.jsonl";

pub const TAGS_FILE: &str = "tags.json";

/// Version of the tags written by this program.
pub const TAGS: u32 = 1;

pub const SAMPLES_FOLDER: &str = "samples";

pub const CHUNK_ENDING: &str = ".chunk";

/// SHA-256 in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_sha_256() {
        // FIPS 180-2, appendix B.1.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
