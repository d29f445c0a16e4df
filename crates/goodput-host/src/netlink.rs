//! Sends netlink requests on a blocking socket (`netlink-packet-core`, `socket2`). Full client crates are
//! async, and `netlink-packet-route` rejects a whole message with one too long attribute; here an unknown
//! attribute is one missing fact.

use crate::HostError;
use netlink_packet_core::{NetlinkBuffer, NlasIterator};
use socket2::{Domain, Protocol, Socket, Type};
use std::io::{Error, ErrorKind, Read, Write};
use std::time::Duration;

pub(crate) const NETLINK_ROUTE: i32 = 0;
pub(crate) const NETLINK_GENERIC: i32 = 16;

pub(crate) const NLM_F_REQUEST: u16 = 0x1;
/// NLM_F_REQUEST, NLM_F_ROOT, NLM_F_MATCH.
pub(crate) const DUMP_REQUEST_FLAGS: u16 = 0x301;

const AF_NETLINK: i32 = 16;
const MULTI: u16 = 0x2;
const NOOP: u16 = 1;
const ERROR: u16 = 2;
const DONE: u16 = 3;

/// The kernel usually answers at once.
const DEADLINE: Duration = Duration::from_secs(1);
/// Lists come in parts of at most 32 KiB; attributes are at most 64 KiB.
const BUFFER: usize = 128 << 10;

pub(crate) struct NetlinkSocket {
    socket: Socket,
    sequence: u32,
    buffer: Vec<u8>,
}

impl NetlinkSocket {
    pub(crate) fn open(protocol: i32) -> Result<NetlinkSocket, HostError> {
        let failed = |cause| HostError::Call { call: "socket(AF_NETLINK)", cause };
        let socket = Socket::new(Domain::from(AF_NETLINK), Type::RAW, Some(Protocol::from(protocol)))
            .map_err(failed)?;
        socket.set_read_timeout(Some(DEADLINE)).map_err(failed)?;
        Ok(NetlinkSocket { socket, sequence: 0, buffer: vec![0; BUFFER] })
    }

    /// Returns the payloads of the answer. `call` names the request in errors.
    pub(crate) fn request(
        &mut self,
        call: &'static str,
        kind: u16,
        flags: u16,
        body: &[u8],
    ) -> Result<Vec<Vec<u8>>, HostError> {
        let failed = |cause| HostError::Call { call, cause };
        self.sequence += 1;
        (&self.socket).write_all(&question(kind, flags, self.sequence, body)).map_err(failed)?;
        let mut answer = Vec::new();
        loop {
            let length = (&self.socket).read(&mut self.buffer).map_err(failed)?;
            if length == self.buffer.len() {
                return Err(failed(Error::new(ErrorKind::FileTooLarge, "the answer was cut off")));
            }
            if parse_response(&self.buffer[..length], self.sequence, &mut answer).map_err(failed)? {
                return Ok(answer);
            }
        }
    }
}

/// Adds the header (netlink(7)); the kernel fills in port 0.
fn question(kind: u16, flags: u16, sequence: u32, body: &[u8]) -> Vec<u8> {
    let length = 16 + body.len() as u32;
    let mut message = Vec::with_capacity(length as usize);
    message.extend(length.to_ne_bytes());
    message.extend(kind.to_ne_bytes());
    message.extend(flags.to_ne_bytes());
    message.extend(sequence.to_ne_bytes());
    message.extend(0u32.to_ne_bytes());
    message.extend(body);
    message
}

