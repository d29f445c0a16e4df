//! Builds the network of a lab inside the keeper: links, shaping, and verification by reading back.

use crate::cpu_pin::CpuPin;
use crate::external_tool;
use crate::frame_rules;
use crate::ip_batch;
use crate::lab_state::LinkState;
use crate::namespace::{NamespaceFiles, run_in_network_namespace};
use crate::start_failure::LabStartFailure;
use crate::sys::{self, Offload};
use crate::token_bucket;
use crate::topology::{Host, Topology};
use crate::traffic_shape::{OffloadSettings, TrafficShape, VethEndState};
use crate::veth::{VethEndLocation, VethPair, VethPort, compute_routes};
use goodput_model::{BitRate, Setting};
use goodput_words::{Message, message};
use std::fs::{self, File};
use std::io;
use std::net::UdpSocket;
use std::os::fd::AsRawFd;

pub(crate) struct NetworkBuilder<'a> {
    pub topology: &'a Topology,
    pub wires: &'a [VethPair],
    pub hosts: &'a [NamespaceFiles],
    pub switches: &'a File,
    pub ipv6: bool,
    pub pin: Option<&'a CpuPin>,
}

impl NetworkBuilder<'_> {
    pub(crate) fn build(&self) -> Result<Vec<LinkState>, LabStartFailure> {
        // The keeper is process 1 of its PID namespace.
        let path = |host: usize| format!("/proc/1/fd/{}", self.hosts[host].net.as_raw_fd());
        let batch = ip_batch::build_switch_ip_batch(self.topology, self.wires, path);
        external_tool::run_tool_batch("ip", &batch, self.switches)?;
        for (number, host) in self.hosts.iter().enumerate() {
            external_tool::run_tool_batch(
                "ip",
                &ip_batch::build_host_ip_batch(self.wires, number),
                &host.net,
            )?;
        }
        self.forward()?;
        self.shape()?;
        self.pass()?;
        if let Some(pin) = self.pin {
            for end in self.wires.iter().flat_map(|w| &w.ends) {
                let host = self.host_of(end).map(|host| &host.name);
                let interface = &end.interface;
                let failed = LabStartFailure::wrap_error(message!(error_lab_cannot_steer { interface }));
                pin.set_rps_cpus(self.namespace(end.place), interface, host).map_err(failed)?;
            }
        }
        (self.topology.links.iter().enumerate())
            .map(|(number, link)| {
                let wires = self.wires.iter().filter(|w| w.link == number);
                let ends = wires.flat_map(|w| w.ends.iter().map(|end| self.read(w, end)));
                Ok(LinkState::new(link, ends.collect::<Result<_, _>>()?))
            })
            .collect()
    }

    fn forward(&self) -> Result<(), LabStartFailure> {
        for (number, host) in self.topology.hosts.iter().enumerate() {
            let namespace = &self.hosts[number].net;
            if host.forward {
                let on = || {
                    fs::write("/proc/sys/net/ipv4/ip_forward", "1")?;
                    if self.ipv6 { fs::write("/proc/sys/net/ipv6/conf/all/forwarding", "1") } else { Ok(()) }
                };
                let what = message!(error_lab_cannot_forward { host: &host.name });
                run_in_network_namespace(namespace, on).map_err(LabStartFailure::wrap_error(what))?;
            }
            let routes = compute_routes(self.topology, number, self.ipv6);
            external_tool::run_tool_batch("ip", &ip_batch::build_route_ip_batch(&routes), namespace)?;
        }
        Ok(())
    }

    /// A relay drops frames itself.
    fn pass(&self) -> Result<(), LabStartFailure> {
        for (number, link) in
            self.topology.links.iter().enumerate().filter(|(_, link)| !link.uses_relay_process())
        {
            let wires = self.wires.iter().filter(|wire| wire.link == number);
            let ports =
                wires.map(|wire| &wire.ends[1]).filter(|end| end.place == VethEndLocation::Switch(number));
            let ports: Vec<&str> = ports.map(|end| end.interface.as_str()).collect();
            let rules = frame_rules::nft_drop_rules(number, &link.way, &ports);
            if !rules.is_empty() {
                external_tool::run_tool_with_input("nft", &["-f", "-"], &rules, self.switches)?;
            }
        }
        Ok(())
    }

    fn namespace(&self, place: VethEndLocation) -> &File {
        match place {
            VethEndLocation::Host(host) => &self.hosts[host].net,
            VethEndLocation::Switch(_) => self.switches,
        }
    }

    fn host_of(&self, end: &VethPort) -> Option<&Host> {
        end.place.host().map(|host| &self.topology.hosts[host])
    }

    fn title(&self, end: &VethPort) -> Message {
        let interface = &end.interface;
        match self.host_of(end) {
            Some(host) => message!(part_lab_interface_of_host { interface, host: &host.name }),
            None => message!(part_lab_switch_port { interface }),
        }
    }

    /// Turns off the offloads of every rated link before shaping, and of links whose frames are examined one
    /// by one. Where each must be counted, hosts send single segments.
    fn shape(&self) -> Result<(), LabStartFailure> {
        let hosts = (0..self.hosts.len()).map(Some);
        for host in hosts.chain([None]) {
            let (mut shaping, mut single) = (String::new(), String::new());
            for wire in self.wires.iter().filter(|wire| self.is_bare(wire)) {
                let mtu = self.topology.links[wire.link].mtu;
                for end in wire.ends.iter().filter(|end| end.place.host() == host) {
                    self.offloads_off(wire, end)?;
                    let shape = wire.egress_shape(end, mtu);
                    shaping
                        .push_str(&shape.map_or_else(String::new, |shape| shape.tc_command(&end.interface)));
                    // A shaper counts overhead once for several frames in a unit below the bucket's depth.
                    let counted = wire.relayed || self.topology.links[wire.link].medium.is_some();
                    if self.pays(end) || (counted && end.place.host().is_some() && is_slow(wire)) {
                        single.push_str(&ip_batch::limit_gso_to_one_segment_command(&end.interface));
                    }
                }
            }
            let namespace = host.map_or(self.switches, |host| &self.hosts[host].net);
            external_tool::run_tool_batch("ip", &single, namespace)?;
            external_tool::run_tool_batch("tc", &shaping, namespace)?;
        }
        Ok(())
    }

    fn pays(&self, end: &VethPort) -> bool {
        self.host_of(end).is_some_and(|host| host.packet_cost.is_some())
    }

    fn has_bus(&self, end: &VethPort) -> bool {
        self.host_of(end).is_some_and(|host| host.bus.is_some())
    }

    fn is_bare(&self, wire: &VethPair) -> bool {
        let looked_at = wire.relayed || self.topology.links[wire.link].way.drops_frames();
        wire.line.is_some() || looked_at || wire.ends.iter().any(|end| self.pays(end) || self.has_bus(end))
    }

    /// `None` leaves them unchanged.
    fn offloads(&self, wire: &VethPair) -> Option<OffloadSettings> {
        let bare = if wire.relayed { OffloadSettings::ALL_OFF } else { OffloadSettings::CHECKSUM_ONLY };
        self.is_bare(wire).then_some(bare)
    }

    fn offloads_off(&self, wire: &VethPair, end: &VethPort) -> Result<(), LabStartFailure> {
        let interface = self.title(end);
        let failed = LabStartFailure::wrap_error(message!(error_lab_cannot_disable_offloads { interface }));
        run_in_network_namespace(self.namespace(end.place), || {
            let socket = any_socket()?;
            let checksum = wire.relayed.then_some(Offload::CHECKSUM);
            [Offload::TSO, Offload::GSO, Offload::GRO]
                .into_iter()
                .chain(checksum)
                .try_for_each(|which| sys::disable_offload(&socket, &end.interface, which))
        })
        .map_err(failed)
    }

    fn read(&self, wire: &VethPair, end: &VethPort) -> Result<VethEndState, LabStartFailure> {
        let interface = self.title(end);
        let what = message!(error_lab_cannot_read_settings { interface: &interface });
        let (mtu, offloads, shape) = run_in_network_namespace(self.namespace(end.place), || {
            let socket = any_socket()?;
            let on = |which| sys::offload_enabled(&socket, &end.interface, which);
            let offloads = OffloadSettings {
                tso: on(Offload::TSO)?,
                gso: on(Offload::GSO)?,
                gro: on(Offload::GRO)?,
                checksum: on(Offload::CHECKSUM)?,
            };
            Ok((
                sys::interface_mtu(&socket, &end.interface)?,
                offloads,
                token_bucket::read_traffic_shape(&end.interface)?,
            ))
        })
        .map_err(LabStartFailure::wrap_error(what))?;
        let link = &self.topology.links[wire.link];
        let state = VethEndState {
            host: self.host_of(end).map(|host| host.name.clone()),
            interface: end.interface.clone(),
            mtu: Setting { asked: Some(link.mtu), obtained: Some(mtu) },
            offloads: Setting { asked: self.offloads(wire), obtained: Some(offloads) },
            shape: Setting { asked: wire.egress_shape(end, link.mtu), obtained: shape },
        };
        prove(&state, &interface)?;
        Ok(state)
    }
}

