//! Reads a load file line by line: times, control lines, operations.

use super::errors::{LoadFileError, LoadFileErrorKind, LoadFileWarning, truncate_text};
use super::line::{LineError, parse_number, parse_operation};
use super::name_table::NameTable;
use super::status::parse_expected_status;
use super::tokens::{LineTokens, Token};
use super::{MAX_LINE_BYTES, MAX_LOAD_FILE_BYTES, MAX_OPERATIONS};
use goodput_model::file::{DbenchLoadFile, ExpectedStatus, FileOp, TimedFileOp};
use goodput_model::units::Nanos;
use std::borrow::Cow;
use std::io::{BufRead, Read as _};

/// The last one has the total.
const MAX_WARNINGS: usize = 1_000;
const DEEPEST: usize = 8;
/// More than eleven days.
const LATEST_S: f64 = 1e6;

pub(super) fn read_lines(
    mut input: impl BufRead,
) -> Result<(DbenchLoadFile, Vec<LoadFileWarning>), LoadFileError> {
    let mut reader = Reader::default();
    let mut line = Vec::with_capacity(MAX_LINE_BYTES + 2);
    let mut left = MAX_LOAD_FILE_BYTES;
    loop {
        line.clear();
        let read = input.by_ref().take(MAX_LINE_BYTES as u64 + 2).read_until(b'\n', &mut line);
        let count = read.map_err(|e| reader.error(1, LoadFileErrorKind::Gzip { why: e.to_string() }))?;
        if count == 0 {
            return reader.end();
        }
        reader.line = reader.line.saturating_add(1);
        left = left.saturating_sub(count as u64);
        let text = line.trim_ascii_end();
        if text.len() > MAX_LINE_BYTES || (count > MAX_LINE_BYTES + 1 && !line.ends_with(b"\n")) {
            let fault = LoadFileErrorKind::TooMany { what: "the line is long", most: MAX_LINE_BYTES as u64 };
            return Err(reader.error(0, fault));
        }
        if left == 0 {
            let fault =
                LoadFileErrorKind::TooMany { what: "the file is long, in bytes", most: MAX_LOAD_FILE_BYTES };
            return Err(reader.error(0, fault));
        }
        let text = match std::str::from_utf8(text) {
            Ok(text) => Cow::Borrowed(text),
            // Any 8-bit encoding: names only need to stay distinct.
            Err(_) => Cow::Owned(text.iter().map(|b| char::from(*b)).collect()),
        };
        reader.take(&text)?;
    }
}

#[derive(Default)]
struct Reader {
    line: u32,
    ops: Vec<TimedFileOp>,
    names: NameTable,
    loops: Vec<u32>,
    repeat: Option<(u32, u32)>,
    warnings: Vec<LoadFileWarning>,
    unheard: u64,
}

impl Reader {
    fn error(&self, after: u32, fault: LoadFileErrorKind) -> LoadFileError {
        LoadFileError { line: self.line.saturating_add(after).max(1), fault }
    }

    fn warn(&mut self, text: impl Into<String>) {
        match self.warnings.len() < MAX_WARNINGS {
            true => self.warnings.push(LoadFileWarning { line: self.line, text: text.into() }),
            false => self.unheard += 1,
        }
    }

