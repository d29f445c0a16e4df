//! All executions of an experiment, numbered, in order; depends only on the experiment and its seed. A
//! resumed run uses these numbers, so a stored experiment's plan must never change (golden test).

use crate::design;
use crate::error::ExperimentError;
use crate::execution_order;
use goodput_analysis::random::SplitMix64;
use goodput_model::Experiment;
use goodput_model::experiment::execution_record::CellExecution;
use goodput_model::experiment::{FactorLevels, ProbeCommand, RepeatPolicy};
use goodput_words::message;

/// More are a mistake in the file.
pub const MAX_PLAN_CELLS: usize = 1_000_000;

/// One probe line at one combination, which is repeated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedCell {
    pub levels: FactorLevels,
    pub probe: String,
}

/// With the most repeats allowed; [`crate::progress`] skips those of combinations that are precise enough.
#[derive(Debug, Clone, PartialEq)]
pub struct ExecutionPlan {
    /// Number n is at n − 1.
    pub cells: Vec<CellExecution>,
    /// Index into [`Plan::series`] of each execution.
    pub series_of: Vec<usize>,
    /// In the order of the file.
    pub series: Vec<PlannedCell>,
    pub repeats: RepeatPolicy,
}

fn probes_at<'e>(
    experiment: &'e Experiment,
    levels: &'e FactorLevels,
) -> impl Iterator<Item = &'e ProbeCommand> {
    experiment.probes.iter().filter(|p| design::matches_level_filter(levels, &p.only))
}

impl ExecutionPlan {
    pub fn from_experiment(experiment: &Experiment) -> Result<ExecutionPlan, ExperimentError> {
        let combinations = design::level_combinations(experiment)?;
        ExecutionPlan::check_size(experiment, &combinations)?;
        let RepeatPolicy { warm_up, most, .. } = experiment.repeats;
        let mut series = Vec::new();
        let mut lines: Vec<Vec<usize>> = Vec::with_capacity(combinations.len());
        for levels in &combinations {
            let first = series.len();
            let here = probes_at(experiment, levels);
            series.extend(here.map(|p| PlannedCell { levels: levels.clone(), probe: p.name.clone() }));
            lines.push((first..series.len()).collect());
        }
        let hard: Vec<&str> =
            experiment.factors.iter().filter(|f| f.hard_to_change).map(|f| f.name.as_str()).collect();
        let mut random = SplitMix64::new(experiment.order.seed);
        let repeats = experiment.repeats.clone();
        let mut plan = ExecutionPlan { cells: Vec::new(), series_of: Vec::new(), series, repeats };
        for block in std::iter::repeat_n(0, warm_up as usize).chain(1..=most) {
            let order = match experiment.order.shuffled {
                true => execution_order::randomize_block(&combinations, &hard, &mut random),
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

    /// Before the plan is made.
    pub(crate) fn check_size(
        experiment: &Experiment,
        combinations: &[FactorLevels],
    ) -> Result<(), ExperimentError> {
        let RepeatPolicy { warm_up, most, .. } = experiment.repeats;
        let count: usize = combinations.iter().map(|levels| probes_at(experiment, levels).count()).sum();
        if count == 0 {
            let hint = message!(hint_experiment_look_at_only { form: "only = { … }" });
            return Err(ExperimentError::new("no probe applies to any combination of levels", hint));
        }
        let blocks = (warm_up as usize).saturating_add(most as usize);
        let cells = count.saturating_mul(blocks);
        if cells.max(count) > MAX_PLAN_CELLS {
            let (cells, most) = (cells.to_string(), MAX_PLAN_CELLS.to_string());
            let what = message!(file_too_many_executions { cells, most });
            return Err(ExperimentError::new(what, "use fewer levels or fewer repeats"));
        }
        let longest_name = experiment.probes.iter().map(|p| p.name.len()).max().unwrap_or(0);
        design::check_memory(&experiment.factors, longest_name, cells)
    }

    fn push(&mut self, block: u32, series: usize) {
        let PlannedCell { levels, probe } = self.series[series].clone();
        let number = u32::try_from(self.cells.len() + 1).unwrap_or(u32::MAX);
        self.cells.push(CellExecution { number, block, levels, probe });
        self.series_of.push(series);
    }

    /// Counted from 1.
    pub fn cell(&self, number: u32) -> Option<&CellExecution> {
        self.cells.get((number as usize).checked_sub(1)?)
    }
}
