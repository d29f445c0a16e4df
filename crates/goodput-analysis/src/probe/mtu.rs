//! The path MTU: the findings of both ends side by side. Series `packets`: `docs/methods/mtu.md`.

use super::{Measured, ProbeAnalysis};
use crate::limit::Carried;
use goodput_model::change::Quantity;
use goodput_model::mtu::{MtuOutcome, PathMtuReport};
use goodput_model::probe::Direction;
use goodput_model::summary::{Limit, MtuResult, PathMtu, PathMtuDirection, ProbeResult};
use goodput_model::trial::Role;
use goodput_model::{Mtu, Trial};

impl ProbeAnalysis for Mtu {
    fn measure(&self, trial: &Trial, _: &Limit) -> Measured {
        measure(trial)
    }

    fn carried(&self, _: &Trial) -> Result<Carried, &'static str> {
        Err("a size is not a rate")
    }

    fn primary_metric(&self) -> &'static str {
        "path_mtu.forward"
    }

    fn compared(&self) -> &'static [Quantity] {
        &[]
    }

    fn describe(&self) -> String {
        "mtu".to_string()
    }
}

fn measure(trial: &Trial) -> Measured {
    let found = |role| trial.end(role).and_then(|end| end.path_mtu.as_ref());
    let (forward, reverse) = (found(Role::Connect), found(Role::Listen));
    let elapsed_ns = trial.ends.iter().map(|end| end.window.elapsed().0).max().unwrap_or(0);
    if forward.is_none() && reverse.is_none() {
        return Measured { elapsed_ns, ..Measured::default() };
    }
    let one = |direction, found: Option<&PathMtuReport>| {
        found.map(|found| PathMtuDirection {
            direction,
            udp_payload_bytes: found.passes.map(|p| p.saturating_sub(found.ip_version.udp_headers())),
            found: found.clone(),
        })
    };
    let directions = [one(Direction::Send, forward), one(Direction::Receive, reverse)];
    Measured {
        elapsed_ns,
        result: Some(ProbeResult::Mtu(MtuResult {
            path_mtu: Some(PathMtu {
                forward: forward.and_then(settled),
                reverse: reverse.and_then(settled),
                reverse_not_available: forward
                    .and_then(|found| found.echo.as_ref())
                    .map(|echo| format!("not available without an agent on {}", echo.to)),
                directions: directions.into_iter().flatten().collect(),
            }),
        })),
        ..Measured::default()
    }
}

/// `None` where the search did not finish.
fn settled(found: &PathMtuReport) -> Option<u32> {
    found.passes.filter(|_| !matches!(found.outcome, MtuOutcome::Undecided { .. }))
}
