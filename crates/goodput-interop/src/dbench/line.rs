//! Parses one operation with its arguments.

use super::names::Names;
use super::problem::{Fault, short};
use super::words::Word;
use super::{LARGEST_FILE, LARGEST_IO};
use goodput_model::file::{CreateOptions, Disposition, FileOp};

#[derive(Debug)]
pub(super) enum Bad {
    Passed(String),
    Refused(Fault),
}

impl From<Fault> for Bad {
    fn from(fault: Fault) -> Bad {
        Bad::Refused(fault)
    }
}

type Parse = fn(&mut Arguments<'_, '_>) -> Result<FileOp, Bad>;

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

pub(super) fn operation(name: &str, words: &[Word<'_>], names: &mut Names) -> Result<FileOp, Bad> {
    let Some((_, parse)) = OPERATIONS.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)) else {
        return Err(match name.starts_with("SMB") {
            true => Fault::DbenchOne { word: short(name) }.into(),
            false => Bad::Passed(format!("{:?} is no operation of an SMB load file", short(name))),
        });
    };
    let mut arguments = Arguments { words, names };
    let op = parse(&mut arguments)?;
    match arguments.words.first() {
        None => Ok(op),
        Some(word) => {
            Err(Bad::Passed(format!("{:?} is more than {name} has before its status", short(word.text))))
        }
    }
}

/// Decimal or with `0x`; a minus sign for handles only.
pub(super) fn number(text: &str) -> Option<i128> {
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

struct Arguments<'a, 'n> {
    words: &'a [Word<'a>],
    names: &'n mut Names,
}

impl<'a> Arguments<'a, '_> {
    fn take(&mut self, what: &'static str) -> Result<Word<'a>, Bad> {
        let (first, rest) =
            self.words.split_first().ok_or_else(|| Bad::Passed(format!("it lacks {what}")))?;
        self.words = rest;
        Ok(*first)
    }

    fn path(&mut self) -> Result<u32, Bad> {
        let word = self.take("the path")?;
        match word.quoted {
            true => Ok(self.names.path(word.text)?),
            false => Err(Bad::Passed(format!("{:?} stands where a path in quotes is due", short(word.text)))),
        }
    }

    fn integer(&mut self, what: &'static str) -> Result<i128, Bad> {
        let word = self.take(what)?;
        if !word.quoted && word.text.starts_with(['*', '+']) {
            return Err(Fault::MadeUp { word: format!("the number {}", short(word.text)) }.into());
        }
        let found = number(word.text).filter(|_| !word.quoted);
        found
            .ok_or_else(|| Bad::Passed(format!("{what} is {:?}, which is no whole number", short(word.text))))
    }

    fn number<T: TryFrom<i128>>(&mut self, what: &'static str) -> Result<T, Bad> {
        let found = self.integer(what)?;
        T::try_from(found).map_err(|_| Bad::Passed(format!("{what} is {found}, which cannot be")))
    }

    fn optional(&mut self, what: &'static str) -> Result<(), Bad> {
        if self.words.is_empty() { Ok(()) } else { self.integer(what).map(drop) }
    }

    fn handle(&mut self) -> Result<u32, Bad> {
        let written: i64 = self.number("the handle")?;
        Ok(self.names.handle(written)?)
    }

    fn level(&mut self) -> Result<u32, Bad> {
        self.number("the information level")
    }

    fn disposition(&mut self) -> Result<Disposition, Bad> {
        Ok(match self.integer("the disposition")? {
            0 => Disposition::Supersede,
            1 => Disposition::Open,
            2 => Disposition::Create,
            3 => Disposition::OpenIf,
            4 => Disposition::Overwrite,
            5 => Disposition::OverwriteIf,
            other => return Err(Bad::Passed(format!("the disposition is {other}; there are 0 to 5"))),
        })
    }

    /// Handle, offset, size and the captured result.
    fn transfer(&mut self) -> Result<(u32, u64, u32, u32), Bad> {
        let handle = self.handle()?;
        let offset: u64 = self.number("the offset")?;
        let size: u64 = self.number("the size")?;
        let actual: u32 = self.number("the size moved")?;
        if size > LARGEST_IO {
            return Err(Fault::TooLarge { what: "the size", found: size, most: LARGEST_IO }.into());
        }
        match offset.saturating_add(size) {
            end if end > LARGEST_FILE => {
                Err(Fault::TooLarge { what: "the end of the transfer", found: end, most: LARGEST_FILE }
                    .into())
            }
            _ => Ok((handle, offset, size as u32, actual)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_decimal_or_hexadecimal() {
        for (text, value) in [("0", 0), ("12", 12), ("0x1F", 31), ("0X1f", 31), ("-1", -1), ("0x0", 0)] {
            assert_eq!(number(text), Some(value), "{text}");
        }
        for bad in ["", "-", "0x", "010", "1f", "+1", "--1", "1.0", "0x-1", "999999999999999999999"] {
            assert_eq!(number(bad), None, "{bad:?}");
        }
    }
}
