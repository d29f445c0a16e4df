//! From a stored run of an experiment to its observations.

use super::load_curves::transmit;
use super::sample::*;
use goodput_analysis::experiment::cell_samples;
use goodput_analysis::experiment::curves::build_size_curves;
use goodput_analysis::experiment::data_set::{NotAnExperimentError, build_data_set};
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::*;
use goodput_model::probe::{PingPongMethod, PingPongPattern};
use goodput_model::*;
use std::collections::BTreeMap;

fn line(name: &str, figures: &[&str]) -> ProbeCommand {
    let measure =
        |figure: &&str| MeasuredMetric { figure: (*figure).into(), better: BetterDirection::Higher };
    let (name, measures) = (name.to_string(), figures.iter().map(measure).collect());
    let run = format!("{name} {{server}} --from {{client}}");
    ProbeCommand { name, run, measures, only: BTreeMap::new(), time_limit: Nanos(30 * S) }
}

fn factor(name: &str, levels: &[&str]) -> Factor {
    let levels = levels.iter().map(|l| FactorLevel { name: (*l).into(), value: (*l).into() }).collect();
    Factor { name: name.into(), levels, means: LevelSettingMethod::Argument, hard_to_change: false }
}

fn experiment(factors: Vec<Factor>, probes: Vec<ProbeCommand>) -> Experiment {
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
    let trials = trials.iter().map(|t| TrialId(*t)).collect();
    let started = ExperimentStep::CellStarted { cell: cell.clone(), at: at.clone() };
    [started, ExperimentStep::CellEnded { number: cell.number, outcome, trials, at }]
}

fn recorded(experiment: Experiment, steps: Vec<ExperimentStep>, trials: Vec<Trial>) -> Run {
    let declared = ExperimentStep::Declared { experiment: Box::new(experiment), text: String::new() };
    run(trials, [declared].into_iter().chain(steps).collect())
}

/// The data of one cell, made of these trials.
fn one_cell(probe: &str, figures: &[&str], trials: Vec<Trial>) -> DataSet {
    let e = experiment(vec![factor("nic", &["x", "y"])], vec![line(probe, figures)]);
    let ids: Vec<u32> = trials.iter().map(|t| t.id.0).collect();
    let steps = run_of(&cell(1, 1, "x", probe), CellOutcome::Done, &ids).to_vec();
    build_data_set(&recorded(e, steps, trials), &[]).unwrap()
}