    fn take(&mut self, text: &str) -> Result<(), LoadFileError> {
        let trimmed = text.trim_ascii();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return Ok(());
        }
        let words = match LineTokens::tokenize(trimmed) {
            Ok(words) => words,
            Err(why) => {
                self.warn(format!("badly formed, passed over: {why}"));
                return Ok(());
            }
        };
        match self.control(words.as_slice()) {
            Ok(true) => Ok(()),
            Ok(false) => self.timed(words.as_slice()),
            Err(fault) => Err(self.error(0, fault)),
        }
    }

    /// False when it is no control line.
    fn control(&mut self, words: &[Token<'_>]) -> Result<bool, LoadFileErrorKind> {
        let Some((first, rest)) = words.split_first() else { return Ok(true) };
        let is = |word: &str| !first.quoted && first.text.eq_ignore_ascii_case(word);
        let op = if is("LOOP") {
            let times = count("LOOP", rest, 0)?;
            if times == 0 {
                return Err(LoadFileErrorKind::Control { word: "LOOP", why: "plays at least once" });
            }
            if self.loops.len() == DEEPEST {
                return Err(LoadFileErrorKind::TooMany {
                    what: "loops stand in loops",
                    most: DEEPEST as u64,
                });
            }
            self.loops.push(self.line);
            FileOp::Loop { times }
        } else if is("ENDLOOP") {
            if self.loops.pop().is_none() {
                return Err(LoadFileErrorKind::Control { word: "ENDLOOP", why: "ends no LOOP" });
            }
            FileOp::EndLoop
        } else if is("REPEAT") {
            self.refuse_repeated("REPEAT")?;
            self.repeat = Some((count("REPEAT", rest, 0)?, self.line));
            return Ok(true);
        } else if is("SLEEP") {
            FileOp::Sleep { time: Nanos(u64::from(count("SLEEP", rest, 0)?) * 1_000) }
        } else if is("SETSP") {
            FileOp::SetPoint { point: count("SETSP", rest, 0)? }
        } else if is("WAITSP") {
            FileOp::WaitPoint { player: count("WAITSP", rest, 0)?, point: count("WAITSP", rest, 1)? }
        } else if is("WRITEPATTERN") || is("RANDOMSTRING") {
            return Err(LoadFileErrorKind::MadeUp { word: first.text.to_ascii_uppercase() });
        } else {
            return Ok(false);
        };
        self.refuse_repeated("REPEAT")?;
        self.push(None, op, ExpectedStatus::Any)?;
        Ok(true)
    }

    fn refuse_repeated(&self, word: &'static str) -> Result<(), LoadFileErrorKind> {
        match self.repeat {
            Some(_) => {
                Err(LoadFileErrorKind::Control { word, why: "stands before an operation, not before this" })
            }
            None => Ok(()),
        }
    }

    fn timed(&mut self, words: &[Token<'_>]) -> Result<(), LoadFileError> {
        let timed =
            words.first().is_some_and(|w| !w.quoted && w.text.starts_with(|c: char| c.is_ascii_digit()));
        let (time, words) = if timed { (words.first(), &words[1..]) } else { (None, words) };
        // dbench silently ignores a single word, too.
        let [name, arguments @ .., status] = words else { return Ok(()) };
        let repeat = self.repeat.take();
        let at = match time.map(|word| seconds(word.text)) {
            None => None,
            Some(Some(at)) => Some(at),
            Some(None) => {
                self.warn("badly formed, passed over: its time is no number of seconds");
                return Ok(());
            }
        };
        let Some(expect) = parse_expected_status(status.text).filter(|_| !status.quoted) else {
            let found = truncate_text(status.text);
            self.warn(format!("badly formed, passed over: {found:?} is no status, with which a line ends"));
            return Ok(());
        };
        match parse_operation(name.text, arguments, &mut self.names) {
            Ok(op) => self.repeated(repeat, at, op, expect).map_err(|fault| self.error(0, fault)),
            Err(LineError::Passed(why)) => {
                self.warn(format!("badly formed, passed over: {why}"));
                Ok(())
            }
            Err(LineError::Refused(fault)) => Err(self.error(0, fault)),
        }
    }

    fn repeated(
        &mut self,
        repeat: Option<(u32, u32)>,
        at: Option<Nanos>,
        op: FileOp,
        expect: ExpectedStatus,
    ) -> Result<(), LoadFileErrorKind> {
        match repeat {
            None | Some((1, _)) => self.push(at, op, expect),
            Some((0, _)) => Ok(()),
            Some((times, _)) => {
                // dbench waits once, before the first of them.
                self.push(at, FileOp::Loop { times }, ExpectedStatus::Any)?;
                self.push(None, op, expect)?;
                self.push(None, FileOp::EndLoop, ExpectedStatus::Any)
            }
        }
    }

    fn push(
        &mut self,
        at: Option<Nanos>,
        op: FileOp,
        expect: ExpectedStatus,
    ) -> Result<(), LoadFileErrorKind> {
        if self.ops.len() == MAX_OPERATIONS {
            return Err(LoadFileErrorKind::TooMany {
                what: "the file has many operations",
                most: MAX_OPERATIONS as u64,
            });
        }
        self.ops.push(TimedFileOp { at, op, expect, line: self.line });
        Ok(())
    }

    fn end(mut self) -> Result<(DbenchLoadFile, Vec<LoadFileWarning>), LoadFileError> {
        if let Some(line) = self.loops.pop() {
            let fault = LoadFileErrorKind::Control { word: "LOOP", why: "has no ENDLOOP" };
            return Err(LoadFileError { line, fault });
        }
        if let Some((_, line)) = self.repeat {
            let fault = LoadFileErrorKind::Control { word: "REPEAT", why: "has no operation after it" };
            return Err(LoadFileError { line, fault });
        }
        if !self.ops.iter().any(|op| op.op.class().is_some()) {
            return Err(self.error(0, LoadFileErrorKind::NoOperation));
        }
        let own = |path: &str| path.contains(DbenchLoadFile::PLAYER_FOLDER) || matches!(path, "" | "clients");
        let named = self
            .ops
            .iter()
            .flat_map(|op| op.op.path_indices().into_iter().flatten().map(|path| (op.line, path)));
        let mut named = named.filter_map(|(line, path)| Some((line, self.names.paths.get(path as usize)?)));
        if let Some((line, path)) = named.find(|(_, path)| !own(path)) {
            let text = format!(
                "the path {path:?} is not below \\clients\\client1, so all simulated clients share it"
            );
            self.warnings.push(LoadFileWarning { line, text });
        }
        if self.unheard > 0 {
            let text = format!("and {} more lines are passed over", self.unheard);
            self.warnings.push(LoadFileWarning { line: self.line, text });
        }
        self.ops.shrink_to_fit();
        let handles = self.names.handle_count();
        Ok((DbenchLoadFile { paths: self.names.paths, ops: self.ops, handles }, self.warnings))
    }
}

fn count(word: &'static str, rest: &[Token<'_>], at: usize) -> Result<u32, LoadFileErrorKind> {
    let found = rest.get(at).filter(|w| !w.quoted);
    let found = found.ok_or(LoadFileErrorKind::Control { word, why: "lacks a number" })?;
    if found.text.starts_with(['*', '+']) {
        return Err(LoadFileErrorKind::MadeUp { word: format!("the number {}", truncate_text(found.text)) });
    }
    let value = parse_number(found.text).and_then(|n| u32::try_from(n).ok());
    value.ok_or(LoadFileErrorKind::Control {
        word,
        why: "has something else than a whole number up to 4294967295",
    })
}

fn seconds(text: &str) -> Option<Nanos> {
    let seconds: f64 = text.parse().ok().filter(|s| (0.0..=LATEST_S).contains(s))?;
    Some(Nanos((seconds * 1e9).round() as u64))
}
