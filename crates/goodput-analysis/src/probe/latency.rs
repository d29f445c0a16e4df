//! Latency under load: the fate of each probe of the window, and the load's own goodput. Series of the
//! connecting end: `probes` (`due_ns` since t0, `late_ns` from due to sent, `latency_ns` from due to
//! answered, −1 when lost). The load's flows and series are those of a stream.

use super::{Measured, ProbeAnalysis, series, stream};
use crate::latency::Distribution;
use crate::limit::Carried;
use goodput_model::change::Quantity;
use goodput_model::probe::Direction;
use goodput_model::summary::{LatencyResult, Limit, ProbeResult, ProbesSummary};
use goodput_model::trial::Role;
use goodput_model::{Latency, Trial};

impl ProbeAnalysis for Latency {
    fn measure(&self, trial: &Trial, limit: &Limit) -> Measured {
        measure(trial, self, limit)
    }

    fn carried(&self, _: &Trial) -> Result<Carried, &'static str> {
        let directions = self.load.map(Direction::parts).ok_or("only probes were sent")?;
        Ok(Carried::one_way(directions))
    }

    fn primary_metric(&self) -> &'static str {
        "latency_ns.p50"
    }

    fn settings_decide(&self) -> bool {
        true
    }

    fn pair_metric(&self) -> Option<&'static str> {
        self.load.is_none().then_some("latency_ns.p50")
    }

    fn compared(&self) -> &'static [Quantity] {
        &[Quantity::LatencyP50Ns, Quantity::LatencyP99Ns]
    }

    fn describe(&self) -> String {
        match self.load {
            None => "latency, idle".to_string(),
            Some(direction) => format!("latency under {}", direction.name()),
        }
    }
}

fn measure(trial: &Trial, settings: &Latency, limit: &Limit) -> Measured {
    // An idle path has no flow, and so no direction, no bytes and no goodput.
    let (load, directions) = stream::directions(trial, &settings.load_stream().unwrap_or_default(), limit);
    let probes = trial.end(Role::Connect).and_then(|end| series(end, "probes"));
    let columns = probes.and_then(|p| p.column("latency_ns").zip(p.column("late_ns")));
    let Some((latency, late)) = columns else {
        let result = LatencyResult { directions, ..LatencyResult::default() };
        return Measured { result: Some(ProbeResult::Latency(result)), ..load };
    };
    let answered = Distribution::of(latency.iter().copied());
    let round_trips =
        latency.iter().zip(late).filter(|(l, _)| **l >= 0).map(|(l, late)| l.saturating_sub(*late));
    let sent = latency.len() as u64;
    let result = LatencyResult {
        directions,
        latency_ns: answered.summary(),
        probes: Some(ProbesSummary {
            sent,
            answered: answered.count(),
            lost: sent.saturating_sub(answered.count()),
            sent_late_ns: Distribution::of(late.iter().copied()).summary(),
            round_trip_ns: Distribution::of(round_trips).summary(),
        }),
    };
    Measured { result: Some(ProbeResult::Latency(result)), ..load }
}
