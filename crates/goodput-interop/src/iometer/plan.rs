//! A configuration in IOmeter's own words: what an `.icf` says, without what only its screen needed.

use goodput_model::units::Nanos;

/// What an `.icf` asks for. Indices point into `specs` and `managers`; in a plan that was read they always do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IometerPlan {
    /// `'Test Description`; one line, may be empty.
    pub description: String,
    /// Length of one run in whole seconds; zero: until somebody stops it.
    pub run_time: Nanos,
    /// Time before each run that is not counted, in whole seconds.
    pub ramp_up: Nanos,
    pub record: Record,
    /// What changes from run to run within one access specification.
    pub test: TestType,
    /// Number of workers, where the test type cycles over it.
    pub worker_cycling: Steps,
    pub target_cycling: Steps,
    /// Outstanding requests of disk workers, likewise; it ends at `queue_end`.
    pub queue_cycling: Steps,
    /// The last number of outstanding requests.
    pub queue_end: u32,
    /// Access specifications in the order of the file, without the built-in Idle.
    pub specs: Vec<Spec>,
    pub managers: Vec<Manager>,
}

/// What IOmeter shows before anything is loaded.
impl Default for IometerPlan {
    fn default() -> Self {
        IometerPlan {
            description: String::new(),
            run_time: Nanos(0),
            ramp_up: Nanos(0),
            record: Record::All,
            test: TestType::Normal,
            worker_cycling: Steps::default(),
            target_cycling: Steps::default(),
            queue_cycling: Steps { start: 1, step: 2, growth: Growth::Exponential },
            queue_end: 32,
            specs: Vec::new(),
            managers: Vec::new(),
        }
    }
}

/// `'Record Results`: the rows of results.csv, trimmed from the bottom.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Record {
    #[default]
    All,
    NoTargets,
    NoWorkers,
    NoManagers,
    None,
}

