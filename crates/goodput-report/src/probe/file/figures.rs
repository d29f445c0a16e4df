//! Figures of file work: copies and drive marks as dots with intervals, latencies by operation class, mixes
//! over players.

use super::{copy_name, mix_name, row_name, saturation_sentence, simulated_clients, whole_nanos};
use crate::display_text::sentences;
use crate::figure::{Axis, ChartPointLabel, Curve, CurveStyle, Figure, Quantity};
use crate::grouping::distinct_items;
use crate::number_format::MISSING_VALUE;
use crate::table::cell::{megabytes, nanos};
use goodput_model::file::FileDirection;
use goodput_model::summary::{
    FileBenchmarkResult, FileCopy, FileOpClassSummary, FileOperationMixCurve, FileOperationMixPoint,
    FileRunSummary, FileSummary, SaturationPoint, TrialsMedian,
};
use goodput_words::message;

const CURVES: usize = 4;
const INTERVAL: &str = "95 % interval of the median";

pub(crate) fn file_run_figures(run: &FileRunSummary) -> Vec<Figure> {
    let mut all = vec![copies(&run.copies), rows(&run.rows), latencies(&run.rows)];
    for (number, drawn) in run.mixes.chunks(CURVES).enumerate() {
        all.extend([traffic(drawn), worst(drawn)].map(|f| f.with_numbered_id(number)));
    }
    all.into_iter().filter(|f| !f.is_empty()).collect()
}

/// File rates are in MB/s.
const MB: f64 = 8e6;
const PAYLOAD: &str = "payload (MB/s)";

fn dots(name: &str, unit: f64, values: &[(f64, TrialsMedian)]) -> Curve {
    let points = values.iter().map(|(y, s)| (s.median / unit, *y)).collect();
    let stroke = |(y, s): &(f64, TrialsMedian)| s.interval.map(|(low, high)| (*y, low / unit, high / unit));
    let band = values.iter().filter_map(stroke).collect();
    Curve::new(name, CurveStyle::Dots, points).with_band(INTERVAL, band)
}

fn reach(curves: &[Curve]) -> impl Iterator<Item = f64> {
    curves.iter().flat_map(|c| c.points.iter().map(|p| p.0).chain(c.band.iter().map(|b| b.2)))
}

fn copies(all: &[FileCopy]) -> Figure {
    let y = Axis::categorical("copy", all.iter().map(copy_name).collect());
    let of = |figure: &dyn Fn(&FileCopy) -> Option<TrialsMedian>| -> Vec<(f64, TrialsMedian)> {
        all.iter().enumerate().filter_map(|(i, c)| Some((y.category_position(i), figure(c)?))).collect()
    };
    // Without a flush the only rate is the whole copy's.
    let whole = of(&|c| Some(c.durable_bps.unwrap_or(c.rate_bps)));
    let accepted = of(&|c| c.accepted_bps.filter(|_| c.durable_bps.is_some()));
    let mut curves = vec![dots("whole copy, including any flush", MB, &whole)];
    if !accepted.is_empty() {
        curves.push(dots("until the data was accepted", MB, &accepted));
    }
    let x = Axis::logarithmic(PAYLOAD, Quantity::Plain, reach(&curves));
    let told = all
        .iter()
        .map(|c| message!(report_copy_told { copy: copy_name(c), rate: megabytes(c.rate_bps.median) }));
    let mut figure = Figure::new("copies", "File copies", sentences(told), x, y, curves);
    if let Some(bps) = all.iter().filter_map(|c| c.limit_bps).max() {
        let rate = megabytes(bps as f64);
        figure.notes.push(message!(report_the_wire_allows_rate { rate }).into());
    }
    figure
}

fn by_direction(
    all: &[FileBenchmarkResult],
    unit: f64,
    figure: impl Fn(&FileBenchmarkResult) -> Option<TrialsMedian>,
) -> (Axis, Vec<Curve>) {
    let names = distinct_items(all.iter().map(|row| &row.name));
    let y = Axis::categorical("row", names.clone());
    let of = |way: FileDirection| -> Vec<(f64, TrialsMedian)> {
        let theirs = all.iter().filter(|r| r.way == way);
        let at = |r: &FileBenchmarkResult| names.iter().position(|n| **n == r.name);
        theirs.filter_map(|r| Some((y.category_position(at(r)?), figure(r)?))).collect()
    };
    let curves =
        vec![dots("read", unit, &of(FileDirection::Read)), dots("write", unit, &of(FileDirection::Write))];
    (y, curves.into_iter().filter(|c| !c.points.is_empty()).collect())
}

fn rows(all: &[FileBenchmarkResult]) -> Figure {
    let (y, curves) = by_direction(all, MB, |r| Some(r.rate_bps));
    let x = Axis::logarithmic(PAYLOAD, Quantity::Plain, reach(&curves));
    let told = all.iter().map(|r| {
        message!(report_copy_told { copy: row_name(r.way, &r.name), rate: megabytes(r.rate_bps.median) })
    });
    Figure::new("rows", "Drive benchmark", sentences(told), x, y, curves)
}

