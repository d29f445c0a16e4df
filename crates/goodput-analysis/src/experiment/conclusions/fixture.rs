//! Data sets for the tests of statements: links × operating systems × CPUs, one value each.

use goodput_model::experiment::data_set::{DataRow, DataSet, FactorAxis, MeasureHeader, ObservedValue};
use goodput_model::experiment::{BetterDirection, ExperimentQuestion, FactorLevels};

const LINKS: [&str; 3] = ["slow", "fast", "faster"];
const SYSTEMS: [&str; 2] = ["old", "new"];
const CPUS: [&str; 3] = ["1", "2", "4"];

fn head(probe: &str) -> MeasureHeader {
    MeasureHeader {
        probe: probe.into(),
        figure: "goodput_bps".into(),
        unit: "bit/s".into(),
        better: BetterDirection::Higher,
        over_size: false,
    }
}

fn axis(name: &str, levels: &[&str]) -> FactorAxis {
    let numbers: Result<Vec<f64>, _> = levels.iter().map(|l| l.parse()).collect();
    FactorAxis {
        name: name.into(),
        levels: levels.iter().map(ToString::to_string).collect(),
        numbers: numbers.unwrap_or_default(),
    }
}

pub(super) fn data(figure: impl Fn(&str, &str, &str) -> Option<f64>) -> DataSet {
    let mut data = two_probes(|probe, link, os, cpu| figure(link, os, cpu).filter(|_| probe == "tcp"));
    data.measures.truncate(1);
    data.rows.retain(|row| row.measure == 0);
    data
}

pub(super) fn two_probes(figure: impl Fn(&str, &str, &str, &str) -> Option<f64>) -> DataSet {
    let mut rows = Vec::new();
    for (measure, probe) in ["tcp", "udp"].into_iter().enumerate() {
        for link in LINKS {
            for os in SYSTEMS {
                for cpu in CPUS {
                    let named = [("link", link), ("os", os), ("cpu", cpu)];
                    let levels: FactorLevels =
                        named.into_iter().map(|(f, l)| (f.to_string(), l.to_string())).collect();
                    let value =
                        figure(probe, link, os, cpu).map_or(ObservedValue::NotMeasured, ObservedValue::Value);
                    let evidence = format!("row {}", rows.len() + 1);
                    rows.push(DataRow {
                        levels,
                        measure,
                        size_bytes: None,
                        value,
                        block: 1,
                        order: None,
                        evidence,
                    });
                }
            }
        }
    }
    DataSet {
        title: "a test".into(),
        source: "nowhere".into(),
        factors: vec![axis("link", &LINKS), axis("os", &SYSTEMS), axis("cpu", &CPUS)],
        measures: vec![head("tcp"), head("udp")],
        rows,
        ..DataSet::default()
    }
}

pub(super) fn repeated(data: &DataSet, shares: &[f64]) -> DataSet {
    let repeat = |(block, share): (u32, &f64)| {
        let changed = |row: &DataRow| {
            let value = match row.value {
                ObservedValue::Value(v) => ObservedValue::Value(v * share),
                ref other => other.clone(),
            };
            DataRow { value, block, ..row.clone() }
        };
        data.rows.iter().map(changed).collect::<Vec<DataRow>>()
    };
    DataSet { rows: (1..).zip(shares).flat_map(repeat).collect(), ..data.clone() }
}

pub(super) fn every_question() -> Vec<ExperimentQuestion> {
    let (probe, only) = (|| "tcp".to_string(), Default::default);
    let link = || "link".to_string();
    vec![
        ExperimentQuestion::Depends { probe: probe(), on: link(), only: only() },
        ExperimentQuestion::Better {
            probe: probe(),
            factor: link(),
            level: "fast".into(),
            than: "slow".into(),
            only: only(),
        },
        ExperimentQuestion::Beats { probe: probe(), than: "udp".into(), only: only() },
        ExperimentQuestion::Group {
            probe: probe(),
            factor: link(),
            levels: vec!["fast".into(), "faster".into()],
            than: "slow".into(),
            only: only(),
        },
        ExperimentQuestion::Sum {
            probe: probe(),
            factor: link(),
            parts: vec!["fast".into(), "slow".into()],
            whole: "faster".into(),
            only: only(),
        },
        ExperimentQuestion::Reaches { probe: probe(), factor: link(), value: 1.0, only: only() },
        ExperimentQuestion::Pays { probe: probe(), factor: link(), only: only() },
    ]
}
