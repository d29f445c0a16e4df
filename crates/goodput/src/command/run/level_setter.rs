//! Sets levels on hosts: knobs, commands, and manual steps; [`super::lab`] sets properties of a lab.
//!
//! One child process per host talks to its agent for the whole experiment. The agent's journal holds the
//! original values and restores them if this program is killed; [`Mark`] only records which hosts changed.

mod answers;
mod changed_hosts;
mod facts;
mod knob_session_pool;
mod manual_step;

use crate::args::run::RunArgs;
use crate::command::knob_session::HostKnobSession;
use crate::failure::Failure;
use changed_hosts::ChangedHosts;
use goodput_control::CancelFlag;
use goodput_control::experiment::{LevelChange, LevelSetter};
use goodput_control::knobs::{HostSettingSpec, RestoredSetting};
use goodput_experiment::probe_command;
use goodput_host::knob::{Knob, KnobError};
use goodput_model::event_line::ManualStepQuestion;
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::experiment::{Factor, LevelSettingMethod, ManualStepCheck};
use goodput_model::{Experiment, Message, MessageArg};
use goodput_words::{ErrorMessage, message, non_empty_semicolon_list};
use knob_session_pool::KnobSessionPool;
use manual_step::Operator;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::PathBuf;
use std::rc::Rc;

pub type PrintLineFn = Rc<dyn Fn(Message)>;

/// Fails if this program's file is not found.
pub fn create_host_level_setter(
    order: &RunArgs,
    experiment: &Experiment,
    journal: PathBuf,
    say: PrintLineFn,
    cancel: &CancelFlag,
) -> Result<Box<dyn LevelSetter>, Failure> {
    Ok(Box::new(OnHosts {
        hosts: experiment.hosts.clone(),
        seats: KnobSessionPool::new(experiment, order.connection_options(), &journal)?,
        operator: Operator::new(order, say, cancel),
        mark: ChangedHosts::load(journal),
        read: BTreeMap::new(),
        by_hand: BTreeMap::new(),
        names: BTreeMap::new(),
    }))
}

/// Roles of one factor, each with the value read back.
type ReadBack = Vec<(String, Option<String>)>;

struct OnHosts {
    hosts: BTreeMap<String, String>,
    seats: KnobSessionPool,
    operator: Operator,
    mark: ChangedHosts,
    /// By factor, from the last change.
    read: BTreeMap<String, ReadBack>,
    /// By factor: the original level, if known, and the level requested last.
    by_hand: BTreeMap<String, (Option<String>, String)>,
    names: BTreeMap<String, String>,
}

/// A knob or command as an agent takes it; `None` for other means.
fn subject(factor: &Factor) -> Result<Option<(Vec<String>, HostSettingSpec)>, Message> {
    let cut = |text: &str| {
        probe_command::split_arguments(text)
            .map_err(|e| message!(error_command_of_factor { factor: &factor.name, why: e.message() }))
    };
    Ok(match &factor.means {
        LevelSettingMethod::Knob { on, knob, interface } => {
            Some((on.clone(), HostSettingSpec::Knob { knob: knob.clone(), interface: interface.clone() }))
        }
        LevelSettingMethod::Command { on, set, read, restore } => {
            let read = read.as_deref().map(cut).transpose()?;
            let restore = restore.as_deref().map(cut).transpose()?;
            Some((vec![on.clone()], HostSettingSpec::Command { set: cut(set)?, read, restore }))
        }
        LevelSettingMethod::Argument | LevelSettingMethod::Lab { .. } | LevelSettingMethod::ByHand { .. } => {
            None
        }
    })
}

fn of_factor(factor: &Factor, why: Message) -> Message {
    message!(error_of_factor { factor: &factor.name, why })
}

pub fn validate_factor_levels(factor: &Factor) -> Result<(), Message> {
    if let LevelSettingMethod::Knob { knob, .. } = &factor.means {
        let refused = |e: KnobError| of_factor(factor, e.message());
        let knob: Knob = knob.parse().map_err(refused)?;
        for level in &factor.levels {
            knob.normalize_value(&level.value).map_err(refused)?;
        }
    }
    subject(factor).map(drop)
}

