//! Converts errors between `goodput-file`, the sink protocol and the probe.

use goodput_file::{FileError, FileErrorKind};
use goodput_probe::ProbeError;
use goodput_probe::file::{Code, Fault};

const PAIRS: [(FileErrorKind, Code); 18] = [
    (FileErrorKind::NotFound, Code::NotFound),
    (FileErrorKind::PathNotFound, Code::PathNotFound),
    (FileErrorKind::Exists, Code::Exists),
    (FileErrorKind::IsFolder, Code::IsFolder),
    (FileErrorKind::NotFolder, Code::NotFolder),
    (FileErrorKind::NotEmpty, Code::NotEmpty),
    (FileErrorKind::Denied, Code::Denied),
    (FileErrorKind::ReadOnly, Code::ReadOnly),
    (FileErrorKind::Full, Code::Full),
    (FileErrorKind::Shared, Code::Shared),
    (FileErrorKind::Locked, Code::Locked),
    (FileErrorKind::NoMatch, Code::NoMatch),
    (FileErrorKind::EndOfFile, Code::EndOfFile),
    (FileErrorKind::LogOn, Code::LogOn),
    (FileErrorKind::Gone, Code::Gone),
    (FileErrorKind::NotSupported, Code::NotSupported),
    (FileErrorKind::Forbidden, Code::Forbidden),
    (FileErrorKind::Other, Code::Other),
];

pub(super) fn to_fault(e: &FileError) -> Fault {
    let code = PAIRS.iter().find(|(trouble, _)| *trouble == e.trouble).map_or(Code::Other, |(_, code)| *code);
    Fault { code, status: e.status, why: crate::chain(e) }
}

pub(super) fn to_file_error(what: impl Into<String>, fault: Fault) -> FileError {
    let trouble = PAIRS
        .iter()
        .find(|(_, code)| *code == fault.code)
        .map_or(FileErrorKind::Other, |(trouble, _)| *trouble);
    FileError { what: what.into(), trouble, status: fault.status, source: fault.why.into() }
}

pub(super) fn to_probe_error(e: FileError) -> ProbeError {
    ProbeError::Work { what: e.to_string(), source: e.source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_failure_survives_the_way_there_and_back() {
        for (trouble, code) in PAIRS {
            let error = FileError { status: Some(7), ..FileError::because("open x", trouble, "of this") };
            let said = to_fault(&error);
            assert_eq!(
                (said.code, said.status, said.why.as_str()),
                (code, Some(7), "cannot open x: of this")
            );
            let back = to_file_error("read y", said);
            assert_eq!((back.trouble, back.status), (trouble, Some(7)));
            assert_eq!(crate::chain(&to_probe_error(back)), "cannot read y: cannot open x: of this");
        }
    }
}
