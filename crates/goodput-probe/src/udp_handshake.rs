//! Confirms a UDP opening, repeated whenever the opening is, because both may be lost.

use crate::ProbeError;
use crate::sys;
use crate::time::now_ns;
use crate::wire::{HANDSHAKE_REQUEST_BYTES, HandshakeRequest, tokens_equal};
use goodput_model::TrialToken;
use std::net::{TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::time::Duration;

/// Interval of the check for repeated openings.
pub(crate) const HANDSHAKE_CHECK_INTERVAL: Duration = Duration::from_millis(20);

/// Datagrams read in one call, more than a default receive buffer holds: the caller also has a deadline to keep.
const MAX_DATAGRAMS: usize = 1024;

pub(crate) fn confirm_handshake(udp: &UdpSocket, index: u16) {
    let _ = udp.send(&HandshakeRequest::answer(index, 0).encode());
}

pub(crate) fn answer_repeated_handshakes(udp: &UdpSocket, token: &TrialToken) {
    let mut bytes = [0; HANDSHAKE_REQUEST_BYTES + 1];
    for _ in 0..MAX_DATAGRAMS {
        let Ok(n) = sys::recv(udp.as_raw_fd(), &mut bytes, libc::MSG_DONTWAIT) else { return };
        let opening = HandshakeRequest::from_datagram(&bytes[..n]);
        if let Some(opening) = opening.filter(|o| tokens_equal(&o.token, token)) {
            confirm_handshake(udp, opening.index);
        }
    }
}

/// Confirms repeated openings until the connecting end sends on TCP, or that message's deadline.
pub(crate) fn answer_handshakes_until_tcp_message(
    stream: &TcpStream,
    udp: &UdpSocket,
    token: &TrialToken,
    until_ns: u64,
) -> Result<(), ProbeError> {
    let failed = ProbeError::system_error("the trial's UDP socket");
    loop {
        let look = now_ns().saturating_add(HANDSHAKE_CHECK_INTERVAL.as_nanos() as u64).min(until_ns);
        if sys::wait_for_readable(stream.as_raw_fd(), look).map_err(failed)? || now_ns() >= until_ns {
            return Ok(());
        }
        answer_repeated_handshakes(udp, token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::PROTOCOL_VERSION;
    use std::io::Write;
    use std::net::TcpListener;

    const OURS: TrialToken = TrialToken([5; 16]);

    fn pair() -> (UdpSocket, UdpSocket) {
        let (a, b) = (UdpSocket::bind("127.0.0.1:0").unwrap(), UdpSocket::bind("127.0.0.1:0").unwrap());
        a.connect(b.local_addr().unwrap()).unwrap();
        b.connect(a.local_addr().unwrap()).unwrap();
        a.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        (a, b)
    }

    #[test]
    fn every_opening_is_confirmed_until_the_other_end_goes_on() {
        let (theirs, ours) = pair();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut speaking = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let heard = listener.accept().unwrap().0;
        let waiting = std::thread::spawn(move || {
            answer_handshakes_until_tcp_message(&heard, &ours, &OURS, now_ns() + 10_000_000_000)
        });
        let opening =
            |token| HandshakeRequest { version: PROTOCOL_VERSION, index: 0, token, challenge: 9 }.encode();
        let mut word = [0; HANDSHAKE_REQUEST_BYTES];
        theirs.send(&opening(TrialToken([6; 16]))).unwrap();
        for _ in 0..2 {
            theirs.send(&opening(OURS)).unwrap();
            assert_eq!(theirs.recv(&mut word).unwrap(), word.len());
            assert_eq!(word, HandshakeRequest::answer(0, 0).encode());
        }
        speaking.write_all(b"on").unwrap();
        waiting.join().unwrap().unwrap();
        theirs.set_nonblocking(true).unwrap();
        assert!(theirs.recv(&mut word).is_err(), "a stranger's opening is not confirmed");
    }

    #[test]
    fn a_flood_of_openings_does_not_keep_the_thread() {
        // Each confirmation comes back as the next opening.
        let ours = UdpSocket::bind("127.0.0.1:0").unwrap();
        ours.connect(ours.local_addr().unwrap()).unwrap();
        confirm_handshake(&ours, 0);
        let (tell, told) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            answer_repeated_handshakes(&ours, &TrialToken([0; 16]));
            let _ = tell.send(());
        });
        told.recv_timeout(Duration::from_secs(20)).expect("still answers");
    }

    #[test]
    fn silence_ends_with_the_deadline() {
        let (_theirs, ours) = pair();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let silent = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        answer_handshakes_until_tcp_message(&silent, &ours, &OURS, now_ns() + 30_000_000).unwrap();
    }
}
