//! Resolves paths to file handles, and caches the handles of folders.

use super::connection::NfsConnectionPool;
use crate::operation_error::OperationError;
use crate::tcp::RESPONSE_TIMEOUT;
use crate::{FileErrorKind, RelPath, locked};
use goodput_words::message;
use nfs3_client::nfs3_types::nfs3::{
    GETATTR3args, LOOKUP3args, Nfs3Option, diropargs3, fattr3, filename3, ftype3, nfs_fh3,
};
use nfs3_client::nfs3_types::xdr_codec::Opaque;
use std::collections::HashMap;
use std::sync::Mutex;

/// Known handles below one base, as in the kernel's client.
pub(super) struct FolderHandleCache {
    pub(super) base: nfs_fh3,
    known: Mutex<HashMap<String, nfs_fh3>>,
}

pub(super) struct LookupResult {
    pub(super) handle: nfs_fh3,
    pub(super) attributes: fattr3,
}

impl LookupResult {
    pub(super) fn is_folder(&self) -> bool {
        is_folder(&self.attributes)
    }
}

pub(super) fn is_folder(of: &fattr3) -> bool {
    matches!(of.type_, ftype3::NF3DIR)
}

pub(super) fn dir_op_args(folder: &nfs_fh3, name: &str) -> diropargs3<'static> {
    diropargs3 { dir: folder.clone(), name: filename3(Opaque::owned(name.as_bytes().to_vec())) }
}

impl FolderHandleCache {
    pub(super) fn new(base: nfs_fh3) -> FolderHandleCache {
        FolderHandleCache { base, known: Mutex::default() }
    }

    pub(super) fn resolve_parent<'a>(
        &self,
        connections: &NfsConnectionPool,
        path: &'a RelPath,
    ) -> Result<(nfs_fh3, &'a str), OperationError> {
        let (folder, name) = path.split_file_name();
        if name.is_empty() {
            return Err(OperationError::new(FileErrorKind::Forbidden, "this is the folder itself"));
        }
        Ok((self.resolve_folder(connections, folder)?, name))
    }

    pub(super) fn resolve_folder(
        &self,
        connections: &NfsConnectionPool,
        path: &str,
    ) -> Result<nfs_fh3, OperationError> {
        if path.is_empty() {
            return Ok(self.base.clone());
        }
        if let Some(known) = locked(&self.known).get(path) {
            return Ok(known.clone());
        }
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let above = self.resolve_folder(connections, above)?;
        let found = lookup_name(connections, &above, name).map_err(|fault| match fault.trouble {
            FileErrorKind::NotFound => OperationError { trouble: FileErrorKind::PathNotFound, ..fault },
            _ => fault,
        })?;
        if !found.is_folder() {
            let why = message!(cause_place_no_folder { name });
            return Err(OperationError::new(FileErrorKind::PathNotFound, why));
        }
        let mut known = locked(&self.known);
        known.insert(path.to_string(), found.handle.clone());
        Ok(found.handle)
    }

    /// Drops all handles except the base's, after names have changed.
    pub(super) fn clear(&self) {
        locked(&self.known).clear();
    }

    pub(super) fn resolve_path(
        &self,
        connections: &NfsConnectionPool,
        path: &RelPath,
    ) -> Result<LookupResult, OperationError> {
        if path.as_str().is_empty() {
            let handle = self.base.clone();
            let attributes = fetch_attributes(connections, &handle)?;
            return Ok(LookupResult { handle, attributes });
        }
        let (folder, name) = self.resolve_parent(connections, path)?;
        lookup_name(connections, &folder, name)
    }
}

pub(super) fn lookup_name(
    connections: &NfsConnectionPool,
    folder: &nfs_fh3,
    name: &str,
) -> Result<LookupResult, OperationError> {
    let arguments = LOOKUP3args { what: dir_op_args(folder, name) };
    let found = connections.run_call(RESPONSE_TIMEOUT, async |client| client.lookup(&arguments).await)?;
    let known = match found.obj_attributes {
        Nfs3Option::Some(known) => known,
        Nfs3Option::None => fetch_attributes(connections, &found.object)?,
    };
    Ok(LookupResult { handle: found.object, attributes: known })
}

pub(super) fn fetch_attributes(
    connections: &NfsConnectionPool,
    file: &nfs_fh3,
) -> Result<fattr3, OperationError> {
    let arguments = GETATTR3args { object: file.clone() };
    let found = connections.run_call(RESPONSE_TIMEOUT, async |client| client.getattr(&arguments).await)?;
    Ok(found.obj_attributes)
}
