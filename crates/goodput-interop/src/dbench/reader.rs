//! Reads a load file line by line: times, control lines, operations.

use super::line::{LineError, parse_number, parse_operation};
use super::name_table::NameTable;
use super::status::parse_expected_status;
use super::tokens::{Token, tokenize};
use super::{LoadFileError, MAX_LINE_BYTES, MAX_LOAD_FILE_BYTES, MAX_OPERATIONS};
use super::{made_up, made_up_number, too_many};
use crate::{LineWarning, truncate_text};
use goodput_model::file::{DbenchLoadFile, ExpectedOpStatus, FileOp, ScheduledFileOp};
use goodput_model::units::Nanos;
use goodput_words::{ErrorMessage, Message, message};
use std::borrow::Cow;
use std::io::{self, BufRead, Read as _};

/// The last one has the total.
const MAX_WARNINGS: usize = 1_000;
const DEEPEST: usize = 8;
/// More than eleven days.
const LATEST_S: f64 = 1e6;

pub(super) fn read_lines(
    mut input: impl BufRead,
) -> Result<(DbenchLoadFile, Vec<LineWarning>), LoadFileError> {
    let mut reader = Reader::default();
    let mut line = Vec::with_capacity(MAX_LINE_BYTES + 2);
    let mut left = MAX_LOAD_FILE_BYTES;
    loop {
        line.clear();
        let read = input.by_ref().take(MAX_LINE_BYTES as u64 + 2).read_until(b'\n', &mut line);
        let damaged = |e: io::Error| message!(cause_dbench_gzip_damaged { why: e.message() });
        let count = read.map_err(|e| reader.error(1, damaged(e)))?;
        if count == 0 {
            return reader.end();
        }
        reader.line = reader.line.saturating_add(1);
        left = left.saturating_sub(count as u64);
        let text = line.trim_ascii_end();
        if text.len() > MAX_LINE_BYTES || (count > MAX_LINE_BYTES + 1 && !line.ends_with(b"\n")) {
            return Err(reader.error(0, too_many("the line is long", MAX_LINE_BYTES as u64)));
        }
        if left == 0 {
            return Err(reader.error(0, too_many("the file is long, in bytes", MAX_LOAD_FILE_BYTES)));
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
    ops: Vec<ScheduledFileOp>,
    names: NameTable,
    loops: Vec<u32>,
    repeat: Option<(u32, u32)>,
    warnings: Vec<LineWarning>,
    unheard: u64,
}

impl Reader {
    fn error(&self, after: u32, why: impl Into<Message>) -> LoadFileError {
        LoadFileError { line: self.line.saturating_add(after).max(1), why: why.into() }
    }

    fn warn(&mut self, text: impl Into<Message>) {
        match self.warnings.len() < MAX_WARNINGS {
            true => self.warnings.push(LineWarning { line: self.line as usize, text: text.into() }),
            false => self.unheard += 1,
        }
    }

    fn take(&mut self, text: &str) -> Result<(), LoadFileError> {
        let trimmed = text.trim_ascii();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            return Ok(());
        }
        match self.read_line(trimmed) {
            Ok(()) => Ok(()),
            Err(LineError::Passed(why)) => {
                self.warn(message!(cause_dbench_passed_over { why }));
                Ok(())
            }
            Err(LineError::Refused(why)) => Err(self.error(0, why)),
        }
    }

    fn read_line(&mut self, text: &str) -> Result<(), LineError> {
        let words = tokenize(text).map_err(|why| LineError::Passed(why.into()))?;
        match self.control(&words).map_err(LineError::Refused)? {
            true => Ok(()),
            false => self.timed(&words),
        }
    }

    /// False when it is no control line.
    fn control(&mut self, words: &[Token<'_>]) -> Result<bool, Message> {
        let Some((first, rest)) = words.split_first() else { return Ok(true) };
        let is = |word: &str| !first.quoted && first.text.eq_ignore_ascii_case(word);
        let op = if is("LOOP") {
            let times = count("LOOP", rest, 0)?;
            if times == 0 {
                return Err("LOOP plays at least once".into());
            }
            if self.loops.len() == DEEPEST {
                return Err(too_many("loops stand in loops", DEEPEST as u64));
            }
            self.loops.push(self.line);
            FileOp::Loop { times }
        } else if is("ENDLOOP") {
            if self.loops.pop().is_none() {
                return Err("ENDLOOP ends no LOOP".into());
            }
            FileOp::EndLoop
        } else if is("REPEAT") {
            self.refuse_repeated()?;
            self.repeat = Some((count("REPEAT", rest, 0)?, self.line));
            return Ok(true);
        } else if is("SLEEP") {
            FileOp::Sleep { time: Nanos(u64::from(count("SLEEP", rest, 0)?) * 1_000) }
        } else if is("SETSP") {
            FileOp::SetPoint { point: count("SETSP", rest, 0)? }
        } else if is("WAITSP") {
            FileOp::WaitPoint { player: count("WAITSP", rest, 0)?, point: count("WAITSP", rest, 1)? }
        } else if is("WRITEPATTERN") || is("RANDOMSTRING") {
            return Err(made_up(first.text.to_ascii_uppercase()));
        } else {
            return Ok(false);
        };
        self.refuse_repeated()?;
        self.push(None, op, ExpectedOpStatus::Any)?;
        Ok(true)
    }

    fn refuse_repeated(&self) -> Result<(), Message> {
        match self.repeat {
            Some(_) => Err("REPEAT stands before an operation, not before this".into()),
            None => Ok(()),
        }
    }

    fn timed(&mut self, words: &[Token<'_>]) -> Result<(), LineError> {
        let timed =
            words.first().is_some_and(|w| !w.quoted && w.text.starts_with(|c: char| c.is_ascii_digit()));
        let (time, words) = if timed { (words.first(), &words[1..]) } else { (None, words) };
        // dbench silently ignores a single word, too.
        let [name, arguments @ .., status] = words else { return Ok(()) };
        let repeat = self.repeat.take();
        let no_time = || LineError::Passed("its time is no number of seconds".into());
        let at = time.map(|word| seconds(word.text).ok_or_else(no_time)).transpose()?;
        let expect = parse_expected_status(status.text).filter(|_| !status.quoted).ok_or_else(|| {
            let found = format!("{:?}", truncate_text(status.text));
            LineError::Passed(message!(cause_dbench_no_status { found }))
        })?;
        let op = parse_operation(name.text, arguments, &mut self.names)?;
        self.repeated(repeat, at, op, expect).map_err(LineError::Refused)
    }

    fn repeated(
        &mut self,
        repeat: Option<(u32, u32)>,
        at: Option<Nanos>,
        op: FileOp,
        expect: ExpectedOpStatus,
    ) -> Result<(), Message> {
        match repeat {
            None | Some((1, _)) => self.push(at, op, expect),
            Some((0, _)) => Ok(()),
            Some((times, _)) => {
                // dbench waits once, before the first of them.
                self.push(at, FileOp::Loop { times }, ExpectedOpStatus::Any)?;
                self.push(None, op, expect)?;
                self.push(None, FileOp::EndLoop, ExpectedOpStatus::Any)
            }
        }
    }

    fn push(&mut self, at: Option<Nanos>, op: FileOp, expect: ExpectedOpStatus) -> Result<(), Message> {
        if self.ops.len() == MAX_OPERATIONS {
            return Err(too_many("the file has many operations", MAX_OPERATIONS as u64));
        }
        self.ops.push(ScheduledFileOp { at, op, expect, line: self.line });
        Ok(())
    }

    fn end(mut self) -> Result<(DbenchLoadFile, Vec<LineWarning>), LoadFileError> {
        if let Some(line) = self.loops.pop() {
            return Err(LoadFileError { line, why: "LOOP has no ENDLOOP".into() });
        }
        if let Some((_, line)) = self.repeat {
            return Err(LoadFileError { line, why: "REPEAT has no operation after it".into() });
        }
        if !self.ops.iter().any(|op| op.op.class().is_some()) {
            return Err(self.error(0, "no line of the file is an operation of a load file"));
        }
        let own = |path: &str| {
            path.contains(DbenchLoadFile::CLIENT_FOLDER_PLACEHOLDER) || matches!(path, "" | "clients")
        };
        let named = self
            .ops
            .iter()
            .flat_map(|op| op.op.path_indices().into_iter().flatten().map(|path| (op.line, path)));
        let mut named = named.filter_map(|(line, path)| Some((line, self.names.paths.get(path as usize)?)));
        if let Some((line, path)) = named.find(|(_, path)| !own(path)) {
            let text = message!(cause_dbench_shared_path { path: format!("{path:?}") });
            self.warnings.push(LineWarning { line: line as usize, text });
        }
        if self.unheard > 0 {
            let text = message!(cause_dbench_more_passed_over { count: self.unheard.to_string() });
            self.warnings.push(LineWarning { line: self.line as usize, text });
        }
        self.ops.shrink_to_fit();
        let handles = self.names.handle_count();
        Ok((DbenchLoadFile { paths: self.names.paths, ops: self.ops, handles }, self.warnings))
    }
}

fn count(word: &str, rest: &[Token<'_>], at: usize) -> Result<u32, Message> {
    let lacks = || message!(cause_dbench_lacks_number { word });
    let found = rest.get(at).filter(|w| !w.quoted).ok_or_else(lacks)?;
    if found.text.starts_with(['*', '+']) {
        return Err(made_up_number(found.text));
    }
    let value = parse_number(found.text).and_then(|n| u32::try_from(n).ok());
    value.ok_or_else(|| message!(cause_dbench_no_whole_number { word }))
}

fn seconds(text: &str) -> Option<Nanos> {
    let seconds: f64 = text.parse().ok().filter(|s| (0.0..=LATEST_S).contains(s))?;
    Some(Nanos((seconds * 1e9).round() as u64))
}
