//! The plain TCP loop, the ceiling: one `send` per message as in netperf, `recv`s of a given size, a relaxed
//! stop flag. Warm-up and window are this program's: a byte counts if its `recv` ended in the window.
//!
//! Buffers are page-aligned like this program's and iperf3's: on some CPUs a copy to 16 bytes past a page
//! takes several times as long (`docs/methods/stream.md`).

pub mod datagram;

use crate::contender::{Calls, DATAGRAM_SECONDS, Load, Reading, Receive, STREAM_SECONDS, WARM_UP};
use crate::error::BenchError;
use crate::network::Host;
use crate::peer::{Peer, cannot, json, misread, words};
use crate::process::Printed;
use crate::sys;
use clap::Args;
use socket2::{Domain, SockAddr, Socket, Type};
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Raised when the loop changes: different loops are not combined.
pub const LOOP_VERSION: u32 = 3;
const PORT: u16 = 7301;
/// The largest page size.
const PAGE: usize = 4096;
/// The sender stops this much after the window, since its clock starts a little earlier.
const TAIL: Duration = Duration::from_millis(50);
/// About what iperf3 does between two calls.
const POLL_WORK: Duration = Duration::from_nanos(200);

/// Options of `raw-send`.
#[derive(Debug, Args)]
pub struct RawSend {
    /// Where the receiver listens
    to: SocketAddr,
    /// Bytes of a message
    #[arg(long)]
    size: usize,
    /// Milliseconds before the window
    #[arg(long)]
    warm_up: u64,
    /// Milliseconds of the window
    #[arg(long)]
    window: u64,
    /// Congestion control [default: the kernel's]
    #[arg(long)]
    congestion: Option<String>,
}

/// Options of `raw-receive`.
#[derive(Debug, Args)]
pub struct RawReceive {
    /// Where to listen
    at: SocketAddr,
    /// The most one read may return, in bytes
    #[arg(long)]
    read: usize,
    /// Call poll before each read, and work for 200 ns after it
    #[arg(long)]
    poll: bool,
    /// Milliseconds before the window
    #[arg(long)]
    warm_up: u64,
    /// Milliseconds of the window
    #[arg(long)]
    window: u64,
}

pub fn send(options: &RawSend) -> io::Result<()> {
    let socket = Socket::new(Domain::for_address(options.to), Type::STREAM, None)?;
    if let Some(name) = &options.congestion {
        socket.set_tcp_congestion(name.as_bytes())?;
    }
    socket.connect(&SockAddr::from(options.to))?;
    let mut stream = TcpStream::from(socket);
    let stop = Arc::new(AtomicBool::new(false));
    let length = Duration::from_millis(options.warm_up + options.window) + TAIL;
    let timer = std::thread::spawn({
        let stop = Arc::clone(&stop);
        move || {
            std::thread::sleep(length);
            stop.store(true, Ordering::Relaxed);
        }
    });
    let mut memory = Vec::new();
    let message = &*paged(&mut memory, options.size, b'r');
    let mut rest = 0;
    while !stop.load(Ordering::Relaxed) {
        // A blocking send is short only after a signal.
        rest += stream.write(&message[rest..])?;
        if rest == options.size {
            rest = 0;
        }
    }
    let _ = timer.join();
    Ok(())
}

