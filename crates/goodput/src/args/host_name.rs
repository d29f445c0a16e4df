//! The HOST argument: an address, a name, or a host of the running lab (`lab:NAME`, `lab:NAME@LAB`).

use super::value::shown;
use crate::failure::Failure;
use goodput_control::address::{AddressError, HostAddress};
use goodput_lab::{LabHost, NameError};

/// One end of a measurement, as named by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HostName {
    /// An address, or a name that the system resolves.
    Address(HostAddress),
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
        typed.parse().map(HostName::Address).map_err(|e: AddressError| refuse(e.why).try_this(e.hint()))
    }
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
        let lab = |typed: &str| match HostName::parse("HOST", typed) {
            Ok(HostName::Lab(l)) => (l.host.to_string(), l.lab.to_string()),
            other => panic!("{other:?}"),
        };
        assert_eq!(lab("lab:b"), ("b".into(), "default".into()));
        assert_eq!(lab("lab:b@test"), ("b".into(), "test".into()));
    }

    #[test]
    fn what_cannot_be_a_host_is_refused() {
        for bad in ["", "a b", "lab:", "lab:../x", "lab:b@", "iperf3://h", "h:99999", "a\0b", "lab:é"] {
            let f = HostName::parse("HOST", bad).unwrap_err();
            assert!(f.hint.is_some() && f.cause.is_some(), "{bad}");
        }
    }
}
