//! Experiments for the tests of this crate.

use goodput_model::Nanos;
use goodput_model::experiment::{
    ExecutionOrder, Experiment, ExperimentDesign, Factor, FactorLevel, LevelSettingMethod, MeasuredMetric,
    ProbeCommand, RepeatPolicy,
};
use goodput_model::metric;
use std::collections::BTreeMap;

pub(crate) fn factor(name: &str, levels: &[&str]) -> Factor {
    let levels = levels.iter().map(|l| FactorLevel { name: l.to_string(), value: l.to_string() }).collect();
    Factor { name: name.to_string(), levels, means: LevelSettingMethod::Argument, hard_to_change: false }
}

pub(crate) fn probe(name: &str, figures: &[&str]) -> ProbeCommand {
    let measure =
        |f: &&str| MeasuredMetric { figure: (*f).to_string(), better: metric::default_better_direction(f) };
    ProbeCommand {
        name: name.to_string(),
        run: "stream {server} --from {client}".to_string(),
        measures: figures.iter().map(measure).collect(),
        only: BTreeMap::new(),
        time_limit: Nanos(60 * Nanos::SECOND.0),
    }
}

pub(crate) fn experiment(factors: Vec<Factor>) -> Experiment {
    Experiment {
        name: "test".into(),
        title: "A test".into(),
        hosts: [("server", "lab:b"), ("client", "lab:a")].map(|(r, h)| (r.to_string(), h.to_string())).into(),
        lab: None,
        factors,
        probes: vec![probe("tcp", &["goodput_bps"])],
        design: ExperimentDesign::Full,
        excluded: Vec::new(),
        order: ExecutionOrder { shuffled: true, seed: 1 },
        repeats: RepeatPolicy { warm_up: 0, least: 3, most: 3, width_percent: None },
        requirements: Vec::new(),
        prices: Vec::new(),
        questions: Vec::new(),
    }
}
