//! An experiment's lab: created under its own name, recreated when a factor changes it, removed at the end.

use super::topology_value;
use crate::command::lab;
use goodput_control::experiment::LevelChange;
use goodput_lab::{LabOrHostName, RuntimeFolder, StopLabError, Topology};
use goodput_model::Message;
use goodput_model::experiment::{Factor, LevelSettingMethod};
use goodput_words::{ErrorMessage, message};
use std::collections::BTreeMap;
use toml::Table;

pub struct ExperimentLab {
    pub name: LabOrHostName,
    base: Table,
    changed: BTreeMap<String, String>,
    standing: Option<String>,
}

pub struct ChangedTopology {
    /// The changed values by their paths.
    changed: BTreeMap<String, String>,
    topology: Topology,
    text: String,
}

fn paths(factor: &Factor) -> &[String] {
    match &factor.means {
        LevelSettingMethod::Lab { paths } => paths,
        _ => &[],
    }
}

impl ExperimentLab {
    /// Nothing is created yet.
    pub fn new(name: LabOrHostName, text: &str) -> Result<ExperimentLab, Message> {
        Topology::from_toml(text).map_err(|e| e.message())?;
        let base = text.parse::<Table>().map_err(|e| e.message().to_string())?;
        Ok(ExperimentLab { name, base, changed: BTreeMap::new(), standing: None })
    }

    /// The topology with these levels; an error if a path does not exist or the result is invalid.
    pub fn topology_with_changes(&self, changes: &[LevelChange<'_>]) -> Result<ChangedTopology, Message> {
        let mut changed = self.changed.clone();
        for change in changes {
            changed.extend(paths(change.factor).iter().map(|p| (p.clone(), change.level.value.clone())));
        }
        let mut table = self.base.clone();
        for (path, value) in &changed {
            topology_value::set_value_at_path(&mut table, path, value)?;
        }
        let text = toml::to_string(&table).map_err(|e| e.to_string())?;
        // Line numbers of a generated text are meaningless to the user.
        let refused = |why: Message| {
            let levels = changes.iter().map(|c| format!("{} = {}", c.factor.name, c.level.value));
            message!(error_lab_topology_with_levels { levels: levels.collect::<Vec<_>>(), why })
        };
        let topology = Topology::from_toml(&text).and_then(Topology::validate);
        let topology = topology.map_err(|e| refused(e.message()))?;
        Ok(ChangedTopology { changed, topology, text })
    }

    /// Creates the lab with these levels if needed; true if hosts are new. After an error there is no lab.
    pub fn apply_level_changes(&mut self, changes: &[LevelChange<'_>]) -> Result<bool, Message> {
        let ChangedTopology { changed, topology, text } = self.topology_with_changes(changes)?;
        self.changed = changed;
        if self.standing.as_ref() == Some(&text) && self.ensure_lab_is_running().is_ok() {
            return Ok(false);
        }
        self.remove_lab()?;
        lab::start_lab(&self.name, topology).map_err(|failure| failure.one_line_message())?;
        self.standing = Some(text);
        Ok(true)
    }

    pub fn applied_factor_values(&self, factor: &Factor) -> Vec<String> {
        let value = |path: &String| self.changed.get(path).map(|value| format!("{path}: {value}"));
        paths(factor).iter().filter_map(value).collect()
    }

    /// Fails if the lab no longer runs.
    pub fn ensure_lab_is_running(&self) -> Result<(), Message> {
        lab::find_lab(&self.name).map(drop).map_err(|failure| failure.one_line_message())
    }

    /// Removes the lab in any state, also one of a killed run. After an error some of it may remain.
    pub fn remove_lab(&mut self) -> Result<(), Message> {
        self.standing = None;
        match goodput_lab::stop_lab(&RuntimeFolder::for_user(), &self.name) {
            Ok(_) | Err(StopLabError::NoSuchLab { .. }) => Ok(()),
            Err(e) => Err(e.message_with_sources()),
        }
    }
}
