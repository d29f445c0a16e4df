//! Information classes used for queries and changes (MS-FSCC 2.4, 2.5).

use super::message::{read_u32_at, read_u64_at};
use crate::operation_error::OperationError;
use crate::{DiskSpace, FileStatus};
use smb2::msg::query_info::{InfoType, QueryInfoRequest, QueryInfoResponse};
use smb2::msg::set_info::SetInfoRequest;
use smb2::pack::{ReadCursor, Unpack};
use smb2::types::FileId;
use std::time::SystemTime;

/// FileNetworkOpenInformation (2.4.29): times, sizes, attributes.
const NETWORK_OPEN: u8 = 34;
/// FileBasicInformation (2.4.7): times, attributes.
const BASIC: u8 = 4;
/// FileRenameInformation (2.4.37.2).
const RENAME: u8 = 10;
/// FileDispositionInformation (2.4.11).
const DISPOSITION: u8 = 13;
/// FileFsFullSizeInformation (2.5.4).
const FULL_SIZE: u8 = 7;
/// FILE_ATTRIBUTE_DIRECTORY (2.6).
const DIRECTORY: u32 = 0x10;

pub(super) fn build_file_status_query(file: FileId) -> QueryInfoRequest {
    ask(InfoType::File, NETWORK_OPEN, 56, file)
}

pub(super) fn build_disk_space_query(file: FileId) -> QueryInfoRequest {
    ask(InfoType::Filesystem, FULL_SIZE, 32, file)
}

fn ask(info_type: InfoType, class: u8, length: u32, file_id: FileId) -> QueryInfoRequest {
    QueryInfoRequest {
        info_type,
        file_info_class: class,
        output_buffer_length: length,
        additional_information: 0,
        flags: 0,
        file_id,
        input_buffer: Vec::new(),
    }
}

pub(super) fn parse_file_status(body: &[u8]) -> Result<FileStatus, OperationError> {
    let info = output(body)?;
    let fields = (read_u64_at(&info, 32), read_u64_at(&info, 40), read_u32_at(&info, 48));
    let (Some(allocated), Some(length), Some(attributes)) = fields else { return Err(short()) };
    Ok(FileStatus { length, allocated: Some(allocated), folder: has_directory_attribute(attributes) })
}

pub(super) fn parse_disk_space(body: &[u8]) -> Result<DiskSpace, OperationError> {
    let info = output(body)?;
    let fields =
        (read_u64_at(&info, 0), read_u64_at(&info, 8), read_u32_at(&info, 24), read_u32_at(&info, 28));
    let (Some(total), Some(free), Some(sectors), Some(bytes)) = fields else { return Err(short()) };
    let unit = u64::from(sectors) * u64::from(bytes);
    Ok(DiskSpace { total: total.saturating_mul(unit), free: free.saturating_mul(unit) })
}

pub(super) fn has_directory_attribute(attributes: u32) -> bool {
    attributes & DIRECTORY != 0
}

fn output(body: &[u8]) -> Result<Vec<u8>, OperationError> {
    let reply = QueryInfoResponse::unpack(&mut ReadCursor::new(body));
    reply
        .map(|reply| reply.output_buffer)
        .map_err(|error| OperationError::protocol_violation(error.to_string()))
}

fn short() -> OperationError {
    OperationError::protocol_violation("an information is too short")
}

pub(super) fn build_delete_request(file: FileId) -> SetInfoRequest {
    set(DISPOSITION, file, vec![1])
}

/// The new name must be free: `path` from the share's root, with `\`.
pub(super) fn build_rename_request(file: FileId, path: &str) -> SetInfoRequest {
    let name: Vec<u8> = path.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut to = vec![0; 16];
    to.extend_from_slice(&(name.len() as u32).to_le_bytes());
    to.extend_from_slice(&name);
    // The minimum structure length is 24 (MS-FSA 2.1.5.15.12).
    to.resize(to.len().max(24), 0);
    set(RENAME, file, to)
}

/// Sets the times of last access and last write to now.
pub(super) fn build_set_times_request(file: FileId) -> SetInfoRequest {
    let now = filetime(SystemTime::now()).to_le_bytes();
    let mut to = vec![0; 40];
    to[8..16].copy_from_slice(&now);
    to[16..24].copy_from_slice(&now);
    set(BASIC, file, to)
}

/// Units of 100 ns since 1601 (MS-DTYP 2.3.3). Calendar time, not a measurement.
fn filetime(time: SystemTime) -> u64 {
    const FROM_1601_TO_1970: u64 = 11_644_473_600 * 10_000_000;
    let since_1970 = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_nanos() / 100);
    FROM_1601_TO_1970 + u64::try_from(since_1970).unwrap_or(0)
}

fn set(class: u8, file_id: FileId, buffer: Vec<u8>) -> SetInfoRequest {
    SetInfoRequest {
        info_type: InfoType::File,
        file_info_class: class,
        additional_information: 0,
        file_id,
        buffer,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smb::message::encode_body;

    fn reply(info: Vec<u8>) -> Vec<u8> {
        encode_body(&QueryInfoResponse { output_buffer: info })
    }

    #[test]
    fn sizes_come_from_their_places() {
        let mut info = vec![0; 56];
        info[32..40].copy_from_slice(&8192u64.to_le_bytes());
        info[40..48].copy_from_slice(&5000u64.to_le_bytes());
        let file = parse_file_status(&reply(info.clone())).unwrap();
        assert_eq!((file.length, file.allocated, file.folder), (5000, Some(8192), false));
        info[48] = 0x10;
        assert!(parse_file_status(&reply(info.clone())).unwrap().folder);
        info.truncate(40);
        assert!(parse_file_status(&reply(info)).is_err());

        let mut info = vec![0; 32];
        info[..8].copy_from_slice(&100u64.to_le_bytes());
        info[8..16].copy_from_slice(&7u64.to_le_bytes());
        info[24..28].copy_from_slice(&8u32.to_le_bytes());
        info[28..].copy_from_slice(&512u32.to_le_bytes());
        assert_eq!(parse_disk_space(&reply(info)).unwrap(), DiskSpace { total: 409_600, free: 28_672 });
    }

    #[test]
    fn the_calendar_begins_in_1601() {
        assert_eq!(filetime(SystemTime::UNIX_EPOCH), 116_444_736_000_000_000);
    }
}
