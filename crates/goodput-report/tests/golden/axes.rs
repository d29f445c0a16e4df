//! Axes that the page draws alike: `fixtures/axes.json`, compared by web/src/format/axes.test.ts.

use goodput_report::figure::{Axis, Quantity, Scale};
use serde_json::{Value, json};

fn axes() -> Vec<Axis> {
    let linear = [
        (Quantity::Rate, &[(0.0, 94.13e6), (0.0, 1.2e9), (0.0, 700.0), (941.2e6, 941.9e6)][..]),
        (Quantity::Time, &[(0.0, 10e9), (0.0, 3.6e12), (0.0, 8.64e13), (2.5e9, 2.75e9)]),
        (Quantity::Size, &[(0.0, 65_536.0)]),
        (Quantity::Percent, &[(-3.0, 8.5), (0.0, 100.0)]),
        (Quantity::Count, &[(0.0, 2.0), (0.0, 20.0)]),
        (Quantity::Plain, &[(0.0, 0.007), (0.0, 1234.5)]),
    ];
    let log = [
        (Quantity::Size, &[(1.0, 8_388_608.0), (1000.0, 1100.0)][..]),
        (Quantity::Rate, &[(1.5e3, 41.2e9), (8e7, 9.5e7)]),
        (Quantity::Time, &[(5e3, 1.2e9), (21_000.0, 29_000.0)]),
        (Quantity::Quantile, &[(1.0, 1e6)]),
        (Quantity::Plain, &[(0.02, 900.0)]),
    ];
    let mut all = Vec::new();
    let scales = linear.iter().map(|a| (Scale::Linear, a)).chain(log.iter().map(|a| (Scale::Log, a)));
    for (scale, (quantity, ranges)) in scales {
        let of = |(low, high): &(f64, f64)| Axis::linear_range("axis", *quantity, *low, *high);
        all.extend(ranges.iter().map(|range| Axis { scale, ..of(range) }));
    }
    all.push(Axis::categorical("row", ["Seq", "512K", "4K"].map(String::from).to_vec()));
    all
}

fn example(axis: &Axis) -> Value {
    let (low, high) = axis.range;
    let things = [3.0, 2.0, 1.0, 9.0];
    let values = [low, (low + high) / 2.0, low + (high - low) * 0.123_456, high];
    let ticks = |room: usize| -> Vec<Value> {
        axis.compute_ticks(room).into_iter().map(|t| json!([t.at, t.label])).collect()
    };
    let widths: Vec<Value> =
        [4, 7, 12].into_iter().map(|room| json!({ "room": room, "ticks": ticks(room) })).collect();
    let values = if axis.quantity == Quantity::Name { things } else { values };
    let values: Vec<Value> = values.into_iter().map(|v| json!([v, axis.format_value(v)])).collect();
    json!({
        "axis": {
            "label": axis.label, "quantity": axis.quantity, "scale": axis.scale, "range": axis.range,
            "names": axis.names,
        },
        "title": axis.title_with_unit(),
        "ticks": widths,
        "values": values,
    })
}

#[test]
fn the_front_ends_axes() {
    let all: Vec<String> = axes().iter().map(|axis| example(axis).to_string()).collect();
    super::check_golden("../../../../fixtures/axes.json", &format!("[\n{}\n]\n", all.join(",\n")));
}
