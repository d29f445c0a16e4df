//! Latency under load: the fate of each probe of the window, and the load's own goodput. Series of the
//! connecting end: `probes` (`due_ns` since t0, `late_ns` from due to sent, `latency_ns` from due to
//! answered, −1 when lost). The load's flows and series are those of a stream.

use super::{ProbeAnalysis, TrialMeasurement, find_series, stream};
use crate::latency::LatencyDistribution;
use crate::medium_limit::TrafficDirections;
use goodput_model::probe::TransferDirection;
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{LatencyProbesSummary, LatencyResult, ProbeResult, TheoreticalGoodputLimit};
use goodput_model::trial::EndpointRole;
use goodput_model::{Latency, Message, Trial};
use goodput_words::message;

impl ProbeAnalysis for Latency {
    fn measure_trial(&self, trial: &Trial, limit: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial, self, limit)
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        let directions =
            self.load.map(TransferDirection::one_way_directions).ok_or("only latency probes were sent")?;
        Ok(TrafficDirections::tcp_one_way(directions))
    }

    fn primary_metric(&self) -> &'static str {
        "latency_ns.p50"
    }

    fn requires_equal_settings(&self) -> bool {
        true
    }

    fn host_pair_metric(&self) -> Option<&'static str> {
        self.load.is_none().then_some("latency_ns.p50")
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[ComparedQuantity::LatencyP50Ns, ComparedQuantity::LatencyP99Ns]
    }

    fn describe_settings(&self) -> Message {
        match self.load {
            None => message!(part_versus_latency_idle),
            Some(direction) => message!(part_versus_latency_under { way: direction.name() }),
        }
    }
}

fn measure(trial: &Trial, settings: &Latency, limit: &TheoreticalGoodputLimit) -> TrialMeasurement {
    // An idle path has no flow, and so no direction, no bytes and no goodput.
    let (load, directions) =
        stream::measure_stream_directions(trial, &settings.background_stream().unwrap_or_default(), limit);
    let probes = trial.endpoint_report(EndpointRole::Connect).and_then(|end| find_series(end, "probes"));
    let columns = probes.and_then(|p| p.column("latency_ns").zip(p.column("late_ns")));
    let Some((latency, late)) = columns else {
        let result = LatencyResult { directions, ..LatencyResult::default() };
        return TrialMeasurement { result: Some(ProbeResult::Latency(result)), ..load };
    };
    let answered = LatencyDistribution::from_values(latency.iter().copied());
    let round_trips =
        latency.iter().zip(late).filter(|(l, _)| **l >= 0).map(|(l, late)| l.saturating_sub(*late));
    let sent = latency.len() as u64;
    let result = LatencyResult {
        directions,
        latency_ns: answered.to_summary(),
        probes: Some(LatencyProbesSummary {
            sent,
            answered: answered.count(),
            lost: sent.saturating_sub(answered.count()),
            sent_late_ns: LatencyDistribution::from_values(late.iter().copied()).to_summary(),
            round_trip_ns: LatencyDistribution::from_values(round_trips).to_summary(),
        }),
    };
    TrialMeasurement { result: Some(ProbeResult::Latency(result)), ..load }
}
