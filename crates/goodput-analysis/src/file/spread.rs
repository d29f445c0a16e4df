//! Median, interval and best value over trials of equal settings.

use super::Measured;
use crate::describe::{in_order, median_of_sorted};
use crate::interval::median_interval;
use goodput_model::summary::Spread;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Better {
    More,
    Less,
}

pub(super) fn of(values: &[f64], better: Better) -> Option<Spread> {
    let sorted = in_order(values);
    let best = if better == Better::More { sorted.last() } else { sorted.first() };
    Some(Spread {
        trials: u32::try_from(sorted.len()).unwrap_or(u32::MAX),
        median: median_of_sorted(&sorted)?,
        interval: median_interval(&sorted, 0.95).filter(|_| sorted.len() > 1).map(|i| (i.low, i.high)),
        best: *best?,
    })
}

/// `None` when a trial lacks the value.
pub(super) fn of_all(
    trials: &[Measured<'_>],
    better: Better,
    figure: impl Fn(&Measured<'_>) -> Option<f64>,
) -> Option<Spread> {
    of(&trials.iter().map(figure).collect::<Option<Vec<f64>>>()?, better)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_is_the_most_or_the_least() {
        let values = [3.0, 1.0, 2.0, 5.0, 4.0];
        let more = of(&values, Better::More).unwrap();
        assert_eq!((more.median, more.best, more.trials), (3.0, 5.0, 5));
        // Five values reach no 95 %: their range replaces the interval.
        assert_eq!(more.interval, Some((1.0, 5.0)));
        assert_eq!(of(&values, Better::Less).unwrap().best, 1.0);
        assert_eq!(of(&[7.0], Better::More).unwrap().interval, None);
        assert_eq!(of(&[], Better::More), None);
    }
}