fn stream_of(id: u32, percent: u64) -> Trial {
    let mut trial = Trial { id: TrialId(id), ..stream() };
    for flow in trial.ends.iter_mut().flat_map(|e| &mut e.flows) {
        flow.window_bytes = flow.window_bytes * percent / 100;
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

fn text(value: &ObservedValue) -> String {
    match value {
        ObservedValue::Failed(why) => why.to_string(),
        other => format!("{other:?}"),
    }
}

#[test]
fn every_ending_of_a_cell_is_a_row_and_warm_ups_are_none() {
    let failed = CellOutcome::Failed { cause: "no route".into() };
    let not_set = CellOutcome::NotSet { cause: "the driver stayed".into() };
    let cells = [(0, "x"), (1, "x"), (1, "y"), (2, "y"), (2, "x"), (1, "z"), (3, "x")];
    let cells: Vec<_> = (1..).zip(cells).map(|(n, (block, nic))| cell(n, block, nic, "stream")).collect();
    let outcomes = [
        (CellOutcome::Done, vec![1]),
        (CellOutcome::Done, vec![2]),
        (CellOutcome::TimedOut, vec![]),
        (failed, vec![]),
        (not_set, vec![]),
    ];
    let made = cells.iter().zip(outcomes);
    let mut steps: Vec<_> =
        made.flat_map(|(cell, (outcome, trials))| run_of(cell, outcome, &trials)).collect();
    steps.push(ExperimentStep::CellStarted { cell: cells[6].clone(), at: String::new() });
    let e =
        experiment(vec![factor("nic", &["x", "y", "z"])], vec![line("stream", &["goodput_bps", "pe_index"])]);
    let set = build_data_set(&recorded(e, steps, vec![stream_of(1, 50), stream_of(2, 100)]), &cells).unwrap();
    assert_eq!(set.source, "measured");
    let rows = of(&set, "goodput_bps").into_iter();
    let told = rows
        .map(|r| format!("{} {} {:?} {} {}", r.levels["nic"], r.block, r.order, text(&r.value), r.evidence));
    assert_eq!(
        told.collect::<Vec<_>>(),
        [
            "x 1 Some(1) Value(100000000.0) trial 2",
            "y 1 Some(2) timed out: no result within 30.0 s cell 3",
            "y 2 Some(3) no route cell 4",
            "x 2 Some(4) level not set: the driver stayed cell 5",
            "z 1 None NotMeasured cell 6",
        ]
    );
    assert_eq!(value(of(&set, "pe_index")[0]), 2.5);
    let heads = set.measures.iter().map(|m| (m.figure.as_str(), m.unit.as_str()));
    assert_eq!(heads.collect::<Vec<_>>(), [("goodput_bps", "bit/s"), ("pe_index", "Mbit/s per %")]);
}

#[test]
fn a_cell_that_was_made_again_counts_once_and_without_an_experiment_there_is_no_data() {
    assert_eq!(build_data_set(&run(vec![stream()], vec![]), &[]), Err(NotAnExperimentError));
    let again = cell(1, 1, "x", "stream");
    let endings =
        [(CellOutcome::TimedOut, vec![]), (CellOutcome::Done, vec![1]), (CellOutcome::TimedOut, vec![])];
    let steps = endings.into_iter().flat_map(|(outcome, trials)| run_of(&again, outcome, &trials)).collect();
    let e = experiment(vec![factor("nic", &["x", "y"])], vec![line("stream", &["goodput_bps"])]);
    let set = build_data_set(&recorded(e, steps, vec![stream_of(1, 100)]), &[]).unwrap();
    assert_eq!(set.rows.iter().map(value).collect::<Vec<_>>(), [100e6]);
}

#[test]
fn figures_are_called_as_in_the_json() {
    let [server, client] = ["hosts[server].cpu.busy_percent", "hosts[client].cpu.busy_percent"];
    let figures = ["directions[].goodput_bps", server, client, "nosuch.figure"];
    let set = one_cell("stream", &figures, vec![stream_of(1, 100)]);
    for (figure, is) in [("directions[send].goodput_bps", 100e6), (server, 40.0), (client, 30.0)] {
        assert_eq!(value(of(&set, figure)[0]), is, "{figure}");
    }
    assert_eq!(text(&of(&set, "nosuch.figure")[0].value), "the result has no nosuch.figure");
}

#[test]
fn repeats_within_a_cell_are_one_value_with_each_kept() {
    let broken = Trial { outcome: TrialOutcome::Partial { cause: "b is gone".into() }, ..stream_of(4, 100) };
    let trials = vec![stream_of(1, 100), stream_of(2, 90), stream_of(3, 110), broken];
    let set = one_cell("stream", &["goodput_bps"], trials);
    let rows = of(&set, "goodput_bps");
    assert_eq!(rows.len(), 2);
    assert_eq!(text(&rows[0].value), "was aborted: b is gone");
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
        let sweep = pingpong(PingPongMethod::default(), PingPongPattern::PingPong, vec![batches(&rows)]);
        Trial { id: TrialId(id), ..sweep }
    };
    let e = experiment(
        vec![factor("nic", &["x", "y"])],
        vec![line("pingpong", &["points[].goodput_bps", "sweep.best_bps"])],
    );
    let mut steps = run_of(&cell(1, 1, "x", "pingpong"), CellOutcome::Done, &[1]).to_vec();
    steps.extend(run_of(&cell(2, 2, "x", "pingpong"), CellOutcome::Done, &[2]));
    let set = build_data_set(&recorded(e, steps, vec![sweep(1, 10), sweep(2, 20)]), &[]).unwrap();
    assert!(set.measures[0].over_size && !set.measures[1].over_size);
    let rows = of(&set, "goodput_bps").into_iter().map(|r| (r.block, r.size_bytes.unwrap(), value(r)));
    // Half of 20 µs for a byte, half of 40 µs for a thousand.
    let expected = [(1, 1, 800e3), (1, 1_000, 400e6), (2, 1, 400e3), (2, 1_000, 200e6)];
    assert_eq!(rows.collect::<Vec<_>>(), expected);
    let curves = build_size_curves(&set, 0);
    assert_eq!(curves.len(), 1);
    assert_eq!(curves[0].points[1].by_block, BTreeMap::from([(1, 400e6), (2, 200e6)]));
    assert_eq!(cell_samples::build_cell_samples(&set, 1).len(), 3);
}

#[test]
fn a_load_over_sizes_is_a_curve_by_any_name() {
    for figure in ["points[].goodput_bps", "goodput_bps"] {
        let outcome = TrialOutcome::Failed { cause: "b is gone".into() };
        let gone = Trial { outcome, ..transmit(3, 4096, 2, 900) };
        let trials = vec![transmit(1, 64, 2, 100), transmit(2, 1024, 2, 500), gone];
        let set = one_cell("load", &[figure, "load.transmit_bps"], trials);
        assert!(set.measures.iter().all(|m| m.over_size));
        let rows = of(&set, "goodput_bps").into_iter().map(|r| (r.size_bytes.unwrap(), r.value.clone()));
        let failed = ObservedValue::Failed("b is gone".into());
        let [small, large] = [(64, 100e6), (1024, 500e6)].map(|(size, v)| (size, ObservedValue::Value(v)));
        assert_eq!(rows.collect::<Vec<_>>(), [(4096, failed), small, large]);
    }
}

#[test]
fn trials_with_other_settings_are_not_put_together() {
    // A load over the number of clients: no one goodput represents all.
    let trials = || vec![transmit(1, 64, 1, 100), transmit(2, 64, 2, 150)];
    let set = one_cell("load", &["goodput_bps"], trials());
    let ObservedValue::Failed(why) = &of(&set, "goodput_bps")[0].value else { panic!("{:?}", set.rows) };
    assert!(why.contains("different settings"), "{why}");
    let set = one_cell("load", &["load_curves.over_clients[0].best_bps"], trials());
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
    let set = build_data_set(&recorded(experiment(factors, vec![]), vec![], vec![]), &[]).unwrap();
    let numbers: Vec<Vec<f64>> = set.factors.iter().map(|f| f.numbers.clone()).collect();
    assert_eq!(numbers, [vec![75.0, 100.0], vec![65_536.0, 1e6], vec![1e7, 1e9], vec![]]);
}
