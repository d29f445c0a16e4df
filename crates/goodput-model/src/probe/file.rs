//! File work: the settings of the probe `file`, and what a client reports. One trial writes a file, reads it
//! back, runs one row of a drive mark or plays a file-server mix, at one place, by one or more hosts. Trials
//! of a run share the *workspace*, a folder that the first creates and the last removes.

mod access;
pub(crate) mod metrics;
mod op;
mod report;
pub(crate) mod result;

pub use access::{DiskSpace, FileErrorKind, FileOpenOptions, FileStatus, FolderEntry, is_path_in_workspace};
pub use op::{
    CreateDisposition, CreateOptions, DbenchLoadFile, ExpectedOpStatus, FileOp, FileOpClass, ScheduledFileOp,
};
pub use report::{
    CacheResidency, DiskCounters, FileLocationFacts, FileOpClassCounts, FileReport, VerificationCounts,
};

use super::{EndpointRole, ProbeSettings, TrafficDemand};
use crate::diagnosis::Intervention;
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// `docs/methods/file.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// In the order of [`crate::trial::Order::client`].
    pub clients: Vec<String>,
    pub place: FileLocation,
    /// `.goodput-` and a UUID.
    pub workspace: String,
    pub work: FileWorkload,
    /// Whether the client's own caches are bypassed.
    pub access: CacheMode,
    pub flush: FlushMode,
    /// How much of the written data is read back and compared, outside the measured time.
    pub verify: VerifyMode,
    /// Of random offsets. Data depends on the workspace's name only, so that a later trial can compare it.
    pub seed: u64,
    pub interval: Nanos,
    /// Absolute folder of the place on the listening agent's host, where an agent runs at the server: it
    /// counts the disk and drops the workspace's files from its page cache before cold reads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_folder: Option<String>,
    /// How often the listening agent's disk reads or writes each block, which the network carries once.
    #[serde(default = "once", skip_serializing_if = "is_once")]
    pub storage_passes: u16,
    /// What this trial of a diagnosis changes; `None` outside a diagnosis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub intervention: Option<Intervention>,
}

fn once() -> u16 {
    1
}

fn is_once(passes: &u16) -> bool {
    *passes == 1
}

