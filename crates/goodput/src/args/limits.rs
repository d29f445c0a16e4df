//! `goodput limits`: what a medium allows in theory.

use super::medium::{self, Named};
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_analysis::limit::allowance::Traffic;
use goodput_analysis::limit::catalogue::Entry;
use goodput_analysis::limit::{Ip, LimitError, Link};

/// As typed.
#[derive(Debug, Args)]
pub struct TypedLimits {
    /// A medium: 1000base-t, atm155-lane, pci-32-33, ethernet:RATE, disk:SIZE …; may be repeated. Without one: all names
    #[arg(long, value_name = "NAME")]
    medium: Vec<String>,
    /// A bus beside the media, as --medium: pci-32-33, pcie3-x4 …; may be repeated
    #[arg(long, value_name = "NAME")]
    bus: Vec<String>,
    /// IP MTU [default: the medium's]
    #[arg(long, value_name = "BYTES")]
    mtu: Option<String>,
    /// IP version: 4 or 6 [default: 4]
    #[arg(long, value_name = "VERSION")]
    ip: Option<String>,
    /// VLAN tags in each frame [default: none; 1 without a number]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, default_missing_value = "1")]
    vlan: Option<String>,
    /// TCP without timestamps
    #[arg(long)]
    no_timestamps: bool,
    /// half: both directions share the medium; or full [default: the medium's]
    #[arg(long, value_name = "DUPLEX")]
    duplex: Option<String>,
    /// User bytes of a UDP datagram [default: what fills the MTU]
    #[arg(long, value_name = "SIZE")]
    datagram: Option<String>,
    /// Round trip of the path: prints the window that fills it
    #[arg(long, value_name = "TIME")]
    rtt: Option<String>,
    /// Receive window of one connection: prints what it allows at that round trip
    #[arg(long, value_name = "SIZE", requires = "rtt")]
    window: Option<String>,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
}

/// What is meant.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// The media; none lists all.
    pub media: Vec<Asked>,
    /// The traffic asked about.
    pub traffic: Traffic,
    /// One document.
    pub json: bool,
}

/// One medium, complete with what was said of it.
pub type Asked = Named<Joining>;

/// A network medium with its link.
#[derive(Debug, Clone, PartialEq)]
pub struct Joining {
    /// Its name in results.
    pub name: String,
    /// The link that it is.
    pub link: Link,
    /// Its row of the catalogue; `None` for Ethernet of any rate.
    pub entry: Option<Entry>,
}

impl TypedLimits {
    /// What is meant.
    pub fn meaning(self) -> Result<Limits, Failure> {
        let ip = self.ip.map_or(Ok(Ip::V4), |t| value::word("--ip", &t, &[("4", Ip::V4), ("6", Ip::V6)]))?;
        let mtu = self.mtu.map(|t| mtu(&t, ip)).transpose()?;
        let vlan_tags = self.vlan.map(|t| value::whole("--vlan", &t, 0..=2)).transpose()?.map(|n| n as u8);
        let duplex = [("half", true), ("full", false)];
        let half_duplex = self.duplex.map(|t| value::word("--duplex", &t, &duplex)).transpose()?;
        let traffic = Traffic {
            ip,
            timestamps: !self.no_timestamps,
            datagram: self
                .datagram
                .map(|t| value::quantity("--datagram", &t, &value::UDP_SIZE))
                .transpose()?
                .map(|size| size.0),
            round_trip: self.rtt.map(|t| value::quantity("--rtt", &t, &value::ROUND_TRIP)).transpose()?,
            window: self.window.map(|t| value::quantity("--window", &t, &value::SIZE)).transpose()?,
        };
        let said = mtu.is_some() || vlan_tags.is_some() || half_duplex.is_some();
        let mut media = Vec::new();
        for typed in &self.medium {
            media.push(match medium::read("--medium", typed)? {
                Named::Network(mut network) => {
                    // What stands behind the name says it of this medium alone, the options of all others.
                    network.mtu = network.mtu.or(mtu);
                    network.vlan_tags = network.vlan_tags.or(vlan_tags);
                    network.half_duplex = network.half_duplex.or(half_duplex);
                    let link =
                        network.link().and_then(|l| l.fit_for(ip)).map_err(|e| cannot_be(typed, &e))?;
                    Asked::Network(Joining { name: network.name, link, entry: network.entry })
                }
                Named::Bus { name, bus, entry } => Asked::Bus { name, bus, entry },
                Named::Disk { name, rate } => Asked::Disk { name, rate },
            });
        }
        for typed in &self.bus {
            // Refuses what is no bus, with what would be one.
            medium::inside_a_host("--bus", typed)?;
            if let Named::Bus { name, bus, entry } = medium::read("--bus", typed)? {
                media.push(Asked::Bus { name, bus, entry });
            }
        }
        if said && !media.iter().any(|m| matches!(m, Asked::Network(_))) {
            return Err(Failure::usage("--mtu, --vlan and --duplex need a network medium")
                .because("none is named by --medium")
                .try_this("type for example goodput limits --medium 1000base-t --mtu 9000"));
        }
        Ok(Limits { media, traffic, json: self.json })
    }
}

/// An MTU that the protocol allows.
fn mtu(typed: &str, ip: Ip) -> Result<u32, Failure> {
    let mtu = value::whole("--mtu", typed, 1..=65_535)? as u32;
    if mtu < ip.least_mtu() {
        let error = LimitError::MtuTooSmall { ip, mtu };
        return Err(Failure::usage(format!("--mtu {} is refused", shown(typed)))
            .because(error.to_string())
            .try_this(format!("type a value from {} to 65535", ip.least_mtu())));
    }
    Ok(mtu)
}

fn cannot_be(typed: &str, error: &LimitError) -> Failure {
    let hint = match error {
        LimitError::MtuTooLarge { most, .. } => format!("type --mtu {most} or less"),
        LimitError::MtuTooSmall { ip, .. } => format!("type an MTU of {} or more", ip.least_mtu()),
        LimitError::NoHalfDuplex { .. } => {
            "leave half duplex out, or name 10base-t or 100base-tx".to_string()
        }
        LimitError::NoTags { .. } => "leave --vlan out".to_string(),
        LimitError::NotANetwork { .. } | LimitError::Unknown { .. } => {
            "goodput limits lists all media".to_string()
        }
    };
    Failure::usage(format!("--medium {} is refused", shown(typed))).because(error.to_string()).try_this(hint)
}
