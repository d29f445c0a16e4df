//! Sets levels: the lab's first, because recreating it resets its hosts; then those on hosts.

use super::lab::ExperimentLab;
use goodput_control::experiment::{LevelChange, LevelSetter};
use goodput_model::Message;
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_model::experiment::{Factor, FactorLevel, LevelSettingMethod};
use goodput_words::message;

pub struct FactorLevelController {
    pub lab: Option<ExperimentLab>,
    pub hosts: Box<dyn LevelSetter>,
    on_hosts: Vec<Factor>,
    standing: Vec<(Factor, FactorLevel)>,
    /// True while the hosts are new and lack the levels of `standing`.
    fresh: bool,
    of_lab: Vec<String>,
}

impl FactorLevelController {
    pub fn new(lab: Option<ExperimentLab>, hosts: Box<dyn LevelSetter>) -> FactorLevelController {
        FactorLevelController {
            lab,
            hosts,
            on_hosts: Vec::new(),
            standing: Vec::new(),
            fresh: false,
            of_lab: Vec::new(),
        }
    }

    /// Creates the lab with these levels; true if its hosts are new.
    fn raised(&mut self, changes: &[LevelChange<'_>]) -> Result<bool, Message> {
        let Some(lab) = &mut self.lab else { return Ok(false) };
        let anew = lab.apply_level_changes(changes)?;
        if anew {
            let name = lab.name.to_string();
            self.hosts.forget_lab_settings(&name);
        }
        Ok(anew)
    }

    fn ready(&mut self) -> Result<Vec<ExperimentStep>, Message> {
        let factors: Vec<&Factor> = self.on_hosts.iter().collect();
        self.hosts.prepare_factors(&factors)
    }
}

fn of_lab(factor: &Factor) -> bool {
    matches!(factor.means, LevelSettingMethod::Lab { .. })
}

fn as_changes(standing: &[(Factor, FactorLevel)]) -> Vec<LevelChange<'_>> {
    standing.iter().map(|(factor, level)| LevelChange { factor, level }).collect()
}

impl LevelSetter for FactorLevelController {
    fn prepare_factors(&mut self, factors: &[&Factor]) -> Result<Vec<ExperimentStep>, Message> {
        self.on_hosts = factors.iter().filter(|f| !of_lab(f)).map(|f| (*f).clone()).collect();
        self.standing.clear();
        self.fresh = false;
        // A killed run's lab: its hosts may be in any state.
        if let Some(lab) = &mut self.lab {
            lab.remove_lab()?;
        }
        let lab_factors = factors.iter().copied().filter(|f| of_lab(f));
        let at_first: Vec<LevelChange<'_>> = lab_factors
            .filter_map(|factor| Some(LevelChange { factor, level: factor.levels.first()? }))
            .collect();
        self.raised(&at_first)?;
        self.ready()
    }

    fn set_levels(&mut self, changes: &[LevelChange<'_>]) -> Result<Vec<Vec<String>>, Message> {
        let (lab, hosts): (Vec<LevelChange<'_>>, Vec<LevelChange<'_>>) =
            changes.iter().copied().partition(|c| of_lab(c.factor));
        // After a failure these no longer count as set.
        self.standing.retain(|(factor, _)| hosts.iter().all(|c| c.factor.name != factor.name));
        self.fresh |= self.raised(&lab)?;
        self.of_lab.extend(lab.iter().map(|c| c.factor.name.clone()));
        let mut all = Vec::new();
        if self.fresh {
            self.ready()?;
            all = as_changes(&self.standing);
        }
        let again = all.len();
        all.extend(hosts.iter().copied());
        let mut on_hosts = match all.is_empty() {
            true => Vec::new(),
            false => self.hosts.set_levels(&all)?,
        }
        .into_iter()
        .skip(again);
        self.fresh = false;
        self.standing.extend(hosts.iter().map(|c| (c.factor.clone(), c.level.clone())));
        let one = |change: &LevelChange<'_>| match (of_lab(change.factor), &self.lab) {
            (true, Some(lab)) => lab.applied_factor_values(change.factor),
            (true, None) => Vec::new(),
            (false, _) => on_hosts.next().unwrap_or_default(),
        };
        Ok(changes.iter().map(one).collect())
    }

    fn verify_levels(&mut self, in_place: &[LevelChange<'_>]) -> Result<(), Message> {
        if let Some(lab) = &self.lab {
            lab.ensure_lab_is_running()?;
        }
        let on_hosts: Vec<LevelChange<'_>> = in_place.iter().copied().filter(|c| !of_lab(c.factor)).collect();
        if on_hosts.is_empty() { Ok(()) } else { self.hosts.verify_levels(&on_hosts) }
    }

    fn forget_lab_settings(&mut self, lab: &str) {
        self.hosts.forget_lab_settings(lab);
    }

    fn restore_all(&mut self) -> Vec<ExperimentStep> {
        let mut steps = self.hosts.restore_all();
        self.standing.clear();
        let Some(lab) = &mut self.lab else { return steps };
        let name = lab.name.to_string();
        let down = lab.remove_lab();
        let mut factors = std::mem::take(&mut self.of_lab);
        factors.sort();
        factors.dedup();
        match down {
            Ok(()) => {
                self.hosts.forget_lab_settings(&name);
                let gone = || vec![format!("lab {name}: gone")];
                steps.extend(
                    factors.into_iter().map(|factor| ExperimentStep::Restored { factor, obtained: gone() }),
                );
            }
            Err(why) => {
                let cause = message!(cause_experiment_lab_not_gone { name, why });
                steps.push(ExperimentStep::NotRestored { factor: "lab".to_string(), cause });
            }
        }
        steps
    }
}
