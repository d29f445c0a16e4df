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
use crate::path_text;
use crate::protocol::StartJobRequest;
use goodput_model::{BitRate, Bytes, Nanos};
use goodput_probe::{TrafficLimits, loopback_if_unspecified};
use goodput_words::{Message, error_messages, message};
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
#[derive(Debug, Clone, PartialEq)]
pub struct PolicyViolation {
    pub rule: &'static str,
    pub file: PathBuf,
    pub asked: Message,
    pub allowed: Message,
}

error_messages! {
    PolicyViolation {
        PolicyViolation { rule, file, asked, allowed } => match path_text(file) {
            none if none.is_empty() => message!(error_refused_by_rule_bare { rule: *rule, asked, allowed }),
            file => message!(error_refused_by_rule { rule: *rule, file, asked, allowed }),
        },
    }
}

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
        let asked = message!(part_policy_orders_by { who: who.message() });
        Err(self.refusal("coordinators.names", asked, one_of(names)))
    }

    /// Whether a trial may start. Addresses are checked where connections are accepted,
    /// and those of file servers where they are resolved.
    pub fn check_trial(&self, start: &StartJobRequest, who: &PeerIdentity) -> Result<(), PolicyViolation> {
        self.admits_coordinator(who)?;
        let probe = start.order.probe.name();
        if let Some(probes) = &self.probes
            && !probes.iter().any(|p| p == probe)
        {
            let asked = message!(part_policy_probe { probe });
            return Err(self.refusal("probes.allowed", asked, one_of(probes)));
        }
        if let Some(peer) = start.peer {
            self.admits_peer(peer.ip())?;
        }
        let (settings, role) = (start.order.probe.settings(), start.role());
        for path in settings.accessed_paths(role) {
            self.admits_path(Path::new(path))?;
        }
        self.admits_smb_account(start)?;
        self.judge_demand(&settings.traffic_demand(role, start.order.client))
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
        let asked = message!(part_policy_data_with { address: address.to_string() });
        let allowed: Vec<String> = prefixes.iter().map(IpPrefix::to_string).collect();
        Err(self.refusal("peers.addresses", asked, one_of(&allowed)))
    }

    /// Whether a file, or the files below a folder, may be accessed. The path must be absolute and without `..`; the caller
    /// must not follow links out of it.
    pub fn admits_path(&self, path: &Path) -> Result<(), PolicyViolation> {
        let Some(folders) = &self.folders else { return Ok(()) };
        let plain = path.is_absolute() && !path.components().any(|c| c.as_os_str() == "..");
        if plain && folders.iter().any(|allowed| path.starts_with(allowed)) {
            return Ok(());
        }
        let allowed: Vec<String> = folders.iter().map(|f| path_text(f)).collect();
        let allowed = match allowed.as_slice() {
            [] => "is none; goodput agent --allow-dir DIR allows one".into(),
            all => one_of(all),
        };
        let asked = message!(part_policy_access { path: path_text(path) });
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
            let asked = message!(part_policy_connections { count: demand.connections.to_string() });
            let allowed = message!(part_policy_are_at_most { most: most.to_string() });
            return Err(self.refusal("limits.connections", asked, allowed));
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
            (Some(most), Some(asked)) => Err(self.refusal(rule, asked.typed().into(), at_most(most))),
            (Some(most), None) => Err(self.refusal(rule, boundless.into(), at_most(most))),
        }
    }

    fn refusal(&self, rule: &'static str, asked: Message, allowed: Message) -> PolicyViolation {
        PolicyViolation { rule, file: self.file.clone(), asked, allowed }
    }
}

fn one_of(names: &[String]) -> Message {
    message!(part_policy_are { names: names.to_vec() })
}

fn at_most<T: Typed>(most: T) -> Message {
    message!(part_policy_at_most { most: most.typed() })
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
