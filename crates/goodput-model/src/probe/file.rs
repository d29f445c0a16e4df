//! Work on files: the settings of the probe `file`, and what a client reports of it.
//!
//! One trial is one piece of work at one place, by one host or by several at once: writing a file, reading it back, one
//! row of a drive mark, a file-server mix. Between the trials of a run nothing is kept in memory: they meet in a folder
//! of our own (the *workspace*), which the first of them makes and the last removes.

pub(crate) mod metrics;
mod op;
mod report;
pub(crate) mod result;

pub use op::{CreateOptions, Disposition, Expect, FileOp, LoadFile, OpClass, TimedOp};
pub use report::{CacheSeen, ClassAccount, DiskAccount, FileReport, PlaceFacts, Verified};

use super::{Demand, LiveRate, Role, Settings};
use crate::units::{BitRate, Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// Settings of the probe `file`, `docs/methods/file.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct File {
    /// The names of the hosts that work, in the order of [`crate::trial::Order::client`].
    pub clients: Vec<String>,
    pub place: Place,
    /// Name of the folder that everything happens in: `.goodput-` and a UUID.
    pub workspace: String,
    pub work: FileWork,
    /// Whether caches of the client's own system are passed by.
    pub access: Access,
    /// When written data is asked to be durable.
    pub flush: Flush,
    /// How much of what was written is read back and compared, outside the measured time.
    pub verify: Verify,
    /// Seed of random offsets. The data is made from the workspace's name, so that what one trial of a run writes can be
    /// compared by the next.
    pub seed: u64,
    pub interval: Nanos,
    /// Folder of the listening agent's host in which the place lies, absolute, where an agent runs at the server: its disk
    /// is counted there, and its page cache lets go of the workspace's files before work that is to find them cold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub server_folder: Option<String>,
}

/// Where the files lie, as the clients see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Place {
    /// A folder of the client's file system: a local disk or any mount.
    Folder { path: String },
    /// An SMB share, spoken to by ourselves. The password is no setting: each client finds it on its own host.
    Smb {
        /// Name or address of the server.
        host: String,
        /// TCP port, 445 usually.
        port: u16,
        domain: Option<String>,
        /// User; `None` is a guest.
        user: Option<String>,
        share: String,
        /// Folder in the share, with `/`; empty for its root.
        path: String,
    },
    /// An NFS export (version 3), spoken to by ourselves.
    Nfs {
        /// Name or address of the server.
        host: String,
        /// TCP port of the NFS service; `None` asks the portmapper.
        port: Option<u16>,
        /// TCP port of the mount service; `None` asks the portmapper.
        mount_port: Option<u16>,
        export: String,
        /// Folder in the export, with `/`; empty for its root.
        path: String,
    },
    /// What the listening agent keeps, by way of the trial's own data connections.
    Sink { sink: Sink },
}

/// Where an agent puts what it is given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Sink {
    /// Nowhere; what is read from it is made up (and carries the stamps that belong to its offset).
    Null,
    /// In memory, until the trial that removes the workspace, or the end of the lease.
    Memory,
    /// In a folder of the agent's host.
    Disk {
        /// Absolute path; `None` is the first folder that the agent's policy allows.
        path: Option<String>,
    },
    /// Nothing is kept and nothing is understood: bytes in the sizes that an SMB client and server would exchange for
    /// each operation of a mix (tbench's idea).
    Net,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FileWork {
    /// Makes the workspace, and in it the file that is to be read later. Not a measurement.
    Prepare {
        /// Size of the test file; `None` makes none.
        file: Option<Bytes>,
    },
    /// One big file, once from its beginning to its end. The window ends with the work.
    Copy {
        way: FileWay,
        size: Bytes,
        block: Bytes,
        /// Operations under way at once.
        depth: u16,
        /// Folder of the client whose disk is at the other end of the copy; `None` is memory.
        local: Option<String>,
    },
    /// One row of a drive mark on the prepared file.
    Row {
        /// As the named version of the drive mark calls it, for example `4K QD32`.
        name: String,
        way: FileWay,
        pattern: FilePattern,
        block: Bytes,
        /// Operations under way at once in each thread.
        queue: u16,
        threads: u16,
        size: Bytes,
        time: Nanos,
    },
    /// A file server's life: a load file, or our own, again and again.
    Mix {
        load: MixSource,
        /// Players on each client; each has a folder and (where there is a network) a connection of its own.
        players: u16,
        /// Time before the window that is not counted.
        warm_up: Nanos,
        time: Nanos,
        /// Operations that end otherwise than the load file says, until a player gives up.
        max_errors: u32,
        /// Payload of one player is held to this rate; `None` plays as fast as it goes.
        rate: Option<BitRate>,
    },
    Remove,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum MixSource {
    /// Our own profile of an office's day, made from a seed.
    Office { seed: u64 },
    /// A load file of dbench's, which lies on every client.
    LoadFile {
        path: String,
        /// Of the file's bytes, in hexadecimal: all clients play the same.
        sha256: String,
    },
}

/// Which way data goes, seen from the client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileWay {
    Write,
    Read,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FilePattern {
    /// One after another, from the beginning again at the end.
    Sequential,
    /// Any multiple of the block, each as likely.
    Random,
}

/// Whether caches of the client's own system are passed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// O_DIRECT where the file system has it, else caches are emptied before and looked into; what became of it is in
    /// [`FileReport::cache`].
    Direct,
    Cached,
}

