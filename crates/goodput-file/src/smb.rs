//! SMB shares without a mount, root privileges or a client cache. The `smb2` library connects, negotiates,
//! logs on ([`logon`]), and encodes all messages except READ and WRITE. The transport is ours
//! ([`connection`]): callers' threads, no payload copies, and as many requests in flight as slots and credits
//! allow. Reasons: `docs/decisions/libraries.md`. Oplocks, leases, DFS and multichannel are not used.

mod connection;
mod deadline;
mod fuzz;
mod incoming;
mod info;
mod io_queue;
mod logon;
mod message;
mod names;
mod pending;
mod protection;
mod receive;
mod send;
mod session;
mod share;
mod status;

use crate::attempt::{self, Attempt};
use crate::open_files::OpenFileTable;
use crate::operation_error::OperationError;
use crate::tcp::{AddressFilter, RESPONSE_TIMEOUT, ServerAddresses};
use crate::workspace::WorkspaceParent;
use crate::{ErrorText, FileError, FileErrorKind, FileHandle, RelPath, Share, smb_password};
use connection::SmbConnection;
#[doc(hidden)]
pub use fuzz::parse_replies;
use goodput_model::Bytes;
use goodput_model::file::FileLocationFacts;
use goodput_words::message;
use logon::ShareAddress;
use receive::check_reply_status;
use send::{SmbRequest, send_compound_and_wait};
use smb2::msg::close::CloseRequest;
use smb2::msg::create::{CreateDisposition, CreateRequest, CreateResponse, ImpersonationLevel, ShareAccess};
use smb2::pack::{ReadCursor, Unpack};
use smb2::types::flags::FileAccessMask as Access;
use smb2::types::{Command, FileId, OplockLevel};
use std::sync::Arc;
use std::time::Duration;

/// Access rights to inspect, read, write and remove.
const LOOK: u32 = Access::FILE_READ_ATTRIBUTES | Access::SYNCHRONIZE;
const READ: u32 = LOOK | Access::FILE_READ_DATA;
const WRITE: u32 = READ | Access::FILE_WRITE_DATA | Access::FILE_APPEND_DATA | Access::FILE_WRITE_ATTRIBUTES;
const REMOVE: u32 = LOOK | Access::DELETE;
/// Create options (MS-SMB2 2.2.13): folder, file, the link itself.
const FOLDER: u32 = 0x1;
const NO_FOLDER: u32 = 0x40;
const LINK_ITSELF: u32 = 0x0020_0000;
const THIS: FileId = FileId::SENTINEL;

pub struct SmbShare {
    connection: Arc<SmbConnection>,
    to: ShareAddress,
    /// From the share's root, with `\`; empty for the root itself.
    base: String,
    facts: FileLocationFacts,
    writable: bool,
    open: OpenFileTable<Opened>,
}

struct Opened {
    id: FileId,
    name: String,
}

