//! Remote procedure calls over TCP (RFC 5531), several under way on one connection, and the two NFS calls that carry
//! payload (RFC 1813, 3.3.6 and 3.3.7).

use super::status;
use crate::wire::{Claim, Deadline, Desk, Direct, Fault, Inlet, Line, Speech};
use nfs3_client::nfs3_types::nfs3::{
    NFS_PROGRAM, PROGRAM, READ3args, VERSION, WRITE3res, nfs_fh3, stable_how,
};
use nfs3_client::nfs3_types::rpc::{
    RPC_VERSION_2, accept_stat_data, call_body, msg_body, opaque_auth, reply_body, rpc_msg,
};
use nfs3_client::nfs3_types::xdr_codec::{Pack, Unpack};
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The mark before a message, and its bit "this is the last piece" (RFC 5531, 11).
const MARK: usize = 4;
const LAST: u32 = 0x8000_0000;
/// Of a reply to READ everything before its payload, and more.
const ENOUGH: usize = 256;
/// No message of a server's is longer.
const LONGEST: usize = 64 << 20;
/// There are no credits: a lane's depth bounds what is under way.
pub(super) const CREDITS: u32 = u32::MAX / 2;
const NO_CHARGE: u16 = 0;

/// How NFS is spoken on a connection.
pub(super) struct Rpc {
    credential: opaque_auth<'static>,
    /// What the server calls its present life; written data that was not committed is lost when it begins another one.
    verifier: Mutex<Option<[u8; 8]>>,
    restarted: AtomicBool,
    unstable: AtomicBool,
}

impl Rpc {
    pub(super) fn new(credential: opaque_auth<'static>) -> Rpc {
        Rpc {
            credential,
            verifier: Mutex::new(None),
            restarted: AtomicBool::new(false),
            unstable: AtomicBool::new(false),
        }
    }

    /// Notes the verifier of a WRITE or COMMIT.
    pub(super) fn verify(&self, verifier: [u8; 8]) {
        let mut known = self.verifier.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_some_and(|known| known != verifier) {
            self.restarted.store(true, Ordering::Relaxed);
        }
        *known = Some(verifier);
    }

    /// True once when the server has begun another life since the last time that this was asked.
    pub(super) fn has_restarted(&self) -> bool {
        self.restarted.swap(false, Ordering::Relaxed)
    }

    /// True when the server has kept anything that was written in memory alone; it may always write through.
    pub(super) fn owes_a_commit(&self) -> bool {
        self.unstable.load(Ordering::Relaxed)
    }

    /// The mark and head of a call whose arguments are `arguments` bytes long.
    fn head(
        &self,
        to: &mut Vec<u8>,
        xid: u32,
        procedure: NFS_PROGRAM,
        arguments: usize,
    ) -> Result<(), Fault> {
        let body = msg_body::CALL(call_body {
            rpcvers: RPC_VERSION_2,
            prog: PROGRAM,
            vers: VERSION,
            proc: procedure as u32,
            cred: self.credential.borrow(),
            verf: opaque_auth::default(),
        });
        let message = rpc_msg { xid, body };
        let length = message.packed_size() + arguments;
        let mark = u32::try_from(length).unwrap_or(u32::MAX) | LAST;
        to.clear();
        to.extend_from_slice(&mark.to_be_bytes());
        pack(&message, to)
    }
}

fn pack(what: &impl Pack, to: &mut Vec<u8>) -> Result<(), Fault> {
    what.pack(to).map(drop).map_err(|error| Fault::nonsense(error.to_string()))
}

/// Numbers of calls have 32 bits on the wire.
fn number(next: &mut u64) -> (u64, u32) {
    let number = *next & u64::from(u32::MAX);
    *next = next.wrapping_add(1);
    (number, number as u32)
}

/// Calls one procedure and waits for its answer.
pub(super) fn call<R: Unpack>(
    line: &Line<Rpc>,
    procedure: NFS_PROGRAM,
    arguments: &impl Pack,
    patience: Duration,
) -> Result<R, Fault> {
    let number = {
        let mut out = line.begin(0)?;
        let (number, xid) = number(&mut out.next_number);
        let mut message = std::mem::take(&mut out.scratch);
        line.speech.head(&mut message, xid, procedure, arguments.packed_size())?;
        pack(arguments, &mut message)?;
        out.scratch = message;
        line.desk.lock().expect_call(number, NO_CHARGE);
        line.send_scratch(&mut out, 1)?;
        number
    };
    let reply = line.wait(Deadline::after(patience), None, |state, _| state.take_answer(number));
    if reply.is_err() {
        line.desk.lock().forget_calls([number].into_iter());
    }
    unpack(accepted(&reply?)?)
}

