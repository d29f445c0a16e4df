//! `goodput level-setter`: what `goodput run` starts for each host whose levels it sets. Not for people.

use super::credentials::{Shown, TypedCredentials};
use super::host_name::{self, HostName};
use super::measuring::port;
use crate::failure::Failure;
use clap::Args;
use goodput_control::RouterAddress;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedLevelSetter {
    /// The host whose levels are set; this machine without it
    #[arg(value_name = "HOST")]
    host: Option<String>,
    /// Control port of HOST's agent [default: 5303]
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
    /// Another host, by which the interface is found; may be repeated
    #[arg(long, value_name = "HOST")]
    towards: Vec<String>,
    /// Who holds the levels, as others read it
    #[arg(long, value_name = "TEXT", default_value = "goodput level-setter")]
    client: String,
    /// Where it is written down what was there before, on this machine
    #[arg(long, value_name = "FILE", conflicts_with = "host")]
    journal: Option<PathBuf>,
    /// Router at which hosts are known by their agents' names
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER")]
    router: Option<String>,
    #[command(flatten)]
    credentials: TypedCredentials,
}

/// Hold levels in place.
#[derive(Debug, Clone, PartialEq)]
pub struct LevelSetterOrder {
    /// The host; `None` is this machine.
    pub host: Option<HostName>,
    /// Control port of its agent; `None` is the usual one, or the lab's.
    pub port: Option<u16>,
    /// Other hosts of the experiment.
    pub towards: Vec<HostName>,
    /// Who holds.
    pub client: String,
    /// The journal of this machine.
    pub journal: Option<PathBuf>,
    /// Router at which hosts are known by name.
    pub router: Option<RouterAddress>,
    /// What this side shows.
    pub credentials: Shown,
}

impl TypedLevelSetter {
    /// What is meant.
    pub fn meaning(self) -> Result<LevelSetterOrder, Failure> {
        // What is no single host (a range of them, a share) leads nowhere in particular.
        let named = |typed: &String| HostName::parse("--towards", typed).ok();
        Ok(LevelSetterOrder {
            host: self.host.map(|typed| HostName::parse("HOST", &typed)).transpose()?,
            port: port("--port", self.port.as_deref())?,
            towards: self.towards.iter().filter_map(named).collect(),
            client: self.client,
            journal: self.journal,
            router: host_name::router("--router", self.router.as_deref())?,
            credentials: self.credentials.meaning()?,
        })
    }
}
