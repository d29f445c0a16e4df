//! NFS version 3 (RFC 1813) without a mount or a client data cache, by the `nfs3_client` library
//! ([`connection`]). Writes are unstable and `flush` commits them; it fails if the server's verifier shows a
//! restart. CREATE uses GUARDED: calls are never retransmitted on a connection, so EXCLUSIVE is not needed.
//! Locks (NLM) are not supported. Folder handles are cached.

mod connection;
mod folder_handles;
mod fuzz;
mod names;
mod record_length;
mod share;
mod status;
mod transfer;

use crate::attempt::{self, Attempt};
use crate::open_files::OpenFileTable;
use crate::operation_error::OperationError;
use crate::tcp::{AddressFilter, RESPONSE_TIMEOUT, ServerAddresses};
use crate::workspace::WorkspaceParent;
use crate::{DiskSpace, FileError, FileErrorKind, FileOpenOptions, FileStatus, RelPath, Share};
use connection::{NfsConnectionPool, NfsExport};
use folder_handles::{FolderHandleCache, dir_op_args, is_folder};
#[doc(hidden)]
pub use fuzz::parse_replies;
use goodput_model::Bytes;
use goodput_model::file::{CreateDisposition, FileLocationFacts};
use nfs3_client::nfs3_types::nfs3::{
    CREATE3args, FSINFO3args, FSSTAT3args, MKDIR3args, Nfs3Option, SETATTR3args, createhow3, fattr3, nfs_fh3,
    nfsstat3, sattr3,
};
use std::sync::Arc;

const LARGEST: u32 = 8 << 20;

pub struct NfsShare {
    connections: Arc<NfsConnectionPool>,
    folders: FolderHandleCache,
    /// From the export's root, for other connections and messages.
    base: String,
    /// Parent folder and own name; `None` for the root.
    above: Option<(nfs_fh3, String)>,
    facts: FileLocationFacts,
    most: (usize, usize),
    open: OpenFileTable<Opened>,
}

struct Opened {
    file: nfs_fh3,
    name: String,
}

impl NfsShare {
    /// Mounts an export and opens the folder `path` in it, empty for the root. Ports that are `None` are
    /// asked of the portmapper.
    pub fn connect(
        host: &str,
        port: Option<u16>,
        mount_port: Option<u16>,
        export: &str,
        path: &str,
        permits: AddressFilter<'_>,
    ) -> Result<NfsShare, FileError> {
        let base = RelPath::parse(path.trim_matches('/'))?;
        let to = NfsExport {
            host: host.to_string(),
            addresses: ServerAddresses::resolve(host, port.unwrap_or_default(), permits)
                .map_err(|fault| fault.about(attempt::open, format!("nfs://{host}{export}")))?,
            port,
            mount_port,
            export: export.to_string(),
        };
        NfsShare::enter(to, &base)
    }

    fn enter(to: NfsExport, base: &RelPath) -> Result<NfsShare, FileError> {
        let url = to.display_url(&[base.as_str()]);
        NfsShare::mounted(to, base).map_err(|fault| fault.about(attempt::open, url))
    }

    fn mounted(to: NfsExport, base: &RelPath) -> Result<NfsShare, OperationError> {
        let (connections, root) = NfsConnectionPool::open(to)?;
        let arguments = FSINFO3args { fsroot: root.clone() };
        let info = connections.run_call(RESPONSE_TIMEOUT, async |client| client.fsinfo(&arguments).await)?;
        let (read, write) = (info.rtmax.clamp(512, LARGEST), info.wtmax.clamp(512, LARGEST));
        let facts = FileLocationFacts {
            engine: "nfs 3".into(),
            max_io: Some((Bytes(read.into()), Bytes(write.into()))),
            signed: Some(false),
            encrypted: Some(false),
            ..FileLocationFacts::default()
        };
        let mut nfs = NfsShare {
            connections: Arc::new(connections),
            folders: FolderHandleCache::new(root),
            base: String::new(),
            above: None,
            facts,
            most: (read as usize, write as usize),
            open: OpenFileTable::new(),
        };
        nfs.facts.free = Some(Bytes(nfs.free()?.free));
        if base.as_str().is_empty() { Ok(nfs) } else { nfs.on(base) }
    }

    fn on(&self, folder: &RelPath) -> Result<NfsShare, OperationError> {
        let (above, name) = self.folders.resolve_parent(&self.connections, folder)?;
        let base = self.folders.resolve_folder(&self.connections, folder.as_str())?;
        let full = if self.base.is_empty() { String::new() } else { format!("{}/", self.base) };
        Ok(NfsShare {
            connections: Arc::clone(&self.connections),
            folders: FolderHandleCache::new(base),
            base: full + folder.as_str(),
            above: Some((above, name.to_string())),
            facts: self.facts.clone(),
            most: self.most,
            open: OpenFileTable::new(),
        })
    }

