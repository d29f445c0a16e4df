//! The sending loops. The default is one `write` and one flag check per message.

use super::added_work::AddedWork;
use super::{Connection, ThreadResult};
use crate::interval_counter::IntervalCounts;
use crate::socket::TcpInfo;
use crate::sys::{self, PageAlignedBuffer};
use crate::time::{now_ns, sleep_until};
use crate::watch::{ThreadCounters, ThreadSupervision};
use crate::wire;
use goodput_model::probe::{Stream, StreamSendMethod};
use goodput_model::trial::MeasurementWindow;
use std::io::{self, ErrorKind, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, AsRawFd, RawFd};
use std::sync::atomic::Ordering;

/// Zero-copy completions are read after this many.
const COMPLETIONS_EVERY: u64 = 64;

/// Sends from the end of the lead time until told to stop or the goal is reached.
pub(super) fn run_sender(
    connection: &Connection,
    settings: &Stream,
    window: &MeasurementWindow,
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
) -> ThreadResult {
    let warm_up = if window.t1_ns == 0 { 0 } else { settings.warm_up.0 };
    let mut account = IntervalCounts::empty(window);
    let mut zero_copy = None;
    let message = PageAlignedBuffer::new(settings.message.0 as usize, b'g');
    sleep_until(window.t0_ns.saturating_sub(warm_up));
    let sent = begin(connection).and_then(|()| {
        account.first = (window.t1_ns == 0).then(now_ns);
        send(connection, settings, &message?, counter, shared, &mut zero_copy)
    });
    account.window = counter.byte_and_syscall_counts().0;
    let error = sent
        .and_then(|()| finish(connection))
        .err()
        .map(|e| connection.link.convert_io_error("data to be taken", e));
    if window.t1_ns == 0 {
        account.t1 = now_ns();
        account.last = error.is_none().then_some(account.t1);
    } else if error.is_some() {
        account.t1 = now_ns().clamp(window.t0_ns, window.t1_ns);
    }
    let tcp = TcpInfo::read(&connection.link.stream)
        .map(|i| i.user_data_statistics(connection.overhead(error.is_none(), false)));
    ThreadResult { account, sent: counter.byte_and_syscall_counts(), tcp, zero_copy, error }
}

fn begin(connection: &Connection) -> io::Result<()> {
    if connection.listens {
        (&connection.link.stream).write_all(&[wire::HandshakeStatus::Accepted as u8])
    } else {
        Ok(())
    }
}

/// Shuts down sending and waits until the other end has received all.
fn finish(connection: &Connection) -> io::Result<()> {
    connection.link.stream.shutdown(Shutdown::Write)?;
    let mut word = [0];
    (&connection.link.stream).read_exact(&mut word)?;
    if word[0] == wire::HandshakeStatus::Accepted as u8 {
        Ok(())
    } else {
        Err(ErrorKind::UnexpectedEof.into())
    }
}

fn send(
    connection: &Connection,
    settings: &Stream,
    message: &[u8],
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
    zero_copy: &mut Option<(u64, u64)>,
) -> io::Result<()> {
    let fd = connection.link.stream.as_raw_fd();
    let size = settings.message.0 as usize;
    let goal = connection.goal.unwrap_or(u64::MAX);
    let added = AddedWork::new(settings.added_cpu_time.sender_ns_per_kib, u64::MAX);
    match settings.sender {
        StreamSendMethod::Write => {
            each(counter, shared, goal, size, added, |n| sys::send(fd, &message[..n], 0))
        }
        StreamSendMethod::Batch(times) => {
            let batch = sys::build_repeated_iovec(message, times);
            let whole = size * usize::from(times.clamp(1, 1024));
            each(counter, shared, goal, whole, added, |n| {
                if n == whole {
                    sys::write_vectored(fd, &batch)
                } else {
                    sys::send(fd, &message[..n.min(size)], 0)
                }
            })
        }
        StreamSendMethod::Sendfile => {
            let file = sys::create_memory_file(message)?;
            each(counter, shared, goal, size, added, |n| sys::sendfile(fd, &file, n))
        }
        StreamSendMethod::ZeroCopy => {
            sys::set_int_option(connection.link.stream.as_fd(), libc::SOL_SOCKET, libc::SO_ZEROCOPY, 1)?;
            let (mut copied, mut done, mut sent) = (0, 0, 0u64);
            let result = each(counter, shared, goal, size, added, |n| {
                if sent.is_multiple_of(COMPLETIONS_EVERY) {
                    take_completions(fd, &mut copied, &mut done)?;
                }
                match sys::send(fd, &message[..n], libc::MSG_ZEROCOPY) {
                    // Too many unread completions: read them and continue.
                    Err(e) if e.raw_os_error() == Some(libc::ENOBUFS) => {
                        take_completions(fd, &mut copied, &mut done)?;
                        Err(ErrorKind::Interrupted.into())
                    }
                    other => {
                        sent += u64::from(other.is_ok());
                        other
                    }
                }
            });
            // The kernel may still use the message buffer.
            let patience = now_ns() + 1_000_000_000;
            while done < sent && result.is_ok() && now_ns() < patience {
                sleep_until(now_ns() + 1_000_000);
                take_completions(fd, &mut copied, &mut done)?;
            }
            *zero_copy = Some((copied, done));
            result
        }
    }
}

fn take_completions(fd: RawFd, copied: &mut u64, done: &mut u64) -> io::Result<()> {
    let (c, d) = sys::read_zero_copy_completions(fd)?;
    *copied += c;
    *done += d;
    Ok(())
}

/// Calls `put` until the goal or the flag. Continues short writes, so messages are never cut.
#[inline(always)]
fn each(
    counter: &ThreadCounters,
    shared: &ThreadSupervision,
    goal: u64,
    size: usize,
    mut added: Option<AddedWork>,
    mut put: impl FnMut(usize) -> io::Result<usize>,
) -> io::Result<()> {
    let (mut bytes, mut calls) = (0u64, 0u64);
    let mut rest = size;
    while bytes < goal {
        if rest == size && shared.stop.load(Ordering::Relaxed) {
            break;
        }
        let next = rest.min(usize::try_from(goal - bytes).unwrap_or(usize::MAX));
        match put(next) {
            Ok(n) => {
                bytes += n as u64;
                calls += 1;
                rest = if n == rest { size } else { rest - n };
                counter.set_byte_and_syscall_counts(bytes, calls);
                if let Some(added) = &mut added {
                    added.spend(n, &shared.stop);
                }
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    Ok(())
}
