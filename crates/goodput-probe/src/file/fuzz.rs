//! The sink protocol for `crate::fuzz`.

use super::execute::execute_request;
use super::frame::{
    HEADER_BYTES, SinkReply, SinkRequest, decode_directory_entries, decode_open_flags,
    encode_directory_entries,
};
use super::memory::MemorySink;

/// Longer reads only take time.
const MAX_READ: u32 = 64 << 10;

/// Bytes as either end may receive them.
pub(crate) fn decode_sink_messages(bytes: &[u8]) {
    if let Some((head, rest)) = bytes.split_first_chunk() {
        if let Some(request) = SinkRequest::decode(head) {
            assert_eq!(request.encode(), *head);
            let _ = decode_open_flags(request.flags);
        }
        if let Some(reply) = SinkReply::decode(head) {
            let _ = (reply.to_error(rest), reply.to_stat());
        }
    }
    if let Some(entries) = decode_directory_entries(bytes) {
        let encoded = encode_directory_entries(&entries).unwrap_or_default();
        assert_eq!(decode_directory_entries(&encoded), Some(entries));
    }
}

pub(crate) fn serve_sink_requests(mut bytes: &[u8]) {
    let sink = MemorySink::with_size_limit(1 << 20, |pattern: &str| {
        let pattern = pattern.to_string();
        Box::new(move |name: &str| pattern == "*" || name == pattern)
    });
    let mut out = Vec::new();
    while let Some((head, rest)) = bytes.split_first_chunk() {
        let Some(request) = SinkRequest::decode(head).filter(|request| request.length <= MAX_READ) else {
            return;
        };
        let Some((name, rest)) = rest.split_at_checked(usize::from(request.name)) else { return };
        let Some((data, rest)) = rest.split_at_checked(request.data as usize) else { return };
        let (length, reply) = execute_request(&sink, &request, name, data, &mut out);
        assert_eq!(reply.data as usize, length - HEADER_BYTES);
        assert_eq!(out.first_chunk().and_then(SinkReply::decode), Some(reply));
        bytes = rest;
    }
}