/// When written data is asked to be durable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flush {
    None,
    /// Once, after the last write; the time until then stands beside the time until the last write was accepted.
    End,
    /// Likewise, and a window of fixed length goes on until the flush is answered: all that was begun in it is counted.
    /// Drive marks of old time their writes so. For work that ends by itself it is the same as [`Flush::End`].
    Within,
    Each,
}

/// How much of what was written is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verify {
    Off,
    /// 256 blocks spread over the file.
    Sample,
    Full,
}

pub const WORKSPACE_PREFIX: &str = ".goodput-";
pub const MARKER: &str = "goodput-workspace.json";
pub const LARGEST_BLOCK: Bytes = Bytes(64 << 20);
pub const MOST_PLAYERS: usize = 4_096;

impl File {
    /// The settings as if some clients (indices into [`File::clients`]) had never been named; the others are numbered anew
    /// in the same order.
    pub fn without(&self, absent: &[u16]) -> File {
        let staying = (0u16..).zip(&self.clients).filter(|(at, _)| !absent.contains(at));
        File { clients: staying.map(|(_, name)| name.clone()).collect(), ..self.clone() }
    }

    /// True for work that is measured; false for what is done before and after it.
    pub fn measures(&self) -> bool {
        !matches!(self.work, FileWork::Prepare { .. } | FileWork::Remove)
    }
}

impl Settings for File {
    type Result = result::FileResult;

    fn window(&self) -> (Nanos, Option<Nanos>) {
        match &self.work {
            FileWork::Row { time, .. } => (Nanos(0), Some(*time)),
            FileWork::Mix { warm_up, time, .. } => (*warm_up, Some(*time)),
            FileWork::Prepare { .. } | FileWork::Copy { .. } | FileWork::Remove => (Nanos(0), None),
        }
    }

    /// Files are bounded by the size that is ordered, or by nothing: the speed of the place is what is measured.
    fn demand(&self, _role: Role, _client: u16) -> Demand {
        let bytes = match &self.work {
            FileWork::Prepare { file } => Some(file.unwrap_or(Bytes(0))),
            FileWork::Copy { size, .. } => Some(*size),
            FileWork::Remove => Some(Bytes(0)),
            FileWork::Row { .. } | FileWork::Mix { .. } => None,
        };
        let connections = match &self.work {
            FileWork::Mix { players, .. } => u32::from(*players),
            _ => 1,
        };
        let (warm_up, time) = self.window();
        let time = time.map(|t| Nanos(t.0.saturating_add(warm_up.0)));
        Demand { rate: None, time, connections, bytes }
    }

    fn live(&self) -> LiveRate {
        LiveRate::Bytes
    }

    fn clients(&self) -> Option<&[String]> {
        Some(&self.clients)
    }

    fn remove_clients(&mut self, absent: &[u16]) {
        *self = self.without(absent);
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn uses_cpu(&self) -> bool {
        self.measures()
    }
}