/// Where the files are, as the clients see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FileLocation {
    /// A local disk or any mount.
    Folder { path: String },
    /// An SMB share. The password is no setting: each client finds it on its own host.
    Smb {
        host: String,
        port: u16,
        domain: Option<String>,
        /// `None` is a guest.
        user: Option<String>,
        share: String,
        path: String,
    },
    /// An NFS export, version 3.
    Nfs {
        host: String,
        /// `None` asks the portmapper.
        port: Option<u16>,
        mount_port: Option<u16>,
        export: String,
        path: String,
    },
    /// The listening agent, over the trial's data connections.
    Sink { sink: SinkStorageKind },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum SinkStorageKind {
    /// Nowhere; reads return generated data with the stamps of its offset.
    Null,
    /// Until the trial that removes the workspace, or the end of the lease.
    Memory,
    Disk {
        /// `None` is the first folder that the agent's policy allows.
        path: Option<String>,
    },
    /// Nothing is stored: only bytes in the sizes that SMB would exchange for each operation (as tbench
    /// does).
    Net,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FileWorkload {
    /// Creates the workspace and the file to be read later. Not a measurement.
    Prepare {
        /// `None` creates none.
        file: Option<Bytes>,
    },
    /// One large file, once from start to end. The window ends with the work.
    Copy {
        way: FileDirection,
        size: Bytes,
        block: Bytes,
        depth: u16,
        local: Option<String>,
    },
    /// One row of a drive mark on the prepared file.
    Row {
        name: String,
        way: FileDirection,
        pattern: FileAccessPattern,
        block: Bytes,
        /// In each thread.
        queue: u16,
        threads: u16,
        size: Bytes,
        time: Nanos,
    },
    /// A file-server load, repeated.
    Mix {
        load: FileOperationMixSource,
        players: u16,
        warm_up: Nanos,
        time: Nanos,
        /// Unexpected results until a player gives up.
        max_errors: u32,
        /// Payload of one player; `None` for no limit.
        rate: Option<BitRate>,
    },
    Remove,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FileOperationMixSource {
    /// This program's own profile of an office's day.
    Office { seed: u64 },
    /// A load file of dbench, present on every client.
    LoadFile {
        path: String,
        /// Of the file's content: all clients play the same.
        sha256: String,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileDirection {
    Write,
    Read,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileAccessPattern {
    Sequential,
    /// Any multiple of the block, uniformly.
    Random,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CacheMode {
    /// O_DIRECT where the file system supports it, else caches are dropped before; [`FileReport::cache`] has
    /// the outcome.
    Direct,
    Cached,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FlushMode {
    None,
    /// Once, after the last write; reported beside the time until the last write was accepted.
    End,
    /// Likewise, and a window of fixed length is extended until the flush is answered, as in old drive marks.
    /// Same as [`FlushMode::End`] for work that ends by itself.
    Within,
    Each,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerifyMode {
    Off,
    Sample,
    Full,
}

pub const WORKSPACE_PREFIX: &str = ".goodput-";
pub const WORKSPACE_MARKER_FILE: &str = "goodput-workspace.json";
pub const MAX_BLOCK_SIZE: Bytes = Bytes(64 << 20);
pub const MAX_SIMULATED_CLIENTS: usize = 4_096;
pub const MAX_STORAGE_PASSES: u16 = 16;
/// MS-SMB2 2.1.
pub const SMB_PORT: u16 = 445;
/// Written data is stamped and compared in blocks of this size.
pub const DATA_BLOCK_BYTES: usize = 4096;
/// What [`VerifyMode::Sample`] reads back.
pub const MAX_SAMPLED_BLOCKS: usize = 256;
const MAX_SAMPLED_BYTES: u64 = (MAX_SAMPLED_BLOCKS * DATA_BLOCK_BYTES) as u64;
/// Limit for preparing, flushing and closing on any place.
const MAX_OVERHEAD_TIME: Nanos = Nanos(120 * Nanos::SECOND.0);
/// The slowest supported disk while it writes or compares a whole file: bytes per second.
const MIN_DISK_RATE: u64 = 4_000_000;

impl File {
    /// Without the client's cache, flushed at the end, not compared, once through storage.
    pub fn new(clients: Vec<String>, place: FileLocation, workspace: String, work: FileWorkload) -> File {
        File {
            clients,
            place,
            workspace,
            work,
            access: CacheMode::Direct,
            flush: FlushMode::End,
            verify: VerifyMode::Off,
            seed: 0,
            interval: Nanos(100_000_000),
            server_folder: None,
            storage_passes: 1,
            intervention: None,
        }
    }

    /// False for preparation and cleanup.
    pub fn is_measured_workload(&self) -> bool {
        !matches!(self.work, FileWorkload::Prepare { .. } | FileWorkload::Remove)
    }
}

impl ProbeSettings for File {
    type Result = result::FileResult;

    fn measurement_window(&self) -> (Nanos, Option<Nanos>) {
        match &self.work {
            FileWorkload::Row { time, .. } => (Nanos(0), Some(*time)),
            FileWorkload::Mix { warm_up, time, .. } => (*warm_up, Some(*time)),
            FileWorkload::Prepare { .. } | FileWorkload::Copy { .. } | FileWorkload::Remove => {
                (Nanos(0), None)
            }
        }
    }

    /// Files are bounded by the size that is ordered and read again, or by nothing: the speed of the place is what is
    /// measured. What a disk stores several times counts as often. What moves between a client and a file server is not
    /// counted during the trial.
    fn traffic_demand(&self, _role: EndpointRole, _client: u16) -> TrafficDemand {
        let stored = |size: Bytes| size.0.saturating_mul(self.storage_passes.into());
        let bytes = match &self.work {
            FileWorkload::Prepare { file } => Some(Bytes(file.map_or(0, stored))),
            FileWorkload::Copy { size, .. } => {
                let compared = match self.verify {
                    VerifyMode::Off => 0,
                    VerifyMode::Sample => size.0.min(MAX_SAMPLED_BYTES),
                    VerifyMode::Full => size.0,
                };
                Some(Bytes(stored(*size).saturating_add(compared)))
            }
            FileWorkload::Remove => Some(Bytes(0)),
            FileWorkload::Row { .. } | FileWorkload::Mix { .. } => None,
        };
        let connections = match &self.work {
            FileWorkload::Mix { players, .. } => u32::from(*players),
            _ => 1,
        };
        let (warm_up, time) = self.measurement_window();
        let time = time.map(|t| Nanos(t.0.saturating_add(warm_up.0)));
        TrafficDemand { rate: None, time, connections, bytes }
    }

    fn memory_demand(&self) -> Bytes {
        Bytes(match &self.work {
            FileWorkload::Copy { block, depth, .. } => block.0.saturating_mul(u64::from(*depth)),
            FileWorkload::Row { way, block, queue, threads, size, .. } => {
                // A bit for each written block.
                let written = if *way == FileDirection::Write { size.0 / block.0.max(1) / 8 } else { 0 };
                let each = block.0.saturating_mul(u64::from(*queue)).saturating_add(written);
                each.saturating_mul(u64::from(*threads))
            }
            FileWorkload::Prepare { .. } | FileWorkload::Mix { .. } | FileWorkload::Remove => 0,
        })
    }

    /// A file is prepared or compared, or a disk writes its cache.
    fn idle_allowance(&self) -> Nanos {
        let size = match &self.work {
            FileWorkload::Prepare { file } => file.unwrap_or_default(),
            FileWorkload::Copy { size, .. } | FileWorkload::Row { size, .. } => *size,
            FileWorkload::Mix { .. } | FileWorkload::Remove => Bytes(0),
        };
        let seconds = size.0.saturating_mul(self.storage_passes.into()) / MIN_DISK_RATE;
        Nanos(seconds.saturating_mul(Nanos::SECOND.0).saturating_add(MAX_OVERHEAD_TIME.0))
    }

    fn file_location(&self) -> Option<&FileLocation> {
        Some(&self.place)
    }

    fn file_location_mut(&mut self) -> Option<&mut FileLocation> {
        Some(&mut self.place)
    }

    /// A load file counts, because even a refusal would show whether it exists and has the order's SHA-256.
    fn accessed_paths(&self, role: EndpointRole) -> Vec<&str> {
        let connects = role == EndpointRole::Connect;
        let place = match &self.place {
            FileLocation::Folder { path } if connects => Some(path),
            FileLocation::Sink { sink: SinkStorageKind::Disk { path } } if !connects => path.as_ref(),
            FileLocation::Folder { .. }
            | FileLocation::Smb { .. }
            | FileLocation::Nfs { .. }
            | FileLocation::Sink { .. } => None,
        };
        let other = match &self.work {
            _ if !connects => self.server_folder.as_ref(),
            FileWorkload::Copy { local, .. } => local.as_ref(),
            FileWorkload::Mix { load: FileOperationMixSource::LoadFile { path, .. }, .. } => Some(path),
            _ => None,
        };
        [place, other].into_iter().flatten().map(String::as_str).collect()
    }

    fn client_names(&self) -> Option<&[String]> {
        Some(&self.clients)
    }

    fn remove_clients(&mut self, absent: &[u16]) {
        let mut numbers = 0u16..;
        self.clients.retain(|_| numbers.next().is_some_and(|number| !absent.contains(&number)));
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn is_cpu_use_relevant(&self) -> bool {
        self.is_measured_workload()
    }
}
