//! Agents refuse other keys and missing keys, with a reason.

use super::{ask, key_of, short};
use crate::stage::*;
use goodput_control::identity::Identity;
use goodput_control::message_bus::ZenohBus;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::os::unix::fs::PermissionsExt;

/// The beginning of a ClientHello.
const RECORD: [u8; 6] = [22, 3, 1, 2, 0, 1];

pub fn wrong_and_missing() -> CommandOutput {
    let (theirs, ours) = (Home::with_key()?, Home::with_key()?);
    let agent = theirs.agent(&["--bind", "127.0.0.1"])?;
    ask(&ours, &agent, "").refused(3, &["uses a different lab key", "--key-file"])?;
    ask(&Home::new(), &agent, "").refused(3, &["requires a lab key", "goodput key new"])?;
    // The engine itself also refuses: without TLS, and with another key's certificate.
    let (control, soon) = ((Ipv4Addr::LOCALHOST, agent.port).into(), Duration::from_secs(3));
    must!(ZenohBus::connect(control, None, soon).is_err(), "a plain session was opened");
    let stranger = Identity::new(&key_of(&ours)?, "stranger")?;
    must!(ZenohBus::connect(control, Some(&stranger), soon).is_err(), "a foreign session was opened");
    // Other data gets a TLS alert or nothing.
    for words in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 64], &RECORD] {
        let mut stream = TcpStream::connect(control)?;
        stream.write_all(words)?;
        stream.set_read_timeout(Some(Duration::from_millis(500)))?;
        let mut heard = [0; 256];
        let n = stream.read(&mut heard).unwrap_or(0);
        must!(n == 0 || (n == 7 && heard[0] == 21), "{words:?} was answered by {:?}", &heard[..n]);
    }
    ask(&theirs, &agent, "").ended(0).map(drop)
}

pub fn open_to_others() -> CommandOutput {
    let home = Home::with_key()?;
    let file = home.path().join(".config/goodput/key");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644))?;
    let chmod = format!("chmod 600 {}", file.display());
    home.line(&short("--port 1")).refused(2, &["other users can access the key file", &chmod])?;
    home.line("agent --port 45303 --data-port 45304").refused(2, &[&chmod])
}

/// An agent without a key listens on loopback only.
pub fn without_a_key() -> CommandOutput {
    // As /proc/net/tcp writes them (proc(5)).
    const LOOPBACK: &str = "0100007F";
    const LISTEN: &str = "0A";
    let (home, agent) = Home::with_agent()?;
    must!(agent.notice.contains("no lab key"), "{}", agent.notice);
    let sockets =
        fs::read_to_string("/proc/net/tcp")? + &fs::read_to_string("/proc/net/tcp6").unwrap_or_default();
    for port in [agent.port, agent.data_port] {
        let listens = |line: &str| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let (address, at) = words.get(1)?.split_once(':')?;
            (at == format!("{port:04X}") && words.get(3) == Some(&LISTEN)).then(|| address.to_string())
        };
        let listening: Vec<String> = sockets.lines().filter_map(listens).collect();
        must!(listening == [LOOPBACK], "port {port} listens on {listening:?}");
    }
    home.line("agent --bind 0.0.0.0 --port 45303 --data-port 45304").refused(2, &["goodput key new"])
}
