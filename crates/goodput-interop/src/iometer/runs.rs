//! The runs of a configuration: access specifications in the outer loop, test cycling in the inner.

use super::cycling::{MAX_CYCLED_RUNS, expand_cycle_steps};
use super::errors::IometerPlanError;
use super::plan::{IometerManager, IometerPlan, IometerWorker, TestType};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IometerRun {
    /// From 1.
    pub number: u32,
    /// Index of each worker's access specification, from 1.
    pub spec: u32,
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

#[derive(Debug, Clone, Copy)]
enum Select {
    All,
    TargetsOfWorkers(u32),
    WorkersOfManagers(u32),
    Both { workers: u32, targets: u32 },
    TargetsOfManagers(u32),
    TargetsInOrder(u32),
}

struct Step {
    select: Select,
    outstanding: Option<u32>,
}

impl IometerPlan {
    /// All runs in IOmeter's order, idle ones included. With two numbers the first in the test type's name is
    /// the outer loop. Without disk workers a cycling over outstanding requests has one step. Fails with
    /// [`PlanError::Steps`], [`PlanError::TooManyRuns`].
    pub fn all_runs(&self) -> Result<Vec<IometerRun>, IometerPlanError> {
        let steps = self.steps()?;
        let specs = self.iter_workers().map(|(_, _, w)| w.specs.len()).max().unwrap_or(0);
        let count = (specs as u64).saturating_mul(steps.len() as u64);
        if count > MAX_CYCLED_RUNS {
            return Err(IometerPlanError::TooManyRuns { runs: count, most: MAX_CYCLED_RUNS });
        }
        let mut runs = Vec::new();
        for spec in 0..specs {
            for step in &steps {
                runs.push(IometerRun {
                    number: runs.len() as u32 + 1,
                    spec: spec as u32 + 1,
                    cycle: step.cycle(),
                    outstanding: step.outstanding,
                    active: self.active(step.select, spec),
                });
            }
        }
        Ok(runs)
    }

    fn steps(&self) -> Result<Vec<Step>, IometerPlanError> {
        let most = |count: Option<usize>| u32::try_from(count.unwrap_or(0)).unwrap_or(u32::MAX);
        let targets = |m: &IometerManager| m.workers.iter().map(IometerWorker::target_count).sum::<usize>();
        let workers = || {
            let most = most(self.managers.iter().map(|m| m.workers.len()).max());
            expand_cycle_steps("worker cycling", self.worker_cycling, most)
        };
        let disks = |count| expand_cycle_steps("disk cycling", self.target_cycling, most(count));
        let of_workers = || disks(self.iter_workers().map(|(_, _, w)| w.target_count()).max());
        let plain = |select| Step { select, outstanding: None };
        Ok(match self.test {
            TestType::Normal => vec![plain(Select::All)],
            TestType::CycleTargets => {
                of_workers()?.into_iter().map(|n| plain(Select::TargetsOfWorkers(n))).collect()
            }
            TestType::CycleWorkers => {
                workers()?.into_iter().map(|n| plain(Select::WorkersOfManagers(n))).collect()
            }
            TestType::IncrementTargetsParallel => {
                let counts = disks(self.managers.iter().map(targets).max())?;
                counts.into_iter().map(|n| plain(Select::TargetsOfManagers(n))).collect()
            }
            TestType::IncrementTargetsSerial => {
                let counts = disks(Some(self.managers.iter().map(targets).sum()))?;
                counts.into_iter().map(|n| plain(Select::TargetsInOrder(n))).collect()
            }
            TestType::CycleWorkersAndTargets => {
                let targets = of_workers()?;
                let both = |workers| {
                    let select = move |&targets: &u32| plain(Select::Both { workers, targets });
                    targets.iter().map(select).collect::<Vec<_>>()
                };
                workers()?.into_iter().flat_map(both).collect()
            }
            TestType::CycleOutstanding => {
                let step = |outstanding| Step { select: Select::All, outstanding };
                self.depths()?.into_iter().map(step).collect()
            }
            TestType::CycleOutstandingAndTargets => {
                let targets = of_workers()?;
                let each = |outstanding| {
                    let step = move |&n: &u32| Step { select: Select::TargetsOfWorkers(n), outstanding };
                    targets.iter().map(step).collect::<Vec<_>>()
                };
                self.depths()?.into_iter().flat_map(each).collect()
            }
        })
    }

    /// One step without a number when there is no disk worker.
    fn depths(&self) -> Result<Vec<Option<u32>>, IometerPlanError> {
        if !self.iter_workers().any(|(_, _, w)| w.is_disk()) {
            return Ok(vec![None]);
        }
        let depths = expand_cycle_steps("queue depth cycling", self.queue_cycling, self.queue_end)?;
        Ok(depths.into_iter().map(Some).collect())
    }

    fn active(&self, select: Select, position: usize) -> Vec<ActiveWorker> {
        let mut active = Vec::new();
        let mut left_of_all = match select {
            Select::TargetsInOrder(n) => n as usize,
            _ => 0,
        };
        for (m, manager) in self.managers.iter().enumerate() {
            let mut left = match select {
                Select::TargetsOfManagers(n) => n as usize,
                _ => 0,
            };
            for (w, worker) in manager.workers.iter().enumerate() {
                let all = worker.target_count();
                let within = |n: u32| (w as u64) < u64::from(n);
                let targets = match select {
                    Select::All => all,
                    Select::TargetsOfWorkers(n) => all.min(n as usize),
                    Select::WorkersOfManagers(n) => {
                        if within(n) {
                            all
                        } else {
                            0
                        }
                    }
                    Select::Both { workers, targets } => {
                        if within(workers) {
                            all.min(targets as usize)
                        } else {
                            0
                        }
                    }
                    Select::TargetsOfManagers(_) => take(&mut left, all),
                    Select::TargetsInOrder(_) => take(&mut left_of_all, all),
                };
                if let (1.., Some(Some(spec))) = (targets, worker.specs.get(position)) {
                    active.push(ActiveWorker { manager: m, worker: w, targets, spec: *spec });
                }
            }
        }
        active
    }
}

fn take(left: &mut usize, wanted: usize) -> usize {
    let taken = wanted.min(*left);
    *left -= taken;
    taken
}

impl Step {
    fn cycle(&self) -> Vec<(&'static str, u32)> {
        let mut cycle = Vec::new();
        cycle.extend(self.outstanding.map(|n| ("outstanding", n)));
        match self.select {
            Select::All => {}
            Select::TargetsOfWorkers(n) => cycle.push(("targets a worker", n)),
            Select::WorkersOfManagers(n) => cycle.push(("workers a manager", n)),
            Select::Both { workers, targets } => {
                cycle.extend([("workers a manager", workers), ("targets a worker", targets)]);
            }
            Select::TargetsOfManagers(n) => cycle.push(("targets a manager", n)),
            Select::TargetsInOrder(n) => cycle.push(("targets", n)),
        }
        cycle
    }
}
