//! The versions of stored data. Every released version stays readable; tests read a run of each in
//! `fixtures/runs/v<version>/`.
//!
//! # Run format (`format` in `run.json`)
//!
//! 1 (0.1.0): `run.json`, `events.jsonl`, `samples/`. 2 (0.1.0): event `experiment`; several commands may
//! write one log in turn.
//!
//! A field with a default needs no new version; a new kind of event, a field without default, a changed
//! meaning or a removed field does, and the reader keeps reading the old one.
//!
//! # Tags (`tags.json`)
//!
//! `{"format": 1, "tags": ["before the switch", "keep"]}`, optional, the only file that is rewritten.
//!
//! # Chunk format (bytes 4 and 5 of every chunk)
//!
//! 1 (0.1.0): see [`crate::sample_chunk`].

use sha2::{Digest, Sha256};

/// Version of new runs; 1 to this are readable.
pub const RUN_FORMAT_VERSION: u32 = 2;

/// Version of new chunks; 1 to this are readable.
pub const CHUNK_FORMAT_VERSION: u16 = 1;

pub const RUN_HEADER_FILE: &str = "run.json";

pub const EVENTS_FILE: &str = "events.jsonl";

pub const TAGS_FILE: &str = "tags.json";

pub const TAGS_FORMAT_VERSION: u32 = 1;

pub const SAMPLES_FOLDER: &str = "samples";

pub const CHUNK_FILE_EXTENSION: &str = ".chunk";

/// In hexadecimal.
pub(crate) fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
