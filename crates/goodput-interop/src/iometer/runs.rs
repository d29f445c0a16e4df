//! The runs of a configuration: access specifications in the outer loop, test cycling in the inner.

use super::cycling::{MAX_RUNS_PER_FILE, expand_cycle_steps, too_many_runs_error};
use super::errors::IometerPlanError;
use super::plan::{IometerManager, IometerPlan, IometerWorker, TestType};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IometerRun {
    /// From 1.
    pub number: u32,
    /// For example `("workers", 4)`; empty without cycling.
    pub cycle: Vec<(&'static str, u32)>,
    /// Of disk workers, with cycling.
    pub outstanding: Option<u32>,
    /// Workers with a target and something else than Idle, in the order of the file.
    pub active: Vec<ActiveWorker>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ActiveWorker {
    /// Index into the plan's `managers`.
    pub manager: usize,
    /// Index into that manager's `workers`.
    pub worker: usize,
    /// Used targets, from the first; 1 on a network.
    pub targets: usize,
    /// Index into the plan's `specs`.
    pub spec: usize,
}

/// Whose targets a cycling over targets counts together.
#[derive(Clone, Copy, PartialEq, Eq)]
enum TargetScope {
    Worker,
    Manager,
    All,
}

/// What a step of the test cycling uses; `None` is everything.
#[derive(Clone, Copy)]
struct Step {
    outstanding: Option<u32>,
    workers: Option<u32>,
    targets: Option<u32>,
}

impl IometerPlan {
    /// All runs in IOmeter's order, idle ones included. With two numbers the first in the test type's name is
    /// the outer loop. Without disk workers a cycling over outstanding requests has one step. Fails for
    /// steps that lead nowhere and for too many runs.
    pub fn all_runs(&self) -> Result<Vec<IometerRun>, IometerPlanError> {
        let steps = self.steps()?;
        let specs = self.iter_workers().map(|(_, _, w)| w.specs.len()).max().unwrap_or(0);
        let count = (specs as u64).saturating_mul(steps.len() as u64);
        if count > MAX_RUNS_PER_FILE {
            return Err(too_many_runs_error(count));
        }
        let mut runs = Vec::new();
        for spec in 0..specs {
            for step in &steps {
                runs.push(IometerRun {
                    number: runs.len() as u32 + 1,
                    cycle: self.cycle(*step),
                    outstanding: step.outstanding,
                    active: self.active(*step, spec),
                });
            }
        }
        Ok(runs)
    }

    fn target_scope(&self) -> TargetScope {
        match self.test {
            TestType::IncrementTargetsParallel => TargetScope::Manager,
            TestType::IncrementTargetsSerial => TargetScope::All,
            _ => TargetScope::Worker,
        }
    }

    fn steps(&self) -> Result<Vec<Step>, IometerPlanError> {
        let cycled = |what, used: bool, steps, most: usize| match used {
            true => expand_cycle_steps(what, steps, u32::try_from(most).unwrap_or(u32::MAX))
                .map(|numbers| numbers.into_iter().map(Some).collect()),
            false => Ok(vec![None]),
        };
        let of_manager =
            |m: &IometerManager| m.workers.iter().map(IometerWorker::target_count).sum::<usize>();
        let most_targets = match self.target_scope() {
            TargetScope::Worker => self.iter_workers().map(|(_, _, w)| w.target_count()).max(),
            TargetScope::Manager => self.managers.iter().map(of_manager).max(),
            TargetScope::All => Some(self.managers.iter().map(of_manager).sum()),
        };
        let most_workers = self.managers.iter().map(|m| m.workers.len()).max();
        let (by_outstanding, by_workers, by_targets) = match self.test {
            TestType::Normal => (false, false, false),
            TestType::CycleWorkers => (false, true, false),
            TestType::CycleWorkersAndTargets => (false, true, true),
            TestType::CycleOutstanding => (true, false, false),
            TestType::CycleOutstandingAndTargets => (true, false, true),
            TestType::CycleTargets
            | TestType::IncrementTargetsParallel
            | TestType::IncrementTargetsSerial => (false, false, true),
        };
        let by_outstanding = by_outstanding && self.iter_workers().any(|(_, _, w)| w.is_disk());
        let targets = cycled("disk cycling", by_targets, self.target_cycling, most_targets.unwrap_or(0))?;
        let workers = cycled("worker cycling", by_workers, self.worker_cycling, most_workers.unwrap_or(0))?;
        let depths =
            cycled("queue depth cycling", by_outstanding, self.queue_cycling, self.queue_end as usize)?;
        let counts = [depths.len(), workers.len(), targets.len()].map(|count| count as u64);
        let count = counts.into_iter().fold(1, u64::saturating_mul);
        if count > MAX_RUNS_PER_FILE {
            return Err(too_many_runs_error(count));
        }
        let mut steps = Vec::new();
        for &outstanding in &depths {
            for &workers in &workers {
                steps.extend(targets.iter().map(|&targets| Step { outstanding, workers, targets }));
            }
        }
        Ok(steps)
    }

    fn active(&self, step: Step, position: usize) -> Vec<ActiveWorker> {
        let (scope, limit) = (self.target_scope(), step.targets.map_or(usize::MAX, |n| n as usize));
        let mut active = Vec::new();
        let mut left = limit;
        for (m, manager) in self.managers.iter().enumerate() {
            if scope == TargetScope::Manager {
                left = limit;
            }
            let used = step.workers.map_or(usize::MAX, |n| n as usize);
            for (w, worker) in manager.workers.iter().enumerate().take(used) {
                if scope == TargetScope::Worker {
                    left = limit;
                }
                let targets = worker.target_count().min(left);
                left -= targets;
                if let (1.., Some(Some(spec))) = (targets, worker.specs.get(position)) {
                    active.push(ActiveWorker { manager: m, worker: w, targets, spec: *spec });
                }
            }
        }
        active
    }

    fn cycle(&self, step: Step) -> Vec<(&'static str, u32)> {
        let targets = match self.target_scope() {
            TargetScope::Worker => "targets a worker",
            TargetScope::Manager => "targets a manager",
            TargetScope::All => "targets",
        };
        let all =
            [("outstanding", step.outstanding), ("workers a manager", step.workers), (targets, step.targets)];
        all.into_iter().filter_map(|(what, n)| Some((what, n?))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iometer::plan::{CycleSteps, StepGrowth, WorkerLoad};

    #[test]
    fn steps_are_counted_before_they_are_made() {
        let (name, address) = (String::new(), String::new());
        let targets = vec![String::new(); 5_000];
        let work = WorkerLoad::Disk { maximum_size: 0, starting_sector: 0, pattern: 0, targets };
        let worker = IometerWorker {
            name: name.clone(),
            work,
            outstanding: 1,
            test_connection_rate: false,
            transactions_per_connection: 1,
            fixed_seed: None,
            specs: Vec::new(),
        };
        let each = CycleSteps { start: 1, step: 1, growth: StepGrowth::Linear };
        let plan = IometerPlan {
            test: TestType::CycleOutstandingAndTargets,
            target_cycling: each,
            queue_cycling: each,
            queue_end: 5_000,
            managers: vec![IometerManager { id: 1, name, address, workers: vec![worker] }],
            ..IometerPlan::default()
        };
        let error = plan.steps().err().unwrap();
        assert!(error.why.contains("25000000 runs"), "{error}");
    }
}