    fn name(&self, path: &RelPath) -> String {
        self.connections.display_url(&self.base, path)
    }

    fn about<T>(
        &self,
        done: Result<T, OperationError>,
        attempt: Attempt,
        path: &RelPath,
    ) -> Result<T, FileError> {
        done.map_err(|fault| fault.about(attempt, self.name(path)))
    }

    fn free(&self) -> Result<DiskSpace, OperationError> {
        let arguments = FSSTAT3args { fsroot: self.folders.base.clone() };
        let state =
            self.connections.run_call(RESPONSE_TIMEOUT, async |client| client.fsstat(&arguments).await)?;
        Ok(DiskSpace { total: state.tbytes, free: state.abytes })
    }

    fn make(&self, path: &RelPath, folder: bool) -> Result<nfs_fh3, OperationError> {
        let (above, name) = self.folders.resolve_parent(&self.connections, path)?;
        let where_ = dir_op_args(&above, name);
        let mode = if folder { 0o755 } else { 0o644 };
        let attributes = sattr3 { mode: Nfs3Option::Some(mode), ..sattr3::default() };
        let made = if folder {
            let arguments = MKDIR3args { where_, attributes };
            self.connections.run_call(RESPONSE_TIMEOUT, async |client| client.mkdir(&arguments).await)?.obj
        } else {
            let arguments = CREATE3args { where_, how: createhow3::GUARDED(attributes) };
            self.connections.run_call(RESPONSE_TIMEOUT, async |client| client.create(&arguments).await)?.obj
        };
        match made {
            Nfs3Option::Some(handle) => Ok(handle),
            // The server may omit it.
            Nfs3Option::None => {
                folder_handles::lookup_name(&self.connections, &above, name).map(|found| found.handle)
            }
        }
    }

    fn empty(&self, file: &nfs_fh3) -> Result<(), OperationError> {
        self.set(file, sattr3 { size: Nfs3Option::Some(0), ..sattr3::default() })
    }

    fn set(&self, file: &nfs_fh3, new_attributes: sattr3) -> Result<(), OperationError> {
        let arguments = SETATTR3args { object: file.clone(), new_attributes, guard: Nfs3Option::None };
        self.connections.run_call(RESPONSE_TIMEOUT, async |client| client.setattr(&arguments).await).map(drop)
    }

    fn begin(&self, path: &RelPath, how: FileOpenOptions) -> Result<nfs_fh3, OperationError> {
        if how.disposition == CreateDisposition::Create {
            return self.make(path, how.folder);
        }
        let found = match self.folders.resolve_path(&self.connections, path) {
            Ok(found) => found,
            Err(fault) if fault.trouble == FileErrorKind::NotFound && makes(how.disposition) => {
                match self.make(path, how.folder) {
                    Err(fault) if fault.trouble == FileErrorKind::Exists => {
                        self.folders.resolve_path(&self.connections, path)?
                    }
                    made => return made,
                }
            }
            Err(fault) => return Err(fault),
        };
        match (found.is_folder(), how.folder, how.file) {
            (true, _, true) => return Err(status::error_from_status(nfsstat3::NFS3ERR_ISDIR)),
            (false, true, _) => return Err(status::error_from_status(nfsstat3::NFS3ERR_NOTDIR)),
            _ => {}
        }
        if empties(how.disposition) && !found.is_folder() {
            self.empty(&found.handle)?;
        }
        Ok(found.handle)
    }
}

fn makes(disposition: CreateDisposition) -> bool {
    matches!(
        disposition,
        CreateDisposition::Supersede | CreateDisposition::OpenIf | CreateDisposition::OverwriteIf
    )
}

fn empties(disposition: CreateDisposition) -> bool {
    matches!(
        disposition,
        CreateDisposition::Supersede | CreateDisposition::Overwrite | CreateDisposition::OverwriteIf
    )
}

fn state(of: &fattr3) -> FileStatus {
    FileStatus { length: of.size, allocated: Some(of.used), folder: is_folder(of) }
}

impl WorkspaceParent for NfsShare {
    fn open_subfolder(&self, name: &str) -> Result<Box<dyn Share>, FileError> {
        let path = RelPath::parse(name)?;
        // Another client may have recreated the folder.
        self.folders.clear();
        Ok(Box::new(self.about(self.on(&path), attempt::open, &path)?))
    }
}
