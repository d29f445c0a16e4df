//! A mix without files: transfers the bytes that an SMB client and server exchange, with the sizes of tbench
//! (source of dbench 4.0). It is the limit of network and protocol stacks without file system and disk.

use super::backend::MixBackend;
use super::expected_result::{OperationOutcome, compare_with_expected};
use crate::FileError;
use goodput_model::file::{DbenchLoadFile, ExpectedOpStatus, FileOp};

/// A connection whose requests state the length of their responses. One request is in flight at a time.
pub trait TbenchTransport: Send {
    /// Sends `request` bytes and waits for `response` bytes. Both include framing and are at least 8.
    fn exchange_messages(&mut self, request: u32, response: u32) -> Result<(), FileError>;
}

/// Bytes of tbench's initial exchange, each way.
pub const TBENCH_SETUP_BYTES: (u32, u32) = (8, 8);
/// tbench prefixes each path with `./`.
const BASE: u32 = 2;

/// Bytes of request and response, as in tbench 4.0; `None` where tbench sends nothing (removal of a tree,
/// control operations). `path` and `other` are path lengths in characters, 0 without one. A listing's
/// response has 90 bytes per entry.
pub fn tbench_message_sizes(op: &FileOp, path: u32, other: u32) -> Option<(u32, u32)> {
    let wide = path.saturating_mul(2);
    let (request, response) = match *op {
        FileOp::Create { .. } => (wide.saturating_add(74), 87),
        FileOp::Close { .. } => (47, 39),
        FileOp::Flush { .. } => (41, 39),
        FileOp::Read { actual, .. } => (59, actual.saturating_add(59)),
        FileOp::Write { size, .. } => (size.saturating_add(59), 55),
        FileOp::Unlink { .. } | FileOp::Mkdir { .. } | FileOp::Rmdir { .. } => (wide.saturating_add(43), 39),
        FileOp::Rename { .. } => (wide.saturating_add(other.saturating_mul(2)).saturating_add(47), 39),
        FileOp::QueryPath { .. } => (wide.saturating_add(55), 71),
        FileOp::QueryFile { .. } | FileOp::QueryFs { .. } => (59, 71),
        FileOp::Find { count, .. } => (wide.saturating_add(59), count.saturating_mul(90).saturating_add(39)),
        FileOp::SetFile { .. } => (71, 47),
        FileOp::Lock { .. } | FileOp::Unlock { .. } => (51, 39),
        FileOp::Deltree { .. }
        | FileOp::Sleep { .. }
        | FileOp::Loop { .. }
        | FileOp::EndLoop
        | FileOp::SetPoint { .. }
        | FileOp::WaitPoint { .. } => return None,
    };
    Some((request, response))
}

pub(super) struct TbenchBackend {
    wire: Box<dyn TbenchTransport>,
    /// Path lengths as in tbench.
    lengths: Vec<u32>,
    paths: Vec<String>,
    begun: bool,
    exchanges: u64,
}

impl TbenchBackend {
    pub fn new(wire: Box<dyn TbenchTransport>, load: &DbenchLoadFile, number: usize) -> TbenchBackend {
        let name = format!("client{number}");
        let paths: Vec<String> =
            load.paths.iter().map(|p| p.replace(DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER, &name)).collect();
        let lengths = paths.iter().map(|path| path.chars().count() as u32 + BASE).collect();
        TbenchBackend { wire, lengths, paths, begun: false, exchanges: 0 }
    }

    #[inline(always)]
    fn length(&self, path: u32) -> u32 {
        self.lengths.get(path as usize).copied().unwrap_or(BASE)
    }

    fn exchange(&mut self, sizes: (u32, u32)) -> Result<(), FileError> {
        self.exchanges += 1;
        self.wire.exchange_messages(sizes.0, sizes.1)
    }
}

impl MixBackend for TbenchBackend {
    fn prepare_load_file_pass(&mut self) -> Result<(), FileError> {
        if self.begun {
            return Ok(());
        }
        self.begun = true;
        self.exchange(TBENCH_SETUP_BYTES)
    }

    #[inline]
    fn perform_operation(&mut self, op: &FileOp, expect: ExpectedOpStatus) -> OperationOutcome {
        let [path, other] = op.path_indices().map(|path| path.map_or(0, |path| self.length(path)));
        let Some(sizes) = tbench_message_sizes(op, path, other) else { return OperationOutcome::Done(0) };
        let payload = match *op {
            FileOp::Read { actual, .. } => u64::from(actual),
            FileOp::Write { size, .. } => u64::from(size),
            _ => 0,
        };
        match self.exchange(sizes) {
            // A failing operation takes as many bytes as a successful one.
            Ok(()) if matches!(expect, ExpectedOpStatus::Status(_) | ExpectedOpStatus::Failure) => {
                OperationOutcome::Failed
            }
            ended => compare_with_expected(ExpectedOpStatus::Success, ended.map(|()| payload)),
        }
    }

    fn request_count(&self) -> Option<u64> {
        Some(self.exchanges)
    }

    fn remove_files(&mut self) -> Result<(), FileError> {
        Ok(())
    }

    fn display_path(&self, index: u32) -> String {
        self.paths.get(index as usize).cloned().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::file::{CreateDisposition, CreateOptions, FileOpClass};

    /// tbench's sizes for paths of 10 and 20 characters, 1000 bytes and 3 entries.
    #[test]
    fn the_sizes_are_tbenchs() {
        let (p, h, options, disposition) = (0, 0, CreateOptions(0), CreateDisposition::Open);
        let cases = [
            (FileOp::Create { path: p, options, disposition, handle: h }, (94, 87)),
            (FileOp::Close { handle: h }, (47, 39)),
            (FileOp::Flush { handle: h }, (41, 39)),
            (FileOp::Read { handle: h, offset: 0, size: 4096, actual: 1000 }, (59, 1059)),
            (FileOp::Write { handle: h, offset: 0, size: 1000, actual: 7 }, (1059, 55)),
            (FileOp::Unlink { path: p }, (63, 39)),
            (FileOp::Mkdir { path: p }, (63, 39)),
            (FileOp::Rmdir { path: p }, (63, 39)),
            (FileOp::Rename { from: p, to: p }, (107, 39)),
            (FileOp::QueryPath { path: p, level: 1004 }, (75, 71)),
            (FileOp::QueryFile { handle: h, level: 1034 }, (59, 71)),
            (FileOp::QueryFs { level: 1 }, (59, 71)),
            (FileOp::Find { path: p, level: 260, max: 1366, count: 3 }, (79, 309)),
            (FileOp::SetFile { handle: h, level: 1004 }, (71, 47)),
            (FileOp::Lock { handle: h, offset: 0, size: 1 }, (51, 39)),
            (FileOp::Unlock { handle: h, offset: 0, size: 1 }, (51, 39)),
        ];
        for (op, sizes) in cases {
            assert_eq!(tbench_message_sizes(&op, 10, 20), Some(sizes), "{op:?}");
        }
        assert_eq!(cases.len() + 1, FileOpClass::ALL.len(), "all but Deltree");
        assert_eq!(tbench_message_sizes(&FileOp::Deltree { path: p }, 10, 0), None);
        assert_eq!(tbench_message_sizes(&FileOp::EndLoop, 0, 0), None);
    }
}
