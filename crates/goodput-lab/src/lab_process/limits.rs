//! Applies the hosts' limits: disk, bus, cost of packets, CPU share.

use crate::cgroup::CgroupOwner;
use crate::cpu_quota::CpuQuotaState;
use crate::disk::{self, DiskState};
use crate::emulated_host_bus::EmulatedHostBusState;
use crate::emulated_packet_cost::EmulatedPacketCostState;
use crate::lab_plan::LabPlan;
use crate::namespace::NamespaceFiles;
use crate::start_failure::{LabStartFailure, LabStartFailureKind};
use crate::veth::{VethEndLocation, VethPair};
use goodput_words::message;
use std::path::PathBuf;

#[derive(Default)]
pub(super) struct AppliedHostLimits {
    pub groups: Vec<PathBuf>,
    pub cpu_share: Option<CpuQuotaState>,
    pub disk: Option<DiskState>,
    pub packet_cost: Option<EmulatedPacketCostState>,
    pub bus: Option<EmulatedHostBusState>,
}

pub(super) fn apply_host_limits(
    plan: &LabPlan,
    owner: &CgroupOwner,
    hosts: &[NamespaceFiles],
    wires: &[VethPair],
) -> Result<Vec<AppliedHostLimits>, LabStartFailure> {
    let wanted = &plan.topology.hosts;
    if plan.user_namespace {
        for host in wanted {
            let name = &host.name;
            let what = match (host.disk, host.cpu_share) {
                (Some(_), _) => message!(error_lab_disk_needs_root { name }),
                (None, Some(_)) => message!(error_lab_cpu_share_needs_root { name }),
                (None, None) => continue,
            };
            let failure = LabStartFailure::new(what).with_kind(LabStartFailureKind::NotPermitted);
            return Err(failure.with_hint("run as root"));
        }
    }
    disk::check_available_memory(wanted.iter().filter_map(|host| host.disk))?;
    let mut all = Vec::new();
    for (number, (wanted, host)) in wanted.iter().zip(hosts).enumerate() {
        let mut given = AppliedHostLimits::default();
        if let Some(disk) = &wanted.disk {
            let (state, groups) = disk.create(owner, &wanted.name, host)?;
            given.disk = Some(state);
            given.groups.extend(groups);
        }
        if let Some(cost) = wanted.packet_cost {
            let what = message!(error_lab_cannot_cost_packets { host: &wanted.name });
            let failed = |e: LabStartFailure| e.with_context(what);
            given.packet_cost = Some(cost.apply_to_namespace(&host.net).map_err(failed)?);
        }
        if let Some(bus) = &wanted.bus {
            let own = |wire: &VethPair| {
                let end = wire.ends.iter().find(|end| end.place == VethEndLocation::Host(number))?;
                Some((end.interface.clone(), plan.topology.links[wire.link].mtu))
            };
            let (interfaces, mtus): (Vec<String>, Vec<u32>) = wires.iter().filter_map(own).unzip();
            let most = mtus.into_iter().max().unwrap_or_default();
            let what = message!(error_lab_cannot_use_bus { host: &wanted.name });
            let failed = |e: LabStartFailure| e.with_context(what);
            given.bus = Some(bus.apply_to_interfaces(&host.net, &interfaces, most).map_err(failed)?);
        }
        if let Some(share) = wanted.cpu_share {
            let (state, groups) = share.apply_to_host(owner, &wanted.name)?;
            given.cpu_share = Some(state);
            given.groups.extend(groups);
        }
        all.push(given);
    }
    Ok(all)
}