fn unpack<R: Unpack>(mut from: &[u8]) -> Result<R, Fault> {
    R::unpack(&mut from).map(|(result, _)| result).map_err(|error| Fault::nonsense(error.to_string()))
}

/// What stands behind the head of a reply that the server accepted.
fn accepted(reply: &[u8]) -> Result<&[u8], Fault> {
    let mut rest = reply;
    let message = rpc_msg::unpack(&mut rest).map_err(|error| Fault::nonsense(error.to_string()))?.0;
    match message.body {
        msg_body::REPLY(reply_body::MSG_ACCEPTED(accepted)) => match accepted.reply_data {
            accept_stat_data::SUCCESS => Ok(rest),
            other => Err(Fault::new(
                crate::Trouble::NotSupported,
                format!("the server refuses the call: {other:?}"),
            )),
        },
        msg_body::REPLY(reply_body::MSG_DENIED(denied)) => Err(Fault::new(
            crate::Trouble::LogOn,
            format!("the server does not accept who calls: {denied:?}"),
        )),
        msg_body::CALL(_) => Err(Fault::nonsense("it is a call")),
    }
}

/// Sends a READ; `expect` enters it at the desk.
pub(super) fn send_read(
    line: &Line<Rpc>,
    file: &nfs_fh3,
    offset: u64,
    length: usize,
    expect: impl FnOnce(&mut crate::wire::desk::State, u64),
) -> Result<u64, Fault> {
    let count = u32::try_from(length).unwrap_or(u32::MAX);
    let arguments = READ3args { file: file.clone(), offset, count };
    let mut out = line.begin(0)?;
    let (number, xid) = number(&mut out.next_number);
    let mut message = std::mem::take(&mut out.scratch);
    line.speech.head(&mut message, xid, NFS_PROGRAM::NFSPROC3_READ, arguments.packed_size())?;
    pack(&arguments, &mut message)?;
    out.scratch = message;
    expect(&mut line.desk.lock(), number);
    line.send_scratch(&mut out, 1)?;
    Ok(number)
}

/// Sends a WRITE that need not be durable yet.
pub(super) fn send_write(
    line: &Line<Rpc>,
    file: &nfs_fh3,
    offset: u64,
    data: &[u8],
    expect: impl FnOnce(&mut crate::wire::desk::State, u64),
) -> Result<(), Fault> {
    let count = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let padding = data.len().next_multiple_of(4) - data.len();
    let mut out = line.begin(0)?;
    let (number, xid) = number(&mut out.next_number);
    let mut message = std::mem::take(&mut out.scratch);
    // WRITE3args: handle, offset, count, stable, and the payload's length before it.
    let fixed = file.packed_size() + 8 + 4 + 4 + 4;
    line.speech.head(&mut message, xid, NFS_PROGRAM::NFSPROC3_WRITE, fixed + data.len() + padding)?;
    pack(file, &mut message)?;
    pack(&offset, &mut message)?;
    pack(&count, &mut message)?;
    pack(&(stable_how::UNSTABLE as u32), &mut message)?;
    pack(&count, &mut message)?;
    expect(&mut line.desk.lock(), number);
    let sent = if padding == 0 {
        line.send(&mut out, 1, &message, data)
    } else {
        message.extend_from_slice(data);
        message.resize(message.len() + padding, 0);
        line.send(&mut out, 1, &message, &[])
    };
    out.scratch = message;
    sent
}

/// Reads once into `buffer`, no more than the server gives at once.
pub(super) fn read_once(
    line: &Line<Rpc>,
    file: &nfs_fh3,
    offset: u64,
    buffer: &mut [u8],
    patience: Duration,
) -> Result<usize, Fault> {
    let number =
        send_read(line, file, offset, buffer.len(), |state, number| state.expect_call(number, NO_CHARGE))?;
    let mut direct = Direct { number, buffer, moved: None };
    let read = line.wait(Deadline::after(patience), Some(&mut direct), |state, direct| {
        let direct = direct?;
        if let Some(moved) = direct.moved.take() {
            return Some(moved);
        }
        let reply = state.take_answer(direct.number)?;
        Some(payload(&reply, direct.buffer))
    });
    if read.is_err() {
        line.desk.lock().forget_calls([number].into_iter());
    }
    read?
}

