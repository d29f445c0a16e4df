//! Remote procedure calls over TCP (RFC 5531), several under way on one connection, and the two NFS calls that carry
//! payload (RFC 1813, 3.3.6 and 3.3.7).

use super::receive::payload;
use crate::wire::desk::State;
use crate::wire::{Deadline, Direct, Fault, Line};
use nfs3_client::nfs3_types::nfs3::{NFS_PROGRAM, PROGRAM, READ3args, VERSION, nfs_fh3, stable_how};
use nfs3_client::nfs3_types::rpc::{
    RPC_VERSION_2, accept_stat_data, call_body, msg_body, opaque_auth, reply_body, rpc_msg,
};
use nfs3_client::nfs3_types::xdr_codec::{Pack, Unpack};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Of the mark before a message, the bit "this is the last piece" (RFC 5531, 11).
pub(super) const LAST: u32 = 0x8000_0000;
/// There are no credits: a lane's depth bounds what is under way.
pub(super) const CREDITS: u32 = u32::MAX / 2;
pub(super) const NO_CHARGE: u16 = 0;

/// How NFS is spoken on a connection.
pub(super) struct Rpc {
    credential: opaque_auth<'static>,
    /// What the server calls its present life; written data that was not committed is lost when it begins another
    /// one.
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

    /// Notes how durable a write is.
    pub(super) fn kept(&self, how: stable_how) {
        if how != stable_how::FILE_SYNC {
            self.unstable.store(true, Ordering::Relaxed);
        }
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

pub(super) fn unpack<R: Unpack>(mut from: &[u8]) -> Result<R, Fault> {
    R::unpack(&mut from).map(|(result, _)| result).map_err(|error| Fault::nonsense(error.to_string()))
}

/// What stands behind the head of a reply that the server accepted.
pub(super) fn accepted(reply: &[u8]) -> Result<&[u8], Fault> {
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
    expect: impl FnOnce(&mut State, u64),
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
    expect: impl FnOnce(&mut State, u64),
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
