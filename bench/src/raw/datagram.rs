//! The plain datagram loop, the ceiling: buffers of 128 datagrams with UDP_SEGMENT, UDP_GRO and recvmmsg.
//! With headers, the 16 bytes of this program (64-bit sequence, 64-bit send time) are written and read;
//! without, only the calls remain, the second ceiling.
//!
//! Buffers, batches and sleeps as in `docs/methods/datagram.md`. One thread per end reads the clock per call.

use super::paged;
use crate::sys::datagram::{Batch, exact_timers, force_receive_buffer, set_merge, set_segment};
use clap::Args;
use socket2::SockRef;
use std::hint::black_box;
use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};

/// Raised when the loop changes.
pub const LOOP_VERSION: u32 = 1;
/// UDP_MAX_SEGMENTS since Linux 6.9, half of it before.
const SEGMENTS: usize = 128;
/// UDP payload over IPv4.
const LARGEST: usize = 65_507;
/// Per recvmmsg, each with room for the largest packet.
const MESSAGES: usize = 8;
const PACKET: usize = 65_536;
const RECEIVE_BUFFER: u32 = 4 << 20;
/// Sleep of a receiver without data.
const NAP: Duration = Duration::from_micros(100);
/// The receiver ends after this silence.
const QUIET: Duration = Duration::from_millis(200);
const HEADER: usize = 16;

/// Options of `raw-send-datagrams`.
#[derive(Debug, Args)]
pub struct SendDatagrams {
    /// Where the receiver listens, by TCP and by UDP
    to: SocketAddr,
    #[command(flatten)]
    each: Each,
}

/// Options of `raw-receive-datagrams`.
#[derive(Debug, Args)]
pub struct ReceiveDatagrams {
    /// Where to listen, by TCP and by UDP
    at: SocketAddr,
    #[command(flatten)]
    each: Each,
}

/// What both ends must agree on.
#[derive(Debug, Args)]
struct Each {
    /// Payload of a datagram in bytes
    #[arg(long)]
    size: u16,
    /// Write and read the header of every datagram
    #[arg(long)]
    header: bool,
    /// Milliseconds before the window
    #[arg(long)]
    warm_up: u64,
    /// Milliseconds of the window
    #[arg(long)]
    window: u64,
}

