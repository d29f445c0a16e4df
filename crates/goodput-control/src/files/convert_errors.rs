//! Converts errors between `goodput-file`, the sink protocol and the probe.

use goodput_file::{FileError, FileErrorKind};
use goodput_probe::ProbeError;
use goodput_probe::file::{FaultCode, SinkFault};

const PAIRS: [(FileErrorKind, FaultCode); 18] = [
    (FileErrorKind::NotFound, FaultCode::NotFound),
    (FileErrorKind::PathNotFound, FaultCode::PathNotFound),
    (FileErrorKind::Exists, FaultCode::Exists),
    (FileErrorKind::IsFolder, FaultCode::IsFolder),
    (FileErrorKind::NotFolder, FaultCode::NotFolder),
    (FileErrorKind::NotEmpty, FaultCode::NotEmpty),
    (FileErrorKind::Denied, FaultCode::Denied),
    (FileErrorKind::ReadOnly, FaultCode::ReadOnly),
    (FileErrorKind::Full, FaultCode::Full),
    (FileErrorKind::Shared, FaultCode::Shared),
    (FileErrorKind::Locked, FaultCode::Locked),
    (FileErrorKind::NoMatch, FaultCode::NoMatch),
    (FileErrorKind::EndOfFile, FaultCode::EndOfFile),
    (FileErrorKind::LogOn, FaultCode::LogOn),
    (FileErrorKind::Gone, FaultCode::Gone),
    (FileErrorKind::NotSupported, FaultCode::NotSupported),
    (FileErrorKind::Forbidden, FaultCode::Forbidden),
    (FileErrorKind::Other, FaultCode::Other),
];

pub(super) fn to_fault(e: &FileError) -> SinkFault {
    let code =
        PAIRS.iter().find(|(trouble, _)| *trouble == e.trouble).map_or(FaultCode::Other, |(_, code)| *code);
    SinkFault { code, status: e.status, why: crate::chain(e) }
}

pub(super) fn to_file_error(what: impl Into<String>, fault: SinkFault) -> FileError {
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
            let error = FileError { status: Some(7), ..FileError::with_reason("open x", trouble, "of this") };
            let said = to_fault(&error);
            let expected = (code, Some(7), "cannot open x: of this");
            assert_eq!((said.code, said.status, said.why.as_str()), expected);
            let back = to_file_error("read y", said);
            assert_eq!((back.trouble, back.status), (trouble, Some(7)));
            assert_eq!(crate::chain(&to_probe_error(back)), "cannot read y: cannot open x: of this");
        }
    }
}
