//! Receive methods of datagrams: one per call, several per call, merged.

use super::DatagramEnd;
use super::arrivals::ReceiveCounter;
use crate::sys::datagram::{self, ReceiveBatch};
use crate::sys::{self, PageAlignedBuffer};
use crate::wire::HANDSHAKE_REQUEST_BYTES;
use goodput_model::datagram::{Datagram, DatagramSyscalls, SegmentationOffload};
use std::io;
use std::os::fd::{AsFd, RawFd};

const BATCH: usize = 64;
/// Maximum buffer size of a batch.
const BATCH_BYTES: usize = 1 << 20;
/// Merged packets per recvmmsg; each needs the largest packet's space.
const MERGED_BATCH: usize = 8;
const PACKET: usize = 65_536;

pub(super) enum ReceiveMethod {
    Plain(PageAlignedBuffer),
    Batch(ReceiveBatch),
}

/// A receive method, its name, and why it is not the requested one.
pub(super) struct ChosenReceiveMethod {
    pub inlet: io::Result<ReceiveMethod>,
    pub by: DatagramSyscalls,
    pub fallback: Option<String>,
}

pub(super) fn choose_receive_method(part: &DatagramEnd, settings: &Datagram) -> ChosenReceiveMethod {
    // One extra byte reveals longer datagrams; late copies of the handshake are recognised whole.
    let each = (settings.size.0 as usize + 1).max(HANDSHAKE_REQUEST_BYTES);
    if settings.uses_one_datagram_per_call() {
        let inlet = PageAlignedBuffer::new(each, 0).map(ReceiveMethod::Plain);
        return ChosenReceiveMethod { inlet, by: DatagramSyscalls::Plain, fallback: None };
    }
    let fallback = match settings.offload {
        SegmentationOffload::Auto => datagram::set_udp_gro(part.socket.as_fd(), true).err(),
        SegmentationOffload::Plain | SegmentationOffload::Mmsg => {
            let inlet = several(each);
            return ChosenReceiveMethod { inlet, by: DatagramSyscalls::Mmsg, fallback: None };
        }
    };
    match fallback {
        None => ChosenReceiveMethod {
            inlet: ReceiveBatch::new(MERGED_BATCH, PACKET).map(ReceiveMethod::Batch),
            by: DatagramSyscalls::Gro,
            fallback: None,
        },
        Some(e) => ChosenReceiveMethod {
            inlet: several(each),
            by: DatagramSyscalls::Mmsg,
            fallback: Some(format!("UDP_GRO refused ({e})")),
        },
    }
}

fn several(each: usize) -> io::Result<ReceiveMethod> {
    ReceiveBatch::new((BATCH_BYTES / each).clamp(1, BATCH), each).map(ReceiveMethod::Batch)
}

impl ReceiveMethod {
    #[inline(always)]
    pub fn receive_datagrams(&mut self, fd: RawFd, flags: libc::c_int) -> io::Result<usize> {
        // Lengths as sent, of datagrams that are too long for the buffer too.
        let flags = flags | libc::MSG_TRUNC;
        match self {
            ReceiveMethod::Plain(datagram) => sys::recv(fd, datagram, flags),
            ReceiveMethod::Batch(batch) => batch.receive_messages(fd, flags),
        }
    }

    /// Returns the bytes that have arrived, of any datagrams.
    #[inline(always)]
    pub fn record_arrivals(&self, got: usize, at: Option<u64>, arrivals: &mut ReceiveCounter) -> u64 {
        match self {
            ReceiveMethod::Plain(datagram) => {
                arrivals.record_datagram(&datagram[..got.min(datagram.len())], at);
                got as u64
            }
            ReceiveMethod::Batch(batch) => batch.received_packets().fold(0, |bytes, packet| {
                arrivals.record_packet(packet.bytes, packet.segment);
                bytes + packet.length as u64
            }),
        }
    }
}
