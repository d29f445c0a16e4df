//! Reads and writes of one file on an export, several under way at once.

use super::rpc::{Rpc, send_read, send_write};
use crate::wire::Line;
use crate::wire::lane::Slots;
use crate::{Done, FileError, Io, Lane};
use nfs3_client::nfs3_types::nfs3::nfs_fh3;
use std::sync::Arc;
use std::time::Duration;

pub(super) struct NfsLane {
    pub(super) line: Arc<Line<Rpc>>,
    pub(super) file: nfs_fh3,
    pub(super) slots: Slots,
    /// Largest read and write.
    pub(super) most: (usize, usize),
}

impl Lane for NfsLane {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.slots.buffer(slot)
    }

    fn submit(&mut self, io: Io) -> Result<(), FileError> {
        let (line, file) = (&self.line, &self.file);
        let most = if io.write { self.most.1 } else { self.most.0 };
        self.slots.submit(line, io, most, |job, (at, length), data| {
            let offset = io.offset + at as u64;
            let expect = |state: &mut crate::wire::desk::State, number| {
                state.expect_part(number, 0, job, at, length);
            };
            match data {
                Some(data) => send_write(line, file, offset, data, expect),
                None => send_read(line, file, offset, length, expect).map(drop),
            }
        })
    }

    fn complete(&mut self, patience: Duration) -> Result<Done, FileError> {
        self.slots.complete(&self.line, patience)
    }
}

impl Drop for NfsLane {
    fn drop(&mut self) {
        self.slots.close(&self.line);
    }
}
