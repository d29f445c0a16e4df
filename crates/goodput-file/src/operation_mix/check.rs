//! Validates a load before it is replayed: completeness, memory and disk space.

use super::share_backend::LoadFileRequirements;
use crate::{FileError, FileErrorKind};
use goodput_model::file::{DbenchLoadFile, FileOp, MAX_BLOCK_SIZE};
use goodput_words::message;
use std::collections::HashMap;

const DEEPEST: usize = 16;
const MAX_MEMORY: u64 = 4 << 30;

/// Rejects undefined paths and handles, open loops and too large operations ([`FileErrorKind::Forbidden`]).
pub(super) fn validate_load_file(load: &DbenchLoadFile) -> Result<LoadFileRequirements, FileError> {
    let mut needs = LoadFileRequirements { handles: load.handles as usize, read: 0, write: 0 };
    let mut open = 0usize;
    for timed in &load.ops {
        let wrong = |why: &str| {
            let what = message!(part_attempt_play_line { line: timed.line.to_string() });
            Err(FileError::with_reason(what, FileErrorKind::Forbidden, why))
        };
        if timed.op.path_indices().into_iter().flatten().any(|path| path as usize >= load.paths.len()) {
            return wrong("it names a path that the load does not have");
        }
        if timed.op.handle_index().is_some_and(|handle| handle >= load.handles) {
            return wrong("it names a handle that the load does not have");
        }
        if timed.op.payload_bytes() > MAX_BLOCK_SIZE {
            return wrong("it moves more bytes at once than goes in one operation");
        }
        match timed.op {
            FileOp::Read { size, .. } => needs.read = needs.read.max(size as usize),
            FileOp::Write { size, .. } => needs.write = needs.write.max(size as usize),
            FileOp::Loop { .. } if open == DEEPEST => return wrong("there are too many loops in loops"),
            FileOp::Loop { .. } => open += 1,
            FileOp::EndLoop if open == 0 => return wrong("it ends a loop that was not begun"),
            FileOp::EndLoop => open -= 1,
            _ => {}
        }
    }
    let why = match (open, load.ops.iter().any(|timed| timed.op.class().is_some())) {
        (0, true) => return Ok(needs),
        (0, false) => "the load file contains no operation",
        _ => "a loop is not ended",
    };
    Err(FileError::with_reason("play the load file", FileErrorKind::Forbidden, why))
}

pub(super) fn check_memory_limit(needs: LoadFileRequirements, players: usize) -> Result<(), FileError> {
    let bytes = needs.memory_bytes().saturating_mul(players as u64);
    if bytes <= MAX_MEMORY {
        return Ok(());
    }
    let what = message!(part_attempt_run_mix { count: players.to_string() });
    let why = message!(cause_place_mix_memory { mebibytes: (bytes >> 20).to_string() });
    Err(FileError::with_reason(what, FileErrorKind::Full, why))
}

pub(super) fn required_disk_bytes(load: &DbenchLoadFile) -> u64 {
    let mut open: HashMap<u32, u32> = HashMap::new();
    let mut ends: HashMap<u32, u64> = HashMap::new();
    for timed in &load.ops {
        match timed.op {
            FileOp::Create { path, handle, .. } => {
                open.insert(handle, path);
            }
            FileOp::Write { handle, offset, size, .. } => {
                if let Some(path) = open.get(&handle) {
                    let end = ends.entry(*path).or_default();
                    *end = (*end).max(offset.saturating_add(u64::from(size)));
                }
            }
            // The new file may be as long as the old one, which may be written again.
            FileOp::Rename { from, to } => {
                let end = ends.get(&from).copied().unwrap_or_default();
                let target = ends.entry(to).or_default();
                *target = (*target).max(end);
            }
            _ => {}
        }
    }
    ends.values().fold(0, |sum, end| sum.saturating_add(*end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::file::{ExpectedOpStatus, ScheduledFileOp};

    fn load(ops: &[FileOp]) -> DbenchLoadFile {
        let timed =
            |op: &FileOp| ScheduledFileOp { at: None, op: *op, expect: ExpectedOpStatus::Any, line: 1 };
        let paths = ["a", "b"].map(|name| format!("clients/client1/{name}")).to_vec();
        DbenchLoadFile { paths, ops: ops.iter().map(timed).collect(), handles: 2 }
    }

    #[test]
    fn needs_are_the_largest() {
        let write = |size| FileOp::Write { handle: 0, offset: 0, size, actual: size };
        let read = FileOp::Read { handle: 1, offset: 0, size: 7, actual: 0 };
        let needs = validate_load_file(&load(&[write(5), write(9), read])).unwrap();
        assert_eq!(needs, LoadFileRequirements { handles: 2, read: 7, write: 9 });
        assert!(check_memory_limit(needs, 4_096).is_ok());
        assert!(check_memory_limit(LoadFileRequirements { write: 64 << 20, ..needs }, 4_096).is_err());
    }

    #[test]
    fn what_points_nowhere_is_refused() {
        let bad: [&[FileOp]; 8] = [
            &[],
            &[FileOp::SetPoint { point: 1 }],
            &[FileOp::Close { handle: 2 }],
            &[FileOp::Mkdir { path: 2 }],
            &[FileOp::Rename { from: 0, to: 2 }],
            &[FileOp::Close { handle: 0 }, FileOp::EndLoop],
            &[FileOp::Loop { times: 1 }, FileOp::Close { handle: 0 }],
            &[FileOp::Read { handle: 0, offset: 0, size: u32::MAX, actual: 0 }],
        ];
        for ops in bad {
            assert_eq!(
                validate_load_file(&load(ops)).unwrap_err().trouble,
                FileErrorKind::Forbidden,
                "{ops:?}"
            );
        }
        assert!(validate_load_file(&load(&[FileOp::Loop { times: 1 }; 17])).is_err());
    }

    #[test]
    fn the_footprint_is_the_sum_of_the_files_ends() {
        use goodput_model::file::{CreateDisposition, CreateOptions};
        let (options, disposition) = (CreateOptions(0x40), CreateDisposition::OverwriteIf);
        let create = FileOp::Create { path: 0, options, disposition, handle: 0 };
        let write = |handle, offset, size| FileOp::Write { handle, offset, size, actual: size };
        let rename = FileOp::Rename { from: 0, to: 1 };
        let ops = [create, write(0, 0, 10), write(0, 90, 10), write(0, 0, 50), rename];
        assert_eq!(
            required_disk_bytes(&load(&ops)),
            200,
            "a renamed file may be written anew under its old name"
        );
        assert_eq!(required_disk_bytes(&load(&[write(1, 0, 5)])), 0, "what is not open is not written");
    }
}
