//! Sends requests: message numbers, credits, compounds (MS-SMB2 3.2.4.1).

use super::connection::{Connection, Outgoing};
use super::deadline::Deadline;
use super::logon::LoggedOn;
use super::message::{self, FRAME, HEADER};
use super::pending::Requests;
use super::protection::Protection;
use super::receive::{Direct, LONGEST, copy_payload, written_of};
use super::session::{CREDIT, Session};
use crate::FileErrorKind;
use crate::fault::Fault;
use crate::tcp::PATIENCE;
use smb2::client::Cipher;
use smb2::msg::echo::EchoRequest;
use smb2::types::flags::Capabilities;
use smb2::types::{Command, FileId};
use std::io;
use std::time::Duration;

/// Desired credits: 64 MiB in flight. More only fills buffers.
const CREDIT_REQUEST: u32 = 1024;

pub(super) struct Request {
    pub(super) command: Command,
    pub(super) body: Vec<u8>,
    pub(super) payload: u32,
}

impl Request {
    pub(super) fn new(command: Command, body: &dyn smb2::pack::Pack) -> Request {
        Request { command, body: message::packed(body), payload: 0 }
    }
}

pub(super) fn connection(entered: LoggedOn) -> Result<Connection, Fault> {
    let LoggedOn { stream, params, session, tree, encrypted, next_number, credits, .. } = entered;
    let id = session.session_id.0;
    let protection = if encrypted {
        let (Some(outward), Some(inward)) = (session.encryption_key, session.decryption_key) else {
            return Err(Fault::new(
                FileErrorKind::NotSupported,
                "the server wants encryption in a dialect without it",
            ));
        };
        Protection::encrypted(outward, inward, params.cipher.unwrap_or(Cipher::Aes128Ccm), id)
    } else if params.signing_required {
        Protection::Signed { key: session.signing_key, algorithm: session.signing_algorithm }
    } else {
        Protection::Open
    };
    let large = params.capabilities.contains(Capabilities::LARGE_MTU);
    let most = |size: u32| if large { size.min((LONGEST / 2) as u32) } else { size.min(CREDIT) };
    let (max_read, max_write) = (most(params.max_read_size), most(params.max_write_size));
    let session = Session { protection, id, tree, large, max_read, max_write };
    let mut connection = Connection::new(stream, session, next_number, u32::from(credits))
        .map_err(|error: io::Error| Fault::socket(&error))?;
    earn(&connection)?;
    // At most half of the credits, so that requests overlap.
    let fits = (connection.pending.lock().credits / 2).max(1).saturating_mul(CREDIT);
    connection.session.max_read = max_read.min(fits);
    connection.session.max_write = max_write.min(fits);
    Ok(connection)
}

/// Requests credits until there are enough, or no more are granted.
fn earn(connection: &Connection) -> Result<(), Fault> {
    for _ in 0..16 {
        let before = connection.pending.lock().credits;
        if before >= CREDIT_REQUEST {
            break;
        }
        call(connection, &[Request::new(Command::Echo, &EchoRequest)], PATIENCE)?;
        if connection.pending.lock().credits <= before {
            break;
        }
    }
    Ok(())
}

/// Sends a compound of related requests, or a single one, and waits for all replies, with headers.
pub(super) fn call(
    connection: &Connection,
    requests: &[Request],
    patience: Duration,
) -> Result<Vec<Vec<u8>>, Fault> {
    let first = send_compound(connection, requests)?;
    let numbers = first.iter().copied();
    let by = Deadline::after(patience);
    let replies = connection.wait(by, None, |state, _| {
        if !numbers.clone().all(|number| state.has_answer(number)) {
            return None;
        }
        Some(numbers.clone().filter_map(|number| state.take_answer(number)).collect::<Vec<_>>())
    });
    if replies.is_err() {
        connection.pending.lock().forget_calls(numbers);
    }
    replies
}

fn send_compound(connection: &Connection, requests: &[Request]) -> Result<Vec<u64>, Fault> {
    let session = &connection.session;
    let charges: Vec<u16> = requests.iter().map(|ask| session.charge(ask.payload)).collect();
    let mut out = connection.begin(charges.iter().map(|charge| u32::from(*charge)).sum())?;
    let mut message = std::mem::take(&mut out.scratch);
    message.clear();
    message.resize(FRAME, 0);
    let mut numbers = Vec::with_capacity(requests.len());
    for (index, (ask, charge)) in requests.iter().zip(charges).enumerate() {
        let (number, credits) = session.enter(connection, &mut out.next_number, charge, |state, number| {
            state.expect_call(number, charge);
        });
        numbers.push(number);
        let last = index + 1 == requests.len();
        let whole = HEADER + ask.body.len();
        // All but the last are padded to a multiple of 8 (3.2.4.1.4).
        let padded = if last { whole } else { whole.next_multiple_of(8) };
        let mut head = session.head(ask.command, charge, credits, number);
        head.related = index > 0;
        head.next = if last { 0 } else { padded as u32 };
        let from = message.len();
        message.extend_from_slice(&head.bytes());
        message.extend_from_slice(&ask.body);
        message.resize(from + padded, 0);
        session.protection.sign(&mut message[from..], number)?;
    }
    session.protection.wrap(&mut message, FRAME)?;
    let length = (message.len() - FRAME) as u32;
    message[..FRAME].copy_from_slice(&length.to_be_bytes());
    out.scratch = message;
    connection.send_scratch(&mut out, requests.len() as u64)?;
    Ok(numbers)
}