impl SmbShare {
    /// Connects, logs on with the password from [`smb_password`], and opens the share. `path` is a folder with
    /// `/`; it is not checked.
    pub fn connect(
        host: &str,
        port: u16,
        domain: Option<&str>,
        user: Option<&str>,
        share: &str,
        path: &str,
        permits: AddressFilter<'_>,
    ) -> Result<SmbShare, FileError> {
        let path = RelPath::parse(path.trim_matches('/'))?;
        let to = ShareAddress {
            host: host.to_string(),
            addresses: ServerAddresses::resolve(host, port, permits)
                .map_err(|fault| fault.into_file_error(opening(host, share)))?,
            domain: domain.map(str::to_string),
            user: user.map(str::to_string),
            share: share.to_string(),
        };
        SmbShare::enter(to, path.as_str().replace('/', r"\"))
    }

    fn on(&self, base: String) -> SmbShare {
        SmbShare {
            connection: Arc::clone(&self.connection),
            to: self.to.clone(),
            base,
            facts: self.facts.clone(),
            writable: self.writable,
            open: OpenFileTable::new(),
        }
    }

    fn enter(to: ShareAddress, base: String) -> Result<SmbShare, FileError> {
        let what = || opening(&to.host, &to.share);
        let password = if to.user.is_some() { smb_password::find_password()? } else { None };
        let entered = logon::log_on(&to, password.as_ref()).map_err(|fault| fault.into_file_error(what()))?;
        let writable = entered.writable;
        let dialect = entered.params.dialect.to_string().to_lowercase();
        let connection =
            send::connection_from_logon(entered).map_err(|fault| fault.into_file_error(what()))?;
        let (signed, encrypted) = connection.session.signing_and_encryption_flags();
        let facts = FileLocationFacts {
            engine: dialect,
            max_io: Some((
                Bytes(connection.session.max_read.into()),
                Bytes(connection.session.max_write.into()),
            )),
            signed: Some(signed),
            encrypted: Some(encrypted),
            connections: Some(1),
            ..FileLocationFacts::default()
        };
        let mut smb = SmbShare {
            connection: Arc::new(connection),
            to,
            base: String::new(),
            facts,
            writable,
            open: OpenFileTable::new(),
        };
        smb.facts.free = Some(Bytes(smb.disk_space()?.free));
        smb.base = base;
        Ok(smb)
    }

    fn path(&self, path: &RelPath) -> String {
        let below = path.as_str().replace('/', r"\");
        match (self.base.is_empty(), below.is_empty()) {
            (true, _) => below,
            (false, true) => self.base.clone(),
            (false, false) => format!(r"{}\{below}", self.base),
        }
    }

    fn name(&self, path: &RelPath) -> String {
        let path = self.path(path).replace('\\', "/");
        format!("smb://{}/{}/{path}", self.to.host, self.to.share)
    }

    /// Refines a server's error with facts of the share.
    fn refine(&self, fault: OperationError) -> OperationError {
        match fault.trouble {
            FileErrorKind::Denied if !self.writable => {
                let why = message!(cause_place_read_only_share { why: fault.why.message() }).into();
                OperationError { trouble: FileErrorKind::ReadOnly, why, ..fault }
            }
            _ => fault,
        }
    }

    fn one(
        &self,
        handle: FileHandle,
        attempt: Attempt,
        patience: Duration,
        ask: impl FnOnce(FileId) -> SmbRequest,
    ) -> Result<Vec<u8>, FileError> {
        let file = self.open.get(handle)?;
        let replies = send_compound_and_wait(&self.connection, &[ask(file.id)], patience);
        replies
            .and_then(|mut replies| {
                let reply = replies.pop().ok_or_else(|| OperationError::protocol_violation("no reply"))?;
                check_reply_status(&reply).map(<[u8]>::to_vec)
            })
            .map_err(|fault| self.refine(fault).about(attempt, &file.name))
    }

    /// Opens a path, performs one operation and closes it, in one compound. Returns that operation's reply.
    fn passing(
        &self,
        path: &RelPath,
        attempt: Attempt,
        create: CreateRequest,
        then: Option<SmbRequest>,
    ) -> Result<Vec<u8>, FileError> {
        let done = self.pass(create, then);
        done.map_err(|fault| self.refine(fault).about(attempt, self.name(path)))
    }

    fn pass(&self, create: CreateRequest, then: Option<SmbRequest>) -> Result<Vec<u8>, OperationError> {
        let mut requests = vec![SmbRequest::new(Command::Create, &create)];
        requests.extend(then);
        requests.push(SmbRequest::new(Command::Close, &CloseRequest { flags: 0, file_id: THIS }));
        let replies = send_compound_and_wait(&self.connection, &requests, RESPONSE_TIMEOUT)?;
        let [first, .., last] = replies.as_slice() else {
            return Err(OperationError::protocol_violation("replies are missing"));
        };
        let id = created(check_reply_status(first)?)?;
        if check_reply_status(last).is_err() {
            // Servers that end a compound at its first failure leave the file open.
            let close = CloseRequest { flags: 0, file_id: id };
            let _ = send_compound_and_wait(
                &self.connection,
                &[SmbRequest::new(Command::Close, &close)],
                RESPONSE_TIMEOUT,
            );
        }
        let middle = if replies.len() == 3 { &replies[1] } else { first };
        Ok(check_reply_status(middle)?.to_vec())
    }
}

impl WorkspaceParent for SmbShare {
    fn open_subfolder(&self, name: &str) -> Result<Box<dyn Share>, FileError> {
        Ok(Box::new(self.on(self.path(&RelPath::parse(name)?))))
    }
}

fn opening(host: &str, share: &str) -> ErrorText {
    ErrorText::of(attempt::open_share, format!("smb://{host}/{share}"))
}

fn created(body: &[u8]) -> Result<FileId, OperationError> {
    let reply = CreateResponse::unpack(&mut ReadCursor::new(body));
    reply.map(|reply| reply.file_id).map_err(|error| OperationError::protocol_violation(error.to_string()))
}

fn create(name: String, access: u32, disposition: CreateDisposition, options: u32) -> CreateRequest {
    let all = ShareAccess::FILE_SHARE_READ | ShareAccess::FILE_SHARE_WRITE | ShareAccess::FILE_SHARE_DELETE;
    CreateRequest {
        requested_oplock_level: OplockLevel::None,
        impersonation_level: ImpersonationLevel::Impersonation,
        desired_access: Access::new(access),
        file_attributes: 0,
        // As in POSIX file systems, sharing is unrestricted.
        share_access: ShareAccess(all),
        create_disposition: disposition,
        create_options: options,
        name,
        create_contexts: Vec::new(),
    }
}
