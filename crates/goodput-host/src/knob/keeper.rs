//! Sets with a way back: written down before, read back after, put back in reverse order, and never over what somebody
//! else has set meanwhile.

use super::KnobError;
use super::journal::{self, Damaged, Entry, Line};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;

/// Settings that can be read and set.
pub trait World {
    /// What is set; written into the journal.
    type Setting: Clone + PartialEq + Display + Serialize + DeserializeOwned;

    /// What is there now.
    ///
    /// # Errors
    /// [`KnobError::Gone`] when nothing is left that could be put back, else why it cannot be read.
    fn read(&self, setting: &Self::Setting) -> Result<State, KnobError>;

    /// Sets a value in the form of [`State::shown`].
    ///
    /// # Errors
    /// What the system said.
    fn set(&self, setting: &Self::Setting, value: &str) -> Result<(), KnobError>;

    /// Puts back a value in the form of [`State::exact`].
    ///
    /// # Errors
    /// What the system said.
    fn put_back(&self, setting: &Self::Setting, exact: &str) -> Result<(), KnobError>;

    /// True when the setting belongs to the network namespace.
    fn namespaced(&self, setting: &Self::Setting) -> bool;

    /// True when the setting may still be there after the machine was started again.
    fn survives_boot(&self, setting: &Self::Setting) -> bool;

