//! Parses one operation with its arguments.

use super::name_table::NameTable;
use super::tokens::Token;
use super::{MAX_FILE_BYTES, MAX_IO_BYTES, made_up_number};
use crate::truncate_text;
use goodput_model::file::{CreateDisposition, CreateOptions, FileOp};
use goodput_words::{Message, message};

#[derive(Debug)]
pub(super) enum LineError {
    Passed(Message),
    Refused(Message),
}

type Parse = fn(&mut Arguments<'_, '_>) -> Result<FileOp, LineError>;

const OPERATIONS: [(&str, Parse); 17] = [
    ("NTCreateX", |a| {
        let (path, options) = (a.path()?, CreateOptions(a.number("the create options")?));
        Ok(FileOp::Create { path, options, disposition: a.disposition()?, handle: a.handle()? })
    }),
    ("Close", |a| Ok(FileOp::Close { handle: a.handle()? })),
    ("ReadX", |a| {
        let (handle, offset, size, actual) = a.transfer()?;
        Ok(FileOp::Read { handle, offset, size, actual })
    }),
    ("WriteX", |a| {
        let (handle, offset, size, actual) = a.transfer()?;
        Ok(FileOp::Write { handle, offset, size, actual })
    }),
    ("Flush", |a| Ok(FileOp::Flush { handle: a.handle()? })),
    ("LockX", |a| {
        let (handle, offset) = (a.handle()?, a.number("the offset")?);
        Ok(FileOp::Lock { handle, offset, size: a.number("the size")? })
    }),
    ("UnlockX", |a| {
        let (handle, offset) = (a.handle()?, a.number("the offset")?);
        Ok(FileOp::Unlock { handle, offset, size: a.number("the size")? })
    }),
    ("Unlink", |a| {
        let path = a.path()?;
        // The attributes select hidden and system files; here all match.
        a.optional("the attributes")?;
        Ok(FileOp::Unlink { path })
    }),
    ("Rename", |a| Ok(FileOp::Rename { from: a.path()?, to: a.path()? })),
    ("Mkdir", |a| Ok(FileOp::Mkdir { path: a.path()? })),
    ("Rmdir", |a| Ok(FileOp::Rmdir { path: a.path()? })),
    ("Deltree", |a| Ok(FileOp::Deltree { path: a.path()? })),
    ("FIND_FIRST", |a| {
        let (path, level, max) = (a.path()?, a.level()?, a.number("the most entries")?);
        Ok(FileOp::Find { path, level, max, count: a.number("the entries found")? })
    }),
    ("QUERY_PATH_INFORMATION", |a| Ok(FileOp::QueryPath { path: a.path()?, level: a.level()? })),
    ("QUERY_FILE_INFORMATION", |a| Ok(FileOp::QueryFile { handle: a.handle()?, level: a.level()? })),
    ("QUERY_FS_INFORMATION", |a| Ok(FileOp::QueryFs { level: a.level()? })),
    ("SET_FILE_INFORMATION", |a| Ok(FileOp::SetFile { handle: a.handle()?, level: a.level()? })),
];

pub(super) fn parse_operation(
    name: &str,
    words: &[Token<'_>],
    names: &mut NameTable,
) -> Result<FileOp, LineError> {
    let Some((_, parse)) = OPERATIONS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) else {
        let name = truncate_text(name);
        return Err(match name.starts_with("SMB") {
            true => LineError::Refused(message!(cause_dbench_1 { name })),
            false => LineError::Passed(message!(cause_dbench_no_operation { name: format!("{name:?}") })),
        });
    };
    let mut arguments = Arguments { words, names };
    let op = parse(&mut arguments)?;
    match arguments.words.first() {
        None => Ok(op),
        Some(word) => Err(LineError::Passed(message!(cause_dbench_more_words { word: quoted(*word), name }))),
    }
}

