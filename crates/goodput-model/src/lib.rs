//! Data types that all crates share: no I/O, no clock, no async, no unsafe.
//!
//! # Glossary
//!
//! * **host**: a machine (or a lab's network namespace) with a name.
//! * **agent**: the program that runs trials on a host for a coordinator.
//! * **coordinator**: the part of every measuring command that controls agents.
//! * **probe**: one kind of measurement, for example `stream`, [`probe::Probe`].
//! * **trial**: one execution of a probe with fixed settings, [`trial::Trial`].
//! * **end**: a host of a trial: *connecting* (opens data connections) or *listening*, [`trial::EndpointReport`].
//! * **window**: the agreed span \[t0, t1) that everything in a trial refers to, [`trial::MeasurementWindow`].
//! * **series**: what a trial samples over time or over sizes, [`series::Series`].
//! * **run**: everything one command recorded, [`run::Run`].
//! * **event**: one thing that happened during a run, [`event::Event`].
//! * **summary**: what is computed from a stored trial, never stored itself, [`summary::TrialSummary`].
//! * **finding**: a statement with its number, its evidence and advice, [`finding::Finding`].
//! * **experiment**: factors, levels, probes and an order, [`experiment::Experiment`].
//! * **factor**, **level**: a varied setting, and one of its values, [`experiment::Factor`].
//! * **cell**: one execution of one probe line at one combination of levels, [`experiment::record::Cell`].
//! * **limit**: what a medium allows in theory, [`summary::TheoreticalGoodputLimit`].

/// An enum, and its values in the order of their declaration.
macro_rules! enum_with_all {
    ($(#[$attribute:meta])* pub enum $name:ident {
        $($(#[$note:meta])* $value:ident $(= $number:literal)?,)*
    }) => {
        $(#[$attribute])*
        pub enum $name {
            $($(#[$note])* $value $(= $number)?,)*
        }

        impl $name {
            pub const ALL: [$name; [$($name::$value),*].len()] = [$($name::$value),*];
        }
    };
}

pub mod agent;
pub mod check;
mod connection;
pub mod diagnosis;
pub mod event;
pub mod event_line;
pub mod experiment;
pub mod finding;
pub mod host;
pub mod ids;
pub mod message;
pub mod metric;
mod percentiles;
pub mod probe;
pub mod recorder;
pub mod run;
pub mod run_comparison;
pub mod series;
pub mod setting;
pub mod summary;
pub mod trial;
pub mod units;

pub use probe::{datagram, file, latency, load, mtu};

pub use datagram::{Datagram, DatagramCounts};
pub use event::Event;
pub use experiment::Experiment;
pub use file::File;
pub use finding::{Finding, Severity};
pub use host::{CpuAccounting, CpuAccountingScope, HostFacts};
pub use ids::{RunId, TrialId, TrialToken};
pub use latency::Latency;
pub use load::Load;
pub use message::{Message, MessageArg, MessageQuantity};
pub use mtu::{Mtu, PathMtuReport};
pub use probe::{PingPong, Probe, Request, Stream};
pub use recorder::Recorder;
pub use run::Run;
pub use series::{Series, SeriesColumn, SeriesRef};
pub use setting::Setting;
pub use trial::{EndpointReport, Trial, TrialOutcome};
pub use units::{BitRate, Bytes, Nanos};
