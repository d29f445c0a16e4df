//! NT status names of load files (MS-ERREF, section 2.3.1).

use goodput_model::file::ExpectedOpStatus;

/// Without `NT_STATUS_`, as Samba spells them.
const STATUSES: [(&str, u32); 44] = [
    ("NO_MORE_FILES", 0x8000_0006),
    ("BUFFER_OVERFLOW", 0x8000_0005),
    ("UNSUCCESSFUL", 0xC000_0001),
    ("NOT_IMPLEMENTED", 0xC000_0002),
    ("INVALID_INFO_CLASS", 0xC000_0003),
    ("INVALID_HANDLE", 0xC000_0008),
    ("INVALID_PARAMETER", 0xC000_000D),
    ("NO_SUCH_DEVICE", 0xC000_000E),
    ("NO_SUCH_FILE", 0xC000_000F),
    ("INVALID_DEVICE_REQUEST", 0xC000_0010),
    ("END_OF_FILE", 0xC000_0011),
    ("NO_MEMORY", 0xC000_0017),
    ("ACCESS_DENIED", 0xC000_0022),
    ("OBJECT_NAME_INVALID", 0xC000_0033),
    ("OBJECT_NAME_NOT_FOUND", 0xC000_0034),
    ("OBJECT_NAME_COLLISION", 0xC000_0035),
    ("OBJECT_PATH_INVALID", 0xC000_0039),
    ("OBJECT_PATH_NOT_FOUND", 0xC000_003A),
    ("OBJECT_PATH_SYNTAX_BAD", 0xC000_003B),
    ("SHARING_VIOLATION", 0xC000_0043),
    ("QUOTA_EXCEEDED", 0xC000_0044),
    ("EA_TOO_LARGE", 0xC000_0050),
    ("NONEXISTENT_EA_ENTRY", 0xC000_0051),
    ("FILE_LOCK_CONFLICT", 0xC000_0054),
    ("LOCK_NOT_GRANTED", 0xC000_0055),
    ("DELETE_PENDING", 0xC000_0056),
    ("PRIVILEGE_NOT_HELD", 0xC000_0061),
    ("LOGON_FAILURE", 0xC000_006D),
    ("RANGE_NOT_LOCKED", 0xC000_007E),
    ("DISK_FULL", 0xC000_007F),
    ("INSUFFICIENT_RESOURCES", 0xC000_009A),
    ("MEDIA_WRITE_PROTECTED", 0xC000_00A2),
    ("FILE_IS_A_DIRECTORY", 0xC000_00BA),
    ("NOT_SUPPORTED", 0xC000_00BB),
    ("NETWORK_ACCESS_DENIED", 0xC000_00CA),
    ("BAD_NETWORK_NAME", 0xC000_00CC),
    ("NOT_SAME_DEVICE", 0xC000_00D4),
    ("FILE_RENAMED", 0xC000_00D5),
    ("DIRECTORY_NOT_EMPTY", 0xC000_0101),
    ("NOT_A_DIRECTORY", 0xC000_0103),
    ("CANCELLED", 0xC000_0120),
    ("CANNOT_DELETE", 0xC000_0121),
    ("FILE_DELETED", 0xC000_0123),
    ("FILE_CLOSED", 0xC000_0128),
];

/// `None` for a word that is no status.
pub(super) fn parse_expected_status(word: &str) -> Option<ExpectedOpStatus> {
    let code = match (word, word.strip_prefix("NT_STATUS_")) {
        ("*", _) => return Some(ExpectedOpStatus::Any),
        ("ERROR", _) => return Some(ExpectedOpStatus::Failure),
        ("SUCCESS" | "NT_STATUS_OK", _) => 0,
        (_, Some(name)) => match STATUSES.iter().find(|(known, _)| *known == name) {
            Some((_, code)) => *code,
            None => return Some(ExpectedOpStatus::Failure),
        },
        _ => {
            let digits = word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))?;
            u32::from_str_radix(digits, 16).ok().filter(|_| !digits.starts_with('+'))?
        }
    };
    Some(if code == 0 { ExpectedOpStatus::Success } else { ExpectedOpStatus::Status(code) })
}

pub(super) fn format_expected_status(expect: ExpectedOpStatus) -> String {
    match expect {
        ExpectedOpStatus::Success | ExpectedOpStatus::Status(0) => "NT_STATUS_OK".into(),
        ExpectedOpStatus::Failure => "ERROR".into(),
        ExpectedOpStatus::Any => "*".into(),
        ExpectedOpStatus::Status(code) => match STATUSES.iter().find(|(_, known)| *known == code) {
            Some((name, _)) => format!("NT_STATUS_{name}"),
            None => format!("0x{code:08x}"),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_status_is_written_as_it_is_read() {
        for (name, code) in STATUSES {
            let (text, status) = (format!("NT_STATUS_{name}"), ExpectedOpStatus::Status(code));
            assert_eq!(parse_expected_status(&text), Some(status));
            assert_eq!(format_expected_status(status), text);
        }
        let codes: std::collections::BTreeSet<u32> = STATUSES.iter().map(|(_, c)| *c).collect();
        assert_eq!(codes.len(), STATUSES.len());
        for (text, meant) in [
            ("NT_STATUS_OK", ExpectedOpStatus::Success),
            ("SUCCESS", ExpectedOpStatus::Success),
            ("0x00000000", ExpectedOpStatus::Success),
            ("ERROR", ExpectedOpStatus::Failure),
            ("*", ExpectedOpStatus::Any),
            ("0xc0000034", ExpectedOpStatus::Status(0xC000_0034)),
            ("0xdeadbeef", ExpectedOpStatus::Status(0xDEAD_BEEF)),
            ("NT_STATUS_OF_MY_OWN", ExpectedOpStatus::Failure),
        ] {
            assert_eq!(parse_expected_status(text), Some(meant), "{text}");
            assert_eq!(parse_expected_status(&format_expected_status(meant)), Some(meant), "{text}");
        }
        for bad in ["", "OK", "0x", "0x+1", "0x123456789", "c0000034", "success"] {
            assert_eq!(parse_expected_status(bad), None, "{bad:?}");
        }
    }
}
