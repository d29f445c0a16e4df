//! Queueing disciplines of this namespace with counters, by rtnetlink (RTM_GETQDISC).

use crate::HostError;
use crate::netlink::{
    DUMP_REQUEST_FLAGS, NetlinkSocket, find_attribute, parse_attributes, parse_integer, parse_string,
    read_u32_at,
};
use goodput_model::host::inventory::Qdisc;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LinkQdisc {
    pub index: u32,
    pub root: bool,
    pub qdisc: Qdisc,
    /// Drops, requeues and overlimits since its creation; `None` without counters.
    pub counted: Option<[u64; 3]>,
}

/// Names of [`LinkQdisc::counted`].
pub(crate) const QDISC_COUNTER_NAMES: [&str; 3] = ["qdisc_drops", "qdisc_requeues", "qdisc_overlimits"];

const RTM_GETQDISC: u16 = 38;
/// `struct tcmsg`.
const HEADER: usize = 20;
const ROOT: u32 = 0xffff_ffff;
const INGRESS: u32 = 0xffff_fff1;

pub(crate) fn list_qdiscs(netlink: &mut NetlinkSocket) -> Result<Vec<LinkQdisc>, HostError> {
    let answer = netlink.request("RTM_GETQDISC", RTM_GETQDISC, DUMP_REQUEST_FLAGS, &[0; HEADER])?;
    Ok(answer.iter().filter_map(|payload| parse_qdisc(payload)).collect())
}

/// RTM_NEWQDISC. Attributes of linux/rtnetlink.h (TCA_KIND 1, TCA_OPTIONS 2, TCA_STATS2 7), in TCA_STATS2
/// `struct gnet_stats_queue` (3) of linux/gen_stats.h.
pub(crate) fn parse_qdisc(payload: &[u8]) -> Option<LinkQdisc> {
    let parent = read_u32_at(payload, 12)?;
    let mut found =
        LinkQdisc { index: read_u32_at(payload, 4)?, root: parent == ROOT, ..LinkQdisc::default() };
    found.qdisc.parent = match parent {
        ROOT => "root".into(),
        INGRESS => "ingress".into(),
        other => format!("{:x}:{:x}", other >> 16, other & 0xffff),
    };
    let mut options: &[u8] = &[];
    for (kind, value) in parse_attributes(payload.get(HEADER..)?) {
        match kind {
            1 => found.qdisc.kind = parse_string(value),
            2 => options = value,
            7 => {
                let queue = find_attribute(value, 3);
                // qlen, backlog, drops, requeues, overlimits
                let at = |n| queue.and_then(|q| read_u32_at(q, n)).map(u64::from);
                found.counted = at(8).zip(at(12)).zip(at(16)).map(|((d, r), o)| [d, r, o]);
            }
            _ => {}
        }
    }
    if found.qdisc.kind == "tbf" {
        token_bucket(options, &mut found.qdisc);
    }
    (!found.qdisc.kind.is_empty()).then_some(found)
}

/// `struct tc_tbf_qopt` (linux/pkt_sched.h): TCA_TBF_PARMS is 1, TCA_TBF_RATE64 is 4.
fn token_bucket(options: &[u8], qdisc: &mut Qdisc) {
    for (kind, value) in parse_attributes(options) {
        match kind {
            // struct tc_ratespec: cell_log u8, linklayer u8, overhead u16, cell_align i16, mpu u16, rate u32 in B/s.
            1 => {
                qdisc.overhead = value.get(2..4).and_then(parse_integer);
                qdisc.rate_bps = qdisc.rate_bps.or(read_u32_at(value, 8).map(|n| u64::from(n) * 8));
            }
            4 => qdisc.rate_bps = parse_integer(value).map(|n: u64| n.saturating_mul(8)),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::netlink::{encode_attribute, stored};

    #[test]
    fn a_captured_machine_has_these() {
        let bytes = include_bytes!("../../../fixtures/host/firecracker-2cpu-6.18/rtnl-qdiscs.bin");
        let found: Vec<LinkQdisc> = stored(bytes).iter().filter_map(|p| parse_qdisc(p)).collect();
        assert!(!found.is_empty());
        assert!(found.iter().all(|q| q.root && q.qdisc.parent == "root" && !q.qdisc.kind.is_empty()));
        assert_eq!(found[0].qdisc.kind, "noqueue");
    }

    #[test]
    fn a_token_bucket_tells_its_rate() {
        let mut parms = vec![0u8; 36];
        parms[2..4].copy_from_slice(&24u16.to_ne_bytes());
        parms[8..12].copy_from_slice(&12_500_000u32.to_ne_bytes());
        let mut payload = vec![0u8; HEADER];
        payload[4] = 3;
        payload[12..16].copy_from_slice(&0x0001_0000u32.to_ne_bytes());
        payload.extend(encode_attribute(1, b"tbf\0"));
        payload.extend(encode_attribute(2, &encode_attribute(1, &parms)));
        let mut queue = vec![0u8; 20];
        (queue[8], queue[16]) = (5, 9);
        payload.extend(encode_attribute(7, &encode_attribute(3, &queue)));
        let found = parse_qdisc(&payload).unwrap();
        assert_eq!((found.index, found.root, found.counted), (3, false, Some([5, 0, 9])));
        assert_eq!(found.qdisc.parent, "1:0");
        assert_eq!((found.qdisc.rate_bps, found.qdisc.overhead), (Some(100_000_000), Some(24)));
    }
}