impl OnHosts {
    fn seat(&mut self, role: &str) -> Result<&mut HostKnobSession, Message> {
        let host =
            self.hosts.get(role).ok_or_else(|| message!(error_experiment_without_host { host: role }))?;
        self.seats.session_for_host(host)
    }

    fn set(
        &mut self,
        change: &LevelChange<'_>,
        on: &[String],
        subject: &HostSettingSpec,
    ) -> Result<Vec<String>, Message> {
        let (factor, level) = (&change.factor.name, &change.level.name);
        self.read.remove(factor);
        let mut read = ReadBack::new();
        let mut told = Vec::new();
        for role in on {
            let said = |why: Message| message!(error_level_on_host { factor, level, host: role, why });
            let host = self.hosts.get(role).cloned().unwrap_or_default();
            self.mark.record_change(&host, &subject.to_string())?;
            let put = self
                .seat(role)
                .and_then(|seat| seat.apply_setting(subject, &change.level.value))
                .map_err(said)?;
            told.push(format!("{role}: {}", shown(&put.obtained)));
            told.extend(put.notes.into_iter().map(|note| format!("{role}: {note}")));
            let readable = !matches!(subject, HostSettingSpec::Command { read: None, .. });
            read.push((role.clone(), readable.then_some(put.obtained)));
        }
        self.read.insert(factor.clone(), read);
        Ok(told)
    }

    /// Asks the operator until the facts match.
    fn by_hand(
        &mut self,
        change: &LevelChange<'_>,
        ask: &str,
        verify: &[ManualStepCheck],
    ) -> Result<Vec<String>, Message> {
        let (factor, level) = (change.factor, &change.level.name);
        let mut found = self.facts(verify);
        if !self.by_hand.contains_key(&factor.name) {
            // The original level, as far as it can be determined before asking.
            let before =
                found.as_ref().ok().and_then(|found| facts::infer_level_from_facts(factor, verify, found));
            self.by_hand.insert(factor.name.clone(), (before, String::new()));
        }
        let in_place = |found: &Result<Vec<Message>, Message>| {
            facts::verify_level_facts(verify, level, found.as_ref().map_err(Message::clone)?)
        };
        let asked = self.by_hand.get(&factor.name).is_some_and(|(_, asked)| asked == level);
        // If no fact shows the level, the operator is asked once per change.
        let mut settled = in_place(&found).is_ok() && (!verify.is_empty() || asked);
        let mut question = ManualStepQuestion {
            id: String::new(),
            factor: factor.name.clone(),
            level: level.clone(),
            text: probe_command::fill_level_placeholders(ask, &change.level.value, None),
            must_show: facts::describe_required_facts(verify, level),
            wrong: None,
        };
        let mut wrong = None;
        while !settled {
            question.wrong = wrong.as_ref().map(Message::to_string);
            self.operator.request_level_change(&question, wrong.as_ref())?;
            found = self.facts(verify);
            wrong = in_place(&found).err();
            settled = wrong.is_none();
        }
        if let Some((_, asked)) = self.by_hand.get_mut(&factor.name) {
            asked.clone_from(level);
        }
        if verify.is_empty() {
            return Ok(vec![format!("{level}: as the operator says")]);
        }
        let told = |(check, is): (&ManualStepCheck, Message)| format!("{}: {} is {is}", check.on, check.fact);
        Ok(verify.iter().zip(found.unwrap_or_default()).map(told).collect())
    }

