//! Executes a request of the sink protocol and encodes the reply.

use super::frame::{
    HEADER_BYTES, MAX_DIRECTORY_LISTING_BYTES, SinkOp, SinkReply, SinkRequest, decode_open_flags,
    encode_directory_entries,
};
use super::storage::{SinkError, SinkStorage};
use goodput_model::file::{FileErrorKind, is_path_in_workspace};
use goodput_words::message;

/// Writes head and reply to the beginning of `out`, which grows; returns the reply's length and head.
pub(super) fn execute_request(
    keeper: &dyn SinkStorage,
    request: &SinkRequest,
    name: &[u8],
    data: &[u8],
    out: &mut Vec<u8>,
) -> (usize, SinkReply) {
    let done = carry_out(keeper, request, name, data, out);
    encode_outcome(request.tag, done, out)
}

/// As [`execute_request`], for a request that is not executed.
pub(super) fn refuse_request(request: &SinkRequest, why: SinkError, out: &mut Vec<u8>) -> (usize, SinkReply) {
    encode_outcome(request.tag, Err(why), out)
}

fn encode_outcome(tag: u32, outcome: Outcome, out: &mut Vec<u8>) -> (usize, SinkReply) {
    let (mut reply, rest) = match outcome {
        Ok(done) => done,
        Err(fault) => {
            let reply = SinkReply {
                failure: fault.code as u8,
                status: fault.status.unwrap_or(0),
                ..SinkReply::default()
            };
            // English only: failures that a load expects are sent within its measured operations.
            (reply, PayloadSource::Bytes(fault.why.to_string().into_bytes()))
        }
    };
    reply.tag = tag;
    let follows = match rest {
        PayloadSource::Nothing => 0,
        PayloadSource::Written(n) => n,
        PayloadSource::Bytes(bytes) => {
            let bytes = &bytes[..bytes.len().min(MAX_DIRECTORY_LISTING_BYTES + 65_536)];
            grow(out, HEADER_BYTES + bytes.len());
            out[HEADER_BYTES..HEADER_BYTES + bytes.len()].copy_from_slice(bytes);
            bytes.len()
        }
    };
    reply.data = follows as u32;
    grow(out, HEADER_BYTES);
    out[..HEADER_BYTES].copy_from_slice(&reply.encode());
    (HEADER_BYTES + follows, reply)
}

type Outcome = Result<(SinkReply, PayloadSource), SinkError>;

enum PayloadSource {
    Nothing,
    Written(usize),
    Bytes(Vec<u8>),
}

fn grow(out: &mut Vec<u8>, length: usize) {
    if out.len() < length {
        out.resize(length, 0);
    }
}

fn path(bytes: &[u8]) -> Result<&str, SinkError> {
    let sound = std::str::from_utf8(bytes).ok().filter(|p| is_path_in_workspace(p));
    sound.ok_or_else(|| {
        let path = format!("{:?}", String::from_utf8_lossy(bytes));
        SinkError::new(FileErrorKind::Forbidden, message!(error_probe_sink_path_outside { path }))
    })
}

fn carry_out(
    keeper: &dyn SinkStorage,
    request: &SinkRequest,
    name: &[u8],
    data: &[u8],
    out: &mut Vec<u8>,
) -> Outcome {
    let SinkRequest { handle, offset, .. } = *request;
    let plain = |reply| (reply, PayloadSource::Nothing);
    let number = |a| plain(SinkReply { a, ..SinkReply::default() });
    let status = |found| plain(SinkReply::from_stat(&found));
    let done = |()| plain(SinkReply::default());
    let length = || u64::from_be_bytes(data.try_into().unwrap_or_default());
    match request.op {
        SinkOp::Open => {
            let how = decode_open_flags(request.flags)
                .ok_or_else(|| SinkError::new(FileErrorKind::NotSupported, "there is no such way to open"))?;
            keeper.open(path(name)?, how).map(number)
        }
        SinkOp::Close => keeper.close(handle).map(done),
        SinkOp::Read => {
            let asked = request.length as usize;
            grow(out, HEADER_BYTES + asked);
            let read =
                keeper.read_at(handle, &mut out[HEADER_BYTES..HEADER_BYTES + asked], offset)?.min(asked);
            Ok((SinkReply { a: read as u64, ..SinkReply::default() }, PayloadSource::Written(read)))
        }
        SinkOp::Write => keeper.write_at(handle, data, offset).map(|()| number(data.len() as u64)),
        SinkOp::Flush => keeper.flush(handle).map(done),
        SinkOp::Query => keeper.stat_path(path(name)?).map(status),
        SinkOp::QueryOpen => keeper.stat_handle(handle).map(status),
        SinkOp::Touch => keeper.set_times_to_now(handle).map(done),
        SinkOp::Room => {
            let room = keeper.storage_space()?;
            Ok(plain(SinkReply { a: room.total, b: room.free, ..SinkReply::default() }))
        }
        SinkOp::Find => {
            let most = (request.length != u32::MAX).then_some(request.length as usize);
            let pattern = std::str::from_utf8(data)
                .map_err(|_| SinkError::new(FileErrorKind::Forbidden, "the pattern is not UTF-8"))?;
            let names = keeper.list_matching_entries(path(name)?, pattern, most)?;
            let bytes = encode_directory_entries(&names).ok_or_else(|| {
                let count = names.len().to_string();
                SinkError::new(FileErrorKind::Other, message!(error_probe_sink_too_many_names { count }))
            })?;
            Ok((SinkReply { a: names.len() as u64, ..SinkReply::default() }, PayloadSource::Bytes(bytes)))
        }
        SinkOp::MakeFolder => keeper.make_folder(path(name)?).map(done),
        SinkOp::RemoveFolder => keeper.remove_folder(path(name)?).map(done),
        SinkOp::RemoveFile => keeper.remove_file(path(name)?).map(done),
        SinkOp::Rename => keeper.rename(path(name)?, path(data)?).map(done),
        SinkOp::Lock => keeper.lock_range(handle, offset, length()).map(done),
        SinkOp::Unlock => keeper.unlock_range(handle, offset, length()).map(done),
    }
}
