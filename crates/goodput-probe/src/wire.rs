//! The data plane's formats: a connection's opening and fixed big-endian messages, outside the timed span.

use goodput_model::TrialToken;

pub const PROTOCOL_VERSION: u16 = 1;
const MAGIC: [u8; 4] = *b"GPUT";

pub const HANDSHAKE_REQUEST_BYTES: usize = 32;
pub const CONTROL_MESSAGE_BYTES: usize = 40;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum HandshakeStatus {
    Accepted = 0,
    UnknownToken = 1,
    /// Another protocol version.
    Version = 2,
    /// The agent's policy forbids this address.
    Peer = 3,
}

impl HandshakeStatus {
    pub fn from_byte(b: u8) -> Option<HandshakeStatus> {
        [
            HandshakeStatus::Accepted,
            HandshakeStatus::UnknownToken,
            HandshakeStatus::Version,
            HandshakeStatus::Peer,
        ]
        .into_iter()
        .find(|s| *s as u8 == b)
    }
}

/// The first 32 bytes of every data connection: `GPUT`, version u16, stream index u16, token, 8 bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HandshakeRequest {
    pub version: u16,
    pub index: u16,
    pub token: TrialToken,
    /// Zero on TCP and in a confirmation; on UDP the challenge, or the one being answered.
    pub challenge: u64,
}

impl HandshakeRequest {
    /// The listening end's part on UDP, which is without the token: a challenge, or 0 to confirm.
    pub fn answer(index: u16, challenge: u64) -> HandshakeRequest {
        HandshakeRequest { version: PROTOCOL_VERSION, index, token: TrialToken([0; 16]), challenge }
    }

    /// Of a UDP handshake, whose copies may arrive at any time. No data look like it: as a number, the magic
    /// bytes are higher than any in use.
    pub fn from_datagram(bytes: &[u8]) -> Option<HandshakeRequest> {
        let bytes: &[u8; HANDSHAKE_REQUEST_BYTES] = bytes.try_into().ok()?;
        HandshakeRequest::decode(bytes).filter(|o| o.version == PROTOCOL_VERSION)
    }

    pub fn encode(&self) -> [u8; HANDSHAKE_REQUEST_BYTES] {
        let mut out = [0; HANDSHAKE_REQUEST_BYTES];
        out[..4].copy_from_slice(&MAGIC);
        out[4..6].copy_from_slice(&self.version.to_be_bytes());
        out[6..8].copy_from_slice(&self.index.to_be_bytes());
        out[8..24].copy_from_slice(&self.token.0);
        out[24..].copy_from_slice(&self.challenge.to_be_bytes());
        out
    }

    pub fn decode(bytes: &[u8; HANDSHAKE_REQUEST_BYTES]) -> Option<HandshakeRequest> {
        if bytes[..4] != MAGIC {
            return None;
        }
        Some(HandshakeRequest {
            version: u16::from_be_bytes([bytes[4], bytes[5]]),
            index: u16::from_be_bytes([bytes[6], bytes[7]]),
            token: TrialToken(std::array::from_fn(|i| bytes[8 + i])),
            challenge: word(bytes, 24),
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum ControlMessageType {
    /// Clock exchange: the answer has the answerer's clock in `b`. In a load `a` is the send time, and the
    /// answer adds arrival `b` and send time `c`.
    Clock = 1,
    /// The window: `a` t0 and `b` t1 on the recipient's clock (t1 0 when open-ended), `c` offset, `d` error.
    Go = 2,
    /// Ready; `a` may carry a port.
    Ready = 3,
    /// A batch: `a` size, `b` repeats, `c` pattern (0 ping-pong, 1 streaming, 2 two-way), `d` check seed or
    /// 0.
    Batch = 4,
    /// `a` nanoseconds, `b` bytes.
    Result = 5,
    /// The next batch comes on a new connection.
    Reset = 6,
    End = 7,
    /// The sender's interface: `a` its MTU, 0 when unknown.
    Interface = 20,
    /// Identity of a client: `a` its number. The answer lets it open its connections.
    Join = 30,
    /// A heartbeat without an answer.
    Beat = 31,
}

impl ControlMessageType {
    pub fn to_message_with_value(self, a: u64) -> ControlMessage {
        ControlMessage { a, ..ControlMessage::new(self) }
    }
}

/// Op u32, reserved u32, four u64, big-endian.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ControlMessage {
    pub op: ControlMessageType,
    pub a: u64,
    pub b: u64,
    pub c: u64,
    pub d: u64,
}

impl ControlMessage {
    pub fn new(op: ControlMessageType) -> ControlMessage {
        ControlMessage { op, a: 0, b: 0, c: 0, d: 0 }
    }

    pub fn encode(&self) -> [u8; CONTROL_MESSAGE_BYTES] {
        let mut out = [0; CONTROL_MESSAGE_BYTES];
        out[..4].copy_from_slice(&(self.op as u32).to_be_bytes());
        for (i, w) in [self.a, self.b, self.c, self.d].into_iter().enumerate() {
            out[8 + 8 * i..16 + 8 * i].copy_from_slice(&w.to_be_bytes());
        }
        out
    }

    pub fn decode(bytes: &[u8; CONTROL_MESSAGE_BYTES]) -> Option<ControlMessage> {
        let op = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let op = [
            ControlMessageType::Clock,
            ControlMessageType::Go,
            ControlMessageType::Ready,
            ControlMessageType::Batch,
            ControlMessageType::Result,
            ControlMessageType::Reset,
            ControlMessageType::End,
            ControlMessageType::Interface,
            ControlMessageType::Join,
            ControlMessageType::Beat,
        ]
        .into_iter()
        .find(|o| *o as u32 == op)?;
        Some(ControlMessage {
            op,
            a: word(bytes, 8),
            b: word(bytes, 16),
            c: word(bytes, 24),
            d: word(bytes, 32),
        })
    }
}

/// Eight big-endian bytes at a valid offset.
fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from_be_bytes(std::array::from_fn(|i| bytes[at + i]))
}

/// Constant-time comparison of secrets: every byte is compared, and the compiler cannot shortcut it.
pub fn tokens_equal(a: &TrialToken, b: &TrialToken) -> bool {
    a.0.iter().zip(&b.0).fold(0, |d, (x, y)| std::hint::black_box(d | (x ^ y))) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_and_messages_survive_the_wire() {
        let o = HandshakeRequest {
            version: PROTOCOL_VERSION,
            index: 7,
            token: TrialToken([9; 16]),
            challenge: 3,
        };
        assert_eq!(HandshakeRequest::decode(&o.encode()), Some(o));
        assert_eq!(&o.encode()[..4], b"GPUT");
        assert_eq!(HandshakeRequest::decode(&[b'H'; 32]), None);
        assert_eq!(HandshakeRequest::from_datagram(&o.encode()), Some(o));
        assert_eq!(HandshakeRequest::from_datagram(&o.encode()[..31]), None);
        let m = ControlMessage { op: ControlMessageType::Go, a: 1, b: u64::MAX, c: 3, d: 4 };
        assert_eq!(ControlMessage::decode(&m.encode()), Some(m));
        assert_eq!(ControlMessage::decode(&[0; CONTROL_MESSAGE_BYTES]), None);
    }

    #[test]
    fn one_bit_makes_another_token() {
        let token = TrialToken([0x5a; 16]);
        assert!(tokens_equal(&token, &token));
        for bit in 0..128 {
            let mut other = token;
            other.0[bit / 8] ^= 1 << (bit % 8);
            assert!(!tokens_equal(&token, &other), "bit {bit}");
        }
    }
}