    fn facts(&mut self, verify: &[ManualStepCheck]) -> Result<Vec<Message>, Message> {
        let mut inventories = BTreeMap::new();
        let mut found = Vec::new();
        for fact in verify {
            let said = |why: Message| message!(list_colon { what: &fact.on, why });
            let inventory = match inventories.entry(&fact.on) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let read = self.seat(&fact.on).and_then(HostKnobSession::read_inventory);
                    new.insert(read.map_err(said)?)
                }
            };
            // A missing fact is a value too: a card may be removed.
            let value = facts::lookup_inventory_fact(inventory, &fact.fact);
            found.push(value.map_or_else(|why| why, Message::from));
        }
        Ok(found)
    }

    /// The first role of a HOST; the HOST itself if it has none.
    fn role_of(&self, host: &str) -> String {
        let found = self.hosts.iter().find(|(_, of_role)| *of_role == host);
        found.map_or_else(|| host.to_string(), |(role, _)| role.clone())
    }

    fn factor_of(&self, setting: &str) -> String {
        let belongs = |subject: &str| setting == subject || setting.starts_with(&format!("{subject} of "));
        let found = self.names.iter().find(|(subject, _)| belongs(subject));
        found.map_or_else(|| setting.to_string(), |(_, factor)| factor.clone())
    }

    fn steps(&self, told: Vec<(String, RestoredSetting)>) -> Vec<ExperimentStep> {
        let mut all: Vec<(String, Vec<String>, Vec<Message>)> = Vec::new();
        for (role, back) in told {
            let factor = self.factor_of(&back.setting);
            let at = all.iter().position(|(name, ..)| *name == factor).unwrap_or_else(|| {
                all.push((factor, Vec::new(), Vec::new()));
                all.len() - 1
            });
            match back.trouble {
                None => all[at].1.push(format!("{role}: {}", shown(&back.obtained))),
                Some(why) => all[at].2.push(message!(list_colon { what: role, why })),
            }
        }
        let step = |(factor, obtained, troubles): (String, Vec<String>, Vec<Message>)| {
            match non_empty_semicolon_list(troubles) {
                None => ExperimentStep::Restored { factor, obtained },
                Some(cause) => ExperimentStep::NotRestored { factor, cause },
            }
        };
        all.into_iter().map(step).collect()
    }

    /// Restores every changed host, and removes the mark after success.
    fn put_back(&mut self) -> Vec<ExperimentStep> {
        let hosts = self.mark.host_names();
        let mut told = Vec::new();
        let mut unheard = Vec::new();
        for host in hosts.iter().rev() {
            match self.seats.session_for_host(host).and_then(HostKnobSession::restore_settings) {
                Ok(backs) => {
                    let role = self.role_of(host);
                    told.extend(backs.into_iter().map(|back| (role.clone(), back)));
                }
                Err(e) => unheard.push((host.clone(), e)),
            }
        }
        let mut steps = self.steps(told);
        for (host, why) in &unheard {
            let cause = message!(cause_host_restores_later { host, why });
            let settings = self.mark.settings_of_host(host);
            let mut factors: Vec<String> = settings.iter().map(|s| self.factor_of(s)).collect();
            factors.dedup();
            let step = |factor| ExperimentStep::NotRestored { factor, cause: cause.clone() };
            steps.extend(factors.into_iter().map(step));
        }
        let heard: Vec<String> = hosts.into_iter().filter(|h| unheard.iter().all(|(u, _)| u != h)).collect();
        heard.iter().for_each(|host| self.mark.remove_host(host));
        steps
    }

    /// Only an operator can restore manual steps.
    fn manual_restores(&mut self) -> Vec<ExperimentStep> {
        let mut steps = Vec::new();
        for (factor, (before, asked)) in std::mem::take(&mut self.by_hand) {
            if asked.is_empty() || before.as_ref() == Some(&asked) {
                continue;
            }
            let cause = match before {
                Some(before) => message!(cause_manual_level_stays { level: asked, before }),
                None => message!(cause_manual_level_stays_unlike_before { level: asked }),
            };
            (self.operator.say)(message!(list_colon { what: &factor, why: &cause }));
            steps.push(ExperimentStep::NotRestored { factor, cause });
        }
        steps
    }
}

