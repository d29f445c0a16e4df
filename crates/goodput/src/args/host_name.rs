//! Hosts on the command line: addresses, names, hosts of a running lab (`lab:NAME`, `lab:NAME@LAB`), lists
//! with ranges. `command/resolve_host.rs` decides which host a bare name means.

use super::value_parsers::{ValueError, quote_value};
use crate::failure::Failure;
use goodput_control::address::{AddressError, AgentRouterAddress, HostAddress};
use goodput_lab::{LabHostRef, ParseNameError};
use goodput_model::Message;
use goodput_words::message;
use std::fmt;
use std::str::FromStr;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostName {
    /// An IP address, or a name with a port, which only the system resolver can resolve.
    Address(HostAddress),
    /// A DNS name or the name of an agent.
    Name(String),
    Lab(LabHostRef),
}

impl HostName {
    pub fn parse(option: &str, typed: &str) -> Result<HostName, Failure> {
        typed.parse().map_err(|e: ValueError| e.into_failure_for_option(option, typed))
    }

    pub fn lab_host(&self) -> Option<&LabHostRef> {
        match self {
            HostName::Lab(host) => Some(host),
            HostName::Address(_) | HostName::Name(_) => None,
        }
    }
}

impl FromStr for HostName {
    type Err = ValueError;

    fn from_str(typed: &str) -> Result<HostName, ValueError> {
        if let Some(lab_host) = LabHostRef::parse(typed) {
            return lab_host.map(HostName::Lab).map_err(ValueError::from);
        }
        if typed.contains("://") {
            return Err(ValueError::new(
                "goodput measures only against its own agents",
                "type an address (10.0.0.2, fd00::2), a name (nas.local) or lab:NAME",
            ));
        }
        let address: HostAddress =
            typed.parse().map_err(|e: AddressError| ValueError::new(e.why, e.hint()))?;
        let bare = HostAddress::is_name_without_port(typed);
        Ok(if bare { HostName::Name(address.host) } else { HostName::Address(address) })
    }
}

impl fmt::Display for HostName {
    /// As the user would type it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostName::Address(address) => write!(f, "{address}"),
            HostName::Name(name) => f.write_str(name),
            HostName::Lab(host) => write!(f, "{host}"),
        }
    }
}

impl From<ParseNameError> for ValueError {
    fn from(error: ParseNameError) -> ValueError {
        ValueError::new(&error.why, error.hint())
    }
}

pub fn parse_lab_name(typed: &str) -> Result<goodput_lab::LabOrHostName, ValueError> {
    Ok(typed.parse::<goodput_lab::LabOrHostName>()?)
}

pub fn parse_router_address(typed: &str) -> Result<AgentRouterAddress, ValueError> {
    typed.parse().map_err(|e: AddressError| {
        ValueError::new(e.why, "type HOST or HOST:PORT, for example hub or 10.0.0.1:7447")
    })
}

pub fn parse_host_name(typed: &str) -> Result<String, ValueError> {
    let plain = typed.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    if plain && (1..=64).contains(&typed.len()) {
        return Ok(typed.to_string());
    }
    Err(ValueError::new(
        "a name is 1 to 64 letters, digits, dots, dashes and underscores",
        "type a name like web1",
    ))
}

pub fn parse_local_address(typed: &str) -> Result<std::net::IpAddr, ValueError> {
    typed.parse().map_err(|_| {
        ValueError::new(
            "the value is not an IP address",
            "type an address of this machine, for example 10.0.0.2 or ::",
        )
    })
}

/// Distinct hosts separated by commas: `c1,c2`, `c[1-20]`, `lab:c[01-20]`, `10.0.0.[11-14]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostList(pub Vec<HostName>);

const MOST: usize = 10_000;

impl FromStr for HostList {
    type Err = ValueError;

    fn from_str(typed: &str) -> Result<HostList, ValueError> {
        let mut found = Vec::new();
        for word in words(typed) {
            for name in expanded(word.trim())? {
                let host: HostName = name.parse()?;
                if found.contains(&host) {
                    return Err(bad_list(message!(cause_is_named_twice { word: &name })));
                }
                found.push(host);
            }
            if found.len() > MOST {
                return Err(bad_list(message!(cause_args_hosts_too_many { most: MOST.to_string() })));
            }
        }
        Ok(HostList(found))
    }
}

/// Splits at commas outside brackets: one inside belongs to an IPv6 address or a range.
fn words(typed: &str) -> Vec<&str> {
    let mut depth = 0u32;
    let separates = move |c: char| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    };
    typed.split(separates).collect()
}

