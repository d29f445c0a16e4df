//! The operations of a file-server mix, in the words of dbench's load files.

use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// A whole load file. Every player shares one; paths stand once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFile {
    /// The paths, relative, with `/`; a player puts its own number in the place of [`LoadFile::PLAYER`].
    pub paths: Vec<String>,
    pub ops: Vec<TimedOp>,
    pub handles: u32,
}

impl LoadFile {
    /// What stands for the player's own folder in a path: each `client1` of the load file.
    pub const PLAYER: &'static str = "client1";
}

/// One line of a load file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimedOp {
    /// Not before this long after the beginning of the pass.
    pub at: Option<Nanos>,
    pub op: FileOp,
    pub expect: Expect,
    /// Line of the load file, from 1.
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

/// What is done. `path`, `from` and `to` are indices into [`LoadFile::paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum FileOp {
    Create {
        path: u32,
        options: CreateOptions,
        disposition: Disposition,
        /// The number it is called by from now on.
        handle: u32,
    },
    Close {
        handle: u32,
    },
    Read {
        handle: u32,
        offset: u64,
        /// How many bytes are asked for.
        size: u32,
        /// How many came when it was captured.
        actual: u32,
    },
    Write {
        handle: u32,
        offset: u64,
        size: u32,
        /// How many were taken when it was captured.
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
    /// Deltree: a folder with all that is in it.
    Deltree {
        path: u32,
    },
    Find {
        path: u32,
        level: u32,
        max: u32,
        /// Entries that came when it was captured.
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
    /// LOOP of dbench 5: plays the operations up to the matching [`FileOp::EndLoop`] so often.
    Loop {
        times: u32,
    },
    EndLoop,
    /// SETSP of dbench 5: says that this player has come to this point.
    SetPoint {
        point: u32,
    },
    /// WAITSP: waits until a player has come to a point.
    WaitPoint {
        /// Which player, from 0.
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

/// What a create does when the file exists or not (MS-SMB2 2.2.13).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Disposition {
    /// 0: replaces or creates.
    Supersede,
    /// 1: must exist.
    Open,
    /// 2: must not exist.
    Create,
    /// 3: opens or creates.
    OpenIf,
    /// 4: must exist and is emptied.
    Overwrite,
    /// 5: is emptied or created.
    OverwriteIf,
}

/// What kind of operation, for counts and latencies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OpClass {
    Create,
    Close,
    /// ReadX, and the reads of copies and rows.
    Read,
    /// WriteX, and the writes of copies and rows.
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

    /// The name in series (`latency-NAME`), tables and JSON.
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
    /// Its class; `None` for what only steers the player.
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

    /// The paths that it names, as indices into [`LoadFile::paths`]; two for a rename.
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

    /// The handle that it uses, or gives to what it opens.
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
