//! `goodput limits`: the theoretical limits of a medium.

use super::medium::{self, NamedMedium};
use super::value::{self, Choices, ValueError, refused, whole};
use crate::failure::Failure;
use clap::Args;
use goodput_analysis::limit::allowance::Traffic;
use goodput_analysis::limit::catalogue::Entry;
use goodput_analysis::limit::{Ip, LimitError, Link};
use goodput_model::{Bytes, Nanos};

#[derive(Debug, Args)]
#[command(after_long_help = "Examples:
  goodput limits                              names of all media and buses
  goodput limits --medium 1000base-t --medium 100base-tx:half
  goodput limits --medium ethernet:10Gbit --mtu 9000 --ip 6 --rtt 25ms")]
pub struct LimitsArgs {
    /// Medium: 1000base-t, atm155-lane, ethernet:RATE, disk:SIZE …; may be repeated [default: list all names]
    #[arg(long, value_name = "NAME", value_parser = medium::read)]
    medium: Vec<NamedMedium>,
    /// Bus: pci-32-33, pcie3-x4 …; may be repeated
    #[arg(long, value_name = "NAME", value_parser = bus)]
    bus: Vec<NamedMedium>,
    /// IP MTU [default: the medium's]
    #[arg(long, value_name = "BYTES", value_parser = whole::<u32>(1..=65_535))]
    mtu: Option<u32>,
    /// IP version
    #[arg(long, value_name = "VERSION", default_value = "4", value_parser = IPS)]
    ip: Ip,
    /// VLAN tags in each frame [default: none; 1 without a number]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    #[arg(value_parser = whole::<u8>(0..=2))]
    vlan: Option<u8>,
    /// TCP without timestamps
    #[arg(long)]
    no_timestamps: bool,
    /// With half, both directions share the medium [default: the medium's]
    #[arg(long, value_name = "DUPLEX", value_parser = DUPLEXES)]
    duplex: Option<bool>,
    /// Payload of a UDP datagram [default: what fills the MTU]
    #[arg(long, value_name = "SIZE", value_parser = value::UDP_SIZE)]
    datagram: Option<Bytes>,
    /// RTT of the path, to print the window that fills it
    #[arg(long, value_name = "TIME", value_parser = value::ROUND_TRIP)]
    rtt: Option<Nanos>,
    /// Receive window of one connection, to print what it allows at that RTT
    #[arg(long, value_name = "SIZE", requires = "rtt", value_parser = value::SIZE)]
    window: Option<Bytes>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

const IPS: Choices<Ip> = Choices(&[("4", Ip::V4), ("6", Ip::V6)]);
const DUPLEXES: Choices<bool> = Choices(&[("half", true), ("full", false)]);

#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Empty lists all media.
    pub media: Vec<Asked>,
    pub traffic: Traffic,
    pub json: bool,
}

pub type Asked = NamedMedium<HostLimits>;

#[derive(Debug, Clone, PartialEq)]
pub struct HostLimits {
    pub name: String,
    pub link: Link,
    /// `None` is Ethernet of any rate.
    pub entry: Option<Entry>,
}

impl TryFrom<LimitsArgs> for Limits {
    type Error = Failure;

    fn try_from(args: LimitsArgs) -> Result<Limits, Failure> {
        let LimitsArgs { ip, mtu, vlan, duplex, .. } = args;
        if let Some(mtu) = mtu.filter(|mtu| *mtu < ip.min_mtu()) {
            let hint = format!("type a value from {} to 65535", ip.min_mtu());
            return Err(refused("--mtu", mtu, LimitError::MtuTooSmall { ip, mtu }.to_string(), hint));
        }
        let mut media = Vec::new();
        for named in args.medium.into_iter().chain(args.bus) {
            media.push(match named {
                NamedMedium::Network(mut network) => {
                    // What follows the name applies to this medium only, the options to all others.
                    network.mtu = network.mtu.or(mtu);
                    network.vlan_tags = network.vlan_tags.or(vlan);
                    network.half_duplex = network.half_duplex.or(duplex);
                    let link = network.link().and_then(|l| l.fit_for(ip));
                    let link = link.map_err(|e| cannot_be(&network.typed, &e))?;
                    Asked::Network(HostLimits { name: network.name, link, entry: network.entry })
                }
                NamedMedium::Bus { name, bus, entry } => Asked::Bus { name, bus, entry },
                NamedMedium::Disk { name, rate } => Asked::Disk { name, rate },
            });
        }
        let of_networks = mtu.is_some() || vlan.is_some() || duplex.is_some();
        if of_networks && !media.iter().any(|m| matches!(m, Asked::Network(_))) {
            return Err(Failure::usage("--mtu, --vlan and --duplex need a network medium")
                .because("none is named by --medium")
                .try_this("type for example goodput limits --medium 1000base-t --mtu 9000"));
        }
        let traffic = Traffic {
            ip,
            timestamps: !args.no_timestamps,
            datagram: args.datagram.map(|size| size.0),
            round_trip: args.rtt,
            window: args.window,
        };
        Ok(Limits { media, traffic, json: args.json })
    }
}

fn bus(typed: &str) -> Result<NamedMedium, ValueError> {
    medium::inside_a_host(typed).and_then(|_| medium::read(typed))
}

fn cannot_be(typed: &str, error: &LimitError) -> Failure {
    let hint = match error {
        LimitError::MtuTooLarge { most, .. } => format!("type --mtu {most} or less"),
        LimitError::MtuTooSmall { ip, .. } => format!("type an MTU of {} or more", ip.min_mtu()),
        LimitError::NoHalfDuplex { .. } => {
            "leave half duplex out, or name 10base-t or 100base-tx".to_string()
        }
        LimitError::NoTags { .. } => "leave --vlan out".to_string(),
        LimitError::NotANetwork { .. } | LimitError::Unknown { .. } => {
            "goodput limits lists all media".to_string()
        }
    };
    refused("--medium", typed, error.to_string(), hint)
}
