//! A mix without files: messages of the sizes that SMB would exchange, as in tbench. A message is its
//! remaining length (u32, big-endian), in a request likewise the reply's length, then arbitrary data. One
//! request is in flight at a time.

use super::data_connection::{DataConnection, ProgressTimeout};
use super::meter::ConnectionMeter;
use super::storage::SinkError;
use crate::sys;
use std::io::{self, ErrorKind};
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Two lengths.
const SHORTEST: u32 = 8;
const LONGEST: u32 = 16 << 20;
const USUAL: usize = 128 << 10;

pub struct TbenchConnection {
    line: DataConnection,
    request: Vec<u8>,
    reply: Vec<u8>,
}

fn no_message() -> io::Error {
    ErrorKind::InvalidData.into()
}

fn length_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes(std::array::from_fn(|i| bytes[at + i]))
}

fn room(buffer: &mut Vec<u8>, length: usize) {
    if buffer.len() < length {
        buffer.resize(length, 0);
    }
}

impl TbenchConnection {
    pub(super) fn new(line: DataConnection) -> TbenchConnection {
        TbenchConnection { line, request: vec![0; USUAL], reply: vec![0; USUAL] }
    }

    /// A request and its reply, both sizes with their lengths. Fails after `patience`, and for invalid sizes.
    pub fn exchange_messages(
        &mut self,
        request: u32,
        reply: u32,
        patience: Duration,
    ) -> Result<(), SinkError> {
        let done = self.exchanged(request, reply, patience);
        done.map_err(|e| self.line.convert_io_error(&e))?;
        self.line.meter.count_request(u64::from(request), u64::from(reply));
        Ok(())
    }

    fn exchanged(&mut self, request: u32, reply: u32, patience: Duration) -> io::Result<()> {
        if !(SHORTEST..=LONGEST).contains(&request) || !(4..=LONGEST).contains(&reply) {
            return Err(no_message());
        }
        let (out, back) = (request as usize, reply as usize);
        room(&mut self.request, out);
        room(&mut self.reply, back);
        self.request[..4].copy_from_slice(&(request - 4).to_be_bytes());
        self.request[4..8].copy_from_slice(&(reply - 4).to_be_bytes());
        let mut waiting = ProgressTimeout::new(patience);
        self.line.send_all(&self.request[..out], false, &mut waiting)?;
        self.line.receive_exact(&mut self.reply[..back], &mut waiting)?;
        if length_at(&self.reply, 0) == reply - 4 { Ok(()) } else { Err(no_message()) }
    }
}

pub(super) fn serve_tbench_requests(meter: &ConnectionMeter, stop: &AtomicBool) -> io::Result<()> {
    let fd = meter.link.stream.as_raw_fd();
    let (mut request, mut reply) = (vec![0; USUAL], vec![0; USUAL]);
    loop {
        let mut filled = 0;
        let mut length = SHORTEST as usize;
        while filled < length {
            match sys::recv(fd, &mut request[filled..], 0) {
                Ok(0) if filled == 0 => return Ok(()),
                Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
                Ok(n) => filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    if stop.load(Ordering::Acquire) {
                        return Ok(());
                    }
                }
                Err(e) => return Err(e),
            }
            if filled >= SHORTEST as usize {
                length = length_at(&request, 0).saturating_add(4) as usize;
                room(&mut request, length.min(LONGEST as usize));
            }
        }
        let answer = length_at(&request, 4).saturating_add(4);
        let fits = (SHORTEST as usize..=LONGEST as usize).contains(&length) && filled == length;
        if !fits || answer > LONGEST {
            return Err(no_message());
        }
        let answer = answer as usize;
        room(&mut reply, answer);
        reply[..4].copy_from_slice(&(answer as u32 - 4).to_be_bytes());
        super::serve::send_all(fd, &reply[..answer], stop)?;
        meter.count_request(answer as u64, length as u64);
    }
}
