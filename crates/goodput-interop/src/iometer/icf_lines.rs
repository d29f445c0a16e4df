//! The lines of an `.icf`: key, sub-headings, one line of data. A line with an apostrophe in column 1 is a
//! key or a heading; data lines may be indented. Blank lines and comments in place of a key, which IOmeter
//! refuses, are skipped with a warning.

use super::errors::IcfError;
use super::icf_key::{IcfKey, IcfSection};
use super::version::{self, IcfVersion};
use crate::{LineWarning, truncate_text};
use goodput_words::{Message, message};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IcfLine<'a> {
    pub number: usize,
    pub text: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct IcfKeyLine<'a> {
    pub key: IcfKey,
    pub line: IcfLine<'a>,
}

impl IcfKeyLine<'_> {
    /// Without the apostrophe.
    pub fn key_text(&self) -> &str {
        truncate_text(self.line.text.trim().trim_start_matches('\''))
    }
}

enum Kind {
    Blank,
    /// True when it is indented.
    Key(IcfKey, bool),
    Comment,
    Data,
}

pub(super) struct IcfCursor<'a> {
    lines: Vec<&'a str>,
    at: usize,
    /// After [`IcfCursor::read_version`].
    version: IcfVersion,
    pub warnings: Vec<LineWarning>,
}

impl<'a> IcfCursor<'a> {
    pub fn new(text: &'a str) -> IcfCursor<'a> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        IcfCursor {
            lines: text.lines().collect(),
            at: 0,
            version: version::ICF_OUTPUT_VERSION,
            warnings: Vec::new(),
        }
    }

    pub fn last_line_number(&self) -> usize {
        self.lines.len().max(1)
    }

    pub fn add_warning(&mut self, line: usize, text: impl Into<Message>) {
        self.warnings.push(LineWarning { line, text: text.into() });
    }

    pub fn peek_line(&self) -> Option<IcfLine<'a>> {
        self.lines.get(self.at).map(|text| IcfLine { number: self.at + 1, text })
    }

    pub fn next_line(&mut self) -> Option<IcfLine<'a>> {
        let line = self.peek_line()?;
        self.at += 1;
        Some(line)
    }

    pub fn read_version(&mut self) -> Result<IcfVersion, IcfError> {
        while let Some(line) = self.next_line() {
            let text = line.text.trim();
            if text.is_empty() {
                self.add_warning(line.number, "a blank line before the version; IOmeter refuses it");
                continue;
            }
            let version = version::parse_version(text).ok_or_else(|| no_version(line.number, text))?;
            if let Some(text) = version.version_warning() {
                self.add_warning(line.number, text);
            }
            self.version = version;
            return Ok(version);
        }
        Err(no_version(self.last_line_number(), ""))
    }

    /// IOmeter, too, looks only for section starts between sections.
    pub fn next_section(&mut self) -> Option<(IcfSection, usize)> {
        let mut stray = None;
        let mut found = None;
        while let Some(line) = self.next_line() {
            found = IcfKey::parse_section_start(line.text).map(|section| (section, line.number));
            if found.is_some() {
                break;
            }
            let known = line.text.trim().is_empty() || version::parse_version(line.text.trim()).is_some();
            stray = stray.or((!known).then_some(line));
        }
        if let Some(line) = stray {
            let text = format!("{:?}", truncate_text(line.text));
            self.add_warning(line.number, message!(cause_icf_outside_sections { text }));
        }
        found
    }

    /// After the end of this section, or before the next one.
    pub fn skip_section(&mut self, section: IcfSection) {
        while let Some(line) = self.peek_line() {
            if IcfKey::parse_section_start(line.text).is_some() {
                return;
            }
            self.at += 1;
            if IcfKey::from_line(line.text) == Some(IcfKey::End(section)) {
                return;
            }
        }
    }

    /// Blank lines, comments and data in place of a key are skipped with one warning for each block.
    pub fn next_key(&mut self) -> Option<IcfKeyLine<'a>> {
        let mut told = false;
        while let Some(line) = self.next_line() {
            match kind(line.text) {
                Kind::Key(key, indented) => {
                    if indented {
                        self.add_warning(line.number, "a key is indented; IOmeter takes it for data there");
                    }
                    return Some(IcfKeyLine { key, line });
                }
                Kind::Comment => {
                    let text = format!("{:?}", truncate_text(line.text.trim()));
                    self.add_warning(line.number, message!(cause_icf_no_key { text }));
                    self.skip_data();
                    told = false;
                }
                Kind::Blank | Kind::Data if told => {}
                Kind::Blank => {
                    self.add_warning(line.number, "a blank line where a key should be; IOmeter refuses it");
                    told = true;
                }
                Kind::Data => {
                    let text = format!("{:?}", truncate_text(line.text.trim()));
                    self.add_warning(line.number, message!(cause_icf_no_key_above { text }));
                    told = true;
                }
            }
        }
        None
    }

    pub fn step_back(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    pub fn warn_misplaced_key(&mut self, found: &IcfKeyLine<'_>) {
        self.add_warning(found.line.number, message!(cause_icf_key_misplaced { key: found.key_text() }));
        self.skip_data();
    }

    /// `None` behind the section's end, and with a warning before another section.
    pub fn next_key_in_section(&mut self, section: IcfSection) -> Option<IcfKeyLine<'a>> {
        let found = self.next_key();
        match found.map(|found| found.key) {
            Some(IcfKey::End(ended)) if ended == section => return None,
            Some(IcfKey::Section(_) | IcfKey::Version) => self.step_back(),
            None => {}
            _ => return found,
        }
        // Files as late as 1998.10.08 have no 'END test setup.
        if section != IcfSection::Setup || !self.version.is_dated_on_or_before(1998, 10, 8) {
            let name = section.section_name();
            let text = message!(cause_icf_section_without_end { name, end: name.to_lowercase() });
            self.add_warning(self.at.max(1), text);
        }
        None
    }

    fn skip_data(&mut self) {
        while self.peek_line().is_some_and(|l| matches!(kind(l.text), Kind::Blank | Kind::Data)) {
            self.at += 1;
        }
    }

    /// The first data line after the key and sub-headings, trimmed. Unless `empty`, skips blank lines.
    pub fn read_value(&mut self, found: &IcfKeyLine<'a>, empty: bool) -> Result<IcfLine<'a>, IcfError> {
        while let Some(line) = self.peek_line() {
            // In column 1 only: a description may begin with an apostrophe after its tab.
            let heading = line.text.starts_with('\'');
            if (heading && IcfKey::from_line(line.text).is_some())
                || version::parse_version(line.text).is_some()
            {
                break;
            }
            self.at += 1;
            if heading {
                continue;
            }
            let text = line.text.trim();
            if !text.is_empty() || empty {
                return Ok(IcfLine { number: line.number, text });
            }
            self.add_warning(line.number, message!(cause_icf_blank_before_value { key: found.key_text() }));
        }
        let number = found.line.number;
        if !empty {
            return Err(IcfError::new(number, message!(cause_icf_no_value { key: found.key_text() })));
        }
        self.add_warning(number, message!(cause_icf_empty_line_wanted { key: found.key_text() }));
        Ok(IcfLine { number, text: "" })
    }

    /// Up to the next line with an apostrophe in column 1, trimmed, without blank ones.
    pub fn read_data_lines(&mut self) -> Vec<IcfLine<'a>> {
        let mut data = Vec::new();
        while let Some(line) = self.peek_line() {
            if line.text.starts_with('\'') || version::parse_version(line.text).is_some() {
                break;
            }
            self.at += 1;
            let text = line.text.trim();
            if text.is_empty() {
                self.add_warning(line.number, "a blank line among data; IOmeter stumbles over it");
            } else {
                data.push(IcfLine { number: line.number, text });
            }
        }
        data
    }
}

