//! Converts errors between `goodput-file`, the sink protocol and the probe.

use goodput_file::{FileError, FileErrorKind};
use goodput_probe::ProbeError;
use goodput_probe::file::{SinkError, SinkErrorCode};

const PAIRS: [(FileErrorKind, SinkErrorCode); 18] = [
    (FileErrorKind::NotFound, SinkErrorCode::NotFound),
    (FileErrorKind::PathNotFound, SinkErrorCode::PathNotFound),
    (FileErrorKind::Exists, SinkErrorCode::Exists),
    (FileErrorKind::IsFolder, SinkErrorCode::IsFolder),
    (FileErrorKind::NotFolder, SinkErrorCode::NotFolder),
    (FileErrorKind::NotEmpty, SinkErrorCode::NotEmpty),
    (FileErrorKind::Denied, SinkErrorCode::Denied),
    (FileErrorKind::ReadOnly, SinkErrorCode::ReadOnly),
    (FileErrorKind::Full, SinkErrorCode::Full),
    (FileErrorKind::Shared, SinkErrorCode::Shared),
    (FileErrorKind::Locked, SinkErrorCode::Locked),
    (FileErrorKind::NoMatch, SinkErrorCode::NoMatch),
    (FileErrorKind::EndOfFile, SinkErrorCode::EndOfFile),
    (FileErrorKind::LogOn, SinkErrorCode::LogOn),
    (FileErrorKind::Gone, SinkErrorCode::Gone),
    (FileErrorKind::NotSupported, SinkErrorCode::NotSupported),
    (FileErrorKind::Forbidden, SinkErrorCode::Forbidden),
    (FileErrorKind::Other, SinkErrorCode::Other),
];

pub(super) fn to_sink_error(e: &FileError) -> SinkError {
    let code = PAIRS
        .iter()
        .find(|(trouble, _)| *trouble == e.trouble)
        .map_or(SinkErrorCode::Other, |(_, code)| *code);
    SinkError { code, status: e.status, why: crate::chain(e) }
}

pub(super) fn to_file_error(what: impl Into<String>, fault: SinkError) -> FileError {
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
            let said = to_sink_error(&error);
            let expected = (code, Some(7), "cannot open x: of this");
            assert_eq!((said.code, said.status, said.why.as_str()), expected);
            let back = to_file_error("read y", said);
            assert_eq!((back.trouble, back.status), (trouble, Some(7)));
            assert_eq!(crate::chain(&to_probe_error(back)), "cannot read y: cannot open x: of this");
        }
    }
}
