//! The lines of an `.icf`: key, sub-headings, one line of data. A line with an apostrophe in column 1 is a
//! key or a heading; data lines may be indented. Blank lines and comments in place of a key, which IOmeter
//! refuses, are skipped with a warning.

use super::key::{Key, Section};
use super::problem::{Fault, IcfError, Warning};
use super::version::{self, FileVersion};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Line<'a> {
    pub number: usize,
    pub text: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found<'a> {
    pub key: Key,
    pub line: Line<'a>,
}

impl Found<'_> {
    /// Without the apostrophe.
    pub fn name(&self) -> &str {
        short(self.line.text.trim().trim_start_matches('\''))
    }
}

enum Kind {
    Blank,
    /// True when it is indented.
    Key(Key, bool),
    Comment,
    Data,
}

pub(super) struct Cursor<'a> {
    lines: Vec<&'a str>,
    at: usize,
    pub warnings: Vec<Warning>,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str) -> Cursor<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Cursor { lines: text.lines().collect(), at: 0, warnings: Vec::new() }
    }

    pub fn last(&self) -> usize {
        self.lines.len().max(1)
    }

    pub fn warn(&mut self, line: usize, text: impl Into<String>) {
        self.warnings.push(Warning { line, text: text.into() });
    }

    pub fn error(&self, line: usize, fault: Fault) -> IcfError {
        IcfError { line, fault }
    }

    pub fn peek(&self) -> Option<Line<'a>> {
        self.lines.get(self.at).map(|text| Line { number: self.at + 1, text })
    }

    pub fn take(&mut self) -> Option<Line<'a>> {
        let line = self.peek()?;
        self.at += 1;
        Some(line)
    }

    pub fn take_version(&mut self) -> Result<FileVersion, IcfError> {
        while let Some(line) = self.take() {
            let text = line.text.trim();
            if text.is_empty() {
                self.warn(line.number, "a blank line before the version; IOmeter refuses it");
                continue;
            }
            let version = version::parse(text);
            let version = version.ok_or_else(|| {
                self.error(line.number, Fault::NoVersion { found: short(text).to_string() })
            })?;
            if let Some(text) = version.warning() {
                self.warn(line.number, text);
            }
            return Ok(version);
        }
        Err(self.error(self.last(), Fault::NoVersion { found: String::new() }))
    }

    /// IOmeter, too, looks only for section starts between sections.
    pub fn next_section(&mut self) -> Option<(Section, usize)> {
        let mut stray = None;
        let mut found = None;
        while let Some(line) = self.take() {
            found = Key::section(line.text).map(|section| (section, line.number));
            if found.is_some() {
                break;
            }
            let known = line.text.trim().is_empty() || version::parse(line.text.trim()).is_some();
            stray = stray.or((!known).then_some(line));
        }
        if let Some(line) = stray {
            self.warn(
                line.number,
                format!("{:?} is outside of all sections and is passed over", short(line.text)),
            );
        }
        found
    }

    /// After the end of this section, or before the next one.
    pub fn skip_section(&mut self, section: Section) {
        while let Some(line) = self.peek() {
            if Key::section(line.text).is_some() {
                return;
            }
            self.at += 1;
            if Key::of(line.text) == Some(Key::End(section)) {
                return;
            }
        }
    }

    /// Blank lines, comments and data in place of a key are skipped with one warning for each block.
    pub fn next_key(&mut self) -> Option<Found<'a>> {
        let mut told = false;
        while let Some(line) = self.take() {
            match kind(line.text) {
                Kind::Key(key, indented) => {
                    if indented {
                        self.warn(line.number, "a key is indented; IOmeter takes it for data there");
                    }
                    return Some(Found { key, line });
                }
                Kind::Comment => {
                    let text = short(line.text.trim());
                    self.warn(
                        line.number,
                        format!("{text:?} is no key of IOmeter's; passed over with its data"),
                    );
                    self.skip_data();
                    told = false;
                }
                Kind::Blank | Kind::Data if told => {}
                Kind::Blank => {
                    self.warn(line.number, "a blank line where a key should be; IOmeter refuses it");
                    told = true;
                }
                Kind::Data => {
                    let text = short(line.text.trim());
                    self.warn(line.number, format!("{text:?} has no key above it and is passed over"));
                    told = true;
                }
            }
        }
        None
    }

    pub fn back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    pub fn misplaced(&mut self, found: &Found<'_>) {
        let text = format!("'{} has no meaning here and is passed over", found.name());
        self.warn(found.line.number, text);
        self.skip_data();
    }

    pub fn unended(&mut self, section: Section) {
        let line = self.at.max(1);
        self.warn(line, format!("{} ends without 'END {}", section.name(), section.name().to_lowercase()));
    }

    fn skip_data(&mut self) {
        while self.peek().is_some_and(|l| matches!(kind(l.text), Kind::Blank | Kind::Data)) {
            self.at += 1;
        }
    }

    /// The first data line after the key and its sub-headings, trimmed. Unless `empty`, blank lines are
    /// skipped.
    pub fn value(&mut self, found: &Found<'a>, empty: bool) -> Result<Line<'a>, IcfError> {
        while let Some(line) = self.peek() {
            // In column 1 only: a description may begin with an apostrophe after its tab.
            let heading = line.text.starts_with('\'');
            if (heading && Key::of(line.text).is_some()) || version::parse(line.text).is_some() {
                break;
            }
            self.at += 1;
            if heading {
                continue;
            }
            let text = line.text.trim();
            if !text.is_empty() || empty {
                return Ok(Line { number: line.number, text });
            }
            self.warn(line.number, format!("a blank line before the value of '{}", found.name()));
        }
        let number = found.line.number;
        if !empty {
            return Err(self.error(number, Fault::NoValue { key: found.name().to_string() }));
        }
        self.warn(number, format!("'{} has no value; IOmeter wants an empty line there", found.name()));
        Ok(Line { number, text: "" })
    }

    /// Up to the next line with an apostrophe in column 1, trimmed, without blank ones.
    pub fn data(&mut self) -> Vec<Line<'a>> {
        let mut data = Vec::new();
        while let Some(line) = self.peek() {
            if line.text.starts_with('\'') || version::parse(line.text).is_some() {
                break;
            }
            self.at += 1;
            let text = line.text.trim();
            if text.is_empty() {
                self.warn(line.number, "a blank line among data; IOmeter stumbles over it");
            } else {
                data.push(Line { number: line.number, text });
            }
        }
        data
    }
}

