//! Every execution of an experiment, numbered, in order: the same for ever from the experiment and its seed.
//!
//! A resumed run finds its place by these numbers. What the plan of a stored experiment is may therefore never change; a
//! test holds it to a plan that is written out.

use crate::design::{self, DesignError};
use crate::order;
use goodput_analysis::random::SplitMix64;
use goodput_model::Experiment;
use goodput_model::experiment::record::Cell;
use goodput_model::experiment::{Levels, Repeats};

/// More executions than this are a mistake in the file.
pub const MOST_CELLS: usize = 1_000_000;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    #[error(transparent)]
    Design(#[from] DesignError),
    #[error("the experiment has {cells} executions, {MOST_CELLS} are the most")]
    TooMany { cells: usize },
    /// No probe line runs anywhere.
    #[error("no probe line runs at any combination")]
    Nothing,
}

impl PlanError {
    pub fn hint(&self) -> String {
        match self {
            PlanError::Design(e) => e.hint(),
            PlanError::TooMany { .. } => "name fewer levels or fewer repeats".into(),
            PlanError::Nothing => "look at only = { … } of the probes and at exclude".into(),
        }
    }
}

/// One probe line at one combination: what is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    pub levels: Levels,
    /// The probe line's name.
    pub probe: String,
}

/// All executions in order, as many as there are at the most: those of combinations that are sure before are left out
/// while it runs ([`crate::progress`]).
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// The executions; number n stands at n − 1.
    pub cells: Vec<Cell>,
    /// Which of [`Plan::series`] each execution belongs to.
    pub series_of: Vec<usize>,
    /// Everything that is repeated, in the order of the file.
    pub series: Vec<Series>,
    pub repeats: Repeats,
}

impl Plan {
    pub fn of(experiment: &Experiment) -> Result<Plan, PlanError> {
        let combinations = design::combinations(experiment)?;
        let Repeats { warm_up, most, .. } = experiment.repeats;
        // The lines of each combination, as indices into `series`.
        let mut series = Vec::new();
        let mut lines: Vec<Vec<usize>> = Vec::with_capacity(combinations.len());
        for levels in &combinations {
            let first = series.len();
            let here = experiment.probes.iter().filter(|p| design::within(levels, &p.only));
            series.extend(here.map(|p| Series { levels: levels.clone(), probe: p.name.clone() }));
            lines.push((first..series.len()).collect());
        }
        if series.is_empty() {
            return Err(PlanError::Nothing);
        }
        let blocks = (warm_up as usize).saturating_add(most as usize);
        match series.len().saturating_mul(blocks) {
            cells if cells > MOST_CELLS => return Err(PlanError::TooMany { cells }),
            _ => {}
        }
        let hard: Vec<&str> =
            experiment.factors.iter().filter(|f| f.hard_to_change).map(|f| f.name.as_str()).collect();
        let mut random = SplitMix64::new(experiment.order.seed);
        let mut plan =
            Plan { cells: Vec::new(), series_of: Vec::new(), series, repeats: experiment.repeats.clone() };
        for block in std::iter::repeat_n(0, warm_up as usize).chain(1..=most) {
            let order = match experiment.order.shuffled {
                true => order::block(&combinations, &hard, &mut random),
                false => (0..combinations.len()).collect(),
            };
            for at in order {
                let mut here = lines[at].clone();
                if experiment.order.shuffled {
                    random.shuffle(&mut here);
                }
                here.into_iter().for_each(|series| plan.push(block, series));
            }
        }
        Ok(plan)
    }

    fn push(&mut self, block: u32, series: usize) {
        let Series { levels, probe } = self.series[series].clone();
        let number = u32::try_from(self.cells.len() + 1).unwrap_or(u32::MAX);
        self.cells.push(Cell { number, block, levels, probe });
        self.series_of.push(series);
    }

    /// The execution of this number, counted from 1.
    pub fn cell(&self, number: u32) -> Option<&Cell> {
        self.cells.get((number as usize).checked_sub(1)?)
    }
}
