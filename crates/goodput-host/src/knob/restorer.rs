//! Sets values reversibly: journals, verifies, restores in reverse order, never overwrites foreign changes.

use super::KnobError;
use super::restore_journal::{self, JournalLine, JournalParseError, PendingRestore};
use goodput_words::{ErrorMessage, Message, message};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;

pub trait KnobBackend {
    type Setting: Clone + PartialEq + Display + Serialize + DeserializeOwned;

    /// Fails with [`KnobError::Gone`] when nothing is left to restore.
    fn read_state(&self, setting: &Self::Setting) -> Result<KnobState, KnobError>;

    fn set_value(&self, setting: &Self::Setting, value: &str) -> Result<(), KnobError>;

    /// Restores a value in the form of [`State::exact`].
    fn restore_value(&self, setting: &Self::Setting, exact: &str) -> Result<(), KnobError>;

    /// True when the setting belongs to the network namespace.
    fn is_namespaced(&self, setting: &Self::Setting) -> bool;

    /// True when the setting may survive a reboot.
    fn survives_reboot(&self, setting: &Self::Setting) -> bool;

    /// If not, it is restored without comparison.
    fn is_readable(&self, _setting: &Self::Setting) -> bool {
        true
    }
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct KnobState {
    /// As the user would type it.
    pub shown: String,
    pub exact: String,
    pub linked: BTreeMap<String, String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostIdentity {
    pub boot: String,
    /// Network namespace cookie; `None` if unknown.
    pub namespace: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AppliedSetting {
    pub before: String,
    pub obtained: String,
    /// Side effects and foreign changes, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Message>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RestoredSetting {
    pub setting: String,
    /// Present value as the user would type it; empty if unreadable.
    pub obtained: String,
    /// `None` when restored; else why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<Message>,
}

/// Storage of a journal; `append` is durable when it returns.
pub trait JournalStorage {
    /// Appends whole lines durably.
    fn append(&mut self, lines: &[u8]) -> std::io::Result<()>;

    /// Deletes all lines, when nothing is open.
    fn clear(&mut self) -> std::io::Result<()>;

    fn name(&self) -> String;
}

/// Not durable, for settings that end with their network namespace.
#[derive(Debug, Default)]
pub struct NullJournal;

impl JournalStorage for NullJournal {
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

pub struct KnobRestorer<W: KnobBackend> {
    world: W,
    log: Box<dyn JournalStorage + Send>,
    here: HostIdentity,
    open: Vec<PendingRestore<W::Setting>>,
    next: u64,
}

impl<W: KnobBackend> KnobRestorer<W> {
    /// Continues a journal with content `lines`; [`KnobRestorer::replay`] restores what it leaves open. Fails if it
    /// is damaged.
    pub fn open(
        world: W,
        log: Box<dyn JournalStorage + Send>,
        lines: &[u8],
        here: HostIdentity,
    ) -> Result<KnobRestorer<W>, JournalParseError> {
        let mut open: Vec<PendingRestore<W::Setting>> = restore_journal::parse_pending_restores(lines)?;
        open.iter_mut().for_each(|entry| entry.owner.clear());
        let next = open.iter().map(|e| e.id).max().unwrap_or(0) + 1;
        Ok(KnobRestorer { world, log, here, open, next })
    }

    pub fn changed_settings(&self) -> impl Iterator<Item = &W::Setting> {
        self.open.iter().map(|e| &e.setting)
    }

    pub fn read_value(&self, setting: &W::Setting) -> Result<String, KnobError> {
        self.world.read_state(setting).map(|state| state.shown)
    }

    /// Sets a normalised value and verifies it. [`KnobError::NotTaken`] reports another effect, which
    /// [`KnobRestorer::restore`] undoes.
    pub fn set_value(
        &mut self,
        owner: &str,
        setting: &W::Setting,
        value: &str,
    ) -> Result<AppliedSetting, KnobError> {
        let before = self.world.read_state(setting)?;
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
            if let Some(ours) = ours.filter(|ours| self.world.is_readable(setting) && **ours != before.exact)
            {
                // The foreign value is restored later.
                let (setting, value) = (setting.to_string(), &before.shown);
                let note = message!(cause_knob_changed_by_another { setting, value, ours });
                let closed = self.open[at].id;
                self.write(JournalLine::Closed { id: closed, why: Some(note.to_string()) })?;
                notes.push(note);
            } else {
                id = Some(self.open[at].id);
            }
        }
        if self.world.is_readable(setting) && before.shown == value {
            return Ok(AppliedSetting { before: before.shown.clone(), obtained: before.shown, notes });
        }
        let id = match id {
            Some(id) => {
                self.write(JournalLine::Change { id, asked: value.to_string() })?;
                id
            }
            None => {
                let id = self.next;
                self.next += 1;
                self.write(JournalLine::Intent {
                    id,
                    owner: owner.to_string(),
                    setting: setting.clone(),
                    boot: self.here.boot.clone(),
                    namespace: self.here.namespace.filter(|_| self.world.is_namespaced(setting)),
                    old: before.exact.clone(),
                    asked: value.to_string(),
                })?;
                id
            }
        };
        let done = self.world.set_value(setting, value);
        let after = self.world.read_state(setting);
        if let Ok(after) = &after {
            self.settle(id, after)?;
        }
        done?;
        let after = after?;
        notes.extend(differences(&before.linked, &after.linked));
        if self.world.is_readable(setting) && after.shown != value {
            return Err(KnobError::NotTaken {
                setting: setting.to_string(),
                asked: value.to_string(),
                obtained: after.shown,
            });
        }
        Ok(AppliedSetting { before: before.shown, obtained: after.shown, notes })
    }

    pub fn restore_owner_settings(&mut self, owner: &str) -> Vec<RestoredSetting> {
        self.put_back(|entry| entry.owner == owner)
    }

    pub fn restore_all(&mut self) -> Vec<RestoredSetting> {
        self.put_back(|_| true)
    }

    /// Restores what an earlier process left open, after SIGKILL or a reboot.
    pub fn restore_after_crash(&mut self) -> Vec<RestoredSetting> {
        self.put_back(|entry| entry.owner.is_empty())
    }

    fn put_back(&mut self, which: impl Fn(&PendingRestore<W::Setting>) -> bool) -> Vec<RestoredSetting> {
        let chosen: Vec<PendingRestore<W::Setting>> =
            self.open.iter().rev().filter(|e| which(e)).cloned().collect();
        let mut told = Vec::new();
        for entry in chosen {
            let (mut back, closed) = self.one_back(&entry);
            let why = back.trouble.as_ref().map(Message::to_string);
            if closed && let Err(e) = self.write(JournalLine::Closed { id: entry.id, why }) {
                back.trouble.get_or_insert_with(|| e.message());
            }
            if let Some(open) = self.open.iter_mut().find(|e| e.id == entry.id) {
                // The next owner may retry.
                open.owner.clear();
            }
            told.push(back);
        }
        told
    }

    /// Restores one entry; true when it is done.
    fn one_back(&mut self, entry: &PendingRestore<W::Setting>) -> (RestoredSetting, bool) {
        let setting = &entry.setting;
        let name = setting.to_string();
        let told = |obtained: &str, trouble: Option<Message>| RestoredSetting {
            setting: name.clone(),
            obtained: obtained.to_string(),
            trouble,
        };
        let booted = entry.boot != self.here.boot;
        if booted && !self.world.survives_reboot(setting) {
            let why = message!(cause_knob_rebooted { setting: &name });
            let now = self.world.read_state(setting).map(|s| s.shown).unwrap_or_default();
            return (told(&now, Some(why)), true);
        }
        if !booted && entry.namespace.is_some() && entry.namespace != self.here.namespace {
            let why = message!(cause_knob_other_namespace { setting: &name });
            return (told("", Some(why)), false);
        }
        let now = match self.world.read_state(setting) {
            Ok(now) => now,
            Err(e) => return (told("", Some(e.message())), matches!(e, KnobError::Gone { .. })),
        };
        if !self.world.is_readable(setting) {
            if booted {
                let why = message!(cause_knob_rebooted_unreadable { setting: &name });
                return (told("", Some(why)), true);
            }
            return match self.world.restore_value(setting, &entry.old) {
                Ok(()) => (told("", None), true),
                Err(e) => (told("", Some(e.message())), false),
            };
        }
        if now.exact == entry.old {
            return (told(&now.shown, None), true);
        }
        if let Some(ours) = entry.obtained.as_ref().filter(|ours| **ours != now.exact) {
            let (value, before) = (&now.shown, &entry.old);
            let why = message!(cause_knob_left_to_another { setting: &name, value, ours, before });
            return (told(&now.shown, Some(why)), true);
        }
        let done = self.world.restore_value(setting, &entry.old);
        let after = self.world.read_state(setting).unwrap_or_default();
        match done {
            Ok(()) if after.exact == entry.old => (told(&after.shown, None), true),
            Ok(()) => {
                let (asked, obtained) = (&entry.old, &after.exact);
                let why = message!(cause_knob_not_put_back { setting: &name, asked, obtained });
                self.note(entry.id, &after);
                (told(&after.shown, Some(why)), false)
            }
            Err(e) => (told(&after.shown, Some(e.message())), false),
        }
    }

    /// Records the obtained value; closes the entry if nothing changed.
    fn settle(&mut self, id: u64, after: &KnobState) -> Result<(), KnobError> {
        let unchanged = self
            .open
            .iter()
            .any(|e| e.id == id && e.old == after.exact && self.world.is_readable(&e.setting));
        if unchanged {
            return self.write(JournalLine::Closed { id, why: None });
        }
        self.write(JournalLine::Obtained { id, value: after.exact.clone() })
    }

    /// Prevents a retry from taking the first attempt's effect for a foreign change.
    fn note(&mut self, id: u64, after: &KnobState) {
        // If this fails, the next attempt stops with an explanation.
        let _ = self.write(JournalLine::Obtained { id, value: after.exact.clone() });
    }

    fn write(&mut self, line: JournalLine<W::Setting>) -> Result<(), KnobError> {
        let failed = |log: &dyn JournalStorage, why: Message| KnobError::Journal { file: log.name(), why };
        let bytes = restore_journal::encode_line(&line);
        let bytes = bytes.map_err(|e| failed(&*self.log, e.to_string().into()))?;
        self.log.append(&bytes).map_err(|e| failed(&*self.log, e.message()))?;
        restore_journal::apply_journal_line(&mut self.open, line).map_err(|why| failed(&*self.log, why))?;
        if self.open.is_empty() {
            // Remaining lines are all closed.
            let _ = self.log.clear();
        }
        Ok(())
    }
}

fn differences(before: &BTreeMap<String, String>, after: &BTreeMap<String, String>) -> Vec<Message> {
    let difference = |(name, was): (&String, &String)| match after.get(name) {
        Some(is) if is != was => Some(message!(cause_knob_changed_with_it { name, was, is })),
        None => Some(message!(cause_knob_lost_with_it { name, was })),
        Some(_) => None,
    };
    before.iter().filter_map(difference).collect()
}