    /// True when it can be read; else it is put back without being compared.
    fn readable(&self, _setting: &Self::Setting) -> bool {
        true
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// As a person would type it.
    pub shown: String,
    pub exact: String,
    pub linked: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Here {
    pub boot: String,
    /// Cookie of the network namespace; `None` where the kernel tells none.
    pub namespace: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Put {
    /// What was there before, as a person would type it.
    pub before: String,
    pub obtained: String,
    /// What else changed with it, and what somebody else had changed, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// How putting something back went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Back {
    pub setting: String,
    /// What is there now, as a person would type it; empty where it cannot be read.
    pub obtained: String,
    /// `None` when it is as it was before; else in a sentence why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// A journal's place: what was appended is on disk when `append` returns.
pub trait Log {
    /// Adds whole lines.
    ///
    /// # Errors
    /// When they are not safely written.
    fn append(&mut self, lines: &[u8]) -> std::io::Result<()>;

    /// Forgets all lines: nothing is open.
    ///
    /// # Errors
    /// What the system said; the lines may still be there.
    fn clear(&mut self) -> std::io::Result<()>;

    fn name(&self) -> String;
}

/// A journal that ends with the process, for settings that end with their network namespace.
#[derive(Debug, Default)]
pub struct MemoryLog;

impl Log for MemoryLog {
    fn append(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }

    fn clear(&mut self) -> std::io::Result<()> {
        Ok(())
    }

    fn name(&self) -> String {
        "in memory".into()
    }
}

/// Sets, and puts back.
pub struct Keeper<W: World> {
    world: W,
    log: Box<dyn Log + Send>,
    here: Here,
    open: Vec<Entry<W::Setting>>,
    next: u64,
}

impl<W: World> Keeper<W> {
    /// Goes on with a journal whose bytes are `lines`. What it leaves open belongs to nobody; [`Keeper::replay`] puts it
    /// back.
    ///
    /// # Errors
    /// The journal is damaged: then nothing must be set before somebody has looked.
    pub fn open(world: W, log: Box<dyn Log + Send>, lines: &[u8], here: Here) -> Result<Keeper<W>, Damaged> {
        let mut open: Vec<Entry<W::Setting>> = journal::read(lines)?;
        open.iter_mut().for_each(|entry| entry.owner.clear());
        let next = open.iter().map(|e| e.id).max().unwrap_or(0) + 1;
        Ok(Keeper { world, log, here, open, next })
    }

    pub fn changed(&self) -> impl Iterator<Item = &W::Setting> {
        self.open.iter().map(|e| &e.setting)
    }

    /// What is there now, as a person would type it.
    ///
    /// # Errors
    /// As [`World::read`].
    pub fn read(&self, setting: &W::Setting) -> Result<String, KnobError> {
        self.world.read(setting).map(|state| state.shown)
    }

    /// Sets a value in its normal form, for somebody, and makes sure that it took effect.
    ///
    /// # Errors
    /// What the system said; [`KnobError::NotTaken`] with what was obtained, if that is something else. What did change is
    /// put back by [`Keeper::restore`].
    pub fn set(&mut self, owner: &str, setting: &W::Setting, value: &str) -> Result<Put, KnobError> {
        let before = self.world.read(setting)?;
        let mut notes = Vec::new();
        let at = self.open.iter().position(|e| e.setting == *setting);
        let mut id = None;
        if let Some(at) = at {
            if !self.open[at].owner.is_empty() && self.open[at].owner != owner {
                return Err(KnobError::Held {
                    setting: setting.to_string(),
                    owner: self.open[at].owner.clone(),
                });
            }
            self.open[at].owner = owner.to_string();
            let ours = self.open[at].obtained.as_ref();
            if let Some(ours) = ours.filter(|ours| self.world.readable(setting) && **ours != before.exact) {
                // What it is put back to is from now on what that other hand has chosen.
                let note = format!("somebody else had set {setting} to {}; it was {ours}", before.shown);
                let closed = self.open[at].id;
                self.write(Line::Closed { id: closed, why: Some(note.clone()) })?;
                notes.push(note);
            } else {
                id = Some(self.open[at].id);
            }
        }
        if self.world.readable(setting) && before.shown == value {
            return Ok(Put { before: before.shown.clone(), obtained: before.shown, notes });
        }
        let id = match id {
            Some(id) => {
                self.write(Line::Change { id, asked: value.to_string() })?;
                id
            }
            None => {
                let id = self.next;
                self.next += 1;
                self.write(Line::Intent {
                    id,
                    owner: owner.to_string(),
                    setting: setting.clone(),
                    boot: self.here.boot.clone(),
                    namespace: self.here.namespace.filter(|_| self.world.namespaced(setting)),
                    old: before.exact.clone(),
                    asked: value.to_string(),
                })?;
                id
            }
        };
        let done = self.world.set(setting, value);
        let after = self.world.read(setting);
        if let Ok(after) = &after {
            self.settle(id, after)?;
        }
        done?;
        let after = after?;
        notes.extend(differences(&before.linked, &after.linked));
        if self.world.readable(setting) && after.shown != value {
            return Err(KnobError::NotTaken {
                setting: setting.to_string(),
                asked: value.to_string(),
                obtained: after.shown,
            });
        }
        Ok(Put { before: before.shown, obtained: after.shown, notes })
    }

    /// Puts back what somebody has changed, the last change first; what could not be put back stays open.
    pub fn restore(&mut self, owner: &str) -> Vec<Back> {
        self.put_back(|entry| entry.owner == owner)
    }

    pub fn restore_all(&mut self) -> Vec<Back> {
        self.put_back(|_| true)
    }

    /// Puts back what an earlier process has left open: after a kill -9, or a restart of the machine.
    pub fn replay(&mut self) -> Vec<Back> {
        self.put_back(|entry| entry.owner.is_empty())
    }

    fn put_back(&mut self, which: impl Fn(&Entry<W::Setting>) -> bool) -> Vec<Back> {
        let chosen: Vec<Entry<W::Setting>> = self.open.iter().rev().filter(|e| which(e)).cloned().collect();
        let mut told = Vec::new();
        for entry in chosen {
            let (mut back, closed) = self.one_back(&entry);
            if closed && let Err(e) = self.write(Line::Closed { id: entry.id, why: back.trouble.clone() }) {
                back.trouble.get_or_insert_with(|| e.to_string());
            }
            if let Some(open) = self.open.iter_mut().find(|e| e.id == entry.id) {
                // Whoever comes next may try again.
                open.owner.clear();
            }
            told.push(back);
        }
        told
    }

    /// Puts one thing back; also whether nothing more is to be done about it.
    fn one_back(&mut self, entry: &Entry<W::Setting>) -> (Back, bool) {
        let setting = &entry.setting;
        let told = |obtained: &str, trouble: Option<String>| Back {
            setting: setting.to_string(),
            obtained: obtained.to_string(),
            trouble,
        };
        let booted = entry.boot != self.here.boot;
        if booted && !self.world.survives_boot(setting) {
            let why = format!(
                "the machine was started again since {setting} was set, and it does not survive that"
            );
            let now = self.world.read(setting).map(|s| s.shown).unwrap_or_default();
            return (told(&now, Some(why)), true);
        }
        if !booted && entry.namespace.is_some() && entry.namespace != self.here.namespace {
            let why = format!(
                "{setting} was set in another network namespace than this one, and is put back from there"
            );
            return (told("", Some(why)), false);
        }
        let now = match self.world.read(setting) {
            Ok(now) => now,
            Err(e) => return (told("", Some(e.to_string())), matches!(e, KnobError::Gone { .. })),
        };
        if !self.world.readable(setting) {
            if booted {
                let why = format!(
                    "the machine was started again since {setting} was set, and it cannot be read whether it is still set"
                );
                return (told("", Some(why)), true);
            }
            return match self.world.put_back(setting, &entry.old) {
                Ok(()) => (told("", None), true),
                Err(e) => (told("", Some(e.to_string())), false),
            };
        }
        if now.exact == entry.old {
            return (told(&now.shown, None), true);
        }
        if let Some(ours) = entry.obtained.as_ref().filter(|ours| **ours != now.exact) {
            let why = format!(
                "somebody else has set {setting} to {}; we had set it to {ours}, and before that it was {}; it is left",
                now.shown, entry.old
            );
            return (told(&now.shown, Some(why)), true);
        }
        let done = self.world.put_back(setting, &entry.old);
        let after = self.world.read(setting).unwrap_or_default();
        match done {
            Ok(()) if after.exact == entry.old => (told(&after.shown, None), true),
            Ok(()) => {
                let why = format!("{setting} was put back to {} and is {}", entry.old, after.exact);
                self.note(entry.id, &after);
                (told(&after.shown, Some(why)), false)
            }
            Err(e) => (told(&after.shown, Some(e.to_string())), false),
        }
    }

    /// Writes down what was obtained; closes the entry if nothing has changed.
    fn settle(&mut self, id: u64, after: &State) -> Result<(), KnobError> {
        let unchanged =
            self.open.iter().any(|e| e.id == id && e.old == after.exact && self.world.readable(&e.setting));
        if unchanged {
            return self.write(Line::Closed { id, why: None });
        }
        self.write(Line::Obtained { id, value: after.exact.clone() })
    }

    /// So that a second attempt does not take what the first one did for somebody else's doing.
    fn note(&mut self, id: u64, after: &State) {
        // If this is not written the next attempt leaves it and says why: nothing is lost but the attempt.
        let _ = self.write(Line::Obtained { id, value: after.exact.clone() });
    }

    /// On disk first, then in mind.
    fn write(&mut self, line: Line<W::Setting>) -> Result<(), KnobError> {
        let failed = |log: &dyn Log, why: String| KnobError::Journal { file: log.name(), why };
        let bytes = journal::written(&line).map_err(|e| failed(&*self.log, e.to_string()))?;
        self.log.append(&bytes).map_err(|e| failed(&*self.log, e.to_string()))?;
        journal::apply(&mut self.open, line).map_err(|why| failed(&*self.log, why))?;
        if self.open.is_empty() {
            // Lines that stay behind say that nothing is open, too.
            let _ = self.log.clear();
        }
        Ok(())
    }
}

fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<String> {
    let mut told = Vec::new();
    for (name, was) in before {
        match after.get(name) {
            Some(is) if is != was => told.push(format!("{name} went from {was} to {is} with it")),
            None => told.push(format!("{name} went from {was} with it")),
            Some(_) => {}
        }
    }
    told
}
