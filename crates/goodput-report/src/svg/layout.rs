//! The layout of a figure: margins, ticks, legend, and labels where they cover least.

use super::text_fitting::{text_width_px, truncate_text, wrap_name, wrap_text};
use super::theme::FigureColor;
use super::{FIGURE_WIDTH_PX, Key};
use crate::figure::{CurveStyle, Figure, Quantity};

const PLOT: f64 = 300.0;
const THING: f64 = 30.0;
const NAME: f64 = 300.0;
const TITLE: f64 = 15.0;
const LABEL: f64 = 12.0;
const SMALL: f64 = 11.0;
const TINY: f64 = 10.0;
const MARGIN: f64 = 14.0;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TextAnchor {
    Start,
    Middle,
    End,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) struct TextLabel {
    pub x: f64,
    pub y: f64,
    pub text: String,
    pub size: f64,
    pub anchor: TextAnchor,
    pub ink: FigureColor,
    pub bold: bool,
    pub halo: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TickPosition {
    pub at: f64,
    pub named: bool,
}

#[derive(Debug, Default)]
pub(super) struct FigureLayout {
    pub height: f64,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    /// Room for wrapped names below the horizontal axis.
    below: f64,
    pub x_ticks: Vec<TickPosition>,
    pub y_ticks: Vec<TickPosition>,
    pub limit_lines: Vec<f64>,
    pub rings: Vec<(f64, f64)>,
    pub keys: Vec<(Key, f64, f64)>,
    pub words: Vec<TextLabel>,
}

/// Left, top, right, bottom.
type Box4 = (f64, f64, f64, f64);

impl FigureLayout {
    pub(super) fn from_figure(f: &Figure) -> FigureLayout {
        let mut l = FigureLayout::default();
        let mut y = MARGIN + TITLE;
        for line in wrap_text(&f.title, FIGURE_WIDTH_PX - 2.0 * MARGIN, TITLE * 1.06) {
            l.word(MARGIN, y, line, TITLE, TextAnchor::Start, FigureColor::Text).bold = true;
            y += TITLE * 1.35;
        }
        y = l.legend(f, y);
        let title = truncate_text(&f.y.title_with_unit(), FIGURE_WIDTH_PX - 2.0 * MARGIN, LABEL);
        l.top = if title.is_empty() { y + 8.0 } else { y + 22.0 };
        l.word(MARGIN, y + 8.0, title, LABEL, TextAnchor::Start, FigureColor::Muted);
        let things = f.y.names.len() as f64 * THING;
        l.bottom = l.top + if f.y.quantity == Quantity::Name { things.clamp(90.0, 3000.0) } else { PLOT };
        l.axes(f);
        l.bar_words(f);
        y = l.bottom + 42.0 + l.below;
        let middle = (l.left + l.right) / 2.0;
        let title = truncate_text(&f.x.title_with_unit(), FIGURE_WIDTH_PX - 2.0 * MARGIN, LABEL);
        l.word(middle, y, title, LABEL, TextAnchor::Middle, FigureColor::Muted);
        for note in &f.notes {
            for line in wrap_text(note, FIGURE_WIDTH_PX - 2.0 * MARGIN, SMALL) {
                y += SMALL * 1.5;
                l.word(MARGIN, y + 4.0, line, SMALL, TextAnchor::Start, FigureColor::Muted);
            }
        }
        l.height = (y + MARGIN + 4.0).ceil();
        l.labels(f);
        if f.is_empty() {
            let (x, y) = (middle, (l.top + l.bottom) / 2.0);
            l.word(x, y, "nothing was measured".into(), TITLE, TextAnchor::Middle, FigureColor::Muted);
        }
        l
    }

    /// `None` outside an axis.
    pub(super) fn pixel_position(&self, f: &Figure, (x, y): (f64, f64)) -> Option<(f64, f64)> {
        let (px, py) = (f.x.relative_position(x)?, f.y.relative_position(y)?);
        Some((self.left + px * (self.right - self.left), self.bottom - py * (self.bottom - self.top)))
    }

    fn word(
        &mut self,
        x: f64,
        y: f64,
        text: String,
        size: f64,
        anchor: TextAnchor,
        ink: FigureColor,
    ) -> &mut TextLabel {
        let at = self.words.len();
        self.words.push(TextLabel { x, y, text, size, anchor, ink, bold: false, halo: false });
        &mut self.words[at]
    }

    fn legend(&mut self, f: &Figure, mut y: f64) -> f64 {
        let mut entries: Vec<(Key, &str)> = Vec::new();
        let mut shared: Vec<(Key, &str)> = Vec::new();
        for (i, c) in f.curves.iter().enumerate().filter(|(_, c)| !c.points.is_empty() && !c.name.is_empty())
        {
            entries.push((Key::of(i, c.style), &c.name));
            if c.band.is_empty() {
                continue;
            }
            let alike =
                f.curves.iter().filter(|o| !o.band.is_empty() && o.band_name == c.band_name).count() > 1;
            if !alike {
                entries.push((Key::band_of(Some(i), c.style), &c.band_name));
            } else if shared.iter().all(|(_, name)| c.band_name != *name) {
                shared.push((Key::band_of(None, c.style), &c.band_name));
            }
        }
        entries.extend(shared);
        let lone = entries.len() < 2 && f.curves.iter().all(|c| c.style != CurveStyle::Steps);
        if entries.is_empty() || lone {
            return y;
        }
        let mut x = MARGIN;
        y += 4.0;
        for (key, name) in entries {
            let name = truncate_text(name, FIGURE_WIDTH_PX - 2.0 * MARGIN - 30.0, LABEL);
            let width = 30.0 + text_width_px(&name, LABEL);
            if x > MARGIN && x + width > FIGURE_WIDTH_PX - MARGIN {
                x = MARGIN;
                y += LABEL * 1.6;
            }
            self.keys.push((key, x, y - 4.0));
            self.word(x + 28.0, y, name, LABEL, TextAnchor::Start, FigureColor::Text);
            x += width + 20.0;
        }
        y + LABEL * 1.3
    }

    /// Margins from the widest labels, then ticks; omits overlapping labels.
    fn axes(&mut self, f: &Figure) {
        let y_ticks = f.y.compute_ticks(8);
        let lines = |label: &str| match f.y.quantity {
            Quantity::Name => {
                let mut lines = wrap_text(label, NAME, SMALL);
                lines.truncate(2);
                lines
            }
            _ if label.is_empty() => Vec::new(),
            _ => vec![label.to_string()],
        };
        let widest = y_ticks
            .iter()
            .flat_map(|t| lines(&t.label))
            .map(|l| text_width_px(&l, SMALL))
            .fold(20.0, f64::max);
        self.left = MARGIN + widest + 9.0;
        self.right = FIGURE_WIDTH_PX - MARGIN - 22.0;
        for t in y_ticks {
            let Some(at) = f.y.relative_position(t.at) else { continue };
            let at = self.bottom - at * (self.bottom - self.top);
            self.y_ticks.push(TickPosition { at, named: !t.label.is_empty() });
            let lines = lines(&t.label);
            let first = at + SMALL * 0.35 - (lines.len() as f64 - 1.0) * SMALL * 0.6;
            for (i, line) in lines.into_iter().enumerate() {
                let y = first + i as f64 * SMALL * 1.2;
                self.word(self.left - 9.0, y, line, SMALL, TextAnchor::End, FigureColor::Muted);
            }
        }
        if f.x.quantity == Quantity::Name {
            self.things_across(f);
            return;
        }
        let mut free_from = 0.0;
        for t in f.x.compute_ticks(11) {
            let Some(at) = f.x.relative_position(t.at) else { continue };
            let at = self.left + at * (self.right - self.left);
            let half = text_width_px(&t.label, SMALL) / 2.0;
            let fits = at - half >= free_from && at + half <= FIGURE_WIDTH_PX - 2.0;
            let named = !t.label.is_empty() && fits;
            self.x_ticks.push(TickPosition { at, named });
            if named {
                self.word(at, self.bottom + 20.0, t.label, SMALL, TextAnchor::Middle, FigureColor::Muted);
                free_from = at + half + 10.0;
            }
        }
    }

    fn things_across(&mut self, f: &Figure) {
        let room = (self.right - self.left) / f.x.names.len().max(1) as f64 - 6.0;
        for t in f.x.compute_ticks(f.x.names.len()) {
            let Some(at) = f.x.relative_position(t.at) else { continue };
            let at = self.left + at * (self.right - self.left);
            self.x_ticks.push(TickPosition { at, named: false });
            for (i, line) in wrap_name(&t.label, room, SMALL).into_iter().enumerate() {
                let down = i as f64 * SMALL * 1.25;
                self.below = self.below.max(down);
                self.word(at, self.bottom + 18.0 + down, line, SMALL, TextAnchor::Middle, FigureColor::Muted);
            }
        }
    }

    fn bar_words(&mut self, f: &Figure) {
        let mut bars: Vec<(f64, f64, f64)> = Vec::new();
        let mut narrowest = f64::INFINITY;
        for (i, curve) in f.curves.iter().enumerate() {
            let Some((offset, wide)) = f.bar_geometry(i) else { continue };
            narrowest = narrowest.min(wide * (self.right - self.left) / f.x.names.len().max(1) as f64);
            bars.extend(curve.points.iter().map(|(x, y)| {
                let end = curve.band.iter().find(|b| b.0 == *x).map_or(*y, |b| b.2.max(*y));
                (x + offset, *y, end)
            }));
        }
        let values: Vec<f64> = bars.iter().map(|b| b.1).collect();
        let fits = |words: &Vec<String>| words.iter().all(|w| text_width_px(w, TINY) <= narrowest + 1.0);
        let Some(words) =
            [false, true].into_iter().map(|short| f.y.format_bar_values(&values, short)).find(fits)
        else {
            return;
        };
        for ((x, _, end), word) in bars.into_iter().zip(words) {
            let Some((x, y)) = self.pixel_position(f, (x, end)) else { continue };
            self.word(x, y - 4.0, word, TINY, TextAnchor::Middle, FigureColor::Text).halo = true;
        }
    }

    /// Limits and marks, labelled where they cover the fewest points and no other text.
    fn labels(&mut self, f: &Figure) {
        let mut taken: Vec<Box4> = Vec::new();
        let data = self.dense(f);
        for limit in &f.limits {
            let Some(at) = f.y.relative_position(limit.at) else { continue };
            let at = self.bottom - at * (self.bottom - self.top);
            self.limit_lines.push(at);
            let text = truncate_text(&limit.label, self.right - self.left - 12.0, LABEL);
            let w = text_width_px(&text, LABEL);
            let (left, right) = (self.left + 6.0, self.right - w - 6.0);
            let choices = [
                (left, at - 6.0, TextAnchor::Start),
                (right, at - 6.0, TextAnchor::End),
                ((left + right) / 2.0, at - 6.0, TextAnchor::Middle),
                (left, at + LABEL + 4.0, TextAnchor::Start),
                (right, at + LABEL + 4.0, TextAnchor::End),
            ];
            self.best(&choices, text, FigureColor::Limit, &data, &mut taken);
        }
        let lines: Vec<Box4> =
            self.limit_lines.iter().map(|y| (self.left, y - 1.0, self.right, y + 1.0)).collect();
        for mark in &f.marks {
            let Some((x, y)) = self.pixel_position(f, mark.at) else { continue };
            self.rings.push((x, y));
            taken.push((x - 6.0, y - 6.0, x + 6.0, y + 6.0));
        }
        taken.extend(lines);
        for mark in &f.marks {
            let Some((x, y)) = self.pixel_position(f, mark.at) else { continue };
            let text = truncate_text(&mark.label, self.right - self.left - 12.0, LABEL);
            let w = text_width_px(&text, LABEL);
            let mut choices = Vec::new();
            for far in [1.0, 2.2, 3.6] {
                let (dx, up, down) = (8.0 * far, -9.0 * far, 9.0 * far + LABEL * 0.7);
                let (left, middle, right) = (x - w - dx, x - w / 2.0, x + dx);
                choices.extend([(left, y + up, TextAnchor::End), (right, y + up, TextAnchor::Start)]);
                choices.extend([(right, y + down, TextAnchor::Start), (left, y + down, TextAnchor::End)]);
                choices.extend([
                    (middle, y + up - 4.0, TextAnchor::Middle),
                    (middle, y + down + 4.0, TextAnchor::Middle),
                ]);
            }
            choices
                .extend([(x - w - 12.0, y + 4.0, TextAnchor::End), (x + 12.0, y + 4.0, TextAnchor::Start)]);
            for c in &mut choices {
                c.0 = c.0.clamp(self.left + 4.0, (self.right - w - 4.0).max(self.left + 4.0));
                c.1 = c.1.clamp(self.top + LABEL, self.bottom - 6.0);
            }
            self.best(&choices, text, FigureColor::Text, &data, &mut taken);
        }
    }

    /// The cheapest of the choices (left edge, baseline, anchor); reserves its room.
    fn best(
        &mut self,
        choices: &[(f64, f64, TextAnchor)],
        text: String,
        ink: FigureColor,
        data: &[(f64, f64)],
        taken: &mut Vec<Box4>,
    ) {
        let w = text_width_px(&text, LABEL);
        let room = |(x, y, _): (f64, f64, TextAnchor)| (x - 2.0, y - LABEL, x + w + 2.0, y + 4.0);
        let cost = |b: Box4| {
            let words = taken.iter().filter(|t| overlap(b, **t)).count() * 1000;
            let outside =
                usize::from(b.0 < self.left || b.2 > self.right + 20.0 || b.1 < self.top - 14.0) * 500;
            let covered = data.iter().filter(|p| p.0 > b.0 && p.0 < b.2 && p.1 > b.1 && p.1 < b.3).count();
            words + outside + covered
        };
        let Some(at) = choices.iter().copied().min_by_key(|c| cost(room(*c))) else { return };
        taken.push(room(at));
        // The estimated width is slightly too large; the anchor keeps the side towards the point exact.
        let x = match at.2 {
            TextAnchor::Start => at.0,
            TextAnchor::Middle => at.0 + w / 2.0,
            TextAnchor::End => at.0 + w,
        };
        self.word(x, at.1, text, LABEL, at.2, ink).halo = true;
    }

    /// Interpolated curves, so that a label also avoids lines between points.
    fn dense(&self, f: &Figure) -> Vec<(f64, f64)> {
        let mut out = Vec::new();
        for c in &f.curves {
            let placed: Vec<_> = c.points.iter().filter_map(|p| self.pixel_position(f, *p)).collect();
            if matches!(c.style, CurveStyle::Dots | CurveStyle::Bars | CurveStyle::Crosses) {
                out.extend(placed);
                continue;
            }
            out.extend(placed.first());
            for pair in placed.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                let steps = (((b.0 - a.0).abs() + (b.1 - a.1).abs()) / 4.0).ceil().clamp(1.0, 400.0);
                out.extend((1..=steps as usize).map(|i| {
                    let t = i as f64 / steps;
                    (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t)
                }));
            }
        }
        out
    }
}

fn overlap(a: Box4, b: Box4) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}
