//! Analysis of each probe: one module each, dispatched by the list of probes in the model. To add a probe,
//! add its module with an implementation of [`ProbeAnalysis`].

mod clock;
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
    fn measure(&self, trial: &Trial, limit: &Limit) -> Measured;

    /// Traffic on the medium, or why no rate limits it.
    fn carried(&self, trial: &Trial) -> Result<Carried, &'static str>;

    /// The metric that represents a trial in a list.
    fn primary_metric(&self) -> &'static str;

    /// True where the highest value represents several trials, not the median.
    fn primary_is_maximum(&self) -> bool {
        false
    }

    /// True where trials with different settings have no common value.
    fn settings_decide(&self) -> bool {
        false
    }

    /// The metric of the path from one host to the other, where a trial has one.
    fn pair_metric(&self) -> Option<&'static str> {
        None
    }

    fn compared(&self) -> &'static [Quantity];

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

        pub(crate) fn without_random_parts(probe: &Probe) -> Probe {
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

#[derive(Default)]
pub(crate) struct Measured {
    pub elapsed_ns: u64,
    pub active_ns: Option<u64>,
    pub bytes: Option<u64>,
    pub goodput_bps: Option<u64>,
    /// `None` where nothing was measured.
    pub result: Option<ProbeResult>,
    /// Units of service demand.
    pub work: Option<Work>,
}

#[derive(Clone, Copy)]
pub(crate) enum Work {
    Kib(f64),
    Datagrams {
        kib: f64,
        count: f64,
    },
    Transactions(f64),
    /// Of a load and of files.
    Requests {
        kib: f64,
        count: f64,
    },
}

pub(crate) fn series<'a>(end: &'a EndReport, name: &str) -> Option<&'a Series> {
    end.series.iter().find(|s| s.name == name)
}

/// `None` when no time has passed.
pub(crate) fn seconds(span_ns: u64) -> Option<f64> {
    (span_ns > 0).then(|| span_ns as f64 / 1e9)
}
