//! An SMB share, spoken to by ourselves: no mount, no root, no cache of this client's.
//!
//! The `smb2` library connects, agrees a dialect and logs on ([`logon`]), and writes and reads all messages but the two that
//! carry payload. What moves messages is ours ([`crate::wire`], [`speech`]): callers' own threads, payload between socket
//! and buffer without a copy between, as many requests under way as a lane has slots and the server grants credits for.
//! The library's own way through an asynchronous runtime copies each payload four times.
//!
//! Oplocks and leases are not asked for, DFS and multichannel are not spoken.

mod info;
mod lane;
mod logon;
mod message;
mod names;
mod seal;
mod speech;
mod status;

use crate::wire::lane::Slots;
use crate::wire::{DURABLE_PATIENCE, Fault, Line, PATIENCE};
use crate::workspace::Target;
use crate::{Entry, FileError, Handle, Lane, Open, RelPath, Share, Space, Status, Trouble, secret};
use goodput_model::Bytes;
use goodput_model::file::{Disposition, PlaceFacts};
use lane::SmbLane;
use logon::Whereto;
use smb2::msg::close::CloseRequest;
use smb2::msg::create::{CreateDisposition, CreateRequest, CreateResponse, ImpersonationLevel, ShareAccess};
use smb2::msg::flush::FlushRequest;
use smb2::msg::lock::{
    LockElement, LockRequest, SMB2_LOCKFLAG_EXCLUSIVE_LOCK, SMB2_LOCKFLAG_FAIL_IMMEDIATELY,
    SMB2_LOCKFLAG_UNLOCK,
};
use smb2::pack::{ReadCursor, Unpack};
use smb2::types::flags::FileAccessMask as Access;
use smb2::types::{Command, FileId, OplockLevel};
use speech::{Ask, Talk, call, succeeded};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What is asked of a file for looking at it, for reading it, for writing it too, for removing it.
const LOOK: u32 = Access::FILE_READ_ATTRIBUTES | Access::SYNCHRONIZE;
const READ: u32 = LOOK | Access::FILE_READ_DATA;
const WRITE: u32 = READ | Access::FILE_WRITE_DATA | Access::FILE_APPEND_DATA | Access::FILE_WRITE_ATTRIBUTES;
const REMOVE: u32 = LOOK | Access::DELETE;
/// Create options (MS-SMB2 2.2.13): a folder, no folder, the link itself where it is one.
const FOLDER: u32 = 0x1;
const NO_FOLDER: u32 = 0x40;
const LINK_ITSELF: u32 = 0x0020_0000;
/// "The file that this compound opened."
const THIS: FileId = FileId::SENTINEL;

/// A share, open on one folder in it.
pub struct Smb {
    line: Arc<Line<Talk>>,
    to: Whereto,
    /// From the share's root, with `\`; empty for the root itself.
    base: String,
    facts: PlaceFacts,
    writable: bool,
    open: Mutex<HashMap<u64, Opened>>,
    last: AtomicU64,
}

#[derive(Clone)]
struct Opened {
    id: FileId,
    name: Arc<str>,
}

