//! Sets all levels: properties of the lab first, because recreating it resets its hosts; then levels on
//! hosts.

use super::lab::RunLab;
use goodput_control::experiment::{Change, LevelSetter};
use goodput_model::experiment::record::Step;
use goodput_model::experiment::{Factor, Level, Means};

pub struct Levels {
    pub lab: Option<RunLab>,
    pub hosts: Box<dyn LevelSetter>,
    on_hosts: Vec<Factor>,
    standing: Vec<(Factor, Level)>,
    /// True while the hosts are new and lack the levels of `standing`.
    fresh: bool,
    of_lab: Vec<String>,
}

impl Levels {
    pub fn new(lab: Option<RunLab>, hosts: Box<dyn LevelSetter>) -> Levels {
        Levels { lab, hosts, on_hosts: Vec::new(), standing: Vec::new(), fresh: false, of_lab: Vec::new() }
    }

    /// Creates the lab with these levels; true if its hosts are new.
    fn raised(&mut self, changes: &[Change<'_>]) -> Result<bool, String> {
        let Some(lab) = &mut self.lab else { return Ok(false) };
        let anew = lab.put(changes)?;
        if anew {
            let name = lab.name.to_string();
            self.hosts.lab_recreated(&name);
        }
        Ok(anew)
    }

    fn ready(&mut self) -> Result<Vec<Step>, String> {
        let factors: Vec<&Factor> = self.on_hosts.iter().collect();
        self.hosts.prepare(&factors)
    }
}

fn of_lab(factor: &Factor) -> bool {
    matches!(factor.means, Means::Lab { .. })
}

fn as_changes(standing: &[(Factor, Level)]) -> Vec<Change<'_>> {
    standing.iter().map(|(factor, level)| Change { factor, level }).collect()
}

impl LevelSetter for Levels {
    fn prepare(&mut self, factors: &[&Factor]) -> Result<Vec<Step>, String> {
        self.on_hosts = factors.iter().filter(|f| !of_lab(f)).map(|f| (*f).clone()).collect();
        self.standing.clear();
        self.fresh = false;
        // A killed run's lab: its hosts may be in any state.
        if let Some(lab) = &mut self.lab {
            lab.down()?;
        }
        let lab_factors = factors.iter().copied().filter(|f| of_lab(f));
        let at_first: Vec<Change<'_>> =
            lab_factors.filter_map(|factor| Some(Change { factor, level: factor.levels.first()? })).collect();
        self.raised(&at_first)?;
        self.ready()
    }

    fn put(&mut self, changes: &[Change<'_>]) -> Result<Vec<Vec<String>>, String> {
        let (lab, hosts): (Vec<Change<'_>>, Vec<Change<'_>>) =
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
            false => self.hosts.put(&all)?,
        }
        .into_iter()
        .skip(again);
        self.fresh = false;
        self.standing.extend(hosts.iter().map(|c| (c.factor.clone(), c.level.clone())));
        let one = |change: &Change<'_>| match (of_lab(change.factor), &self.lab) {
            (true, Some(lab)) => lab.obtained(change.factor),
            (true, None) => Vec::new(),
            (false, _) => on_hosts.next().unwrap_or_default(),
        };
        Ok(changes.iter().map(one).collect())
    }

    fn read_back(&mut self, in_place: &[Change<'_>]) -> Result<(), String> {
        if let Some(lab) = &self.lab {
            lab.stands()?;
        }
        let on_hosts: Vec<Change<'_>> = in_place.iter().copied().filter(|c| !of_lab(c.factor)).collect();
        if on_hosts.is_empty() { Ok(()) } else { self.hosts.read_back(&on_hosts) }
    }

    fn lab_recreated(&mut self, lab: &str) {
        self.hosts.lab_recreated(lab);
    }

    fn restore(&mut self) -> Vec<Step> {
        let mut steps = self.hosts.restore();
        self.standing.clear();
        let Some(lab) = &mut self.lab else { return steps };
        let name = lab.name.to_string();
        let down = lab.down();
        let mut factors = std::mem::take(&mut self.of_lab);
        factors.sort();
        factors.dedup();
        match down {
            Ok(()) => {
                self.hosts.lab_recreated(&name);
                let gone = || vec![format!("lab {name}: gone")];
                steps.extend(factors.into_iter().map(|factor| Step::Restored { factor, obtained: gone() }));
            }
            Err(cause) => {
                let factor = "lab".to_string();
                steps.push(Step::NotRestored { factor, cause: format!("lab {name} is not gone: {cause}") });
            }
        }
        steps
    }
}
