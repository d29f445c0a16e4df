//! Maps NFS statuses to kinds of failure (RFC 1813, 2.6).

use crate::operation_error::{OperationError, server_reports};
use crate::{ErrorText, FileErrorKind};
use goodput_words::message;
use nfs3_client::nfs3_types::nfs3::{Nfs3Result, nfsstat3};

pub(super) fn error_kind(status: nfsstat3) -> FileErrorKind {
    match status {
        nfsstat3::NFS3ERR_NOENT => FileErrorKind::NotFound,
        nfsstat3::NFS3ERR_EXIST => FileErrorKind::Exists,
        nfsstat3::NFS3ERR_ISDIR => FileErrorKind::IsFolder,
        nfsstat3::NFS3ERR_NOTDIR => FileErrorKind::NotFolder,
        nfsstat3::NFS3ERR_NOTEMPTY => FileErrorKind::NotEmpty,
        nfsstat3::NFS3ERR_PERM | nfsstat3::NFS3ERR_ACCES => FileErrorKind::Denied,
        nfsstat3::NFS3ERR_ROFS => FileErrorKind::ReadOnly,
        nfsstat3::NFS3ERR_NOSPC | nfsstat3::NFS3ERR_DQUOT => FileErrorKind::Full,
        nfsstat3::NFS3ERR_STALE | nfsstat3::NFS3ERR_BADHANDLE => FileErrorKind::NotFound,
        nfsstat3::NFS3ERR_XDEV | nfsstat3::NFS3ERR_REMOTE => FileErrorKind::Forbidden,
        nfsstat3::NFS3ERR_NOTSUPP => FileErrorKind::NotSupported,
        _ => FileErrorKind::Other,
    }
}

pub(super) fn error_from_status(status: nfsstat3) -> OperationError {
    let why = match status {
        nfsstat3::NFS3ERR_STALE => message!(part_place_stale).into(),
        _ => ErrorText::of(server_reports, format!("{status:?}")),
    };
    OperationError::new(error_kind(status), why)
}

pub(super) fn into_result<T, E>(result: Nfs3Result<T, E>) -> Result<T, OperationError> {
    match result {
        Nfs3Result::Ok(done) => Ok(done),
        Nfs3Result::Err((status, _)) => Err(error_from_status(status)),
    }
}
