//! The timed copy of one big file.

use crate::args::value::{self, Bounds};
use crate::failure::Failure;
use clap::Args;
use goodput_model::Bytes;
use goodput_model::file::LARGEST_BLOCK;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedCopy {
    /// Folder of the client whose disk is at the other end of the copy; its own speed is measured beside it [default: the
    /// copy is from and to memory]
    #[arg(long, value_name = "DIR")]
    local: Option<String>,
    /// Bytes of one operation of a copy [default: 1MiB]
    #[arg(long, value_name = "SIZE")]
    block: Option<String>,
    /// Operations of a copy under way at once [default: 8]
    #[arg(long, value_name = "N")]
    depth: Option<String>,
}

/// The timed copy of one big file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyPlan {
    /// Length of the file.
    pub size: Bytes,
    /// Bytes of one operation.
    pub block: Bytes,
    /// Operations under way at once.
    pub depth: u16,
    /// Folder of the client whose disk is at the other end, as an absolute path.
    pub local: Option<String>,
}

/// The article's file.
const SIZE: Bytes = Bytes(600_000_000);
/// Lengths of files.
pub const FILE: Bounds<Bytes> =
    Bounds { range: Bytes(4_096)..=Bytes(100_000_000_000_000), words: "4KiB to 100000GB" };
/// Bytes of one operation.
const BLOCK: Bounds<Bytes> =
    Bounds { range: Bytes(4_096)..=LARGEST_BLOCK, words: "4KiB to 64MiB, in steps of 4KiB" };

impl TypedCopy {
    /// What is meant, for a file of this length if one was typed.
    pub fn meaning(self, size: Option<&str>) -> Result<CopyPlan, Failure> {
        let block = self.block.as_deref().map(|t| value::quantity("--block", t, &BLOCK)).transpose()?;
        let depth = self.depth.as_deref().map(|t| value::whole("--depth", t, 1..=1_024)).transpose()?;
        if let Some(block) = block.filter(|b| !b.0.is_multiple_of(4_096)) {
            return Err(Failure::usage(format!("--block {block} is refused"))
                .because("direct access and the stamps in the data need whole pages")
                .try_this(format!("type a multiple of 4KiB ({})", BLOCK.words)));
        }
        Ok(CopyPlan {
            size: size.map_or(Ok(SIZE), |t| value::quantity("--size", t, &FILE))?,
            block: block.unwrap_or(Bytes(1 << 20)),
            depth: depth.unwrap_or(8) as u16,
            local: self.local.as_deref().map(|t| super::target::folder("--local", t)).transpose()?,
        })
    }
}
