//! Overlays figures of several runs, with each run's curves under its name.

use crate::display_text::{DisplayText, sentences};
use crate::figure::{Axis, ChartPointLabel, Curve, CurveStyle, Figure, LimitLine, Quantity};
use crate::grouping::distinct_items;
use goodput_model::Message;
use goodput_words::message;

/// As many as have a distinct colour.
const CURVES: usize = 8;
/// With more curves bands are omitted.
const BANDS: usize = 4;
/// With more sides marks are omitted.
const MARKED: usize = 2;

/// One figure for each that at least two sides have: the same identifier and axes.
pub(super) fn build_overlay_figures(sides: &[(&str, Vec<Figure>)]) -> Vec<Figure> {
    let ids = distinct_items(sides.iter().flat_map(|(_, figures)| figures).map(|f| &f.id));
    let overlaid = |id: &String| {
        let first = sides.iter().flat_map(|(_, figures)| figures).find(|f| f.id == *id)?;
        let same = |other: &&Figure| other.id == *id && comparable(other, first);
        let found: Vec<(&str, &Figure)> =
            sides.iter().filter_map(|(name, theirs)| Some((*name, theirs.iter().find(same)?))).collect();
        overlay_figure(&found)
    };
    ids.into_iter().filter_map(overlaid).collect()
}

fn comparable(a: &Figure, b: &Figure) -> bool {
    let alike = |a: &Axis, b: &Axis| a.quantity == b.quantity && a.scale == b.scale && a.names == b.names;
    alike(&a.x, &b.x) && alike(&a.y, &b.y)
}

fn drawn(figure: &Figure) -> impl Iterator<Item = &Curve> {
    figure.curves.iter().filter(|c| c.style != CurveStyle::Rule && !c.points.is_empty())
}

fn overlay_figure(sides: &[(&str, &Figure)]) -> Option<Figure> {
    let (_, first) = sides.first()?;
    let count: usize = sides.iter().map(|(_, f)| drawn(f).count()).sum();
    if sides.len() < 2 || count > CURVES || count == 0 {
        return None;
    }
    let mut figure = Figure::new(
        first.id.clone(),
        title(sides),
        sentences(sides.iter().map(|(name, f)| of_side(name, &f.description))),
        axis(sides.iter().map(|(_, f)| &f.x))?,
        axis(sides.iter().map(|(_, f)| &f.y))?,
        Vec::new(),
    );
    // A limit of all sides has no side's name.
    let shared = |at: f64| sides.iter().all(|(_, f)| f.limits.iter().any(|l| l.at == at));
    for (name, side) in sides {
        let lone = drawn(side).count() == 1;
        for curve in drawn(side) {
            let mut curve = curve.clone();
            curve.name = match lone && plain(&curve.name) {
                true => (*name).into(),
                false => of_side(name, &curve.name).into(),
            };
            if count > BANDS {
                (curve.band, curve.band_name) = (Vec::new(), DisplayText::default());
            }
            figure.curves.push(curve);
        }
        for limit in &side.limits {
            if !figure.limits.iter().any(|l| l.at == limit.at) {
                let label =
                    if shared(limit.at) { limit.label.clone() } else { of_side(name, &limit.label).into() };
                figure.limits.push(LimitLine { at: limit.at, label });
            }
        }
        if sides.len() <= MARKED {
            let marked =
                |m: &ChartPointLabel| ChartPointLabel { at: m.at, label: of_side(name, &m.label).into() };
            figure.marks.extend(side.marks.iter().map(marked));
        }
    }
    figure.notes = notes(sides);
    Some(figure)
}

fn plain(name: &str) -> bool {
    matches!(name, "measured" | "probes" | "observations")
}

fn of_side(side: &str, what: &DisplayText) -> Message {
    message!(report_side_of_mark { side, mark: what.clone() })
}

