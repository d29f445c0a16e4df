//! Data sets for the tests of statements: links × operating systems × CPUs, one value each.

use crate::experiment::test_data::{self, bit_rate_metric, data_row, scale_values};
use goodput_model::experiment::ExperimentQuestion;
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};

const LINKS: [&str; 3] = ["slow", "fast", "faster"];
const SYSTEMS: [&str; 2] = ["old", "new"];
const CPUS: [&str; 3] = ["1", "2", "4"];

pub(super) fn tcp_data_set(figure: impl Fn(&str, &str, &str) -> Option<f64>) -> DataSet {
    let mut data =
        two_probe_data_set(|probe, link, os, cpu| figure(link, os, cpu).filter(|_| probe == "tcp"));
    data.measures.truncate(1);
    data.rows.retain(|row| row.measure == 0);
    data
}

pub(super) fn two_probe_data_set(figure: impl Fn(&str, &str, &str, &str) -> Option<f64>) -> DataSet {
    let mut rows = Vec::new();
    for (measure, probe) in ["tcp", "udp"].into_iter().enumerate() {
        for link in LINKS {
            for os in SYSTEMS {
                for cpu in CPUS {
                    let levels = [("link", link), ("os", os), ("cpu", cpu)];
                    let value =
                        figure(probe, link, os, cpu).map_or(ObservedValue::NotMeasured, ObservedValue::Value);
                    let evidence = format!("row {}", rows.len() + 1).into();
                    rows.push(DataRow { measure, evidence, ..data_row(&levels, 1, value) });
                }
            }
        }
    }
    let mut data = test_data::empty_data_set(&[("link", &LINKS), ("os", &SYSTEMS), ("cpu", &CPUS)]);
    data.factors[2].numbers = vec![1.0, 2.0, 4.0];
    DataSet {
        measures: ["tcp", "udp"].map(|probe| bit_rate_metric(probe, "goodput_bps")).to_vec(),
        rows,
        ..data
    }
}

pub(super) fn with_repeated_rows(data: &DataSet, shares: &[f64]) -> DataSet {
    let repeat = |(block, share): (u32, &f64)| {
        let mut rows = data.rows.clone();
        scale_values(&mut rows, |_| *share);
        rows.into_iter().map(move |row| DataRow { block, ..row })
    };
    DataSet { rows: (1..).zip(shares).flat_map(repeat).collect(), ..data.clone() }
}

pub(super) fn all_question_kinds() -> Vec<ExperimentQuestion> {
    use ExperimentQuestion::*;
    let (probe, factor, only) = (|| "tcp".into(), || "link".into(), Default::default);
    let [slow, fast, faster] = ["slow", "fast", "faster"].map(String::from);
    let (levels, parts) = (vec![fast.clone(), faster.clone()], vec![fast.clone(), slow.clone()]);
    vec![
        Depends { probe: probe(), on: factor(), only: only() },
        Better { probe: probe(), factor: factor(), level: fast, than: slow.clone(), only: only() },
        Beats { probe: probe(), than: "udp".into(), only: only() },
        Group { probe: probe(), factor: factor(), levels, than: slow, only: only() },
        Sum { probe: probe(), factor: factor(), parts, whole: faster, only: only() },
        Reaches { probe: probe(), factor: factor(), value: 1.0, only: only() },
        Pays { probe: probe(), factor: factor(), only: only() },
    ]
}
