//! Programs that run inside a host: an echo and discard server, and its clients.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub const PORT: u16 = 5303;
pub const SINK: u16 = 5304;
const CLOSED: u16 = 9;

pub fn main(words: &[&str]) -> ExitCode {
    let done = match words {
        ["serve", ..] => serve(),
        ["fail", ..] => Err(std::io::Error::other("no wish to run")),
        ["idle", ..] => loop {
            std::thread::park();
        },
        ["echo", address, bytes] => echo(address, bytes.parse().unwrap()),
        ["spin", ms] => spin(Duration::from_millis(ms.parse().unwrap())),
        ["write", file, bytes] => write(file, bytes.parse().unwrap()),
        ["datagrams", address, number] => datagrams(address, number.parse().unwrap()),
        ["answered", address, bytes] => answered(address, bytes.parse().unwrap()),
        ["push", address, ms] => push(address, Duration::from_millis(ms.parse().unwrap())),
        _ => Err(std::io::Error::other("unknown part")),
    };
    crate::ended(done)
}

fn serve() -> std::io::Result<()> {
    let sink = TcpListener::bind(("::", SINK))?;
    std::thread::spawn(move || {
        for stream in sink.incoming().flatten() {
            std::thread::spawn(move || count(stream));
        }
    });
    for stream in TcpListener::bind(("::", PORT))?.incoming() {
        let mut stream = stream?;
        std::thread::spawn(move || {
            let mut back = stream.try_clone()?;
            std::io::copy(&mut stream, &mut back)
        });
    }
    Ok(())
}

/// From 300 ms after the first byte until the last.
fn count(mut stream: TcpStream) -> std::io::Result<()> {
    let mut buffer = vec![0; 256 * 1024];
    let begun = Instant::now();
    let (mut bytes, mut since, mut last) = (0u64, None, begun);
    loop {
        let n = stream.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        last = Instant::now();
        match since {
            None if begun.elapsed() > Duration::from_millis(300) => since = Some(last),
            None => {}
            Some(_) => bytes += n as u64,
        }
    }
    let ns = since.map_or(0, |since| (last - since).as_nanos());
    writeln!(stream, "{bytes} {ns}")
}

fn echo(address: &str, bytes: usize) -> std::io::Result<()> {
    let mut stream = TcpStream::connect((address, PORT))?;
    stream.set_read_timeout(Some(Duration::from_secs(5)))?;
    let sent: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
    stream.write_all(&sent)?;
    let mut back = vec![0; bytes];
    stream.read_exact(&mut back)?;
    if back == sent { Ok(()) } else { Err(std::io::Error::other("the echo is not what was sent")) }
}

fn spin(time: Duration) -> std::io::Result<()> {
    let given = || -> u64 {
        // The first field is CPU time in ns (Documentation/scheduler/sched-stats.rst).
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
        text.split(' ').next().unwrap().parse().unwrap()
    };
    let (begun, before) = (Instant::now(), given());
    while begun.elapsed() < time {
        std::hint::spin_loop();
    }
    let percent = (given() - before) as f64 * 100.0 / begun.elapsed().as_nanos() as f64;
    println!("{percent:.1}");
    Ok(())
}

/// Through the page cache, then fsync; prints the bytes a second of both together.
fn write(file: &str, bytes: usize) -> std::io::Result<()> {
    let begun = Instant::now();
    let mut file = std::fs::File::create_new(file)?;
    file.write_all(&vec![0x5a; bytes])?;
    file.sync_all()?;
    println!("{:.0}", bytes as f64 / begun.elapsed().as_secs_f64());
    Ok(())
}

/// To a closed port; prints the ns of one datagram, from the fastest hundred.
fn datagrams(address: &str, number: u32) -> std::io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    let mut fastest = Duration::MAX;
    for _ in 0..number / 100 {
        let begun = Instant::now();
        // Not connected, so that ICMP errors are not reported here.
        (0..100).try_for_each(|_| socket.send_to(&[0; 64], (address, CLOSED)).map(drop))?;
        fastest = fastest.min(begun.elapsed());
    }
    println!("{}", fastest.as_nanos() / 100);
    Ok(())
}

/// Whether an IP packet to a closed port is answered.
fn answered(address: &str, bytes: usize) -> std::io::Result<()> {
    let socket = UdpSocket::bind("0.0.0.0:0")?;
    socket.connect((address, CLOSED))?;
    socket.set_read_timeout(Some(Duration::from_millis(500)))?;
    socket.send(&vec![0; bytes - 28])?;
    let heard = socket.recv(&mut [0; 1]).map_err(|e| e.kind());
    println!("{}", heard == Err(std::io::ErrorKind::ConnectionRefused));
    Ok(())
}

fn push(address: &str, time: Duration) -> std::io::Result<()> {
    let mut stream = TcpStream::connect((address, SINK))?;
    let (begun, block) = (Instant::now(), vec![0; 64 * 1024]);
    while begun.elapsed() < time {
        stream.write_all(&block)?;
    }
    stream.shutdown(std::net::Shutdown::Write)?;
    let mut line = String::new();
    stream.read_to_string(&mut line)?;
    let (bytes, ns) = line.trim().split_once(' ').unwrap();
    let (bytes, ns): (f64, f64) = (bytes.parse().unwrap(), ns.parse().unwrap());
    println!("{:.0}", bytes * 8e9 / ns);
    Ok(())
}
