//! The options that every measuring command has: between whom, how long to wait, what to keep.

use super::credentials::{Shown, TypedCredentials};
use super::host_name::{self, HostName};
use super::medium;
use super::value::{self, shown};
use crate::failure::Failure;
use clap::Args;
use goodput_control::RouterAddress;
use goodput_model::Probe;
use goodput_model::mtu::IpVersion;
use goodput_model::trial::{Deadlines, HostBus, Medium};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::path::PathBuf;

/// As typed.
#[derive(Debug, Args)]
pub struct TypedMeasuring {
    /// The host to measure to: address, name (one that resolves, else the agent's own), or lab:NAME. An agent must
    /// run there
    #[arg(value_name = "HOST")]
    host: String,
    /// The other end, when it is not this machine: a second agent, or lab:NAME
    #[arg(long, value_name = "HOST")]
    from: Option<String>,
    /// Control port of HOST's agent [default: 5303]
    #[arg(long, value_name = "PORT")]
    port: Option<String>,
    #[command(flatten)]
    options: TypedOptions,
}

/// The options that have nothing to do with which hosts are measured, as typed.
#[derive(Debug, Args)]
pub struct TypedOptions {
    /// Router at which hosts are known by their agents' names; data goes between the hosts themselves
    #[arg(long, value_name = "HOST[:PORT]", env = "GOODPUT_ROUTER")]
    router: Option<String>,
    #[command(flatten)]
    credentials: TypedCredentials,
    /// Print one JSON document instead of tables
    #[arg(long)]
    json: bool,
    /// Keep the run (this is the default)
    #[arg(long, conflicts_with = "no_save")]
    save: bool,
    /// Do not keep the run
    #[arg(long)]
    no_save: bool,
    /// Folder of the runs [default: GOODPUT_RUNS, else ~/.local/share/goodput/runs]
    #[arg(long, value_name = "DIR")]
    runs: Option<PathBuf>,
    /// A label to find the run by; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    label: Vec<String>,
    /// Trials in this run, one after the other [default: 1; copies of files and drive marks 5]
    #[arg(long, value_name = "N")]
    repeat: Option<String>,
    /// Pin the measuring threads to these CPUs on both ends, for example 0,2-3
    #[arg(long, value_name = "LIST")]
    cpus: Option<String>,
    /// One deadline for every wait [default: name 5s, connect 3s, first byte 3s, no progress 10s]
    #[arg(long, value_name = "TIME")]
    deadline: Option<String>,
    /// Do not wait for other trials on the agents: run beside them, and say so in the result
    #[arg(long)]
    shared: bool,
    /// Medium between the ends, to compare with what it allows: 1000base-t, 1000base-t:9000, 100base-tx:half, ethernet:RATE …
    #[arg(long, value_name = "MEDIUM")]
    medium: Option<String>,
    /// Bus inside a host that the traffic crosses, a second limit: pci-32-33, pcie3-x4, usb2 …
    #[arg(long, value_name = "BUS")]
    bus: Option<String>,
    /// Seed of everything random in the run [default: a new one each run]
    #[arg(long, value_name = "NUMBER")]
    seed: Option<String>,
    /// Add the trials to this run, which must not be finished, instead of beginning one: so `goodput run` starts its lines
    #[arg(long, value_name = "FOLDER", hide = true, conflicts_with = "no_save")]
    into: Option<PathBuf>,
    /// Tell what happens, one JSON object a line, on standard output: so the page starts its tests
    #[arg(long, hide = true, conflicts_with = "json")]
    events: bool,
}

/// What a measuring command is asked to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// What to measure.
    pub probe: Probe,
    /// What to measure after it in each round of trials.
    pub then: Vec<Probe>,
    /// The listening end.
    pub host: HostName,
    /// The connecting end; `None` is this machine.
    pub from: Option<HostName>,
    /// Everything else.
    pub options: Options,
    /// Where to write NetPIPE's np.out form of a sweep.
    pub np_out: Option<PathBuf>,
}

