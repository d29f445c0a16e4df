//! Speaking on a session: numbers, credits, compounds (MS-SMB2 3.2.4.1).

use super::logon::Entered;
use super::message::{self, FRAME, HEADER, Head};
use super::receive::{LONGEST, copy_payload, written_of};
use super::seal::Seal;
use crate::Trouble;
use crate::wire::desk::State;
use crate::wire::line::Out;
use crate::wire::{Deadline, Direct, Fault, Line, PATIENCE};
use smb2::client::Cipher;
use smb2::msg::echo::EchoRequest;
use smb2::types::flags::Capabilities;
use smb2::types::{Command, FileId};
use std::io;
use std::time::Duration;

/// Payload that one credit pays for.
const CREDIT: u32 = 65_536;
/// So many credits are held where the server gives them: 64 MiB under way. More only fills buffers.
const WISH: u32 = 1024;

/// A session on a share.
pub(super) struct Talk {
    pub(super) seal: Seal,
    session: u64,
    tree: u32,
    /// Requests may cost more than one credit.
    large: bool,
    pub(super) max_read: u32,
    pub(super) max_write: u32,
}

/// One request of a compound.
pub(super) struct Ask {
    pub(super) command: Command,
    pub(super) body: Vec<u8>,
    /// Payload that is asked for, which costs credits.
    pub(super) payload: u32,
}

impl Ask {
    pub(super) fn new(command: Command, body: &dyn smb2::pack::Pack) -> Ask {
        Ask { command, body: message::packed(body), payload: 0 }
    }
}

pub(super) fn line(entered: Entered) -> Result<Line<Talk>, Fault> {
    let Entered { stream, params, session, tree, encrypted, next_number, credits, .. } = entered;
    let id = session.session_id.0;
    let seal = if encrypted {
        let (Some(outward), Some(inward)) = (session.encryption_key, session.decryption_key) else {
            return Err(Fault::new(
                Trouble::NotSupported,
                "the server wants encryption in a dialect without it",
            ));
        };
        Seal::encrypted(outward, inward, params.cipher.unwrap_or(Cipher::Aes128Ccm), id)
    } else if params.signing_required {
        Seal::Signed { key: session.signing_key, algorithm: session.signing_algorithm }
    } else {
        Seal::Open
    };
    let large = params.capabilities.contains(Capabilities::LARGE_MTU);
    let most = |size: u32| if large { size.min((LONGEST / 2) as u32) } else { size.min(CREDIT) };
    let (max_read, max_write) = (most(params.max_read_size), most(params.max_write_size));
    let talk = Talk { seal, session: id, tree, large, max_read, max_write };
    let mut line = Line::new(stream, talk, next_number, u32::from(credits))
        .map_err(|error: io::Error| Fault::socket(&error))?;
    earn(&line)?;
    // A request that costs all there is would have to wait for all others.
    let fits = (line.desk.lock().credits / 2).max(1).saturating_mul(CREDIT);
    line.speech.max_read = max_read.min(fits);
    line.speech.max_write = max_write.min(fits);
    Ok(line)
}

/// Asks for credits until there are enough, or no more come.
fn earn(line: &Line<Talk>) -> Result<(), Fault> {
    for _ in 0..16 {
        let before = line.desk.lock().credits;
        if before >= WISH {
            break;
        }
        call(line, &[Ask::new(Command::Echo, &EchoRequest)], PATIENCE)?;
        if line.desk.lock().credits <= before {
            break;
        }
    }
    Ok(())
}

/// Sends a compound of related requests, or one alone, and waits for all replies: each whole, with its header.
pub(super) fn call(line: &Line<Talk>, asks: &[Ask], patience: Duration) -> Result<Vec<Vec<u8>>, Fault> {
    let first = post(line, asks)?;
    let numbers = first.iter().copied();
    let by = Deadline::after(patience);
    let replies = line.wait(by, None, |state, _| {
        if !numbers.clone().all(|number| state.has_answer(number)) {
            return None;
        }
        Some(numbers.clone().filter_map(|number| state.take_answer(number)).collect::<Vec<_>>())
    });
    if replies.is_err() {
        line.desk.lock().forget_calls(numbers);
    }
    replies
}

/// Sends a compound; the numbers of its requests.
fn post(line: &Line<Talk>, asks: &[Ask]) -> Result<Vec<u64>, Fault> {
    let talk = &line.speech;
    let charges: Vec<u16> = asks.iter().map(|ask| talk.charge(ask.payload)).collect();
    let mut out = line.begin(charges.iter().map(|charge| u32::from(*charge)).sum())?;
    let mut message = std::mem::take(&mut out.scratch);
    message.clear();
    message.resize(FRAME, 0);
    let mut numbers = Vec::with_capacity(asks.len());
    for (index, (ask, charge)) in asks.iter().zip(charges).enumerate() {
        let (number, credits) = talk.enter(line, &mut out.next_number, charge, |state, number| {
            state.expect_call(number, charge);
        });
        numbers.push(number);
        let last = index + 1 == asks.len();
        let whole = HEADER + ask.body.len();
        // All but the last begin at a multiple of 8 (3.2.4.1.4).
        let padded = if last { whole } else { whole.next_multiple_of(8) };
        let mut head = talk.head(ask.command, charge, credits, number);
        head.related = index > 0;
        head.next = if last { 0 } else { padded as u32 };
        let from = message.len();
        message.extend_from_slice(&head.bytes());
        message.extend_from_slice(&ask.body);
        message.resize(from + padded, 0);
        talk.seal.sign(&mut message[from..], number)?;
    }
    talk.seal.wrap(&mut message, FRAME)?;
    let length = (message.len() - FRAME) as u32;
    message[..FRAME].copy_from_slice(&length.to_be_bytes());
    out.scratch = message;
    line.send_scratch(&mut out, asks.len() as u64)?;
    Ok(numbers)
}

