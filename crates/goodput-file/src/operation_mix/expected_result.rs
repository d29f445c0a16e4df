//! Compares the result of an operation with the result that the load file expects.

use crate::{FileError, FileErrorKind};
use goodput_model::file::ExpectedOpStatus;
use goodput_words::{ErrorMessage, Message, message};

#[derive(Debug, PartialEq)]
pub(super) enum OperationOutcome {
    /// As expected, with the bytes moved.
    Done(u64),
    Failed,
    Unexpected(Box<UnexpectedResult>),
}

#[derive(Debug, PartialEq)]
pub(super) struct UnexpectedResult {
    pub text: Message,
    pub bytes: u64,
    pub gone: bool,
}

#[inline]
pub(super) fn compare_with_expected(
    expect: ExpectedOpStatus,
    ended: Result<u64, FileError>,
) -> OperationOutcome {
    match (ended, expect) {
        (Ok(bytes), ExpectedOpStatus::Success | ExpectedOpStatus::Any) => OperationOutcome::Done(bytes),
        (Err(e), ExpectedOpStatus::Any | ExpectedOpStatus::Failure) if e.trouble != FileErrorKind::Gone => {
            OperationOutcome::Failed
        }
        (Err(e), ExpectedOpStatus::Status(status))
            if e.trouble != FileErrorKind::Gone && is_of_kind(&e, status) =>
        {
            OperationOutcome::Failed
        }
        (ended, _) => unexpected(expect, ended),
    }
}

#[cold]
fn unexpected(expect: ExpectedOpStatus, ended: Result<u64, FileError>) -> OperationOutcome {
    let (what, bytes, gone) = match ended {
        Ok(bytes) => (Message::from("it went well"), bytes, false),
        Err(e) => {
            let (what, gone) = (e.message_with_sources(), e.trouble == FileErrorKind::Gone);
            match e.status {
                Some(status) => (message!(part_with_parts { what, parts: hexadecimal(status) }), 0, gone),
                None => (what, 0, gone),
            }
        }
    };
    let text = match expect {
        ExpectedOpStatus::Success | ExpectedOpStatus::Any => what,
        ExpectedOpStatus::Failure => message!(part_place_mix_failure_expected { what }),
        ExpectedOpStatus::Status(status) => {
            message!(part_place_mix_status_expected { what, status: hexadecimal(status) })
        }
    };
    OperationOutcome::Unexpected(Box::new(UnexpectedResult { text, bytes, gone }))
}

fn hexadecimal(status: u32) -> String {
    format!("0x{status:08x}")
}

/// True when a failure has the expected NT status, or one of the same kind, because servers differ.
fn is_of_kind(error: &FileError, status: u32) -> bool {
    error.status == Some(status) || kinds(status).contains(&error.trouble)
}

/// The kinds of failure that correspond to an NT status (MS-ERREF, section 2.3.1).
fn kinds(status: u32) -> &'static [FileErrorKind] {
    use FileErrorKind::*;
    match status {
        // NO_SUCH_FILE, OBJECT_NAME_NOT_FOUND, OBJECT_PATH_NOT_FOUND, OBJECT_PATH_INVALID, NO_MORE_FILES
        0xC000_000F | 0xC000_0034 | 0xC000_003A | 0xC000_0039 | 0x8000_0006 => {
            &[NotFound, PathNotFound, NoMatch, NotFolder]
        }
        0xC000_0011 => &[EndOfFile],
        // Windows also returns ACCESS_DENIED when a folder is opened as a file; CANNOT_DELETE.
        0xC000_0022 | 0xC000_0121 => &[Denied, ReadOnly, IsFolder, NotEmpty],
        0xC000_0035 => &[Exists],
        // SHARING_VIOLATION, DELETE_PENDING
        0xC000_0043 | 0xC000_0056 => &[Shared, Locked],
        // FILE_LOCK_CONFLICT, LOCK_NOT_GRANTED
        0xC000_0054 | 0xC000_0055 => &[Locked, Shared],
        // QUOTA_EXCEEDED, DISK_FULL
        0xC000_0044 | 0xC000_007F => &[Full],
        0xC000_00A2 => &[ReadOnly, Denied],
        0xC000_00BA => &[IsFolder],
        0xC000_0103 => &[NotFolder],
        0xC000_0101 => &[NotEmpty, Exists],
        // NOT_IMPLEMENTED, INVALID_DEVICE_REQUEST, NOT_SUPPORTED
        0xC000_0002 | 0xC000_0010 | 0xC000_00BB => &[NotSupported],
        _ => &[],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MISSING: u32 = 0xC000_0034;

    fn failure(trouble: FileErrorKind, status: Option<u32>) -> Result<u64, FileError> {
        Err(FileError { status, ..FileError::with_reason("open x", trouble, "no") })
    }

    #[test]
    fn what_was_expected_is_no_surprise() {
        use ExpectedOpStatus::{Any, Failure, Status, Success};
        for expect in [Success, Any] {
            assert_eq!(compare_with_expected(expect, Ok(5)), OperationOutcome::Done(5));
        }
        for (expect, trouble, status) in [
            (Status(MISSING), FileErrorKind::NotFound, None),
            (Status(MISSING), FileErrorKind::PathNotFound, None),
            (Status(MISSING), FileErrorKind::NoMatch, None),
            (Status(0xC000_1234), FileErrorKind::Other, Some(0xC000_1234)),
            (Failure, FileErrorKind::Other, None),
            (Any, FileErrorKind::Denied, None),
        ] {
            let outcome = compare_with_expected(expect, failure(trouble, status));
            assert_eq!(outcome, OperationOutcome::Failed, "{expect:?}");
        }
    }

    #[test]
    fn everything_else_is() {
        let denied = failure(FileErrorKind::Denied, Some(0xC000_0022));
        for (expect, ended, word) in [
            (ExpectedOpStatus::Success, failure(FileErrorKind::NotFound, None), "cannot open x: no"),
            (ExpectedOpStatus::Status(MISSING), Ok(0), "where the status 0xc0000034 was expected"),
            (ExpectedOpStatus::Failure, Ok(7), "it went well, where a failure was expected"),
            (ExpectedOpStatus::Status(MISSING), denied, "(0xc0000022), where"),
            (ExpectedOpStatus::Status(0xC000_1234), failure(FileErrorKind::Other, None), "0xc0001234"),
        ] {
            let outcome = compare_with_expected(expect, ended);
            let said =
                matches!(&outcome, OperationOutcome::Unexpected(s) if s.text.contains(word) && !s.gone);
            assert!(said, "{expect:?}: {outcome:?}");
        }
    }

    #[test]
    fn a_lost_server_is_never_expected() {
        use ExpectedOpStatus::{Any, Failure, Status, Success};
        for expect in [Success, Any, Failure, Status(MISSING)] {
            let outcome = compare_with_expected(expect, failure(FileErrorKind::Gone, Some(MISSING)));
            assert!(matches!(&outcome, OperationOutcome::Unexpected(s) if s.gone), "{expect:?}: {outcome:?}");
        }
    }
}
