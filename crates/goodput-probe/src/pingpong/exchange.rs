//! The timed loops of both ends, and their buffers.

use crate::ProbeError;
use crate::link::ProbeConnection;
use crate::message::{receive_exact, send_all};
use crate::sys::{self, PageAlignedBuffer};
use crate::time::now_ns;
use crate::wire::ControlMessageType;
use goodput_model::probe::{PingPong, PingPongMethod, PingPongPattern};
use goodput_words::message;
use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, RawFd};

/// The size of NetPIPE's `-I`, whatever today's caches hold.
const NETPIPE_POOL: usize = 10_000_000;
/// NetPIPE's buffer alignment.
const STEP: usize = 16 << 10;
/// Limit of a cold pool, which is twice the last-level cache.
const LARGEST_POOL: usize = 512 << 20;
/// Cold pool when the cache size is unknown.
const UNKNOWN_CACHE: usize = 64 << 20;

pub(super) struct BatchTiming {
    pub repeats: u64,
    pub elapsed_ns: u64,
}

pub(super) struct MessageBuffers {
    send: PageAlignedBuffer,
    /// `None` when one buffer serves both directions (compat).
    receive: Option<PageAlignedBuffer>,
    largest: usize,
    cold: bool,
    flush: Option<PageAlignedBuffer>,
    at: usize,
}

impl MessageBuffers {
    pub fn new(settings: &PingPong, largest: u64) -> Result<MessageBuffers, ProbeError> {
        let largest = largest as usize;
        let compat = matches!(settings.method, PingPongMethod::Compat { .. });
        let pool = match (settings.cold, compat) {
            (false, _) => largest,
            (true, true) => NETPIPE_POOL.max(largest),
            (true, false) => (2 * last_level_cache().unwrap_or(UNKNOWN_CACHE)).min(LARGEST_POOL).max(largest),
        };
        let buffer = |len, fill| {
            PageAlignedBuffer::new(len, fill).map_err(|source| {
                ProbeError::from_io_error(message!(part_probe_buffer { bytes: len.to_string() }), source)
            })
        };
        // The pool is overrun by at most one message.
        let room = if settings.cold { pool + largest } else { pool };
        // NetPIPE's single buffer; not possible for simultaneous directions.
        let shared =
            compat && !settings.cold && !settings.integrity && settings.pattern == PingPongPattern::PingPong;
        Ok(MessageBuffers {
            send: buffer(room, b'a')?,
            receive: if shared { None } else { Some(buffer(room, b'b')?) },
            largest,
            cold: settings.cold,
            flush: if settings.cold && compat { Some(buffer(NETPIPE_POOL, 1)?) } else { None },
            at: 0,
        })
    }

    pub fn max_message_bytes(&self) -> u64 {
        self.largest as u64
    }

    /// Walks the dummy array before a batch, as NetPIPE's `-I`.
    pub fn flush_cpu_cache(&mut self) {
        if let Some(flush) = self.flush.as_mut() {
            flush.iter_mut().for_each(|b| *b = b.wrapping_add(1));
        }
    }

    #[inline(always)]
    fn outgoing(&mut self, size: usize) -> &mut [u8] {
        &mut self.send[self.at..self.at + size]
    }

    #[inline(always)]
    fn incoming(&mut self, size: usize) -> &mut [u8] {
        let at = self.at;
        &mut self.receive.as_mut().unwrap_or(&mut self.send)[at..at + size]
    }

    fn both(&mut self, size: usize) -> Option<(&[u8], &mut [u8])> {
        let at = self.at;
        let receive = self.receive.as_mut()?;
        Some((&self.send[at..at + size], &mut receive[at..at + size]))
    }

    /// Cold: moves to memory untouched for a whole pool.
    #[inline(always)]
    fn advance(&mut self, size: usize) {
        if self.cold {
            self.at += size.div_ceil(STEP) * STEP;
            if self.at + self.largest > self.send.len() {
                self.at = 0;
            }
        }
    }
}

/// The largest cache reported by the kernel (sysfs-devices-system-cpu).
fn last_level_cache() -> Option<usize> {
    let text = std::fs::read_to_string("/sys/devices/system/cpu/cpu0/cache/index3/size").ok()?;
    text.trim().strip_suffix('K')?.parse::<usize>().ok().map(|k| k << 10)
}

