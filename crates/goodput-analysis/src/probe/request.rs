//! Request and response: transactions a second and the percentiles of their latency. Series of the connecting
//! end: `latency` (`slot`: number of the 100 ms slot since t0, `value_ns`, `count`).

use super::{ProbeAnalysis, ServiceDemandUnits, TrialMeasurement, find_series, seconds_if_positive};
use crate::latency::LatencyDistribution;
use crate::medium_limit::TrafficDirections;
use crate::ungrouped_arg;
use goodput_model::probe::{RequestKind, StopCondition};
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{ProbeResult, RequestResult, TheoreticalGoodputLimit};
use goodput_model::trial::{EndpointReport, EndpointRole};
use goodput_model::{Message, Request, Trial};
use goodput_words::message;

const SLOT_NS: u64 = 100_000_000;

impl ProbeAnalysis for Request {
    fn measure_trial(&self, trial: &Trial, _: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial, self)
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        Err("a transaction is limited by latency, not by a rate")
    }

    fn primary_metric(&self) -> &'static str {
        "transactions_per_second"
    }

    fn host_pair_metric(&self) -> Option<&'static str> {
        (self.outstanding == 1 && self.rate.is_none()).then_some("latency_ns.p50")
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[
            ComparedQuantity::TransactionsPerSecond,
            ComparedQuantity::LatencyP50Ns,
            ComparedQuantity::LatencyP99Ns,
        ]
    }

    fn describe_settings(&self) -> Message {
        let kind = match self.transport {
            RequestKind::TcpRr => "tcp_rr",
            RequestKind::UdpRr => "udp_rr",
            RequestKind::TcpCrr => "tcp_crr",
        };
        let there = ungrouped_arg(self.request.0 as f64, 0, "");
        let back = ungrouped_arg(self.response.0 as f64, 0, "B");
        message!(part_versus_request { kind, there, back })
    }
}

fn measure(trial: &Trial, settings: &Request) -> TrialMeasurement {
    let Some(end) = trial.endpoint_report(EndpointRole::Connect) else { return TrialMeasurement::default() };
    let elapsed_ns = elapsed(end, settings);
    let latency = find_series(end, "latency").and_then(LatencyDistribution::from_series);
    TrialMeasurement {
        elapsed_ns,
        result: Some(ProbeResult::Request(RequestResult {
            transactions_per_second: seconds_if_positive(elapsed_ns).map(|s| end.operations as f64 / s),
            latency_ns: latency.and_then(|l| l.to_summary()),
        })),
        work: Some(ServiceDemandUnits::Transactions(end.operations as f64)),
        ..TrialMeasurement::default()
    }
}

/// The window; for an interrupted trial by time, up to the last slot with a count.
fn elapsed(end: &EndpointReport, settings: &Request) -> u64 {
    let window = end.window.elapsed().0;
    if end.complete || !matches!(settings.stop, StopCondition::Time(_)) {
        return window;
    }
    let slots = find_series(end, "latency").and_then(|s| s.column("slot")).unwrap_or_default();
    match slots.iter().max().and_then(|last| u64::try_from(*last).ok()) {
        Some(last) => last.saturating_add(1).saturating_mul(SLOT_NS).min(window),
        None => window,
    }
}
