//! The primary metric of one execution, which decides on further repeats while an experiment runs.

use super::data_set::build_data_set;
use goodput_model::experiment::Experiment;
use goodput_model::experiment::data_set::ObservedValue;
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::run::RunHeader;
use goodput_model::{Run, Trial};

/// The first measure of the cell's probe line, as the finished experiment will have it; `None` without a
/// value and for a curve over sizes.
pub fn primary_metric(
    head: &RunHeader,
    experiment: &Experiment,
    cell: &CellExecution,
    trials: Vec<Trial>,
) -> Option<f64> {
    let mut line = experiment.probes.iter().find(|p| p.name == cell.probe)?.clone();
    line.measures.truncate(1);
    let alone = Experiment { probes: vec![line], ..experiment.clone() };
    let cell = CellExecution { block: 1, ..cell.clone() };
    let number = cell.number;
    let ids = trials.iter().map(|t| t.id).collect();
    let steps = vec![
        ExperimentStep::Declared { experiment: Box::new(alone), text: String::new() },
        ExperimentStep::CellStarted { cell, at: String::new() },
        ExperimentStep::CellEnded { number, outcome: CellOutcome::Done, trials: ids, at: String::new() },
    ];
    let set = build_data_set(&Run { head: head.clone(), trials, steps, finished: false }, &[]).ok()?;
    match set.rows.as_slice() {
        [row] if row.size_bytes.is_none() => match row.value {
            ObservedValue::Value(value) => Some(value),
            ObservedValue::Failed(_) | ObservedValue::NotMeasured => None,
        },
        _ => None,
    }
}
