//! The TOML form of a policy.
//!
//! ```toml
//! [coordinators]
//! names = ["bench1", "key holder"]   # common names of certificates, "key holder", "this machine"
//! addresses = ["10.0.0.0/24"]        # from where orders may come
//!
//! [peers]
//! addresses = ["10.0.0.0/16"]        # between where and here data may flow
//!
//! [probes]
//! allowed = ["stream", "request"]
//!
//! [limits]
//! rate = "100Mbit"                   # payload in one direction of a trial
//! time = "60s"                       # warm-up and window
//! connections = 16                   # at this end
//! bytes = "10GB"                     # payload of a trial, both directions together
//!
//! [folders]
//! allowed = ["/srv/goodput"]         # where files may be read and written
//!
//! [smb]
//! accounts = ["bench@nas"]           # users and servers for which this host's SMB password may be used
//!
//! [knobs]
//! allowed = ["mtu", "offload"]       # settings of this host that may be changed
//!
//! [commands]
//! allowed = ["/usr/local/sbin/nic"]  # commands that may be run for a level, by their first words
//! ```
//!
//! Every section and every key may be left out, and then allows everything; but `goodput agent` takes folders, SMB
//! accounts, knobs and commands that are left out for none. An empty list allows nothing.

use super::{IpPrefix, Policy};
use crate::path_text;
use goodput_model::units::QuantityError;
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use goodput_words::{Message, error_messages, message};
use serde::de::Error;
use serde::{Deserialize, Deserializer};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Why a policy cannot be used; then the agent does not start.
///
/// `Open`: users other than its owner can write to it. `Owner`: neither root nor the agent's user.
#[derive(Debug)]
pub enum PolicyError {
    Read { file: PathBuf, source: io::Error },
    Open { file: PathBuf, mode: u32 },
    Owner { file: PathBuf, owner: u32 },
    Line { file: PathBuf, line: usize, why: String },
}

error_messages! {
    PolicyError {
        PolicyError::Read { file, .. } => message!(error_cannot_read_policy { file: path_text(file) }),
        PolicyError::Open { file, mode } =>
            message!(error_policy_open { file: path_text(file), mode: format!("{mode:03o}") }),
        PolicyError::Owner { file, owner } =>
            message!(error_policy_owner { file: path_text(file), owner: owner.to_string() }),
        PolicyError::Line { file, line, why } =>
            message!(error_policy_line { file: path_text(file), line: line.to_string(), why }),
    }
    sources { PolicyError::Read { source, .. } => source }
}

