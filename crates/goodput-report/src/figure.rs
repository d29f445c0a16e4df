//! A figure as data: axes, curves, limits, marks, text; [`crate::svg`], [`crate::png`] and the page draw it.
//!
//! Axis values are in base units: bytes, bit/s, nanoseconds. [`crate::figures`] has a result's figures,
//! [`crate::figures_across_trials`] those of several results, [`crate::experiment::figure`] an experiment's.
//! [`downsample`] thins long curves.

pub mod axis;
pub mod downsample;

pub use axis::{Axis, Quantity, Scale, Tick};

use crate::display_text::DisplayText;
use crate::table::cell::rate;
use goodput_model::Message;
use goodput_model::summary::TrialSummary;
use goodput_words::message;
use schemars::JsonSchema;
use serde::Serialize;

/// A picture.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Figure {
    /// Short name for files and for identifiers within a page: `throughput`, `signature`, …
    pub id: String,
    /// What it shows, in a few words.
    pub title: DisplayText,
    /// What it shows, in sentences with the main numbers, for those who cannot see it.
    #[serde(rename = "alternative")]
    pub description: DisplayText,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis.
    pub y: Axis,
    /// Curves in the order of their colours.
    pub curves: Vec<Curve>,
    /// Horizontal lines at limits.
    pub limits: Vec<LimitLine>,
    /// Points with a word.
    pub marks: Vec<ChartPointLabel>,
    /// Sentences below the picture, for example why no limit is drawn.
    pub notes: Vec<DisplayText>,
}

/// One curve with the band around it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Curve {
    /// What it is, for the legend.
    pub name: DisplayText,
    /// How it is drawn.
    pub style: CurveStyle,
    /// x and y, in order of drawing.
    pub points: Vec<(f64, f64)>,
    /// x, lower and upper edge; empty when there is no band.
    pub band: Vec<(f64, f64, f64)>,
    /// What the band is, for the legend; empty when there is none.
    pub band_name: DisplayText,
}

/// How a curve is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CurveStyle")]
#[serde(rename_all = "lowercase")]
pub enum CurveStyle {
    /// A line with a dot at each point where there is room for dots.
    Line,
    /// A line that stays level over each span and steps to the next; no dots.
    Steps,
    /// A broken line without dots, for what is computed and not measured.
    Dashed,
    /// Dots alone, each on the line of its thing; the band is a stroke along it: y, left and right end.
    Dots,
    /// Upright bars at the things of the horizontal axis, those of several curves side by side; the band is a stroke
    /// through the end of each: x, lower and upper end.
    Bars,
    /// Crosses without a line, where something was tried and gave nothing.
    Crosses,
    /// A thin line in no curve's colour, for what others are held against.
    Rule,
}

/// A horizontal line with its words.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct LimitLine {
    /// Where, in units of the vertical axis.
    pub at: f64,
    /// What it is, with its number.
    pub label: DisplayText,
}

/// A point with a word.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Mark")]
pub struct ChartPointLabel {
    /// Where.
    pub at: (f64, f64),
    /// The word.
    pub label: DisplayText,
}

impl Curve {
    pub fn new(name: impl Into<DisplayText>, style: CurveStyle, points: Vec<(f64, f64)>) -> Curve {
        let points = points.into_iter().filter(|(x, y)| x.is_finite() && y.is_finite()).collect();
        Curve { name: name.into(), style, points, band: Vec::new(), band_name: DisplayText::default() }
    }

    /// Heights of points and upper edges of the band.
    pub(crate) fn y_values(&self) -> impl Iterator<Item = f64> {
        self.points.iter().map(|p| p.1).chain(self.band.iter().map(|b| b.2))
    }

    pub fn with_band(mut self, name: impl Into<DisplayText>, band: Vec<(f64, f64, f64)>) -> Curve {
        self.band =
            band.into_iter().filter(|(x, l, h)| x.is_finite() && l.is_finite() && h.is_finite()).collect();
        self.band_name = if self.band.is_empty() { DisplayText::default() } else { name.into() };
        self
    }
}

