//! Reads replies and delivers them to their callers (MS-SMB2 3.2.5.1).

use super::deadline::Deadline;
use super::incoming::MessageReader;
use super::message::{FRAME_PREFIX_BYTES, HEADER_BYTES, READ_RESPONSE_BYTES, ReplyHeader, read_u32_at};
use super::pending::{ReplyOwner, SharedPendingRequests};
use super::session::SmbSession;
use super::status;
use crate::operation_error::OperationError;
use goodput_words::message;

/// 24 bits of length (MS-SMB2 2.1).
pub(super) const MESSAGE_LENGTH_LIMIT: usize = 1 << 24;
/// The command whose replies carry payload.
const READ: u16 = 8;
const END_OF_FILE: u32 = 0xC000_0011;

/// A read by the thread that also reads replies: its payload needs no copy.
pub(super) struct ZeroCopyRead<'a> {
    pub(super) number: u64,
    pub(super) buffer: &'a mut [u8],
    pub(super) moved: Option<Result<usize, OperationError>>,
}

impl SmbSession {
    fn take(
        &self,
        pending: &SharedPendingRequests,
        frame: &[u8],
        decrypted: bool,
        direct: Option<&mut ZeroCopyRead<'_>>,
    ) -> Result<(), OperationError> {
        let (mut rest, mut direct) = (frame, direct);
        loop {
            let seen = ReplyHeader::parse(rest)
                .ok_or_else(|| OperationError::protocol_violation("it is no SMB message"))?;
            let whole = if seen.next == 0 { rest.len() } else { seen.next };
            if whole < HEADER_BYTES || whole > rest.len() {
                return Err(OperationError::protocol_violation("the parts of a compound do not fit"));
            }
            self.give(pending, &rest[..whole], seen, decrypted, direct.as_deref_mut())?;
            if seen.next == 0 {
                return Ok(());
            }
            rest = &rest[whole..];
        }
    }

    fn give(
        &self,
        pending: &SharedPendingRequests,
        reply: &[u8],
        seen: ReplyHeader,
        decrypted: bool,
        direct: Option<&mut ZeroCopyRead<'_>>,
    ) -> Result<(), OperationError> {
        if seen.is_unsolicited() {
            return Ok(());
        }
        if seen.is_interim() {
            pending.add_credits(seen.credits);
            return Ok(());
        }
        self.protection.verify_protection(reply, seen.number, decrypted)?;
        match pending.claim_reply(seen.number, seen.credits) {
            ReplyOwner::Nobody => {}
            ReplyOwner::Answer => match direct {
                Some(direct) if direct.number == seen.number => {
                    direct.moved = Some(copy_read_payload(reply, direct.buffer));
                }
                _ => pending.store_reply(seen.number, reply.to_vec()),
            },
            ReplyOwner::Part { job, at, length, write, mut block } => {
                let moved = match &mut block {
                    _ if write => parse_written_bytes(reply, length),
                    Some(block) => copy_read_payload(reply, &mut block.bytes_mut()[at..at + length]),
                    None => Err(too_much()),
                };
                pending.finish_job_request(job, at, length, block, moved);
            }
        }
        Ok(())
    }

    /// Receives the payload of an unencrypted READ reply directly into its target. False for other messages.
    fn straight(
        &self,
        incoming: &mut MessageReader,
        pending: &SharedPendingRequests,
        seen: ReplyHeader,
        length: usize,
        direct: Option<&mut ZeroCopyRead<'_>>,
    ) -> Result<bool, OperationError> {
        let staged = &incoming.buffered_bytes()[FRAME_PREFIX_BYTES..];
        let (at, payload) = (
            usize::from(staged[HEADER_BYTES + 2]),
            read_u32_at(staged, HEADER_BYTES + 4).unwrap_or(0) as usize,
        );
        if at < READ_RESPONSE_BYTES || at + payload > length {
            return Ok(false);
        }
        let tail = length - at - payload;
        incoming.consume(FRAME_PREFIX_BYTES + READ_RESPONSE_BYTES);
        incoming.skip_bytes(at - READ_RESPONSE_BYTES)?;
        match (pending.claim_reply(seen.number, seen.credits), direct) {
            (ReplyOwner::Answer, Some(direct)) if direct.number == seen.number => {
                let Some(target) = direct.buffer.get_mut(..payload) else { return Err(too_much()) };
                incoming.read_exact(target)?;
                direct.moved = Some(Ok(payload));
            }
            (ReplyOwner::Part { job, at, length, block: Some(mut block), write: false }, _) => {
                let Some(target) = (payload <= length).then(|| &mut block.bytes_mut()[at..at + payload])
                else {
                    return Err(too_much());
                };
                incoming.read_exact(target)?;
                pending.finish_job_request(job, at, length, Some(block), Ok(payload));
            }
            (ReplyOwner::Answer, _) => {
                let mut reply = vec![0; READ_RESPONSE_BYTES + payload];
                reply[HEADER_BYTES + 2] = READ_RESPONSE_BYTES as u8;
                reply[HEADER_BYTES + 4..HEADER_BYTES + 8].copy_from_slice(&(payload as u32).to_le_bytes());
                incoming.read_exact(&mut reply[READ_RESPONSE_BYTES..])?;
                pending.store_reply(seen.number, reply);
            }
            (ReplyOwner::Part { .. }, _) => {
                return Err(OperationError::protocol_violation("it answers a write as if it were a read"));
            }
            (ReplyOwner::Nobody, _) => incoming.skip_bytes(payload)?,
        }
        incoming.skip_bytes(tail)?;
        Ok(true)
    }
}

