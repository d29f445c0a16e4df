//! Identifies a service that is not an agent by its first bytes.

use super::PreflightError;
use crate::seconds_arg;
use goodput_words::{Message, message};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PeerDiagnosis {
    /// Accepts and sends nothing.
    Silent {
        deadline: Duration,
    },
    Closes,
    Tls,
    /// A known protocol.
    Known(&'static str),
    Unknown {
        /// Its printable first bytes.
        first: String,
    },
}

impl PeerDiagnosis {
    pub fn from_first_bytes(first: &[u8]) -> PeerDiagnosis {
        const KNOWN: [(&[u8], &str); 5] = [
            (b"HTTP/", "HTTP"),
            (b"SSH-", "SSH"),
            (b"220", "SMTP or FTP"),
            (b"* OK", "IMAP"),
            (b"+OK", "POP3"),
        ];
        // TLS record: content type 20 to 23, then the legacy version 3.x (RFC 8446, section 5.1).
        if matches!(first, [0x14..=0x17, 3, 0..=4, ..]) {
            return PeerDiagnosis::Tls;
        }
        if let Some((_, name)) = KNOWN.iter().find(|(begin, _)| first.starts_with(begin)) {
            return PeerDiagnosis::Known(name);
        }
        let shown = first.iter().take(24).flat_map(|b| b.escape_ascii()).map(char::from).collect();
        PeerDiagnosis::Unknown { first: shown }
    }

    pub(super) fn cause(&self) -> Message {
        match self {
            PeerDiagnosis::Closes => {
                "the peer accepts the connection and closes it without sending data".into()
            }
            PeerDiagnosis::Unknown { first } => message!(cause_begins_with { first: format!("{first:?}") }),
            PeerDiagnosis::Silent { deadline } => {
                message!(cause_silent { seconds: seconds_arg(deadline.as_secs_f64()) })
            }
            PeerDiagnosis::Tls => message!(cause_it_speaks { protocol: "TLS" }),
            PeerDiagnosis::Known(name) => message!(cause_it_speaks { protocol: *name }),
        }
    }

    /// `address` is not an agent.
    pub(super) fn error(&self, address: SocketAddr) -> Message {
        let address = address.to_string();
        match self {
            PeerDiagnosis::Silent { deadline } => {
                message!(error_stranger_silent { address, seconds: seconds_arg(deadline.as_secs_f64()) })
            }
            PeerDiagnosis::Closes => message!(error_stranger_closes { address }),
            PeerDiagnosis::Tls => message!(error_stranger_speaks { address, protocol: "TLS" }),
            PeerDiagnosis::Known(name) => message!(error_stranger_speaks { address, protocol: *name }),
            PeerDiagnosis::Unknown { .. } => message!(error_stranger_another { address }),
        }
    }
}

/// Connects, sends a line that servers reject, and reads the answer.
pub fn diagnose_peer(addr: SocketAddr, deadline: Duration) -> Result<PeerDiagnosis, PreflightError> {
    let (_, mut stream) = super::connect_to_first_reachable(&[addr], deadline)?;
    // Line-based servers answer this, TLS sends an alert, Zenoh closes.
    let _ = stream.write_all(b"\r\n\r\n");
    first_bytes(&mut stream, deadline).map_or(Ok(PeerDiagnosis::Closes), |first| {
        Ok(match first {
            None => PeerDiagnosis::Silent { deadline },
            Some(bytes) if bytes.is_empty() => PeerDiagnosis::Closes,
            Some(bytes) => PeerDiagnosis::from_first_bytes(&bytes),
        })
    })
}

fn first_bytes(stream: &mut TcpStream, deadline: Duration) -> io::Result<Option<Vec<u8>>> {
    let until = Instant::now() + deadline;
    let mut buffer = [0; 64];
    loop {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Ok(None);
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut buffer) {
            Ok(n) => return Ok(Some(buffer[..n].to_vec())),
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) if matches!(e.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                return Ok(None);
            }
            Err(e) => return Err(e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strangers_are_known_by_their_first_bytes() {
        assert_eq!(
            PeerDiagnosis::from_first_bytes(b"HTTP/1.1 400 Bad Request\r\n"),
            PeerDiagnosis::Known("HTTP")
        );
        assert_eq!(PeerDiagnosis::from_first_bytes(b"SSH-2.0-OpenSSH_9.2"), PeerDiagnosis::Known("SSH"));
        assert_eq!(PeerDiagnosis::from_first_bytes(&[0x15, 3, 3, 0, 2, 2, 50]), PeerDiagnosis::Tls);
        let unknown = PeerDiagnosis::Unknown { first: r"\x00\x01hello".into() };
        assert_eq!(PeerDiagnosis::from_first_bytes(b"\x00\x01hello"), unknown);
    }
}