pub fn receive(options: &RawReceive) -> io::Result<()> {
    let socket = Socket::new(Domain::for_address(options.at), Type::STREAM, None)?;
    socket.set_reuse_address(true)?;
    socket.bind(&SockAddr::from(options.at))?;
    socket.listen(1)?;
    let (stream, _) = socket.accept()?;
    let mut stream = TcpStream::from(stream);
    let mut memory = Vec::new();
    let buffer = paged(&mut memory, options.read, 0);
    let open = Instant::now() + Duration::from_millis(options.warm_up);
    let close = open + Duration::from_millis(options.window);
    let (mut total, mut inside, mut calls) = (0u64, 0u64, 0u64);
    loop {
        if options.poll {
            sys::wait_until_readable(&stream)?;
        }
        let n = match stream.read(buffer) {
            Ok(0) => break,
            Ok(n) => n as u64,
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let now = Instant::now();
        total += n;
        calls += 1;
        if now >= open && now < close {
            inside += n;
        }
        while options.poll && now.elapsed() < POLL_WORK {}
    }
    let bps = inside as f64 * 8.0 * 1000.0 / options.window as f64;
    writeln!(
        io::stdout(),
        r#"{{"goodput_bps":{bps},"bytes":{inside},"total_bytes":{total},"reads":{calls}}}"#
    )
}

/// Page-aligned.
fn paged(memory: &mut Vec<u8>, len: usize, fill: u8) -> &mut [u8] {
    memory.resize(len + PAGE, fill);
    let start = memory.as_ptr().align_offset(PAGE);
    &mut memory[start..start + len]
}

pub struct Raw {
    pub program: PathBuf,
}

impl Raw {
    fn window(seconds: u64) -> [String; 4] {
        let (warm_up, window) = (WARM_UP.as_millis().to_string(), (seconds * 1000).to_string());
        ["--warm-up".into(), warm_up, "--window".into(), window]
    }

    fn datagrams(&self, end: &str, load: &Load) -> Option<Vec<String>> {
        let Load::Datagram { size, calls: calls @ (Calls::Offload | Calls::Bare), rate: None } = load else {
            return None;
        };
        let (program, at) = (self.program.to_string_lossy(), at().to_string());
        let mut words = words([&program, end, &at, "--size", &size.to_string()]);
        if *calls == Calls::Offload {
            words.push("--header".into());
        }
        words.extend(Raw::window(DATAGRAM_SECONDS));
        Some(words)
    }
}

fn at() -> SocketAddr {
    SocketAddr::from((Host::B.address(), PORT))
}

impl Peer for Raw {
    fn server(&self, load: &Load) -> (Vec<String>, u16) {
        if let Some(server) = self.datagrams("raw-receive-datagrams", load) {
            return (server, PORT);
        }
        let (read, polls) = match load {
            Load::Stream { receive: Receive::Read(read), .. } => (read, false),
            Load::Stream { receive: Receive::PollAndRead(read), .. } => (read, true),
            _ => return (cannot("raw loop"), PORT),
        };
        let program = self.program.to_string_lossy();
        let mut server = words([&program, "raw-receive", &at().to_string(), "--read", &read.to_string()]);
        server.extend(polls.then(|| "--poll".into()));
        server.extend(Raw::window(STREAM_SECONDS));
        (server, PORT)
    }

    fn client(&self, load: &Load) -> Vec<String> {
        if let Some(client) = self.datagrams("raw-send-datagrams", load) {
            return client;
        }
        let Load::Stream { size, congestion, .. } = load else { return cannot("raw loop") };
        let program = self.program.to_string_lossy();
        let mut client = words([&program, "raw-send", &at().to_string(), "--size", &size.to_string()]);
        client.extend(Raw::window(STREAM_SECONDS));
        if let Some(name) = congestion {
            client.extend(words(["--congestion", name]));
        }
        client
    }

    fn server_prints(&self) -> bool {
        true
    }

    fn read(&self, load: &Load, _client: &Printed, server: &Printed) -> Result<Reading, BenchError> {
        let document = json("raw loop", &server.out)?;
        if matches!(load, Load::Datagram { .. }) {
            let rate = document["datagrams_per_second"].as_f64();
            let total_datagrams = document["total_datagrams"].as_u64();
            if rate.is_none() || total_datagrams.is_none() {
                let what = "datagrams_per_second and total_datagrams";
                return Err(misread("raw loop", what, &server.out));
            }
            return Ok(Reading { datagrams_per_second: rate, total_datagrams, ..Reading::default() });
        }
        let bps = document["goodput_bps"].as_f64();
        let total_bytes = document["total_bytes"].as_u64();
        if bps.is_none() || total_bytes.is_none() {
            return Err(misread("raw loop", "goodput_bps and total_bytes", &server.out));
        }
        Ok(Reading { goodput_bps: bps, total_bytes, ..Reading::default() })
    }

    fn version(&self) -> Vec<String> {
        words([&self.program.to_string_lossy(), "--version"])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raw() -> Raw {
        Raw { program: "goodput-bench".into() }
    }

    fn read(load: &Load, out: &str) -> Reading {
        raw().read(load, &Printed::default(), &Printed { out: out.into(), err: String::new() }).unwrap()
    }

    #[test]
    fn a_stream_has_one_window_at_both_ends() {
        let load = Load::Stream { size: 64, congestion: Some("cubic".into()), receive: Receive::Read(64) };
        let expected = "goodput-bench raw-receive 10.77.0.2:7301 --read 64 --warm-up 200 --window 1000";
        assert_eq!(raw().server(&load).0.join(" "), expected);
        let client = raw().client(&load).join(" ");
        assert!(client.ends_with("--size 64 --warm-up 200 --window 1000 --congestion cubic"), "{client}");
        let out = r#"{"goodput_bps":8e9,"bytes":1000000000,"total_bytes":1250000000,"reads":9}"#;
        let reading = read(&load, out);
        assert_eq!((reading.goodput_bps, reading.total_bytes), (Some(8e9), Some(1_250_000_000)));
    }

    #[test]
    fn the_header_is_asked_of_both_ends() {
        let load = |calls| Load::Datagram { size: 64, calls, rate: None };
        let rest = "10.77.0.2:7301 --size 64 --header --warm-up 200 --window 1000";
        let server = raw().server(&load(Calls::Offload)).0.join(" ");
        assert_eq!(server, format!("goodput-bench raw-receive-datagrams {rest}"));
        let client = raw().client(&load(Calls::Bare)).join(" ");
        assert_eq!(client, format!("goodput-bench raw-send-datagrams {}", rest.replace("--header ", "")));
        let out = r#"{"datagrams_per_second":2e7,"datagrams":20000000,"total_datagrams":25000000,"calls":9,"gaps":0}"#;
        let reading = read(&load(Calls::Bare), out);
        assert_eq!((reading.datagrams_per_second, reading.total_datagrams), (Some(2e7), Some(25_000_000)));
    }
}
