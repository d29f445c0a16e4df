//! Agents refuse other keys and missing keys, with a reason.

use super::{key_of, refused, short, with_key};
use crate::stage::{Agent, Home};
use crate::{CommandOutput, must};
use goodput_control::identity::Identity;
use goodput_control::message_bus::ZenohBus;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

/// The beginning of a ClientHello.
const RECORD: [u8; 6] = [22, 3, 1, 2, 0, 1];

fn control(agent: &Agent) -> SocketAddr {
    (Ipv4Addr::LOCALHOST, agent.port).into()
}

pub fn wrong_and_missing() -> CommandOutput {
    let (theirs, ours) = (with_key()?, with_key()?);
    let agent = theirs.agent(&["--bind", "127.0.0.1"])?;
    let line = short(&agent.ports());
    refused(ours.line(&line), 3, &["uses a different lab key", "--key-file"])?;
    refused(Home::new().line(&line), 3, &["requires a lab key", "goodput key new"])?;
    // The engine itself also refuses: without TLS, and with another key's certificate.
    let soon = Duration::from_secs(3);
    must!(ZenohBus::connect(control(&agent), None, soon).is_err(), "a plain session was opened");
    let stranger = Identity::new(&key_of(&ours)?, "stranger")?;
    must!(ZenohBus::connect(control(&agent), Some(&stranger), soon).is_err(), "a foreign session was opened");
    // Other data gets a TLS alert or nothing.
    for words in [&b"GET / HTTP/1.1\r\n\r\n"[..], &[0; 64], &RECORD] {
        let mut stream = TcpStream::connect(control(&agent))?;
        stream.write_all(words)?;
        stream.set_read_timeout(Some(Duration::from_millis(500)))?;
        let mut heard = [0; 256];
        let n = stream.read(&mut heard).unwrap_or(0);
        must!(n == 0 || (n == 7 && heard[0] == 21), "{words:?} was answered by {:?}", &heard[..n]);
    }
    theirs.line(&line).ended(0)?;
    Ok(())
}

pub fn open_to_others() -> CommandOutput {
    use std::os::unix::fs::PermissionsExt;
    let home = with_key()?;
    let file = home.path().join(".config/goodput/key");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644))?;
    let chmod = format!("chmod 600 {}", file.display());
    refused(home.line(&short("--port 1")), 2, &["other users can access the key file", &chmod])?;
    let agent = home.line("agent --port 45303 --data-port 45304").ended(2)?;
    must!(agent.stderr.contains(&chmod), "{}", agent.stderr);
    Ok(())
}
