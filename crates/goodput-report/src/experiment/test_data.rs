//! Data sets for tests: a part of the 1998 article, a small one with missing cells, curves with a collapse.

use super::cell_statistics::{self, CellStatistics};
use goodput_model::Message;
use goodput_model::experiment::BetterDirection;
use goodput_model::experiment::data_set::{DataRow, DataSet, DataSetMetric, FactorAxis, ObservedValue};

pub fn factor_axis(name: &str, levels: &[&str], numbers: &[f64]) -> FactorAxis {
    FactorAxis {
        name: name.into(),
        levels: levels.iter().map(|l| l.to_string()).collect(),
        numbers: numbers.to_vec(),
    }
}

pub fn data_set_metric(probe: &str, figure: &str, unit: &str, better: BetterDirection) -> DataSetMetric {
    DataSetMetric { probe: probe.into(), figure: figure.into(), unit: unit.into(), better, over_size: false }
}

pub fn data_row(levels: &[(&str, &str)], measure: usize, value: ObservedValue, block: u32) -> DataRow {
    DataRow {
        levels: levels.iter().map(|(f, l)| (f.to_string(), l.to_string())).collect(),
        measure,
        size_bytes: None,
        value,
        block,
        order: None,
        evidence: Message::default(),
    }
}

/// Two systems, two protocols, two links, two CPUs.
pub fn published_article_data() -> (DataSet, Vec<CellStatistics>) {
    let figures = [
        ("windows95", "10base-t", [[8.65, 8.73], [8.92, 9.31]]),
        ("windows95", "atm155-fore", [[31.27, 54.17], [36.42, 78.51]]),
        ("windows-nt4", "10base-t", [[8.65, 8.86], [8.92, 9.23]]),
        ("windows-nt4", "atm155-fore", [[35.34, 66.44], [50.15, 112.15]]),
    ];
    let mut data = DataSet {
        title: "ATM against Ethernet".into(),
        source: "Hirosaki University, 1998".into(),
        factors: vec![
            factor_axis("os", &["windows95", "windows-nt4"], &[]),
            factor_axis("link", &["10base-t", "atm155-fore"], &[]),
            factor_axis("cpu", &["75", "166"], &[75.0, 166.0]),
        ],
        measures: vec![
            data_set_metric("tcp", "goodput_bps", "bit/s", BetterDirection::Higher),
            data_set_metric("udp", "goodput_bps", "bit/s", BetterDirection::Higher),
        ],
        ..DataSet::default()
    };
    for (os, link, both) in figures {
        for (measure, values) in both.iter().enumerate() {
            for (cpu, mbps) in ["75", "166"].iter().zip(values) {
                let levels = [("os", os), ("link", link), ("cpu", *cpu)];
                let mut one =
                    data_row(&levels, measure, ObservedValue::Value((mbps * 100.0f64).round() * 1e4), 1);
                one.evidence = "the article".into();
                data.rows.push(one);
            }
        }
    }
    let cells = cell_statistics::compute_cell_statistics(&data);
    (data, cells)
}

/// Two adapters at three MTUs in six blocks: one cell timed out, one is unmeasured.
pub fn small_experiment_data() -> (DataSet, Vec<CellStatistics>) {
    let mut data = DataSet {
        title: "Two adapters at three MTUs".into(),
        source: "measured".into(),
        factors: vec![
            factor_axis("nic", &["onboard", "pci"], &[]),
            factor_axis("mtu", &["1500", "4000", "9000"], &[1500.0, 4000.0, 9000.0]),
        ],
        measures: vec![
            data_set_metric("tcp", "goodput_bps", "bit/s", BetterDirection::Higher),
            data_set_metric("tcp", "hosts[].cpu.busy_percent", "%", BetterDirection::Lower),
        ],
        ..DataSet::default()
    };
    let mut order = 0;
    for block in 1..=6u32 {
        for (nic, base) in [("onboard", 610.0), ("pci", 905.0)] {
            for (mtu, gain) in [("1500", 1.0), ("4000", 1.03), ("9000", 1.05)] {
                let levels = [("nic", nic), ("mtu", mtu)];
                // Noise that repeats in no two blocks.
                let wobble = f64::from((block * 7 + order * 5) % 13) / 13.0 - 0.5;
                let observed = |value: f64| match (nic, mtu) {
                    ("onboard", "9000") => ObservedValue::Failed("timed out after 30 s".into()),
                    ("pci", "4000") => ObservedValue::NotMeasured,
                    _ => ObservedValue::Value(value),
                };
                let goodput = ((base * gain + wobble * 6.0) * 1e6).round();
                // A sum of powers of two is exact in JSON.
                let cpu = ((62.0 - base / 60.0 - gain * 8.0 + wobble) * 64.0).round() / 64.0;
                for (measure, value) in [goodput, cpu].map(observed).into_iter().enumerate() {
                    let mut one = data_row(&levels, measure, value, block);
                    one.order = Some(order);
                    one.evidence = format!("trial {}", order + 1).into();
                    data.rows.push(one);
                }
                order += 1;
            }
        }
    }
    let cells = cell_statistics::compute_cell_statistics(&data);
    (data, cells)
}

/// Two cards, three hosts, 41 sizes: one pair collapses above 1 KiB and times out at the largest size.
pub fn size_sweep_data() -> (DataSet, Vec<CellStatistics>) {
    let goodput = data_set_metric("sweep", "goodput_bps", "bit/s", BetterDirection::Higher);
    let mut data = DataSet {
        title: "Slow hosts and fast cards".into(),
        source: "measured".into(),
        factors: vec![
            factor_axis("host", &["486", "p75", "p200"], &[]),
            factor_axis("card", &["isa", "pci"], &[]),
        ],
        measures: vec![DataSetMetric { over_size: true, ..goodput }],
        ..DataSet::default()
    };
    for (h, (host, most)) in [("486", 18e6), ("p75", 46e6), ("p200", 88e6)].into_iter().enumerate() {
        for (c, card) in ["isa", "pci"].into_iter().enumerate() {
            for step in 0..41u32 {
                let size = 2f64.powf(f64::from(step + 4) / 2.0).round() as u64;
                let most = if card == "isa" { 9e6 } else { most };
                let half = 900.0 * (3 - h) as f64;
                let mut rate = most * size as f64 / (size as f64 + half);
                if host == "486" && card == "pci" && size > 1024 {
                    rate /= 6.0;
                }
                for block in 1..=6u32 {
                    let wobble = f64::from((block * 11 + step * 3 + c as u32) % 17) / 17.0 - 0.5;
                    let value = if host == "486" && card == "pci" && step == 40 {
                        ObservedValue::Failed("timed out after 60 s".into())
                    } else {
                        ObservedValue::Value(rate * (1.0 + wobble * 0.04))
                    };
                    let mut one = data_row(&[("host", host), ("card", card)], 0, value, block);
                    one.size_bytes = Some(size);
                    data.rows.push(one);
                }
            }
        }
    }
    let cells = cell_statistics::compute_cell_statistics(&data);
    (data, cells)
}
