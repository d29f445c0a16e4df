//! The operations of a file-server mix, in the words of dbench's load files.

use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// A whole load file. Every player shares one; paths stand once.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoadFile {
    /// The paths, relative, with `/`; a player puts its own number in the place of [`LoadFile::PLAYER`].
    pub paths: Vec<String>,
    /// The operations in their order.
    pub ops: Vec<TimedOp>,
    /// Handles are numbers below this.
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
    /// What.
    pub op: FileOp,
    /// How it is to end.
    pub expect: Expect,
    /// Line of the load file, from 1.
    pub line: u32,
}

/// How an operation is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Expect {
    /// Well.
    Success,
    /// With this NT status.
    Status(u32),
    /// With any failure.
    Failure,
    /// Anyhow.
    Any,
}

/// What is done. `path`, `from` and `to` are indices into [`LoadFile::paths`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum FileOp {
    /// NTCreateX.
    Create {
        /// What is opened.
        path: u32,
        /// Create options.
        options: CreateOptions,
        /// What to do when it exists or not.
        disposition: Disposition,
        /// The number it is called by from now on.
        handle: u32,
    },
    /// Close.
    Close {
        /// What.
        handle: u32,
    },
    /// ReadX.
    Read {
        /// From what.
        handle: u32,
        /// At which byte.
        offset: u64,
        /// How many bytes are asked for.
        size: u32,
        /// How many came when it was captured.
        actual: u32,
    },
    /// WriteX.
    Write {
        /// To what.
        handle: u32,
        /// At which byte.
        offset: u64,
        /// How many bytes.
        size: u32,
        /// How many were taken when it was captured.
        actual: u32,
    },
    /// Flush.
    Flush {
        /// What.
        handle: u32,
    },
    /// LockX.
    Lock {
        /// In what.
        handle: u32,
        /// From which byte.
        offset: u64,
        /// How many bytes.
        size: u64,
    },
    /// UnlockX.
    Unlock {
        /// In what.
        handle: u32,
        /// From which byte.
        offset: u64,
        /// How many bytes.
        size: u64,
    },
    /// Unlink.
    Unlink {
        /// What.
        path: u32,
    },
    /// Rename.
    Rename {
        /// The old name.
        from: u32,
        /// The new one.
        to: u32,
    },
    /// Mkdir.
    Mkdir {
        /// What.
        path: u32,
    },
    /// Rmdir.
    Rmdir {
        /// What.
        path: u32,
    },
    /// Deltree: a folder with all that is in it.
    Deltree {
        /// What.
        path: u32,
    },
    /// FIND_FIRST.
    Find {
        /// Folder and pattern.
        path: u32,
        /// Information level.
        level: u32,
        /// Entries at the most.
        max: u32,
        /// Entries that came when it was captured.
        count: u32,
    },
    /// QUERY_PATH_INFORMATION.
    QueryPath {
        /// What.
        path: u32,
        /// Information level.
        level: u32,
    },
    /// QUERY_FILE_INFORMATION.
    QueryFile {
        /// What.
        handle: u32,
        /// Information level.
        level: u32,
    },
    /// QUERY_FS_INFORMATION.
    QueryFs {
        /// Information level.
        level: u32,
    },
    /// SET_FILE_INFORMATION.
    SetFile {
        /// What.
        handle: u32,
        /// Information level.
        level: u32,
    },
    /// SLEEP of dbench 5.
    Sleep {
        /// How long.
        time: Nanos,
    },
    /// LOOP of dbench 5: plays the operations up to the matching [`FileOp::EndLoop`] so often.
    Loop {
        /// How often.
        times: u32,
    },
    /// ENDLOOP.
    EndLoop,
    /// SETSP of dbench 5: says that this player has come to this point.
    SetPoint {
        /// Which point.
        point: u32,
    },
    /// WAITSP: waits until a player has come to a point.
    WaitPoint {
        /// Which player, from 0.
        player: u32,
        /// Which point.
        point: u32,
    },
}

/// Options of a create (MS-SMB2 2.2.13): bit 0 is "a directory", bit 6 "not a directory".
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct CreateOptions(pub u32);

impl CreateOptions {
    /// FILE_DIRECTORY_FILE.
    pub const fn directory(self) -> bool {
        self.0 & 0x1 != 0
    }

    /// FILE_NON_DIRECTORY_FILE.
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
    /// NTCreateX.
    Create,
    /// Close.
    Close,
    /// ReadX, and the reads of copies and rows.
    Read,
    /// WriteX, and the writes of copies and rows.
    Write,
    /// Flush.
    Flush,
    /// LockX.
    Lock,
    /// UnlockX.
    Unlock,
    /// Unlink.
    Unlink,
    /// Rename.
    Rename,
    /// Mkdir.
    Mkdir,
    /// Rmdir.
    Rmdir,
    /// Deltree.
    Deltree,
    /// FIND_FIRST.
    Find,
    /// QUERY_PATH_INFORMATION.
    QueryPath,
    /// QUERY_FILE_INFORMATION.
    QueryFile,
    /// QUERY_FS_INFORMATION.
    QueryFs,
    /// SET_FILE_INFORMATION.
    SetFile,
}

impl OpClass {
    /// All of them, in the order of tables.
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

    /// Payload that it is asked to move.
    pub const fn payload(&self) -> Bytes {
        match self {
            FileOp::Read { size, .. } | FileOp::Write { size, .. } => Bytes(*size as u64),
            _ => Bytes(0),
        }
    }
}
