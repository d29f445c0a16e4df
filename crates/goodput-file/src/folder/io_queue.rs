//! Lanes of a folder: concurrent reads and writes of one file.

mod rings;
mod threads;

use super::IoEngine;
use super::files::OpenFile;
use crate::{ErrorText, FileError, FileErrorKind, IoQueue, IoRequest, attempt};
use goodput_model::file::MAX_BLOCK_SIZE;
use goodput_words::message;
use std::fs::File;
use std::io;
use std::sync::Arc;

const MAX_DEPTH: usize = 4096;
const MAX_MEMORY: usize = 4 << 30;

pub(super) fn open_io_queue(
    file: Arc<OpenFile>,
    shown: String,
    block: usize,
    depth: usize,
    engine: IoEngine,
) -> Result<Box<dyn IoQueue>, FileError> {
    let what = || {
        let (depth, bytes) = (depth.to_string(), block.to_string());
        message!(part_attempt_keep_under_way { depth, bytes, place: &shown })
    };
    if file.is_folder {
        return Err(FileError::with_reason(what(), FileErrorKind::IsFolder, "it is a folder"));
    }
    let most = engine.max_depth();
    if block == 0 || block as u64 > MAX_BLOCK_SIZE.0 || depth == 0 || depth > most {
        let (bytes, most) = (MAX_BLOCK_SIZE.0.to_string(), most.to_string());
        let why = message!(cause_place_engine_limits { bytes, engine: engine.name(), most });
        return Err(FileError::with_reason(what(), FileErrorKind::NotSupported, why));
    }
    let modes = OpenModes::of(file, block);
    if modes.room.saturating_mul(depth) > MAX_MEMORY {
        let why = message!(cause_place_too_much_memory { bytes: MAX_MEMORY.to_string() });
        return Err(FileError::with_reason(what(), FileErrorKind::NotSupported, why));
    }
    let made: io::Result<Box<dyn IoQueue>> = match engine {
        IoEngine::IoUring => rings::IoUringQueue::new(modes, shown.clone(), depth)
            .map(|lane| Box::new(lane) as Box<dyn IoQueue>),
        IoEngine::Threads => threads::ThreadPoolQueue::new(modes, shown.clone(), depth)
            .map(|lane| Box::new(lane) as Box<dyn IoQueue>),
    };
    made.map_err(|source| FileError::from_io_error(what(), source))
}

impl IoEngine {
    const fn max_depth(self) -> usize {
        match self {
            IoEngine::IoUring => MAX_DEPTH,
            IoEngine::Threads => 512,
        }
    }
}

/// Descriptors of a file, and O_DIRECT's requirements.
#[derive(Debug, Clone)]
struct OpenModes {
    file: Arc<OpenFile>,
    /// Usable bytes of a buffer.
    block: usize,
    /// Allocated bytes: the block rounded up to whole direct reads.
    room: usize,
    memory: usize,
    /// Required alignment; 1 for none.
    unit: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    /// More than requested where the end of a file is read directly.
    length: usize,
    /// Buffered, because it is not aligned.
    plain: bool,
}

impl OpenModes {
    fn of(file: Arc<OpenFile>, block: usize) -> OpenModes {
        let (memory, unit) =
            file.direct.as_ref().map_or((1, 1), |(_, d)| (d.memory as usize, d.offset as usize));
        OpenModes { room: block.next_multiple_of(unit), memory: memory.max(4096), unit, block, file }
    }

    fn plan(&self, io: &IoRequest) -> Plan {
        let offset_fits = io.offset.is_multiple_of(self.unit as u64);
        if !offset_fits || (io.write && !io.length.is_multiple_of(self.unit)) {
            return Plan { length: io.length, plain: true };
        }
        Plan { length: io.length.next_multiple_of(self.unit), plain: false }
    }

    fn main(&self) -> &File {
        self.file.direct.as_ref().map_or(&self.file.plain, |(file, _)| file)
    }

    fn file(&self, plan: Plan) -> &File {
        if plan.plain { &self.file.plain } else { self.main() }
    }

    fn check(&self, io: &IoRequest, depth: usize, shown: &str) -> Result<(), FileError> {
        if io.slot < depth && (1..=self.block).contains(&io.length) {
            return Ok(());
        }
        let (depth, bytes) = (depth.to_string(), self.block.to_string());
        let why = message!(cause_place_no_such_buffer { depth, bytes });
        let (bytes, slot) = (io.length.to_string(), io.slot.to_string());
        let what = message!(part_attempt_use_buffer { bytes, slot, place: shown });
        Err(FileError::with_reason(what, FileErrorKind::Other, why))
    }
}

fn failed(io: &IoRequest, shown: &str, source: io::Error) -> FileError {
    let (bytes, offset) = (io.length.to_string(), io.offset.to_string());
    let what = match io.write {
        true => message!(part_attempt_write_part { bytes, offset, place: shown }),
        false => message!(part_attempt_read_part { bytes, offset, place: shown }),
    };
    FileError::from_io_error(what, source)
}

fn none_done(shown: &str, is_busy: bool) -> FileError {
    let what = ErrorText::of(attempt::read_or_write, shown);
    match is_busy {
        true => FileError::with_reason(what, FileErrorKind::Gone, "nothing was done in the time allowed"),
        false => FileError::with_reason(what, FileErrorKind::Other, "nothing is under way"),
    }
}

#[cfg(test)]
mod tests {
    use super::super::files::DirectIoAlignment;
    use super::*;

    fn modes(direct: Option<DirectIoAlignment>, block: usize) -> OpenModes {
        let file = || tempfile::tempfile().unwrap();
        let direct = direct.map(|d| (file(), d));
        let open = OpenFile { plain: file(), direct, is_folder: false, read_only: false, path: "a".into() };
        OpenModes::of(Arc::new(open), block)
    }

    fn io(offset: u64, length: usize, write: bool) -> IoRequest {
        IoRequest { slot: 0, offset, length, write }
    }

    #[test]
    fn what_is_not_aligned_goes_the_usual_way() {
        let direct = modes(Some(DirectIoAlignment { memory: 4, offset: 512 }), 1000);
        assert_eq!((direct.room, direct.memory), (1024, 4096));
        let plan = |io| direct.plan(&io);
        assert_eq!(plan(io(512, 512, true)), Plan { length: 512, plain: false });
        assert_eq!(plan(io(512, 100, true)), Plan { length: 100, plain: true });
        assert_eq!(plan(io(100, 512, false)), Plan { length: 512, plain: true });
        assert_eq!(plan(io(0, 1000, false)), Plan { length: 1024, plain: false }, "the end of a file");
        let cached = modes(None, 1000);
        assert_eq!(cached.room, 1000);
        assert_eq!(cached.plan(&io(7, 13, true)), Plan { length: 13, plain: false });
    }
}
