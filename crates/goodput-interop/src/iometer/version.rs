//! The version of an `.icf`: a date until 2008, three plain numbers since 1.1.0.

use goodput_words::{Message, message};
use std::fmt;

/// `a.b.c` of the first line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct IcfVersion([u32; 3]);

pub(super) const ICF_OUTPUT_VERSION: IcfVersion = IcfVersion([1, 1, 0]);

impl IcfVersion {
    fn is_date_version(self) -> bool {
        self.0[0] > 1900
    }

    /// Plain numbers are later than any date.
    pub(super) fn is_dated_on_or_before(self, year: u32, month: u32, day: u32) -> bool {
        self.is_date_version() && self.0 <= [year, month, day]
    }

    pub(super) fn version_warning(self) -> Option<Message> {
        let first = self.0[0];
        if self.0 == [3, 26, 97] {
            // OLTP.txt of 1998.01.05; IOmeter 1.1 takes it for version 3.
            Some("version 3.26.97 stands for 1998.01.05".into())
        } else if self.is_date_version() && self.0 < [1998, 1, 5] {
            Some(message!(cause_icf_old_version { version: self.to_string() }))
        } else if (self.is_date_version() && first > 2008) || (!self.is_date_version() && first != 1) {
            Some(message!(cause_icf_unknown_version { version: self.to_string() }))
        } else {
            None
        }
    }
}

impl fmt::Display for IcfVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, third] = self.0;
        if self.is_date_version() {
            write!(f, "{first}.{second:02}.{third:02}")
        } else {
            write!(f, "{first}.{second}.{third}")
        }
    }
}

/// `Version 1999.10.20`, `'Version 2003.12.16-post`; `None` for any other text.
pub(super) fn parse_version(text: &str) -> Option<IcfVersion> {
    const WORD: &str = "version";
    let text = text.strip_prefix('\'').unwrap_or(text);
    let word = text.get(..WORD.len()).filter(|w| w.eq_ignore_ascii_case(WORD))?;
    let rest = &text[word.len()..];
    rest.starts_with([' ', '\t']).then_some(())?;
    let mut numbers = rest.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty());
    let mut number = || numbers.next()?.parse::<u32>().ok();
    Some(IcfVersion([number()?, number()?, number()?]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_three_numbers_count() {
        let v = |text| parse_version(text).map(|v| v.to_string());
        assert_eq!(v("Version 1.1.0"), Some("1.1.0".into()));
        assert_eq!(v("'version  1999.10.20 "), Some("1999.10.20".into()));
        assert_eq!(v("Version 2003.12.16-post"), Some("2003.12.16".into()));
        for bad in
            ["Version 1.1", "Versions 1.1.0", "Version", "1.1.0", "Version 1.1.99999999999", "Vérsion 1"]
        {
            assert_eq!(v(bad), None, "{bad}");
        }
        // Plain numbers are later than dates.
        let old = parse_version("Version 1998.10.08").unwrap();
        assert!(old.is_dated_on_or_before(1998, 10, 8) && !old.is_dated_on_or_before(1998, 10, 7));
        assert!(!ICF_OUTPUT_VERSION.is_dated_on_or_before(2999, 1, 1));
        assert_eq!(old.version_warning(), None);
        let warning = |text| parse_version(text).unwrap().version_warning();
        assert!(warning("Version 3.26.97").unwrap().contains("1998.01.05"));
        assert!(warning("Version 1997.01.01").is_some() && warning("Version 2.0.0").is_some());
    }
}
