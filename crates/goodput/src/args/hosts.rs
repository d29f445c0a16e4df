//! `goodput hosts`: which agents there are.

use super::credentials::{Shown, TypedCredentials};
use super::host_name::{self, plain_name};
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_control::RouterAddress;
use std::collections::BTreeMap;

/// As typed.
#[derive(Debug, Args)]
#[command(
    after_help = "Asks by multicast on this network for about a second, then each agent that answers, over mutual \
    TLS. With --router it asks the agents that are present there instead. Agents with another key or version are listed \
    with what is the matter; hidden ones, those behind a router of the network and those without a key on other \
    machines are not found, and are reached by their address.\n\n\
    As HOST of a measurement a bare name is what the system's resolver says; only if the resolver knows nobody, the \
    agent of exactly that name on this network; with --router the agent of that name there and nothing else. A name \
    that two agents bear is an error that lists them."
)]
pub struct TypedHosts {
    /// Go on, and tell who comes, who goes and who is measuring; Ctrl-C ends it
    #[arg(long)]
    watch: bool,
    /// Only agents of this group
    #[arg(long, value_name = "NAME")]
    group: Option<String>,
    /// Only agents with this label; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    label: Vec<String>,
    /// Router at which agents are looked for, instead of this network
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER")]
    router: Option<String>,
    #[command(flatten)]
    credentials: TypedCredentials,
    /// Print one JSON document; with --watch one a line for each change
    #[arg(long)]
    json: bool,
}

/// List or watch agents.
#[derive(Debug, Clone, PartialEq)]
pub struct HostsOrder {
    /// Go on.
    pub watch: bool,
    /// Only agents of this group.
    pub group: Option<String>,
    /// Only agents with these labels.
    pub labels: BTreeMap<String, String>,
    /// Where to look, instead of this network.
    pub router: Option<RouterAddress>,
    /// What this side shows.
    pub credentials: Shown,
    /// JSON instead of tables.
    pub json: bool,
}

impl TypedHosts {
    /// What is meant.
    pub fn meaning(self) -> Result<HostsOrder, Failure> {
        let mut labels = BTreeMap::new();
        for typed in &self.label {
            let (key, value) = value::label("--label", typed)?;
            if labels.insert(key.clone(), value).is_some() {
                return Err(Failure::usage(format!("--label {} is given twice", shown(&key))));
            }
        }
        Ok(HostsOrder {
            watch: self.watch,
            group: self.group.map(|t| plain_name("--group", &t)).transpose()?,
            labels,
            router: host_name::router("--router", self.router.as_deref())?,
            credentials: self.credentials.meaning()?,
            json: self.json,
        })
    }
}
