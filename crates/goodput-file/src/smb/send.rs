//! Sends requests: message numbers, credits, compounds (MS-SMB2 3.2.4.1).

use super::connection::{MessageSender, SmbConnection};
use super::deadline::Deadline;
use super::logon::LogonResult;
use super::message::{self, FRAME_PREFIX_BYTES, HEADER_BYTES};
use super::pending::PendingRequestTable;
use super::protection::MessageProtection;
use super::receive::{MESSAGE_LENGTH_LIMIT, ZeroCopyRead, copy_read_payload, parse_written_bytes};
use super::session::{BYTES_PER_CREDIT, SmbSession};
use crate::FileErrorKind;
use crate::operation_error::OperationError;
use crate::tcp::RESPONSE_TIMEOUT;
use smb2::client::Cipher;
use smb2::msg::echo::EchoRequest;
use smb2::types::flags::Capabilities;
use smb2::types::{Command, FileId};
use std::io;
use std::time::Duration;

/// Desired credits: 64 MiB in flight. More only fills buffers.
const CREDIT_REQUEST: u32 = 1024;

pub(super) struct SmbRequest {
    pub(super) command: Command,
    pub(super) body: Vec<u8>,
    pub(super) payload: u32,
}

impl SmbRequest {
    pub(super) fn new(command: Command, body: &dyn smb2::pack::Pack) -> SmbRequest {
        SmbRequest { command, body: message::encode_body(body), payload: 0 }
    }
}

pub(super) fn connection_from_logon(entered: LogonResult) -> Result<SmbConnection, OperationError> {
    let LogonResult { stream, params, session, tree, encrypted, next_number, credits, .. } = entered;
    let id = session.session_id.0;
    let protection = if encrypted {
        let (Some(outward), Some(inward)) = (session.encryption_key, session.decryption_key) else {
            return Err(OperationError::new(
                FileErrorKind::NotSupported,
                "the server wants encryption in a dialect without it",
            ));
        };
        MessageProtection::new_encrypted(outward, inward, params.cipher.unwrap_or(Cipher::Aes128Ccm), id)
    } else if params.signing_required {
        MessageProtection::Signed { key: session.signing_key, algorithm: session.signing_algorithm }
    } else {
        MessageProtection::Open
    };
    let large = params.capabilities.contains(Capabilities::LARGE_MTU);
    let most = |size: u32| {
        if large { size.min((MESSAGE_LENGTH_LIMIT / 2) as u32) } else { size.min(BYTES_PER_CREDIT) }
    };
    let (max_read, max_write) = (most(params.max_read_size), most(params.max_write_size));
    let session = SmbSession { protection, id, tree, large, max_read, max_write };
    let mut connection = SmbConnection::new(stream, session, next_number, u32::from(credits))
        .map_err(|error: io::Error| OperationError::from_socket_error(&error))?;
    earn(&connection)?;
    // At most half of the credits, so that requests overlap.
    let fits = (connection.pending.lock().credits / 2).max(1).saturating_mul(BYTES_PER_CREDIT);
    connection.session.max_read = max_read.min(fits);
    connection.session.max_write = max_write.min(fits);
    Ok(connection)
}

/// Requests credits until there are enough, or no more are granted.
fn earn(connection: &SmbConnection) -> Result<(), OperationError> {
    for _ in 0..16 {
        let before = connection.pending.lock().credits;
        if before >= CREDIT_REQUEST {
            break;
        }
        send_compound_and_wait(
            connection,
            &[SmbRequest::new(Command::Echo, &EchoRequest)],
            RESPONSE_TIMEOUT,
        )?;
        if connection.pending.lock().credits <= before {
            break;
        }
    }
    Ok(())
}

/// Sends a compound of related requests, or a single one, and waits for all replies, with headers.
pub(super) fn send_compound_and_wait(
    connection: &SmbConnection,
    requests: &[SmbRequest],
    patience: Duration,
) -> Result<Vec<Vec<u8>>, OperationError> {
    let first = send_compound(connection, requests)?;
    let numbers = first.iter().copied();
    let by = Deadline::after(patience);
    let replies = connection.receive_replies_until(by, None, |state, _| {
        if !numbers.clone().all(|number| state.has_reply(number)) {
            return None;
        }
        Some(numbers.clone().filter_map(|number| state.take_reply(number)).collect::<Vec<_>>())
    });
    if replies.is_err() {
        connection.pending.lock().abandon_calls(numbers);
    }
    replies
}

fn send_compound(connection: &SmbConnection, requests: &[SmbRequest]) -> Result<Vec<u64>, OperationError> {
    let session = &connection.session;
    let charges: Vec<u16> = requests.iter().map(|ask| session.credit_charge(ask.payload)).collect();
    let mut out =
        connection.lock_sender_with_credits(charges.iter().map(|charge| u32::from(*charge)).sum())?;
    let mut message = std::mem::take(&mut out.scratch);
    message.clear();
    message.resize(FRAME_PREFIX_BYTES, 0);
    let mut numbers = Vec::with_capacity(requests.len());
    for (index, (ask, charge)) in requests.iter().zip(charges).enumerate() {
        let (number, credits) = session.enter(connection, &mut out.next_number, charge, |state, number| {
            state.register_call(number, charge);
        });
        numbers.push(number);
        let last = index + 1 == requests.len();
        let whole = HEADER_BYTES + ask.body.len();
        // All but the last are padded to a multiple of 8 (3.2.4.1.4).
        let padded = if last { whole } else { whole.next_multiple_of(8) };
        let mut head = session.request_header(ask.command, charge, credits, number);
        head.related = index > 0;
        head.next = if last { 0 } else { padded as u32 };
        let from = message.len();
        message.extend_from_slice(&head.encode());
        message.extend_from_slice(&ask.body);
        message.resize(from + padded, 0);
        session.protection.sign_message(&mut message[from..], number)?;
    }
    session.protection.encrypt_message(&mut message, FRAME_PREFIX_BYTES)?;
    let length = (message.len() - FRAME_PREFIX_BYTES) as u32;
    message[..FRAME_PREFIX_BYTES].copy_from_slice(&length.to_be_bytes());
    out.scratch = message;
    connection.send_buffered_requests(&mut out, requests.len() as u64)?;
    Ok(numbers)
}

