//! The path MTU: the findings of both ends side by side. Series `packets`: `docs/methods/mtu.md`.

use super::{ProbeAnalysis, TrialMeasurement};
use crate::medium_limit::TrafficDirections;
use goodput_model::mtu::{MtuOutcome, PathMtuReport};
use goodput_model::probe::TransferDirection;
use goodput_model::run_comparison::ComparedQuantity;
use goodput_model::summary::{MtuResult, PathMtu, PathMtuDirection, ProbeResult, TheoreticalGoodputLimit};
use goodput_model::trial::EndpointRole;
use goodput_model::{Message, Mtu, Trial};
use goodput_words::message;

impl ProbeAnalysis for Mtu {
    fn measure_trial(&self, trial: &Trial, _: &TheoreticalGoodputLimit) -> TrialMeasurement {
        measure(trial)
    }

    fn traffic_directions(&self, _: &Trial) -> Result<TrafficDirections, &'static str> {
        Err("the result is a size, not a rate")
    }

    fn primary_metric(&self) -> &'static str {
        "path_mtu.forward"
    }

    fn compared_quantities(&self) -> &'static [ComparedQuantity] {
        &[]
    }

    fn describe_settings(&self) -> Message {
        "mtu".into()
    }
}

fn measure(trial: &Trial) -> TrialMeasurement {
    let found = |role| trial.endpoint_report(role).and_then(|end| end.path_mtu.as_ref());
    let (forward, reverse) = (found(EndpointRole::Connect), found(EndpointRole::Listen));
    let elapsed_ns = trial.ends.iter().map(|end| end.window.elapsed().0).max().unwrap_or(0);
    if forward.is_none() && reverse.is_none() {
        return TrialMeasurement { elapsed_ns, ..TrialMeasurement::default() };
    }
    let one = |direction, found: Option<&PathMtuReport>| {
        found.map(|found| PathMtuDirection {
            direction,
            udp_payload_bytes: found.passes.map(|p| p.saturating_sub(found.ip_version.udp_header_bytes())),
            found: found.clone(),
        })
    };
    let directions = [one(TransferDirection::Send, forward), one(TransferDirection::Receive, reverse)];
    TrialMeasurement {
        elapsed_ns,
        result: Some(ProbeResult::Mtu(MtuResult {
            path_mtu: Some(PathMtu {
                forward: forward.and_then(settled),
                reverse: reverse.and_then(settled),
                reverse_not_available: forward
                    .and_then(|found| found.echo.as_ref())
                    .map(|echo| message!(part_no_way_back_without_agent { host: &echo.to })),
                directions: directions.into_iter().flatten().collect(),
            }),
        })),
        ..TrialMeasurement::default()
    }
}

/// `None` where the search did not finish.
fn settled(found: &PathMtuReport) -> Option<u32> {
    found.passes.filter(|_| !matches!(found.outcome, MtuOutcome::Undecided { .. }))
}
