//! A misbehaving process inside a lab's host: this test binary with `--stranger`.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpStream, UdpSocket};
use std::process::ExitCode;
use std::time::{Duration, Instant};

pub const WORD: &str = "--stranger";
const EACH: u32 = 500;

/// 32 bytes: `GPUT`, version 1, stream index 0, token, challenge.
pub fn opening(token: [u8; 16], challenge: u64) -> [u8; 32] {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(b"GPUT");
    bytes[5] = 1;
    bytes[8..24].copy_from_slice(&token);
    bytes[24..].copy_from_slice(&challenge.to_be_bytes());
    bytes
}

pub fn here() -> Option<ExitCode> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        [WORD, "datagrams", to, pretended] => datagrams(to, pretended),
        [WORD, "connections", to, seconds] => connections(to, seconds),
        [WORD, "idle", user, seconds, addresses, to] => idle(user, seconds, addresses, to),
        [WORD, "ask", what, key_file] => super::idle::ask(what, key_file),
        [WORD, "listen", port, seconds] => listen(port, seconds),
        _ => return None,
    };
    Some(match done {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::FAILURE
        }
    })
}

type Said = Result<String, Box<dyn std::error::Error>>;

/// Datagrams: wrong lengths, invalid openings, other versions, forged tokens, empty and large ones.
fn kinds() -> Vec<Vec<u8>> {
    let mut version = opening([1; 16], 0);
    version[5] = 2;
    vec![
        Vec::new(),
        vec![0],
        b"GET / HTTP/1.1\r\n\r\n".to_vec(),
        vec![0x5a; 32],
        opening([0; 16], 0).to_vec(),
        opening([0x77; 16], 0).to_vec(),
        opening([0xff; 16], u64::MAX).to_vec(),
        version.to_vec(),
        opening([2; 16], 0)[..31].to_vec(),
        [&opening([2; 16], 0)[..], &[0]].concat(),
        vec![0xee; 1400],
    ]
}

/// Sends all kinds, from its own and a spoofed address; reports what was sent and received.
fn datagrams(to: &str, pretended: &str) -> Said {
    let to: SocketAddrV4 = to.parse()?;
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0))?;
    socket.connect(to)?;
    let (mut sent, mut heard) = (0, 0);
    for _ in 0..EACH {
        for words in kinds() {
            sent += socket.send(&words)?;
        }
    }
    sent += spoofed(to, pretended.parse()?)?;
    socket.set_read_timeout(Some(Duration::from_millis(300)))?;
    let mut bytes = [0; 2048];
    while let Ok(n) = socket.recv(&mut bytes) {
        heard += n + 1;
    }
    Ok(format!("sent {sent} heard {heard}"))
}

/// Whole IP packets with another source address.
fn spoofed(to: SocketAddrV4, from: Ipv4Addr) -> Result<usize, Box<dyn std::error::Error>> {
    use socket2::{Domain, Protocol, Socket, Type};
    // IPPROTO_RAW: the header is ours (raw(7)).
    let socket = Socket::new(Domain::IPV4, Type::RAW, Some(Protocol::from(255)))?;
    let address = SocketAddr::from((*to.ip(), 0)).into();
    let mut sent = 0;
    for _ in 0..EACH {
        for words in kinds() {
            let packet = packet(SocketAddrV4::new(from, 5304), to, &words);
            sent += socket.send_to(&packet, &address)? - 28;
        }
    }
    Ok(sent)
}

/// IPv4 header (RFC 791) whose length, identification and checksum the kernel sets, UDP header (RFC 768)
/// without a checksum, payload.
fn packet(from: SocketAddrV4, to: SocketAddrV4, payload: &[u8]) -> Vec<u8> {
    let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0];
    packet.extend(from.ip().octets());
    packet.extend(to.ip().octets());
    packet.extend(from.port().to_be_bytes());
    packet.extend(to.port().to_be_bytes());
    packet.extend((8 + payload.len() as u16).to_be_bytes());
    packet.extend([0, 0]);
    packet.extend(payload);
    packet
}