fn kind(text: &str) -> Kind {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        Kind::Blank
    } else if trimmed.starts_with('\'') {
        Key::of(trimmed).map_or(Kind::Comment, |key| Kind::Key(key, !text.starts_with('\'')))
    } else if version::parse(text).is_some() {
        Kind::Key(Key::Version, false)
    } else {
        Kind::Data
    }
}

/// At most 80 characters.
pub(super) fn short(text: &str) -> &str {
    text.char_indices().nth(80).map_or(text, |(end, _)| &text[..end])
}

impl<'a> Line<'a> {
    /// As IOmeter does: skips everything before the first digit or minus sign, and a comma and blanks after
    /// the number.
    pub fn take_number<T: TryFrom<i128>>(&mut self, what: &'static str) -> Result<T, IcfError> {
        let found = self.text;
        let number = || -> Option<(T, usize)> {
            let start = found.find(|c: char| c.is_ascii_digit() || c == '-')?;
            let rest = &found[start..];
            let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
            let value = rest[..length].parse::<i128>().ok()?;
            Some((T::try_from(value).ok()?, start + length))
        };
        let (value, end) = number().ok_or_else(|| {
            let found = short(found).to_string();
            IcfError { line: self.number, fault: Fault::Number { what, found } }
        })?;
        let rest = found[end..].trim_start();
        self.text = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        Ok(value)
    }

    pub fn take_word(&mut self) -> &'a str {
        let (word, rest) = self.text.split_once(',').unwrap_or((self.text, ""));
        self.text = rest.trim_start();
        word.trim()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_taken_as_iometer_takes_them() {
        let mut line = Line { number: 7, text: "about 10 h, -2,3;4x" };
        assert_eq!(line.take_number::<i64>("a").unwrap(), 10);
        assert_eq!(line.text, "h, -2,3;4x");
        assert_eq!(line.take_number::<i64>("a").unwrap(), -2);
        assert_eq!(line.take_number::<u32>("a").unwrap(), 3);
        assert_eq!(line.take_number::<u32>("a").unwrap(), 4);
        assert_eq!(line.text, "x");
        let e = line.take_number::<u32>("the run time").unwrap_err();
        assert_eq!(e.to_string(), "line 7: the run time is \"x\", which is not a whole number");
        for bad in ["1-2", "--3", "-", "99999999999999999999999999999999999999999", "-1"] {
            assert!(Line { number: 1, text: bad }.take_number::<u32>("a").is_err(), "{bad}");
        }
    }

    #[test]
    fn a_value_follows_its_sub_headings() {
        let mut c =
            Cursor::new("'Run Time\n'\thours minutes seconds\n\n\t0 0 10\n'Test Description\n'Run Time\n");
        let key = c.next_key().unwrap();
        assert_eq!(c.value(&key, false).unwrap(), Line { number: 4, text: "0 0 10" });
        let key = c.next_key().unwrap();
        assert_eq!(c.value(&key, true).unwrap(), Line { number: 5, text: "" });
        let key = c.next_key().unwrap();
        assert_eq!(c.value(&key, false).unwrap_err().line, 6);
        let lines: Vec<usize> = c.warnings.iter().map(|w| w.line).collect();
        assert_eq!(lines, [3, 5]);
    }

    #[test]
    fn a_short_form_ends_between_characters() {
        assert_eq!(short(&"é".repeat(100)).chars().count(), 80);
    }
}
