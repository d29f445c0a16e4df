//! Options of `goodput lab up` for resources of a host: disk, CPU share, cost per packet, bus.

use crate::args::host_name::parse_lab_name;
use crate::args::value_parsers::{ValueError, parse_integer};
use crate::failure::Failure;
use clap::Args;
use goodput_lab::medium::ParseMediumError;
use goodput_lab::{
    CpuShare, Disk, EmulatedHostBus, EmulatedPacketCost, LabOrHostName, MAX_RULES_PER_PACKET, ParseDiskError,
    Topology,
};
use goodput_words::{ErrorMessage, message};

const LIMITS: &str = "Limits of hosts";

/// Limits of single hosts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Args)]
pub struct HostLimitArgs {
    /// In-memory disk of a host at /srv, with an optional rate: server=2GiB@40MB; may be repeated, requires
    /// root
    #[arg(long, value_name = "HOST=SIZE[@RATE]", value_parser = of_host("--disk server=2GiB@40MB", disk))]
    #[arg(help_heading = LIMITS, hide_short_help = true)]
    disk: Vec<(LabOrHostName, Disk)>,
    /// CPU limit of a host, in per cent of one CPU: server=30%; may be repeated, requires root
    #[arg(long, value_name = "HOST=PERCENT", value_parser = of_host("--cpu-share server=30%", cpu_share))]
    #[arg(help_heading = LIMITS, hide_short_help = true)]
    cpu_share: Vec<(LabOrHostName, CpuShare)>,
    /// Extra CPU cost per packet of a host, as a number of no-op packet filter rules: server=1000; may be
    /// repeated
    #[arg(long, value_name = "HOST=RULES", value_parser = of_host("--packet-cost server=1000", packet_cost))]
    #[arg(help_heading = LIMITS, hide_short_help = true)]
    packet_cost: Vec<(LabOrHostName, EmulatedPacketCost)>,
    /// Emulated bus shared by all traffic of a host: a name from goodput limits, or a rate; may be repeated
    ///
    /// Examples: server=pci-32-33, server=800Mbit.
    #[arg(long, value_name = "HOST=BUS", value_parser = of_host("--bus server=pci-32-33", bus))]
    #[arg(help_heading = LIMITS, hide_short_help = true)]
    bus: Vec<(LabOrHostName, EmulatedHostBus)>,
}

fn disk(typed: &str) -> Result<Disk, ValueError> {
    typed.parse().map_err(|e: ParseDiskError| ValueError::new(e.why, e.hint))
}

fn cpu_share(typed: &str) -> Result<CpuShare, ValueError> {
    typed.parse::<CpuShare>().map_err(|e| {
        ValueError::new(e.message_with_sources(), "type per cent of one CPU, for example server=30%")
    })
}

fn packet_cost(typed: &str) -> Result<EmulatedPacketCost, ValueError> {
    parse_integer(1..=u64::from(MAX_RULES_PER_PACKET))(typed).map(EmulatedPacketCost)
}

fn bus(typed: &str) -> Result<EmulatedHostBus, ValueError> {
    typed.parse().map_err(|e: ParseMediumError| ValueError::new(e.why, e.hint))
}

fn of_host<T: 'static>(
    example: &'static str,
    value: fn(&str) -> Result<T, ValueError>,
) -> impl Fn(&str) -> Result<(LabOrHostName, T), ValueError> + Clone + Send + Sync + 'static {
    move |typed: &str| {
        let parts = typed.split_once('=');
        let (host, rest) = parts.ok_or_else(|| ValueError::new("it does not say which host", example))?;
        Ok((parse_lab_name(host)?, value(rest)?))
    }
}

impl HostLimitArgs {
    pub fn apply_to_topology(&self, topology: &mut Topology) -> Result<(), Failure> {
        for (name, disk) in &self.disk {
            host(topology, "--disk", name)?.disk = Some(*disk);
        }
        for (name, share) in &self.cpu_share {
            host(topology, "--cpu-share", name)?.cpu_share = Some(*share);
        }
        for (name, cost) in &self.packet_cost {
            host(topology, "--packet-cost", name)?.packet_cost = Some(*cost);
        }
        for (name, bus) in &self.bus {
            host(topology, "--bus", name)?.bus = Some(bus.clone());
        }
        Ok(())
    }
}

fn host<'a>(
    topology: &'a mut Topology,
    option: &str,
    name: &LabOrHostName,
) -> Result<&'a mut goodput_lab::Host, Failure> {
    let known: Vec<String> = topology.hosts.iter().map(|h| h.name.to_string()).collect();
    topology.hosts.iter_mut().find(|h| h.name == *name).ok_or_else(|| {
        Failure::usage_error(message!(error_args_option_names_host { option, name: name.to_string() }))
            .with_hint(message!(hint_args_name_one_of { names: known }))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    struct Line {
        #[command(flatten)]
        limits: HostLimitArgs,
    }

    fn typed(options: &str) -> Result<HostLimitArgs, clap::Error> {
        let words = ["up"].into_iter().chain(options.split_whitespace());
        Line::try_parse_from(words).map(|line| line.limits)
    }

    #[test]
    fn hosts_are_given_what_is_typed() {
        let limits =
            typed("--disk a=1GiB --disk b=2GiB@40MB/s --cpu-share b=30% --packet-cost a=1000").unwrap();
        let mut topology = Topology::default();
        limits.apply_to_topology(&mut topology).unwrap();
        assert_eq!(topology.hosts[0].packet_cost, Some(EmulatedPacketCost(1000)));
        assert_eq!(topology.hosts[1].cpu_share, Some(CpuShare(30)));
        assert_eq!(topology.hosts[1].disk, Some("2GiB@40MB".parse().unwrap()));
        typed("--bus a=pci-32-33").unwrap().apply_to_topology(&mut topology).unwrap();
        assert_eq!(topology.hosts[0].bus.as_ref().unwrap().rate.0, 1_065_600_000);
        let wrong = typed("--disk c=1GiB").unwrap().apply_to_topology(&mut topology).unwrap_err();
        assert_eq!(wrong.hint.as_deref(), Some("name one of a, b"));
    }

    #[test]
    fn invalid_limits_are_refused() {
        let disks = ["--disk 2GiB", "--disk a=2G", "--disk a/b=2GiB"];
        let hosts = ["--cpu-share a=10%", "--packet-cost a=0", "--packet-cost a=many"];
        let buses = ["--bus a=800M", "--bus a=10base-t", "--bus pci-32-33"];
        for refused in [disks, hosts, buses].concat() {
            assert!(typed(refused).is_err(), "{refused}");
        }
    }
}
