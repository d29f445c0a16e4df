//! Lists a folder (MS-SMB2 2.2.33).

use super::connection::SmbConnection;
use super::message::{read_u32_at, read_u64_at};
use super::receive::check_reply_status;
use super::send::{SmbRequest, send_compound_and_wait};
use super::{FOLDER, READ, THIS, create, created, info};
use crate::operation_error::OperationError;
use crate::tcp::RESPONSE_TIMEOUT;
use crate::{FileErrorKind, FileStatus, FolderEntry};
use smb2::msg::close::CloseRequest;
use smb2::msg::create::CreateDisposition;
use smb2::msg::query_directory::{
    FileInformationClass, QueryDirectoryFlags, QueryDirectoryRequest, QueryDirectoryResponse,
};
use smb2::pack::{ReadCursor, Unpack};
use smb2::types::{Command, FileId};

/// Names, sizes, times and short names (MS-FSCC 2.4.8): level 260 of load files.
const CLASS: FileInformationClass = FileInformationClass::FileBothDirectoryInformation;
/// Before the name.
const FIXED_BYTES: usize = 94;
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
    let mut received = first.len();
    loop {
        let replies = send_compound_and_wait(connection, &[ask(file, pattern)], RESPONSE_TIMEOUT)?;
        let reply: &[u8] = replies.first().map_or(&[], Vec::as_slice);
        received += reply.len();
        OperationError::check_listing(received)?;
        if !add(&mut found, reply)? {
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
pub(super) fn entries(body: &[u8]) -> Result<Vec<FolderEntry>, OperationError> {
    let reply = QueryDirectoryResponse::unpack(&mut ReadCursor::new(body));
    let buffer = reply.map_err(|error| OperationError::protocol_violation(error.to_string()))?.output_buffer;
    parse_entries(&buffer)
        .ok_or_else(|| OperationError::protocol_violation("the entries of a folder do not fit"))
}

/// Entries end where the next begins: the library reads overlapping ones, a long name a million times.
fn parse_entries(mut buffer: &[u8]) -> Option<Vec<FolderEntry>> {
    let mut found = Vec::new();
    while buffer.len() >= FIXED_BYTES {
        let length = match read_u32_at(buffer, 0)? as usize {
            0 => buffer.len(),
            next => next,
        };
        let (entry, rest) = buffer.split_at_checked(length)?;
        let (name, []) = entry.get(FIXED_BYTES..)?.get(..read_u32_at(entry, 60)? as usize)?.as_chunks::<2>()
        else {
            return None;
        };
        let units: Vec<u16> = name.iter().map(|unit| u16::from_le_bytes(*unit)).collect();
        let name = String::from_utf16(&units).ok()?;
        if !matches!(name.as_str(), "." | "..") {
            let status = FileStatus {
                length: read_u64_at(entry, 40)?,
                allocated: Some(read_u64_at(entry, 48)?),
                folder: info::has_directory_attribute(read_u32_at(entry, 56)?),
            };
            found.push(FolderEntry { status, name });
        }
        buffer = rest;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smb2::msg::directory_info::{DirectoryInfoEntry, pack_entries};

    #[test]
    fn entries_are_read_as_the_library_writes_them_and_may_not_overlap() {
        let entry = |name: &str, end_of_file, file_attributes| DirectoryInfoEntry {
            file_name: name.into(),
            end_of_file,
            allocation_size: 2 * end_of_file,
            file_attributes,
            ..DirectoryInfoEntry::default()
        };
        let all = [entry(".", 0, 0x10), entry("größer", 7, 0x20), entry("folder", 0, 0x10)];
        let mut packed = pack_entries(CLASS, &all).unwrap();
        let status = |length, folder| FileStatus { length, allocated: Some(2 * length), folder };
        let expected = [("größer", status(7, false)), ("folder", status(0, true))];
        let expected = expected.map(|(name, status)| FolderEntry { name: name.into(), status });
        assert_eq!(parse_entries(&packed).unwrap(), expected);
        packed[60] += 1;
        assert_eq!(parse_entries(&packed), None, "a name beyond its entry");
        // 64 KiB in which an entry with a name of 32 KiB begins at every eighth byte.
        let overlapping = [8, 0, 0, 0, 0, 0x80, 0, 0].repeat(8 << 10);
        assert_eq!(parse_entries(&overlapping), None);
    }
}
