//! Figures of an experiment's tables: bars for scalar metrics, curves over sizes.

use super::cell_statistics::CellStatistics;
use super::metric_unit::{metric_display_name, quantity_for_unit};
use super::pivot_table::PivotLayout;
use super::table_dimension::{self, Dimension};
use crate::display_text::{DisplayText, comma_list};
use crate::escape::text_width_in_letters;
use crate::figure::{Axis, Curve, CurveStyle, Figure, Quantity};
use crate::number_format::capitalize;
use crate::svg::CURVE_COLOR_COUNT;
use goodput_model::experiment::data_set::DataSet;
use goodput_model::{Message, MessageArg};
use goodput_words::message;

const BARS: (usize, usize) = (12, 64);
/// Width of a letter below bars, and of all groups.
const LETTER: f64 = 6.6;
const ROOM: f64 = 690.0;
const PANELS: usize = 60;
const INTERVAL: &str = "confidence interval of the median";

/// Bars or curves, one figure per combination of the remaining factors.
pub fn pivot_figures(data: &DataSet, form: &PivotLayout<'_>, number: usize) -> Vec<Figure> {
    let sizes = form.rows.contains(&Dimension::Size);
    let mut all = if sizes { curves(data, form) } else { bars(data, form) };
    let left_out = all.len().saturating_sub(PANELS);
    all.truncate(PANELS);
    if let Some(last) = all.last_mut().filter(|_| left_out > 0) {
        last.notes.push(message!(report_more_combinations_not_drawn { count: left_out }).into());
    }
    let several = all.len() > 1;
    for (i, figure) in all.iter_mut().enumerate() {
        let kind = if sizes { "curves" } else { "bars" };
        let panel = if several { format!("-{}", i + 1) } else { String::new() };
        figure.id = format!("{kind}-{}{panel}", number + 1);
    }
    all.retain(|f| !f.is_empty());
    all
}

/// The values of all cells, so that all figures share a scale.
fn reach(cells: &[(usize, &CellStatistics)]) -> impl Iterator<Item = f64> {
    cells.iter().flat_map(|(_, c)| c.centre.into_iter().chain(c.interval.map(|i| i.1)))
}

fn scale(data: &DataSet, form: &PivotLayout<'_>) -> Axis {
    let head = data.measures.get(form.measure);
    let kind = head.map_or(Quantity::Plain, |m| quantity_for_unit(&m.unit));
    let mut label = head.map(|m| Message::from(metric_display_name(&m.figure))).unwrap_or_default();
    if let (Quantity::Plain, Some(unit)) = (kind, head.map(|m| &m.unit).filter(|u| !u.is_empty())) {
        label = message!(part_with_parts { what: label, parts: unit });
    }
    // Times over sizes are logarithmic, rates begin at zero.
    if kind == Quantity::Time && form.rows.contains(&Dimension::Size) {
        return Axis::logarithmic(&label, kind, reach(&form.cells));
    }
    Axis::linear_from_zero(&label, kind, reach(&form.cells))
}

fn title(form: &PivotLayout<'_>, panel: &str) -> Message {
    let title = form.title.clone().with_text(capitalize(&form.title));
    let title = match panel {
        "" => title,
        panel => comma_list([MessageArg::from(title), panel.into()]),
    };
    match &form.figure {
        Some(name) => message!(report_experiment_numbered_title { name, title }),
        None => title,
    }
}

fn cell_description(data: &DataSet, form: &PivotLayout<'_>, cells: &[(usize, &CellStatistics)]) -> Message {
    let unit = form.metric_unit(data);
    let known = || cells.iter().filter_map(|(_, c)| Some((c.centre?, *c)));
    let least = known().min_by(|a, b| a.0.total_cmp(&b.0));
    let most = known().max_by(|a, b| a.0.total_cmp(&b.0));
    match least.zip(most) {
        Some(((least, from), (most, to))) => message!(report_experiment_range_of_values {
            least: unit.quantity(least),
            here: table_dimension::cell_place(data, from),
            most: unit.quantity(most),
            there: table_dimension::cell_place(data, to)
        }),
        None => message!(report_no_figure_was_measured),
    }
}

