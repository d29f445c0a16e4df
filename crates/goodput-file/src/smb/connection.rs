//! One connection: sends requests and waits for replies.

use super::deadline::Deadline;
use super::incoming::{Incoming, is_tick};
use super::pending::{Pending, Requests};
use super::receive::Direct;
use super::session::Session;
use crate::fault::Fault;
use crate::tcp::{self, PATIENCE, TICK};
use std::io::{self, IoSlice, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub(super) struct Connection {
    pub(super) session: Session,
    pub(super) pending: Pending,
    out: Mutex<Outgoing>,
    incoming: Mutex<Incoming>,
    requests: AtomicU64,
}

/// The sending side. Its lock holder assigns message numbers and sends in that order.
pub(super) struct Outgoing {
    stream: TcpStream,
    pub(super) next_number: u64,
    pub(super) scratch: Vec<u8>,
}

impl Connection {
    pub(super) fn new(
        stream: TcpStream,
        session: Session,
        next_number: u64,
        credits: u32,
    ) -> io::Result<Connection> {
        tcp::prepare(&stream)?;
        let incoming = Incoming::new(stream.try_clone()?);
        Ok(Connection {
            session,
            pending: Pending::new(credits),
            out: Mutex::new(Outgoing { stream, next_number, scratch: Vec::new() }),
            incoming: Mutex::new(incoming),
            requests: AtomicU64::new(0),
        })
    }

    pub(super) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Waits for `charge` credits and locks the sender, for a short time only.
    pub(super) fn begin(&self, charge: u32) -> Result<MutexGuard<'_, Outgoing>, Fault> {
        loop {
            let out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            {
                let state = self.pending.lock();
                if let Some(fault) = &state.broken {
                    return Err(fault.clone());
                }
                if state.credits >= charge {
                    return Ok(out);
                }
                if state.spent == 0 {
                    let why =
                        format!("the server grants {} credits where {charge} are needed", state.credits);
                    return Err(Fault::gone(why));
                }
            }
            drop(out);
            self.wait(Deadline::after(PATIENCE), None, |state, _| (state.credits >= charge).then_some(()))?;
        }
    }

    /// Sends `requests` requests in up to two pieces. On failure the connection is closed, because a message
    /// may be incomplete.
    pub(super) fn send(
        &self,
        out: &mut Outgoing,
        requests: u64,
        head: &[u8],
        payload: &[u8],
    ) -> Result<(), Fault> {
        self.requests.fetch_add(requests, Ordering::Relaxed);
        let (mut sent, whole) = (0, head.len() + payload.len());
        let mut by = Deadline::after(PATIENCE);
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
                        by = Deadline::after(PATIENCE);
                    }
                }
                Err(error) if is_tick(error.kind()) => {
                    if by.has_passed() {
                        return Err(self.give_up(out, Fault::gone("the server takes nothing any more")));
                    }
                    // The server may block because we do not read its replies.
                    self.listen_once()?;
                }
                Err(error) => return Err(self.give_up(out, Fault::socket(&error))),
            }
        }
        Ok(())
    }

    pub(super) fn send_scratch(&self, out: &mut Outgoing, requests: u64) -> Result<(), Fault> {
        let scratch = std::mem::take(&mut out.scratch);
        let sent = self.send(out, requests, &scratch, &[]);
        out.scratch = scratch;
        sent
    }

    fn give_up(&self, out: &Outgoing, fault: Fault) -> Fault {
        let mut state = self.pending.lock();
        let fault = state.broken.get_or_insert(fault).clone();
        let _ = out.stream.shutdown(Shutdown::Both);
        self.pending.changed.notify_all();
        fault
    }

    /// Waits until `ready` succeeds; reads replies if no other thread does.
    pub(super) fn wait<T>(
        &self,
        by: Deadline,
        mut direct: Option<&mut Direct<'_>>,
        mut ready: impl FnMut(&mut Requests, Option<&mut Direct<'_>>) -> Option<T>,
    ) -> Result<T, Fault> {
        let mut state = self.pending.lock();
        loop {
            if let Some(found) = ready(&mut state, direct.as_deref_mut()) {
                return Ok(found);
            }
            if let Some(fault) = &state.broken {
                return Err(fault.clone());
            }
            if by.has_passed() {
                return Err(Fault::gone("the server did not answer in time"));
            }
            if state.reading {
                state.sleepers += 1;
                let waited = self.pending.changed.wait_timeout(state, by.left().min(TICK));
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                state.sleepers -= 1;
                continue;
            }
            state = self.turn(state, by, direct.as_deref_mut());
        }
    }

    fn listen_once(&self) -> Result<(), Fault> {
        let state = self.pending.lock();
        let state = if state.reading { state } else { self.turn(state, Deadline::after(TICK), None) };
        state.broken.clone().map_or(Ok(()), Err)
    }

    fn turn<'a>(
        &'a self,
        mut state: MutexGuard<'a, Requests>,
        by: Deadline,
        direct: Option<&mut Direct<'_>>,
    ) -> MutexGuard<'a, Requests> {
        state.reading = true;
        drop(state);
        let read = {
            let mut incoming = self.incoming.lock().unwrap_or_else(PoisonError::into_inner);
            self.session.receive(&mut incoming, &self.pending, by, direct)
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
