//! One connection: sends requests and waits for replies.

use super::deadline::Deadline;
use super::incoming::{MessageReader, is_timeout_or_signal};
use super::pending::{PendingRequestTable, SharedPendingRequests};
use super::receive::ZeroCopyRead;
use super::session::SmbSession;
use crate::locked;
use crate::operation_error::OperationError;
use crate::tcp::{self, RESPONSE_TIMEOUT, SOCKET_POLL_INTERVAL};
use goodput_words::message;
use std::io::{self, IoSlice, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) struct SmbConnection {
    pub(super) session: SmbSession,
    pub(super) pending: SharedPendingRequests,
    out: Mutex<MessageSender>,
    incoming: Mutex<MessageReader>,
    requests: AtomicU64,
}

/// The sending side. Its lock holder assigns message numbers and sends in that order.
pub(super) struct MessageSender {
    stream: TcpStream,
    pub(super) next_number: u64,
    pub(super) scratch: Vec<u8>,
}

impl SmbConnection {
    pub(super) fn new(
        stream: TcpStream,
        session: SmbSession,
        next_number: u64,
        credits: u32,
    ) -> io::Result<SmbConnection> {
        tcp::set_socket_options(&stream)?;
        let incoming = MessageReader::new(stream.try_clone()?);
        Ok(SmbConnection {
            session,
            pending: SharedPendingRequests::new(credits),
            out: Mutex::new(MessageSender { stream, next_number, scratch: Vec::new() }),
            incoming: Mutex::new(incoming),
            requests: AtomicU64::new(0),
        })
    }

    pub(super) fn request_count(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Waits for `credit_charge` credits and locks the sender, for a short time only.
    pub(super) fn lock_sender_with_credits(
        &self,
        charge: u32,
    ) -> Result<MutexGuard<'_, MessageSender>, OperationError> {
        loop {
            let out = locked(&self.out);
            {
                let state = self.pending.lock();
                if let Some(fault) = &state.broken {
                    return Err(fault.clone());
                }
                if state.credits >= charge {
                    return Ok(out);
                }
                if state.spent == 0 {
                    let (granted, needed) = (state.credits.to_string(), charge.to_string());
                    let why = message!(cause_place_credits { granted, needed });
                    return Err(OperationError::connection_lost(why));
                }
            }
            drop(out);
            self.receive_replies_until(Deadline::after(RESPONSE_TIMEOUT), None, |state, _| {
                (state.credits >= charge).then_some(())
            })?;
        }
    }

    /// Sends `requests` requests in up to two pieces. Closes on failure, because a message may be incomplete.
    pub(super) fn send_requests(
        &self,
        out: &mut MessageSender,
        requests: u64,
        head: &[u8],
        payload: &[u8],
    ) -> Result<(), OperationError> {
        self.requests.fetch_add(requests, Ordering::Relaxed);
        let (mut sent, whole) = (0, head.len() + payload.len());
        let mut by = Deadline::after(RESPONSE_TIMEOUT);
        while sent < whole {
            let pieces = if sent < head.len() {
                [IoSlice::new(&head[sent..]), IoSlice::new(payload)]
            } else {
                [IoSlice::new(&payload[sent - head.len()..]), IoSlice::new(&[])]
            };
            match out.stream.write_vectored(&pieces) {
                Ok(more) => {
                    sent += more;
                    if sent < whole {
                        by = Deadline::after(RESPONSE_TIMEOUT);
                    }
                }
                Err(error) if is_timeout_or_signal(error.kind()) => {
                    if by.has_passed() {
                        return Err(self.give_up(
                            out,
                            OperationError::connection_lost("the server takes nothing any more"),
                        ));
                    }
                    // The server may block because we do not read its replies.
                    self.listen_once()?;
                }
                Err(error) => return Err(self.give_up(out, OperationError::from_socket_error(&error))),
            }
        }
        Ok(())
    }

    pub(super) fn send_buffered_requests(
        &self,
        out: &mut MessageSender,
        requests: u64,
    ) -> Result<(), OperationError> {
        let scratch = std::mem::take(&mut out.scratch);
        let sent = self.send_requests(out, requests, &scratch, &[]);
        out.scratch = scratch;
        sent
    }

    fn give_up(&self, out: &MessageSender, fault: OperationError) -> OperationError {
        let mut state = self.pending.lock();
        let fault = state.broken.get_or_insert(fault).clone();
        let _ = out.stream.shutdown(Shutdown::Both);
        self.pending.changed.notify_all();
        fault
    }

    /// Waits until `ready` succeeds; reads replies if no other thread does.
    pub(super) fn receive_replies_until<T>(
        &self,
        by: Deadline,
        mut direct: Option<&mut ZeroCopyRead<'_>>,
        mut ready: impl FnMut(&mut PendingRequestTable, Option<&mut ZeroCopyRead<'_>>) -> Option<T>,
    ) -> Result<T, OperationError> {
        let mut state = self.pending.lock();
        loop {
            if let Some(found) = ready(&mut state, direct.as_deref_mut()) {
                return Ok(found);
            }
            if let Some(fault) = &state.broken {
                return Err(fault.clone());
            }
            if by.has_passed() {
                return Err(OperationError::connection_lost("the server did not answer in time"));
            }
            if state.reading {
                state.sleepers += 1;
                let waited =
                    self.pending.changed.wait_timeout(state, by.remaining().min(SOCKET_POLL_INTERVAL));
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                state.sleepers -= 1;
                continue;
            }
            state = self.turn(state, by, direct.as_deref_mut());
        }
    }

    fn listen_once(&self) -> Result<(), OperationError> {
        let state = self.pending.lock();
        let state =
            if state.reading { state } else { self.turn(state, Deadline::after(SOCKET_POLL_INTERVAL), None) };
        state.broken.clone().map_or(Ok(()), Err)
    }

    fn turn<'a>(
        &'a self,
        mut state: MutexGuard<'a, PendingRequestTable>,
        by: Deadline,
        direct: Option<&mut ZeroCopyRead<'_>>,
    ) -> MutexGuard<'a, PendingRequestTable> {
        state.reading = true;
        drop(state);
        let read = {
            let mut incoming = locked(&self.incoming);
            self.session.receive_message(&mut incoming, &self.pending, by, direct)
        };
        let mut state = self.pending.lock();
        state.reading = false;
        if let Err(fault) = read {
            state.broken.get_or_insert(fault);
        }
        if state.sleepers > 0 {
            self.pending.changed.notify_all();
        }
        state
    }
}
