//! Converts errors between `goodput-file`, the sink protocol and the probe.

use goodput_file::{ErrorText, FileError};
use goodput_probe::ProbeError;
use goodput_probe::file::SinkError;
use goodput_words::ErrorMessage;

pub(super) fn to_sink_error(e: &FileError) -> SinkError {
    SinkError { code: e.trouble, status: e.status, why: e.message_with_sources() }
}

pub(super) fn to_file_error(what: impl Into<ErrorText>, fault: SinkError) -> FileError {
    FileError { what: what.into(), trouble: fault.code, status: fault.status, source: fault.why.into() }
}

pub(super) fn to_probe_error(e: FileError) -> ProbeError {
    ProbeError::Work(e.message_with_sources())
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_file::FileErrorKind;

    #[test]
    fn every_kind_of_failure_survives_the_way_there_and_back() {
        for trouble in FileErrorKind::ALL {
            let error = FileError { status: Some(7), ..FileError::with_reason("open x", trouble, "of this") };
            let said = to_sink_error(&error);
            let expected = (trouble, Some(7), "cannot open x: of this");
            assert_eq!((said.code, said.status, said.why.as_str()), expected);
            let back = to_file_error("read y", said);
            assert_eq!((back.trouble, back.status), (trouble, Some(7)));
            assert_eq!(to_probe_error(back).message(), "cannot read y: cannot open x: of this");
        }
    }
}
