//! Maps NT statuses to kinds of failure (MS-ERREF 2.3).

use crate::Trouble;
use crate::fault::Fault;
use smb2::types::status::NtStatus;

pub(super) fn trouble(status: u32) -> Trouble {
    match status {
        0xC000_0034 | 0xC000_0056 | 0xC000_0225 => Trouble::NotFound,
        0xC000_003A | 0xC000_0039 => Trouble::PathNotFound,
        0xC000_0035 => Trouble::Exists,
        0xC000_00BA => Trouble::IsFolder,
        0xC000_0103 => Trouble::NotFolder,
        0xC000_0101 => Trouble::NotEmpty,
        0xC000_0022 | 0xC000_0061 | 0xC000_0121 => Trouble::Denied,
        0xC000_00A2 => Trouble::ReadOnly,
        0xC000_007F | 0xC000_0044 | 0xC000_0802 => Trouble::Full,
        0xC000_0043 => Trouble::Shared,
        0xC000_0054 | 0xC000_0055 => Trouble::Locked,
        0xC000_000F | 0x8000_0006 => Trouble::NoMatch,
        0xC000_0011 => Trouble::EndOfFile,
        0xC000_006A..=0xC000_0072
        | 0xC000_00CC
        | 0xC000_0064
        | 0xC000_015B
        | 0xC000_0193
        | 0xC000_0224
        | 0xC000_0234 => Trouble::LogOn,
        0xC000_00C9 | 0xC000_0203 | 0xC000_035C | 0xC000_020C | 0xC000_020D => Trouble::Gone,
        0xC000_0002 | 0xC000_0003 | 0xC000_0010 | 0xC000_00BB => Trouble::NotSupported,
        0x8000_002D => Trouble::Forbidden,
        _ => Trouble::Other,
    }
}

pub(super) fn fault(status: u32) -> Fault {
    let said = NtStatus(status);
    let why = match status {
        0xC000_006D | 0xC000_006A | 0xC000_0064 => {
            format!("the server accepts this user and password not ({said})")
        }
        0xC000_00CC => format!("the server has no share of this name ({said})"),
        0x8000_002D => format!("the path leads over a symbolic link ({said})"),
        _ => format!("the server says {said}"),
    };
    Fault { trouble: trouble(status), status: Some(status), why }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statuses_of_load_files_have_their_kinds() {
        let expected = [
            (NtStatus::OBJECT_NAME_NOT_FOUND, Trouble::NotFound),
            (NtStatus::OBJECT_PATH_NOT_FOUND, Trouble::PathNotFound),
            (NtStatus::OBJECT_NAME_COLLISION, Trouble::Exists),
            (NtStatus::NO_SUCH_FILE, Trouble::NoMatch),
            (NtStatus::NO_MORE_FILES, Trouble::NoMatch),
            (NtStatus::DISK_FULL, Trouble::Full),
            (NtStatus::LOGON_FAILURE, Trouble::LogOn),
            (NtStatus::BAD_NETWORK_NAME, Trouble::LogOn),
            (NtStatus::ACCESS_DENIED, Trouble::Denied),
            (NtStatus::SHARING_VIOLATION, Trouble::Shared),
            (NtStatus::FILE_LOCK_CONFLICT, Trouble::Locked),
            (NtStatus::DIRECTORY_NOT_EMPTY, Trouble::NotEmpty),
            (NtStatus::NOT_A_DIRECTORY, Trouble::NotFolder),
            (NtStatus::FILE_IS_A_DIRECTORY, Trouble::IsFolder),
            (NtStatus::END_OF_FILE, Trouble::EndOfFile),
            (NtStatus::USER_SESSION_DELETED, Trouble::Gone),
            (NtStatus::NOT_SUPPORTED, Trouble::NotSupported),
            (NtStatus::INVALID_PARAMETER, Trouble::Other),
        ];
        for (status, kind) in expected {
            let fault = fault(status.0);
            assert_eq!((fault.trouble, fault.status), (kind, Some(status.0)), "{status}");
        }
    }
}
