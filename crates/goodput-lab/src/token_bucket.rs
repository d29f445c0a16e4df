//! Reads an interface's token bucket from the kernel, so that a lab records what it obtained. Netlink
//! messages as in linux/rtnetlink.h and linux/pkt_sched.h, in native byte order.

use crate::traffic_shape::TrafficShape;
use goodput_model::{BitRate, Bytes, Nanos};
use nix::net::if_::if_nametoindex;
use nix::sys::socket::{AddressFamily, MsgFlags, SockFlag, SockProtocol, SockType, recv, send, socket};
use std::io;
use std::os::fd::AsRawFd;

const RTM_NEWQDISC: u16 = 36;
const RTM_GETQDISC: u16 = 38;
const NLMSG_ERROR: u16 = 2;
const NLMSG_DONE: u16 = 3;
const NLM_F_REQUEST_DUMP: u16 = 0x1 | 0x300;
const TC_H_ROOT: u32 = 0xffff_ffff;
const TCA_KIND: u16 = 1;
const TCA_OPTIONS: u16 = 2;
const TCA_TBF_PARMS: u16 = 1;
const TCA_TBF_RATE64: u16 = 4;
/// TC_LINKLAYER_ATM in struct tc_ratespec.
const LINK_LAYER_ATM: u8 = 2;
const HEADER: usize = 16;
const TCMSG: usize = 20;
/// The kernel stores the bucket's depth as time, in ticks of 64 ns (PSCHED_SHIFT).
const TICK_NS: u64 = 64;

