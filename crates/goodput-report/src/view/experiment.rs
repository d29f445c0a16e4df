//! An experiment cell by cell: plan, state, operator's question. For a page that updates while it runs.

use super::primary_metric::FormattedMetric;
use crate::experiment::metric_unit::{MetricUnit, metric_display_name};
use goodput_model::experiment::data_set::{DataSet, ObservedValue};
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::{Experiment, FactorLevels, LevelSettingMethod};
use goodput_model::{Nanos, TrialId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Debug, Clone, Copy)]
pub struct ExperimentDocumentInput<'a> {
    pub experiment: &'a Experiment,
    pub planned: &'a [CellExecution],
    pub steps: &'a [ExperimentStep],
    pub data: &'a DataSet,
    /// Combinations that need no more repeats: levels and probe line.
    pub settled: &'a BTreeSet<(&'a FactorLevels, &'a str)>,
    /// If true, a cell without an end is running, else interrupted.
    pub running: bool,
    /// Time left, if known.
    pub left: Option<Nanos>,
    pub prompt: Option<&'a Prompt>,
}

/// An experiment with its cells.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExperimentDocument {
    /// One word, for file names.
    pub name: String,
    /// One line, for headings.
    pub title: String,
    /// In the order of the tables.
    pub factors: Vec<ExperimentFactor>,
    /// The probe lines in the order of the file.
    pub probes: Vec<ExperimentProbe>,
    /// In the order in which they are run.
    pub cells: Vec<ExperimentCell>,
    /// How far it is.
    pub progress: ExperimentProgress,
    /// What the operator is asked now.
    pub prompt: Option<Prompt>,
}

/// A factor of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExperimentFactor {
    /// Its name.
    pub name: String,
    /// Its levels, in order.
    pub levels: Vec<String>,
    /// True where a hand puts them in place.
    pub by_hand: bool,
}

/// A probe line of an experiment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExperimentProbe {
    /// Its name.
    pub name: String,
    /// Its primary metric in words; empty where it names none.
    pub figure: String,
}

/// What became of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum CellState {
    /// Not begun, or broken off and to be made again.
    Waiting,
    /// Under way.
    Running,
    /// Its trials are whole.
    Done,
    /// It was tried and gave no result.
    Failed,
    /// It did not end within its time limit.
    TimedOut,
    /// Its levels could not be put in place.
    NotSet,
    /// Not needed any more: its line is known narrowly enough at its combination.
    Spared,
}

/// One execution of one probe line at one combination of levels.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ExperimentCell {
    /// Its number in the plan, from 1.
    pub number: u32,
    /// The combination: factor to level.
    pub levels: FactorLevels,
    /// The probe line's name.
    pub probe: String,
    /// Its block of the order; 0 for a warm-up.
    pub block: u32,
    /// How often its line was planned at its combination up to here, warm-ups not counted; 0 for a warm-up.
    pub repeat: u32,
    /// What became of it.
    pub state: CellState,
    /// Its primary metric; `None` where it has none, or a curve over sizes.
    pub figure: Option<FormattedMetric>,
    /// Why it has no result; empty otherwise.
    pub reason: String,
    /// Numbers of its trials.
    pub trials: Vec<u32>,
}

/// How far an experiment is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExperimentProgress {
    /// Cells that ended, however they ended.
    pub done: u32,
    /// These and the cells that are still to be made at the most.
    pub of: u32,
    /// Time that is left, in ns; `None` where it is not known.
    pub left_ns: Option<u64>,
}

/// A question to whoever stands at the machines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Prompt {
    /// Its name, which the answer bears.
    pub id: String,
    /// What is to be done.
    pub text: String,
    /// What the machines must show afterwards; empty where nothing is looked at.
    pub must_show: Vec<String>,
}

/// State, reason, trials.
type Ended = (CellState, String, Vec<u32>);

