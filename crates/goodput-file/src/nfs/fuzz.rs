//! What fuzzing calls (`fuzz/`): the library's parsers of what an NFS server sends, behind our check of lengths. Not
//! part of the interface.

use super::record_length::RecordLengths;
use nfs3_client::io::{AsyncRead, AsyncWrite};
use nfs3_client::nfs3_types::mount::mountres3;
use nfs3_client::nfs3_types::nfs3::{
    COMMIT3res, CREATE3res, FSINFO3res, FSSTAT3res, GETATTR3res, LOOKUP3res, READ3res, READDIRPLUS3res,
    WRITE3res,
};
use nfs3_client::nfs3_types::xdr_codec::{Unpack, Void};
use nfs3_client::rpc::RpcClient;
use std::io::{self, ErrorKind};
use std::pin::pin;
use std::task::{Context, Waker};

/// Bytes as record marks, and behind its number as a reply to every call.
pub fn parse_replies(bytes: &[u8]) {
    let _ = RecordLengths::default().check_received(bytes);
    // The portmapper's.
    parse_reply::<u32>(bytes);
    parse_reply::<mountres3<'static>>(bytes);
    parse_reply::<FSINFO3res>(bytes);
    parse_reply::<FSSTAT3res>(bytes);
    parse_reply::<GETATTR3res>(bytes);
    parse_reply::<LOOKUP3res>(bytes);
    parse_reply::<CREATE3res>(bytes);
    parse_reply::<READDIRPLUS3res<'static>>(bytes);
    parse_reply::<READ3res<'static>>(bytes);
    parse_reply::<WRITE3res>(bytes);
    parse_reply::<COMMIT3res>(bytes);
}

fn parse_reply<R: Unpack>(body: &[u8]) {
    let mut client = RpcClient::new(Server { body, reply: Vec::new(), sent: 0 });
    let mut call = pin!(client.call::<Void, R>(0, 0, 0, &Void));
    // It never waits.
    let _ = call.as_mut().poll(&mut Context::from_waker(Waker::noop())).map(|reply| reply.is_ok());
}

/// Answers every call.
struct Server<'a> {
    body: &'a [u8],
    reply: Vec<u8>,
    sent: usize,
}

impl AsyncWrite for Server<'_> {
    async fn async_write(&mut self, call: &[u8]) -> io::Result<usize> {
        let number = call.get(4..8).unwrap_or_default();
        let mark = (number.len() + self.body.len()) as u32 | 1 << 31;
        self.reply = [&mark.to_be_bytes()[..], number, self.body].concat();
        self.sent = 0;
        Ok(call.len())
    }
}

impl AsyncRead for Server<'_> {
    async fn async_read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = &self.reply[self.sent..];
        if left.is_empty() {
            return Err(ErrorKind::UnexpectedEof.into());
        }
        let read = left.len().min(buffer.len());
        buffer[..read].copy_from_slice(&left[..read]);
        self.sent += read;
        Ok(read)
    }
}
