//! From a stored run of an experiment to its observations.

use super::load_curves::transmit;
use super::sample::*;
use goodput_analysis::experiment::cell_samples;
use goodput_analysis::experiment::curves::curves_of_measure;
use goodput_analysis::experiment::data_set::{NotAnExperiment, build_data_set};
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::*;
use goodput_model::probe::{PingPongMethod, PingPongPattern};
use goodput_model::run::{Run, RunHeader};
use goodput_model::*;
use std::collections::BTreeMap;

fn line(name: &str, figures: &[&str]) -> ProbeLine {
    ProbeLine {
        name: name.into(),
        run: format!("{name} {{server}} --from {{client}}"),
        measures: figures
            .iter()
            .map(|f| MeasuredMetric { figure: (*f).into(), better: BetterDirection::Higher })
            .collect(),
        only: BTreeMap::new(),
        time_limit: Nanos(30 * S),
    }
}

fn factor(name: &str, levels: &[&str]) -> Factor {
    Factor {
        name: name.into(),
        levels: levels.iter().map(|l| FactorLevel { name: (*l).into(), value: (*l).into() }).collect(),
        means: LevelMethod::Argument,
        hard_to_change: false,
    }
}

fn experiment(factors: Vec<Factor>, probes: Vec<ProbeLine>) -> Experiment {
    Experiment {
        name: "nics".into(),
        title: "Two cards".into(),
        hosts: BTreeMap::from([("server".into(), "lab:b".into()), ("client".into(), "lab:a".into())]),
        lab: None,
        factors,
        probes,
        design: ExperimentDesign::Full,
        excluded: vec![],
        order: ExecutionOrder { shuffled: true, seed: 1 },
        repeats: RepeatPolicy { warm_up: 1, least: 2, most: 2, width_percent: None },
        requirements: vec![],
        prices: vec![],
        questions: vec![],
    }
}

fn cell(number: u32, block: u32, nic: &str, probe: &str) -> CellExecution {
    CellExecution { number, block, levels: BTreeMap::from([("nic".into(), nic.into())]), probe: probe.into() }
}

/// The steps of one execution with these trials.
fn run_of(cell: &CellExecution, outcome: CellOutcome, trials: &[u32]) -> [ExperimentStep; 2] {
    let at = "2020-01-01T00:00:00Z".to_string();
    [
        ExperimentStep::CellStarted { cell: cell.clone(), at: at.clone() },
        ExperimentStep::CellEnded {
            number: cell.number,
            outcome,
            trials: trials.iter().map(|t| TrialId(*t)).collect(),
            at,
        },
    ]
}

fn run(experiment: Experiment, steps: Vec<ExperimentStep>, trials: Vec<Trial>) -> Run {
    let declared = ExperimentStep::Declared { experiment: Box::new(experiment), text: String::new() };
    Run {
        head: RunHeader {
            format: 1,
            id: serde_json::from_str("\"00000000-0000-7000-8000-000000000000\"").expect("a UUID"),
            started: "2020-01-01T00:00:00Z".into(),
            version: "0.1.0".into(),
            command: vec![],
            seed: 1,
            labels: BTreeMap::new(),
        },
        trials,
        steps: [declared].into_iter().chain(steps).collect(),
        finished: true,
    }
}

fn numbered(id: u32, trial: Trial) -> Trial {
    Trial { id: TrialId(id), ..trial }
}

fn stream_of(id: u32, percent: u64) -> Trial {
    let mut trial = numbered(id, stream());
    for end in &mut trial.ends {
        for flow in &mut end.flows {
            flow.window_bytes = flow.window_bytes * percent / 100;
        }
    }
    trial
}

fn of<'a>(set: &'a DataSet, figure: &str) -> Vec<&'a DataRow> {
    let at = set.measures.iter().position(|m| m.figure == figure).unwrap_or_else(|| panic!("{figure}"));
    set.rows.iter().filter(|r| r.measure == at).collect()
}