/// Reads once; `buffer` is within the server's limit.
pub(super) fn read_in_one_request(
    connection: &SmbConnection,
    file: FileId,
    offset: u64,
    buffer: &mut [u8],
    patience: Duration,
) -> Result<usize, OperationError> {
    let session = &connection.session;
    let number = session.send_read(connection, file, offset, buffer.len(), |state, number, charge| {
        state.register_call(number, charge);
    })?;
    let mut direct = ZeroCopyRead { number, buffer, moved: None };
    let read =
        connection.receive_replies_until(Deadline::after(patience), Some(&mut direct), |state, direct| {
            let direct = direct?;
            if let Some(moved) = direct.moved.take() {
                return Some(moved);
            }
            let reply = state.take_reply(direct.number)?;
            Some(copy_read_payload(&reply, direct.buffer))
        });
    if read.is_err() {
        connection.pending.lock().abandon_calls([number].into_iter());
    }
    read?
}

pub(super) fn write_in_one_request(
    connection: &SmbConnection,
    file: FileId,
    offset: u64,
    data: &[u8],
    patience: Duration,
) -> Result<usize, OperationError> {
    let mut numbered = 0;
    connection.session.send_write(connection, file, offset, data, |state, number, charge| {
        numbered = number;
        state.register_call(number, charge);
    })?;
    let reply = connection
        .receive_replies_until(Deadline::after(patience), None, |state, _| state.take_reply(numbered));
    if reply.is_err() {
        connection.pending.lock().abandon_calls([numbered].into_iter());
    }
    parse_written_bytes(&reply?, data.len())
}

impl SmbSession {
    /// Assigns a number, registers the request, and returns the credits to ask for.
    fn enter(
        &self,
        connection: &SmbConnection,
        next_number: &mut u64,
        charge: u16,
        expect: impl FnOnce(&mut PendingRequestTable, u64),
    ) -> (u64, u16) {
        let number = *next_number;
        *next_number += u64::from(charge);
        let mut state = connection.pending.lock();
        let held = state.credits.saturating_add(state.spent);
        expect(&mut state, number);
        let more = CREDIT_REQUEST.saturating_sub(held).min(512) as u16;
        (number, charge.saturating_add(more))
    }

    pub(super) fn send_read(
        &self,
        connection: &SmbConnection,
        file: FileId,
        offset: u64,
        length: usize,
        expect: impl FnOnce(&mut PendingRequestTable, u64, u16),
    ) -> Result<u64, OperationError> {
        let length = u32::try_from(length).unwrap_or(u32::MAX).min(self.max_read);
        let charge = self.credit_charge(length);
        let mut out = connection.lock_sender_with_credits(u32::from(charge))?;
        let (number, ask) = self
            .enter(connection, &mut out.next_number, charge, |state, number| expect(state, number, charge));
        let mut request = message::encode_read_request(
            &self.request_header(Command::Read, charge, ask, number),
            file,
            offset,
            length,
        );
        if self.protection.is_unprotected() {
            connection.send_requests(&mut out, 1, &request, &[])?;
            return Ok(number);
        }
        self.protection.sign_message(&mut request[FRAME_PREFIX_BYTES..], number)?;
        out.scratch.clear();
        out.scratch.extend_from_slice(&request);
        self.finish_sealed(connection, &mut out)?;
        Ok(number)
    }

    pub(super) fn send_write(
        &self,
        connection: &SmbConnection,
        file: FileId,
        offset: u64,
        data: &[u8],
        expect: impl FnOnce(&mut PendingRequestTable, u64, u16),
    ) -> Result<(), OperationError> {
        let length = data.len() as u32;
        let charge = self.credit_charge(length);
        let mut out = connection.lock_sender_with_credits(u32::from(charge))?;
        let (number, ask) = self
            .enter(connection, &mut out.next_number, charge, |state, number| expect(state, number, charge));
        let request = message::encode_write_request(
            &self.request_header(Command::Write, charge, ask, number),
            file,
            offset,
            length,
        );
        if self.protection.is_unprotected() {
            return connection.send_requests(&mut out, 1, &request, data);
        }
        out.scratch.clear();
        out.scratch.extend_from_slice(&request);
        out.scratch.extend_from_slice(data);
        let message = &mut out.scratch[FRAME_PREFIX_BYTES..];
        self.protection.sign_message(message, number)?;
        self.finish_sealed(connection, &mut out)
    }

    /// Encrypts the scratch buffer if required, and sends it.
    fn finish_sealed(
        &self,
        connection: &SmbConnection,
        out: &mut MessageSender,
    ) -> Result<(), OperationError> {
        self.protection.encrypt_message(&mut out.scratch, FRAME_PREFIX_BYTES)?;
        let length = (out.scratch.len() - FRAME_PREFIX_BYTES) as u32;
        out.scratch[..FRAME_PREFIX_BYTES].copy_from_slice(&length.to_be_bytes());
        connection.send_buffered_requests(out, 1)
    }
}