impl Smb {
    /// Connects and logs on with the password that [`secret`] finds, and opens the share. `path` is a folder in it, with `/`;
    /// that it exists is not looked at.
    ///
    /// # Errors
    /// [`Trouble::Gone`] when the server does not answer, [`Trouble::LogOn`] when it does not want this user or has no
    /// such share.
    pub fn connect(
        host: &str,
        port: u16,
        domain: Option<&str>,
        user: Option<&str>,
        share: &str,
        path: &str,
    ) -> Result<Smb, FileError> {
        let to = Whereto {
            host: host.to_string(),
            port,
            domain: domain.map(str::to_string),
            user: user.map(str::to_string),
            share: share.to_string(),
        };
        let path = RelPath::parse(path.trim_matches('/'))?;
        Smb::enter(to, path.as_str().replace('/', r"\"))
    }

    /// The same connection, open on another folder.
    fn on(&self, base: String) -> Smb {
        Smb {
            line: Arc::clone(&self.line),
            to: self.to.clone(),
            base,
            facts: self.facts.clone(),
            writable: self.writable,
            open: Mutex::default(),
            last: AtomicU64::new(0),
        }
    }

    fn enter(to: Whereto, base: String) -> Result<Smb, FileError> {
        let what = || format!("open the share smb://{}/{}", to.host, to.share);
        let password = if to.user.is_some() { secret::find()? } else { None };
        let entered = logon::enter(&to, password.as_ref()).map_err(|fault| fault.about(what()))?;
        let writable = entered.writable;
        let dialect = entered.params.dialect.to_string().to_lowercase();
        let line = speech::line(entered).map_err(|fault| fault.about(what()))?;
        let (signed, encrypted) = line.speech.protected();
        let facts = PlaceFacts {
            engine: dialect,
            max_io: Some((Bytes(line.speech.max_read.into()), Bytes(line.speech.max_write.into()))),
            signed: Some(signed),
            encrypted: Some(encrypted),
            connections: Some(1),
            ..PlaceFacts::default()
        };
        let (open, last) = (Mutex::default(), AtomicU64::new(0));
        let mut smb = Smb { line: Arc::new(line), to, base: String::new(), facts, writable, open, last };
        smb.facts.free = Some(Bytes(smb.space()?.free));
        smb.base = base;
        Ok(smb)
    }

    /// A path as the server wants it.
    fn path(&self, path: &RelPath) -> String {
        let below = path.as_str().replace('/', r"\");
        match (self.base.is_empty(), below.is_empty()) {
            (true, _) => below,
            (false, true) => self.base.clone(),
            (false, false) => format!(r"{}\{below}", self.base),
        }
    }

    /// A path as messages name it.
    fn name(&self, path: &RelPath) -> String {
        let path = self.path(path).replace('\\', "/");
        format!("smb://{}/{}/{path}", self.to.host, self.to.share)
    }

    fn table(&self) -> MutexGuard<'_, HashMap<u64, Opened>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn opened(&self, handle: Handle, verb: &str) -> Result<Opened, FileError> {
        self.table().get(&handle.0).cloned().ok_or_else(|| {
            FileError::because(format!("{verb} handle {}", handle.0), Trouble::Other, "it is not open")
        })
    }

    /// What the server refused, seen with what is known of the share.
    fn refine(&self, fault: Fault) -> Fault {
        match fault.trouble {
            Trouble::Denied if !self.writable => {
                let why = format!("{}; this user may only read on this share", fault.why);
                Fault { trouble: Trouble::ReadOnly, why, ..fault }
            }
            _ => fault,
        }
    }

    /// One request on an open file.
    fn one(&self, handle: Handle, verb: &str, ask: impl FnOnce(FileId) -> Ask) -> Result<Vec<u8>, FileError> {
        let file = self.opened(handle, verb)?;
        // These may have a disk to wait for.
        let patience = if matches!(verb, "flush" | "close") { DURABLE_PATIENCE } else { PATIENCE };
        let replies = call(&self.line, &[ask(file.id)], patience);
        replies
            .and_then(|mut replies| {
                let reply = replies.pop().ok_or_else(|| Fault::nonsense("no reply"))?;
                succeeded(&reply).map(<[u8]>::to_vec)
            })
            .map_err(|fault| self.refine(fault).about(format!("{verb} {}", file.name)))
    }

    /// Opens a path, does one thing with it, and closes it, all in one message. The body of the reply to that thing.
    fn passing(
        &self,
        path: &RelPath,
        verb: &str,
        create: CreateRequest,
        then: Option<Ask>,
    ) -> Result<Vec<u8>, FileError> {
        let done = self.pass(create, then);
        done.map_err(|fault| self.refine(fault).about(format!("{verb} {}", self.name(path))))
    }

    fn pass(&self, create: CreateRequest, then: Option<Ask>) -> Result<Vec<u8>, Fault> {
        let mut asks = vec![Ask::new(Command::Create, &create)];
        asks.extend(then);
        asks.push(Ask::new(Command::Close, &CloseRequest { flags: 0, file_id: THIS }));
        let replies = call(&self.line, &asks, PATIENCE)?;
        let [first, .., last] = replies.as_slice() else {
            return Err(Fault::nonsense("replies are missing"));
        };
        let id = created(succeeded(first)?)?;
        if succeeded(last).is_err() {
            // A server that ends a compound at its first failure leaves the file open. What that failure was is told below.
            let close = CloseRequest { flags: 0, file_id: id };
            let _ = call(&self.line, &[Ask::new(Command::Close, &close)], PATIENCE);
        }
        let middle = if replies.len() == 3 { &replies[1] } else { first };
        Ok(succeeded(middle)?.to_vec())
    }
}

impl Target for Smb {
    fn share(&self) -> &dyn Share {
        self
    }

    fn below(&self, name: &str) -> Result<Box<dyn Share>, FileError> {
        Ok(Box::new(self.on(self.path(&RelPath::parse(name)?))))
    }
}

/// The file that a create opened.
fn created(body: &[u8]) -> Result<FileId, Fault> {
    let reply = CreateResponse::unpack(&mut ReadCursor::new(body));
    reply.map(|reply| reply.file_id).map_err(|error| Fault::nonsense(error.to_string()))
}

fn create(name: String, access: u32, disposition: CreateDisposition, options: u32) -> CreateRequest {
    let all = ShareAccess::FILE_SHARE_READ | ShareAccess::FILE_SHARE_WRITE | ShareAccess::FILE_SHARE_DELETE;
    CreateRequest {
        requested_oplock_level: OplockLevel::None,
        impersonation_level: ImpersonationLevel::Impersonation,
        desired_access: Access::new(access),
        file_attributes: 0,
        // As in any POSIX file system, nobody is kept out.
        share_access: ShareAccess(all),
        create_disposition: disposition,
        create_options: options,
        name,
        create_contexts: Vec::new(),
    }
}

fn disposition(of: Disposition) -> CreateDisposition {
    match of {
        Disposition::Supersede => CreateDisposition::FileSupersede,
        Disposition::Open => CreateDisposition::FileOpen,
        Disposition::Create => CreateDisposition::FileCreate,
        Disposition::OpenIf => CreateDisposition::FileOpenIf,
        Disposition::Overwrite => CreateDisposition::FileOverwrite,
        Disposition::OverwriteIf => CreateDisposition::FileOverwriteIf,
    }
}

fn lock_request(file_id: FileId, offset: u64, length: u64, flags: u32) -> Ask {
    let locks = vec![LockElement { offset, length, flags }];
    Ask::new(Command::Lock, &LockRequest { lock_sequence: 0, file_id, locks })
}

impl Share for Smb {
    fn facts(&self) -> PlaceFacts {
        self.facts.clone()
    }

    fn open(&self, path: &RelPath, how: Open) -> Result<Handle, FileError> {
        let access = if how.read_only || how.folder { READ } else { WRITE };
        let options = if how.folder { FOLDER } else { 0 } | if how.file { NO_FOLDER } else { 0 };
        let request = create(self.path(path), access, disposition(how.disposition), options);
        let name = self.name(path);
        let opened = call(&self.line, &[Ask::new(Command::Create, &request)], PATIENCE)
            .and_then(|replies| created(succeeded(replies.first().map_or(&[], Vec::as_slice))?));
        let id = opened.map_err(|fault| self.refine(fault).about(format!("open {name}")))?;
        let handle = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.table().insert(handle, Opened { id, name: name.into() });
        Ok(Handle(handle))
    }

    fn close(&self, handle: Handle) -> Result<(), FileError> {
        let closed = self
            .one(handle, "close", |file_id| Ask::new(Command::Close, &CloseRequest { flags: 0, file_id }));
        self.table().remove(&handle.0);
        closed.map(drop)
    }

    fn lane(&self, handle: Handle, block: usize, depth: usize) -> Result<Box<dyn Lane>, FileError> {
        let Opened { id, name } = self.opened(handle, "use")?;
        let slots = Slots::new(&self.line, &name, block, depth);
        Ok(Box::new(SmbLane { line: Arc::clone(&self.line), file: id, slots }))
    }

    fn read_at(&self, handle: Handle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        let file = self.opened(handle, "read")?;
        let most = buffer.len().min(self.line.speech.max_read as usize);
        if most == 0 {
            return Ok(0);
        }
        speech::read_once(&self.line, file.id, offset, &mut buffer[..most], PATIENCE)
            .map_err(|fault| self.refine(fault).about(format!("read {}", file.name)))
    }

    fn write_at(&self, handle: Handle, data: &[u8], offset: u64) -> Result<(), FileError> {
        let file = self.opened(handle, "write")?;
        let mut at = 0;
        while at < data.len() {
            let most = (data.len() - at).min(self.line.speech.max_write as usize);
            let part = &data[at..at + most];
            let written = speech::write_once(&self.line, file.id, offset + at as u64, part, PATIENCE)
                .and_then(|written| if written == 0 { Err(status::fault(0xC000_007F)) } else { Ok(written) })
                .map_err(|fault| self.refine(fault).about(format!("write {}", file.name)))?;
            at += written.min(most);
        }
        Ok(())
    }

    fn flush(&self, handle: Handle) -> Result<(), FileError> {
        let ask = |file_id| Ask::new(Command::Flush, &FlushRequest { file_id });
        self.one(handle, "flush", ask).map(drop)
    }

    fn query(&self, path: &RelPath) -> Result<Status, FileError> {
        let request = create(self.path(path), LOOK, CreateDisposition::FileOpen, 0);
        let then = Ask::new(Command::QueryInfo, &info::ask_status(THIS));
        let body = self.passing(path, "look at", request, Some(then))?;
        info::status(&body).map_err(|fault| fault.about(format!("look at {}", self.name(path))))
    }

    fn query_open(&self, handle: Handle) -> Result<Status, FileError> {
        let body = self.one(handle, "look at", |id| Ask::new(Command::QueryInfo, &info::ask_status(id)))?;
        info::status(&body).map_err(|fault| fault.about(format!("look at handle {}", handle.0)))
    }

    fn touch(&self, handle: Handle) -> Result<(), FileError> {
        self.one(handle, "set the times of", |id| Ask::new(Command::SetInfo, &info::touch(id))).map(drop)
    }

    fn space(&self) -> Result<Space, FileError> {
        let root = RelPath::root();
        let request = create(self.path(&root), LOOK, CreateDisposition::FileOpen, FOLDER);
        let then = Ask::new(Command::QueryInfo, &info::ask_space(THIS));
        let body = self.passing(&root, "ask for the free space of", request, Some(then))?;
        info::space(&body)
            .map_err(|fault| fault.about(format!("ask for the free space of {}", self.name(&root))))
    }

    fn find(&self, folder: &RelPath, pattern: &str, most: Option<usize>) -> Result<Vec<Entry>, FileError> {
        names::find(&self.line, self.path(folder), pattern, most)
            .map_err(|fault| self.refine(fault).about(format!("list {} in {}", pattern, self.name(folder))))
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(path), LOOK, CreateDisposition::FileCreate, FOLDER);
        self.passing(path, "make the folder", request, None).map(drop)
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(path), REMOVE, CreateDisposition::FileOpen, FOLDER | LINK_ITSELF);
        let then = Ask::new(Command::SetInfo, &info::delete(THIS));
        self.passing(path, "remove the folder", request, Some(then)).map(drop)
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(path), REMOVE, CreateDisposition::FileOpen, NO_FOLDER | LINK_ITSELF);
        let then = Ask::new(Command::SetInfo, &info::delete(THIS));
        self.passing(path, "remove", request, Some(then)).map(drop)
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(from), REMOVE, CreateDisposition::FileOpen, LINK_ITSELF);
        let then = Ask::new(Command::SetInfo, &info::rename(THIS, &self.path(to)));
        self.passing(from, "rename", request, Some(then)).map(drop)
    }

    fn lock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError> {
        let flags = SMB2_LOCKFLAG_EXCLUSIVE_LOCK | SMB2_LOCKFLAG_FAIL_IMMEDIATELY;
        self.one(handle, "lock", |id| lock_request(id, offset, length, flags)).map(drop)
    }

    fn unlock(&self, handle: Handle, offset: u64, length: u64) -> Result<(), FileError> {
        self.one(handle, "unlock", |id| lock_request(id, offset, length, SMB2_LOCKFLAG_UNLOCK)).map(drop)
    }

    fn requests(&self) -> Option<u64> {
        Some(self.line.requests())
    }

    fn another(&self) -> Result<Box<dyn Share>, FileError> {
        Ok(Box::new(Smb::enter(self.to.clone(), self.base.clone())?))
    }
}