fn value(row: &DataRow) -> f64 {
    match &row.value {
        ObservedValue::Value(v) => *v,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_ending_of_a_cell_is_a_row_and_warm_ups_are_none() {
    let failed = CellOutcome::Failed { cause: "no route".into() };
    let not_set = CellOutcome::NotSet { cause: "the driver stayed".into() };
    let cells = [
        cell(1, 0, "x", "stream"),
        cell(2, 1, "x", "stream"),
        cell(3, 1, "y", "stream"),
        cell(4, 2, "y", "stream"),
        cell(5, 2, "x", "stream"),
        cell(6, 1, "z", "stream"),
        cell(7, 3, "x", "stream"),
    ];
    let mut steps = Vec::new();
    steps.extend(run_of(&cells[0], CellOutcome::Done, &[1]));
    steps.extend(run_of(&cells[1], CellOutcome::Done, &[2]));
    steps.extend(run_of(&cells[2], CellOutcome::TimedOut, &[]));
    steps.extend(run_of(&cells[3], failed, &[]));
    steps.extend(run_of(&cells[4], not_set, &[]));
    steps.push(ExperimentStep::CellStarted { cell: cells[6].clone(), at: String::new() });
    let e =
        experiment(vec![factor("nic", &["x", "y", "z"])], vec![line("stream", &["goodput_bps", "pe_index"])]);
    let set = build_data_set(&run(e, steps, vec![stream_of(1, 50), stream_of(2, 100)]), &cells).unwrap();
    assert_eq!(set.source, "measured");
    let told: Vec<(String, u32, Option<u32>, String)> = of(&set, "goodput_bps")
        .iter()
        .map(|r| (r.levels["nic"].clone(), r.block, r.order, format!("{:?}, {}", r.value, r.evidence)))
        .collect();
    let row = |nic: &str, block, order, what: &str| (nic.to_string(), block, order, what.to_string());
    assert_eq!(
        told,
        [
            row("x", 1, Some(1), "Value(100000000.0), trial 2"),
            row("y", 1, Some(2), "Failed(\"timed out: no result within 30.0 s\"), cell 3"),
            row("y", 2, Some(3), "Failed(\"no route\"), cell 4"),
            row("x", 2, Some(4), "Failed(\"not set: the driver stayed\"), cell 5"),
            row("z", 1, None, "NotMeasured, cell 6"),
        ]
    );
    assert_eq!(value(of(&set, "pe_index")[0]), 2.5);
    let heads: Vec<(&str, &str)> =
        set.measures.iter().map(|m| (m.figure.as_str(), m.unit.as_str())).collect();
    assert_eq!(heads, [("goodput_bps", "bit/s"), ("pe_index", "Mbit/s per %")]);
}

#[test]
fn a_cell_that_was_made_again_counts_once() {
    let again = cell(1, 1, "x", "stream");
    let mut steps = Vec::new();
    steps.extend(run_of(&again, CellOutcome::TimedOut, &[]));
    steps.extend(run_of(&again, CellOutcome::Done, &[1]));
    steps.extend(run_of(&again, CellOutcome::TimedOut, &[]));
    let e = experiment(vec![factor("nic", &["x", "y"])], vec![line("stream", &["goodput_bps"])]);
    let set = build_data_set(&run(e, steps, vec![stream_of(1, 100)]), &[]).unwrap();
    assert_eq!(set.rows.iter().map(value).collect::<Vec<_>>(), [100e6]);
}

#[test]
fn figures_are_called_as_in_the_json() {
    let e = experiment(
        vec![factor("nic", &["x", "y"])],
        vec![line(
            "stream",
            &[
                "directions[].goodput_bps",
                "hosts[server].cpu.busy_percent",
                "hosts[client].cpu.busy_percent",
                "nosuch.figure",
            ],
        )],
    );
    let steps = run_of(&cell(1, 1, "x", "stream"), CellOutcome::Done, &[1]).to_vec();
    let set = build_data_set(&run(e, steps, vec![stream_of(1, 100)]), &[]).unwrap();
    assert_eq!(value(of(&set, "directions[send].goodput_bps")[0]), 100e6);
    assert_eq!(value(of(&set, "hosts[server].cpu.busy_percent")[0]), 40.0);
    assert_eq!(value(of(&set, "hosts[client].cpu.busy_percent")[0]), 30.0);
    assert_eq!(
        of(&set, "nosuch.figure")[0].value,
        ObservedValue::Failed("the result has no nosuch.figure".into())
    );
}

#[test]
fn repeats_within_a_cell_are_one_value_with_each_kept() {
    let e = experiment(vec![factor("nic", &["x", "y"])], vec![line("stream", &["goodput_bps"])]);
    let steps = run_of(&cell(1, 1, "x", "stream"), CellOutcome::Done, &[1, 2, 3, 4]).to_vec();
    let broken = Trial { outcome: TrialOutcome::Partial { cause: "b is gone".into() }, ..stream_of(4, 100) };
    let trials = vec![stream_of(1, 100), stream_of(2, 90), stream_of(3, 110), broken];
    let set = build_data_set(&run(e, steps, trials), &[]).unwrap();
    let rows = of(&set, "goodput_bps");
    assert_eq!(rows.len(), 2);
    assert_eq!(rows[0].value, ObservedValue::Failed("was aborted: b is gone".into()));
    assert_eq!(value(rows[1]), 100e6);
    assert_eq!(rows[1].evidence, "trials 1 2 3: 100000000, 90000000, 110000000");
}

#[test]
fn a_sweep_has_a_row_for_each_size() {
    let sweep = |id, us: i64| {
        let rows = [
            [1, 0, 100, us * 100_000, 2 * us * 1_000, us * 1_000],
            [1_000, 0, 100, us * 200_000, 4 * us * 1_000, us * 1_000],
        ];
        numbered(id, pingpong(PingPongMethod::default(), PingPongPattern::PingPong, vec![batches(&rows)]))
    };
    let e = experiment(
        vec![factor("nic", &["x", "y"])],
        vec![line("pingpong", &["points[].goodput_bps", "sweep.best_bps"])],
    );
    let mut steps = run_of(&cell(1, 1, "x", "pingpong"), CellOutcome::Done, &[1]).to_vec();
    steps.extend(run_of(&cell(2, 2, "x", "pingpong"), CellOutcome::Done, &[2]));
    let set = build_data_set(&run(e, steps, vec![sweep(1, 10), sweep(2, 20)]), &[]).unwrap();
    assert!(set.measures[0].over_size && !set.measures[1].over_size);
    let rows: Vec<(u32, Option<u64>, f64)> =
        of(&set, "goodput_bps").iter().map(|r| (r.block, r.size_bytes, value(r))).collect();
    // Half of 20 µs for a byte, half of 40 µs for a thousand.
    assert_eq!(
        rows,
        [(1, Some(1), 800e3), (1, Some(1_000), 400e6), (2, Some(1), 400e3), (2, Some(1_000), 200e6)]
    );
    let curves = curves_of_measure(&set, 0);
    assert_eq!(curves.len(), 1);
    assert_eq!(curves[0].points[1].by_block, BTreeMap::from([(1, 400e6), (2, 200e6)]));
    assert_eq!(cell_samples::build_cell_samples(&set, 1).len(), 3);
}

#[test]
fn a_load_over_sizes_is_a_curve_by_any_name() {
    for figure in ["points[].goodput_bps", "goodput_bps"] {
        let e =
            experiment(vec![factor("nic", &["x", "y"])], vec![line("load", &[figure, "load.transmit_bps"])]);
        let steps = run_of(&cell(1, 1, "x", "load"), CellOutcome::Done, &[1, 2, 3]).to_vec();
        let gone = Trial {
            outcome: TrialOutcome::Failed { cause: "b is gone".into() },
            ..transmit(3, 4096, 2, 900)
        };
        let set = build_data_set(
            &run(e, steps, vec![transmit(1, 64, 2, 100), transmit(2, 1024, 2, 500), gone]),
            &[],
        )
        .unwrap();
        assert!(set.measures.iter().all(|m| m.over_size));
        let rows: Vec<(Option<u64>, &ObservedValue)> =
            of(&set, "goodput_bps").iter().map(|r| (r.size_bytes, &r.value)).collect();
        assert_eq!(
            rows,
            [
                (Some(4096), &ObservedValue::Failed("b is gone".into())),
                (Some(64), &ObservedValue::Value(100e6)),
                (Some(1024), &ObservedValue::Value(500e6)),
            ]
        );
    }
}

#[test]
fn trials_with_other_settings_are_not_put_together() {
    // A load over the number of clients: no one goodput represents all.
    let e = experiment(vec![factor("nic", &["x", "y"])], vec![line("load", &["goodput_bps"])]);
    let steps = run_of(&cell(1, 1, "x", "load"), CellOutcome::Done, &[1, 2]).to_vec();
    let set =
        build_data_set(&run(e, steps, vec![transmit(1, 64, 1, 100), transmit(2, 64, 2, 150)]), &[]).unwrap();
    assert!(
        matches!(&of(&set, "goodput_bps")[0].value, ObservedValue::Failed(why) if why.contains("different settings"))
    );
    let e = experiment(
        vec![factor("nic", &["x", "y"])],
        vec![line("load", &["load_curves.over_clients[0].best_bps"])],
    );
    let steps = run_of(&cell(1, 1, "x", "load"), CellOutcome::Done, &[1, 2]).to_vec();
    let set =
        build_data_set(&run(e, steps, vec![transmit(1, 64, 1, 100), transmit(2, 64, 2, 150)]), &[]).unwrap();
    assert_eq!(value(&set.rows[0]), 150e6);
}

#[test]
fn levels_that_are_quantities_are_numbers() {
    let factors = vec![
        factor("mhz", &["75", "100"]),
        factor("size", &["64 KiB", "1 MB"]),
        factor("rate", &["10 Mbit/s", "1 Gbit/s"]),
        factor("nic", &["x", "10"]),
    ];
    let set = build_data_set(&run(experiment(factors, vec![]), vec![], vec![]), &[]).unwrap();
    let numbers: Vec<Vec<f64>> = set.factors.iter().map(|f| f.numbers.clone()).collect();
    assert_eq!(numbers, [vec![75.0, 100.0], vec![65_536.0, 1e6], vec![1e7, 1e9], vec![]]);
}

#[test]
fn a_run_without_an_experiment_has_no_data() {
    let mut plain = run(experiment(vec![], vec![]), vec![], vec![stream()]);
    plain.steps.clear();
    assert_eq!(build_data_set(&plain, &[]), Err(NotAnExperiment));
}
