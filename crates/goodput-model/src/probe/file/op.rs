//! The operations of a file-server mix, by the names of dbench's load files.

use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// A load file, shared by all players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFile {
    /// Relative, with `/`; each player replaces [`LoadFile::PLAYER`] by its own number.
    pub paths: Vec<String>,
    pub ops: Vec<TimedOp>,
    pub handles: u32,
}

impl LoadFile {
    /// The player's own folder in a path: each `client1` of the load file.
    pub const PLAYER: &'static str = "client1";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedOp {
    /// Not earlier than this after the beginning of the pass.
    pub at: Option<Nanos>,
    pub op: FileOp,
    pub expect: Expect,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    Success,
    Status(u32),
    Failure,
    Any,
}

/// `path`, `from` and `to` are indices into [`LoadFile::paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum FileOp {
    Create {
        path: u32,
        options: CreateOptions,
        disposition: Disposition,
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
    pub const fn directory(self) -> bool {
        self.0 & 0x1 != 0
    }

    pub const fn non_directory(self) -> bool {
        self.0 & 0x40 != 0
    }
}

/// Create disposition (MS-SMB2 2.2.13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disposition {
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
pub enum OpClass {
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

impl OpClass {
    pub const ALL: [OpClass; 17] = [
        OpClass::Create,
        OpClass::Close,
        OpClass::Read,
        OpClass::Write,
        OpClass::Flush,
        OpClass::Lock,
        OpClass::Unlock,
        OpClass::Unlink,
        OpClass::Rename,
        OpClass::Mkdir,
        OpClass::Rmdir,
        OpClass::Deltree,
        OpClass::Find,
        OpClass::QueryPath,
        OpClass::QueryFile,
        OpClass::QueryFs,
        OpClass::SetFile,
    ];

    /// In series (`latency-NAME`), tables and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            OpClass::Create => "create",
            OpClass::Close => "close",
            OpClass::Read => "read",
            OpClass::Write => "write",
            OpClass::Flush => "flush",
            OpClass::Lock => "lock",
            OpClass::Unlock => "unlock",
            OpClass::Unlink => "unlink",
            OpClass::Rename => "rename",
            OpClass::Mkdir => "mkdir",
            OpClass::Rmdir => "rmdir",
            OpClass::Deltree => "deltree",
            OpClass::Find => "find",
            OpClass::QueryPath => "query_path",
            OpClass::QueryFile => "query_file",
            OpClass::QueryFs => "query_fs",
            OpClass::SetFile => "set_file",
        }
    }
}

impl FileOp {
    /// `None` for operations that only control the player.
    pub const fn class(&self) -> Option<OpClass> {
        Some(match self {
            FileOp::Create { .. } => OpClass::Create,
            FileOp::Close { .. } => OpClass::Close,
            FileOp::Read { .. } => OpClass::Read,
            FileOp::Write { .. } => OpClass::Write,
            FileOp::Flush { .. } => OpClass::Flush,
            FileOp::Lock { .. } => OpClass::Lock,
            FileOp::Unlock { .. } => OpClass::Unlock,
            FileOp::Unlink { .. } => OpClass::Unlink,
            FileOp::Rename { .. } => OpClass::Rename,
            FileOp::Mkdir { .. } => OpClass::Mkdir,
            FileOp::Rmdir { .. } => OpClass::Rmdir,
            FileOp::Deltree { .. } => OpClass::Deltree,
            FileOp::Find { .. } => OpClass::Find,
            FileOp::QueryPath { .. } => OpClass::QueryPath,
            FileOp::QueryFile { .. } => OpClass::QueryFile,
            FileOp::QueryFs { .. } => OpClass::QueryFs,
            FileOp::SetFile { .. } => OpClass::SetFile,
            FileOp::Sleep { .. }
            | FileOp::Loop { .. }
            | FileOp::EndLoop
            | FileOp::SetPoint { .. }
            | FileOp::WaitPoint { .. } => return None,
        })
    }

    /// Indices into [`LoadFile::paths`]; two for a rename.
    pub const fn paths(&self) -> [Option<u32>; 2] {
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

    pub const fn handle(&self) -> Option<u32> {
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

    pub const fn payload(&self) -> Bytes {
        match self {
            FileOp::Read { size, .. } | FileOp::Write { size, .. } => Bytes(*size as u64),
            _ => Bytes(0),
        }
    }
}
