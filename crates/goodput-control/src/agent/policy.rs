//! What an agent does, and for whom: rules that its owner wrote into a file (`policy/file.rs`), judged before a trial
//! starts. Pure: the order and who gave it are arguments.
//!
//! Without a file everything is allowed to everybody who has shown the lab key or a certificate; every section that is
//! left out of a file allows everything, too. What an order does not bound is refused where there is a rule about it:
//! a stream as fast as it goes has no rate that could be compared with one.

mod demand;
mod file;
mod knobs;

pub use crate::prefix::{Prefix, PrefixError};
pub use demand::Demand;
pub use file::PolicyError;
pub use knobs::{command_rule, knob_rule};

use crate::identity::Who;
use crate::protocol::AskStart;
use goodput_model::file::{FileWork, Place, Sink};
use goodput_model::trial::Role;
use goodput_model::{BitRate, Bytes, Nanos, Probe};
use std::fmt;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The word for holders of the lab key in the rule `coordinators.names`.
pub const KEY_HOLDER: &str = "key holder";
/// The word there for processes of this machine, where no key is used.
pub const THIS_MACHINE: &str = "this machine";

/// How much longer than the rule `limits.time` a trial may take to connect, to drain and to end.
const GRACE: Duration = Duration::from_secs(15);

/// The rules. The default allows everything.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    pub file: PathBuf,
    /// `coordinators.names`: common names of certificates, [`KEY_HOLDER`], [`THIS_MACHINE`].
    pub names: Option<Vec<String>>,
    /// `coordinators.addresses`: from where orders may come.
    pub coordinators: Option<Vec<Prefix>>,
    /// `peers.addresses`: between where and here data may flow.
    pub peers: Option<Vec<Prefix>>,
    /// `probes.allowed`: by name.
    pub probes: Option<Vec<String>>,
    /// `limits.rate`: payload in one direction, all connections of a trial together.
    pub rate: Option<BitRate>,
    /// `limits.time`: warm-up and window.
    pub time: Option<Nanos>,
    /// `limits.connections`: connections or flows of a trial at this end.
    pub connections: Option<u32>,
    /// `limits.bytes`: payload of a trial, both directions together.
    pub bytes: Option<Bytes>,
    /// `folders.allowed`: where files may be read and written.
    pub folders: Option<Vec<PathBuf>>,
    /// `knobs.allowed`: settings of this host that may be changed.
    pub knobs: Option<Vec<String>>,
    /// `commands.allowed`: commands that may be run, by their first words.
    pub commands: Option<Vec<String>>,
}

/// An order that a rule does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The rule, as `section.key`.
    pub rule: &'static str,
    pub file: PathBuf,
    pub asked: String,
    pub allowed: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Refusal { rule, file, asked, allowed } = self;
        write!(f, "refused by rule {rule}")?;
        if !file.as_os_str().is_empty() {
            write!(f, " of {}", file.display())?;
        }
        write!(f, ": asked for {asked}, allowed {allowed}")
    }
}

impl std::error::Error for Refusal {}

