//! Median, interval and best value over trials of equal settings.

use super::Measured;
use crate::confidence_interval::median_interval;
use crate::descriptive_statistics::{median_of_sorted, sorted_finite_values};
use goodput_model::summary::TrialsMedian;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PreferredDirection {
    More,
    Less,
}

pub(super) fn summarize_values(values: &[f64], better: PreferredDirection) -> Option<TrialsMedian> {
    let sorted = sorted_finite_values(values);
    let best = if better == PreferredDirection::More { sorted.last() } else { sorted.first() };
    Some(TrialsMedian {
        trials: u32::try_from(sorted.len()).unwrap_or(u32::MAX),
        median: median_of_sorted(&sorted)?,
        interval: median_interval(&sorted, 0.95).filter(|_| sorted.len() > 1).map(|i| (i.low, i.high)),
        best: *best?,
    })
}

/// `None` when a trial lacks the value.
pub(super) fn summarize_trial_values(
    trials: &[Measured<'_>],
    better: PreferredDirection,
    figure: impl Fn(&Measured<'_>) -> Option<f64>,
) -> Option<TrialsMedian> {
    summarize_values(&trials.iter().map(figure).collect::<Option<Vec<f64>>>()?, better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_most_or_the_least() {
        let values = [3.0, 1.0, 2.0, 5.0, 4.0];
        let more = summarize_values(&values, PreferredDirection::More).unwrap();
        assert_eq!((more.median, more.best, more.trials), (3.0, 5.0, 5));
        // Five values reach no 95 %: their range replaces the interval.
        assert_eq!(more.interval, Some((1.0, 5.0)));
        assert_eq!(summarize_values(&values, PreferredDirection::Less).unwrap().best, 1.0);
        assert_eq!(summarize_values(&[7.0], PreferredDirection::More).unwrap().interval, None);
        assert_eq!(summarize_values(&[], PreferredDirection::More), None);
    }
}
