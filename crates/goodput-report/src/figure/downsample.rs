//! Thins curves to the points that decide the drawn pixels: first, minimum, maximum and last of each column.
//!
//! M4 (Jugel, Jerzak, Hackenbroich and Markl 2014, "M4: A Visualization-Oriented Time Series Data
//! Aggregation", Proceedings of the VLDB Endowment 7(10):797–808). Nothing is averaged, so outliers stay.

use super::{Axis, Curve, CurveStyle, Figure};

/// In CSS pixels at 100 %.
pub const FIGURE_WIDTH_PX: f64 = 760.0;

/// Two per SVG unit, as many as the PNG has pixels.
pub const MAX_PIXEL_COLUMNS: usize = 2 * FIGURE_WIDTH_PX as usize;
/// Grid of dots by the size of a dot: one hides those behind it.
const DOTS: (usize, usize) = (270, 110);
/// Shorter curves are unchanged.
const FEW: usize = 4 * MAX_PIXEL_COLUMNS;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PixelColumn {
    /// x of the first and last point.
    pub x: (f64, f64),
    pub least: f64,
    pub most: f64,
    pub count: usize,
}

pub fn downsample_figure(figure: &Figure) -> Option<Figure> {
    let long = |c: &Curve| c.points.len() > FEW || c.band.len() > FEW;
    if !figure.curves.iter().any(long) {
        return None;
    }
    let curves =
        figure.curves.iter().map(|c| if long(c) { curve(c, &figure.x, &figure.y) } else { c.clone() });
    Some(Figure {
        curves: curves.collect(),
        id: figure.id.clone(),
        title: figure.title.clone(),
        description: figure.description.clone(),
        x: figure.x.clone(),
        y: figure.y.clone(),
        limits: figure.limits.clone(),
        marks: figure.marks.clone(),
        notes: figure.notes.clone(),
    })
}

fn curve(c: &Curve, x: &Axis, y: &Axis) -> Curve {
    let points = match c.style {
        CurveStyle::Dots | CurveStyle::Crosses | CurveStyle::Bars => visible_dots(&c.points, x, y),
        CurveStyle::Line | CurveStyle::Steps | CurveStyle::Dashed | CurveStyle::Rule => {
            downsample_line(&c.points, x, MAX_PIXEL_COLUMNS)
        }
    };
    let band = if c.style == CurveStyle::Dots { c.band.clone() } else { band(&c.band, x, MAX_PIXEL_COLUMNS) };
    Curve { name: c.name.clone(), style: c.style, points, band, band_name: c.band_name.clone() }
}

/// `None` outside the axis.
fn column(axis: &Axis, x: f64, columns: usize) -> Option<usize> {
    axis.relative_position(x).map(|at| ((at * columns as f64) as usize).min(columns.saturating_sub(1)))
}

/// At most four points per column in drawing order. Extremes and connections between columns are unchanged.
pub fn downsample_line(points: &[(f64, f64)], axis: &Axis, columns: usize) -> Vec<(f64, f64)> {
    let mut out = Vec::new();
    // Indices of the column's first, minimum, maximum and last point.
    let mut run: Option<(usize, [usize; 4])> = None;
    let mut close = |run: Option<(usize, [usize; 4])>| {
        let Some((_, mut kept)) = run else { return };
        kept.sort_unstable();
        for (i, at) in kept.iter().enumerate() {
            if i == 0 || kept[i - 1] != *at {
                out.push(points[*at]);
            }
        }
    };
    for (i, (x, y)) in points.iter().enumerate() {
        let Some(at) = column(axis, *x, columns) else { continue };
        match &mut run {
            Some((known, kept)) if *known == at => {
                if *y < points[kept[1]].1 {
                    kept[1] = i;
                }
                if *y > points[kept[2]].1 {
                    kept[2] = i;
                }
                kept[3] = i;
            }
            _ => {
                close(run.take());
                run = Some((at, [i; 4]));
            }
        }
    }
    close(run);
    out
}

/// Minimum and maximum of each non-empty column.
pub fn min_max_per_column(
    points: impl Iterator<Item = (f64, f64)>,
    axis: &Axis,
    columns: usize,
) -> Vec<PixelColumn> {
    let mut out: Vec<Option<PixelColumn>> = vec![None; columns.max(1)];
    for (x, y) in points {
        let Some(at) = column(axis, x, columns.max(1)) else { continue };
        match &mut out[at] {
            Some(c) => {
                c.x = (c.x.0.min(x), c.x.1.max(x));
                (c.least, c.most) = (c.least.min(y), c.most.max(y));
                c.count += 1;
            }
            empty => *empty = Some(PixelColumn { x: (x, x), least: y, most: y, count: 1 }),
        }
    }
    out.into_iter().flatten().collect()
}

fn band(band: &[(f64, f64, f64)], axis: &Axis, columns: usize) -> Vec<(f64, f64, f64)> {
    let low = min_max_per_column(band.iter().map(|b| (b.0, b.1)), axis, columns);
    let high = min_max_per_column(band.iter().map(|b| (b.0, b.2)), axis, columns);
    let both = low.iter().zip(&high).flat_map(|(l, h)| {
        let ends = [l.x.0, l.x.1];
        let one = if ends[0] == ends[1] { 1 } else { 2 };
        ends.into_iter().take(one).map(|x| (x, l.least, h.most))
    });
    both.collect()
}

