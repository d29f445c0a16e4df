//! The operations of a file-server mix, by the names of dbench's load files.

use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// A load file, shared by all players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DbenchLoadFile {
    /// Relative, with `/`; each player replaces [`DbenchLoadFile::PLAYER_FOLDER`] by its own number.
    pub paths: Vec<String>,
    pub ops: Vec<TimedFileOp>,
    pub handles: u32,
}

impl DbenchLoadFile {
    /// The player's own folder in a path: each `client1` of the load file.
    pub const PLAYER_FOLDER: &'static str = "client1";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedFileOp {
    /// Not earlier than this after the beginning of the pass.
    pub at: Option<Nanos>,
    pub op: FileOp,
    pub expect: ExpectedStatus,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedStatus {
    Success,
    Status(u32),
    Failure,
    Any,
}

/// `path`, `from` and `to` are indices into [`DbenchLoadFile::paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum FileOp {
    Create {
        path: u32,
        options: CreateOptions,
        disposition: CreateDisposition,
        handle: u32,
    },
    Close {
        handle: u32,
    },
    Read {
        handle: u32,
        offset: u64,
        size: u32,
        /// Bytes in the captured trace.
        actual: u32,
    },
    Write {
        handle: u32,
        offset: u64,
        size: u32,
        /// Bytes in the captured trace.
        actual: u32,
    },
    Flush {
        handle: u32,
    },
    Lock {
        handle: u32,
        offset: u64,
        size: u64,
    },
    Unlock {
        handle: u32,
        offset: u64,
        size: u64,
    },
    Unlink {
        path: u32,
    },
    Rename {
        from: u32,
        to: u32,
    },
    Mkdir {
        path: u32,
    },
    Rmdir {
        path: u32,
    },
    /// Deltree: a folder with its content.
    Deltree {
        path: u32,
    },
    Find {
        path: u32,
        level: u32,
        max: u32,
        /// Entries in the captured trace.
        count: u32,
    },
    QueryPath {
        path: u32,
        level: u32,
    },
    QueryFile {
        handle: u32,
        level: u32,
    },
    QueryFs {
        level: u32,
    },
    SetFile {
        handle: u32,
        level: u32,
    },
    /// SLEEP of dbench 5.
    Sleep {
        time: Nanos,
    },
    /// LOOP of dbench 5: repeats the operations up to the matching [`FileOp::EndLoop`].
    Loop {
        times: u32,
    },
    EndLoop,
    /// SETSP of dbench 5: this player has reached a synchronisation point.
    SetPoint {
        point: u32,
    },
    /// WAITSP of dbench 5: waits until a player has reached a point.
    WaitPoint {
        player: u32,
        point: u32,
    },
}

/// Options of a create (MS-SMB2 2.2.13): bit 0 is "a directory", bit 6 "not a directory".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CreateOptions(pub u32);

impl CreateOptions {
    pub const fn is_directory(self) -> bool {
        self.0 & 0x1 != 0
    }

    pub const fn is_non_directory(self) -> bool {
        self.0 & 0x40 != 0
    }
}

/// Create disposition (MS-SMB2 2.2.13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CreateDisposition {
    Supersede,
    Open,
    Create,
    OpenIf,
    Overwrite,
    OverwriteIf,
}

/// Class of operations, for counts and latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FileOpClass {
    Create,
    Close,
    Read,
    Write,
    Flush,
    Lock,
    Unlock,
    Unlink,
    Rename,
    Mkdir,
    Rmdir,
    Deltree,
    Find,
    QueryPath,
    QueryFile,
    QueryFs,
    SetFile,
}

impl FileOpClass {
    pub const ALL: [FileOpClass; 17] = [
        FileOpClass::Create,
        FileOpClass::Close,
        FileOpClass::Read,
        FileOpClass::Write,
        FileOpClass::Flush,
        FileOpClass::Lock,
        FileOpClass::Unlock,
        FileOpClass::Unlink,
        FileOpClass::Rename,
        FileOpClass::Mkdir,
        FileOpClass::Rmdir,
        FileOpClass::Deltree,
        FileOpClass::Find,
        FileOpClass::QueryPath,
        FileOpClass::QueryFile,
        FileOpClass::QueryFs,
        FileOpClass::SetFile,
    ];

