//! Sends probe packets despite pending errors, and reads those errors.

use super::prober::MtuProber;
use super::sys::{self as system, ErrorOrigin};
use crate::sys;
use crate::time::now_ns;
use crate::watch::ThreadCounters;
use std::io;
use std::net::IpAddr;
use std::os::fd::RawFd;

const SENDS: u8 = 4;
/// Bytes of a quoted payload that are read: ICMP header and ours.
const QUOTED: usize = 64;

/// Interprets errors and the packets they quote.
pub(super) trait QuotedPacketParser {
    /// The number of our quoted packet; `None` if it is too short or not ours.
    fn quoted_sequence_number(&self, quoted: &[u8]) -> Option<u64>;
    /// An error unrelated to packet size.
    fn handle_non_mtu_error(&self, error: io::Error, by: Option<IpAddr>);
}

/// Sends a probe packet; tells the prober about refusals.
pub(super) fn send_probe(
    fd: RawFd,
    bytes: &[u8],
    seq: u64,
    prober: &mut MtuProber,
    quotes: &impl QuotedPacketParser,
    counter: &ThreadCounters,
) -> io::Result<Option<io::Error>> {
    let mut why = None;
    for _ in 0..SENDS {
        match sys::send(fd, bytes, libc::MSG_DONTWAIT) {
            Ok(n) => {
                counter.add_traffic(n as u64, 0);
                return Ok(None);
            }
            Err(e) => {
                // With IP_RECVERR a call may return an earlier packet's network error; only local errors
                // concern this packet.
                if let Some(mtu) = drain_error_queue(fd, prober, quotes)? {
                    prober.record_local_packet_too_big(seq, mtu);
                    return Ok(None);
                }
                why = Some(e);
            }
        }
    }
    prober.record_unsent_packet(seq, now_ns());
    Ok(why)
}

/// Empties the error queue. Returns the own interface's MTU, if it refused the packet.
pub(super) fn drain_error_queue(
    fd: RawFd,
    prober: &mut MtuProber,
    quotes: &impl QuotedPacketParser,
) -> io::Result<Option<u32>> {
    let mut refused = None;
    let mut quoted = [0; QUOTED];
    while let Some(error) = system::read_error_queue(fd, &mut quoted)? {
        match (error.errno, error.origin, error.by) {
            (libc::EMSGSIZE, ErrorOrigin::Local, _) => refused = Some(error.info),
            (libc::EMSGSIZE, ErrorOrigin::Network, Some(by)) => {
                prober.record_packet_too_big(
                    quotes.quoted_sequence_number(&quoted[..error.quoted.min(QUOTED)]),
                    error.info,
                    by,
                );
            }
            (0 | libc::EMSGSIZE, ..) => {}
            (other, _, by) => quotes.handle_non_mtu_error(io::Error::from_raw_os_error(other), by),
        }
    }
    Ok(refused)
}
