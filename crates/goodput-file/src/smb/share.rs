//! The [`Share`] operations on an SMB share.

use super::io_queue::SmbIoQueue;
use super::receive::check_reply_status;
use super::send::{self, SmbRequest, send_compound_and_wait};
use super::{
    FOLDER, LINK_ITSELF, LOOK, NO_FOLDER, Opened, READ, REMOVE, SmbShare, THIS, WRITE, create, created,
};
use super::{info, names, status};
use crate::attempt;
use crate::tcp::{FLUSH_RESPONSE_TIMEOUT, RESPONSE_TIMEOUT};
use crate::{
    DiskSpace, FileError, FileHandle, FileOpenOptions, FileStatus, FolderEntry, IoQueue, RelPath, Share,
};
use goodput_model::file::FileLocationFacts;
use goodput_words::message;
use smb2::msg::close::CloseRequest;
use smb2::msg::create::CreateDisposition;
use smb2::msg::flush::FlushRequest;
use smb2::msg::lock::{
    LockElement, LockRequest, SMB2_LOCKFLAG_EXCLUSIVE_LOCK, SMB2_LOCKFLAG_FAIL_IMMEDIATELY,
    SMB2_LOCKFLAG_UNLOCK,
};
use smb2::types::{Command, FileId};
use std::sync::Arc;

fn disposition(of: goodput_model::file::CreateDisposition) -> CreateDisposition {
    match of {
        goodput_model::file::CreateDisposition::Supersede => CreateDisposition::FileSupersede,
        goodput_model::file::CreateDisposition::Open => CreateDisposition::FileOpen,
        goodput_model::file::CreateDisposition::Create => CreateDisposition::FileCreate,
        goodput_model::file::CreateDisposition::OpenIf => CreateDisposition::FileOpenIf,
        goodput_model::file::CreateDisposition::Overwrite => CreateDisposition::FileOverwrite,
        goodput_model::file::CreateDisposition::OverwriteIf => CreateDisposition::FileOverwriteIf,
    }
}

fn lock_request(file_id: FileId, offset: u64, length: u64, flags: u32) -> SmbRequest {
    let locks = vec![LockElement { offset, length, flags }];
    SmbRequest::new(Command::Lock, &LockRequest { lock_sequence: 0, file_id, locks })
}

impl Share for SmbShare {
    fn location_facts(&self) -> FileLocationFacts {
        self.facts.clone()
    }

    fn open(&self, path: &RelPath, how: FileOpenOptions) -> Result<FileHandle, FileError> {
        let access = if how.read_only || how.folder { READ } else { WRITE };
        let options = if how.folder { FOLDER } else { 0 } | if how.file { NO_FOLDER } else { 0 };
        let request = create(self.path(path), access, disposition(how.disposition), options);
        let name = self.name(path);
        let opened = send_compound_and_wait(
            &self.connection,
            &[SmbRequest::new(Command::Create, &request)],
            RESPONSE_TIMEOUT,
        )
        .and_then(|replies| created(check_reply_status(replies.first().map_or(&[], Vec::as_slice))?));
        let id = opened.map_err(|fault| self.refine(fault).about(attempt::open, &name))?;
        Ok(self.open.add(Opened { id, name }))
    }

    fn close(&self, handle: FileHandle) -> Result<(), FileError> {
        let closed = self.one(handle, attempt::close, FLUSH_RESPONSE_TIMEOUT, |file_id| {
            SmbRequest::new(Command::Close, &CloseRequest { flags: 0, file_id })
        });
        self.open.remove(handle)?;
        closed.map(drop)
    }

    fn open_io_queue(
        &self,
        handle: FileHandle,
        block: usize,
        depth: usize,
    ) -> Result<Box<dyn IoQueue>, FileError> {
        let Opened { id, name } = &*self.open.get(handle)?;
        let lane = SmbIoQueue::new(Arc::clone(&self.connection), *id, name, block, depth);
        let lane = lane.map_err(|e| {
            let (depth, bytes) = (depth.to_string(), block.to_string());
            FileError::from_io_error(message!(part_attempt_keep_buffers { depth, bytes, place: name }), e)
        })?;
        Ok(Box::new(lane))
    }

    fn read_at(&self, handle: FileHandle, buffer: &mut [u8], offset: u64) -> Result<usize, FileError> {
        let file = self.open.get(handle)?;
        let most = buffer.len().min(self.connection.session.max_read as usize);
        if most == 0 {
            return Ok(0);
        }
        send::read_in_one_request(&self.connection, file.id, offset, &mut buffer[..most], RESPONSE_TIMEOUT)
            .map_err(|fault| self.refine(fault).about(attempt::read, &file.name))
    }