impl SmbSession {
    /// Delivers one message. False if none begins before the deadline; an error makes it unusable.
    pub(super) fn receive_message(
        &self,
        incoming: &mut MessageReader,
        pending: &SharedPendingRequests,
        by: Deadline,
        direct: Option<&mut ZeroCopyRead<'_>>,
    ) -> Result<bool, OperationError> {
        if !incoming.wait_for_bytes(FRAME_PREFIX_BYTES, by)? {
            return Ok(false);
        }
        let announced = incoming
            .buffered_bytes()
            .first_chunk::<FRAME_PREFIX_BYTES>()
            .map_or(0, |bytes| u32::from_be_bytes(*bytes));
        let length = announced as usize;
        if !(HEADER_BYTES..MESSAGE_LENGTH_LIMIT).contains(&length) {
            let why = message!(cause_place_announced_length { bytes: length.to_string() });
            return Err(OperationError::protocol_violation(why));
        }
        if !incoming.wait_for_bytes(FRAME_PREFIX_BYTES + length.min(READ_RESPONSE_BYTES), by)? {
            return Ok(false);
        }
        let mut direct = direct;
        if self.protection.is_unprotected()
            && length >= READ_RESPONSE_BYTES
            && let Some(seen) = ReplyHeader::parse(&incoming.buffered_bytes()[FRAME_PREFIX_BYTES..])
            && (seen.command, seen.status, seen.next) == (READ, 0, 0)
            && self.straight(incoming, pending, seen, length, direct.as_deref_mut())?
        {
            return Ok(true);
        }
        incoming.consume(FRAME_PREFIX_BYTES);
        let mut frame = vec![0; length];
        incoming.read_exact(&mut frame)?;
        let encrypted = frame.starts_with(b"\xFDSMB");
        if encrypted {
            frame = self.protection.decrypt_message(&frame)?;
        }
        self.take(pending, &frame, encrypted, direct)?;
        Ok(true)
    }
}

pub(super) fn check_reply_status(reply: &[u8]) -> Result<&[u8], OperationError> {
    let seen = ReplyHeader::parse(reply)
        .ok_or_else(|| OperationError::protocol_violation("it is no SMB message"))?;
    if seen.status == 0 { Ok(&reply[HEADER_BYTES..]) } else { Err(status::error_from_status(seen.status)) }
}

/// The payload of a READ reply; empty at the end of the file.
fn payload_of(reply: &[u8]) -> Result<&[u8], OperationError> {
    if let Some(seen) = ReplyHeader::parse(reply)
        && seen.status != 0
    {
        return if seen.status == END_OF_FILE {
            Ok(&[])
        } else {
            Err(status::error_from_status(seen.status))
        };
    }
    let at = reply.get(HEADER_BYTES + 2).map(|at| usize::from(*at));
    let length = read_u32_at(reply, HEADER_BYTES + 4).map(|length| length as usize);
    at.zip(length)
        // Header and fixed part are no payload; without payload some servers give no offset.
        .filter(|(at, length)| *at >= READ_RESPONSE_BYTES || *length == 0)
        .and_then(|(at, length)| reply.get(at..at.checked_add(length)?))
        .ok_or_else(|| OperationError::protocol_violation("the payload of a read does not fit"))
}

pub(super) fn copy_read_payload(reply: &[u8], to: &mut [u8]) -> Result<usize, OperationError> {
    let payload = payload_of(reply)?;
    to.get_mut(..payload.len()).ok_or_else(too_much)?.copy_from_slice(payload);
    Ok(payload.len())
}

/// Bytes accepted by a WRITE reply, at most the `sent` ones.
pub(super) fn parse_written_bytes(reply: &[u8], sent: usize) -> Result<usize, OperationError> {
    let body = check_reply_status(reply)?;
    match read_u32_at(body, 4).map(|count| count as usize) {
        Some(count) if count <= sent => Ok(count),
        Some(count) => Err(OperationError::overstated_write(count, sent)),
        None => Err(OperationError::protocol_violation("a write without a count")),
    }
}

fn too_much() -> OperationError {
    OperationError::protocol_violation("it holds more bytes than were asked for")
}