/// Common notes once, others with the side's name.
fn notes(sides: &[(&str, &Figure)]) -> Vec<DisplayText> {
    let told = |name: &str, note: &DisplayText| {
        let everybody = sides.iter().all(|(_, f)| f.notes.contains(note));
        if everybody { note.clone() } else { of_side(name, note).into() }
    };
    distinct_items(sides.iter().flat_map(|(name, side)| side.notes.iter().map(move |note| told(name, note))))
}

fn title(sides: &[(&str, &Figure)]) -> DisplayText {
    let first = sides.first().map(|(_, f)| f.title.clone()).unwrap_or_default();
    if sides.iter().all(|(_, f)| f.title == first) {
        return first;
    }
    title_without_hosts(&first).into()
}

fn title_without_hosts(title: &Message) -> Message {
    let what = || title.args().get("what").cloned().unwrap_or_default();
    match title.id() {
        "report-over-request-size-of" => message!(report_over_request_size { what: what() }),
        "report-over-the-number-of-clients-of" => {
            message!(report_over_the_number_of_clients { what: what() })
        }
        "report-throughput-over-message-size-way" => message!(report_view_throughput_over_message_size),
        "report-half-round-trip-over-message-size" => message!(report_view_half_round_trip_over_message_size),
        "report-time-over-message-size-way" => message!(report_view_time_over_message_size),
        "report-signature-throughput-over-transfer-time-way" => message!(report_view_signature),
        "report-saturation-message-size-over-transfer-time" => message!(report_view_saturation),
        "report-goodput-over-time-way" => message!(report_view_goodput_over_time),
        "report-latency-over-time-way" => message!(report_latency_over_time_title),
        "report-latency-distribution-way" => message!(report_latency_distribution_title),
        "report-clock-offset-over-time" => message!(report_view_clock_offset_over_time),
        _ => title.split_once(", ").map_or(title.as_str(), |(what, _)| what).into(),
    }
}

fn axis<'a>(axes: impl Iterator<Item = &'a Axis>) -> Option<Axis> {
    let widened =
        |a: Axis, b: &'a Axis| Axis { range: (a.range.0.min(b.range.0), a.range.1.max(b.range.1)), ..a };
    let mut axes = axes;
    let first = axes.next()?.clone();
    if first.quantity == Quantity::Name {
        return Some(first);
    }
    Some(axes.fold(first, widened))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use crate::probe::trial_figures;
    use goodput_model::summary::TrialSummary;

    fn overlaid(first: &TrialSummary, second: &TrialSummary) -> Vec<Figure> {
        build_overlay_figures(&[("A", trial_figures(first, None)), ("B", trial_figures(second, None))])
    }

    fn names(figure: &Figure) -> Vec<&str> {
        figure.curves.iter().map(|c| c.name.as_str()).collect()
    }

    #[test]
    fn two_runs_are_two_curves_on_axes_that_hold_both() {
        let (slow, fast) = (documents::stream_100(), documents::stream_both());
        let drawn = overlaid(&slow, &fast);
        assert_eq!(drawn.len(), 1);
        let [first, _, third] = names(&drawn[0])[..] else { panic!("{:?}", drawn[0].curves) };
        assert!(first.starts_with("A: ") && third.starts_with("B: "), "{first} {third}");
        for side in [slow, fast] {
            assert!(drawn[0].y.range.1 >= trial_figures(&side, None)[0].y.range.1);
        }
        assert!(drawn[0].description.contains("A: ") && drawn[0].description.contains("B: "));
    }

    #[test]
    fn a_lone_measured_curve_bears_the_name_of_its_side() {
        let sweep = documents::sweep_native();
        let drawn = overlaid(&sweep, &sweep);
        let throughput = drawn.iter().find(|f| f.id == "throughput").unwrap();
        assert_eq!(names(throughput), ["A", "B"]);
        assert!(throughput.limits.iter().all(|l| !l.label.starts_with("A: ")), "{:?}", throughput.limits);
        // What only one has and what is measured differently is not laid over.
        assert!(overlaid(&documents::stream_100(), &documents::sweep_native()).is_empty());
    }
}
