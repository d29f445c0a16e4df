//! Executes a request of the sink protocol and encodes the reply.

use super::frame::{HEAD, LONGEST_LIST, Op, Reply, Request, how_of, listed};
use super::storage::{Code, Fault, SinkStorage, is_sound};

/// Writes head and reply to the beginning of `out`, which grows as needed. Returns the reply's length and
/// head.
pub(super) fn answer(
    keeper: &dyn SinkStorage,
    request: &Request,
    name: &[u8],
    data: &[u8],
    out: &mut Vec<u8>,
) -> (usize, Reply) {
    let (mut reply, rest) = match carry_out(keeper, request, name, data, out) {
        Ok(done) => done,
        Err(fault) => {
            let reply =
                Reply { failure: fault.code as u8, status: fault.status.unwrap_or(0), ..Reply::default() };
            (reply, PayloadSource::Bytes(fault.why.into_bytes()))
        }
    };
    reply.tag = request.tag;
    let follows = match rest {
        PayloadSource::Nothing => 0,
        PayloadSource::Written(n) => n,
        PayloadSource::Bytes(bytes) => {
            let bytes = &bytes[..bytes.len().min(LONGEST_LIST + 65_536)];
            grow(out, HEAD + bytes.len());
            out[HEAD..HEAD + bytes.len()].copy_from_slice(bytes);
            bytes.len()
        }
    };
    reply.data = follows as u32;
    grow(out, HEAD);
    out[..HEAD].copy_from_slice(&reply.encode());
    (HEAD + follows, reply)
}

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

fn path(bytes: &[u8]) -> Result<&str, Fault> {
    let sound = std::str::from_utf8(bytes).ok().filter(|p| is_sound(p));
    sound.ok_or_else(|| {
        let shown = String::from_utf8_lossy(bytes);
        Fault::new(Code::Forbidden, format!("the path {shown:?} could lead out of the workspace"))
    })
}

fn carry_out(
    keeper: &dyn SinkStorage,
    request: &Request,
    name: &[u8],
    data: &[u8],
    out: &mut Vec<u8>,
) -> Result<(Reply, PayloadSource), Fault> {
    let Request { handle, offset, .. } = *request;
    let done = |()| (Reply::default(), PayloadSource::Nothing);
    let length = || u64::from_be_bytes(data.try_into().unwrap_or_default());
    match request.op {
        Op::Open => {
            let how = how_of(request.flags)
                .ok_or_else(|| Fault::new(Code::NotSupported, "there is no such way to open"))?;
            let handle = keeper.open(path(name)?, how)?;
            Ok((Reply { a: handle, ..Reply::default() }, PayloadSource::Nothing))
        }
        Op::Close => keeper.close(handle).map(done),
        Op::Read => {
            let asked = request.length as usize;
            grow(out, HEAD + asked);
            let read = keeper.read_at(handle, &mut out[HEAD..HEAD + asked], offset)?.min(asked);
            Ok((Reply { a: read as u64, ..Reply::default() }, PayloadSource::Written(read)))
        }
        Op::Write => {
            keeper.write_at(handle, data, offset)?;
            Ok((Reply { a: data.len() as u64, ..Reply::default() }, PayloadSource::Nothing))
        }
        Op::Flush => keeper.flush(handle).map(done),
        Op::Query => Ok((Reply::of_stat(&keeper.query(path(name)?)?), PayloadSource::Nothing)),
        Op::QueryOpen => Ok((Reply::of_stat(&keeper.query_open(handle)?), PayloadSource::Nothing)),
        Op::Touch => keeper.touch(handle).map(done),
        Op::Room => {
            let room = keeper.room()?;
            Ok((Reply { a: room.total, b: room.free, ..Reply::default() }, PayloadSource::Nothing))
        }
        Op::Find => {
            let most = (request.length != u32::MAX).then_some(request.length as usize);
            let pattern = std::str::from_utf8(data)
                .map_err(|_| Fault::new(Code::Forbidden, "the pattern is not UTF-8"))?;
            let names = keeper.find(path(name)?, pattern, most)?;
            let bytes = listed(&names)
                .ok_or_else(|| Fault::new(Code::Other, format!("{} names are too many", names.len())))?;
            Ok((Reply { a: names.len() as u64, ..Reply::default() }, PayloadSource::Bytes(bytes)))
        }
        Op::MakeFolder => keeper.make_folder(path(name)?).map(done),
        Op::RemoveFolder => keeper.remove_folder(path(name)?).map(done),
        Op::RemoveFile => keeper.remove_file(path(name)?).map(done),
        Op::Rename => keeper.rename(path(name)?, path(data)?).map(done),
        Op::Lock => keeper.lock(handle, offset, length()).map(done),
        Op::Unlock => keeper.unlock(handle, offset, length()).map(done),
    }
}
