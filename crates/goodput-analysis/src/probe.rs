//! What the analysis knows of each probe: one module a probe, dispatched by the list of probes in the model.
//!
//! To add a probe, add its module with an implementation of [`ProbeAnalysis`].

mod datagram;
mod direction;
mod file;
mod latency;
pub(crate) mod load;
mod mtu;
mod pingpong;
mod request;
mod rfc6349;
mod stream;

pub(crate) use datagram::accounts as datagram_accounts;
pub(crate) use direction::series_name;

use crate::limit::{self, Carried};
use goodput_model::change::Quantity;
use goodput_model::summary::{Limit, ProbeResult};
use goodput_model::trial::EndReport;
use goodput_model::{Probe, Series, Trial, for_each_probe};

pub(crate) trait ProbeAnalysis {
    /// Computes the part of a result that depends on the probe.
    fn measure(&self, trial: &Trial, limit: &Limit) -> Measured;

    /// What it sends over the medium, or why no rate limits it.
    fn carried(&self, trial: &Trial) -> Result<Carried, &'static str>;

    /// The metric that represents a trial in a list.
    fn primary_metric(&self) -> &'static str;

    /// True where a run of several trials is represented by its highest value, and not by the median.
    fn primary_is_maximum(&self) -> bool {
        false
    }

    /// True where trials with different settings measure different things, so that they have no common value.
    fn settings_decide(&self) -> bool {
        false
    }

    /// The metric of the path from one host to the other, where a trial has one.
    fn pair_metric(&self) -> Option<&'static str> {
        None
    }

    fn compared(&self) -> &'static [Quantity];

    /// The settings in a few words.
    fn describe(&self) -> String;

    /// Removes what may differ between two runs of the same measurement: seeds and the names of hosts.
    fn remove_chance(&mut self) {}
}

macro_rules! dispatch {
    ($($variant:ident $module:ident,)*) => {
        pub(crate) fn analysis(probe: &Probe) -> &dyn ProbeAnalysis {
            match probe {
                $(Probe::$variant(settings) => settings,)*
            }
        }

        /// The settings without what may differ between two runs of the same measurement.
        pub(crate) fn without_chance(probe: &Probe) -> Probe {
            let mut probe = probe.clone();
            match &mut probe {
                $(Probe::$variant(settings) => settings.remove_chance(),)*
            }
            probe
        }
    };
}

for_each_probe!(dispatch);

pub(crate) fn limit_of(trial: &Trial) -> Limit {
    limit::limit_of(trial, analysis(&trial.probe).carried(trial))
}

/// The part of a result that depends on the probe.
#[derive(Default)]
pub(crate) struct Measured {
    pub elapsed_ns: u64,
    pub active_ns: Option<u64>,
    pub bytes: Option<u64>,
    pub goodput_bps: Option<u64>,
    /// What is particular to the probe; `None` where nothing was measured.
    pub result: Option<ProbeResult>,
    /// Units that the CPU's work is shared out to.
    pub work: Option<Work>,
}

/// What a window's work is counted in.
#[derive(Clone, Copy)]
pub(crate) enum Work {
    Kib(f64),
    Datagrams {
        kib: f64,
        count: f64,
    },
    Transactions(f64),
    /// Both, of a load and of files.
    Requests {
        kib: f64,
        count: f64,
    },
}

pub(crate) fn series<'a>(end: &'a EndReport, name: &str) -> Option<&'a Series> {
    end.series.iter().find(|s| s.name == name)
}

/// Seconds of a span; `None` when no time has passed.
pub(crate) fn seconds(span_ns: u64) -> Option<f64> {
    (span_ns > 0).then(|| span_ns as f64 / 1e9)
}
