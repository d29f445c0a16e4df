//! A configuration in IOmeter's terms: the content of an `.icf` without display settings.

use goodput_model::units::Nanos;

/// Indices point into `specs` and `managers`; in a plan that was read they are valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IometerPlan {
    /// One line, may be empty.
    pub description: String,
    /// Whole seconds; zero runs until somebody stops it.
    pub run_time: Nanos,
    /// Whole seconds.
    pub ramp_up: Nanos,
    pub record: RecordResultsMode,
    pub test: TestType,
    /// Where the test type cycles over it.
    pub worker_cycling: CycleSteps,
    pub target_cycling: CycleSteps,
    /// Outstanding requests of disk workers; ends at `queue_end`.
    pub queue_cycling: CycleSteps,
    pub queue_end: u32,
    /// In the order of the file, without the built-in Idle.
    pub specs: Vec<AccessSpec>,
    pub managers: Vec<IometerManager>,
}

/// IOmeter's initial values.
impl Default for IometerPlan {
    fn default() -> Self {
        IometerPlan {
            description: String::new(),
            run_time: Nanos(0),
            ramp_up: Nanos(0),
            record: RecordResultsMode::All,
            test: TestType::Normal,
            worker_cycling: CycleSteps::default(),
            target_cycling: CycleSteps::default(),
            queue_cycling: CycleSteps { start: 1, step: 2, growth: StepGrowth::Exponential },
            queue_end: 32,
            specs: Vec::new(),
            managers: Vec::new(),
        }
    }
}