fn shown(value: &str) -> &str {
    if value.is_empty() { "set, and cannot be read" } else { value }
}

fn read_back(value: Option<String>) -> MessageArg {
    value.map_or_else(|| message!(part_setting_not_to_be_read).into(), MessageArg::from)
}

impl LevelSetter for OnHosts {
    fn prepare_factors(&mut self, factors: &[&Factor]) -> Result<Vec<ExperimentStep>, Message> {
        factors.iter().try_for_each(|factor| validate_factor_levels(factor))?;
        self.names.clear();
        for factor in factors {
            if let Some((_, subject)) = subject(factor)? {
                self.names.insert(words_of(&subject), factor.name.clone());
            }
        }
        // Restore what a killed run has changed.
        let steps = self.put_back();
        for factor in factors {
            if let Some((on, subject)) = subject(factor)? {
                for role in &on {
                    let said = |why: Message| {
                        message!(error_of_factor_on_host { factor: &factor.name, host: role, why })
                    };
                    self.seat(role).and_then(|seat| seat.read_setting(&subject)).map_err(said)?;
                }
            }
            if let LevelSettingMethod::ByHand { verify, .. } = &factor.means {
                self.facts(verify)
                    .and_then(|_| self.operator.check_operator_available(verify.is_empty()))
                    .map_err(|why| of_factor(factor, why))?;
            }
        }
        Ok(steps)
    }

    fn set_levels(&mut self, changes: &[LevelChange<'_>]) -> Result<Vec<Vec<String>>, Message> {
        let mut told = Vec::new();
        for change in changes {
            told.push(match (&change.factor.means, subject(change.factor)?) {
                (_, Some((on, subject))) => self.set(change, &on, &subject)?,
                (LevelSettingMethod::ByHand { ask, verify }, None) => self.by_hand(change, ask, verify)?,
                _ => Vec::new(),
            });
        }
        Ok(told)
    }

    fn verify_levels(&mut self, in_place: &[LevelChange<'_>]) -> Result<(), Message> {
        let mut wrong = Vec::new();
        for change in in_place {
            let (factor, level) = (&change.factor.name, &change.level.name);
            if let Some((_, subject)) = subject(change.factor)? {
                let read: ReadBack = self.read.get(factor).cloned().unwrap_or_default();
                for (role, was) in read {
                    let is = self.seat(&role).and_then(|seat| seat.read_setting(&subject));
                    match is {
                        Ok(is) if is == was => {}
                        Ok(is) => {
                            let (was, is, host) = (read_back(was), read_back(is), role);
                            wrong.push(message!(error_level_changed_on_host {
                                factor,
                                level,
                                was,
                                host,
                                is
                            }));
                        }
                        Err(why) => {
                            wrong.push(message!(error_level_on_host { factor, level, host: role, why }));
                        }
                    }
                }
            }
            if let LevelSettingMethod::ByHand { verify, .. } = &change.factor.means {
                let found =
                    self.facts(verify).and_then(|found| facts::verify_level_facts(verify, level, &found));
                wrong.extend(found.err().map(|why| message!(error_level_why { factor, level, why })));
            }
        }
        non_empty_semicolon_list(wrong).map_or(Ok(()), Err)
    }

    fn forget_lab_settings(&mut self, lab: &str) {
        for host in self.seats.close_lab_sessions(lab) {
            self.mark.remove_host(&host);
        }
        self.mark.remove_hosts_of_lab(lab);
    }

    fn restore_all(&mut self) -> Vec<ExperimentStep> {
        let mut steps = self.put_back();
        steps.extend(self.manual_restores());
        self.read.clear();
        steps
    }
}

/// A subject as agents' answers name it, without its interface.
fn words_of(subject: &HostSettingSpec) -> String {
    match subject {
        HostSettingSpec::Knob { knob, .. } => knob.split_whitespace().collect::<Vec<_>>().join(" "),
        command @ HostSettingSpec::Command { .. } => command.to_string(),
    }
}

#[cfg(test)]
mod tests;