/// Writes once; how many bytes the server took.
pub(super) fn write_once(
    line: &Line<Rpc>,
    file: &nfs_fh3,
    offset: u64,
    data: &[u8],
    patience: Duration,
) -> Result<usize, Fault> {
    let mut numbered = 0;
    send_write(line, file, offset, data, |state, number| {
        numbered = number;
        state.expect_call(number, NO_CHARGE);
    })?;
    let reply = line.wait(Deadline::after(patience), None, |state, _| state.take_answer(numbered));
    if reply.is_err() {
        line.desk.lock().forget_calls([numbered].into_iter());
    }
    line.speech.written(&reply?)
}

/// Where the payload of a successful READ begins in a reply, and how long it is.
fn payload_at(reply: &[u8]) -> Option<(usize, usize)> {
    let word = |at: usize| Some(u32::from_be_bytes(reply.get(at..at + 4)?.try_into().ok()?));
    // A reply, accepted; the verifier; success.
    if (word(4)?, word(8)?) != (1, 0) {
        return None;
    }
    let at = 20 + (word(16)? as usize).checked_next_multiple_of(4)?;
    // Success again, now of NFS; attributes, which may be missing and are 84 bytes long; count, end of file, length.
    if (word(at)?, word(at + 4)?) != (0, 0) {
        return None;
    }
    let at = at + 12 + if word(at + 8)? == 0 { 0 } else { 84 };
    Some((at + 12, word(at + 8)? as usize))
}

/// Copies the payload of a whole reply.
fn payload(reply: &[u8], to: &mut [u8]) -> Result<usize, Fault> {
    if let Some((at, length)) = payload_at(reply) {
        let from = reply.get(at..at.saturating_add(length)).ok_or_else(too_much)?;
        to.get_mut(..length).ok_or_else(too_much)?.copy_from_slice(from);
        return Ok(length);
    }
    let result = accepted(reply)?;
    let code = result.get(..4).ok_or_else(too_much)?;
    let status = unpack(code)?;
    Err(status::fault(status))
}

fn too_much() -> Fault {
    Fault::nonsense("the payload of a read does not fit")
}

impl Rpc {
    /// Bytes that a reply to WRITE says were taken.
    fn written(&self, reply: &[u8]) -> Result<usize, Fault> {
        let done = status::done(unpack::<WRITE3res>(accepted(reply)?)?)?;
        self.verify(done.verf.0);
        if done.committed != stable_how::FILE_SYNC {
            self.unstable.store(true, Ordering::Relaxed);
        }
        Ok(done.count as usize)
    }

    /// The rest of a message that began with one piece and may go on with more.
    fn whole(inlet: &mut Inlet, first: u32) -> Result<Vec<u8>, Fault> {
        let mut message = Vec::new();
        let mut mark = first;
        loop {
            let from = message.len();
            let piece = (mark & !LAST) as usize;
            if from + piece > LONGEST {
                return Err(Fault::nonsense(format!("a message of more than {LONGEST} bytes")));
            }
            message.resize(from + piece, 0);
            inlet.exactly(&mut message[from..])?;
            if mark & LAST != 0 {
                return Ok(message);
            }
            let mut next = [0; MARK];
            inlet.exactly(&mut next)?;
            mark = u32::from_be_bytes(next);
        }
    }
}