/// `'Record Results`: the rows of results.csv.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RecordResultsMode {
    #[default]
    All,
    NoTargets,
    NoWorkers,
    NoManagers,
    None,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TestType {
    #[default]
    Normal,
    CycleTargets,
    CycleWorkers,
    /// For each manager, assigned to its workers in turn.
    IncrementTargetsParallel,
    /// One manager after another.
    IncrementTargetsSerial,
    CycleWorkersAndTargets,
    CycleOutstanding,
    CycleOutstandingAndTargets,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CycleSteps {
    pub start: u32,
    pub step: u32,
    pub growth: StepGrowth,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum StepGrowth {
    /// `start + k · step`.
    #[default]
    Linear,
    /// `start · step^k`; with a step of 1 as `Linear`.
    Exponential,
}

/// IOmeter's default for workers and targets: 1, 2, 3 …
impl Default for CycleSteps {
    fn default() -> Self {
        CycleSteps { start: 1, step: 1, growth: StepGrowth::Linear }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessSpec {
    /// Without commas.
    pub name: String,
    pub assignment: AccessSpecDefaultAssignment,
    /// 1 to 100 lines whose shares add up to 100.
    pub lines: Vec<AccessSpecLine>,
}

/// Which new workers get an access specification automatically.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum AccessSpecDefaultAssignment {
    #[default]
    None,
    All,
    Disk,
    Net,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AccessSpecLine {
    /// 1 or more.
    pub size: u32,
    /// Of requests, not of bytes.
    pub share_percent: u8,
    pub reads_percent: u8,
    /// No meaning on a network.
    pub random_percent: u8,
    pub delay_ms: u32,
    /// 1 or more.
    pub burst: u32,
    /// 0 is a sector; no meaning on a network.
    pub align: u32,
    /// Bytes of the reply; 0 for none.
    pub reply: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IometerManager {
    pub id: u32,
    pub name: String,
    /// Of its Dynamo; may be empty.
    pub address: String,
    /// The saved workers: disk workers, and of a network pair the server worker.
    pub workers: Vec<IometerWorker>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IometerWorker {
    /// May occur several times.
    pub name: String,
    pub work: WorkerLoad,
    /// On a network IOmeter always has one.
    pub outstanding: u32,
    pub test_connection_rate: bool,
    pub transactions_per_connection: u32,
    pub fixed_seed: Option<u64>,
    /// By run: an index into the plan's `specs`; `None` is Idle.
    pub specs: Vec<Option<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkerLoad {
    /// Disks or files; goodput uses them only below a given folder.
    Disk {
        /// Sectors of a file to create, 0 for all that fit.
        maximum_size: u64,
        starting_sector: u64,
        /// 0 repeating bytes, 1 pseudo-random, 2 full random.
        pattern: u8,
        targets: Vec<String>,
    },
    Network {
        /// The worker's own address on the tested network; may be empty.
        local_interface: String,
        /// Without one the worker idles.
        target: Option<WorkerTarget>,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkerTarget {
    pub address: String,
    /// Index into the plan's `managers`.
    pub manager: usize,
}

impl IometerWorker {
    pub fn target(&self) -> Option<&WorkerTarget> {
        match &self.work {
            WorkerLoad::Network { target, .. } => target.as_ref(),
            WorkerLoad::Disk { .. } => None,
        }
    }

    pub(super) fn target_count(&self) -> usize {
        match &self.work {
            WorkerLoad::Network { target, .. } => usize::from(target.is_some()),
            WorkerLoad::Disk { targets, .. } => targets.len(),
        }
    }

    pub fn is_disk(&self) -> bool {
        matches!(self.work, WorkerLoad::Disk { .. })
    }
}

impl IometerPlan {
    /// With the index of its manager and its own.
    pub(super) fn iter_workers(&self) -> impl Iterator<Item = (usize, usize, &IometerWorker)> {
        self.managers.iter().enumerate().flat_map(|(m, manager)| {
            manager.workers.iter().enumerate().map(move |(w, worker)| (m, w, worker))
        })
    }

    pub fn without_disk_workers(&self) -> IometerPlan {
        let mut plan = self.clone();
        for manager in &mut plan.managers {
            manager.workers.retain(|w| !w.is_disk());
        }
        plan
    }
}

/// In the order of their numbers in results.csv.
pub(super) const TEST_TYPE_NAMES: [(&str, TestType); 8] = [
    ("NORMAL", TestType::Normal),
    ("CYCLE_TARGETS", TestType::CycleTargets),
    ("CYCLE_WORKERS", TestType::CycleWorkers),
    ("INCREMENT_TARGETS_PARALLEL", TestType::IncrementTargetsParallel),
    ("INCREMENT_TARGETS_SERIAL", TestType::IncrementTargetsSerial),
    ("CYCLE_WORKERS_AND_TARGETS", TestType::CycleWorkersAndTargets),
    ("CYCLE_OUTSTANDING_IOS", TestType::CycleOutstanding),
    ("CYCLE_OUTSTANDING_IOS_AND_TARGETS", TestType::CycleOutstandingAndTargets),
];

/// In the order of the numbers in old files.
pub(super) const RECORD_RESULTS_NAMES: [(&str, RecordResultsMode); 5] = [
    ("ALL", RecordResultsMode::All),
    ("NO_TARGETS", RecordResultsMode::NoTargets),
    ("NO_WORKERS", RecordResultsMode::NoWorkers),
    ("NO_MANAGERS", RecordResultsMode::NoManagers),
    ("NONE", RecordResultsMode::None),
];

pub(super) const DEFAULT_ASSIGNMENT_NAMES: [(&str, AccessSpecDefaultAssignment); 4] = [
    ("NONE", AccessSpecDefaultAssignment::None),
    ("ALL", AccessSpecDefaultAssignment::All),
    ("DISK", AccessSpecDefaultAssignment::Disk),
    ("NET", AccessSpecDefaultAssignment::Net),
];

pub(super) const STEP_GROWTH_NAMES: [(&str, StepGrowth); 2] =
    [("LINEAR", StepGrowth::Linear), ("EXPONENTIAL", StepGrowth::Exponential)];

pub(super) fn join_keywords<T>(table: &[(&'static str, T)]) -> String {
    table.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
}

pub(super) fn keyword_for_value<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, v)| v == value).map_or("", |(word, _)| word)
}

pub(super) const IDLE_SPEC_NAME: &str = "Idle";

impl TestType {
    pub fn name(self) -> &'static str {
        keyword_for_value(&TEST_TYPE_NAMES, &self)
    }
}
