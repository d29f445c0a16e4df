//! One connection: sending, and waiting for what comes back.

use super::desk::State;
use super::inlet::is_tick;
use super::{Deadline, Desk, Fault, Inlet, PATIENCE, TICK, tcp};
use std::io::{self, IoSlice, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How a protocol listens.
pub(crate) trait Speech: Send + Sync {
    /// Reads one whole message and gives it to whom it belongs. False when none begins before the deadline.
    ///
    /// # Errors
    /// When nothing that follows on this connection can be understood any more.
    fn receive(
        &self,
        inlet: &mut Inlet,
        desk: &Desk,
        by: Deadline,
        direct: Option<&mut Direct<'_>>,
    ) -> Result<bool, Fault>;
}

/// A read whose caller waits for it and is the one who listens: its payload need not be kept for it.
pub(crate) struct Direct<'a> {
    pub(crate) number: u64,
    pub(crate) buffer: &'a mut [u8],
    pub(crate) moved: Option<Result<usize, Fault>>,
}

/// One connection.
pub(crate) struct Line<S> {
    pub(crate) speech: S,
    pub(crate) desk: Desk,
    out: Mutex<Out>,
    inlet: Mutex<Inlet>,
    requests: AtomicU64,
}

/// The sending side. Who holds it numbers requests and sends them in that order.
pub(crate) struct Out {
    stream: TcpStream,
    pub(crate) next_number: u64,
    /// For messages that must lie in one piece.
    pub(crate) scratch: Vec<u8>,
}

impl<S: Speech> Line<S> {
    pub(crate) fn new(stream: TcpStream, speech: S, next_number: u64, credits: u32) -> io::Result<Line<S>> {
        tcp::prepare(&stream)?;
        let inlet = Inlet::new(stream.try_clone()?);
        Ok(Line {
            speech,
            desk: Desk::new(credits),
            out: Mutex::new(Out { stream, next_number, scratch: Vec::new() }),
            inlet: Mutex::new(inlet),
            requests: AtomicU64::new(0),
        })
    }

    pub(crate) fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// The right to send, once there are `charge` credits. Messages are small or bounded, so its holder is soon done.
    pub(crate) fn begin(&self, charge: u32) -> Result<MutexGuard<'_, Out>, Fault> {
        loop {
            let out = self.out.lock().unwrap_or_else(PoisonError::into_inner);
            {
                let state = self.desk.lock();
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

    /// Sends one message that holds `requests` requests, in up to two pieces. On failure the connection is given
    /// up, for a message may stand half on the wire.
    pub(crate) fn send(
        &self,
        out: &mut Out,
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
                    // Perhaps the server takes nothing because we do not take what it has for us.
                    self.listen_once()?;
                }
                Err(error) => return Err(self.give_up(out, Fault::socket(&error))),
            }
        }
        Ok(())
    }

    /// Sends what stands in `out.scratch`.
    pub(crate) fn send_scratch(&self, out: &mut Out, requests: u64) -> Result<(), Fault> {
        let scratch = std::mem::take(&mut out.scratch);
        let sent = self.send(out, requests, &scratch, &[]);
        out.scratch = scratch;
        sent
    }

    fn give_up(&self, out: &Out, fault: Fault) -> Fault {
        let mut state = self.desk.lock();
        let fault = state.broken.get_or_insert(fault).clone();
        // Wakes whoever reads. It fails only where the connection is gone already.
        let _ = out.stream.shutdown(Shutdown::Both);
        self.desk.bell.notify_all();
        fault
    }

    /// Waits until `ready` finds what it looks for, and listens for everybody where nobody else does.
    ///
    /// # Errors
    /// [`crate::Trouble::Gone`] when that is not before the deadline, or when the connection is broken.
    pub(crate) fn wait<T>(
        &self,
        by: Deadline,
        mut direct: Option<&mut Direct<'_>>,
        mut ready: impl FnMut(&mut State, Option<&mut Direct<'_>>) -> Option<T>,
    ) -> Result<T, Fault> {
        let mut state = self.desk.lock();
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
                let waited = self.desk.bell.wait_timeout(state, by.left().min(TICK));
                state = waited.unwrap_or_else(PoisonError::into_inner).0;
                state.sleepers -= 1;
                continue;
            }
            state = self.turn(state, by, direct.as_deref_mut());
        }
    }

    /// Listens for a moment where nobody else does.
    fn listen_once(&self) -> Result<(), Fault> {
        let state = self.desk.lock();
        let state = if state.reading { state } else { self.turn(state, Deadline::after(TICK), None) };
        state.broken.clone().map_or(Ok(()), Err)
    }

    fn turn<'a>(
        &'a self,
        mut state: MutexGuard<'a, State>,
        by: Deadline,
        direct: Option<&mut Direct<'_>>,
    ) -> MutexGuard<'a, State> {
        state.reading = true;
        drop(state);
        let read = {
            let mut inlet = self.inlet.lock().unwrap_or_else(PoisonError::into_inner);
            self.speech.receive(&mut inlet, &self.desk, by, direct)
        };
        let mut state = self.desk.lock();
        state.reading = false;
        if let Err(fault) = read {
            state.broken.get_or_insert(fault);
        }
        if state.sleepers > 0 {
            self.desk.bell.notify_all();
        }
        state
    }
}