/// Reads once into `buffer`, which is no longer than the server takes at once.
pub(super) fn read_once(
    line: &Line<Talk>,
    file: FileId,
    offset: u64,
    buffer: &mut [u8],
    patience: Duration,
) -> Result<usize, Fault> {
    let talk = &line.speech;
    let number = talk.send_read(line, file, offset, buffer.len(), |state, number, charge| {
        state.expect_call(number, charge);
    })?;
    let mut direct = Direct { number, buffer, moved: None };
    let read = line.wait(Deadline::after(patience), Some(&mut direct), |state, direct| {
        let direct = direct?;
        if let Some(moved) = direct.moved.take() {
            return Some(moved);
        }
        // Somebody else listened and kept it.
        let reply = state.take_answer(direct.number)?;
        Some(copy_payload(&reply, direct.buffer))
    });
    if read.is_err() {
        line.desk.lock().forget_calls([number].into_iter());
    }
    read?
}

/// Writes once, no more than the server takes at once.
pub(super) fn write_once(
    line: &Line<Talk>,
    file: FileId,
    offset: u64,
    data: &[u8],
    patience: Duration,
) -> Result<usize, Fault> {
    let mut numbered = 0;
    line.speech.send_write(line, file, offset, data, |state, number, charge| {
        numbered = number;
        state.expect_call(number, charge);
    })?;
    let reply = line.wait(Deadline::after(patience), None, |state, _| state.take_answer(numbered));
    if reply.is_err() {
        line.desk.lock().forget_calls([numbered].into_iter());
    }
    written_of(&reply?)
}

impl Talk {
    /// Whether messages are signed, and encrypted. What is encrypted needs no signature.
    pub(super) fn protected(&self) -> (bool, bool) {
        (self.seal.signs(), !self.seal.is_open() && !self.seal.signs())
    }

    /// Credits that a request costs (MS-SMB2 3.1.5.2).
    fn charge(&self, payload: u32) -> u16 {
        if self.large { u16::try_from(payload.div_ceil(CREDIT).max(1)).unwrap_or(u16::MAX) } else { 1 }
    }

    fn head(&self, command: Command, charge: u16, ask: u16, number: u64) -> Head {
        Head {
            command,
            charge: if self.large { charge } else { 0 },
            ask,
            signed: self.seal.signs(),
            related: false,
            next: 0,
            number,
            tree: self.tree,
            session: self.session,
        }
    }

    /// Numbers a request, enters it at the desk, and says how many credits to ask for.
    fn enter(
        &self,
        line: &Line<Talk>,
        next_number: &mut u64,
        charge: u16,
        expect: impl FnOnce(&mut State, u64),
    ) -> (u64, u16) {
        let number = *next_number;
        *next_number += u64::from(charge);
        let mut state = line.desk.lock();
        let held = state.credits + state.spent;
        expect(&mut state, number);
        let more = WISH.saturating_sub(held).min(512) as u16;
        (number, charge.saturating_add(more))
    }

    /// Sends a READ; its number.
    pub(super) fn send_read(
        &self,
        line: &Line<Talk>,
        file: FileId,
        offset: u64,
        length: usize,
        expect: impl FnOnce(&mut State, u64, u16),
    ) -> Result<u64, Fault> {
        let length = u32::try_from(length).unwrap_or(u32::MAX).min(self.max_read);
        let charge = self.charge(length);
        let mut out = line.begin(u32::from(charge))?;
        let (number, ask) =
            self.enter(line, &mut out.next_number, charge, |state, number| expect(state, number, charge));
        let mut request = message::read(&self.head(Command::Read, charge, ask, number), file, offset, length);
        if self.seal.is_open() {
            line.send(&mut out, 1, &request, &[])?;
            return Ok(number);
        }
        self.seal.sign(&mut request[FRAME..], number)?;
        out.scratch.clear();
        out.scratch.extend_from_slice(&request);
        self.finish_sealed(line, &mut out)?;
        Ok(number)
    }

    /// Sends a WRITE.
    pub(super) fn send_write(
        &self,
        line: &Line<Talk>,
        file: FileId,
        offset: u64,
        data: &[u8],
        expect: impl FnOnce(&mut State, u64, u16),
    ) -> Result<(), Fault> {
        let length = data.len() as u32;
        let charge = self.charge(length);
        let mut out = line.begin(u32::from(charge))?;
        let (number, ask) =
            self.enter(line, &mut out.next_number, charge, |state, number| expect(state, number, charge));
        let request = message::write(&self.head(Command::Write, charge, ask, number), file, offset, length);
        if self.seal.is_open() {
            return line.send(&mut out, 1, &request, data);
        }
        out.scratch.clear();
        out.scratch.extend_from_slice(&request);
        out.scratch.extend_from_slice(data);
        let message = &mut out.scratch[FRAME..];
        self.seal.sign(message, number)?;
        self.finish_sealed(line, &mut out)
    }

    /// Encrypts what stands in the scratch, where that is the rule, and sends it.
    fn finish_sealed(&self, line: &Line<Talk>, out: &mut Out) -> Result<(), Fault> {
        self.seal.wrap(&mut out.scratch, FRAME)?;
        let length = (out.scratch.len() - FRAME) as u32;
        out.scratch[..FRAME].copy_from_slice(&length.to_be_bytes());
        line.send_scratch(out, 1)
    }
}