    /// In series (`latency-NAME`), tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            FileOpClass::Create => "create",
            FileOpClass::Close => "close",
            FileOpClass::Read => "read",
            FileOpClass::Write => "write",
            FileOpClass::Flush => "flush",
            FileOpClass::Lock => "lock",
            FileOpClass::Unlock => "unlock",
            FileOpClass::Unlink => "unlink",
            FileOpClass::Rename => "rename",
            FileOpClass::Mkdir => "mkdir",
            FileOpClass::Rmdir => "rmdir",
            FileOpClass::Deltree => "deltree",
            FileOpClass::Find => "find",
            FileOpClass::QueryPath => "query_path",
            FileOpClass::QueryFile => "query_file",
            FileOpClass::QueryFs => "query_fs",
            FileOpClass::SetFile => "set_file",
        }
    }
}

impl FileOp {
    /// `None` for operations that only control the player.
    pub const fn class(&self) -> Option<FileOpClass> {
        Some(match self {
            FileOp::Create { .. } => FileOpClass::Create,
            FileOp::Close { .. } => FileOpClass::Close,
            FileOp::Read { .. } => FileOpClass::Read,
            FileOp::Write { .. } => FileOpClass::Write,
            FileOp::Flush { .. } => FileOpClass::Flush,
            FileOp::Lock { .. } => FileOpClass::Lock,
            FileOp::Unlock { .. } => FileOpClass::Unlock,
            FileOp::Unlink { .. } => FileOpClass::Unlink,
            FileOp::Rename { .. } => FileOpClass::Rename,
            FileOp::Mkdir { .. } => FileOpClass::Mkdir,
            FileOp::Rmdir { .. } => FileOpClass::Rmdir,
            FileOp::Deltree { .. } => FileOpClass::Deltree,
            FileOp::Find { .. } => FileOpClass::Find,
            FileOp::QueryPath { .. } => FileOpClass::QueryPath,
            FileOp::QueryFile { .. } => FileOpClass::QueryFile,
            FileOp::QueryFs { .. } => FileOpClass::QueryFs,
            FileOp::SetFile { .. } => FileOpClass::SetFile,
            FileOp::Sleep { .. }
            | FileOp::Loop { .. }
            | FileOp::EndLoop
            | FileOp::SetPoint { .. }
            | FileOp::WaitPoint { .. } => return None,
        })
    }

    /// Indices into [`DbenchLoadFile::paths`]; two for a rename.
    pub const fn path_indices(&self) -> [Option<u32>; 2] {
        match *self {
            FileOp::Create { path, .. }
            | FileOp::Unlink { path }
            | FileOp::Mkdir { path }
            | FileOp::Rmdir { path }
            | FileOp::Deltree { path }
            | FileOp::Find { path, .. }
            | FileOp::QueryPath { path, .. } => [Some(path), None],
            FileOp::Rename { from, to } => [Some(from), Some(to)],
            _ => [None, None],
        }
    }

    pub const fn handle_index(&self) -> Option<u32> {
        match *self {
            FileOp::Create { handle, .. }
            | FileOp::Close { handle }
            | FileOp::Read { handle, .. }
            | FileOp::Write { handle, .. }
            | FileOp::Flush { handle }
            | FileOp::Lock { handle, .. }
            | FileOp::Unlock { handle, .. }
            | FileOp::QueryFile { handle, .. }
            | FileOp::SetFile { handle, .. } => Some(handle),
            _ => None,
        }
    }

    pub const fn payload_bytes(&self) -> Bytes {
        match self {
            FileOp::Read { size, .. } | FileOp::Write { size, .. } => Bytes(*size as u64),
            _ => Bytes(0),
        }
    }
}
