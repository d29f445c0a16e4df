//! Lists a folder (MS-SMB2 2.2.33).

use super::connection::SmbConnection;
use super::receive::check_reply_status;
use super::send::{SmbRequest, send_compound_and_wait};
use super::{FOLDER, READ, THIS, create, created, info};
use crate::operation_error::OperationError;
use crate::tcp::RESPONSE_TIMEOUT;
use crate::{FileErrorKind, FileStatus, FolderEntry};
use smb2::msg::close::CloseRequest;
use smb2::msg::create::CreateDisposition;
use smb2::msg::directory_info::parse_entries;
use smb2::msg::query_directory::{
    FileInformationClass, QueryDirectoryFlags, QueryDirectoryRequest, QueryDirectoryResponse,
};
use smb2::pack::{ReadCursor, Unpack};
use smb2::types::{Command, FileId};

/// Names, sizes, times and short names (MS-FSCC 2.4.8): level 260 of load files.
const CLASS: FileInformationClass = FileInformationClass::FileBothDirectoryInformation;
/// The maximum for one credit.
const AT_ONCE: u32 = 65_536;

/// All matching names, or with a limit those of the first reply, as in FIND_FIRST.
pub(super) fn find_folder_entries(
    connection: &SmbConnection,
    folder: String,
    pattern: &str,
    most: Option<usize>,
) -> Result<Vec<FolderEntry>, OperationError> {
    let request = create(folder, READ, CreateDisposition::FileOpen, FOLDER);
    let requests = [SmbRequest::new(Command::Create, &request), ask(THIS, pattern)];
    let replies = send_compound_and_wait(connection, &requests, RESPONSE_TIMEOUT)?;
    let [opened, first] = replies.as_slice() else {
        return Err(OperationError::protocol_violation("replies are missing"));
    };
    let file = created(check_reply_status(opened)?)?;
    let found = collect(connection, file, pattern, first, most);
    let close = CloseRequest { flags: 0, file_id: file };
    let closed =
        send_compound_and_wait(connection, &[SmbRequest::new(Command::Close, &close)], RESPONSE_TIMEOUT);
    let found = found?;
    closed?;
    Ok(found)
}

fn collect(
    connection: &SmbConnection,
    file: FileId,
    pattern: &str,
    first: &[u8],
    most: Option<usize>,
) -> Result<Vec<FolderEntry>, OperationError> {
    let mut found = Vec::new();
    if !add(&mut found, first)? {
        return Ok(found);
    }
    if let Some(most) = most {
        found.truncate(most);
        return Ok(found);
    }
    loop {
        let replies = send_compound_and_wait(connection, &[ask(file, pattern)], RESPONSE_TIMEOUT)?;
        if !add(&mut found, replies.first().map_or(&[], Vec::as_slice))? {
            return Ok(found);
        }
    }
}

fn add(found: &mut Vec<FolderEntry>, reply: &[u8]) -> Result<bool, OperationError> {
    match check_reply_status(reply) {
        Ok(body) => {
            found.extend(entries(body)?);
            Ok(true)
        }
        Err(fault) if fault.trouble == FileErrorKind::NoMatch => Ok(false),
        Err(fault) => Err(fault),
    }
}

fn ask(file_id: FileId, pattern: &str) -> SmbRequest {
    let request = QueryDirectoryRequest {
        file_information_class: CLASS,
        flags: QueryDirectoryFlags(0),
        file_index: 0,
        file_id,
        output_buffer_length: AT_ONCE,
        file_name: pattern.to_string(),
    };
    SmbRequest { payload: AT_ONCE, ..SmbRequest::new(Command::QueryDirectory, &request) }
}

/// Without `.` and `..`.
fn entries(body: &[u8]) -> Result<Vec<FolderEntry>, OperationError> {
    let nonsense = |error: smb2::Error| OperationError::protocol_violation(error.to_string());
    let reply = QueryDirectoryResponse::unpack(&mut ReadCursor::new(body)).map_err(nonsense)?;
    let all = parse_entries(CLASS, &reply.output_buffer).map_err(nonsense)?;
    let named = all.into_iter().filter(|entry| !matches!(entry.file_name.as_str(), "." | ".."));
    Ok(named
        .map(|entry| FolderEntry {
            status: FileStatus {
                length: entry.end_of_file,
                allocated: Some(entry.allocation_size),
                folder: info::has_directory_attribute(entry.file_attributes),
            },
            name: entry.file_name,
        })
        .collect())
}