pub fn experiment_document(source: &ExperimentDocumentInput<'_>) -> ExperimentDocument {
    let (ended, begun) = log(source.steps);
    let figures = figures(source);
    let mut repeats: BTreeMap<(&FactorLevels, &str), u32> = BTreeMap::new();
    let mut cells = Vec::with_capacity(source.planned.len());
    for cell in source.planned {
        let line = (&cell.levels, cell.probe.as_str());
        let repeat = if cell.block == 0 {
            0
        } else {
            let count = repeats.entry(line).or_default();
            *count += 1;
            *count
        };
        let (state, reason, trials) = ended.get(&cell.number).cloned().unwrap_or_else(|| {
            let state = if source.running && begun == Some(cell.number) {
                CellState::Running
            } else if source.settled.contains(&line) {
                CellState::Spared
            } else {
                CellState::Waiting
            };
            (state, String::new(), Vec::new())
        });
        let key = (cell.probe.as_str(), &cell.levels, cell.block);
        let figure = if state == CellState::Done { figures.get(&key).cloned() } else { None };
        cells.push(ExperimentCell {
            number: cell.number,
            levels: cell.levels.clone(),
            probe: cell.probe.clone(),
            block: cell.block,
            repeat,
            state,
            figure,
            reason,
            trials,
        });
    }
    let count = |of: &dyn Fn(CellState) -> bool| cells.iter().filter(|c| of(c.state)).count() as u32;
    let open = |s: CellState| matches!(s, CellState::Waiting | CellState::Running);
    let done = count(&|s| !open(s) && s != CellState::Spared);
    let progress =
        ExperimentProgress { done, of: done + count(&open), left_ns: source.left.map(|left| left.0) };
    ExperimentDocument {
        name: source.experiment.name.clone(),
        title: source.experiment.title.clone(),
        factors: source.experiment.factors.iter().map(factor).collect(),
        probes: source.experiment.probes.iter().map(probe).collect(),
        cells,
        progress,
        prompt: source.prompt.cloned(),
    }
}

fn factor(factor: &goodput_model::experiment::Factor) -> ExperimentFactor {
    ExperimentFactor {
        name: factor.name.clone(),
        levels: factor.levels.iter().map(|l| l.name.clone()).collect(),
        by_hand: matches!(factor.means, LevelSettingMethod::ByHand { .. }),
    }
}

fn probe(line: &goodput_model::experiment::ProbeCommand) -> ExperimentProbe {
    let figure = line.measures.first().map(|m| metric_display_name(&m.figure)).unwrap_or_default();
    ExperimentProbe { name: line.name.clone(), figure }
}

/// The end of each cell, and the last begun without an end. The later of two ends counts, unless only the
/// earlier has a result, as in [`goodput_analysis::experiment::data::data_set`].
fn log(steps: &[ExperimentStep]) -> (BTreeMap<u32, Ended>, Option<u32>) {
    let mut ended: BTreeMap<u32, Ended> = BTreeMap::new();
    let mut begun = None;
    for step in steps {
        match step {
            ExperimentStep::CellStarted { cell, .. } => begun = Some(cell.number),
            ExperimentStep::CellEnded { number, outcome, trials, .. } => {
                begun = begun.filter(|b| b != number);
                let (state, reason) = of_outcome(outcome);
                let kept = ended.get(number).is_some_and(|e| e.0 == CellState::Done);
                if !kept || state == CellState::Done {
                    ended.insert(*number, (state, reason, trials.iter().map(|TrialId(n)| *n).collect()));
                }
            }
            _ => {}
        }
    }
    (ended, begun)
}

fn of_outcome(outcome: &CellOutcome) -> (CellState, String) {
    match outcome {
        CellOutcome::Done => (CellState::Done, String::new()),
        CellOutcome::Failed { cause } => (CellState::Failed, cause.to_string()),
        CellOutcome::TimedOut => (CellState::TimedOut, "the execution exceeded its time limit".into()),
        CellOutcome::NotSet { cause } => (CellState::NotSet, cause.to_string()),
    }
}

