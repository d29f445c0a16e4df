//! An agent's policy: rules from its owner's file (`policy/file.rs`), checked before a trial starts. Pure.
//! Without a file or section, everything is allowed to every authenticated coordinator. An order that sets no
//! bound is refused where a rule limits that quantity: a stream at full speed states no rate to compare.

mod file;
mod knobs;
mod smb_accounts;

pub use crate::ip_prefix::{IpPrefix, IpPrefixError};
pub use file::PolicyError;
pub use knobs::{validate_command_rule, validate_knob_rule};
pub use smb_accounts::validate_smb_account;

use crate::identity::PeerIdentity;
use crate::protocol::StartJobRequest;
use goodput_model::file::{FileLocation, FileOperationMixSource, FileWorkload, SinkStorageKind};
use goodput_model::trial::EndpointRole;
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use goodput_probe::{TrafficLimits, loopback_if_unspecified};
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Stands for holders of the lab key in `coordinators.names`.
pub const LAB_KEY_HOLDER_NAME: &str = "key holder";
/// Stands for local processes in `coordinators.names`, where no key is used.
pub const LOCAL_PROCESS_NAME: &str = "this machine";

/// Time that a trial may take beyond `limits.time` to connect, drain and end.
const GRACE: Duration = Duration::from_secs(15);

/// The default allows everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    pub file: PathBuf,
    pub names: Option<Vec<String>>,
    pub coordinators: Option<Vec<IpPrefix>>,
    pub peers: Option<Vec<IpPrefix>>,
    pub probes: Option<Vec<String>>,
    pub rate: Option<BitRate>,
    pub time: Option<Nanos>,
    pub connections: Option<u32>,
    pub bytes: Option<Bytes>,
    pub folders: Option<Vec<PathBuf>>,
    pub smb_accounts: Option<Vec<String>>,
    pub knobs: Option<Vec<String>>,
    pub commands: Option<Vec<String>>,
}

/// An order that a rule does not allow. `rule` is `section.key`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyViolation {
    pub rule: &'static str,
    pub file: PathBuf,
    pub asked: String,
    pub allowed: String,
}

impl fmt::Display for PolicyViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PolicyViolation { rule, file, asked, allowed } = self;
        write!(f, "refused by rule {rule}")?;
        if !file.as_os_str().is_empty() {
            write!(f, " of {}", file.display())?;
        }
        write!(f, ": asked for {asked}, allowed {allowed}")
    }
}

impl std::error::Error for PolicyViolation {}

impl Policy {
    pub fn admits_coordinator(&self, who: &PeerIdentity) -> Result<(), PolicyViolation> {
        let Some(names) = &self.names else { return Ok(()) };
        // A certificate with a reserved word as its name does not match.
        let listed = match who {
            PeerIdentity::ThisMachine => names.iter().any(|n| n == LOCAL_PROCESS_NAME),
            PeerIdentity::KeyHolder => names.iter().any(|n| n == LAB_KEY_HOLDER_NAME),
            PeerIdentity::Certificate(name) => {
                !matches!(name.as_str(), LOCAL_PROCESS_NAME | LAB_KEY_HOLDER_NAME) && names.contains(name)
            }
        };
        if listed {
            return Ok(());
        }
        Err(self.refusal(
            "coordinators.names",
            format!("orders by {who}"),
            format!("are {}", names.join(", ")),
        ))
    }

    /// Whether a trial may start. Addresses are checked where connections are accepted,
    /// and those of file servers where they are resolved.
    pub fn check_trial(&self, start: &StartJobRequest, who: &PeerIdentity) -> Result<(), PolicyViolation> {
        self.admits_coordinator(who)?;
        let probe = start.order.probe.name();
        if let Some(probes) = &self.probes
            && !probes.iter().any(|p| p == probe)
        {
            let allowed = format!("are {}", probes.join(", "));
            return Err(self.refusal("probes.allowed", format!("the probe {probe}"), allowed));
        }
        if let Some(peer) = start.peer {
            self.admits_peer(peer.ip())?;
        }
        for path in accessed_paths(start) {
            self.admits_path(Path::new(path))?;
        }
        self.admits_smb_account(start)?;
        let order = &start.order;
        self.judge_demand(&order.probe.settings().traffic_demand(start.role(), order.client))
    }

    /// Adds allowed folders; where the file names none, only these are allowed.
    pub fn with_folders(mut self, folders: &[PathBuf]) -> Policy {
        self.folders.get_or_insert_default().extend_from_slice(folders);
        self
    }

    /// Whether data may flow to and from an address (`peers.addresses`).
    pub fn admits_peer(&self, address: IpAddr) -> Result<(), PolicyViolation> {
        let Some(prefixes) = &self.peers else { return Ok(()) };
        let address = loopback_if_unspecified(address.to_canonical());
        if prefixes.iter().any(|p| p.contains(address)) {
            return Ok(());
        }
        let asked = format!("data to or from {address}");
        let allowed: Vec<String> = prefixes.iter().map(IpPrefix::to_string).collect();
        Err(self.refusal("peers.addresses", asked, format!("are {}", allowed.join(", "))))
    }

