//! Reads and writes of one file on a share, several under way at once.

use super::send::Talk;
use crate::wire::Line;
use crate::wire::lane::Slots;
use crate::{Done, FileError, Io, Lane};
use smb2::types::FileId;
use std::sync::Arc;
use std::time::Duration;

pub(super) struct SmbLane {
    pub(super) line: Arc<Line<Talk>>,
    pub(super) file: FileId,
    pub(super) slots: Slots,
}

impl Lane for SmbLane {
    fn buffer(&mut self, slot: usize) -> &mut [u8] {
        self.slots.buffer(slot)
    }

    fn submit(&mut self, io: Io) -> Result<(), FileError> {
        let (line, file, talk) = (&self.line, self.file, &self.line.speech);
        let most = if io.write { talk.max_write } else { talk.max_read } as usize;
        self.slots.submit(line, io, most, |job, (at, length), data| {
            let offset = io.offset + at as u64;
            let expect = |state: &mut crate::wire::desk::State, number, charge| {
                state.expect_part(number, charge, job, at, length);
            };
            match data {
                Some(data) => talk.send_write(line, file, offset, data, expect),
                None => talk.send_read(line, file, offset, length, expect).map(drop),
            }
        })
    }

    fn complete(&mut self, patience: Duration) -> Result<Done, FileError> {
        self.slots.complete(&self.line, patience)
    }
}

impl Drop for SmbLane {
    fn drop(&mut self) {
        self.slots.close(&self.line);
    }
}