/// Decimal or with `0x`; a minus sign for handles only.
pub(super) fn parse_number(text: &str) -> Option<i128> {
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let (radix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        // C reads a leading zero as octal, a reader as decimal: ambiguous.
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => (10, digits),
    };
    let plain = !digits.is_empty() && digits.len() <= 20 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    i128::from_str_radix(digits, radix).ok().filter(|_| plain).map(|n| sign * n)
}

fn quoted(word: Token<'_>) -> String {
    format!("{:?}", truncate_text(word.text))
}

struct Arguments<'a, 'n> {
    words: &'a [Token<'a>],
    names: &'n mut NameTable,
}

impl<'a> Arguments<'a, '_> {
    fn take(&mut self, what: &'static str) -> Result<Token<'a>, LineError> {
        let lacks = || LineError::Passed(message!(cause_dbench_lacks { what: Message::from(what) }));
        let (first, rest) = self.words.split_first().ok_or_else(lacks)?;
        self.words = rest;
        Ok(*first)
    }

    fn path(&mut self) -> Result<u32, LineError> {
        let word = self.take("the path")?;
        match word.quoted {
            true => self.names.intern_path(word.text).map_err(LineError::Refused),
            false => Err(LineError::Passed(message!(cause_dbench_no_path { word: quoted(word) }))),
        }
    }

    fn integer(&mut self, what: &'static str) -> Result<i128, LineError> {
        let word = self.take(what)?;
        if !word.quoted && word.text.starts_with(['*', '+']) {
            return Err(LineError::Refused(made_up_number(word.text)));
        }
        let found = parse_number(word.text).filter(|_| !word.quoted);
        found.ok_or_else(|| {
            let (what, found) = (Message::from(what), quoted(word));
            LineError::Passed(message!(cause_dbench_not_whole { what, found }))
        })
    }

    fn number<T: TryFrom<i128>>(&mut self, what: &'static str) -> Result<T, LineError> {
        let found = self.integer(what)?;
        T::try_from(found).map_err(|_| {
            let (what, found) = (Message::from(what), found.to_string());
            LineError::Passed(message!(cause_dbench_cannot_be { what, found }))
        })
    }

    fn optional(&mut self, what: &'static str) -> Result<(), LineError> {
        if self.words.is_empty() { Ok(()) } else { self.integer(what).map(drop) }
    }

    fn handle(&mut self) -> Result<u32, LineError> {
        let written: i64 = self.number("the handle")?;
        self.names.intern_handle(written).map_err(LineError::Refused)
    }

    fn level(&mut self) -> Result<u32, LineError> {
        self.number("the information level")
    }

    fn disposition(&mut self) -> Result<CreateDisposition, LineError> {
        let found = self.integer("the disposition")?;
        let known = usize::try_from(found).ok().and_then(|at| CreateDisposition::ALL.get(at)).copied();
        let unknown = || message!(cause_dbench_no_disposition { found: found.to_string() });
        known.ok_or_else(|| LineError::Passed(unknown()))
    }

    /// Handle, offset, size and the captured result.
    fn transfer(&mut self) -> Result<(u32, u64, u32, u32), LineError> {
        let handle = self.handle()?;
        let offset: u64 = self.number("the offset")?;
        let size: u64 = self.number("the size")?;
        let actual: u32 = self.number("the size moved")?;
        let end = offset.saturating_add(size);
        for (what, found, most) in
            [("the size", size, MAX_IO_BYTES), ("the end of the transfer", end, MAX_FILE_BYTES)]
        {
            if found > most {
                let (what, found, most) = (Message::from(what), found.to_string(), most.to_string());
                return Err(LineError::Refused(message!(cause_dbench_too_large { what, found, most })));
            }
        }
        Ok((handle, offset, size as u32, actual))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        for (text, value) in [("0", 0), ("12", 12), ("0x1F", 31), ("0X1f", 31), ("-1", -1), ("0x0", 0)] {
            assert_eq!(parse_number(text), Some(value), "{text}");
        }
        for bad in ["", "-", "0x", "010", "1f", "+1", "--1", "1.0", "0x-1", "999999999999999999999"] {
            assert_eq!(parse_number(bad), None, "{bad:?}");
        }
    }
}
