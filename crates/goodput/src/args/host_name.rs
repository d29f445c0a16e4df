//! The HOST argument: an address, a name, or a host of the running lab (`lab:NAME`, `lab:NAME@LAB`); and the routers
//! and groups by which many are named. Which host a bare name means is decided in `command/reach.rs`.

use super::value::shown;
use crate::failure::Failure;
use goodput_control::address::{AddressError, HostAddress, RouterAddress};
use goodput_lab::{LabHost, NameError};

/// One end of a measurement, as named by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostName {
    /// An address, or a name with a port, which only the system's resolver can know.
    Address(HostAddress),
    /// A bare name: of a host that the resolver knows, or of an agent.
    Name(String),
    /// A host of a lab that runs on this machine.
    Lab(LabHost),
}

impl HostName {
    /// Reads what was typed after `option` (or as HOST).
    pub fn parse(option: &str, typed: &str) -> Result<HostName, Failure> {
        let refuse = |why: &str| {
            Failure::usage(format!("{option} {} is refused", shown(typed)))
                .because(why)
                .try_this("type an address (10.0.0.2, fd00::2), a name (nas.local) or lab:NAME")
        };
        if let Some(lab_host) = LabHost::parse(typed) {
            return lab_host.map(HostName::Lab).map_err(|e| refused_name(option, typed, &e));
        }
        if typed.contains("://") {
            return Err(refuse("this version measures only against its own agents"));
        }
        let address: HostAddress =
            typed.parse().map_err(|e: AddressError| refuse(e.why).try_this(e.hint()))?;
        let bare = HostAddress::is_name(typed);
        Ok(if bare { HostName::Name(address.host) } else { HostName::Address(address) })
    }
}

/// A router, if one was typed after `option`.
pub fn router(option: &str, typed: Option<&str>) -> Result<Option<RouterAddress>, Failure> {
    let parse = |typed: &str| {
        typed.parse().map_err(|e: AddressError| {
            Failure::usage(format!("{option} {} is refused", shown(typed)))
                .because(e.why)
                .try_this("type HOST or HOST:PORT, for example hub or 10.0.0.1:7447")
        })
    };
    typed.map(parse).transpose()
}

/// The name of an agent or of a group.
pub fn plain_name(option: &str, typed: &str) -> Result<String, Failure> {
    let plain = typed.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'));
    if plain && !typed.is_empty() && typed.len() <= 64 {
        return Ok(typed.to_string());
    }
    Err(Failure::usage(format!("{option} {} is refused", shown(typed)))
        .because("a name is 1 to 64 letters, digits, dots, dashes and underscores")
        .try_this("type a name like web1"))
}

/// The lab crate's refusal of a lab's or a lab host's name.
pub fn refused_name(option: &str, typed: &str, error: &NameError) -> Failure {
    Failure::usage(format!("{option} {} is refused", shown(typed))).because(error.why).try_this(error.hint())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_names_and_lab_hosts() {
        let address = |typed: &str| match HostName::parse("HOST", typed) {
            Ok(HostName::Address(a)) => (a.host, a.port),
            other => panic!("{other:?}"),
        };
        assert_eq!(address("10.0.0.2"), ("10.0.0.2".into(), 5303));
        assert_eq!(address("[fd00::2]:6303"), ("fd00::2".into(), 6303));
        for name in ["nas", "nas.local", "web-1"] {
            assert_eq!(HostName::parse("HOST", name), Ok(HostName::Name(name.into())));
        }
        assert_eq!(address("nas:6303"), ("nas".into(), 6303));
        let lab = |typed: &str| match HostName::parse("HOST", typed) {
            Ok(HostName::Lab(l)) => (l.host.to_string(), l.lab.to_string()),
            other => panic!("{other:?}"),
        };
        assert_eq!(lab("lab:b"), ("b".into(), "default".into()));
        assert_eq!(lab("lab:b@test"), ("b".into(), "test".into()));
    }

    #[test]
    fn routers_and_plain_names() {
        let hub = router("--router", Some("hub")).unwrap().unwrap();
        assert_eq!((hub.host.as_str(), hub.port), ("hub", 7447));
        assert_eq!(router("--router", None), Ok(None));
        assert!(router("--router", Some("hub:x")).unwrap_err().hint.is_some());
        assert_eq!(plain_name("--group", "web.1"), Ok("web.1".into()));
        for bad in ["", "a b", "a/b", "@web", "é"] {
            assert!(plain_name("--group", bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_cannot_be_a_host_is_refused() {
        for bad in ["", "a b", "lab:", "lab:../x", "lab:b@", "iperf3://h", "h:99999", "a\0b", "lab:é"] {
            let f = HostName::parse("HOST", bad).unwrap_err();
            assert!(f.hint.is_some() && f.cause.is_some(), "{bad}");
        }
    }
}
