//! Reads replies and delivers them to their callers (MS-SMB2 3.2.5.1).

use super::deadline::Deadline;
use super::incoming::Incoming;
use super::message::{FRAME, HEADER, READ_RESPONSE, ReplyHeader, u32_at};
use super::pending::{Claim, Pending};
use super::session::Session;
use super::status;
use crate::fault::Fault;

/// 24 bits of length (MS-SMB2 2.1).
pub(super) const LONGEST: usize = 1 << 24;
/// The command whose replies carry payload.
const READ: u16 = 8;
const END_OF_FILE: u32 = 0xC000_0011;

/// A read by the thread that also reads replies: its payload needs no copy.
pub(super) struct Direct<'a> {
    pub(super) number: u64,
    pub(super) buffer: &'a mut [u8],
    pub(super) moved: Option<Result<usize, Fault>>,
}

impl Session {
    fn take(&self, pending: &Pending, frame: &[u8], direct: Option<&mut Direct<'_>>) -> Result<(), Fault> {
        let (mut rest, mut direct) = (frame, direct);
        loop {
            let seen = ReplyHeader::of(rest).ok_or_else(|| Fault::nonsense("it is no SMB message"))?;
            let whole = if seen.next == 0 { rest.len() } else { seen.next };
            if whole < HEADER || whole > rest.len() {
                return Err(Fault::nonsense("the parts of a compound do not fit"));
            }
            self.give(pending, &rest[..whole], seen, direct.as_deref_mut())?;
            if seen.next == 0 {
                return Ok(());
            }
            rest = &rest[whole..];
        }
    }

    fn give(
        &self,
        pending: &Pending,
        reply: &[u8],
        seen: ReplyHeader,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<(), Fault> {
        if seen.is_unasked() {
            return Ok(());
        }
        if seen.is_interim() {
            pending.granted(seen.credits);
            return Ok(());
        }
        self.protection.check(reply, seen.number)?;
        match pending.claim(seen.number, seen.credits) {
            Claim::Nobody => {}
            Claim::Answer => match direct {
                Some(direct) if direct.number == seen.number => {
                    direct.moved = Some(copy_payload(reply, direct.buffer));
                }
                _ => pending.answer(seen.number, reply.to_vec()),
            },
            Claim::Part { job, at, length, write, mut block } => {
                let moved = match &mut block {
                    _ if write => written_of(reply),
                    Some(block) => copy_payload(reply, &mut block.bytes_mut()[at..at + length]),
                    None => Err(too_much()),
                };
                pending.settle(job, at, length, block, moved);
            }
        }
        Ok(())
    }

    /// Receives the payload of an unencrypted READ reply directly into its target. False for other messages.
    fn straight(
        &self,
        incoming: &mut Incoming,
        pending: &Pending,
        seen: ReplyHeader,
        length: usize,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<bool, Fault> {
        let staged = &incoming.staged()[FRAME..];
        let (at, payload) =
            (usize::from(staged[HEADER + 2]), u32_at(staged, HEADER + 4).unwrap_or(0) as usize);
        if at < READ_RESPONSE || at + payload > length {
            return Ok(false);
        }
        let tail = length - at - payload;
        incoming.consume(FRAME + READ_RESPONSE);
        incoming.skip(at - READ_RESPONSE)?;
        match (pending.claim(seen.number, seen.credits), direct) {
            (Claim::Answer, Some(direct)) if direct.number == seen.number => {
                let Some(target) = direct.buffer.get_mut(..payload) else { return Err(too_much()) };
                incoming.exactly(target)?;
                direct.moved = Some(Ok(payload));
            }
            (Claim::Part { job, at, length, block: Some(mut block), write: false }, _) => {
                let Some(target) = (payload <= length).then(|| &mut block.bytes_mut()[at..at + payload])
                else {
                    return Err(too_much());
                };
                incoming.exactly(target)?;
                pending.settle(job, at, length, Some(block), Ok(payload));
            }
            (Claim::Answer, _) => {
                let mut reply = vec![0; READ_RESPONSE + payload];
                reply[HEADER + 2] = READ_RESPONSE as u8;
                reply[HEADER + 4..HEADER + 8].copy_from_slice(&(payload as u32).to_le_bytes());
                incoming.exactly(&mut reply[READ_RESPONSE..])?;
                pending.answer(seen.number, reply);
            }
            (Claim::Part { .. } | Claim::Nobody, _) => incoming.skip(payload)?,
        }
        incoming.skip(tail)?;
        Ok(true)
    }
}

impl Session {
    /// Reads and delivers one message. False if none begins before the deadline; an error makes the
    /// connection unusable.
    pub(super) fn receive(
        &self,
        incoming: &mut Incoming,
        pending: &Pending,
        by: Deadline,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<bool, Fault> {
        if !incoming.stage(FRAME, by)? {
            return Ok(false);
        }
        let announced =
            incoming.staged().first_chunk::<FRAME>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        let length = announced as usize;
        if !(HEADER..LONGEST).contains(&length) {
            return Err(Fault::nonsense(format!("it is announced with {length} bytes")));
        }
        if !incoming.stage(FRAME + length.min(READ_RESPONSE), by)? {
            return Ok(false);
        }
        let mut direct = direct;
        if self.protection.is_open()
            && length >= READ_RESPONSE
            && let Some(seen) = ReplyHeader::of(&incoming.staged()[FRAME..])
            && (seen.command, seen.status, seen.next) == (READ, 0, 0)
            && self.straight(incoming, pending, seen, length, direct.as_deref_mut())?
        {
            return Ok(true);
        }
        incoming.consume(FRAME);
        let mut frame = vec![0; length];
        incoming.exactly(&mut frame)?;
        if frame.starts_with(b"\xFDSMB") {
            frame = self.protection.unwrap(&frame)?;
        }
        self.take(pending, &frame, direct)?;
        Ok(true)
    }
}

pub(super) fn succeeded(reply: &[u8]) -> Result<&[u8], Fault> {
    let seen = ReplyHeader::of(reply).ok_or_else(|| Fault::nonsense("it is no SMB message"))?;
    if seen.status == 0 { Ok(&reply[HEADER..]) } else { Err(status::fault(seen.status)) }
}

/// The payload of a READ reply; empty at the end of the file.
fn payload_of(reply: &[u8]) -> Result<&[u8], Fault> {
    if let Some(seen) = ReplyHeader::of(reply)
        && seen.status != 0
    {
        return if seen.status == END_OF_FILE { Ok(&[]) } else { Err(status::fault(seen.status)) };
    }
    let at = reply.get(HEADER + 2).map(|at| usize::from(*at));
    let length = u32_at(reply, HEADER + 4).map(|length| length as usize);
    at.zip(length)
        .and_then(|(at, length)| reply.get(at..at.checked_add(length)?))
        .ok_or_else(|| Fault::nonsense("the payload of a read does not fit"))
}

pub(super) fn copy_payload(reply: &[u8], to: &mut [u8]) -> Result<usize, Fault> {
    let payload = payload_of(reply)?;
    to.get_mut(..payload.len()).ok_or_else(too_much)?.copy_from_slice(payload);
    Ok(payload.len())
}

/// Bytes accepted by a WRITE reply.
pub(super) fn written_of(reply: &[u8]) -> Result<usize, Fault> {
    let body = succeeded(reply)?;
    u32_at(body, 4).map(|count| count as usize).ok_or_else(|| Fault::nonsense("a write without a count"))
}

fn too_much() -> Fault {
    Fault::nonsense("it holds more bytes than were asked for")
}
