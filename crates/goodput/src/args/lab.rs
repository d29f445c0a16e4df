//! `goodput lab up|exec|down|list`: small networks of namespaces on this machine.

mod limits;
mod link;

pub use limits::HostLimitArgs;
pub use link::LinkArgs;

use super::host_name::parse_lab_name;
use super::value_parsers::{self, ValueError, parse_integer};
use clap::{Args, Subcommand};
use goodput_lab::{LabHostRef, LabOrHostName};
use goodput_model::BitRate;
use std::ffi::OsString;
use std::path::PathBuf;

/// `goodput lab`.
#[derive(Debug, Clone, PartialEq, Subcommand)]
#[allow(clippy::large_enum_variant)]
pub enum LabArgs {
    /// Raise a lab: hosts a and b on one link, or what a topology file says
    #[command(after_long_help = "Examples:
  goodput lab up                              hosts a and b on one link
  goodput lab up --rate 100Mbit --delay 5ms --loss 0.1%
  goodput lab up --clients 8 --rate 100Mbit --server-rate 1Gbit")]
    Up {
        /// Topology file (TOML) [default: hosts a and b on one link]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// Name of the lab
        #[arg(long, value_name = "NAME", default_value = "default", value_parser = parse_lab_name)]
        name: LabOrHostName,
        #[command(flatten)]
        shape: LabTopologyArgs,
        #[command(flatten)]
        link: LinkArgs,
        #[command(flatten)]
        limits: HostLimitArgs,
        /// Give this host a CPU of its own, and the others the rest; needs root and two CPUs
        #[arg(long, value_name = "HOST", value_parser = parse_lab_name, hide_short_help = true)]
        pin: Option<LabOrHostName>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Run a command inside a host of the lab
    Exec {
        /// Host: NAME or NAME@LAB, with or without lab: before it
        #[arg(value_name = "HOST", value_parser = lab_host)]
        host: LabHostRef,
        /// The command with its arguments
        #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
    /// Remove a lab with all its hosts and links
    Down {
        /// Name of the lab
        #[arg(value_name = "NAME", default_value = "default", value_parser = parse_lab_name)]
        name: LabOrHostName,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// List the running labs on this machine
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Process that keeps a lab running (started by `lab up`)
    #[command(hide = true)]
    Keeper {
        /// Arguments of the lab crate
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

/// A lab without a topology file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Args)]
pub struct LabTopologyArgs {
    /// Clients of a server on one switch, instead of hosts a and b
    ///
    /// The hosts are server, c1, c2 … and desk, which sends the orders.
    // A link has 250 addresses: one is the server's, one the coordinator's.
    #[arg(long, value_name = "N", conflicts_with = "file", value_parser = parse_integer::<u32>(1..=248))]
    pub clients: Option<u32>,
    /// Rate of the link, or of each client's link, for example 100Mbit
    #[arg(long, value_name = "RATE", conflicts_with = "file", value_parser = value_parsers::BIT_RATE_RANGE)]
    pub rate: Option<BitRate>,
    /// Rate of the server's link [default: rate of a client's link]
    #[arg(long, value_name = "RATE", requires = "clients", value_parser = value_parsers::BIT_RATE_RANGE)]
    pub server_rate: Option<BitRate>,
    /// MTU of the links, in bytes [default: 1500]
    #[arg(long, value_name = "BYTES", conflicts_with = "file", value_parser = parse_integer::<u32>(68..=65_535))]
    pub mtu: Option<u32>,
}

fn lab_host(typed: &str) -> Result<LabHostRef, ValueError> {
    let name = typed.strip_prefix("lab:").unwrap_or(typed);
    match LabHostRef::parse(&format!("lab:{name}")) {
        Some(host) => Ok(host?),
        None => Err(ValueError::new("it is no host of a lab", "type a name such as b or b@default")),
    }
}