impl PolicyError {
    pub fn hint(&self) -> Message {
        match self {
            PolicyError::Read { .. } => "specify the file with --policy, or start without a policy".into(),
            PolicyError::Open { file, .. } => format!("chmod go-w {}", file.display()).into(),
            PolicyError::Owner { file, .. } => format!("chown root {}", file.display()).into(),
            PolicyError::Line { file, .. } => message!(hint_policy_check { file: path_text(file) }),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PolicyFile {
    coordinators: CoordinatorsSection,
    peers: PeersSection,
    probes: ProbesSection,
    limits: LimitsSection,
    folders: FoldersSection,
    smb: SmbSection,
    knobs: KnobsSection,
    commands: CommandsSection,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CoordinatorsSection {
    #[serde(deserialize_with = "names")]
    names: Option<Vec<String>>,
    #[serde(deserialize_with = "prefixes")]
    addresses: Option<Vec<IpPrefix>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct PeersSection {
    #[serde(deserialize_with = "prefixes")]
    addresses: Option<Vec<IpPrefix>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ProbesSection {
    #[serde(deserialize_with = "probes")]
    allowed: Option<Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct LimitsSection {
    #[serde(deserialize_with = "quantity")]
    rate: Option<BitRate>,
    #[serde(deserialize_with = "quantity")]
    time: Option<Nanos>,
    connections: Option<u32>,
    #[serde(deserialize_with = "quantity")]
    bytes: Option<Bytes>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FoldersSection {
    #[serde(deserialize_with = "folders")]
    allowed: Option<Vec<PathBuf>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct SmbSection {
    #[serde(deserialize_with = "smb_accounts")]
    accounts: Option<Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct KnobsSection {
    #[serde(deserialize_with = "knobs")]
    allowed: Option<Vec<String>>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CommandsSection {
    #[serde(deserialize_with = "commands")]
    allowed: Option<Vec<String>>,
}

fn quantity<'de, D, T>(from: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err = QuantityError>,
{
    let typed = String::deserialize(from)?;
    typed.parse().map(Some).map_err(|e: QuantityError| {
        Error::custom(format!("{e}; {}", goodput_words::quantity_error::hint(&e)))
    })
}

fn prefixes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<IpPrefix>>, D::Error> {
    let typed = Vec::<String>::deserialize(from)?;
    typed.iter().map(|t| t.parse().map_err(Error::custom)).collect::<Result<_, _>>().map(Some)
}

fn names<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    match names.iter().find(|n| n.trim().is_empty()) {
        Some(empty) => Err(Error::custom(format!("{empty:?} is nobody's name"))),
        None => Ok(Some(names)),
    }
}

fn probes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    let names = Vec::<String>::deserialize(from)?;
    match names.iter().find(|n| !Probe::NAMES.contains(&n.as_str())) {
        Some(other) => {
            Err(Error::custom(format!("probe {other:?} not found; valid names: {}", Probe::NAMES.join(", "))))
        }
        None => Ok(Some(names)),
    }
}

fn folders<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<PathBuf>>, D::Error> {
    let folders = Vec::<PathBuf>::deserialize(from)?;
    match folders.iter().find(|f| !f.is_absolute() || f.components().any(|c| c.as_os_str() == "..")) {
        Some(other) => Err(Error::custom(format!(
            "the folder {:?} is refused; write its whole path from / on, without ..",
            other.display().to_string()
        ))),
        None => Ok(Some(folders)),
    }
}

fn smb_accounts<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    rules(from, super::validate_smb_account)
}

fn knobs<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    rules(from, super::validate_knob_rule)
}

fn commands<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Vec<String>>, D::Error> {
    rules(from, super::validate_command_rule)
}

fn rules<'de, D: Deserializer<'de>>(
    from: D,
    validate: fn(&str) -> Result<(), Message>,
) -> Result<Option<Vec<String>>, D::Error> {
    let rules = Vec::<String>::deserialize(from)?;
    rules.iter().try_for_each(|rule| validate(rule)).map_err(Error::custom)?;
    Ok(Some(rules))
}

impl Policy {
    /// Reads a policy file; an error names the line.
    pub fn read_file(file: &Path) -> Result<Policy, PolicyError> {
        let unreadable = |source| PolicyError::Read { file: file.to_path_buf(), source };
        let mut open = File::open(file).map_err(unreadable)?;
        let meta = open.metadata().map_err(unreadable)?;
        let mode = meta.permissions().mode() & 0o777;
        if mode & 0o022 != 0 {
            return Err(PolicyError::Open { file: file.to_path_buf(), mode });
        }
        if let Some(owner) = goodput_host::foreign_owner(&meta) {
            return Err(PolicyError::Owner { file: file.to_path_buf(), owner });
        }
        let mut text = String::new();
        open.read_to_string(&mut text).map_err(unreadable)?;
        Policy::from_toml(&text, file)
    }

    /// Reads the named policy, else the user's (`~/.config/goodput/policy.toml`), else the machine's
    /// (`/etc/goodput/policy.toml`). Without a file everything is allowed.
    pub fn load_first_found(named: Option<&Path>) -> Result<Policy, PolicyError> {
        if let Some(file) = named {
            return Policy::read_file(file);
        }
        let home = std::env::var_os("HOME").map(|home| Path::new(&home).join(".config/goodput/policy.toml"));
        for file in home.into_iter().chain([PathBuf::from("/etc/goodput/policy.toml")]) {
            match Policy::read_file(&file) {
                Err(PolicyError::Read { source, .. }) if crate::lab_key::is_file_not_found(&source) => {}
                found => return found,
            }
        }
        Ok(Policy::default())
    }

    /// Parses a policy; `file` appears in refusals.
    pub fn from_toml(text: &str, file: &Path) -> Result<Policy, PolicyError> {
        let read: PolicyFile = toml::from_str(text).map_err(|e| {
            let before = e.span().and_then(|span| text.get(..span.start)).unwrap_or("");
            let why = e.message().lines().collect::<Vec<_>>().join(" ");
            PolicyError::Line { file: file.to_path_buf(), line: before.matches('\n').count() + 1, why }
        })?;
        Ok(Policy {
            file: file.to_path_buf(),
            names: read.coordinators.names,
            coordinators: read.coordinators.addresses,
            peers: read.peers.addresses,
            probes: read.probes.allowed,
            rate: read.limits.rate,
            time: read.limits.time,
            connections: read.limits.connections,
            bytes: read.limits.bytes,
            folders: read.folders.allowed,
            smb_accounts: read.smb.accounts,
            knobs: read.knobs.allowed,
            commands: read.commands.allowed,
        })
    }
}

impl fmt::Display for Policy {
    /// One line per rule, for `goodput agent --check`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use super::Typed;
        if self.file.as_os_str().is_empty() {
            let but = match (&self.folders, &self.knobs) {
                (Some(_), Some(_)) => ", but files, settings and commands only as it is said",
                (Some(_), None) => ", but files only where it is said",
                (None, _) => "",
            };
            writeln!(
                f,
                "no policy file: everything is allowed to whoever shows the key or a certificate{but}"
            )?;
        } else {
            writeln!(f, "policy {}", self.file.display())?;
        }
        let list = |all: &[IpPrefix]| all.iter().map(IpPrefix::to_string).collect::<Vec<_>>().join(", ");
        let folders =
            |all: &Vec<PathBuf>| all.iter().map(|p| p.display().to_string()).collect::<Vec<_>>().join(", ");
        let rules: [(&str, Option<String>); 12] = [
            ("coordinators.names", self.names.as_ref().map(|n| n.join(", "))),
            ("coordinators.addresses", self.coordinators.as_deref().map(list)),
            ("peers.addresses", self.peers.as_deref().map(list)),
            ("probes.allowed", self.probes.as_ref().map(|p| p.join(", "))),
            ("limits.rate", self.rate.map(|r| r.typed())),
            ("limits.time", self.time.map(|t| t.typed())),
            ("limits.connections", self.connections.map(|n| n.to_string())),
            ("limits.bytes", self.bytes.map(|b| b.typed())),
            ("folders.allowed", self.folders.as_ref().map(folders)),
            ("smb.accounts", self.smb_accounts.as_ref().map(|a| a.join(", "))),
            ("knobs.allowed", self.knobs.as_ref().map(|k| k.join(", "))),
            ("commands.allowed", self.commands.as_ref().map(|c| c.join(", "))),
        ];
        for (rule, value) in rules {
            let value = match value {
                None => "anything".to_string(),
                Some(nothing) if nothing.is_empty() => "nothing".to_string(),
                Some(value) => value,
            };
            writeln!(f, "  {rule:<24}{value}")?;
        }
        Ok(())
    }
}
