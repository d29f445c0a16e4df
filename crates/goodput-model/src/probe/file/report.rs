//! What one client reports about its file work.

use super::FileOpClass;
use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// Series: `intervals-{thread}` (`end_ns`, `bytes`) with what was read or written; `latency-{class}`
/// ([`FileOpClass::name`]) as in the probe `request`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileReport {
    pub facts: FileLocationFacts,
    pub bytes_read: u64,
    pub bytes_written: u64,
    /// From the window's beginning until the last write was accepted; `None` without a target to write to.
    pub accepted_ns: Option<u64>,
    /// Until the flush after it was answered.
    pub durable_ns: Option<u64>,
    /// Part of the window in which a copy waited for its local disk.
    pub local_wait_ns: Option<u64>,
    /// Part of the window in which a copy waited for the place.
    pub place_wait_ns: Option<u64>,
    /// Device below the local folder, over the window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_disk: Option<DiskCounters>,
    /// Device below the place, over the window: at the client for a folder, at the listening agent for what
    /// it serves or watches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place_disk: Option<DiskCounters>,
    /// Classes that occurred in the window.
    pub classes: Vec<FileOpClassCounts>,
    /// Operations with an unexpected result, the first few in words.
    pub surprises: Vec<String>,
    /// Network requests for each operation, where the place counts them.
    pub requests_per_operation: Option<f64>,
    pub cache: CacheResidency,
    pub verified: Option<VerificationCounts>,
    /// CPU time of generating the data in the window.
    pub stamping_ns: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FileLocationFacts {
    /// `io_uring`, `threads`, `smb 3.1.1`, `nfs 3`, `agent`.
    pub engine: String,
    /// Of a folder (`ext4`, `tmpfs`, `cifs`, …).
    pub file_system: Option<String>,
    pub mount: Option<String>,
    /// Block device below a folder, `major:minor`.
    pub device: Option<String>,
    pub direct: Option<bool>,
    pub alignment: Option<Bytes>,
    /// Largest read and write that is one request.
    pub max_io: Option<(Bytes, Bytes)>,
    pub signed: Option<bool>,
    pub encrypted: Option<bool>,
    /// Connections to the server that moved data.
    pub connections: Option<u16>,
    pub free: Option<Bytes>,
}

/// What a block device did over a window, from `/proc/diskstats` (Documentation/admin-guide/iostats.rst).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DiskCounters {
    pub device: String,
    pub read: Bytes,
    pub written: Bytes,
    pub busy: Nanos,
    /// Sum of the times of all requests (field 11).
    pub weighted: Nanos,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileOpClassCounts {
    pub class: FileOpClass,
    pub count: u64,
    pub failed_as_expected: u64,
    pub unexpected: u64,
    pub bytes: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CacheResidency {
    pub resident_percent: Option<f64>,
    /// The same on the listening agent's host, which was asked to drop the file from its cache.
    pub server_resident_percent: Option<f64>,
    pub how: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerificationCounts {
    pub bytes: u64,
    /// Blocks with other content than written.
    pub wrong: u64,
}
