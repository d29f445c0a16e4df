//! The operations of a file-server mix, by the names of dbench's load files.

use crate::units::{Bytes, Nanos};
use serde::{Deserialize, Serialize};

/// A load file, shared by all players.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DbenchLoadFile {
    /// Relative, with `/`; each player replaces [`DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER`] by its own number.
    pub paths: Vec<String>,
    pub ops: Vec<ScheduledFileOp>,
    pub handles: u32,
}

impl DbenchLoadFile {
    /// The player's own folder in a path: each `client1` of the load file.
    pub const CLIENT_FOLDER_PLACEHOLDER: &'static str = "client1";
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledFileOp {
    /// Not earlier than this after the beginning of the pass.
    pub at: Option<Nanos>,
    pub op: FileOp,
    pub expect: ExpectedOpStatus,
    pub line: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExpectedOpStatus {
    Success,
    Status(u32),
    Failure,
    Any,
}

/// `path`, `from` and `to` are indices into [`DbenchLoadFile::paths`]; `actual` (bytes) and `count` (entries)
/// are what the captured trace had. `Deltree` is a folder with its content.
///
/// The last five control the player and are of dbench 5: SLEEP; LOOP, which repeats the operations up to the
/// matching `EndLoop`; SETSP, this player has reached a synchronisation point; WAITSP, which waits until a
/// player has reached one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum FileOp {
    Create { path: u32, options: CreateOptions, disposition: CreateDisposition, handle: u32 },
    Close { handle: u32 },
    Read { handle: u32, offset: u64, size: u32, actual: u32 },
    Write { handle: u32, offset: u64, size: u32, actual: u32 },
    Flush { handle: u32 },
    Lock { handle: u32, offset: u64, size: u64 },
    Unlock { handle: u32, offset: u64, size: u64 },
    Unlink { path: u32 },
    Rename { from: u32, to: u32 },
    Mkdir { path: u32 },
    Rmdir { path: u32 },
    Deltree { path: u32 },
    Find { path: u32, level: u32, max: u32, count: u32 },
    QueryPath { path: u32, level: u32 },
    QueryFile { handle: u32, level: u32 },
    QueryFs { level: u32 },
    SetFile { handle: u32, level: u32 },
    Sleep { time: Nanos },
    Loop { times: u32 },
    EndLoop,
    SetPoint { point: u32 },
    WaitPoint { player: u32, point: u32 },
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

enum_with_all! {
    /// Create disposition (MS-SMB2 2.2.13).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum CreateDisposition {
        Supersede = 0,
        Open = 1,
        Create = 2,
        OpenIf = 3,
        Overwrite = 4,
        OverwriteIf = 5,
    }
}

/// The classes of operations, with their names.
macro_rules! file_op_classes {
    ($($class:ident $name:literal,)*) => {
        /// Class of operations, for counts and latencies.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum FileOpClass {
            $(
                #[serde(rename = $name)]
                $class,
            )*
        }

        impl FileOpClass {
            pub const ALL: [FileOpClass; [$($name),*].len()] = [$(FileOpClass::$class),*];

            /// In series (`latency-NAME`), tables and JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $(FileOpClass::$class => $name,)*
                }
            }
        }

        impl FileOp {
            /// `None` for operations that only control the player.
            pub const fn class(&self) -> Option<FileOpClass> {
                match self {
                    $(FileOp::$class { .. } => Some(FileOpClass::$class),)*
                    FileOp::Sleep { .. }
                    | FileOp::Loop { .. }
                    | FileOp::EndLoop
                    | FileOp::SetPoint { .. }
                    | FileOp::WaitPoint { .. } => None,
                }
            }
        }
    };
}

file_op_classes! {
    Create "create",
    Close "close",
    Read "read",
    Write "write",
    Flush "flush",
    Lock "lock",
    Unlock "unlock",
    Unlink "unlink",
    Rename "rename",
    Mkdir "mkdir",
    Rmdir "rmdir",
    Deltree "deltree",
    Find "find",
    QueryPath "query_path",
    QueryFile "query_file",
    QueryFs "query_fs",
    SetFile "set_file",
}

impl FileOp {
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