impl Figure {
    pub(crate) fn new(
        id: impl Into<String>,
        title: impl Into<DisplayText>,
        description: impl Into<DisplayText>,
        x: Axis,
        y: Axis,
        curves: Vec<Curve>,
    ) -> Figure {
        Figure {
            id: id.into(),
            title: title.into(),
            description: description.into(),
            x,
            y,
            curves,
            limits: Vec::new(),
            marks: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A line at the limit, or a note if it is not in the chart.
    pub(crate) fn add_limit_line_or_note(
        &mut self,
        at: f64,
        label: impl Into<DisplayText>,
        beyond: impl FnOnce() -> Message,
    ) {
        let label = label.into();
        if self.y.quantity != Quantity::Name && self.y.relative_position(at).is_some() {
            self.limits.push(LimitLine { at, label });
        } else {
            self.notes.push(beyond().into());
        }
    }

    /// Of several like it, from 0: all but the first have a number.
    pub(crate) fn with_numbered_id(mut self, number: usize) -> Figure {
        if number > 0 {
            self.id.push_str(&format!("-{number}"));
        }
        self
    }

    pub fn is_empty(&self) -> bool {
        self.curves.iter().all(|c| c.points.is_empty())
    }

    /// Offset from the centre and width of a curve's bars in axis units; `None` without bars.
    pub fn bar_geometry(&self, curve: usize) -> Option<(f64, f64)> {
        let bars = |c: &&Curve| c.style == CurveStyle::Bars && !c.points.is_empty();
        self.curves.get(curve).filter(bars)?;
        let before = self.curves[..curve].iter().filter(bars).count() as f64;
        let all = self.curves.iter().filter(bars).count() as f64;
        // A single bar takes at most an eleventh of the plot.
        let width = (0.86 / all).min(0.09 * self.x.names.len().max(1) as f64);
        Some(((before - (all - 1.0) / 2.0) * width, width))
    }
}

/// The limit of one of several directions, unless it would flatten the data.
pub(crate) fn goodput_limit_in_range(summary: &TrialSummary, ways: u64, best: f64) -> Option<f64> {
    summary.limit.goodput_per_direction(ways).map(|l| l as f64).filter(|l| *l <= best * 4.0)
}

pub(crate) fn add_goodput_limit_line(figure: &mut Figure, summary: &TrialSummary, ways: u64) {
    let limit = &summary.limit;
    let Some(bps) = limit.goodput_per_direction(ways) else {
        figure.notes.push(crate::wording::goodput_limit_sentence(summary).into());
        return;
    };
    let rate = || rate(bps);
    let medium = limit.limiting_medium_or_bus();
    let label = match (medium, ways > 1, limit.shared) {
        (None, true, true) => message!(part_view_limit_both_ways { rate: rate() }),
        (None, true, false) => message!(part_view_limit_each_way { rate: rate() }),
        (None, false, _) => message!(part_view_limit_rate { rate: rate() }),
        (Some(medium), true, true) => message!(part_limit_of_both_ways { medium, rate: rate() }),
        (Some(medium), true, false) => message!(part_limit_of_each_way { medium, rate: rate() }),
        (Some(medium), false, _) => message!(part_limit_of { medium, rate: rate() }),
    };
    figure.add_limit_line_or_note(bps as f64, label, || match (medium, ways > 1, limit.shared) {
        (None, true, true) => message!(report_view_limit_both_ways_lies_above { rate: rate() }),
        (None, true, false) => message!(report_view_limit_each_way_lies_above { rate: rate() }),
        (None, false, _) => message!(report_view_limit_lies_above { rate: rate() }),
        (Some(medium), true, true) => message!(report_limit_both_ways_lies_above { medium, rate: rate() }),
        (Some(medium), true, false) => message!(report_limit_each_way_lies_above { medium, rate: rate() }),
        (Some(medium), false, _) => message!(report_limit_lies_above { medium, rate: rate() }),
    });
}