fn panels<'a>(
    data: &DataSet,
    cells: &[(usize, &'a CellStatistics)],
    by: &[Dimension],
) -> Vec<(String, Vec<(usize, &'a CellStatistics)>)> {
    let each = table_dimension::distinct_coordinates(data, cells, by).into_iter().map(|place| {
        let own: Vec<_> = cells
            .iter()
            .filter(|(_, c)| table_dimension::cell_coordinates(data, c, by) == place)
            .copied()
            .collect();
        (table_dimension::format_named_coordinates(data, by, &place), own)
    });
    each.collect()
}

/// Column factor as groups, last row factor as bars, one figure per other combination.
fn bars(data: &DataSet, form: &PivotLayout<'_>) -> Vec<Figure> {
    let mut rows = form.rows.clone();
    // A list has no columns: its rows are the groups.
    let groups = if form.columns.is_empty() { rows.split_off(0) } else { form.columns.clone() };
    let kinds: Vec<Dimension> = rows.pop().into_iter().collect();
    let y = scale(data, form);
    let panels = panels(data, &form.cells, &rows).into_iter();
    panels.map(|(words, cells)| panel_of_bars(data, form, &words, &cells, (&groups, &kinds), &y)).collect()
}

/// Dots if there are too many bars.
fn panel_of_bars(
    data: &DataSet,
    form: &PivotLayout<'_>,
    words: &str,
    cells: &[(usize, &CellStatistics)],
    (groups, kinds): (&[Dimension], &[Dimension]),
    values: &Axis,
) -> Figure {
    let across = table_dimension::distinct_coordinates(data, cells, groups);
    // Colours come from the whole table, so that a level has the same one in all figures.
    let each = table_dimension::distinct_coordinates(data, &form.cells, kinds);
    let names: Vec<DisplayText> =
        across.iter().map(|p| table_dimension::format_coordinates(data, groups, p).into()).collect();
    let legend: Vec<String> =
        each.iter().map(|p| table_dimension::format_named_coordinates(data, kinds, p)).collect();
    let mut placed: Vec<(usize, usize, &CellStatistics)> = Vec::new();
    for (_, cell) in cells {
        let at = across.iter().position(|p| *p == table_dimension::cell_coordinates(data, cell, groups));
        let kind = each.iter().position(|p| *p == table_dimension::cell_coordinates(data, cell, kinds));
        placed.extend(at.zip(kind).map(|(at, kind)| (at, kind, *cell)));
    }
    let (title, described, name) =
        (title(form, words), cell_description(data, form, cells), named(data, groups));
    let tight = across.len() > BARS.0 || across.len() * each.len() > BARS.1 || each.len() > CURVE_COLOR_COUNT;
    let mut figure = if tight || !names_fit(&names) {
        let axis = Axis::categorical(&name, names);
        let figure = Figure::new("", title, described, values.clone(), axis, Vec::new());
        draw(figure, &placed, &legend, CurveStyle::Dots)
    } else {
        let axis = Axis::categorical_horizontal(&name, names);
        let figure = Figure::new("", title, described, axis, values.clone(), Vec::new());
        draw(figure, &placed, &legend, CurveStyle::Bars)
    };
    limits(&mut figure, data, form, cells);
    figure
}

fn limits(figure: &mut Figure, data: &DataSet, form: &PivotLayout<'_>, cells: &[(usize, &CellStatistics)]) {
    let unit = form.metric_unit(data);
    for bound in &data.bounds {
        let holds = |c: &CellStatistics| {
            bound.measure == c.measure && bound.levels.iter().all(|(f, l)| c.levels.get(f) == Some(l))
        };
        if cells.is_empty() || !cells.iter().all(|(_, c)| holds(c)) {
            continue;
        }
        let (limit, reason) = (unit.quantity(bound.value), &bound.reason);
        let label = message!(part_experiment_limit { limit: limit.clone(), reason });
        figure.add_limit_line_or_note(bound.value, label, || {
            message!(report_experiment_limit { limit, reason })
        });
    }
}

fn named(data: &DataSet, dimensions: &[Dimension]) -> Message {
    comma_list(dimensions.iter().map(|d| d.name_argument(data)))
}

fn names_fit(names: &[DisplayText]) -> bool {
    let room = ROOM / names.len().max(1) as f64 - 8.0;
    let piece = |name: &DisplayText| {
        name.split_inclusive([' ', '-', '/', ','])
            .map(|p| text_width_in_letters(p.trim_end()) * LETTER)
            .fold(0.0, f64::max)
    };
    names.iter().all(|n| piece(n) <= room && text_width_in_letters(n) * LETTER <= room * 2.6)
}

/// Upright bars, or dots on a line for each place.
fn draw(
    mut figure: Figure,
    placed: &[(usize, usize, &CellStatistics)],
    legend: &[String],
    style: CurveStyle,
) -> Figure {
    let many = legend.len().max(1) as f64;
    let at = |x: usize, kind: usize| match style {
        CurveStyle::Bars => x as f64 + 1.0,
        // Each kind has its own offset within the line, the first highest.
        _ => figure.y.category_position(x) + ((many - 1.0) / 2.0 - kind as f64) * 0.7 / many,
    };
    let mut curves = Vec::new();
    for (kind, name) in legend.iter().enumerate() {
        let own = || placed.iter().filter(|p| p.1 == kind).map(|(x, _, c)| (at(*x, kind), *c));
        let points = own().filter_map(|(place, c)| match style {
            CurveStyle::Bars => Some((place, c.centre?)),
            _ => Some((c.centre?, place)),
        });
        let strokes = own().filter_map(|(place, c)| c.interval.map(|(l, h)| (place, l, h)));
        curves.push(Curve::new(name, style, points.collect()).with_band(INTERVAL, strokes.collect()));
    }
    figure.curves = curves;
    let failed = placed.iter().filter(|(.., c)| c.centre.is_none() && !c.failed.is_empty());
    let cross = |(x, kind, _): &(usize, usize, &CellStatistics)| match style {
        CurveStyle::Bars => {
            (at(*x, *kind) + figure.bar_geometry(*kind).map_or(0.0, |bar| bar.0), figure.y.range.0)
        }
        _ => (figure.x.range.0, at(*x, *kind)),
    };
    let crosses = failed.map(cross).collect();
    failures(&mut figure, crosses);
    figure
}

fn failures(figure: &mut Figure, crosses: Vec<(f64, f64)>) {
    if !crosses.is_empty() {
        figure.curves.push(Curve::new("failed", CurveStyle::Crosses, crosses));
    }
}

/// One line per level of one factor, one figure per combination of the others.
fn curves(data: &DataSet, form: &PivotLayout<'_>) -> Vec<Figure> {
    let all = form.rows.iter().chain(&form.columns).copied().filter(|d| *d != Dimension::Size);
    let mut varying: Vec<Dimension> =
        all.filter(|d| table_dimension::distinct_coordinates(data, &form.cells, &[*d]).len() > 1).collect();
    varying.sort_by_key(|d| match d {
        Dimension::Factor(f) => *f,
        _ => usize::MAX,
    });
    // The first factor that fits, as in the articles: a graph per card, a line per host.
    let line = varying
        .iter()
        .copied()
        .find(|d| table_dimension::distinct_coordinates(data, &form.cells, &[*d]).len() <= CURVE_COLOR_COUNT)
        .or(varying.first().copied());
    let others: Vec<Dimension> = varying.iter().copied().filter(|d| Some(*d) != line).collect();
    let x = Axis::logarithmic(
        "size",
        Quantity::Size,
        form.cells.iter().filter_map(|(_, c)| c.size).map(|s| s as f64),
    );
    let y = scale(data, form);
    let by: Vec<Dimension> = line.into_iter().collect();
    let lines = table_dimension::distinct_coordinates(data, &form.cells, &by);
    let mut figures = Vec::new();
    for (words, cells) in panels(data, &form.cells, &others) {
        for (part, few) in lines.chunks(CURVE_COLOR_COUNT).enumerate() {
            let of = |place: &table_dimension::Coordinates| -> Vec<(usize, &CellStatistics)> {
                cells
                    .iter()
                    .filter(|(_, c)| table_dimension::cell_coordinates(data, c, &by) == *place)
                    .copied()
                    .collect()
            };
            let drawn: Vec<(usize, &CellStatistics)> = few.iter().flat_map(of).collect();
            let title = match (title(form, &words), part) {
                (title, 0) => title,
                (title, part) => message!(part_with_parts { what: title, parts: part + 1 }),
            };
            // Includes levels missing here, so that colours agree between figures.
            let curves = few
                .iter()
                .map(|p| curve(&table_dimension::format_named_coordinates(data, &by, p), &of(p)))
                .collect();
            let described = cell_description(data, form, &drawn);
            let mut figure = Figure::new("", title, described, x.clone(), y.clone(), curves);
            limits(&mut figure, data, form, &drawn);
            let failed = drawn.iter().filter(|(_, c)| c.centre.is_none() && !c.failed.is_empty());
            let bottom = figure.y.range.0;
            failures(&mut figure, failed.filter_map(|(_, c)| Some((c.size? as f64, bottom))).collect());
            if !by.is_empty() && few.len() > 1 {
                figure.notes.push(message!(report_a_line_for_each { names: named(data, &by) }).into());
            }
            figures.push(figure);
        }
    }
    figures
}

fn curve(name: &str, cells: &[(usize, &CellStatistics)]) -> Curve {
    let mut own: Vec<&CellStatistics> = cells.iter().map(|(_, c)| *c).collect();
    own.sort_by_key(|c| c.size);
    let points = own.iter().filter_map(|c| Some((c.size? as f64, c.centre?))).collect();
    let band =
        own.iter().filter_map(|c| c.interval.zip(c.size).map(|((l, h), s)| (s as f64, l, h))).collect();
    let name = if name.is_empty() { "measured" } else { name };
    Curve::new(name, CurveStyle::Line, points).with_band(INTERVAL, band)
}

#[cfg(test)]
mod tests {
    use super::super::{pivot_table, test_data};
    use super::*;

    #[test]
    fn a_picture_for_each_system_and_protocol_with_a_bar_for_each_link() {
        let (data, cells) = test_data::published_article_data();
        let forms = pivot_table::pivot_layouts(&data, &cells);
        let figures: Vec<Figure> =
            forms.iter().enumerate().flat_map(|(i, form)| pivot_figures(&data, form, i)).collect();
        let first = &figures[0];
        assert_eq!(first.title, "Goodput, tcp, windows95");
        let bars: Vec<_> = first.curves.iter().map(|c| (c.name.as_str(), c.style)).collect();
        assert_eq!(bars, [("10base-t", CurveStyle::Bars), ("atm155-fore", CurveStyle::Bars)]);
        assert!(figures.iter().all(|f| f.y.range == first.y.range), "one scale for all");
        assert!(first.description.contains("8.65 Mbit/s"), "{}", first.description);
    }
}
