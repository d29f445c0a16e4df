//! Resolves paths to file handles, and caches the handles of folders.

use super::connection::Connections;
use crate::fault::Fault;
use crate::tcp::PATIENCE;
use crate::{FileErrorKind, RelPath};
use nfs3_client::nfs3_types::nfs3::{
    GETATTR3args, LOOKUP3args, Nfs3Option, diropargs3, fattr3, filename3, ftype3, nfs_fh3,
};
use nfs3_client::nfs3_types::xdr_codec::Opaque;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Known handles below one base, as in the kernel's client.
pub(super) struct FolderHandles {
    pub(super) base: nfs_fh3,
    known: Mutex<HashMap<String, nfs_fh3>>,
}

pub(super) struct Found {
    pub(super) handle: nfs_fh3,
    pub(super) attributes: fattr3,
}

impl Found {
    pub(super) fn is_folder(&self) -> bool {
        matches!(self.attributes.type_, ftype3::NF3DIR)
    }
}

pub(super) fn named(folder: &nfs_fh3, name: &str) -> diropargs3<'static> {
    diropargs3 { dir: folder.clone(), name: filename3(Opaque::owned(name.as_bytes().to_vec())) }
}

impl FolderHandles {
    pub(super) fn new(base: nfs_fh3) -> FolderHandles {
        FolderHandles { base, known: Mutex::default() }
    }

    pub(super) fn parent<'a>(
        &self,
        connections: &Connections,
        path: &'a RelPath,
    ) -> Result<(nfs_fh3, &'a str), Fault> {
        let (folder, name) = path.split();
        if name.is_empty() {
            return Err(Fault::new(FileErrorKind::Forbidden, "this is the folder itself"));
        }
        Ok((self.folder(connections, folder)?, name))
    }

    pub(super) fn folder(&self, connections: &Connections, path: &str) -> Result<nfs_fh3, Fault> {
        if path.is_empty() {
            return Ok(self.base.clone());
        }
        if let Some(known) = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(path) {
            return Ok(known.clone());
        }
        let (above, name) = path.rsplit_once('/').unwrap_or(("", path));
        let above = self.folder(connections, above)?;
        let found = look_up(connections, &above, name).map_err(|fault| match fault.trouble {
            FileErrorKind::NotFound => Fault { trouble: FileErrorKind::PathNotFound, ..fault },
            _ => fault,
        })?;
        if !found.is_folder() {
            let why = format!("{name} is no folder");
            return Err(Fault::new(FileErrorKind::PathNotFound, why));
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.insert(path.to_string(), found.handle.clone());
        Ok(found.handle)
    }

    /// Drops all handles except the base's, after names have changed.
    pub(super) fn forget(&self) {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    pub(super) fn find(&self, connections: &Connections, path: &RelPath) -> Result<Found, Fault> {
        if path.as_str().is_empty() {
            let handle = self.base.clone();
            let attributes = attributes(connections, &handle)?;
            return Ok(Found { handle, attributes });
        }
        let (folder, name) = self.parent(connections, path)?;
        look_up(connections, &folder, name)
    }
}

pub(super) fn look_up(connections: &Connections, folder: &nfs_fh3, name: &str) -> Result<Found, Fault> {
    let arguments = LOOKUP3args { what: named(folder, name) };
    let found = connections.call(PATIENCE, async |client| client.lookup(&arguments).await)?;
    let known = match found.obj_attributes {
        Nfs3Option::Some(known) => known,
        Nfs3Option::None => attributes(connections, &found.object)?,
    };
    Ok(Found { handle: found.object, attributes: known })
}

pub(super) fn attributes(connections: &Connections, file: &nfs_fh3) -> Result<fattr3, Fault> {
    let arguments = GETATTR3args { object: file.clone() };
    let found = connections.call(PATIENCE, async |client| client.getattr(&arguments).await)?;
    Ok(found.obj_attributes)
}