/// `'Test Type`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TestType {
    #[default]
    Normal,
    CycleTargets,
    CycleWorkers,
    /// Number of targets of each manager, given to its workers one after another.
    IncrementTargetsParallel,
    /// Number of targets of all managers, one manager after another.
    IncrementTargetsSerial,
    CycleWorkersAndTargets,
    CycleOutstanding,
    CycleOutstandingAndTargets,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Steps {
    pub start: u32,
    pub step: u32,
    pub growth: Growth,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Growth {
    /// `start + k · step`.
    #[default]
    Linear,
    /// `start · step^k`; with a step of 1 as `Linear`.
    Exponential,
}

/// IOmeter's own choice for workers and targets: 1, 2, 3 …
impl Default for Steps {
    fn default() -> Self {
        Steps { start: 1, step: 1, growth: Growth::Linear }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spec {
    /// Its name; no comma in it.
    pub name: String,
    pub assignment: Assignment,
    /// 1 to 100 lines whose shares add up to 100.
    pub lines: Vec<SpecLine>,
}

/// Which new workers get an access specification by themselves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Assignment {
    #[default]
    None,
    All,
    Disk,
    Net,
}

/// One line of an access specification, in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SpecLine {
    /// Bytes of a request, 1 or more.
    pub size: u32,
    /// Share of requests (not of bytes) in per cent.
    pub share_percent: u8,
    /// Share of reads among them in per cent.
    pub reads_percent: u8,
    /// Share of random places in per cent; no meaning on a network.
    pub random_percent: u8,
    pub delay_ms: u32,
    /// Transactions in a burst, 1 or more.
    pub burst: u32,
    /// Bytes that places are multiples of, 0 for a sector; no meaning on a network.
    pub align: u32,
    /// Bytes that go back after a request; 0 for none.
    pub reply: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manager {
    pub id: u32,
    pub name: String,
    /// Where its Dynamo logged in from; may be empty.
    pub address: String,
    /// Its workers that are saved: disk workers, and of a network pair the server worker.
    pub workers: Vec<Worker>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// Its name; several may have the same.
    pub name: String,
    pub work: Work,
    /// Outstanding requests; on a network IOmeter always has one.
    pub outstanding: u32,
    /// True when it opens a connection anew for every so many transactions.
    pub test_connection_rate: bool,
    /// So many; without meaning unless `test_connection_rate`.
    pub transactions_per_connection: u32,
    pub fixed_seed: Option<u64>,
    /// What it does in the first run, in the second, …: an index into the plan's `specs`; `None` is Idle.
    pub specs: Vec<Option<usize>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// Disks or files; never opened by goodput unless a folder is given for it.
    Disk {
        /// Sectors of a file to make, 0 for all that fit.
        maximum_size: u64,
        starting_sector: u64,
        /// 0 repeating bytes, 1 pseudo-random, 2 full random.
        pattern: u8,
        targets: Vec<String>,
    },
    Network {
        /// The worker's own address on the network that is tested; may be empty.
        local_interface: String,
        /// The other end; without one the worker idles.
        target: Option<Target>,
    },
}

/// The other end of a network worker's connection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    pub address: String,
    /// Index into the plan's `managers`.
    pub manager: usize,
}

impl Worker {
    pub fn target(&self) -> Option<&Target> {
        match &self.work {
            Work::Network { target, .. } => target.as_ref(),
            Work::Disk { .. } => None,
        }
    }

    pub(super) fn targets(&self) -> usize {
        match &self.work {
            Work::Network { target, .. } => usize::from(target.is_some()),
            Work::Disk { targets, .. } => targets.len(),
        }
    }

    /// True for a worker of disks or files.
    pub fn is_disk(&self) -> bool {
        matches!(self.work, Work::Disk { .. })
    }
}

impl IometerPlan {
    /// Every worker with the index of its manager and its own within that.
    pub(super) fn workers(&self) -> impl Iterator<Item = (usize, usize, &Worker)> {
        self.managers.iter().enumerate().flat_map(|(m, manager)| {
            manager.workers.iter().enumerate().map(move |(w, worker)| (m, w, worker))
        })
    }

    pub fn network_only(&self) -> IometerPlan {
        let mut plan = self.clone();
        for manager in &mut plan.managers {
            manager.workers.retain(|w| !w.is_disk());
        }
        plan
    }
}

/// The test types in the order of their numbers in results.csv, with the words of the file.
pub(super) const TEST_TYPES: [(&str, TestType); 8] = [
    ("NORMAL", TestType::Normal),
    ("CYCLE_TARGETS", TestType::CycleTargets),
    ("CYCLE_WORKERS", TestType::CycleWorkers),
    ("INCREMENT_TARGETS_PARALLEL", TestType::IncrementTargetsParallel),
    ("INCREMENT_TARGETS_SERIAL", TestType::IncrementTargetsSerial),
    ("CYCLE_WORKERS_AND_TARGETS", TestType::CycleWorkersAndTargets),
    ("CYCLE_OUTSTANDING_IOS", TestType::CycleOutstanding),
    ("CYCLE_OUTSTANDING_IOS_AND_TARGETS", TestType::CycleOutstandingAndTargets),
];

/// What is recorded, in the order of the numbers that old files have.
pub(super) const RECORDS: [(&str, Record); 5] = [
    ("ALL", Record::All),
    ("NO_TARGETS", Record::NoTargets),
    ("NO_WORKERS", Record::NoWorkers),
    ("NO_MANAGERS", Record::NoManagers),
    ("NONE", Record::None),
];

pub(super) const ASSIGNMENTS: [(&str, Assignment); 4] = [
    ("NONE", Assignment::None),
    ("ALL", Assignment::All),
    ("DISK", Assignment::Disk),
    ("NET", Assignment::Net),
];

pub(super) const GROWTHS: [(&str, Growth); 2] =
    [("LINEAR", Growth::Linear), ("EXPONENTIAL", Growth::Exponential)];

pub(super) fn known<T>(table: &[(&'static str, T)]) -> String {
    table.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ")
}

pub(super) fn word<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, v)| v == value).map_or("", |(word, _)| word)
}

/// The built-in access specification that does nothing.
pub(super) const IDLE: &str = "Idle";

impl TestType {
    pub fn word(self) -> &'static str {
        word(&TEST_TYPES, &self)
    }
}