    fn write_at(&self, handle: FileHandle, data: &[u8], offset: u64) -> Result<(), FileError> {
        let file = self.open.get(handle)?;
        let mut at = 0;
        while at < data.len() {
            let most = (data.len() - at).min(self.connection.session.max_write as usize);
            let part = &data[at..at + most];
            let written =
                send::write_in_one_request(
                    &self.connection,
                    file.id,
                    offset + at as u64,
                    part,
                    RESPONSE_TIMEOUT,
                )
                .and_then(|written| {
                    if written == 0 { Err(status::error_from_status(0xC000_007F)) } else { Ok(written) }
                })
                .map_err(|fault| self.refine(fault).about(attempt::write, &file.name))?;
            at += written;
        }
        Ok(())
    }

    fn flush(&self, handle: FileHandle) -> Result<(), FileError> {
        let ask = |file_id| SmbRequest::new(Command::Flush, &FlushRequest { file_id });
        self.one(handle, attempt::flush, FLUSH_RESPONSE_TIMEOUT, ask).map(drop)
    }

    fn query_path_status(&self, path: &RelPath) -> Result<FileStatus, FileError> {
        let request = create(self.path(path), LOOK, CreateDisposition::FileOpen, 0);
        let then = SmbRequest::new(Command::QueryInfo, &info::build_file_status_query(THIS));
        let body = self.passing(path, attempt::look_at, request, Some(then))?;
        info::parse_file_status(&body).map_err(|fault| fault.about(attempt::look_at, self.name(path)))
    }

    fn query_handle_status(&self, handle: FileHandle) -> Result<FileStatus, FileError> {
        let body = self.one(handle, attempt::look_at, RESPONSE_TIMEOUT, |id| {
            SmbRequest::new(Command::QueryInfo, &info::build_file_status_query(id))
        })?;
        let file = self.open.get(handle)?;
        info::parse_file_status(&body).map_err(|fault| fault.about(attempt::look_at, &file.name))
    }

    fn set_times_to_now(&self, handle: FileHandle) -> Result<(), FileError> {
        self.one(handle, attempt::set_times, RESPONSE_TIMEOUT, |id| {
            SmbRequest::new(Command::SetInfo, &info::build_set_times_request(id))
        })
        .map(drop)
    }

    fn disk_space(&self) -> Result<DiskSpace, FileError> {
        let root = RelPath::root();
        let request = create(self.path(&root), LOOK, CreateDisposition::FileOpen, FOLDER);
        let then = SmbRequest::new(Command::QueryInfo, &info::build_disk_space_query(THIS));
        let body = self.passing(&root, attempt::ask_free_space, request, Some(then))?;
        info::parse_disk_space(&body).map_err(|fault| fault.about(attempt::ask_free_space, self.name(&root)))
    }

    fn find_folder_entries(
        &self,
        folder: &RelPath,
        pattern: &str,
        most: Option<usize>,
    ) -> Result<Vec<FolderEntry>, FileError> {
        names::find_folder_entries(&self.connection, self.path(folder), pattern, most).map_err(|fault| {
            let what = message!(part_attempt_list_matches { pattern, place: self.name(folder) });
            self.refine(fault).into_file_error(what)
        })
    }

    fn make_folder(&self, path: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(path), LOOK, CreateDisposition::FileCreate, FOLDER);
        self.passing(path, attempt::make_folder, request, None).map(drop)
    }

    fn remove_folder(&self, path: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(path), REMOVE, CreateDisposition::FileOpen, FOLDER | LINK_ITSELF);
        let then = SmbRequest::new(Command::SetInfo, &info::build_delete_request(THIS));
        self.passing(path, attempt::remove_folder, request, Some(then)).map(drop)
    }

    fn remove_file(&self, path: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(path), REMOVE, CreateDisposition::FileOpen, NO_FOLDER | LINK_ITSELF);
        let then = SmbRequest::new(Command::SetInfo, &info::build_delete_request(THIS));
        self.passing(path, attempt::remove, request, Some(then)).map(drop)
    }

    fn rename(&self, from: &RelPath, to: &RelPath) -> Result<(), FileError> {
        let request = create(self.path(from), REMOVE, CreateDisposition::FileOpen, LINK_ITSELF);
        let then = SmbRequest::new(Command::SetInfo, &info::build_rename_request(THIS, &self.path(to)));
        self.passing(from, attempt::rename, request, Some(then)).map(drop)
    }

    fn lock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        let flags = SMB2_LOCKFLAG_EXCLUSIVE_LOCK | SMB2_LOCKFLAG_FAIL_IMMEDIATELY;
        let ask = |id| lock_request(id, offset, length, flags);
        self.one(handle, attempt::lock, RESPONSE_TIMEOUT, ask).map(drop)
    }

    fn unlock_range(&self, handle: FileHandle, offset: u64, length: u64) -> Result<(), FileError> {
        let ask = |id| lock_request(id, offset, length, SMB2_LOCKFLAG_UNLOCK);
        self.one(handle, attempt::unlock, RESPONSE_TIMEOUT, ask).map(drop)
    }

    fn request_count(&self) -> Option<u64> {
        Some(self.connection.request_count())
    }

    fn open_another_connection(&self) -> Result<Box<dyn Share>, FileError> {
        Ok(Box::new(SmbShare::enter(self.to.clone(), self.base.clone())?))
    }
}
