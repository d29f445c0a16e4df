//! Errors and warnings about `.icf` files and plans.

use serde::Serialize;
use std::fmt;

/// Something that was skipped, or understood in spite of its form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IcfWarning {
    /// Counted from 1.
    pub line: usize,
    pub text: String,
}

impl fmt::Display for IcfWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.text)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct IcfError {
    /// Counted from 1; the last one for what is missing altogether.
    pub line: usize,
    pub fault: IcfErrorKind,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IcfErrorKind {
    #[error("{found:?} is not Version and three numbers, with which an .icf begins")]
    NoVersion {
        /// At most 80 characters.
        found: String,
    },
    #[error("the file has no section {section}")]
    NoSection { section: &'static str },
    #[error("'{key} has no value")]
    NoValue { key: String },
    #[error("{what} is {found:?}, which is not a whole number")]
    Number { what: &'static str, found: String },
    #[error("{what} is {found}, outside {from} to {to}")]
    Range { what: &'static str, found: String, from: u64, to: u64 },
    #[error("{what} is {found:?}; known are {known}")]
    Word { what: &'static str, found: String, known: String },
    #[error("a line of an access specification has {wanted} fields here, this one has {found}")]
    Fields {
        found: usize,
        /// 8, or 6 in the oldest form.
        wanted: usize,
    },
    #[error("the shares of {spec:?} add up to {sum} %, not to 100 %")]
    Shares {
        spec: String,
        /// Of its column "% of size".
        sum: u32,
    },
    #[error("{spec:?} has more than 100 lines, which is the most IOmeter keeps")]
    TooManyLines { spec: String },
    #[error("{spec:?} has no line with a size")]
    NoLine { spec: String },
    #[error("{name:?} cannot be the name of {what}: {why}")]
    Name { what: &'static str, name: String, why: &'static str },
    #[error("worker {worker:?} is assigned {names}, and the file has no access specification of that name")]
    UnknownSpecs { worker: String, names: String },
    #[error("worker {worker:?} has no 'Worker type")]
    NoType { worker: String },
    #[error("target {target:?} is of another type than worker {worker:?}")]
    WrongTarget { worker: String, target: String },
    #[error("target {target:?} of worker {worker:?} is on manager {manager}, which the file does not have")]
    UnknownManager { worker: String, target: String, manager: String },
    #[error("worker {worker:?} has its own manager {manager:?} as target: the client would be the server")]
    SameHost { worker: String, manager: String },
    #[error("manager {id},{name} stands there twice")]
    TwiceManager { id: u32, name: String },
}

impl IcfError {
    pub fn hint(&self) -> String {
        match &self.fault {
            IcfErrorKind::NoVersion { .. } => {
                "name a file that IOmeter saved; its first line is Version 1.1.0 or so".into()
            }
            IcfErrorKind::NoSection { .. } => {
                "save the file in IOmeter with access specifications, workers and targets ticked".into()
            }
            IcfErrorKind::Shares { .. } => {
                "correct the column \"% of size\" of that access specification".into()
            }
            IcfErrorKind::Fields { wanted: 8, .. } => {
                "write size,% of size,% reads,% random,delay,burst,align,reply".into()
            }
            IcfErrorKind::Range { what: "size", .. } => {
                "IOmeter's sizes are 1 byte to 4294967295 bytes".into()
            }
            IcfErrorKind::SameHost { .. } => {
                "choose an interface of another manager as the worker's target".into()
            }
            IcfErrorKind::UnknownManager { .. } => "save the file while that manager is logged in".into(),
            _ => "correct the line, or save the file anew in IOmeter".into(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum IometerPlanError {
    #[error("the file has disk workers ({}), and names raw devices or files for them", .workers.join(", "))]
    DiskWorkers { workers: Vec<String> },
    #[error("the file gives no run time (0 h 0 min 0 s: until it is stopped)")]
    NoRunTime,
    #[error("{what} starts at {start} with steps of {step}, which leads nowhere")]
    Steps { what: &'static str, start: u32, step: u32 },
    #[error("the file asks for {runs} runs; at most {most} are made of one file")]
    TooManyRuns { runs: u64, most: u64 },
    #[error("no network worker of the file has both a target and an access specification")]
    NothingToDo,
    #[error("run {run} has more than one server at once: {}", .servers.join(", "))]
    SeveralServers {
        /// From 1.
        run: u32,
        servers: Vec<String>,
    },
    #[error("run {run}: workers {first:?} and {second:?} differ in the test of the connection rate")]
    ConnectionRate {
        /// From 1.
        run: u32,
        first: String,
        second: String,
    },
    #[error("managers {first} and {second} are both at {host}")]
    SameHost { first: String, second: String, host: String },
    #[error("the file has no manager {name:?}; it has {}", .known.join(", "))]
    UnknownManager { name: String, known: Vec<String> },
    #[error("the file has several managers {name:?}: {}", .known.join(", "))]
    AmbiguousManager { name: String, known: Vec<String> },
    #[error("run {run} has {workers} workers; at most {most} can run at once")]
    TooManyWorkers {
        /// From 1.
        run: u32,
        workers: usize,
        most: usize,
    },
    #[error(
        "line {line} of the access specification {spec:?} has {bytes} bytes; goodput sends at most {most} at once"
    )]
    TooLarge {
        spec: String,
        /// From 1.
        line: usize,
        bytes: u32,
        most: u64,
    },
    /// Invalid indices; never in a plan that was read from a file.
    #[error("the plan refers to {what}, which it does not have")]
    Broken { what: String },
}

impl IometerPlanError {
    pub fn hint(&self) -> String {
        match self {
            IometerPlanError::DiskWorkers { .. } => {
                "type --network-only to leave them out; disks are never opened from a file that was imported"
                    .into()
            }
            IometerPlanError::NoRunTime => "type for example --time 10s".into(),
            IometerPlanError::Steps { .. } => {
                "start and step of a cycling are 1 or more: correct the TEST SETUP".into()
            }
            IometerPlanError::TooManyRuns { .. } => "choose larger steps in the TEST SETUP".into(),
            IometerPlanError::NothingToDo => {
                "assign targets and access specifications in IOmeter and save again".into()
            }
            IometerPlanError::SeveralServers { .. } => {
                "make a file a server, and run one after the other".into()
            }
            IometerPlanError::ConnectionRate { .. } => {
                "give all workers the same setting, or make a file of each".into()
            }
            IometerPlanError::SameHost { first, .. } => {
                format!("give each its own, for example --map {first}=HOST")
            }
            IometerPlanError::UnknownManager { known, .. }
            | IometerPlanError::AmbiguousManager { known, .. } => {
                format!("type for example --map {}=HOST", known.first().map_or("NAME", String::as_str))
            }
            IometerPlanError::TooManyWorkers { .. } | IometerPlanError::Broken { .. } => {
                "divide the file".into()
            }
            IometerPlanError::TooLarge { .. } => {
                "choose a smaller size; beyond some KiB the rate no longer grows".into()
            }
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what} {value:?} cannot be written: {why}")]
pub struct IcfWriteError {
    /// For example "the name of a manager".
    pub what: &'static str,
    pub value: String,
    pub why: String,
}

impl IcfWriteError {
    pub(super) fn new(what: &'static str, value: impl fmt::Display, why: impl Into<String>) -> IcfWriteError {
        IcfWriteError { what, value: value.to_string(), why: why.into() }
    }
}
