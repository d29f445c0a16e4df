//! Maps NT statuses to kinds of failure (MS-ERREF 2.3).

use crate::attempt::Attempt;
use crate::operation_error::{OperationError, server_reports};
use crate::{ErrorText, FileErrorKind};
use goodput_words::message;
use smb2::types::status::NtStatus;

pub(super) fn error_kind(status: u32) -> FileErrorKind {
    match status {
        0xC000_0034 | 0xC000_0056 | 0xC000_0225 => FileErrorKind::NotFound,
        0xC000_003A | 0xC000_0039 => FileErrorKind::PathNotFound,
        0xC000_0035 => FileErrorKind::Exists,
        0xC000_00BA => FileErrorKind::IsFolder,
        0xC000_0103 => FileErrorKind::NotFolder,
        0xC000_0101 => FileErrorKind::NotEmpty,
        0xC000_0022 | 0xC000_0061 | 0xC000_0121 => FileErrorKind::Denied,
        0xC000_00A2 => FileErrorKind::ReadOnly,
        0xC000_007F | 0xC000_0044 | 0xC000_0802 => FileErrorKind::Full,
        0xC000_0043 => FileErrorKind::Shared,
        0xC000_0054 | 0xC000_0055 => FileErrorKind::Locked,
        0xC000_000F | 0x8000_0006 => FileErrorKind::NoMatch,
        0xC000_0011 => FileErrorKind::EndOfFile,
        0xC000_006A..=0xC000_0072
        | 0xC000_00CC
        | 0xC000_0064
        | 0xC000_015B
        | 0xC000_0193
        | 0xC000_0224
        | 0xC000_0234 => FileErrorKind::LogOn,
        0xC000_00C9 | 0xC000_0203 | 0xC000_035C | 0xC000_020C | 0xC000_020D => FileErrorKind::Gone,
        0xC000_0002 | 0xC000_0003 | 0xC000_0010 | 0xC000_00BB => FileErrorKind::NotSupported,
        0x8000_002D => FileErrorKind::Forbidden,
        _ => FileErrorKind::Other,
    }
}

pub(super) fn error_from_status(status: u32) -> OperationError {
    let compose: Attempt = match status {
        0xC000_006D | 0xC000_006A | 0xC000_0064 => |said| message!(part_place_user_password { said }),
        0xC000_00CC => |said| message!(part_place_no_share { said }),
        0x8000_002D => |said| message!(part_place_symbolic_link { said }),
        _ => server_reports,
    };
    let why = ErrorText::of(compose, NtStatus(status).to_string());
    OperationError { trouble: error_kind(status), status: Some(status), why }
}
