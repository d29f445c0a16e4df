//! Applies the hosts' limits: disk, bus, cost of packets, CPU share.

use super::KeeperError;
use crate::bus::BusState;
use crate::disk::{self, DiskState};
use crate::group::Owner;
use crate::namespace::Host;
use crate::packet_cost::CostState;
use crate::plan::Plan;
use crate::share::ShareState;
use crate::wiring::{VethEnd, Wire};
use std::path::PathBuf;

#[derive(Default)]
pub(super) struct AppliedLimits {
    pub groups: Vec<PathBuf>,
    pub cpu_share: Option<ShareState>,
    pub disk: Option<DiskState>,
    pub packet_cost: Option<CostState>,
    pub bus: Option<BusState>,
}

pub(super) fn give(
    plan: &Plan,
    owner: &Owner,
    hosts: &[Host],
    wires: &[Wire],
) -> Result<Vec<AppliedLimits>, KeeperError> {
    let wanted = &plan.topology.hosts;
    if plan.user_namespace {
        for host in wanted {
            let what = match (host.disk, host.cpu_share) {
                (Some(_), _) => "a disk",
                (None, Some(_)) => "a share of the CPU",
                (None, None) => continue,
            };
            return Err(KeeperError::OnlyRoot { host: host.name.clone(), what });
        }
    }
    disk::check_memory(wanted.iter().filter_map(|host| host.disk))?;
    let mut all = Vec::new();
    for (number, (wanted, host)) in wanted.iter().zip(hosts).enumerate() {
        let mut given = AppliedLimits::default();
        if let Some(disk) = &wanted.disk {
            let (state, groups) = disk.make(owner, &wanted.name, host)?;
            given.disk = Some(state);
            given.groups.extend(groups);
        }
        if let Some(cost) = wanted.packet_cost {
            let failed = |source| KeeperError::Cost { host: wanted.name.clone(), source };
            given.packet_cost = Some(cost.charge(&host.net).map_err(failed)?);
        }
        if let Some(bus) = &wanted.bus {
            let own = |wire: &Wire| {
                let end = wire.ends.iter().find(|end| end.place == VethEnd::Host(number))?;
                Some((end.interface.clone(), plan.topology.links[wire.link].mtu))
            };
            let (interfaces, mtus): (Vec<String>, Vec<u32>) = wires.iter().filter_map(own).unzip();
            let most = mtus.into_iter().max().unwrap_or_default();
            let failed = |source| KeeperError::Bus { host: wanted.name.clone(), source };
            given.bus = Some(bus.give(&host.net, &interfaces, most).map_err(failed)?);
        }
        if let Some(share) = wanted.cpu_share {
            let (state, groups) = share.give(owner, &wanted.name)?;
            given.cpu_share = Some(state);
            given.groups.extend(groups);
        }
        all.push(given);
    }
    Ok(all)
}