fn expanded(word: &str) -> Result<Vec<String>, ValueError> {
    let parts = || {
        let (head, rest) = word.split_once('[')?;
        let (range, tail) = rest.split_once(']')?;
        let (first, last) = range.split_once('-')?;
        let digits = |t: &str| !t.is_empty() && t.len() <= 9 && t.bytes().all(|b| b.is_ascii_digit());
        (digits(first) && digits(last)).then_some((head, first, last, tail))
    };
    let Some((head, first, last, tail)) = parts() else { return Ok(vec![word.to_string()]) };
    let number = |t: &str| t.parse::<usize>().unwrap_or(0);
    let (from, to) = (number(first), number(last));
    let range = format!("{first}-{last}");
    if from > to {
        return Err(bad_list(message!(cause_counts_downwards { text: range })));
    }
    if to - from >= MOST {
        return Err(bad_list(message!(cause_args_range_too_many { range, most: MOST.to_string() })));
    }
    // `[01-20]` keeps its leading zeros.
    let width = if first.starts_with('0') { first.len() } else { 0 };
    Ok((from..=to).map(|n| format!("{head}{n:0width$}{tail}")).collect())
}

fn bad_list(why: Message) -> ValueError {
    ValueError::new(why, "type a list of hosts such as c1,c2,c3 or c[1-20]")
}

/// `NAME=HOST`: a manager of an `.icf` file and its host.
pub fn parse_iometer_manager_host(typed: &str) -> Result<(String, String), ValueError> {
    let hint = || message!(hint_args_type { value: "--map SERVER=10.0.0.1" });
    let parts = typed.split_once('=').filter(|(name, _)| !name.is_empty());
    let (name, host) = parts.ok_or_else(|| ValueError::new("it has no manager's name and host", hint()))?;
    host.parse::<HostName>().map_err(|e| {
        let why = message!(cause_args_no_host { typed: quote_value(host), why: e.cause });
        ValueError::new(why, hint())
    })?;
    Ok((name.to_string(), host.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_names_and_lab_hosts() {
        for (typed, host, port) in
            [("10.0.0.2", "10.0.0.2", 5303), ("[fd00::2]:6303", "fd00::2", 6303), ("nas:6303", "nas", 6303)]
        {
            let Ok(HostName::Address(a)) = typed.parse() else { panic!("{typed}") };
            assert_eq!((a.host.as_str(), a.port), (host, port));
        }
        for name in ["nas", "nas.local", "web-1"] {
            assert_eq!(name.parse(), Ok(HostName::Name(name.into())));
        }
        for (typed, lab) in [("lab:b", "default"), ("lab:b@test", "test")] {
            let Ok(HostName::Lab(l)) = typed.parse() else { panic!("{typed}") };
            assert_eq!((l.host.to_string(), l.lab.to_string()), ("b".into(), lab.into()));
        }
        for bad in ["", "a b", "lab:", "lab:../x", "lab:b@", "iperf3://h", "h:99999", "a\0b", "lab:é"] {
            assert!(bad.parse::<HostName>().is_err(), "{bad}");
        }
    }

    #[test]
    fn routers_and_plain_names() {
        let hub = parse_router_address("hub").unwrap();
        assert_eq!((hub.host.as_str(), hub.port), ("hub", 7447));
        assert!(parse_router_address("hub:x").is_err());
        assert_eq!(parse_host_name("web.1"), Ok("web.1".into()));
        for bad in ["", "a b", "a/b", "@web", "é"] {
            assert!(parse_host_name(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn ranges_are_expanded() {
        let names = |typed: &str| -> Vec<String> {
            words(typed).into_iter().flat_map(|w| expanded(w.trim()).unwrap()).collect()
        };
        assert_eq!(names("c[1-3], d"), ["c1", "c2", "c3", "d"]);
        assert_eq!(names("lab:c[08-10]"), ["lab:c08", "lab:c09", "lab:c10"]);
        assert_eq!(names("10.0.0.[11-12]"), ["10.0.0.11", "10.0.0.12"]);
        assert_eq!(names("[fd00::2]:6303,x"), ["[fd00::2]:6303", "x"]);
        for bad in ["", ",", "a,,b", "a,a", "c[3-1]", "c[1-99999999]", "lab:c[1-2],lab:c2"] {
            assert!(bad.parse::<HostList>().is_err(), "{bad}");
        }
        assert_eq!("lab:c[1-20]".parse::<HostList>().unwrap().0.len(), 20);
    }

    #[test]
    fn managers_have_hosts() {
        assert_eq!(parse_iometer_manager_host("SERVER=10.0.0.1"), Ok(("SERVER".into(), "10.0.0.1".into())));
        for bad in ["SERVER", "=x", "S="] {
            assert!(parse_iometer_manager_host(bad).is_err(), "{bad}");
        }
    }
}
