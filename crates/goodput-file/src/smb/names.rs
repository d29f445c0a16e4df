//! Lists a folder (MS-SMB2 2.2.33).

use super::connection::Connection;
use super::receive::succeeded;
use super::send::{Request, call};
use super::{FOLDER, READ, THIS, create, created, info};
use crate::fault::Fault;
use crate::tcp::PATIENCE;
use crate::{Entry, FileErrorKind, Status};
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
pub(super) fn find(
    connection: &Connection,
    folder: String,
    pattern: &str,
    most: Option<usize>,
) -> Result<Vec<Entry>, Fault> {
    let request = create(folder, READ, CreateDisposition::FileOpen, FOLDER);
    let requests = [Request::new(Command::Create, &request), ask(THIS, pattern)];
    let replies = call(connection, &requests, PATIENCE)?;
    let [opened, first] = replies.as_slice() else { return Err(Fault::nonsense("replies are missing")) };
    let file = created(succeeded(opened)?)?;
    let found = collect(connection, file, pattern, first, most);
    let close = CloseRequest { flags: 0, file_id: file };
    let closed = call(connection, &[Request::new(Command::Close, &close)], PATIENCE);
    let found = found?;
    closed?;
    Ok(found)
}

fn collect(
    connection: &Connection,
    file: FileId,
    pattern: &str,
    first: &[u8],
    most: Option<usize>,
) -> Result<Vec<Entry>, Fault> {
    let mut found = Vec::new();
    if !add(&mut found, first)? {
        return Ok(found);
    }
    if let Some(most) = most {
        found.truncate(most);
        return Ok(found);
    }
    loop {
        let replies = call(connection, &[ask(file, pattern)], PATIENCE)?;
        if !add(&mut found, replies.first().map_or(&[], Vec::as_slice))? {
            return Ok(found);
        }
    }
}

fn add(found: &mut Vec<Entry>, reply: &[u8]) -> Result<bool, Fault> {
    match succeeded(reply) {
        Ok(body) => {
            found.extend(entries(body)?);
            Ok(true)
        }
        Err(fault) if fault.trouble == FileErrorKind::NoMatch => Ok(false),
        Err(fault) => Err(fault),
    }
}

fn ask(file_id: FileId, pattern: &str) -> Request {
    let request = QueryDirectoryRequest {
        file_information_class: CLASS,
        flags: QueryDirectoryFlags(0),
        file_index: 0,
        file_id,
        output_buffer_length: AT_ONCE,
        file_name: pattern.to_string(),
    };
    Request { payload: AT_ONCE, ..Request::new(Command::QueryDirectory, &request) }
}

/// Without `.` and `..`.
fn entries(body: &[u8]) -> Result<Vec<Entry>, Fault> {
    let nonsense = |error: smb2::Error| Fault::nonsense(error.to_string());
    let reply = QueryDirectoryResponse::unpack(&mut ReadCursor::new(body)).map_err(nonsense)?;
    let all = parse_entries(CLASS, &reply.output_buffer).map_err(nonsense)?;
    let named = all.into_iter().filter(|entry| !matches!(entry.file_name.as_str(), "." | ".."));
    Ok(named
        .map(|entry| Entry {
            status: Status {
                length: entry.end_of_file,
                allocated: Some(entry.allocation_size),
                folder: info::is_folder(entry.file_attributes),
            },
            name: entry.file_name,
        })
        .collect())
}