fn no_version(line: usize, found: &str) -> IcfError {
    let why = message!(cause_icf_no_version { found: format!("{:?}", truncate_text(found)) });
    let hint = "name a file that IOmeter saved; its first line is Version 1.1.0 or so";
    IcfError { hint, ..IcfError::new(line, why) }
}

fn kind(text: &str) -> Kind {
    let trimmed = text.trim();
    if trimmed.is_empty() {
        Kind::Blank
    } else if trimmed.starts_with('\'') {
        IcfKey::from_line(trimmed).map_or(Kind::Comment, |key| Kind::Key(key, !text.starts_with('\'')))
    } else if version::parse_version(text).is_some() {
        Kind::Key(IcfKey::Version, false)
    } else {
        Kind::Data
    }
}

impl<'a> IcfLine<'a> {
    /// As IOmeter: skips all before the first digit or minus sign, and a comma and blanks after the number.
    pub fn parse_next_number<T: TryFrom<i128>>(&mut self, what: &'static str) -> Result<T, IcfError> {
        let found = self.text;
        let number = || -> Option<(T, usize)> {
            let start = found.find(|c: char| c.is_ascii_digit() || c == '-')?;
            let rest = &found[start..];
            let length = rest.find(|c: char| !(c.is_ascii_digit() || c == '-')).unwrap_or(rest.len());
            let value = rest[..length].parse::<i128>().ok()?;
            Some((T::try_from(value).ok()?, start + length))
        };
        let (value, end) = number().ok_or_else(|| IcfError::not_a_number(self.number, what, found))?;
        let rest = found[end..].trim_start();
        self.text = rest.strip_prefix(',').unwrap_or(rest).trim_start();
        Ok(value)
    }

    pub fn parse_next_word(&mut self) -> &'a str {
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
        let mut line = IcfLine { number: 7, text: "about 10 h, -2,3;4x" };
        let numbers = [(); 4].map(|()| line.parse_next_number::<i64>("a").unwrap());
        assert_eq!((numbers, line.text), ([10, -2, 3, 4], "x"));
        let e = line.parse_next_number::<u32>("the run time").unwrap_err();
        assert_eq!(e.to_string(), "line 7: the run time is \"x\", which is not a whole number");
        for bad in ["1-2", "--3", "-", "99999999999999999999999999999999999999999", "-1"] {
            assert!(IcfLine { number: 1, text: bad }.parse_next_number::<u32>("a").is_err(), "{bad}");
        }
    }

    #[test]
    fn a_value_follows_its_sub_headings() {
        let mut c =
            IcfCursor::new("'Run Time\n'\thours minutes seconds\n\n\t0 0 10\n'Test Description\n'Run Time\n");
        let key = c.next_key().unwrap();
        assert_eq!(c.read_value(&key, false).unwrap(), IcfLine { number: 4, text: "0 0 10" });
        let key = c.next_key().unwrap();
        assert_eq!(c.read_value(&key, true).unwrap(), IcfLine { number: 5, text: "" });
        let key = c.next_key().unwrap();
        assert_eq!(c.read_value(&key, false).unwrap_err().line, 6);
        let lines: Vec<usize> = c.warnings.iter().map(|w| w.line).collect();
        assert_eq!(lines, [3, 5]);
    }

    #[test]
    fn a_short_form_ends_between_characters() {
        assert_eq!(truncate_text(&"é".repeat(100)).chars().count(), 80);
    }
}
