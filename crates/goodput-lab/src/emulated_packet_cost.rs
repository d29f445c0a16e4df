//! Emulates a host's cost of packets: nftables rules that never match, so that kernel work grows with the
//! number of packets. Offloads of the host's links are off at both ends, and its interfaces take single
//! segments (`gso_max_segs 1`), because TCP combines segments even without offloads (since Linux 4.17).

use crate::external_tool;
use crate::namespace::run_in_network_namespace;
use crate::start_failure::LabStartFailure;
use crate::topology::EmulatedPacketCost;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io;
use std::net::{Ipv4Addr, UdpSocket};
use std::time::{Duration, Instant};

/// Packets in a batch of the measurement; the fastest batch counts, to exclude other load.
const BATCH: u32 = 200;
const BATCHES: u32 = 15;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmulatedPacketCostState {
    pub rules: u32,
    /// Half of the additional time of a datagram on loopback, which passes the rules going out and coming in;
    /// fastest of several batches.
    pub packet_ns: u64,
}

impl EmulatedPacketCost {
    /// In portions that an unprivileged netlink socket accepts: a mark that no packet has, tested repeatedly.
    /// Loopback pays too until [`SPARE_LOOPBACK`].
    fn rules(self) -> Vec<String> {
        let all = vec!["add rule inet goodput_lab work meta mark 0x676f6f64 accept\n"; self.0 as usize];
        [CHAINS.to_string()].into_iter().chain(all.chunks(PORTION).map(<[&str]>::concat)).collect()
    }

    pub(crate) fn apply_to_namespace(self, net: &File) -> Result<EmulatedPacketCostState, LabStartFailure> {
        let failed = "cannot measure what a packet costs";
        let measured = || run_in_network_namespace(net, trip).map_err(LabStartFailure::wrap_error(failed));
        let without = measured()?;
        let order = |text: &str| external_tool::run_tool_with_input("nft", &["-f", "-"], text, net);
        self.rules().iter().try_for_each(|portion| order(portion))?;
        let with = measured()?;
        order(SPARE_LOOPBACK)?;
        let packet_ns = with.saturating_sub(without).as_nanos() as u64 / u64::from(2 * BATCH);
        Ok(EmulatedPacketCostState { rules: self.0, packet_ns })
    }
}

/// Every packet passes the rules once in each direction.
const CHAINS: &str = "table inet goodput_lab {\nchain work {\n}\n\
    chain coming { type filter hook prerouting priority -300;\njump work\n}\n\
    chain going { type filter hook postrouting priority 300;\njump work\n}\n}\n";

const PORTION: usize = 500;

const SPARE_LOOPBACK: &str = "insert rule inet goodput_lab coming iifname lo accept\n\
                              insert rule inet goodput_lab going oifname lo accept\n";

/// Sequential datagrams on loopback; the fastest of several batches.
fn trip() -> io::Result<Duration> {
    let socket = UdpSocket::bind((Ipv4Addr::LOCALHOST, 0))?;
    socket.connect(socket.local_addr()?)?;
    socket.set_read_timeout(Some(Duration::from_secs(1)))?;
    let mut buffer = [0; 64];
    let mut batch = || -> io::Result<Duration> {
        let begun = Instant::now();
        for _ in 0..BATCH {
            socket.send(&[0; 64])?;
            socket.recv(&mut buffer)?;
        }
        Ok(begun.elapsed())
    };
    let mut fastest = batch()?;
    for _ in 1..BATCHES {
        fastest = fastest.min(batch()?);
    }
    Ok(fastest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_packet_passes_every_rule_once() {
        let rules = EmulatedPacketCost(1_003).rules();
        let count = |text: &String| text.matches("work meta mark 0x676f6f64 accept\n").count();
        assert_eq!(rules.iter().map(count).collect::<Vec<_>>(), [0, 500, 500, 3]);
        assert_eq!(rules[0].matches("jump work").count(), 2);
        assert_eq!(rules[0].matches('{').count(), rules[0].matches('}').count());
    }
}