/// Reads once; `buffer` is within the server's limit.
pub(super) fn read_once(
    connection: &Connection,
    file: FileId,
    offset: u64,
    buffer: &mut [u8],
    patience: Duration,
) -> Result<usize, Fault> {
    let session = &connection.session;
    let number = session.send_read(connection, file, offset, buffer.len(), |state, number, charge| {
        state.expect_call(number, charge);
    })?;
    let mut direct = Direct { number, buffer, moved: None };
    let read = connection.wait(Deadline::after(patience), Some(&mut direct), |state, direct| {
        let direct = direct?;
        if let Some(moved) = direct.moved.take() {
            return Some(moved);
        }
        let reply = state.take_answer(direct.number)?;
        Some(copy_payload(&reply, direct.buffer))
    });
    if read.is_err() {
        connection.pending.lock().forget_calls([number].into_iter());
    }
    read?
}

pub(super) fn write_once(
    connection: &Connection,
    file: FileId,
    offset: u64,
    data: &[u8],
    patience: Duration,
) -> Result<usize, Fault> {
    let mut numbered = 0;
    connection.session.send_write(connection, file, offset, data, |state, number, charge| {
        numbered = number;
        state.expect_call(number, charge);
    })?;
    let reply = connection.wait(Deadline::after(patience), None, |state, _| state.take_answer(numbered));
    if reply.is_err() {
        connection.pending.lock().forget_calls([numbered].into_iter());
    }
    written_of(&reply?)
}

impl Session {
    /// Assigns a number, registers the request, and returns the credits to ask for.
    fn enter(
        &self,
        connection: &Connection,
        next_number: &mut u64,
        charge: u16,
        expect: impl FnOnce(&mut Requests, u64),
    ) -> (u64, u16) {
        let number = *next_number;
        *next_number += u64::from(charge);
        let mut state = connection.pending.lock();
        let held = state.credits + state.spent;
        expect(&mut state, number);
        let more = CREDIT_REQUEST.saturating_sub(held).min(512) as u16;
        (number, charge.saturating_add(more))
    }

    pub(super) fn send_read(
        &self,
        connection: &Connection,
        file: FileId,
        offset: u64,
        length: usize,
        expect: impl FnOnce(&mut Requests, u64, u16),
    ) -> Result<u64, Fault> {
        let length = u32::try_from(length).unwrap_or(u32::MAX).min(self.max_read);
        let charge = self.charge(length);
        let mut out = connection.begin(u32::from(charge))?;
        let (number, ask) = self
            .enter(connection, &mut out.next_number, charge, |state, number| expect(state, number, charge));
        let mut request = message::read(&self.head(Command::Read, charge, ask, number), file, offset, length);
        if self.protection.is_open() {
            connection.send(&mut out, 1, &request, &[])?;
            return Ok(number);
        }
        self.protection.sign(&mut request[FRAME..], number)?;
        out.scratch.clear();
        out.scratch.extend_from_slice(&request);
        self.finish_sealed(connection, &mut out)?;
        Ok(number)
    }

    pub(super) fn send_write(
        &self,
        connection: &Connection,
        file: FileId,
        offset: u64,
        data: &[u8],
        expect: impl FnOnce(&mut Requests, u64, u16),
    ) -> Result<(), Fault> {
        let length = data.len() as u32;
        let charge = self.charge(length);
        let mut out = connection.begin(u32::from(charge))?;
        let (number, ask) = self
            .enter(connection, &mut out.next_number, charge, |state, number| expect(state, number, charge));
        let request = message::write(&self.head(Command::Write, charge, ask, number), file, offset, length);
        if self.protection.is_open() {
            return connection.send(&mut out, 1, &request, data);
        }
        out.scratch.clear();
        out.scratch.extend_from_slice(&request);
        out.scratch.extend_from_slice(data);
        let message = &mut out.scratch[FRAME..];
        self.protection.sign(message, number)?;
        self.finish_sealed(connection, &mut out)
    }

    /// Encrypts the scratch buffer if required, and sends it.
    fn finish_sealed(&self, connection: &Connection, out: &mut Outgoing) -> Result<(), Fault> {
        self.protection.wrap(&mut out.scratch, FRAME)?;
        let length = (out.scratch.len() - FRAME) as u32;
        out.scratch[..FRAME].copy_from_slice(&length.to_be_bytes());
        connection.send_scratch(out, 1)
    }
}