impl Speech for Rpc {
    fn receive(
        &self,
        inlet: &mut Inlet,
        desk: &Desk,
        by: Deadline,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<bool, Fault> {
        if !inlet.stage(MARK, by)? {
            return Ok(false);
        }
        let mark = inlet.staged().first_chunk::<MARK>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        let length = (mark & !LAST) as usize;
        if mark & LAST == 0 || length < 8 {
            inlet.consume(MARK);
            let message = Rpc::whole(inlet, mark)?;
            return self.give(desk, message, direct).map(|()| true);
        }
        if !inlet.stage(MARK + length.min(ENOUGH), by)? {
            return Ok(false);
        }
        let head = &inlet.staged()[MARK..];
        let head = &head[..head.len().min(length)];
        let xid = head.first_chunk::<4>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        let fits = payload_at(head).filter(|(at, payload)| at.saturating_add(*payload) <= length);
        if fits.is_some_and(|(at, _)| at <= head.len()) && desk.lock().is_read(xid.into(), direct.as_deref())
        {
            let (at, payload) = fits.unwrap_or_default();
            inlet.consume(MARK + at);
            match (desk.claim(xid.into(), NO_CHARGE), direct) {
                (Claim::Part { job, at, length, block: Some(mut block), .. }, _) => {
                    if payload > length {
                        return Err(too_much());
                    }
                    inlet.exactly(&mut block.bytes_mut()[at..at + payload])?;
                    desk.settle(job, at, length, Some(block), Ok(payload));
                }
                (_, Some(direct)) => {
                    inlet.exactly(direct.buffer.get_mut(..payload).ok_or_else(too_much)?)?;
                    direct.moved = Some(Ok(payload));
                }
                _ => inlet.skip(payload)?,
            }
            inlet.skip(length - at - payload)?;
            return Ok(true);
        }
        inlet.consume(MARK);
        let message = Rpc::whole(inlet, mark)?;
        self.give(desk, message, direct).map(|()| true)
    }
}

impl Rpc {
    fn give(&self, desk: &Desk, message: Vec<u8>, direct: Option<&mut Direct<'_>>) -> Result<(), Fault> {
        let Some(xid) = message.first_chunk::<4>() else { return Err(Fault::nonsense("it is too short")) };
        let number = u64::from(u32::from_be_bytes(*xid));
        match desk.claim(number, NO_CHARGE) {
            Claim::Nobody => {}
            Claim::Answer => match direct {
                Some(direct) if direct.number == number => {
                    direct.moved = Some(payload(&message, direct.buffer));
                }
                _ => desk.answer(number, message),
            },
            Claim::Part { job, at, length, write, mut block } => {
                let moved = match &mut block {
                    _ if write => self.written(&message),
                    Some(block) => payload(&message, &mut block.bytes_mut()[at..at + length]),
                    None => Err(too_much()),
                };
                desk.settle(job, at, length, block, moved);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::Trouble;
    use nfs3_client::nfs3_types::nfs3::{
        Nfs3Option, Nfs3Result, READ3res, READ3resfail, READ3resok, fattr3, ftype3, nfsstat3,
    };
    use nfs3_client::nfs3_types::nfs3::{nfstime3, specdata3};
    use nfs3_client::nfs3_types::rpc::accepted_reply;
    use nfs3_client::nfs3_types::xdr_codec::Opaque;

    fn reply(result: &READ3res<'_>) -> Vec<u8> {
        let accepted = accepted_reply { verf: opaque_auth::default(), reply_data: accept_stat_data::SUCCESS };
        let head = rpc_msg { xid: 9, body: msg_body::REPLY(reply_body::MSG_ACCEPTED(accepted)) };
        let mut bytes = Vec::new();
        head.pack(&mut bytes).unwrap();
        result.pack(&mut bytes).unwrap();
        bytes
    }

    fn attributes() -> fattr3 {
        let time = nfstime3 { seconds: 1, nseconds: 2 };
        fattr3 {
            type_: ftype3::NF3REG,
            mode: 0o644,
            nlink: 1,
            uid: 0,
            gid: 0,
            size: 5,
            used: 4096,
            rdev: specdata3::default(),
            fsid: 1,
            fileid: 2,
            atime: time,
            mtime: time,
            ctime: time,
        }
    }

    #[test]
    fn the_payload_of_a_read_is_found_with_attributes_and_without() {
        for file_attributes in [Nfs3Option::None, Nfs3Option::Some(attributes())] {
            let data = Opaque::borrowed(b"hello");
            let bytes = reply(&Nfs3Result::Ok(READ3resok { file_attributes, count: 5, eof: true, data }));
            let mut to = [0; 8];
            assert_eq!(payload(&bytes, &mut to).unwrap(), 5);
            assert_eq!(&to[..5], b"hello");
            assert!(payload(&bytes, &mut to[..3]).is_err(), "more than was asked for");
            assert!(payload(&bytes[..bytes.len() - 6], &mut to).is_err(), "cut short");
        }
    }

    #[test]
    fn a_read_that_the_server_refused_says_why() {
        let refused = Nfs3Result::Err((nfsstat3::NFS3ERR_ISDIR, READ3resfail::default()));
        assert_eq!(payload(&reply(&refused), &mut [0; 8]).unwrap_err().trouble, Trouble::IsFolder);
    }

    #[test]
    fn another_verifier_means_that_the_server_has_restarted() {
        let rpc = Rpc::new(opaque_auth::default());
        rpc.verify([1; 8]);
        rpc.verify([1; 8]);
        assert!(!rpc.has_restarted());
        rpc.verify([2; 8]);
        assert!(rpc.has_restarted());
        assert!(!rpc.has_restarted());
    }
}