/// Sends and receives a message simultaneously, for any socket buffer size.
fn swap(fd: RawFd, out: &[u8], into: &mut [u8]) -> io::Result<()> {
    let (mut sent, mut got) = (0, 0);
    while sent < out.len() || got < into.len() {
        let mut moved = false;
        if sent < out.len() {
            match sys::send(fd, &out[sent..], libc::MSG_DONTWAIT) {
                Ok(n) => {
                    sent += n;
                    moved = true;
                }
                Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
                Err(e) => return Err(e),
            }
        }
        if got < into.len() {
            let flags = if sent == out.len() { 0 } else { libc::MSG_DONTWAIT };
            match sys::recv(fd, &mut into[got..], flags) {
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => {
                    got += n;
                    moved = true;
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock && flags != 0 => {}
                Err(e) => return Err(e),
            }
        }
        if !moved {
            sys::wait_for_io(fd, sent < out.len(), got < into.len())?;
        }
    }
    Ok(())
}

/// The connecting end of a batch.
pub(super) fn initiate_batch(
    link: &mut ProbeConnection,
    memory: &mut MessageBuffers,
    settings: &PingPong,
    size: u64,
    repeats: u64,
    round_trips: Option<&mut Vec<u32>>,
) -> Result<BatchTiming, ProbeError> {
    let fd = link.stream.as_raw_fd();
    let n = size as usize;
    let elapsed = match settings.pattern {
        PingPongPattern::Streaming => {
            let sent = (0..repeats + lead(settings)).try_for_each(|_| {
                memory.advance(n);
                send_all(fd, memory.outgoing(n))
            });
            sent.map_err(|e| link.convert_io_error("a message to be taken", e))?;
            return Ok(BatchTiming {
                repeats,
                elapsed_ns: link.expect_message(ControlMessageType::Result, "the receiver's time")?.a,
            });
        }
        _ if settings.integrity => checked(link, memory, settings.pattern, n, repeats, true)?,
        PingPongPattern::TwoWay => {
            exchange_both(fd, memory, n, repeats).map_err(|e| link.convert_io_error("a message", e))?
        }
        PingPongPattern::PingPong => match round_trips {
            Some(kept) => each_timed(fd, memory, n, repeats, kept),
            None => whole_timed(fd, memory, n, repeats),
        }
        .map_err(|e| link.convert_io_error("a message", e))?,
    };
    Ok(BatchTiming { repeats, elapsed_ns: elapsed })
}

/// Messages before the receiver's clock starts: native streaming measures from end to end of messages,
/// NetPIPE from before the first.
fn lead(settings: &PingPong) -> u64 {
    u64::from(matches!(settings.method, PingPongMethod::Native { .. }))
}

/// Times every round trip; consecutive ones share a clock reading.
fn each_timed(
    fd: RawFd,
    memory: &mut MessageBuffers,
    n: usize,
    repeats: u64,
    kept: &mut Vec<u32>,
) -> io::Result<u64> {
    kept.clear();
    let start = now_ns();
    let mut before = start;
    for _ in 0..repeats {
        memory.advance(n);
        send_all(fd, memory.outgoing(n))?;
        receive_exact(fd, memory.incoming(n))?;
        let now = now_ns();
        // Preallocated; round trips above 4.29 s are clamped.
        if kept.len() < kept.capacity() {
            kept.push(u32::try_from(now - before).unwrap_or(u32::MAX));
        }
        before = now;
    }
    Ok(before - start)
}

/// Times the whole loop, as NetPIPE does.
fn whole_timed(fd: RawFd, memory: &mut MessageBuffers, n: usize, repeats: u64) -> io::Result<u64> {
    let start = now_ns();
    for _ in 0..repeats {
        memory.advance(n);
        send_all(fd, memory.outgoing(n))?;
        receive_exact(fd, memory.incoming(n))?;
    }
    Ok(now_ns() - start)
}

fn exchange_both(fd: RawFd, memory: &mut MessageBuffers, n: usize, repeats: u64) -> io::Result<u64> {
    let start = now_ns();
    for _ in 0..repeats {
        memory.advance(n);
        let (out, into) = memory.both(n).ok_or(ErrorKind::InvalidInput)?;
        swap(fd, out, into)?;
    }
    Ok(now_ns() - start)
}

/// The listening end of a batch.
pub(super) fn respond_to_batch(
    link: &mut ProbeConnection,
    memory: &mut MessageBuffers,
    settings: &PingPong,
    size: u64,
    repeats: u64,
) -> Result<(), ProbeError> {
    let fd = link.stream.as_raw_fd();
    let n = size as usize;
    match settings.pattern {
        PingPongPattern::Streaming => {
            let mut start = now_ns();
            for i in 0..repeats + lead(settings) {
                memory.advance(n);
                receive_exact(fd, memory.incoming(n)).map_err(|e| link.convert_io_error("a message", e))?;
                if i + 1 == lead(settings) {
                    start = now_ns();
                }
            }
            let a = now_ns() - start;
            link.send_message(ControlMessageType::Result.to_message_with_value(a))
        }
        pattern if settings.integrity => checked(link, memory, pattern, n, repeats, false).map(drop),
        PingPongPattern::TwoWay => {
            exchange_both(fd, memory, n, repeats).map(drop).map_err(|e| link.convert_io_error("a message", e))
        }
        PingPongPattern::PingPong => (0..repeats)
            .try_for_each(|_| {
                memory.advance(n);
                receive_exact(fd, memory.incoming(n))?;
                send_all(fd, memory.outgoing(n))
            })
            .map_err(|e| link.convert_io_error("a message", e)),
    }
}

/// Ping-pong or two-way with every byte checked at both ends; the result is marked as a check.
fn checked(
    link: &mut ProbeConnection,
    memory: &mut MessageBuffers,
    pattern: PingPongPattern,
    n: usize,
    repeats: u64,
    first: bool,
) -> Result<u64, ProbeError> {
    let fd = link.stream.as_raw_fd();
    let mut elapsed = 0;
    for i in 0..repeats {
        memory.advance(n);
        stamp(memory.outgoing(n), i, first);
        let start = now_ns();
        let moved = match (pattern, first) {
            (PingPongPattern::TwoWay, _) => match memory.both(n) {
                Some((out, into)) => swap(fd, out, into),
                None => Err(ErrorKind::InvalidInput.into()),
            },
            (_, true) => {
                send_all(fd, memory.outgoing(n)).and_then(|()| receive_exact(fd, memory.incoming(n)))
            }
            (_, false) => receive_exact(fd, memory.incoming(n)),
        };
        moved.map_err(|e| link.convert_io_error("a message", e))?;
        elapsed += now_ns() - start;
        if let Some(at) = first_wrong(memory.incoming(n), i, !first) {
            return Err(ProbeError::Integrity { at: at as u64, size: n as u64 });
        }
        if pattern == PingPongPattern::PingPong && !first {
            send_all(fd, memory.outgoing(n))
                .map_err(|e| link.convert_io_error("a message to be taken", e))?;
        }
    }
    Ok(elapsed)
}

/// The expected byte of a message.
fn expected_byte(at: usize, message: u64, first: bool) -> u8 {
    let word = (at as u64 / 8)
        .wrapping_add(message << 32)
        .wrapping_add(u64::from(first))
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    word.to_be_bytes()[at % 8]
}

fn stamp(bytes: &mut [u8], message: u64, first: bool) {
    bytes.iter_mut().enumerate().for_each(|(at, b)| *b = expected_byte(at, message, first));
}

fn first_wrong(bytes: &[u8], message: u64, first: bool) -> Option<usize> {
    bytes.iter().enumerate().position(|(at, b)| *b != expected_byte(at, message, first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_bit_is_found() {
        let mut message = vec![0; 1001];
        stamp(&mut message, 7, true);
        assert_eq!(first_wrong(&message, 7, true), None);
        assert!(first_wrong(&message, 8, true).is_some());
        assert!(first_wrong(&message, 7, false).is_some());
        message[613] ^= 1;
        assert_eq!(first_wrong(&message, 7, true), Some(613));
    }
}
