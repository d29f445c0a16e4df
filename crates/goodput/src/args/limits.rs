//! `goodput limits`: the theoretical limits of a medium.

use super::medium::{self, NetworkBusOrDisk};
use super::value_parsers::{self, NamedChoices, ValueError, option_conflict_failure, parse_integer};
use crate::failure::Failure;
use clap::Args;
use goodput_analysis::medium_limit::limit_table::TrafficAssumptions;
use goodput_analysis::medium_limit::medium_catalog::MediumSpec;
use goodput_analysis::medium_limit::{IpVersion, MediumLimitError, MediumLink};
use goodput_model::{Bytes, Message, Nanos};
use goodput_words::{ErrorMessage, message};

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput limits                              names of all media and buses
  goodput limits --medium 1000base-t --medium 100base-tx:half
  goodput limits --medium ethernet:10Gbit --mtu 9000 --ip 6 --rtt 25ms")]
struct LimitsArgs {
    /// Medium to calculate, for example 1000base-t, atm155-lane, ethernet:RATE, disk:SIZE; may be repeated
    /// [default: list all names]
    #[arg(long, value_name = "NAME", value_parser = medium::parse_medium)]
    medium: Vec<NetworkBusOrDisk>,
    /// Bus to calculate, for example pci-32-33 or pcie3-x4; may be repeated
    #[arg(long, value_name = "NAME", value_parser = bus)]
    bus: Vec<NetworkBusOrDisk>,
    /// IP MTU in bytes [default: the MTU of the medium]
    #[arg(long, value_name = "BYTES", value_parser = parse_integer::<u32>(1..=65_535))]
    mtu: Option<u32>,
    /// IP version, 4 or 6
    #[arg(long, value_name = "VERSION", default_value = "4", value_parser = IPS)]
    ip: IpVersion,
    /// Number of VLAN tags in each frame [default: 0; 1 if the option has no value]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    #[arg(value_parser = parse_integer::<u8>(0..=2))]
    vlan: Option<u8>,
    /// Calculate TCP goodput without the timestamp option
    #[arg(long)]
    no_timestamps: bool,
    /// Duplex mode of the medium [default: the mode of the medium]
    #[arg(long, value_name = "DUPLEX", value_parser = DUPLEXES)]
    duplex: Option<bool>,
    /// Payload size of each UDP datagram [default: fills the MTU]
    #[arg(long, value_name = "SIZE", value_parser = value_parsers::UDP_PAYLOAD_RANGE)]
    datagram: Option<Bytes>,
    /// RTT of the path, to calculate the required TCP window (bandwidth-delay product)
    #[arg(long, value_name = "TIME", value_parser = value_parsers::RTT_RANGE)]
    rtt: Option<Nanos>,
    /// Receive window of one connection, to calculate its maximum rate at --rtt
    #[arg(long, value_name = "SIZE", requires = "rtt", value_parser = value_parsers::MESSAGE_SIZE_RANGE)]
    window: Option<Bytes>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

const IPS: NamedChoices<IpVersion> = NamedChoices(&[("4", IpVersion::V4), ("6", IpVersion::V6)]);
const DUPLEXES: NamedChoices<bool> = NamedChoices(&[("half", true), ("full", false)]);

#[derive(Debug, Clone, PartialEq)]
pub struct LimitsInvocation {
    /// The media to calculate; if empty, all media are listed.
    pub media: Vec<MediumSelection>,
    pub traffic: TrafficAssumptions,
    pub json: bool,
}

pub type MediumSelection = NetworkBusOrDisk<NetworkMedium>;

#[derive(Debug, Clone, PartialEq)]
pub struct NetworkMedium {
    pub name: String,
    pub link: MediumLink,
    /// The entry of the medium; `None` means Ethernet of any rate.
    pub entry: Option<MediumSpec>,
}

impl TryFrom<LimitsArgs> for LimitsInvocation {
    type Error = Failure;

    fn try_from(args: LimitsArgs) -> Result<LimitsInvocation, Failure> {
        let LimitsArgs { ip, mtu, vlan, duplex, .. } = args;
        if let Some(mtu) = mtu.filter(|mtu| *mtu < ip.min_mtu()) {
            let hint = message!(hint_value_from { from: ip.min_mtu().to_string(), to: "65535" });
            let cause = MediumLimitError::MtuTooSmall { ip, mtu }.message();
            return Err(option_conflict_failure("--mtu", mtu, cause, hint));
        }
        let mut media = Vec::new();
        for named in args.medium.into_iter().chain(args.bus) {
            media.push(match named {
                NetworkBusOrDisk::Network(mut network) => {
                    // What follows the name applies to this medium only, the options to all others.
                    network.mtu = network.mtu.or(mtu);
                    network.vlan_tags = network.vlan_tags.or(vlan);
                    network.half_duplex = network.half_duplex.or(duplex);
                    let link = network.build_medium_link().and_then(|l| l.check_min_mtu(ip));
                    let link = link.map_err(|e| cannot_be(&network.typed, &e))?;
                    MediumSelection::Network(NetworkMedium { name: network.name, link, entry: network.entry })
                }
                NetworkBusOrDisk::Bus { name, bus, entry } => MediumSelection::Bus { name, bus, entry },
                NetworkBusOrDisk::Disk { name, rate } => MediumSelection::Disk { name, rate },
            });
        }
        let of_networks = mtu.is_some() || vlan.is_some() || duplex.is_some();
        if of_networks && !media.iter().any(|m| matches!(m, MediumSelection::Network(_))) {
            let value = "goodput limits --medium 1000base-t --mtu 9000";
            return Err(Failure::usage_error("--mtu, --vlan and --duplex need a network medium")
                .with_cause("none is named by --medium")
                .with_hint(message!(hint_args_type_for_example { value })));
        }
        let traffic = TrafficAssumptions {
            ip,
            timestamps: !args.no_timestamps,
            datagram: args.datagram.map(|size| size.0),
            round_trip: args.rtt,
            window: args.window,
        };
        Ok(LimitsInvocation { media, traffic, json: args.json })
    }
}

super::args_as!(LimitsArgs => LimitsInvocation);

fn bus(typed: &str) -> Result<NetworkBusOrDisk, ValueError> {
    medium::parse_host_bus(typed).and_then(|_| medium::parse_medium(typed))
}

fn cannot_be(typed: &str, error: &MediumLimitError) -> Failure {
    let hint: Message = match error {
        MediumLimitError::MtuTooLarge { most, .. } => message!(hint_args_mtu_most { most: most.to_string() }),
        MediumLimitError::MtuTooSmall { ip, .. } => {
            message!(hint_args_mtu_least { least: ip.min_mtu().to_string() })
        }
        MediumLimitError::NoHalfDuplex { .. } => {
            "leave half duplex out, or name 10base-t or 100base-tx".into()
        }
        MediumLimitError::NoTags { .. } => message!(hint_args_leave_out { option: "--vlan" }),
        MediumLimitError::NotANetwork { .. } | MediumLimitError::Unknown { .. } => {
            "goodput limits lists all media".into()
        }
    };
    option_conflict_failure("--medium", typed, error.message(), hint)
}
