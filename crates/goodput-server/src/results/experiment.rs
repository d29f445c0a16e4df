//! A recorded experiment, evaluated for its report.

use crate::problem::{Kind, Problem};
use goodput_analysis::experiment::data::{declared, with_findings};
use goodput_analysis::experiment::host_record::host_changes;
use goodput_analysis::experiment::steady;
use goodput_experiment::progress::Progress;
use goodput_experiment::requirement::Judged;
use goodput_experiment::{Judgement, Plan, Verdict, judge};
use goodput_model::experiment::data::{DataSet, MeasureHead, Observed};
use goodput_model::experiment::record::Cell;
use goodput_model::experiment::{Better, Levels};
use goodput_model::metric;
use goodput_model::{Experiment, Finding, Nanos, Run};
use goodput_report::experiment::unit::Unit;
use goodput_report::experiment::{Held, Results, Source};
use goodput_report::view::{self, ExperimentDocument, ExperimentSource, Prompt};
use std::path::Path;

#[derive(Debug)]
pub struct Evaluated<'r> {
    run: &'r Run,
    experiment: &'r Experiment,
    plan: Option<Plan>,
    data: DataSet,
    judged: Vec<Judgement>,
    held: Vec<Held>,
    findings: Vec<Finding>,
    folder: Option<String>,
}

impl<'r> Evaluated<'r> {
    /// `None` if the run is no experiment's.
    pub fn of(run: &'r Run) -> Option<Evaluated<'r>> {
        let experiment = declared(run)?;
        let plan = Plan::of(experiment).ok();
        let planned: &[Cell] = plan.as_ref().map_or(&[], |plan| &plan.cells);
        let (data, of_trials) = with_findings(run, planned).ok()?;
        let judged: Vec<Judgement> = experiment.requirements.iter().map(|r| judge(r, &data)).collect();
        let held = judged.iter().map(held).collect();
        // Findings of trials, changed hosts, drift, and outliers.
        let findings = of_trials.into_iter().chain(host_changes(run)).chain(steady::notes(&data)).collect();
        Some(Evaluated { run, experiment, plan, data, judged, held, findings, folder: None })
    }

    /// Names the folder, for local users only.
    pub fn at(self, folder: &Path) -> Evaluated<'r> {
        Evaluated { folder: Some(folder.display().to_string()), ..self }
    }

    pub fn judged(&self) -> &[Judgement] {
        &self.judged
    }

    pub fn name(&self) -> &str {
        &self.experiment.name
    }

    pub fn data(&self) -> &DataSet {
        &self.data
    }

    pub fn results(&self) -> Results<'_> {
        Results::of(Source {
            data: &self.data,
            experiment: Some(self.experiment),
            head: Some(&self.run.head),
            trials: &self.run.trials,
            steps: &self.run.steps,
            held: &self.held,
            findings: &self.findings,
            folder: self.folder.as_deref(),
        })
    }

    /// Cell by cell with progress; `running` while it is being written, `prompt` is its open question. Fails
    /// if this program plans the experiment differently.
    pub fn document(&self, running: bool, prompt: Option<&Prompt>) -> Result<ExperimentDocument, Problem> {
        let other = || {
            Problem::new(Kind::Conflict, "the cells of this experiment cannot be told")
                .because("its plan is not the one that this program would make")
                .try_this("its page and its files are there; goodput run --resume says more")
        };
        let plan = self.plan.as_ref().ok_or_else(other)?;
        let primary_metric = |cell: &Cell, _: &[goodput_model::TrialId]| self.primary_metric(cell);
        let progress = Progress::of(plan, &self.run.steps, primary_metric).map_err(|_| other())?;
        let settled: Vec<(Levels, String)> = progress
            .standings()
            .filter(|s| s.settled.is_some())
            .map(|s| (s.levels.clone(), s.probe.to_string()))
            .collect();
        let left: Option<Nanos> = running.then(|| progress.left(|_| None).time_least).flatten();
        Ok(view::experiment_document(&ExperimentSource {
            experiment: self.experiment,
            planned: &plan.cells,
            steps: &self.run.steps,
            data: &self.data,
            settled: &settled,
            running,
            left,
            prompt,
        }))
    }

    /// The first metric of the probe line; `None` for a curve.
    fn primary_metric(&self, cell: &Cell) -> Option<f64> {
        let measure = self.data.measures.iter().position(|m| m.probe == cell.probe)?;
        if self.data.measures.get(measure)?.over_size {
            return None;
        }
        let of_cell = |row: &&goodput_model::experiment::data::Row| {
            row.measure == measure && row.block == cell.block && row.levels == cell.levels
        };
        self.data.rows.iter().filter(of_cell).find_map(|row| match row.value {
            Observed::Value(value) => Some(value),
            _ => None,
        })
    }
}

fn held(judgement: &Judgement) -> Held {
    let head = MeasureHead {
        probe: String::new(),
        figure: judgement.requirement.figure.clone(),
        unit: metric::unit(&judgement.requirement.figure).to_string(),
        better: Better::Higher,
        over_size: false,
    };
    let medians = || judgement.judged.iter().filter_map(|j| j.median);
    let unit = Unit::of(&head, medians().chain([judgement.requirement.value]));
    Held {
        text: judgement.requirement.text.clone(),
        // The overall verdict has no confidence; each combination has one.
        verdict: word(judgement.verdict, true).to_string(),
        cells: judgement.judged.iter().map(|judged| cell(judged, &unit)).collect(),
    }
}

fn cell(judged: &Judged, unit: &Unit) -> (String, String, String) {
    let levels = judged.levels.iter().map(|(factor, level)| format!("{factor} {level}"));
    let size = judged.size_bytes.map(goodput_report::number::size);
    let at = std::iter::once(judged.probe.clone()).chain(levels).chain(size).collect::<Vec<_>>().join(", ");
    let figure = match (judged.median, judged.interval) {
        (None, _) => judged.failures.first().cloned().unwrap_or_default(),
        (Some(median), None) => unit.full(median),
        (Some(median), Some(i)) => format!("{} ({})", unit.full(median), unit.interval((i.low, i.high))),
    };
    (at, figure, word(judged.verdict, judged.sure).to_string())
}

fn word(verdict: Verdict, sure: bool) -> &'static str {
    match (verdict, sure) {
        (Verdict::Met, true) => "met",
        (Verdict::Met, false) => "met, but not statistically significant",
        (Verdict::NotMet, true) => "not met",
        (Verdict::NotMet, false) => "not met, but not statistically significant",
        (Verdict::NotMeasured, _) => "not measured",
    }
}