/// Of the current namespace; `None` when the root queue is no token bucket.
pub(crate) fn read_traffic_shape(interface: &str) -> io::Result<Option<TrafficShape>> {
    let index = if_nametoindex(interface)?;
    let socket =
        socket(AddressFamily::Netlink, SockType::Raw, SockFlag::SOCK_CLOEXEC, SockProtocol::NetlinkRoute)?;
    send(socket.as_raw_fd(), &question(index), MsgFlags::empty())?;
    // The kernel fills at most 32 KiB at once.
    let mut buffer = vec![0u8; 64 * 1024];
    let mut found = None;
    loop {
        let length = recv(socket.as_raw_fd(), &mut buffer, MsgFlags::empty())?;
        let mut rest = &buffer[..length];
        while let Some((kind, body, after)) = message(rest) {
            match kind {
                NLMSG_DONE => return Ok(found),
                NLMSG_ERROR => {
                    let errno = body.get(..4).and_then(|b| b.try_into().ok()).map_or(0, i32::from_ne_bytes);
                    return Err(io::Error::from_raw_os_error(-errno));
                }
                RTM_NEWQDISC => found = found.or(token_bucket(body, index)),
                _ => {}
            }
            rest = after;
        }
        if length == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
}

fn question(index: u32) -> Vec<u8> {
    let mut q = Vec::with_capacity(HEADER + TCMSG);
    q.extend(((HEADER + TCMSG) as u32).to_ne_bytes());
    q.extend(RTM_GETQDISC.to_ne_bytes());
    q.extend(NLM_F_REQUEST_DUMP.to_ne_bytes());
    q.extend([0; 8]);
    q.extend([0; 4]);
    q.extend(index.to_ne_bytes());
    q.extend([0; 12]);
    q
}

fn message(bytes: &[u8]) -> Option<(u16, &[u8], &[u8])> {
    let length = u32_at(bytes, 0)? as usize;
    let body = bytes.get(HEADER..length)?;
    Some((u16_at(bytes, 4)?, body, bytes.get(length.next_multiple_of(4)..).unwrap_or(&[])))
}

fn attribute(mut bytes: &[u8], wanted: u16) -> Option<&[u8]> {
    loop {
        let length = u16_at(bytes, 0)? as usize;
        let value = bytes.get(4..length)?;
        if u16_at(bytes, 2)? & 0x3fff == wanted {
            return Some(value);
        }
        bytes = bytes.get(length.next_multiple_of(4)..)?;
    }
}

/// `None` unless it is the root of this interface.
fn token_bucket(body: &[u8], index: u32) -> Option<TrafficShape> {
    if u32_at(body, 4)? != index || u32_at(body, 12)? != TC_H_ROOT {
        return None;
    }
    let attributes = body.get(TCMSG..)?;
    if attribute(attributes, TCA_KIND)? != b"tbf\0" {
        return None;
    }
    let options = attribute(attributes, TCA_OPTIONS)?;
    // struct tc_tbf_qopt: rate and peak rate of 12 bytes each, then limit, buffer, mtu.
    let parameters = attribute(options, TCA_TBF_PARMS)?;
    let rate64 =
        attribute(options, TCA_TBF_RATE64).and_then(|b| Some(u64::from_ne_bytes(b.try_into().ok()?)));
    let bytes_per_second = rate64.unwrap_or(u64::from(u32_at(parameters, 8)?));
    // struct tc_ratespec: a byte for the table, one for the link layer, two for the overhead.
    let cells = parameters.get(1)? & 0x0f == LINK_LAYER_ATM;
    let overhead = u64::from(u16_at(parameters, 2)?);
    let limit = u64::from(u32_at(parameters, 24)?);
    let depth_ns = u64::from(u32_at(parameters, 28)?) * TICK_NS;
    // The depth includes the overhead once, and tc subtracts the depth from the limit for its latency.
    let depth = scale(bytes_per_second, depth_ns, 1_000_000_000)?;
    let depth = if cells { depth / 53 * 48 } else { depth };
    let burst = depth.saturating_sub(overhead);
    let latency = scale(limit.saturating_sub(burst), 1_000_000_000, bytes_per_second)?;
    Some(TrafficShape {
        rate: BitRate(bytes_per_second.checked_mul(8)?),
        overhead: Bytes(overhead),
        cells,
        burst: Bytes(burst),
        latency: Nanos(latency),
    })
}

/// Rounded; `None` when `c` is zero or the result does not fit.
fn scale(a: u64, b: u64, c: u64) -> Option<u64> {
    let product = u128::from(a) * u128::from(b) + u128::from(c) / 2;
    u64::try_from(product.checked_div(u128::from(c))?).ok()
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_ne_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_ne_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn attr(kind: u16, value: &[u8]) -> Vec<u8> {
        let mut all = ((4 + value.len()) as u16).to_ne_bytes().to_vec();
        all.extend(kind.to_ne_bytes());
        all.extend(value);
        all.resize(all.len().next_multiple_of(4), 0);
        all
    }

    /// Linux 6.18 for `tbf rate 100mbit overhead 24 burst 3100 latency 50ms` on interface 7.
    fn answer() -> Vec<u8> {
        let mut parameters = vec![0, 1];
        parameters.extend(24u16.to_ne_bytes());
        parameters.extend([0; 4]);
        parameters.extend(12_500_000u32.to_ne_bytes());
        parameters.extend([0; 12]);
        parameters.extend(628_100u32.to_ne_bytes());
        // 3,124 bytes at 12.5 bytes a microsecond are 249,920 ns, 3,905 ticks.
        parameters.extend(3_905u32.to_ne_bytes());
        parameters.extend([0; 4]);
        let mut body = vec![0; 4];
        body.extend(7u32.to_ne_bytes());
        body.extend([0; 4]);
        body.extend(TC_H_ROOT.to_ne_bytes());
        body.extend([0; 4]);
        body.extend(attr(TCA_KIND, b"tbf\0"));
        body.extend(attr(TCA_OPTIONS | 0x8000, &attr(TCA_TBF_PARMS, &parameters)));
        body
    }

    #[test]
    fn a_bucket_reads_back_as_it_was_asked() {
        let shape = token_bucket(&answer(), 7).unwrap();
        assert_eq!((shape.rate, shape.overhead), (BitRate(100_000_000), Bytes(24)));
        assert_eq!((shape.burst, shape.latency, shape.cells), (Bytes(3_100), Nanos(50_000_000), false));
        let mut atm = answer();
        let parameters = TCMSG + 8 + 4 + 4;
        assert_eq!(std::mem::replace(&mut atm[parameters + 1], LINK_LAYER_ATM), 1);
        assert!(token_bucket(&atm, 7).unwrap().cells);
    }

    #[test]
    fn another_interface_or_queue_is_not_ours() {
        assert_eq!(token_bucket(&answer(), 8), None);
        let mut child = answer();
        child[12..16].copy_from_slice(&1u32.to_ne_bytes());
        assert_eq!(token_bucket(&child, 7), None);
        assert_eq!(read_traffic_shape("lo").unwrap(), None);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(mut bytes in proptest::collection::vec(any::<u8>(), 0..300), cut in 0usize..120) {
            let _ = message(&bytes);
            let _ = token_bucket(&bytes, 0);
            let mut torn = answer();
            torn.truncate(cut);
            torn.append(&mut bytes);
            let _ = token_bucket(&torn, 7);
        }
    }
}
