//! Emulates a host's bus: all traffic of the host passes one token bucket. Each interface redirects incoming
//! and outgoing frames through one ifb device in the host's namespace, which a token bucket with a fixed
//! queue empties at the bus's rate. Frames count with their header, without wire overhead. Arbitration and
//! descriptors are not emulated.

use crate::external_tool;
use crate::namespace::run_in_network_namespace;
use crate::start_failure::LabStartFailure;
use crate::topology::EmulatedHostBus;
use crate::traffic_shape::TrafficShape;
use crate::{medium::LinkLayerParameters, token_bucket};
use goodput_model::{Nanos, Setting};
use goodput_words::message;
use serde::{Deserialize, Serialize};
use std::fs::File;

const DEVICE: &str = "bus0";

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmulatedHostBusState {
    pub name: String,
    pub device: String,
    pub shape: Setting<TrafficShape>,
}

impl EmulatedHostBus {
    /// `mtu` is the largest packet.
    fn shape(&self, mtu: u32) -> Option<TrafficShape> {
        let shape = TrafficShape::from_link_layer(
            Some(LinkLayerParameters { rate: self.rate, overhead: 0, cells: false }),
            mtu,
        );
        let Some(queue) = self.queue else { return shape };
        // tbf takes the queue's length as latency.
        let latency = Nanos(queue.0.saturating_mul(8_000_000_000) / self.rate.0.max(1));
        shape.map(|shape| TrafficShape { latency, ..shape })
    }

    /// `mtu` is the largest packet of the interfaces.
    pub(crate) fn apply_to_interfaces(
        &self,
        net: &File,
        interfaces: &[String],
        mtu: u32,
    ) -> Result<EmulatedHostBusState, LabStartFailure> {
        let asked = self.shape(mtu);
        external_tool::run_tool_batch(
            "ip",
            &format!("link add name {DEVICE} type ifb\nlink set dev {DEVICE} up\n"),
            net,
        )?;
        external_tool::run_tool_batch("tc", &traffic_batch(asked, interfaces), net)?;
        let obtained = run_in_network_namespace(net, || token_bucket::read_traffic_shape(DEVICE))
            .map_err(LabStartFailure::wrap_error("cannot read back its token bucket"))?;
        let promise = |shape: &Option<TrafficShape>| shape.map(|s| (s.rate, s.overhead));
        if promise(&asked) != promise(&obtained) {
            let (obtained, asked) = (format!("{obtained:?}"), format!("{asked:?}"));
            return Err(LabStartFailure::new(message!(error_lab_bus_bucket { obtained, asked })));
        }
        let shape = Setting { asked, obtained };
        Ok(EmulatedHostBusState { name: self.name.clone(), device: DEVICE.into(), shape })
    }
}

fn traffic_batch(shape: Option<TrafficShape>, interfaces: &[String]) -> String {
    let mut batch = shape.map_or_else(String::new, |shape| shape.tc_command(DEVICE));
    for interface in interfaces {
        batch.push_str(&format!("qdisc add dev {interface} clsact\n"));
        for way in ["ingress", "egress"] {
            batch.push_str(&format!(
                "filter add dev {interface} {way} protocol all u32 match u32 0 0 \
                 action mirred egress redirect dev {DEVICE}\n"
            ));
        }
    }
    batch
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::Bytes;

    #[test]
    fn a_queue_is_told_as_the_time_to_empty_it() {
        let bus = EmulatedHostBus { queue: Some(Bytes(6_000)), ..("12Mbit".parse().unwrap()) };
        assert_eq!(bus.shape(1500).unwrap().latency, Nanos(4_000_000));
        assert!(bus.is_valid() && !EmulatedHostBus { queue: Some(Bytes(1_000)), ..bus }.is_valid());
    }

    #[test]
    fn both_directions_of_every_interface_pass_one_device() {
        let shape = "800Mbit".parse::<EmulatedHostBus>().unwrap().shape(1500);
        let batch = traffic_batch(shape, &["eth0".into(), "eth1".into()]);
        assert!(batch.starts_with("qdisc add dev bus0 root tbf rate 800000000bit "), "{batch}");
        assert!(batch.contains(" overhead 0\n"), "{batch}");
        assert_eq!(batch.matches("redirect dev bus0\n").count(), 4);
        assert_eq!(batch.matches(" clsact\n").count(), 2);
    }
}
