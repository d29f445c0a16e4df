//! The receiving loop: one `read` (or discard), one clock reading, two additions a call, and a rest where small
//! messages come faster than a receiver can be woken for each.

use super::gather::Gather;
use super::{Done, Part};
use crate::clock::now_ns;
use crate::interval_counter::IntervalCounter;
use crate::link::accepted;
use crate::socket::Info;
use crate::sys::{self, Buffer};
use crate::watch::Counter;
use crate::{ProbeError, wire};
use goodput_model::probe::{Receiver, Stream};
use goodput_model::trial::Window;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::AsRawFd;

/// The listening end's status byte, which comes before its data.
fn take_status(part: &Part) -> Result<(), ProbeError> {
    let mut status = [0];
    (&part.link.stream).read_exact(&mut status).map_err(|e| part.link.broken("the first byte", e))?;
    accepted(status[0], part.link.peer())
}

/// Receives until the sender has finished, then says so with one byte.
pub(super) fn run(part: &Part, settings: &Stream, window: &Window, counter: &Counter) -> Done {
    let fd = part.link.stream.as_raw_fd();
    let t1 = (window.t1_ns != 0).then_some(window.t1_ns);
    let mut ledger = IntervalCounter::new(window.t0_ns, t1, settings.interval.0);
    let most = settings.read.0 as usize;
    let mut gather = Gather::new(&part.link.stream, settings, window.t0_ns);
    let (mut bytes, mut calls, mut last) = (0u64, 0u64, window.t0_ns);
    let mut error = if part.listens { None } else { take_status(part).err() };
    let mut fin = false;
    let buffer = match settings.receiver {
        Receiver::Read => Buffer::new(most, 0),
        Receiver::Discard => Buffer::new(1, 0),
    };
    match buffer {
        Err(source) => error = Some(ProbeError::System { what: format!("a buffer of {most} bytes"), source }),
        Ok(_) if error.is_some() => {}
        Ok(mut buffer) => loop {
            let got = match settings.receiver {
                Receiver::Read => sys::recv(fd, &mut buffer, 0),
                Receiver::Discard => sys::discard(fd, most),
            };
            let now = now_ns();
            match got {
                Ok(0) => {
                    fin = true;
                    break;
                }
                Ok(n) => {
                    if now >= ledger.next_edge() {
                        ledger.cross(now, bytes, calls, last);
                    }
                    bytes += n as u64;
                    calls += 1;
                    last = now;
                    counter.set(bytes, calls);
                    gather.after(n, now, bytes, calls);
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => {
                    error = Some(part.link.broken("data", e));
                    break;
                }
            }
        },
    }
    let now = now_ns();
    if error.is_none() && part.goal.map_or(t1.is_some_and(|t1| now < t1), |goal| bytes < goal) {
        // An end of file is only good news when everything has come.
        error = Some(ProbeError::PeerGone { from: part.link.peer().to_string() });
    }
    let tcp = Info::take(&part.link.stream).map(|i| i.account(part.overhead(false, fin)));
    if error.is_none() {
        let said = (&part.link.stream).write_all(&[wire::Status::Accepted as u8]);
        error = said.err().map(|e| part.link.broken("the last byte", e));
    }
    Done {
        account: ledger.close(now, bytes, calls, last),
        sent: (0, 0),
        tcp,
        zero_copy: None,
        gathered: gather.told(),
        error,
    }
}
