//! Maps NFS statuses to kinds of failure (RFC 1813, 2.6).

use crate::Trouble;
use crate::fault::Fault;
use nfs3_client::nfs3_types::nfs3::{Nfs3Result, nfsstat3};

pub(super) fn trouble(status: nfsstat3) -> Trouble {
    match status {
        nfsstat3::NFS3ERR_NOENT => Trouble::NotFound,
        nfsstat3::NFS3ERR_EXIST => Trouble::Exists,
        nfsstat3::NFS3ERR_ISDIR => Trouble::IsFolder,
        nfsstat3::NFS3ERR_NOTDIR => Trouble::NotFolder,
        nfsstat3::NFS3ERR_NOTEMPTY => Trouble::NotEmpty,
        nfsstat3::NFS3ERR_PERM | nfsstat3::NFS3ERR_ACCES => Trouble::Denied,
        nfsstat3::NFS3ERR_ROFS => Trouble::ReadOnly,
        nfsstat3::NFS3ERR_NOSPC | nfsstat3::NFS3ERR_DQUOT => Trouble::Full,
        nfsstat3::NFS3ERR_STALE | nfsstat3::NFS3ERR_BADHANDLE => Trouble::NotFound,
        nfsstat3::NFS3ERR_XDEV | nfsstat3::NFS3ERR_REMOTE => Trouble::Forbidden,
        nfsstat3::NFS3ERR_NOTSUPP => Trouble::NotSupported,
        _ => Trouble::Other,
    }
}

pub(super) fn fault(status: nfsstat3) -> Fault {
    let why = match status {
        nfsstat3::NFS3ERR_STALE => "the server does not know the file any more (NFS3ERR_STALE)".to_string(),
        _ => format!("the server says {status:?}"),
    };
    Fault::new(trouble(status), why)
}

pub(super) fn done<T, E>(result: Nfs3Result<T, E>) -> Result<T, Fault> {
    match result {
        Nfs3Result::Ok(done) => Ok(done),
        Nfs3Result::Err((status, _)) => Err(fault(status)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_have_the_kinds_of_their_system_errors() {
        let expected = [
            (nfsstat3::NFS3ERR_NOENT, libc::ENOENT),
            (nfsstat3::NFS3ERR_EXIST, libc::EEXIST),
            (nfsstat3::NFS3ERR_ISDIR, libc::EISDIR),
            (nfsstat3::NFS3ERR_NOTDIR, libc::ENOTDIR),
            (nfsstat3::NFS3ERR_NOTEMPTY, libc::ENOTEMPTY),
            (nfsstat3::NFS3ERR_ACCES, libc::EACCES),
            (nfsstat3::NFS3ERR_ROFS, libc::EROFS),
            (nfsstat3::NFS3ERR_NOSPC, libc::ENOSPC),
            (nfsstat3::NFS3ERR_DQUOT, libc::EDQUOT),
            (nfsstat3::NFS3ERR_IO, libc::EIO),
        ];
        for (status, system) in expected {
            assert_eq!(
                trouble(status),
                Trouble::of(&std::io::Error::from_raw_os_error(system)),
                "{status:?}"
            );
        }
    }
}
