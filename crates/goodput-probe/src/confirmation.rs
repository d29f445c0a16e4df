//! Confirms a UDP opening with one byte, repeated whenever the opening is, because both may be lost.

use crate::sys;
use crate::time::now_ns;
use crate::wire::{OPENING_LEN, Opening, Status, same_token};
use goodput_model::TrialToken;
use std::io;
use std::net::{TcpStream, UdpSocket};
use std::os::fd::AsRawFd;
use std::time::Duration;

/// Interval of the check for repeated openings.
pub(crate) const RETRY_INTERVAL: Duration = Duration::from_millis(20);

pub(crate) fn again(udp: &UdpSocket, token: &TrialToken) {
    let mut bytes = [0; OPENING_LEN + 1];
    while let Ok(n) = sys::recv(udp.as_raw_fd(), &mut bytes, libc::MSG_DONTWAIT) {
        let opening = bytes.first_chunk().filter(|_| n == OPENING_LEN).and_then(Opening::decode);
        if opening.is_some_and(|o| same_token(&o.token, token)) {
            let _ = udp.send(&[Status::Accepted as u8]);
        }
    }
}

/// Confirms repeated openings until the connecting end sends on TCP, at the latest until that message's
/// deadline.
pub(crate) fn await_first_datagram(
    stream: &TcpStream,
    udp: &UdpSocket,
    token: &TrialToken,
    until_ns: u64,
) -> io::Result<()> {
    loop {
        let look = now_ns().saturating_add(RETRY_INTERVAL.as_nanos() as u64).min(until_ns);
        if sys::readable_before(stream.as_raw_fd(), look)? || now_ns() >= until_ns {
            return Ok(());
        }
        again(udp, token);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::VERSION;
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
        let waiting =
            std::thread::spawn(move || await_first_datagram(&heard, &ours, &OURS, now_ns() + 10_000_000_000));
        let opening = |token| Opening { version: VERSION, index: 0, token, challenge: 9 }.encode();
        let mut word = [0; 8];
        theirs.send(&opening(TrialToken([6; 16]))).unwrap();
        for _ in 0..2 {
            theirs.send(&opening(OURS)).unwrap();
            assert_eq!((theirs.recv(&mut word).unwrap(), word[0]), (1, Status::Accepted as u8));
        }
        speaking.write_all(b"on").unwrap();
        waiting.join().unwrap().unwrap();
        theirs.set_nonblocking(true).unwrap();
        assert!(theirs.recv(&mut word).is_err(), "a stranger's opening is not confirmed");
    }

    #[test]
    fn silence_ends_with_the_deadline() {
        let (_theirs, ours) = pair();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let _speaking = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let heard = listener.accept().unwrap().0;
        await_first_datagram(&heard, &ours, &OURS, now_ns() + 30_000_000).unwrap();
    }
}