/// Keeps connections open: a third silent, a third slow openings, a third garbage; replaces closed ones.
fn connections(to: &str, seconds: &str) -> Said {
    const AT_ONCE: usize = 400;
    let to: SocketAddr = to.parse()?;
    let until = Instant::now() + Duration::from_secs(seconds.parse()?);
    let mut held: Vec<(TcpStream, usize)> = Vec::new();
    let (mut made, mut heard) = (0_u64, 0_u64);
    while Instant::now() < until {
        while held.len() < AT_ONCE {
            let Ok(stream) = TcpStream::connect_timeout(&to, Duration::from_secs(1)) else { break };
            stream.set_nonblocking(true)?;
            held.push((stream, 0));
            made += 1;
        }
        for (at, (stream, said)) in held.iter_mut().enumerate() {
            match at % 3 {
                0 => {}
                1 => {
                    let drip = opening([3; 16], 0);
                    let _ = stream.write(&drip[*said % 31..=*said % 31]);
                    *said += 1;
                }
                _ => drop(stream.write(&[0x5a; 64])),
            }
        }
        held.retain_mut(|(stream, _)| {
            let read = stream.read(&mut [0; 64]);
            heard += read.as_ref().map_or(0, |n| *n as u64);
            read.map_or_else(|e| e.kind() == std::io::ErrorKind::WouldBlock, |n| n > 0)
        });
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(format!("made {made} heard {heard}"))
}

/// As another user, keeps 64 silent connections from each address; every half second replaces closed ones.
fn idle(user: &str, seconds: &str, addresses: &str, to: &str) -> Said {
    use socket2::{Domain, Socket, Type};
    nix::unistd::setuid(nix::unistd::Uid::from_raw(user.parse()?))?;
    let to: SocketAddr = to.parse()?;
    let mut held = Vec::new();
    for address in addresses.split(',') {
        held.push((SocketAddr::new(address.parse()?, 0), Vec::new()));
    }
    let until = Instant::now() + Duration::from_secs(seconds.parse()?);
    let mut made = 0;
    while Instant::now() < until {
        for (from, streams) in &mut held {
            streams.retain_mut(|stream: &mut TcpStream| {
                stream.read(&mut [0; 64]).is_err_and(|e| e.kind() == std::io::ErrorKind::WouldBlock)
            });
            while streams.len() < 64 {
                let socket = Socket::new(Domain::for_address(to), Type::STREAM, None)?;
                socket.bind(&(*from).into())?;
                if socket.connect_timeout(&to.into(), Duration::from_secs(1)).is_err() {
                    break;
                }
                socket.set_nonblocking(true)?;
                streams.push(socket.into());
                made += 1;
            }
        }
        println!("ready");
        std::thread::sleep(Duration::from_millis(500));
    }
    Ok(format!("made {made}"))
}

/// Captures tokens of TCP data connections from the wire, in hexadecimal.
fn listen(port: &str, seconds: &str) -> Said {
    use socket2::{Domain, Protocol, Socket, Type};
    const ALL: u16 = 0x0003;
    let port: u16 = port.parse()?;
    let until = Instant::now() + Duration::from_secs(seconds.parse()?);
    let mut socket = Socket::new(Domain::PACKET, Type::RAW, Some(Protocol::from(i32::from(ALL.to_be()))))?;
    socket.set_read_timeout(Some(Duration::from_millis(100)))?;
    println!("ready");
    let mut frame = [0; 65_536];
    while Instant::now() < until {
        let Ok(n) = socket.read(&mut frame) else { continue };
        if let Some(token) = token_in(&frame[..n], port) {
            let hexadecimal: String = token.iter().map(|b| format!("{b:02x}")).collect();
            return Ok(format!("token {hexadecimal}"));
        }
    }
    Err("no opening was seen".into())
}

/// The token of an opening in an Ethernet frame with IPv4 and TCP to this port.
fn token_in(frame: &[u8], port: u16) -> Option<[u8; 16]> {
    let ip = frame.get(14..)?;
    if ip.first()? >> 4 != 4 || *ip.get(9)? != 6 {
        return None;
    }
    let tcp = ip.get(usize::from(ip[0] & 15) * 4..)?;
    if u16::from_be_bytes([*tcp.get(2)?, *tcp.get(3)?]) != port {
        return None;
    }
    let payload = tcp.get(usize::from(tcp.get(12)? >> 4) * 4..)?;
    payload.strip_prefix(b"GPUT")?.get(4..20)?.try_into().ok()
}
