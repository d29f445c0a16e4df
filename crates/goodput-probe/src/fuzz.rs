//! What fuzzing calls (`fuzz/`): this crate's decoders of bytes from other hosts. Not part of the interface.

use crate::wire::{
    CONTROL_MESSAGE_BYTES, ControlMessage, HANDSHAKE_REQUEST_BYTES, HandshakeRequest, HandshakeStatus,
};
use crate::{bounds, file, mtu};
use goodput_model::trial::TrialSpec;

/// Openings, the messages behind them, and packets.
pub fn decode_arrivals(bytes: &[u8]) {
    mtu::decode_packets(bytes);
    file::decode_sink_messages(bytes);
    let _ = HandshakeRequest::from_datagram(bytes);
    let _ = bytes.first().map(|status| HandshakeStatus::from_byte(*status));
    if let Some((head, rest)) = bytes.split_first_chunk::<HANDSHAKE_REQUEST_BYTES>()
        && let Some(opening) = HandshakeRequest::decode(head)
    {
        assert_eq!(opening.encode(), *head);
        decode_control_messages(rest);
    }
    decode_control_messages(bytes);
}

fn decode_control_messages(bytes: &[u8]) {
    for message in bytes.as_chunks::<CONTROL_MESSAGE_BYTES>().0.iter().filter_map(ControlMessage::decode) {
        assert_eq!(ControlMessage::decode(&message.encode()), Some(message));
    }
}

/// Requests to an empty sink in memory, one behind the other.
pub fn serve_sink_requests(bytes: &[u8]) {
    file::serve_sink_requests(bytes);
}

/// What an order may make this end allocate.
pub fn validate_order(order: &TrialSpec) {
    let _ = bounds::validate_order(order);
}
