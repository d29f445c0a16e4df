//! The values of a test cycling.

use super::errors::IometerPlanError;
use super::plan::{CycleSteps, StepGrowth};
use goodput_words::{Message, message};

pub(super) const MAX_RUNS_PER_FILE: u64 = 10_000;

pub(super) fn too_many_runs_error(runs: u64) -> IometerPlanError {
    IometerPlanError::new(
        message!(cause_icf_too_many_runs { runs: runs.to_string(), most: MAX_RUNS_PER_FILE.to_string() }),
        "choose larger steps in the TEST SETUP",
    )
}

/// From `start` by `step`, limited to `most`. `what` names the cycling in errors.
pub(super) fn expand_cycle_steps(
    what: &'static str,
    steps: CycleSteps,
    most: u32,
) -> Result<Vec<u32>, IometerPlanError> {
    let CycleSteps { start, step, growth } = steps;
    if start == 0 || step == 0 {
        return Err(IometerPlanError::new(
            message!(cause_icf_cycling_nowhere {
                what: Message::from(what),
                start: start.to_string(),
                step: step.to_string(),
            }),
            "start and step of a cycling are 1 or more: correct the TEST SETUP",
        ));
    }
    let mut numbers = Vec::new();
    let mut next = start;
    while next < most {
        numbers.push(next);
        if numbers.len() as u64 > MAX_RUNS_PER_FILE {
            return Err(too_many_runs_error(numbers.len() as u64));
        }
        next = match growth {
            StepGrowth::Exponential if step > 1 => next.saturating_mul(step),
            _ => next.saturating_add(step),
        };
    }
    numbers.push(most);
    Ok(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_is_clipped_and_a_cycling_that_leads_nowhere_refused() {
        let run = |start, step, growth, most| {
            expand_cycle_steps("worker cycling", CycleSteps { start, step, growth }, most).unwrap()
        };
        assert_eq!(run(1, 1, StepGrowth::Linear, 4), [1, 2, 3, 4]);
        assert_eq!(run(1, 4, StepGrowth::Linear, 20), [1, 5, 9, 13, 17, 20]);
        assert_eq!(run(1, 2, StepGrowth::Exponential, 20), [1, 2, 4, 8, 16, 20]);
        assert_eq!(run(1, 2, StepGrowth::Exponential, 16), [1, 2, 4, 8, 16]);
        assert_eq!(run(3, 1, StepGrowth::Exponential, 5), [3, 4, 5]);
        assert_eq!(run(9, 1, StepGrowth::Linear, 4), [4]);
        assert_eq!(run(u32::MAX - 1, u32::MAX, StepGrowth::Exponential, u32::MAX), [u32::MAX - 1, u32::MAX]);
        for (start, step) in [(0, 1), (1, 0)] {
            let steps = CycleSteps { start, step, ..CycleSteps::default() };
            let e = expand_cycle_steps("worker cycling", steps, 4).unwrap_err();
            assert!(
                e.why.starts_with(&format!("worker cycling starts at {start} with steps of {step}")),
                "{e}"
            );
        }
        let e = expand_cycle_steps("queue depth cycling", CycleSteps::default(), u32::MAX).unwrap_err();
        assert!(e.why.contains("at most 10000"), "{e}");
    }
}