fn latencies(all: &[FileBenchmarkResult]) -> Figure {
    let (y, curves) = by_direction(all, 1.0, |r| r.latency_p50_ns);
    let x = Axis::logarithmic("median latency", Quantity::Time, reach(&curves));
    let told = all.iter().filter_map(|r| {
        let time = whole_nanos(r.latency_p50_ns?.median);
        Some(message!(report_copy_told { copy: row_name(r.way, &r.name), rate: time }))
    });
    Figure::new("row-latency", "Drive benchmark latency", sentences(told), x, y, curves)
}

pub(crate) fn operation_classes_figure(file: &FileSummary) -> Figure {
    let known: Vec<&FileOpClassSummary> = file.classes.iter().filter(|c| c.latency_ns.is_some()).collect();
    let y = Axis::categorical("operation", known.iter().map(|c| c.class.name().replace('_', " ")).collect());
    let curve = |name: &str, least: u64, of: fn(&goodput_model::summary::LatencySummary) -> u64| {
        let points = known.iter().enumerate().filter_map(|(i, c)| {
            let latency = c.latency_ns.filter(|l| l.count >= least)?;
            Some((of(&latency) as f64, y.category_position(i)))
        });
        Curve::new(name, CurveStyle::Dots, points.collect())
    };
    let curves =
        vec![curve("median", 2, |l| l.p50), curve("p99", 100, |l| l.p99), curve("maximum", 1, |l| l.max)];
    let curves: Vec<Curve> = curves.into_iter().filter(|c| !c.points.is_empty()).collect();
    let x = Axis::logarithmic("latency", Quantity::Time, reach(&curves));
    let worst = known.iter().filter_map(|c| Some((c.latency_ns?.max, c.class.name()))).max();
    let description = worst.map_or_else(
        || MISSING_VALUE.into(),
        |(ns, class)| message!(report_the_worst_is { time: nanos(ns), class }),
    );
    Figure::new("classes", "Latency by file operation", description, x, y, curves)
}

fn lines(drawn: &[FileOperationMixCurve], of: impl Fn(&FileOperationMixPoint) -> Option<f64>) -> Vec<Curve> {
    let one = |c: &FileOperationMixCurve| {
        let points = c.points.iter().filter_map(|p| Some((p.players as f64, of(p)?))).collect();
        Curve::new(mix_name(c), CurveStyle::Line, points)
    };
    drawn.iter().map(one).collect()
}

fn players_figure(
    id: &str,
    title: &str,
    drawn: &[FileOperationMixCurve],
    y: Axis,
    curves: Vec<Curve>,
) -> Figure {
    let xs = drawn.iter().flat_map(|c| &c.points).map(|p| p.players as f64);
    let x = Axis::linear_from_zero("simulated clients", Quantity::Count, xs);
    let enough = drawn.iter().any(|c| c.points.len() > 1);
    let curves = if enough { curves } else { Vec::new() };
    let told = sentences(drawn.iter().map(saturation_sentence));
    Figure::new(format!("players-{id}"), title, told, x, y, curves)
}

fn traffic(drawn: &[FileOperationMixCurve]) -> Figure {
    let plain = lines(drawn, |p| Some(p.rate_bps.median / MB));
    let banded = plain.into_iter().zip(drawn).map(|(curve, from)| {
        let band = from.points.iter().filter_map(|p| {
            let (low, high) = p.rate_bps.interval?;
            Some((p.players as f64, low / MB, high / MB))
        });
        curve.with_band(INTERVAL, band.collect())
    });
    let curves: Vec<Curve> = banded.collect();
    let y = Axis::linear_from_zero(PAYLOAD, Quantity::Plain, curves.iter().flat_map(Curve::y_values));
    let title = "Payload rate by number of simulated clients";
    let mut figure = players_figure("traffic", title, drawn, y, curves);
    for curve in drawn {
        if let Some(SaturationPoint::Reached { at, .. }) = &curve.saturation
            && let Some(p) = curve.points.iter().find(|p| p.players == *at)
        {
            let label = message!(part_saturated_from { from: simulated_clients(*at) }).into();
            figure.marks.push(ChartPointLabel { at: (p.players as f64, p.rate_bps.median / MB), label });
        }
    }
    figure
}

fn worst(drawn: &[FileOperationMixCurve]) -> Figure {
    let curves = lines(drawn, |p| p.latency_p99_ns);
    let y = Axis::logarithmic("p99", Quantity::Time, curves.iter().flat_map(Curve::y_values));
    players_figure("p99", "Latency (p99) by number of simulated clients", drawn, y, curves)
}
