//! Listening on a session: giving replies to whom they belong (MS-SMB2 3.2.5.1).

use super::message::{FRAME, HEADER, READ_RESPONSE, Seen, u32_at};
use super::send::Talk;
use super::status;
use crate::wire::{Claim, Deadline, Desk, Direct, Fault, Inlet, Speech};

/// No message of a server's is longer: 24 bits of length (MS-SMB2 2.1).
pub(super) const LONGEST: usize = 1 << 24;
/// The command whose replies carry payload.
const READ: u16 = 8;
const END_OF_FILE: u32 = 0xC000_0011;

impl Talk {
    fn take(&self, desk: &Desk, frame: &[u8], direct: Option<&mut Direct<'_>>) -> Result<(), Fault> {
        let (mut rest, mut direct) = (frame, direct);
        loop {
            let seen = Seen::of(rest).ok_or_else(|| Fault::nonsense("it is no SMB message"))?;
            let whole = if seen.next == 0 { rest.len() } else { seen.next };
            if whole < HEADER || whole > rest.len() {
                return Err(Fault::nonsense("the parts of a compound do not fit"));
            }
            self.give(desk, &rest[..whole], seen, direct.as_deref_mut())?;
            if seen.next == 0 {
                return Ok(());
            }
            rest = &rest[whole..];
        }
    }

    fn give(
        &self,
        desk: &Desk,
        reply: &[u8],
        seen: Seen,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<(), Fault> {
        if seen.is_unasked() {
            return Ok(());
        }
        if seen.is_interim() {
            desk.granted(seen.credits);
            return Ok(());
        }
        self.seal.check(reply, seen.number)?;
        match desk.claim(seen.number, seen.credits) {
            Claim::Nobody => {}
            Claim::Answer => match direct {
                Some(direct) if direct.number == seen.number => {
                    direct.moved = Some(copy_payload(reply, direct.buffer));
                }
                _ => desk.answer(seen.number, reply.to_vec()),
            },
            Claim::Part { job, at, length, write, mut block } => {
                let moved = match &mut block {
                    _ if write => written_of(reply),
                    Some(block) => copy_payload(reply, &mut block.bytes_mut()[at..at + length]),
                    None => Err(too_much()),
                };
                desk.settle(job, at, length, block, moved);
            }
        }
        Ok(())
    }

    /// The payload of a plain reply to a READ, straight to where it belongs. False when it is another case.
    fn straight(
        &self,
        inlet: &mut Inlet,
        desk: &Desk,
        seen: Seen,
        length: usize,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<bool, Fault> {
        let staged = &inlet.staged()[FRAME..];
        let (at, payload) =
            (usize::from(staged[HEADER + 2]), u32_at(staged, HEADER + 4).unwrap_or(0) as usize);
        if at < READ_RESPONSE || at + payload > length {
            return Ok(false);
        }
        let tail = length - at - payload;
        inlet.consume(FRAME + READ_RESPONSE);
        inlet.skip(at - READ_RESPONSE)?;
        match (desk.claim(seen.number, seen.credits), direct) {
            (Claim::Answer, Some(direct)) if direct.number == seen.number => {
                let Some(target) = direct.buffer.get_mut(..payload) else { return Err(too_much()) };
                inlet.exactly(target)?;
                direct.moved = Some(Ok(payload));
            }
            (Claim::Part { job, at, length, block: Some(mut block), write: false }, _) => {
                let Some(target) = (payload <= length).then(|| &mut block.bytes_mut()[at..at + payload])
                else {
                    return Err(too_much());
                };
                inlet.exactly(target)?;
                desk.settle(job, at, length, Some(block), Ok(payload));
            }
            (Claim::Answer, _) => {
                // For a caller who sleeps: kept as a reply without padding.
                let mut reply = vec![0; READ_RESPONSE + payload];
                reply[HEADER + 2] = READ_RESPONSE as u8;
                reply[HEADER + 4..HEADER + 8].copy_from_slice(&(payload as u32).to_le_bytes());
                inlet.exactly(&mut reply[READ_RESPONSE..])?;
                desk.answer(seen.number, reply);
            }
            (Claim::Part { .. } | Claim::Nobody, _) => inlet.skip(payload)?,
        }
        inlet.skip(tail)?;
        Ok(true)
    }
}

impl Speech for Talk {
    fn receive(
        &self,
        inlet: &mut Inlet,
        desk: &Desk,
        by: Deadline,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<bool, Fault> {
        if !inlet.stage(FRAME, by)? {
            return Ok(false);
        }
        let announced = inlet.staged().first_chunk::<FRAME>().map_or(0, |bytes| u32::from_be_bytes(*bytes));
        let length = announced as usize;
        if !(HEADER..LONGEST).contains(&length) {
            return Err(Fault::nonsense(format!("it is announced with {length} bytes")));
        }
        if !inlet.stage(FRAME + length.min(READ_RESPONSE), by)? {
            return Ok(false);
        }
        let mut direct = direct;
        if self.seal.is_open()
            && length >= READ_RESPONSE
            && let Some(seen) = Seen::of(&inlet.staged()[FRAME..])
            && (seen.command, seen.status, seen.next) == (READ, 0, 0)
            && self.straight(inlet, desk, seen, length, direct.as_deref_mut())?
        {
            return Ok(true);
        }
        inlet.consume(FRAME);
        let mut frame = vec![0; length];
        inlet.exactly(&mut frame)?;
        if frame.starts_with(b"\xFDSMB") {
            frame = self.seal.unwrap(&frame)?;
        }
        self.take(desk, &frame, direct)?;
        Ok(true)
    }
}

/// The status of a reply, where it is no success.
pub(super) fn succeeded(reply: &[u8]) -> Result<&[u8], Fault> {
    let seen = Seen::of(reply).ok_or_else(|| Fault::nonsense("it is no SMB message"))?;
    if seen.status == 0 { Ok(&reply[HEADER..]) } else { Err(status::fault(seen.status)) }
}

/// The payload of a reply to a READ; nothing at the end of the file.
fn payload_of(reply: &[u8]) -> Result<&[u8], Fault> {
    if let Some(seen) = Seen::of(reply)
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

/// Copies the payload of a reply to a READ.
pub(super) fn copy_payload(reply: &[u8], to: &mut [u8]) -> Result<usize, Fault> {
    let payload = payload_of(reply)?;
    to.get_mut(..payload.len()).ok_or_else(too_much)?.copy_from_slice(payload);
    Ok(payload.len())
}

/// Bytes that a reply to a WRITE says were taken.
pub(super) fn written_of(reply: &[u8]) -> Result<usize, Fault> {
    let body = succeeded(reply)?;
    u32_at(body, 4).map(|count| count as usize).ok_or_else(|| Fault::nonsense("a write without a count"))
}

fn too_much() -> Fault {
    Fault::nonsense("it holds more bytes than were asked for")
}