impl Policy {
    /// Whether somebody may give orders at all.
    ///
    /// # Errors
    /// The rule `coordinators.names`.
    pub fn admits(&self, who: &Who) -> Result<(), Refusal> {
        let Some(names) = &self.names else { return Ok(()) };
        // The two words are no certificates' names, whatever is written into one.
        let listed = match who {
            Who::ThisMachine => names.iter().any(|n| n == THIS_MACHINE),
            Who::KeyHolder => names.iter().any(|n| n == KEY_HOLDER),
            Who::Certificate(name) => {
                !matches!(name.as_str(), THIS_MACHINE | KEY_HOLDER) && names.contains(name)
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

    /// Whether a trial may start. Where orders come from and data go to is judged where connections are taken.
    ///
    /// # Errors
    /// The first rule that does not allow it.
    pub fn judge(&self, start: &AskStart, who: &Who) -> Result<(), Refusal> {
        self.admits(who)?;
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
        for folder in folders(start) {
            self.admits_folder(Path::new(folder))?;
        }
        self.judge_demand(&Demand::of(&start.order, start.role()))
    }

    /// The same rules with these folders allowed beside those that the file names, and no others.
    pub fn and_folders(mut self, folders: &[PathBuf]) -> Policy {
        self.folders.get_or_insert_default().extend_from_slice(folders);
        self
    }

    /// Whether data may flow between here and an address.
    ///
    /// # Errors
    /// The rule `peers.addresses`.
    pub fn admits_peer(&self, address: IpAddr) -> Result<(), Refusal> {
        self.within("peers.addresses", self.peers.as_deref(), "data to or from", address)
    }

    /// Whether orders may come from an address.
    ///
    /// # Errors
    /// The rule `coordinators.addresses`.
    pub fn admits_coordinator_at(&self, address: IpAddr) -> Result<(), Refusal> {
        self.within("coordinators.addresses", self.coordinators.as_deref(), "orders from", address)
    }

    /// Whether files below a folder may be read and written. The path must be absolute and without `..`; whoever opens
    /// it must not follow links out of it.
    ///
    /// # Errors
    /// The rule `folders.allowed`.
    pub fn admits_folder(&self, folder: &Path) -> Result<(), Refusal> {
        let Some(folders) = &self.folders else { return Ok(()) };
        let plain = folder.is_absolute() && !folder.components().any(|c| c.as_os_str() == "..");
        if plain && folders.iter().any(|allowed| folder.starts_with(allowed)) {
            return Ok(());
        }
        let allowed: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
        let asked = format!("the folder {}", folder.display());
        let allowed = match allowed.as_slice() {
            [] => "is none; goodput agent --allow-dir DIR allows one".to_string(),
            all => format!("are {}", all.join(", ")),
        };
        Err(self.refusal("folders.allowed", asked, allowed))
    }

    /// How long a trial may run before it is ended, whatever it was asked to do; `None` for ever.
    pub fn longest(&self) -> Option<Duration> {
        self.time.map(|time| time.duration().saturating_add(GRACE))
    }

    /// The sentence for a trial that was ended so.
    pub fn overran(&self, ran: Duration) -> String {
        let asked = format!("{} s", ran.as_secs());
        self.refusal("limits.time", asked, self.time.map_or_else(String::new, at_most)).to_string()
    }

    fn judge_demand(&self, demand: &Demand) -> Result<(), Refusal> {
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
    ) -> Result<(), Refusal> {
        match (most, asked) {
            (None, _) => Ok(()),
            (Some(most), Some(asked)) if asked <= most => Ok(()),
            (Some(most), Some(asked)) => Err(self.refusal(rule, asked.typed(), at_most(most))),
            (Some(most), None) => Err(self.refusal(rule, boundless.to_string(), at_most(most))),
        }
    }

    fn within(
        &self,
        rule: &'static str,
        prefixes: Option<&[Prefix]>,
        what: &str,
        address: IpAddr,
    ) -> Result<(), Refusal> {
        let Some(prefixes) = prefixes else { return Ok(()) };
        if prefixes.iter().any(|p| p.contains(address)) {
            return Ok(());
        }
        let asked = format!("{what} {}", address.to_canonical());
        let allowed: Vec<String> = prefixes.iter().map(Prefix::to_string).collect();
        Err(self.refusal(rule, asked, format!("are {}", allowed.join(", "))))
    }

    fn refusal(&self, rule: &'static str, asked: String, allowed: String) -> Refusal {
        Refusal { rule, file: self.file.clone(), asked, allowed }
    }
}

/// The folders of this host in which an order wants to read or write. A load file is not among them: the order knows its
/// content already, by its SHA-256.
pub(super) fn folders(start: &AskStart) -> Vec<&str> {
    let Probe::File(file) = &start.order.probe else { return Vec::new() };
    let wanted = match start.role() {
        Role::Connect => {
            let place = match &file.place {
                Place::Folder { path } => Some(path),
                Place::Smb { .. } | Place::Nfs { .. } | Place::Sink { .. } => None,
            };
            let local = match &file.work {
                FileWork::Copy { local, .. } => local.as_ref(),
                _ => None,
            };
            [place, local]
        }
        Role::Listen => {
            let sink = match &file.place {
                Place::Sink { sink: Sink::Disk { path } } => path.as_ref(),
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

/// A quantity as a person would type it.
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
