//! How files are worked on: past the caches or through them, flushed when, compared how far.

use crate::args::value;
use crate::failure::Failure;
use clap::Args;
use goodput_model::file::{Access, Flush, Verify};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedHow {
    /// Past the caches of the client's system: O_DIRECT where the file system has it, else emptied and looked into
    /// beforehand [default, but for replay]
    #[arg(long)]
    direct: bool,
    /// Through the caches of the client's system [default of replay]
    #[arg(long, conflicts_with = "direct")]
    cached: bool,
    /// When what is written is asked to be durable: none, end, each [default: end; of a drive mark
    /// as its version does, of replay as the load file says]
    #[arg(long, value_name = "WHEN")]
    flush: Option<String>,
    /// How much is read back and compared, outside the measured time: off, sample, full [default: sample]
    #[arg(long, value_name = "HOW")]
    verify: Option<String>,
}

/// How files are worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct How {
    /// Caches.
    pub access: Access,
    /// Durability.
    pub flush: Flush,
    /// Comparison.
    pub verify: Verify,
}

impl How {
    /// Of copies and drive marks.
    pub const OF_BYTES: How = How { access: Access::Direct, flush: Flush::End, verify: Verify::Sample };
    /// Of mixes: a file server's clients go through their caches, and the load file itself says when to flush.
    pub const OF_A_MIX: How = How { access: Access::Cached, flush: Flush::None, verify: Verify::Sample };
}

impl TypedHow {
    /// What is meant, with these defaults; and when to flush, where that was typed.
    pub fn meaning(self, usual: How) -> Result<(How, Option<Flush>), Failure> {
        let access = match (self.direct, self.cached) {
            (true, _) => Access::Direct,
            (_, true) => Access::Cached,
            _ => usual.access,
        };
        let flush = self.flush.as_deref().map(|t| value::word("--flush", t, &FLUSHES)).transpose()?;
        let verify = self.verify.as_deref().map(|t| value::word("--verify", t, &VERIFIES)).transpose()?;
        let how = How { access, flush: flush.unwrap_or(usual.flush), verify: verify.unwrap_or(usual.verify) };
        Ok((how, flush))
    }
}

const FLUSHES: [(&str, Flush); 3] = [("none", Flush::None), ("end", Flush::End), ("each", Flush::Each)];
const VERIFIES: [(&str, Verify); 3] =
    [("off", Verify::Off), ("sample", Verify::Sample), ("full", Verify::Full)];
