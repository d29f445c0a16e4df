//! What fuzzing calls (`fuzz/`): the parsers of what an SMB server sends. Not part of the interface.

use super::message::ReplyHeader;
use super::receive::{check_reply_status, copy_read_payload, parse_written_bytes};
use super::{created, info, names};
use smb2::auth::ntlm::{NtlmAuthenticator, NtlmCredentials};
use smb2::auth::spnego;
use smb2::msg::header::Header;
use smb2::msg::negotiate::NegotiateResponse;
use smb2::msg::session_setup::SessionSetupResponse;
use smb2::msg::tree_connect::TreeConnectResponse;
use smb2::pack::{ReadCursor, Unpack};

/// A message as a reply to every request, those of the library's login too.
pub fn parse_replies(message: &[u8]) {
    let _ = ReplyHeader::parse(message).map(|seen| (seen.is_interim(), seen.is_unsolicited()));
    let _ = (copy_read_payload(message, &mut [0; 4096]), parse_written_bytes(message, 4096));
    for body in [message, check_reply_status(message).unwrap_or_default()] {
        let _ = (created(body), names::entries(body));
        let _ = (info::parse_file_status(body), info::parse_disk_space(body));
        let _ = Header::unpack(&mut ReadCursor::new(body));
        let _ = NegotiateResponse::unpack(&mut ReadCursor::new(body));
        let _ = TreeConnectResponse::unpack(&mut ReadCursor::new(body));
        let setup = SessionSetupResponse::unpack(&mut ReadCursor::new(body));
        challenge(setup.as_ref().map_or(body, |setup| setup.security_buffer.as_slice()));
    }
}

fn challenge(token: &[u8]) {
    let response = spnego::parse_neg_token_resp(token).ok().and_then(|response| response.response_token);
    let [username, password, domain] = ["user", "password", "domain"].map(str::to_string);
    let mut client = NtlmAuthenticator::new(NtlmCredentials { username, password, domain });
    client.negotiate();
    let _ = client.authenticate(response.as_deref().unwrap_or(token));
}
