//! Listening: giving replies to whom they belong, and the payload of a READ to its buffer (RFC 1813, 3.3.6).

use super::rpc::{LAST, NO_CHARGE, Rpc, accepted, unpack};
use super::status;
use crate::wire::{Claim, Deadline, Desk, Direct, Fault, Inlet, Speech};
use nfs3_client::nfs3_types::nfs3::WRITE3res;

/// Length of the mark before a message.
const MARK: usize = 4;
/// Of a reply to READ everything before its payload, and more.
const ENOUGH: usize = 256;
/// No message of a server's is longer.
const LONGEST: usize = 64 << 20;

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
pub(super) fn payload(reply: &[u8], to: &mut [u8]) -> Result<usize, Fault> {
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
    pub(super) fn written(&self, reply: &[u8]) -> Result<usize, Fault> {
        let done = status::done(unpack::<WRITE3res>(accepted(reply)?)?)?;
        self.verify(done.verf.0);
        self.kept(done.committed);
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
    use nfs3_client::nfs3_types::rpc::{
        accept_stat_data, accepted_reply, msg_body, opaque_auth, reply_body, rpc_msg,
    };
    use nfs3_client::nfs3_types::xdr_codec::Opaque;
    use nfs3_client::nfs3_types::xdr_codec::Pack;

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
