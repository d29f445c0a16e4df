//! `goodput lab up|exec|down|list`: small networks of namespaces on this machine.

mod limits;
mod link;

pub use limits::Limits;
pub use link::LinkShape;

use super::host_name::refused_name;
use super::value;
use crate::failure::Failure;
use clap::{Args, Subcommand};
use goodput_lab::{LabHost, Name};
use goodput_model::BitRate;
use limits::TypedLimits;
use link::TypedLink;
use std::ffi::OsString;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedLab {
    #[command(subcommand)]
    command: TypedLabCommand,
}

/// As typed.
#[derive(Debug, Subcommand)]
// One value a command.
#[allow(clippy::large_enum_variant)]
enum TypedLabCommand {
    /// Raise a lab: hosts a and b on one link, or what a topology file says
    Up {
        /// Topology file (TOML) [default: hosts a and b on one unshaped 1500-byte link]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// The lab's name [default: default]
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        /// A server and so many clients on one switch, instead of hosts a and b: server, c1, c2 … and desk, from where the
        /// orders come
        #[arg(long, value_name = "N", conflicts_with = "file")]
        clients: Option<String>,
        /// Rate of the link without a topology file, with --clients that of each client, for example 100Mbit
        #[arg(long, value_name = "RATE", conflicts_with = "file")]
        rate: Option<String>,
        /// Rate of the server's connection [default: that of the clients]
        #[arg(long, value_name = "RATE", requires = "clients")]
        server_rate: Option<String>,
        /// Largest IP packet on the links without a topology file, in bytes [default: 1500]
        #[arg(long, value_name = "BYTES", conflicts_with = "file")]
        mtu: Option<String>,
        #[command(flatten)]
        link: TypedLink,
        #[command(flatten)]
        limits: TypedLimits,
        /// Give this host a CPU of its own and everything else the others; needs root and two CPUs
        #[arg(long, value_name = "HOST")]
        pin: Option<String>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Run a command inside a host of the lab
    Exec {
        /// The host: NAME, NAME@LAB, with or without lab: before it
        #[arg(value_name = "HOST")]
        host: String,
        /// The command with its arguments
        #[arg(value_name = "COMMAND", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<OsString>,
    },
    /// Remove a lab with everything in it
    Down {
        /// The lab's name [default: default]
        #[arg(value_name = "NAME")]
        name: Option<String>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Labs that run on this machine
    List {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// The process that holds a lab; started by `lab up`
    #[command(hide = true)]
    Keeper {
        /// What the lab crate tells it
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        words: Vec<OsString>,
    },
}

/// What is asked of the lab.
#[derive(Debug, Clone, PartialEq)]
// One value a command.
#[allow(clippy::large_enum_variant)]
pub enum Lab {
    /// Raise one.
    Up {
        /// Topology file.
        file: Option<PathBuf>,
        /// Its name.
        name: Name,
        /// Without a file.
        shape: LabShape,
        /// What its links are, without a file.
        link: LinkShape,
        /// What hosts have of their own.
        limits: Limits,
        /// The host that gets a CPU of its own.
        pin: Option<Name>,
        /// One document.
        json: bool,
    },
    /// Run a command inside a host.
    Exec {
        /// The host.
        host: LabHost,
        /// The command.
        command: Vec<OsString>,
    },
    /// Remove one.
    Down {
        /// Its name.
        name: Name,
        /// One document.
        json: bool,
    },
    /// Say which run.
    List {
        /// One document.
        json: bool,
    },
    /// Hold one.
    Keeper {
        /// What the lab crate tells it.
        words: Vec<OsString>,
    },
}

/// A lab without a topology file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LabShape {
    /// Clients of a server; `None` for hosts a and b.
    pub clients: Option<u32>,
    /// Rate of the link, or of each client.
    pub rate: Option<BitRate>,
    /// Rate of the server's connection, where it has another one.
    pub server_rate: Option<BitRate>,
    /// Largest IP packet of every link in bytes, where it is not 1500.
    pub mtu: Option<u32>,
}

impl TypedLab {
    /// What is meant.
    pub fn meaning(self) -> Result<Lab, Failure> {
        Ok(match self.command {
            TypedLabCommand::Up { file, name, clients, rate, server_rate, mtu, link, limits, pin, json } => {
                let rated = |option: &str, typed: Option<String>| {
                    typed.map(|t| value::quantity(option, &t, &value::RATE)).transpose()
                };
                // Of the 250 hosts of a link one is the server, one the desk.
                let clients = clients.map(|t| value::whole("--clients", &t, 1..=248)).transpose()?;
                let (rate, server_rate) = (rated("--rate", rate)?, rated("--server-rate", server_rate)?);
                let mtu = mtu.map(|t| value::whole("--mtu", &t, 68..=65_535)).transpose()?.map(|n| n as u32);
                let shape = LabShape { clients: clients.map(|n| n as u32), rate, server_rate, mtu };
                let (link, limits) = (link.meaning()?, limits.meaning()?);
                let pin = pin.map(|t| t.parse().map_err(|e| refused_name("--pin", &t, &e))).transpose()?;
                Lab::Up { file, name: lab_name(name)?, shape, link, limits, pin, json }
            }
            TypedLabCommand::Exec { host, command } => {
                let full = if host.starts_with("lab:") { host } else { format!("lab:{host}") };
                let host = match LabHost::parse(&full) {
                    Some(Ok(host)) => host,
                    Some(Err(e)) => return Err(refused_name("HOST", &full, &e)),
                    None => return Err(Failure::usage(format!("{full} is no host of a lab"))),
                };
                Lab::Exec { host, command }
            }
            TypedLabCommand::Down { name, json } => Lab::Down { name: lab_name(name)?, json },
            TypedLabCommand::List { json } => Lab::List { json },
            TypedLabCommand::Keeper { words } => Lab::Keeper { words },
        })
    }
}

fn lab_name(typed: Option<String>) -> Result<Name, Failure> {
    match typed {
        None => Ok(Name::default_lab()),
        Some(t) => t.parse().map_err(|e| refused_name("lab name", &t, &e)),
    }
}
