//! Writes a load as a load file.

use super::status;
use goodput_model::file::{DbenchLoadFile, FileOp, ScheduledFileOp};
use goodput_words::error_messages;
use std::fmt::Write as _;

/// Hidden files, system files and folders, as clients send them.
const ATTRIBUTES: u32 = 0x16;

/// Never shown to a user, so its text is English.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadFileWriteError {
    pub operation: usize,
    pub why: &'static str,
}

error_messages! {
    LoadFileWriteError {
        LoadFileWriteError { operation, why } => {
            format!("operation {operation} of the load cannot be written: {why}")
        },
    }
}

/// The text that [`super::read()`] reads as this load (except line numbers), and that dbench plays, version 5
/// where there are loops, sleeps or points. Handles count from 1, since dbench reserves 0. Fails for an
/// invalid index, and for a path that cannot be written.
pub fn write_load_file(load: &DbenchLoadFile) -> Result<String, LoadFileWriteError> {
    let mut out = String::with_capacity(load.ops.len() * 60);
    let mut rest = &load.ops[..];
    while let Some(first) = rest.first() {
        let operation = load.ops.len() - rest.len() + 1;
        let written = match repeated(rest) {
            Some((times, op)) => {
                rest = &rest[3..];
                let _ = writeln!(out, "REPEAT {times}");
                line(&mut out, load, &op)
            }
            None => {
                rest = &rest[1..];
                line(&mut out, load, first)
            }
        };
        written.map_err(|why| LoadFileWriteError { operation, why })?;
    }
    Ok(out)
}

/// REPEAT: a loop of one operation, with the loop's time.
fn repeated(ops: &[ScheduledFileOp]) -> Option<(u32, ScheduledFileOp)> {
    let [
        ScheduledFileOp { op: FileOp::Loop { times: times @ 2.. }, at, .. },
        op,
        ScheduledFileOp { op: FileOp::EndLoop, .. },
        ..,
    ] = ops
    else {
        return None;
    };
    let plain = op.op.class().is_some() && op.at.is_none();
    plain.then_some((*times, ScheduledFileOp { at: *at, ..*op }))
}

fn line(out: &mut String, load: &DbenchLoadFile, timed: &ScheduledFileOp) -> Result<(), &'static str> {
    let path = |index: u32| quoted(load, index);
    let h = |handle: u32| match handle < load.handles {
        true => Ok(u64::from(handle) + 1),
        false => Err("its handle is not below the load's count of handles"),
    };
    let words = match timed.op {
        FileOp::Create { path: p, options, disposition, handle } => {
            format!("NTCreateX {} 0x{:x} 0x{:x} {}", path(p)?, options.0, disposition as u32, h(handle)?)
        }
        FileOp::Close { handle } => format!("Close {}", h(handle)?),
        FileOp::Read { handle, offset, size, actual } => {
            format!("ReadX {} {offset} {size} {actual}", h(handle)?)
        }
        FileOp::Write { handle, offset, size, actual } => {
            format!("WriteX {} {offset} {size} {actual}", h(handle)?)
        }
        FileOp::Flush { handle } => format!("Flush {}", h(handle)?),
        FileOp::Lock { handle, offset, size } => format!("LockX {} {offset} {size}", h(handle)?),
        FileOp::Unlock { handle, offset, size } => format!("UnlockX {} {offset} {size}", h(handle)?),
        FileOp::Unlink { path: p } => format!("Unlink {} 0x{ATTRIBUTES:x}", path(p)?),
        FileOp::Rename { from, to } => format!("Rename {} {}", path(from)?, path(to)?),
        FileOp::Mkdir { path: p } => format!("Mkdir {}", path(p)?),
        FileOp::Rmdir { path: p } => format!("Rmdir {}", path(p)?),
        FileOp::Deltree { path: p } => format!("Deltree {}", path(p)?),
        FileOp::Find { path: p, level, max, count } => {
            format!("FIND_FIRST {} {level} {max} {count}", path(p)?)
        }
        FileOp::QueryPath { path: p, level } => format!("QUERY_PATH_INFORMATION {} {level}", path(p)?),
        FileOp::QueryFile { handle, level } => format!("QUERY_FILE_INFORMATION {} {level}", h(handle)?),
        FileOp::QueryFs { level } => format!("QUERY_FS_INFORMATION {level}"),
        FileOp::SetFile { handle, level } => format!("SET_FILE_INFORMATION {} {level}", h(handle)?),
        FileOp::Sleep { time } => return control(out, timed, &format!("SLEEP {}", time.0.div_ceil(1_000))),
        FileOp::Loop { times } => return control(out, timed, &format!("LOOP {times}")),
        FileOp::EndLoop => return control(out, timed, "ENDLOOP\n# a line that dbench 5 loses"),
        FileOp::SetPoint { point } => return control(out, timed, &format!("SETSP {point}")),
        FileOp::WaitPoint { player, point } => {
            return control(out, timed, &format!("WAITSP {player} {point}"));
        }
    };
    if let Some(at) = timed.at {
        let _ = write!(out, "{}.{:09} ", at.0 / 1_000_000_000, at.0 % 1_000_000_000);
    }
    let _ = writeln!(out, "{words} {}", status::format_expected_status(timed.expect));
    Ok(())
}

fn control(out: &mut String, timed: &ScheduledFileOp, words: &str) -> Result<(), &'static str> {
    if timed.at.is_some() {
        return Err("a control line has no time");
    }
    let _ = writeln!(out, "{words}");
    Ok(())
}

fn quoted(load: &DbenchLoadFile, index: u32) -> Result<String, &'static str> {
    let path = load.paths.get(index as usize).ok_or("its path is not among the load's")?;
    match path.contains(['"', '\\']) || path.chars().any(char::is_control) {
        true => Err("its path holds a quote, a backslash or a control character"),
        false => Ok(format!("\"\\{}\"", path.replace('/', "\\"))),
    }
}
