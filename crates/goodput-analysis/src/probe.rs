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

pub(crate) use datagram::datagram_loss_totals as datagram_accounts;
pub(crate) use direction::series_name;

use crate::medium_limit::{self, TrafficDirections};
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{ProbeResult, TheoreticalGoodputLimit};
use goodput_model::trial::EndpointReport;
use goodput_model::{Message, Probe, Series, Trial, for_each_probe};

pub(crate) trait ProbeAnalysis {
    fn measure_trial(&self, trial: &Trial, limit: &TheoreticalGoodputLimit) -> TrialMeasurement;

    /// Traffic on the medium, or why no rate limits it.
    fn traffic_directions(&self, trial: &Trial) -> Result<TrafficDirections, &'static str>;

    /// The metric that represents a trial in a list.
    fn primary_metric(&self) -> &'static str;

    /// True where the highest value represents several trials, not the median.
    fn aggregates_by_maximum(&self) -> bool {
        false
    }

    /// True where trials with different settings have no common value.
    fn requires_equal_settings(&self) -> bool {
        false
    }

    /// The metric of the path from one host to the other, where a trial has one.
    fn host_pair_metric(&self) -> Option<&'static str> {
        None
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity];

    fn describe_settings(&self) -> Message;

    /// Removes what may differ between two runs of the same measurement: seeds and the names of hosts.
    fn clear_run_specific_settings(&mut self) {}
}

macro_rules! dispatch {
    ($($variant:ident $module:ident,)*) => {
        pub(crate) fn probe_analysis(probe: &Probe) -> &dyn ProbeAnalysis {
            match probe {
                $(Probe::$variant(settings) => settings,)*
            }
        }

        pub(crate) fn without_run_specific_settings(probe: &Probe) -> Probe {
            let mut probe = probe.clone();
            match &mut probe {
                $(Probe::$variant(settings) => settings.clear_run_specific_settings(),)*
            }
            probe
        }
    };
}

for_each_probe!(dispatch);

pub(crate) fn medium_limit_of_trial(trial: &Trial) -> TheoreticalGoodputLimit {
    medium_limit::compute_limit(trial, probe_analysis(&trial.probe).traffic_directions(trial))
}

#[derive(Default)]
pub(crate) struct TrialMeasurement {
    pub elapsed_ns: u64,
    pub active_ns: Option<u64>,
    pub bytes: Option<u64>,
    pub goodput_bps: Option<u64>,
    /// `None` where nothing was measured.
    pub result: Option<ProbeResult>,
    /// Units of service demand.
    pub work: Option<ServiceDemandUnits>,
}

#[derive(Clone, Copy)]
pub(crate) enum ServiceDemandUnits {
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

pub(crate) fn find_series<'a>(end: &'a EndpointReport, name: &str) -> Option<&'a Series> {
    end.series.iter().find(|s| s.name == name)
}

/// `None` when no time has passed.
pub(crate) fn seconds_if_positive(span_ns: u64) -> Option<f64> {
    (span_ns > 0).then(|| span_ns as f64 / 1e9)
}