/// The primary metric of each execution, unless it is a curve.
fn figures<'a>(
    source: &ExperimentDocumentInput<'a>,
) -> BTreeMap<(&'a str, &'a FactorLevels, u32), FormattedMetric> {
    let data = source.data;
    let mut figures = BTreeMap::new();
    for line in &source.experiment.probes {
        let first = data.measures.iter().enumerate().find(|(_, m)| m.probe == line.name);
        let Some((measure, head)) = first.filter(|(_, head)| !head.over_size) else { continue };
        let rows = data.rows.iter().filter(|r| r.measure == measure && r.size_bytes.is_none());
        let values = rows.filter_map(|row| match row.value {
            ObservedValue::Value(value) => Some((row, value)),
            _ => None,
        });
        let unit = MetricUnit::for_measure(data, measure, values.clone().map(|(_, value)| value));
        figures.extend(values.map(|(row, value)| {
            let (name, text) = (metric_display_name(&head.figure), unit.format_with_unit(value));
            let told = FormattedMetric { name, value, unit: head.unit.clone(), text };
            ((head.probe.as_str(), &row.levels, row.block), told)
        }));
    }
    figures
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::test_data;
    use goodput_model::experiment::{
        BetterDirection, ExecutionOrder, ExperimentDesign, Factor, FactorLevel, MeasuredMetric, ProbeCommand,
        RepeatPolicy,
    };

    fn experiment(data: &DataSet) -> Experiment {
        let level = |name: &String| FactorLevel { name: name.clone(), value: name.clone() };
        let factors = data.factors.iter().map(|axis| Factor {
            name: axis.name.clone(),
            levels: axis.levels.iter().map(level).collect(),
            means: LevelSettingMethod::ByHand { ask: "plug in {level}".into(), verify: Vec::new() },
            hard_to_change: true,
        });
        let measured = MeasuredMetric { figure: "goodput_bps".into(), better: BetterDirection::Higher };
        Experiment {
            name: "small".into(),
            title: data.title.clone(),
            hosts: BTreeMap::new(),
            lab: None,
            factors: factors.collect(),
            probes: vec![ProbeCommand {
                name: "tcp".into(),
                run: "stream {server}".into(),
                measures: vec![measured],
                only: BTreeMap::new(),
                time_limit: Nanos(30_000_000_000),
            }],
            design: ExperimentDesign::Full,
            excluded: Vec::new(),
            order: ExecutionOrder { shuffled: true, seed: 1 },
            repeats: RepeatPolicy { warm_up: 1, least: 2, most: 6, width_percent: None },
            requirements: Vec::new(),
            prices: Vec::new(),
            questions: Vec::new(),
        }
    }

    fn ended(number: u32, outcome: CellOutcome) -> ExperimentStep {
        ExperimentStep::CellEnded { number, outcome, trials: vec![TrialId(number)], at: String::new() }
    }

    #[test]
    fn each_cell_says_what_became_of_it() {
        let (data, _) = test_data::small_experiment_data();
        let experiment = experiment(&data);
        let levels = |nic: &str, mtu: &str| -> FactorLevels {
            [("nic", nic), ("mtu", mtu)].map(|(f, l)| (f.to_string(), l.to_string())).into()
        };
        let cell = |number, block, nic, mtu| {
            let (levels, probe) = (levels(nic, mtu), "tcp".to_string());
            CellExecution { number, block, levels, probe }
        };
        let planned = [
            cell(1, 0, "pci", "1500"),
            cell(2, 1, "pci", "1500"),
            cell(3, 1, "onboard", "9000"),
            cell(4, 1, "pci", "9000"),
            cell(5, 2, "pci", "1500"),
            cell(6, 2, "pci", "9000"),
        ];
        let begin =
            |n: usize| ExperimentStep::CellStarted { cell: planned[n - 1].clone(), at: String::new() };
        let ended = [(1, CellOutcome::Done), (2, CellOutcome::Done), (3, CellOutcome::TimedOut)]
            .map(|(n, outcome)| [begin(n), ended(n as u32, outcome)]);
        let mut steps = ended.concat();
        steps.push(begin(4));
        let pci = levels("pci", "1500");
        let settled = BTreeSet::from([(&pci, "tcp")]);
        let source = ExperimentDocumentInput {
            experiment: &experiment,
            planned: &planned,
            steps: &steps,
            data: &data,
            settled: &settled,
            running: true,
            left: Some(Nanos(5)),
            prompt: None,
        };
        let found = experiment_document(&source);
        let states: Vec<CellState> = found.cells.iter().map(|c| c.state).collect();
        use CellState::{Done, Running, Spared, TimedOut, Waiting};
        assert_eq!(states, [Done, Done, TimedOut, Running, Spared, Waiting]);
        assert_eq!(found.cells.iter().map(|c| c.repeat).collect::<Vec<_>>(), [0, 1, 1, 1, 2, 2]);
        assert_eq!(found.progress, ExperimentProgress { done: 3, of: 5, left_ns: Some(5) });
        assert_eq!(found.cells[0].figure, None);
        let figure = found.cells[1].figure.clone().unwrap();
        assert!(figure.text.ends_with(" Mbit/s") && figure.unit == "bit/s", "{figure:?}");
        assert!(!found.cells[2].reason.is_empty() && found.cells[2].trials == [3]);
        assert!(found.factors[0].by_hand);
        let still = experiment_document(&ExperimentDocumentInput { running: false, ..source });
        assert_eq!(still.cells[3].state, Waiting);
    }
}
