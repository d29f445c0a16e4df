//! Names of labs and hosts, and the form `lab:HOST@LAB`.

use goodput_model::MessageArg;
use goodput_words::{Message, error_messages, message};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// With a domain it still is a valid host name everywhere.
const LONGEST: usize = 32;

pub const DEFAULT_LAB: &str = "default";

const PREFIX: &str = "lab:";

/// Letters, digits and hyphens, no hyphen at either end, 1 to 32 of them. Safe as part of a file name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LabOrHostName(String);

#[derive(Debug, Clone, PartialEq)]
pub struct ParseNameError {
    pub typed: String,
    pub why: Message,
}

error_messages! {
    ParseNameError {
        ParseNameError { typed, why } => message!(error_no_name_of_lab { typed: format!("{typed:?}"), why }),
    }
}

impl ParseNameError {
    pub fn hint(&self) -> Message {
        message!(hint_lab_name { most: LONGEST, lab: DEFAULT_LAB })
    }
}

impl LabOrHostName {
    pub fn default_lab() -> LabOrHostName {
        LabOrHostName(DEFAULT_LAB.to_string())
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for LabOrHostName {
    type Err = ParseNameError;

    fn from_str(typed: &str) -> Result<Self, ParseNameError> {
        let refuse = |why| Err(ParseNameError { typed: typed.to_string(), why });
        if typed.is_empty() {
            return refuse(message!(cause_lab_name_empty));
        }
        if typed.len() > LONGEST {
            return refuse(message!(cause_lab_name_long { most: LONGEST }));
        }
        if !typed.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-') {
            return refuse(message!(cause_lab_name_characters));
        }
        if typed.starts_with('-') || typed.ends_with('-') {
            return refuse(message!(cause_lab_name_hyphen));
        }
        Ok(LabOrHostName(typed.to_string()))
    }
}

impl TryFrom<String> for LabOrHostName {
    type Error = ParseNameError;
    fn try_from(typed: String) -> Result<Self, ParseNameError> {
        typed.parse()
    }
}

impl From<LabOrHostName> for String {
    fn from(name: LabOrHostName) -> String {
        name.0
    }
}

impl fmt::Display for LabOrHostName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&LabOrHostName> for MessageArg {
    fn from(name: &LabOrHostName) -> MessageArg {
        name.as_str().into()
    }
}

/// `lab:b` in the default lab, `lab:b@office` in another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LabHostRef {
    pub host: LabOrHostName,
    pub lab: LabOrHostName,
}

impl LabHostRef {
    /// `None` without the prefix `lab:`.
    pub fn parse(typed: &str) -> Option<Result<LabHostRef, ParseNameError>> {
        typed.strip_prefix(PREFIX).map(|rest| {
            let (host, lab) = rest.split_once('@').unwrap_or((rest, DEFAULT_LAB));
            Ok(LabHostRef { host: host.parse()?, lab: lab.parse()? })
        })
    }
}

impl fmt::Display for LabHostRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.host)?;
        if self.lab.as_str() == DEFAULT_LAB { Ok(()) } else { write!(f, "@{}", self.lab) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_default_lab_needs_no_name_and_impossible_names_are_refused() {
        for (typed, lab) in [("lab:b", "default"), ("lab:b@office-2", "office-2")] {
            let found = LabHostRef::parse(typed).unwrap().unwrap();
            assert_eq!((found.host.as_str(), found.lab.as_str()), ("b", lab));
        }
        for other in ["b", "192.0.2.1", "iperf3://host", "LAB:b", " lab:b"] {
            assert_eq!(LabHostRef::parse(other), None, "{other}");
        }
        for bad in ["lab:", "lab:@x", "lab:a@", "lab:a@b@c", "lab:a/b", "lab:..", "lab:-a", "lab:é"] {
            assert!(LabHostRef::parse(bad).unwrap().is_err(), "{bad}");
        }
        let long = "a".repeat(33);
        assert_eq!(long.parse::<LabOrHostName>().unwrap_err().typed, long);
    }

    proptest! {
        #[test]
        fn what_is_shown_reads_back(host in "[a-zA-Z0-9]([a-z0-9-]{0,20}[a-z0-9])?", lab in "[a-z0-9]{1,32}") {
            let one = LabHostRef { host: host.parse().unwrap(), lab: lab.parse().unwrap() };
            prop_assert_eq!(LabHostRef::parse(&one.to_string()), Some(Ok(one)));
        }
    }
}
