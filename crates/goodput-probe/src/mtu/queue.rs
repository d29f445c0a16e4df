//! Sending a probing packet past the errors about earlier ones, and what those errors say.

use super::prober::Prober;
use super::sys::{self as system, Origin};
use crate::clock::now_ns;
use crate::sys;
use std::io;
use std::net::IpAddr;
use std::os::fd::RawFd;

/// Times a packet is handed to the kernel while old errors are in the way.
const SENDS: u8 = 4;
/// The start of a packet's payload that is looked at when an error quotes it: an ICMP header and our own.
const QUOTED: usize = 64;

/// What errors quote, and who wants to know of others.
pub(super) trait Quotes {
    /// The number of our packet whose payload begins so; `None` when too little is quoted to tell, or it is none of ours.
    fn number(&self, quoted: &[u8]) -> Option<u64>;
    /// An error that has nothing to do with a packet's size.
    fn other(&self, error: io::Error, by: Option<IpAddr>);
}

/// Hands a probing packet to the kernel and tells the prober when the kernel would not take it: why, where that has nothing
/// to do with its size.
pub(super) fn send(
    fd: RawFd,
    bytes: &[u8],
    seq: u64,
    prober: &mut Prober,
    quotes: &impl Quotes,
) -> io::Result<Option<io::Error>> {
    let mut why = None;
    for _ in 0..SENDS {
        match sys::send(fd, bytes, libc::MSG_DONTWAIT) {
            Ok(_) => return Ok(None),
            Err(e) => {
                // With IP_RECVERR an error of the network about an earlier packet is told by the next call;
                // only one of this host's own making is about this packet.
                if let Some(mtu) = errors(fd, prober, quotes)? {
                    prober.refused(seq, mtu);
                    return Ok(None);
                }
                why = Some(e);
            }
        }
    }
    prober.not_sent(seq, now_ns());
    Ok(why)
}

/// Empties the error queue. The MTU of this host's own interface, if it was the one to refuse.
pub(super) fn errors(fd: RawFd, prober: &mut Prober, quotes: &impl Quotes) -> io::Result<Option<u32>> {
    let mut refused = None;
    let mut quoted = [0; QUOTED];
    while let Some(error) = system::next_error(fd, &mut quoted)? {
        match (error.errno, error.origin, error.by) {
            (libc::EMSGSIZE, Origin::Local, _) => refused = Some(error.info),
            (libc::EMSGSIZE, Origin::Network, Some(by)) => {
                prober.too_big(quotes.number(&quoted[..error.quoted.min(QUOTED)]), error.info, by);
            }
            (0 | libc::EMSGSIZE, ..) => {}
            (other, _, by) => quotes.other(io::Error::from_raw_os_error(other), by),
        }
    }
    Ok(refused)
}
