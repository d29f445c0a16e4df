//! What one client says about its work on files.

use super::OpClass;
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// What one client says; its window, CPU, counters and series stand in the report around it.
///
/// Series: `intervals-{thread}` (`end_ns`, `bytes`) with what was read or written; `latency-{class}` ([`OpClass::name`])
/// as the probe `request` keeps its latencies.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileReport {
    pub facts: PlaceFacts,
    pub bytes_read: u64,
    pub bytes_written: u64,
    /// From the window's beginning until the last write was accepted; `None` where nothing was written to an end.
    pub accepted_ns: Option<u64>,
    /// Until the flush after it was answered, too.
    pub durable_ns: Option<u64>,
    /// Part of the window that a copy spent waiting for its local disk, reading or writing.
    pub local_wait_ns: Option<u64>,
    /// Part of the window that a copy spent waiting for the place.
    pub place_wait_ns: Option<u64>,
    /// The device below the local folder, over the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_disk: Option<DiskAccount>,
    /// The device below the place (at the client for a folder, at the listening agent for what it serves or watches), over
    /// the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_disk: Option<DiskAccount>,
    /// Each class of operation that occurred in the window.
    pub classes: Vec<ClassAccount>,
    /// Operations in the window that ended otherwise than expected, the first few in words.
    pub surprises: Vec<String>,
    /// Requests on the wire an operation, where the place counts them.
    pub requests_per_operation: Option<f64>,
    /// What was in the client's page cache before the window.
    pub cache: CacheSeen,
    pub verified: Option<Verified>,
    /// CPU time that making up the data cost in the window.
    pub stamping_ns: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct PlaceFacts {
    /// How it is worked on: `io_uring`, `threads`, `smb 3.1.1`, `nfs 3`, `agent`.
    pub engine: String,
    /// File system of a folder (`ext4`, `tmpfs`, `cifs`, …).
    pub file_system: Option<String>,
    pub mount: Option<String>,
    /// The block device below a folder, `major:minor`, where there is one.
    pub device: Option<String>,
    pub direct: Option<bool>,
    pub alignment: Option<Bytes>,
    /// Largest read and write that goes as one request.
    pub max_io: Option<(Bytes, Bytes)>,
    pub signed: Option<bool>,
    pub encrypted: Option<bool>,
    /// Connections to the server that moved data.
    pub connections: Option<u16>,
    pub free: Option<Bytes>,
}

/// What a block device did over a window, from `/proc/diskstats` (Documentation/admin-guide/iostats.rst).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskAccount {
    /// `major:minor`.
    pub device: String,
    pub read: Bytes,
    pub written: Bytes,
    /// Time with at least one request under way (field 10).
    pub busy: Nanos,
    /// Sum of the times that requests were under way (field 11).
    pub weighted: Nanos,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassAccount {
    pub class: OpClass,
    pub count: u64,
    pub failed_as_expected: u64,
    /// Of these, ended otherwise than expected.
    pub unexpected: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CacheSeen {
    /// Share of the file in the client's page cache, in per cent, by cachestat(2) or mincore(2); `None` where there is no
    /// file or no way to look.
    pub resident_percent: Option<f64>,
    /// The same on the listening agent's host, which was asked to let go of the file.
    pub server_resident_percent: Option<f64>,
    /// What was done, in words; empty where nothing was.
    pub how: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verified {
    pub bytes: u64,
    /// Blocks that were not what had been written.
    pub wrong: u64,
}