/// Removes hidden dots; the extremes of each column stay.
fn visible_dots(points: &[(f64, f64)], x: &Axis, y: &Axis) -> Vec<(f64, f64)> {
    let (columns, rows) = DOTS;
    let mut seen = vec![false; columns * rows];
    let free = |p: &&(f64, f64)| {
        let Some((column, row)) = column(x, p.0, columns).zip(column(y, p.1, rows)) else { return false };
        !std::mem::replace(&mut seen[column * rows + row], true)
    };
    let mut kept = downsample_line(points, x, columns);
    kept.extend(points.iter().filter(free));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Quantity;
    use goodput_analysis::random::SplitMix64;

    /// Noise with one outlier.
    fn samples(count: usize) -> Vec<(f64, f64)> {
        let mut random = SplitMix64::new(11);
        let mut noise = || (random.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
        let mut samples: Vec<_> = (0..count).map(|i| (i as f64, 100.0 + noise())).collect();
        samples[count / 3].1 += 1e6;
        samples
    }

    fn extremes(points: &[(f64, f64)], axis: &Axis, columns: usize) -> Vec<Option<(f64, f64)>> {
        let mut out = vec![None; columns];
        for (x, y) in points {
            let Some(at) = column(axis, *x, columns) else { continue };
            let known = out[at].get_or_insert((*y, *y));
            *known = (known.0.min(*y), known.1.max(*y));
        }
        out
    }

    #[test]
    fn a_million_points_keep_every_extreme_of_the_full_drawing() {
        let all = samples(1_000_000);
        let axis = Axis::linear_range("t", Quantity::Plain, 0.0, 999_999.0);
        let few = downsample_line(&all, &axis, MAX_PIXEL_COLUMNS);
        assert!(few.len() <= 4 * MAX_PIXEL_COLUMNS, "{}", few.len());
        assert_eq!(extremes(&few, &axis, MAX_PIXEL_COLUMNS), extremes(&all, &axis, MAX_PIXEL_COLUMNS));
        let drawn = min_max_per_column(all.iter().copied(), &axis, MAX_PIXEL_COLUMNS);
        let full: Vec<_> = extremes(&all, &axis, MAX_PIXEL_COLUMNS).into_iter().flatten().collect();
        assert_eq!(drawn.iter().map(|c| (c.least, c.most)).collect::<Vec<_>>(), full);
        assert_eq!(drawn.iter().map(|c| c.count).sum::<usize>(), all.len());
    }

    #[test]
    fn the_line_between_two_columns_is_that_of_the_full_drawing() {
        let all = samples(50_000);
        let axis = Axis::linear_range("t", Quantity::Plain, 0.0, 49_999.0);
        let few = downsample_line(&all, &axis, 700);
        let crossings = |points: &[(f64, f64)]| -> Vec<((f64, f64), (f64, f64))> {
            let pairs = points.windows(2).map(|w| (w[0], w[1]));
            pairs.filter(|(a, b)| column(&axis, a.0, 700) != column(&axis, b.0, 700)).collect()
        };
        assert_eq!(crossings(&few), crossings(&all));
    }

    #[test]
    fn short_curves_are_left_as_they_are_and_long_ones_fit() {
        let figure = |count| Figure {
            x: Axis::linear_range("t", Quantity::Plain, 0.0, count as f64),
            y: Axis::linear_from_zero("v", Quantity::Plain, [101.0, 1e6].into_iter()),
            curves: vec![
                Curve::new("l", CurveStyle::Line, samples(count))
                    .with_band("b", samples(count).iter().map(|p| (p.0, p.1 - 1.0, p.1 + 1.0)).collect()),
                Curve::new("d", CurveStyle::Dots, samples(count)),
            ],
            ..crate::trial_figures(&crate::documents::stream_100(), None).remove(0)
        };
        assert_eq!(downsample_figure(&figure(500)), None);
        let long = figure(200_000);
        let few = downsample_figure(&long).unwrap();
        let [line, dots] = &few.curves[..] else { panic!("{:?}", few.curves) };
        assert!(line.points.len() <= FEW && line.band.len() <= 2 * MAX_PIXEL_COLUMNS);
        assert!(dots.points.len() <= DOTS.0 * (DOTS.1 + 4), "{}", dots.points.len());
        assert!(dots.points.iter().any(|p| p.1 > 1e6));
        let most = |c: &Curve| c.band.iter().map(|b| b.2).fold(0.0, f64::max);
        assert_eq!(most(line), most(&long.curves[0]));
    }

    proptest::proptest! {
        #[test]
        fn no_extreme_is_lost(
            points in proptest::collection::vec((-10.0f64..110.0, -1e9f64..1e9), 0..400), columns in 1usize..50,
        ) {
            let axis = Axis::linear_range("t", Quantity::Plain, 0.0, 100.0);
            let few = downsample_line(&points, &axis, columns);
            proptest::prop_assert_eq!(extremes(&few, &axis, columns), extremes(&points, &axis, columns));
            proptest::prop_assert!(few.iter().all(|p| points.contains(p)));
        }
    }
}
