//! Repeated trials: the result of each.

use super::primary_metric::{FormattedMetric, trial_primary_metric};
use crate::experiment::metric_unit::quantity_for_unit;
use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::number_format::capitalize;
use goodput_analysis::compare_runs::have_same_settings;
use goodput_model::summary::TrialSummary;
use goodput_model::{Message, TrialOutcome};
use goodput_words::message;
use goodput_words::message_argument::quantity_arg;

/// With fewer trials the table suffices.
const LEAST: usize = 3;

pub(super) fn repeated_trial_figures(all: &[&TrialSummary]) -> Vec<Figure> {
    let mut groups: Vec<Vec<(&TrialSummary, FormattedMetric)>> = Vec::new();
    for summary in all.iter().filter(|s| s.outcome == TrialOutcome::Complete) {
        let Some(figure) = trial_primary_metric(summary) else { continue };
        match groups.iter_mut().find(|g| have_same_settings(&g[0].0.probe, &summary.probe)) {
            Some(group) => group.push((summary, figure)),
            None => groups.push(vec![(summary, figure)]),
        }
    }
    let several = groups.iter().filter(|g| g.len() >= LEAST);
    several.enumerate().map(|(i, group)| figure(group, i)).collect()
}

fn figure(group: &[(&TrialSummary, FormattedMetric)], number: usize) -> Figure {
    let (first, told) = &group[0];
    let quantity = quantity_for_unit(&told.unit);
    let points: Vec<(f64, f64)> = group.iter().map(|(s, f)| (f64::from(s.trial.0), f.value)).collect();
    let ends = |pick: fn(f64, f64) -> f64, from: f64| points.iter().map(|p| p.0).fold(from, pick);
    let (low, high) = (ends(f64::min, f64::INFINITY), ends(f64::max, f64::NEG_INFINITY));
    let by = |a: &&(&TrialSummary, FormattedMetric), b: &&(&TrialSummary, FormattedMetric)| {
        a.1.value.total_cmp(&b.1.value)
    };
    let (least, most) = (group.iter().min_by(by), group.iter().max_by(by));
    let value = |(_, f): &(&TrialSummary, FormattedMetric)| quantity_arg(f.value, &f.unit, f.text.clone());
    let described = least.zip(most).map(|(least, most)| {
        let (count, least, most) = (group.len(), value(least), value(most));
        message!(report_trials_of_the_same_settings { count, least, most })
    });
    let mut label = Message::from(&told.name);
    if quantity == Quantity::Plain && told.unit == "1/s" {
        label = message!(part_with_parts { what: label, parts: "1/s" });
    }
    let what = Message::from(capitalize(&told.name));
    let mut figure = Figure::new(
        "trials",
        message!(report_of_each_trial { what, probe: first.probe.name() }),
        described.unwrap_or_default(),
        Axis::linear_range("trial", Quantity::Count, low - 1.0, high + 1.0),
        Axis::linear_from_zero(label, quantity, points.iter().map(|p| p.1)),
        vec![Curve::new(told.name.clone(), CurveStyle::Line, points)],
    );
    figure.notes.push(
        "Trials are shown in run order: a slope or a step is caused by the hosts, not by the settings."
            .into(),
    );
    figure.with_numbered_id(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn three_repeats_are_drawn_and_two_are_not() {
        let mut repeats = documents::run_of(vec![documents::stream_100(); 3]).trials;
        repeats.extend([documents::request_closed(), documents::failed()]);
        let all: Vec<&TrialSummary> = repeats.iter().collect();
        let drawn = repeated_trial_figures(&all);
        assert_eq!((drawn.len(), drawn[0].curves[0].points.len()), (1, 3));
        assert!(drawn[0].description.starts_with("3 trials"), "{}", drawn[0].description);
        assert!(repeated_trial_figures(&all[1..]).is_empty());
    }
}
