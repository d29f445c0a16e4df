//! Options of `goodput lab up` that give a host something of its own: a disk, a share of the CPU, a cost of each
//! packet, a bus.

use crate::args::host_name::refused_name;
use crate::args::value::{shown, whole};
use crate::failure::Failure;
use clap::Args;
use goodput_lab::{Bus, BusTypeError, CpuShare, Disk, DiskTypeError, MOST_RULES, Name, PacketCost, Topology};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedLimits {
    /// Give a host a disk of its own at /srv, in memory, with a rate of reading and of writing if one is named, for example
    /// server=2GiB@40MB; may be repeated, needs root
    #[arg(long, value_name = "HOST=SIZE[@RATE]")]
    disk: Vec<String>,
    /// Limit the CPU time of all processes of a host to so much of one CPU, for example server=30%; may be repeated, needs
    /// root
    #[arg(long, value_name = "HOST=PERCENT")]
    cpu_share: Vec<String>,
    /// Make every packet of a host pass so many rules that do nothing, for example server=1000; may be repeated
    #[arg(long, value_name = "HOST=RULES")]
    packet_cost: Vec<String>,
    /// Let all that a host sends and receives share one bus, by a name of goodput limits or by its rate, for example
    /// server=pci-32-33 or server=800Mbit; may be repeated
    #[arg(long, value_name = "HOST=BUS")]
    bus: Vec<String>,
}

/// What hosts are to have of their own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Limits {
    /// Disks.
    pub disks: Vec<(Name, Disk)>,
    /// Shares of the CPU.
    pub cpu_shares: Vec<(Name, CpuShare)>,
    /// Costs of a packet.
    pub packet_costs: Vec<(Name, PacketCost)>,
    /// Buses.
    pub buses: Vec<(Name, Bus)>,
}

impl TypedLimits {
    /// What is meant.
    pub fn meaning(&self) -> Result<Limits, Failure> {
        let disk = |typed: &str| {
            typed.parse().map_err(|e: DiskTypeError| {
                Failure::usage(format!("--disk {} is refused", shown(typed))).because(e.why).try_this(e.hint)
            })
        };
        let share = |typed: &str| {
            typed.parse().map_err(|e| {
                Failure::from_error(
                    crate::exit::Exit::Usage,
                    format!("--cpu-share {} is refused", shown(typed)),
                    &e,
                )
                .try_this("type per cent of one CPU, for example server=30%")
            })
        };
        let cost = |typed: &str| {
            whole("--packet-cost", typed, 1..=u64::from(MOST_RULES)).map(|rules| PacketCost(rules as u32))
        };
        let bus = |typed: &str| {
            typed.parse().map_err(|e: BusTypeError| {
                Failure::usage(format!("--bus {} is refused", shown(typed))).because(e.why).try_this(e.hint)
            })
        };
        Ok(Limits {
            disks: each("--disk", &self.disk, "server=2GiB@40MB", disk)?,
            cpu_shares: each("--cpu-share", &self.cpu_share, "server=30%", share)?,
            packet_costs: each("--packet-cost", &self.packet_cost, "server=1000", cost)?,
            buses: each("--bus", &self.bus, "server=pci-32-33", bus)?,
        })
    }
}

/// Every HOST=VALUE of an option.
fn each<T>(
    option: &str,
    typed: &[String],
    example: &str,
    value: impl Fn(&str) -> Result<T, Failure>,
) -> Result<Vec<(Name, T)>, Failure> {
    let one = |typed: &String| {
        let (host, rest) = typed.split_once('=').ok_or_else(|| {
            Failure::usage(format!("{option} {} is refused", shown(typed)))
                .because("it does not say which host")
                .try_this(format!("{option} {example}"))
        })?;
        let name = host.parse().map_err(|e| refused_name(option, host, &e))?;
        Ok((name, value(rest)?))
    };
    typed.iter().map(one).collect()
}

impl Limits {
    /// Gives them to the hosts of a topology, in place of what a file says.
    pub fn give(&self, topology: &mut Topology) -> Result<(), Failure> {
        for (name, disk) in &self.disks {
            host(topology, "--disk", name)?.disk = Some(*disk);
        }
        for (name, share) in &self.cpu_shares {
            host(topology, "--cpu-share", name)?.cpu_share = Some(*share);
        }
        for (name, cost) in &self.packet_costs {
            host(topology, "--packet-cost", name)?.packet_cost = Some(*cost);
        }
        for (name, bus) in &self.buses {
            host(topology, "--bus", name)?.bus = Some(bus.clone());
        }
        Ok(())
    }
}

fn host<'a>(
    topology: &'a mut Topology,
    option: &str,
    name: &Name,
) -> Result<&'a mut goodput_lab::Host, Failure> {
    let known: Vec<String> = topology.hosts.iter().map(|h| h.name.to_string()).collect();
    topology.hosts.iter_mut().find(|h| h.name == *name).ok_or_else(|| {
        Failure::usage(format!("{option} names host {name}, which the lab does not have"))
            .try_this(format!("name one of {}", known.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(disk: &[&str], cpu_share: &[&str], packet_cost: &[&str]) -> Result<Limits, Failure> {
        let owned = |list: &[&str]| list.iter().map(|t| t.to_string()).collect();
        TypedLimits {
            disk: owned(disk),
            cpu_share: owned(cpu_share),
            packet_cost: owned(packet_cost),
            bus: vec![],
        }
        .meaning()
    }

    fn bus(typed: &str) -> Result<Limits, Failure> {
        TypedLimits { disk: vec![], cpu_share: vec![], packet_cost: vec![], bus: vec![typed.into()] }
            .meaning()
    }

    #[test]
    fn hosts_are_given_what_is_typed() {
        let limits = typed(&["a=1GiB", "b=2GiB@40MB/s"], &["b=30%"], &["a=1000"]).unwrap();
        let mut topology = Topology::default();
        limits.give(&mut topology).unwrap();
        assert_eq!(topology.hosts[0].packet_cost, Some(PacketCost(1000)));
        assert_eq!(topology.hosts[1].cpu_share, Some(CpuShare(30)));
        assert_eq!(topology.hosts[1].disk, Some("2GiB@40MB".parse().unwrap()));
        bus("a=pci-32-33").unwrap().give(&mut topology).unwrap();
        assert_eq!(topology.hosts[0].bus.as_ref().unwrap().rate.0, 1_065_600_000);
        let wrong = typed(&["c=1GiB"], &[], &[]).unwrap().give(&mut topology).unwrap_err();
        assert_eq!(wrong.hint.as_deref(), Some("name one of a, b"));
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_what_to_type() {
        let refused = [
            typed(&["2GiB"], &[], &[]),
            typed(&["a=2G"], &[], &[]),
            typed(&["a/b=2GiB"], &[], &[]),
            typed(&[], &["a=10%"], &[]),
            typed(&[], &[], &["a=0"]),
            typed(&[], &[], &["a=many"]),
            bus("a=800M"),
            bus("a=10base-t"),
            bus("pci-32-33"),
        ];
        for one in refused {
            assert!(one.unwrap_err().hint.is_some());
        }
    }
}
