//! The NetPIPE-compatible sweep: warm-up, repeat counts, trials, resets and end of NetPIPE 3.7.2.

use super::{Driver, PingPongRecord};
use crate::ProbeError;
use goodput_analysis::size_schedule::{
    SWEEP_STOP_MESSAGE_TIME, WARM_UP_ROUND_TRIPS, repeat_count, steps_from_sizes,
};
use goodput_model::probe::{PingPongMethod, PingPongPattern};

/// With the integrity check NetPIPE makes one trial per size.
const CHECK_TRIALS: u32 = 1;

/// Measures every size in order; ends after a size that took a second, as NetPIPE does.
pub(super) fn run_netpipe_sweep(
    driver: &mut Driver<'_>,
    books: &mut PingPongRecord,
) -> Result<(), ProbeError> {
    let PingPongMethod::Compat { trials, run_time, repeats: fixed, reset } = driver.settings.method else {
        return Ok(());
    };
    let pattern = driver.settings.pattern;
    // Streaming forces the reset; the checked sweep makes one trial.
    let reset = reset || pattern == PingPongPattern::Streaming;
    let loops = if driver.settings.integrity { CHECK_TRIALS } else { trials.max(1) };
    let steps = steps_from_sizes(&driver.settings.sizes);
    let Some(first) = steps.first() else { return Ok(()) };

    let warm_up = u64::from(WARM_UP_ROUND_TRIPS);
    let timed = driver.batch(first.size.0, warm_up, None)?;
    let mut previous = first.size;
    let mut last_ns = timed.elapsed_ns as f64 / (2 * warm_up) as f64;
    if reset {
        driver.reset()?;
    }
    for step in steps {
        let count =
            fixed.unwrap_or_else(|| repeat_count(run_time, trials, previous, step.increment, last_ns));
        let mut best = f64::INFINITY;
        for trial in 0..loops {
            let timed = driver.batch(step.size.0, u64::from(count.max(1)), None)?;
            let halves = if pattern == PingPongPattern::PingPong { 2.0 } else { 1.0 };
            best = best.min(timed.elapsed_ns as f64 / timed.repeats as f64 / halves);
            books.batch(step.size.0, trial, trial, &timed, &[]);
            if reset {
                driver.reset()?;
            }
        }
        books.size_done(step.size.0, false);
        previous = step.size;
        last_ns = best;
        if best >= SWEEP_STOP_MESSAGE_TIME.0 as f64 {
            books
                .notes
                .push(format!("a message of {} takes a second or more: the sweep ends there", step.size));
            break;
        }
    }
    Ok(())
}