fn is_slow(wire: &VethPair) -> bool {
    const SLOW: BitRate = BitRate(200_000_000);
    wire.line.is_none_or(|line| line.rate <= SLOW)
}

impl VethEndLocation {
    fn host(self) -> Option<usize> {
        match self {
            VethEndLocation::Host(host) => Some(host),
            VethEndLocation::Switch(_) => None,
        }
    }
}

/// A socket stays in the namespace in which it was created.
fn any_socket() -> io::Result<UdpSocket> {
    UdpSocket::bind("0.0.0.0:0")
}

/// Fails unless MTU, offloads, rate and overhead are as requested. The burst is rounded, so only recorded.
fn prove(end: &VethEndState, interface: &Message) -> Result<(), LabStartFailure> {
    let differs = |what: &str, asked: String, obtained: String| {
        Err(LabStartFailure::new(message!(error_lab_link_differs { interface, what, obtained, asked })))
    };
    if end.mtu.differs_from_requested() {
        return differs("mtu", format!("{:?}", end.mtu.asked), format!("{:?}", end.mtu.obtained));
    }
    if end.offloads.differs_from_requested() {
        return differs("offloads", "none".into(), format!("{:?}", end.offloads.obtained));
    }
    let promise = |shape: &Option<TrafficShape>| shape.map(|s| (s.rate, s.overhead, s.cells));
    if promise(&end.shape.asked) != promise(&end.shape.obtained) {
        return differs("shaping", format!("{:?}", end.shape.asked), format!("{:?}", end.shape.obtained));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::medium::LinkLayerParameters;
    use goodput_model::Bytes;

    fn refused(change: impl FnOnce(&mut VethEndState)) -> bool {
        let shape =
            TrafficShape::from_link_layer(Some(LinkLayerParameters::ethernet(BitRate(100_000_000))), 1500);
        let off = Some(OffloadSettings::ALL_OFF);
        let mut end = VethEndState {
            host: None,
            interface: "p0-0".into(),
            mtu: Setting { asked: Some(1500), obtained: Some(1500) },
            offloads: Setting { asked: off, obtained: off },
            shape: Setting { asked: shape, obtained: shape },
        };
        change(&mut end);
        prove(&end, &"eth0 of host a".into()).is_err()
    }

    #[test]
    fn a_link_that_is_not_what_it_is_called_is_refused() {
        assert!(!refused(|_| ()));
        assert!(refused(|e| e.mtu.obtained = Some(1492)));
        let segmented = OffloadSettings { gso: true, ..OffloadSettings::ALL_OFF };
        assert!(refused(|e| e.offloads.obtained = Some(segmented)));
        assert!(refused(|e| e.offloads.obtained = Some(OffloadSettings::CHECKSUM_ONLY)));
        assert!(refused(|e| e.shape.obtained = None));
        assert!(refused(|e| e.shape.asked = None));
        assert!(refused(|e| e.shape.obtained.as_mut().unwrap().cells = true));
        assert!(refused(|e| e.shape.obtained.as_mut().unwrap().overhead = Bytes(0)));
        // The rounding of a burst is no difference.
        assert!(!refused(|e| e.shape.obtained.as_mut().unwrap().burst.0 -= 8));
    }
}