    /// Whether a file, or the files below a folder, may be accessed. The path must be absolute and without `..`; the caller
    /// must not follow links out of it.
    pub fn admits_path(&self, path: &Path) -> Result<(), PolicyViolation> {
        let Some(folders) = &self.folders else { return Ok(()) };
        let plain = path.is_absolute() && !path.components().any(|c| c.as_os_str() == "..");
        if plain && folders.iter().any(|allowed| path.starts_with(allowed)) {
            return Ok(());
        }
        let allowed: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
        let asked = format!("access to {}", path.display());
        let allowed = match allowed.as_slice() {
            [] => "is none; goodput agent --allow-dir DIR allows one".to_string(),
            all => format!("are {}", all.join(", ")),
        };
        Err(self.refusal("folders.allowed", asked, allowed))
    }

    /// What is counted while a trial runs, whatever its order says.
    pub fn traffic_limits(&self) -> TrafficLimits {
        TrafficLimits { rate: self.rate, bytes: self.bytes }
    }

    /// Longest allowed trial; `None` for no limit.
    pub fn max_trial_duration(&self) -> Option<Duration> {
        self.time.map(|time| time.to_duration().saturating_add(GRACE))
    }

    fn judge_demand(&self, demand: &goodput_model::probe::TrafficDemand) -> Result<(), PolicyViolation> {
        self.bounded(
            "limits.time",
            self.time,
            demand.time,
            "a trial that ends by bytes or count, however long it takes",
        )?;
        self.bounded("limits.rate", self.rate, demand.rate, "a rate without a bound")?;
        if let Some(most) = self.connections
            && demand.connections > most
        {
            let asked = format!("{} connections", demand.connections);
            return Err(self.refusal("limits.connections", asked, format!("are at most {most}")));
        }
        self.bounded("limits.bytes", self.bytes, demand.bytes, "an amount without a bound")
    }

    fn bounded<T: Copy + PartialOrd + Typed>(
        &self,
        rule: &'static str,
        most: Option<T>,
        asked: Option<T>,
        boundless: &str,
    ) -> Result<(), PolicyViolation> {
        match (most, asked) {
            (None, _) => Ok(()),
            (Some(most), Some(asked)) if asked <= most => Ok(()),
            (Some(most), Some(asked)) => Err(self.refusal(rule, asked.typed(), at_most(most))),
            (Some(most), None) => Err(self.refusal(rule, boundless.to_string(), at_most(most))),
        }
    }

    fn refusal(&self, rule: &'static str, asked: String, allowed: String) -> PolicyViolation {
        PolicyViolation { rule, file: self.file.clone(), asked, allowed }
    }
}

/// Folders and files of this host that an order accesses. A load file counts, because even a refusal would show
/// whether it exists and has the order's SHA-256.
pub(super) fn accessed_paths(start: &StartJobRequest) -> Vec<&str> {
    let Probe::File(file) = &start.order.probe else { return Vec::new() };
    let wanted = match start.role() {
        EndpointRole::Connect => {
            let place = match &file.place {
                FileLocation::Folder { path } => Some(path),
                FileLocation::Smb { .. } | FileLocation::Nfs { .. } | FileLocation::Sink { .. } => None,
            };
            let local = match &file.work {
                FileWorkload::Copy { local, .. } => local.as_ref(),
                FileWorkload::Mix { load: FileOperationMixSource::LoadFile { path, .. }, .. } => Some(path),
                _ => None,
            };
            [place, local]
        }
        EndpointRole::Listen => {
            let sink = match &file.place {
                FileLocation::Sink { sink: SinkStorageKind::Disk { path } } => path.as_ref(),
                _ => None,
            };
            [sink, file.server_folder.as_ref()]
        }
    };
    wanted.into_iter().flatten().map(String::as_str).collect()
}

fn at_most<T: Typed>(most: T) -> String {
    format!("is at most {}", most.typed())
}

trait Typed {
    fn typed(&self) -> String;
}

fn typed(value: u64, units: &[(u64, &str)], base: &str) -> String {
    let whole = units.iter().find(|(scale, _)| value >= *scale && value.is_multiple_of(*scale));
    whole.map_or_else(|| format!("{value}{base}"), |(scale, unit)| format!("{}{unit}", value / scale))
}

impl Typed for BitRate {
    fn typed(&self) -> String {
        typed(self.0, &[(1_000_000_000, "Gbit"), (1_000_000, "Mbit"), (1_000, "kbit")], "bit")
    }
}

impl Typed for Bytes {
    fn typed(&self) -> String {
        let units = [
            (1_000_000_000, "GB"),
            (1 << 30, "GiB"),
            (1_000_000, "MB"),
            (1 << 20, "MiB"),
            (1_000, "kB"),
            (1 << 10, "KiB"),
        ];
        typed(self.0, &units, "B")
    }
}

impl Typed for Nanos {
    fn typed(&self) -> String {
        typed(self.0, &[(1_000_000_000, "s"), (1_000_000, "ms"), (1_000, "us")], "ns")
    }
}

#[cfg(test)]
pub(super) mod tests;