pub fn send(options: &SendDatagrams) -> io::Result<u64> {
    // The accepted connection tells the receiver the sender's address.
    let control = TcpStream::connect(options.to)?;
    let socket = UdpSocket::bind((control.local_addr()?.ip(), options.to.port()))?;
    socket.connect(options.to)?;
    let Each { size, header, warm_up, window } = options.each;
    set_segment(&socket, size)?;
    let size = usize::from(size);
    let mut each_call = SEGMENTS.min(LARGEST / size.max(1)).max(1);
    let mut memory = Vec::new();
    let buffer = paged(&mut memory, size * each_call, b'r');
    let start = Instant::now();
    let length = Duration::from_millis(warm_up + window) + super::TAIL;
    let mut sequence = 0u64;
    loop {
        let now = start.elapsed();
        if now >= length {
            return Ok(sequence);
        }
        let datagrams = &mut buffer[..size * each_call];
        if header {
            write_headers(datagrams, size, sequence, now.as_nanos() as u64);
        }
        match socket.send(datagrams) {
            Ok(_) => sequence += each_call as u64,
            Err(e) if e.kind() == ErrorKind::InvalidInput && each_call == SEGMENTS => each_call /= 2,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

#[inline(always)]
fn write_headers(datagrams: &mut [u8], size: usize, first: u64, time: u64) {
    for (datagram, sequence) in datagrams.chunks_exact_mut(size).zip(first..) {
        if let Some(head) = datagram.first_chunk_mut::<HEADER>() {
            *head = (u128::from(sequence) << 64 | u128::from(time)).to_be_bytes();
        }
    }
}

#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Headers {
    next: u64,
    /// Unexpected sequence numbers.
    gaps: u64,
    latest: u64,
}

impl Headers {
    #[inline(always)]
    fn read(&mut self, datagrams: &[u8], each: usize) {
        for datagram in datagrams.chunks(each) {
            if let Some(head) = datagram.first_chunk::<HEADER>() {
                let head = u128::from_be_bytes(*head);
                let sequence = (head >> 64) as u64;
                self.gaps += u64::from(sequence != self.next);
                self.next = sequence.wrapping_add(1);
                self.latest = self.latest.max(head as u64);
            }
        }
    }
}

#[derive(Debug, Default, Clone, Copy)]
struct Counts {
    /// Over the whole trial and in the window.
    total: u64,
    inside: u64,
    /// Calls with data.
    calls: u64,
    headers: Headers,
}

/// Receives from one sender until it stops, and prints the window's counts.
pub fn receive(options: &ReceiveDatagrams) -> io::Result<()> {
    let Counts { total, inside, calls, headers } = black_box(take(options)?);
    let (rate, gaps) = (inside as f64 * 1000.0 / options.each.window as f64, headers.gaps);
    writeln!(
        io::stdout(),
        r#"{{"datagrams_per_second":{rate},"datagrams":{inside},"total_datagrams":{total},"calls":{calls},"gaps":{gaps}}}"#
    )
}

fn take(options: &ReceiveDatagrams) -> io::Result<Counts> {
    let socket = UdpSocket::bind(options.at)?;
    set_merge(&socket)?;
    // Without the privilege as much as net.core.rmem_max allows.
    force_receive_buffer(&socket, RECEIVE_BUFFER)
        .or_else(|_| SockRef::from(&socket).set_recv_buffer_size(RECEIVE_BUFFER as usize))?;
    let listener = TcpListener::bind(options.at)?;
    let (_control, peer) = listener.accept()?;
    socket.connect((peer.ip(), options.at.port()))?;
    exact_timers();
    let mut memory = Vec::new();
    let mut batch = Batch::new(paged(&mut memory, MESSAGES * PACKET, 0), PACKET);
    let Each { header, warm_up, window, .. } = options.each;
    let open = Instant::now() + Duration::from_millis(warm_up);
    let close = open + Duration::from_millis(window);
    let (mut counts, mut last) = (Counts::default(), open);
    loop {
        let got = batch.receive(socket.as_raw_fd());
        let now = Instant::now();
        match got {
            Ok(_) => {
                let mut n = 0;
                for (bytes, segment) in batch.messages() {
                    let each = segment.unwrap_or(bytes.len()).max(1);
                    n += bytes.len().div_ceil(each) as u64;
                    if header {
                        counts.headers.read(bytes, each);
                    }
                }
                counts.total += n;
                counts.calls += 1;
                last = now;
                if now >= open && now < close {
                    counts.inside += n;
                }
            }
            Err(e) if e.kind() == ErrorKind::WouldBlock => {
                if now.duration_since(last.max(close)) >= QUIET {
                    return Ok(counts);
                }
                std::thread::sleep(NAP);
            }
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_as_they_were_written() {
        let mut datagrams = [7; 3 * 20];
        write_headers(&mut datagrams, 20, 41, 1_000);
        assert_eq!(datagrams[..16], [0, 0, 0, 0, 0, 0, 0, 41, 0, 0, 0, 0, 0, 0, 3, 232]);
        let mut headers = Headers::default();
        headers.read(&datagrams, 20);
        assert_eq!(headers, Headers { next: 44, gaps: 1, latest: 1_000 });
    }

    #[test]
    fn what_is_sent_is_received() {
        let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let each = || Each { size: 64, header: true, warm_up: 0, window: 50 };
        // Another local address for the sender, since both ends bind the same port.
        let at = SocketAddr::from(([127, 0, 0, 9], free.port()));
        let receiver = std::thread::spawn(move || take(&ReceiveDatagrams { at, each: each() }));
        let start = Instant::now();
        let sent = loop {
            match send(&SendDatagrams { to: at, each: each() }) {
                Ok(sent) => break sent,
                Err(e) => assert!(start.elapsed() < Duration::from_secs(5), "{e}"),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let counts = receiver.join().unwrap().unwrap();
        assert!(counts.inside > 0 && counts.inside <= counts.total && counts.total <= sent, "{counts:?}");
        assert!(counts.headers.gaps <= sent - counts.total, "{counts:?} of {sent}");
        assert!(counts.headers.next <= sent && counts.headers.latest > 0);
    }
}
