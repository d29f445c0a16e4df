//! The start of a short transfer: the congestion window doubles with each round trip from ten segments
//! (RFC 6928; RFC 9293, slow start), so a longer transfer has a higher mean rate.

use super::{CauseModel, Prediction, Suspicion, goodput};
use crate::diagnosis::Observation;
use goodput_model::diagnosis::{InterventionKind, LimitCause};
use goodput_model::probe::StopCondition;
use goodput_words::message;
use goodput_words::message_argument::{fixed_decimals_arg, time_arg};

pub(super) const START_UP: CauseModel = CauseModel { cause: LimitCause::StartUp, suspect, predict };

/// Transfers of more round trips are past their start.
const LONG: f64 = 40.0;

fn suspect(seen: &Observation) -> Suspicion {
    let (StopCondition::Bytes(_), Some(round_trip)) = (seen.settings.stop, seen.min_round_trip_us) else {
        return Suspicion::default();
    };
    let trips = seen.elapsed_s * 1e6 / round_trip;
    if trips.is_nan() || trips >= LONG {
        return Suspicion::default();
    }
    let trips = fixed_decimals_arg(trips, 1, "");
    Suspicion::new(0.9, message!(cause_start_up_sign { trips, round_trip: time_arg(round_trip * 1e3) }))
}

fn predict(_: &Observation) -> Vec<Prediction> {
    vec![
        goodput(InterventionKind::Amount, 4.0, (1.3, 4.1)),
        goodput(InterventionKind::Amount, 0.5, (0.45, 0.92)),
    ]
}