/// Appends the matching payloads of a datagram; true when the answer is complete.
pub(crate) fn parse_response(
    datagram: &[u8],
    sequence: u32,
    answer: &mut Vec<Vec<u8>>,
) -> Result<bool, Error> {
    let mut rest = datagram;
    while !rest.is_empty() {
        let message = NetlinkBuffer::new_checked(rest)
            .map_err(|e| Error::new(ErrorKind::InvalidData, format!("a message is not understood: {e}")))?;
        let length = message.length() as usize;
        rest = rest.get((length + 3) & !3..).unwrap_or(&[]);
        if message.sequence_number() != sequence || message.message_type() == NOOP {
            continue;
        }
        match message.message_type() {
            DONE => return Ok(true),
            ERROR => {
                let code = message.payload().first_chunk::<4>().map_or(0, |b| i32::from_ne_bytes(*b));
                return match code {
                    0 => Ok(true),
                    code => Err(Error::from_raw_os_error(code.saturating_neg())),
                };
            }
            _ => answer.push(message.payload().to_vec()),
        }
        if message.flags() & MULTI == 0 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Iterates over well-formed attributes: number and value.
pub(crate) fn parse_attributes(bytes: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    NlasIterator::new(bytes).map_while(Result::ok).map(|a| {
        // The iterator guarantees the length.
        let (kind, length) = (a.kind(), usize::from(a.length()));
        (kind, a.into_inner().get(4..length).unwrap_or(&[]))
    })
}

pub(crate) fn find_attribute(bytes: &[u8], wanted: u16) -> Option<&[u8]> {
    parse_attributes(bytes).find(|(kind, _)| *kind == wanted).map(|(_, value)| value)
}

pub(crate) fn encode_attribute(kind: u16, value: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(8 + value.len());
    bytes.extend((4 + value.len() as u16).to_ne_bytes());
    bytes.extend(kind.to_ne_bytes());
    bytes.extend(value);
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    bytes
}

/// An integer of 1, 2, 4 or 8 bytes; `None` if it is too large for the type.
pub(crate) fn parse_integer<T: TryFrom<u64>>(value: &[u8]) -> Option<T> {
    let number = match value {
        [a] => u64::from(*a),
        [a, b] => u64::from(u16::from_ne_bytes([*a, *b])),
        [a, b, c, d] => u64::from(u32::from_ne_bytes([*a, *b, *c, *d])),
        _ => u64::from_ne_bytes(value.try_into().ok()?),
    };
    T::try_from(number).ok()
}

/// The 4-byte integer at this offset.
pub(crate) fn read_u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    bytes.get(at..at + 4)?.try_into().ok().map(u32::from_ne_bytes)
}

pub(crate) fn parse_string(value: &[u8]) -> String {
    let end = value.iter().position(|b| *b == 0).unwrap_or(value.len());
    String::from_utf8_lossy(&value[..end]).into_owned()
}

#[cfg(test)]
pub(crate) fn stored(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut answer = Vec::new();
    parse_response(bytes, 1, &mut answer).unwrap();
    answer
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_question_is_as_netlink_wants_it() {
        let q = question(18, DUMP_REQUEST_FLAGS, 7, &[1, 2]);
        assert_eq!((q.len(), &q[..4]), (18, &18u32.to_ne_bytes()[..]));
        assert_eq!(encode_attribute(2, b"ethtool\0").len(), 12);
        assert_eq!(encode_attribute(2, b"ab\0"), [7, 0, 2, 0, b'a', b'b', 0, 0]);
    }

    #[test]
    fn a_list_goes_on_until_it_is_done_and_a_refusal_is_the_systems_error() {
        let mut answer = Vec::new();
        assert!(!parse_response(&question(16, MULTI, 1, b"abcd"), 1, &mut answer).unwrap());
        assert!(parse_response(&question(DONE, MULTI, 1, &[0; 4]), 1, &mut answer).unwrap());
        assert_eq!(answer, [b"abcd"]);
        let refusal = question(ERROR, 0, 1, &(-95i32).to_ne_bytes());
        let e = parse_response(&refusal, 1, &mut answer).unwrap_err();
        assert_eq!(e.raw_os_error(), Some(95));
        assert!(!parse_response(&refusal, 2, &mut answer).unwrap());
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut answer = Vec::new();
            let _ = parse_response(&bytes, 1, &mut answer);
            let _ = (crate::link_statistics::parse_link(&bytes), crate::qdisc::parse_qdisc(&bytes));
            for (_, value) in parse_attributes(&bytes) {
                let _ = (parse_integer::<u64>(value), parse_string(value), read_u32_at(value, 2));
            }
        }
    }
}