/// What all measuring commands have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Control port of HOST's agent; `None` is the usual one, or the lab's.
    pub port: Option<u16>,
    /// Router at which hosts are known by name.
    pub router: Option<RouterAddress>,
    /// What this side shows.
    pub credentials: Shown,
    /// One JSON document instead of tables.
    pub json: bool,
    /// Keep the run.
    pub save: bool,
    /// Folder of the runs, when one was named.
    pub runs: Option<PathBuf>,
    /// Labels of the run.
    pub labels: BTreeMap<String, String>,
    /// Trials in the run.
    pub repeat: u32,
    /// CPUs to pin measuring threads to.
    pub cpus: Option<Vec<u32>>,
    /// Deadlines on every wait.
    pub deadlines: Deadlines,
    /// Run beside other trials.
    pub shared: bool,
    /// Medium between the ends.
    pub medium: Option<Medium>,
    /// Bus inside a host.
    pub bus: Option<HostBus>,
    /// Seed, when one was given.
    pub seed: Option<u64>,
    /// The run's folder that the trials are added to; `None` begins a run of its own.
    pub into: Option<PathBuf>,
    /// Lines about what happens instead of tables.
    pub events: bool,
}

impl TypedMeasuring {
    /// HOST as typed.
    pub fn host(&self) -> &str {
        &self.host
    }

    /// The protocol of the path, where HOST is an address and so tells it.
    pub fn version(&self) -> Option<IpVersion> {
        match HostName::parse("HOST", &self.host).ok()? {
            HostName::Address(at) => {
                let bare = at.host.split('%').next()?.parse::<IpAddr>().ok()?;
                Some(if bare.is_ipv4() { IpVersion::V4 } else { IpVersion::V6 })
            }
            HostName::Name(_) | HostName::Lab(_) => None,
        }
    }

    /// What is meant, for this probe.
    pub fn meaning(self, probe: Probe) -> Result<Measure, Failure> {
        let host = HostName::parse("HOST", &self.host)?;
        let from = self.from.as_deref().map(|t| HostName::parse("--from", t)).transpose()?;
        if let (HostName::Lab(one), Some(HostName::Lab(other))) = (&host, &from)
            && one.lab != other.lab
        {
            return Err(Failure::usage("the two hosts are in different labs")
                .because(format!("HOST is in {}, --from is in {}", one.lab, other.lab))
                .try_this("measure between hosts of one lab"));
        }
        let options = Options { port: port("--port", self.port.as_deref())?, ..self.options.meaning()? };
        Ok(Measure { probe, then: Vec::new(), host, from, options, np_out: None })
    }
}

impl TypedOptions {
    /// How often, where that was typed: not every command has the same idea of what is usual.
    pub fn repeats(&self) -> Result<Option<u32>, Failure> {
        let whole = |t: &str| value::whole("--repeat", t, 1..=1000).map(|n| n as u32);
        self.repeat.as_deref().map(whole).transpose()
    }

    /// What is meant.
    pub fn meaning(self) -> Result<Options, Failure> {
        let mut labels = BTreeMap::new();
        for typed in &self.label {
            let (key, value) = value::label("--label", typed)?;
            if labels.insert(key.clone(), value).is_some() {
                return Err(Failure::usage(format!("--label {} is given twice", shown(&key))));
            }
        }
        let deadlines = match self.deadline.as_deref() {
            None => Deadlines::default(),
            Some(typed) => {
                let d = value::quantity("--deadline", typed, &value::DEADLINE)?;
                Deadlines { resolve: d, connect: d, first_byte: d, progress: d }
            }
        };
        let repeat = self.repeats()?.unwrap_or(1);
        Ok(Options {
            port: None,
            router: host_name::router("--router", self.router.as_deref())?,
            credentials: self.credentials.meaning()?,
            json: self.json,
            save: !self.no_save,
            runs: self.runs,
            labels,
            repeat,
            cpus: self.cpus.map(|t| value::cpus("--cpus", &t)).transpose()?,
            deadlines,
            shared: self.shared,
            medium: self.medium.map(|t| medium::between_hosts("--medium", &t)).transpose()?,
            bus: self.bus.map(|t| medium::inside_a_host("--bus", &t)).transpose()?,
            seed: self.seed.map(|t| value::whole("--seed", &t, 0..=u64::MAX)).transpose()?,
            into: self.into,
            events: self.events,
        })
    }
}

/// A port number, if one was typed.
pub fn port(option: &str, typed: Option<&str>) -> Result<Option<u16>, Failure> {
    typed.map(|t| value::whole(option, t, 1..=65535).map(|n| n as u16)).transpose()
}
