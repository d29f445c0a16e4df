use super::*;
use crate::tests::{experiment, factor, probe};
use goodput_model::Experiment;
use goodput_model::experiment::RepeatPolicy;

fn started(cell: &CellExecution, second: u32) -> ExperimentStep {
    ExperimentStep::CellStarted { cell: cell.clone(), at: at(second) }
}

fn ended(number: u32, outcome: CellOutcome, second: u32) -> ExperimentStep {
    ExperimentStep::CellEnded { number, outcome, trials: vec![TrialId(number)], at: at(second) }
}

fn set(factor: &str, level: &str, second: u32) -> ExperimentStep {
    let (factor, level) = (factor.into(), level.into());
    ExperimentStep::LevelSet { factor, level, obtained: vec![], at: at(second) }
}

fn at(second: u32) -> String {
    format!("2000-01-01T{:02}:{:02}:{:02}.5Z", second / 3600, second / 60 % 60, second % 60)
}

fn grid() -> Experiment {
    experiment(vec![factor("mtu", &["1500", "9000"]), factor("cc", &["a", "b"])])
}

/// Until nothing is left; every execution takes 10 s and has the value of `value`.
fn run(plan: &ExecutionPlan, value: impl Fn(&CellExecution) -> Option<f64>) -> Vec<ExperimentStep> {
    let mut progress = ExecutionProgress::new(plan);
    let mut steps = Vec::new();
    while let Some(cell) = progress.next_cell() {
        let second = 10 * steps.len() as u32;
        let outcome = if value(cell).is_some() { CellOutcome::Done } else { CellOutcome::TimedOut };
        for step in [started(cell, second), ended(cell.number, outcome, second + 10)] {
            progress.apply_experiment_step(&step, |cell, _| value(cell)).unwrap();
            steps.push(step);
        }
    }
    steps
}

fn replay<'p>(plan: &'p ExecutionPlan, steps: &[ExperimentStep]) -> ExecutionProgress<'p> {
    ExecutionProgress::from_experiment_steps(plan, steps, |_, _| Some(1.0)).unwrap()
}

#[test]
fn an_ended_cell_is_never_repeated_and_a_broken_off_one_is_made_again() {
    let plan = ExecutionPlan::from_experiment(&grid()).unwrap();
    let mut steps = run(&plan, |_| Some(1.0));
    steps.truncate(5);
    let progress = replay(&plan, &steps);
    assert_eq!(progress.next_cell().map(|c| c.number), Some(3));
    assert_eq!(progress.execution_counts(), ExecutionCounts { done: 2, ..ExecutionCounts::default() });
    steps.push(ended(3, CellOutcome::Failed { cause: "refused".into() }, 60));
    let progress = replay(&plan, &steps);
    assert_eq!(progress.next_cell().map(|c| c.number), Some(4));
    assert_eq!(progress.execution_counts().failed, 1);
}

#[test]
fn repeating_ends_where_the_interval_is_narrow_or_nothing_comes_out() {
    let mut e = grid();
    e.repeats = RepeatPolicy { warm_up: 1, least: 5, most: 20, width_percent: Some(2.0) };
    let plan = ExecutionPlan::from_experiment(&e).unwrap();
    let noisy = |cell: &CellExecution| cell.levels["mtu"] == "9000" && cell.levels["cc"] == "b";
    let value =
        |cell: &CellExecution| Some(100.0 + if noisy(cell) { 40.0 * f64::from(cell.block % 2) } else { 0.0 });
    let steps = run(&plan, value);
    let progress = ExecutionProgress::from_experiment_steps(&plan, &steps, |cell, _| value(cell)).unwrap();
    let standings: Vec<_> = progress.tallies.iter().map(|t| (t.ended, t.settled)).collect();
    assert_eq!(standings, [(5, true), (5, true), (5, true), (20, true)]);
    // Four warm-ups, then three times five and twenty.
    assert_eq!(steps.len() / 2, 4 + 15 + 20);
    assert_eq!(progress.next_cell(), None);

    // Where nothing comes out the least number is enough.
    e.repeats = RepeatPolicy { warm_up: 0, least: 4, most: 30, width_percent: Some(5.0) };
    let plan = ExecutionPlan::from_experiment(&e).unwrap();
    let value = |cell: &CellExecution| (cell.levels["cc"] == "a").then_some(7.0);
    let steps = run(&plan, value);
    let progress = ExecutionProgress::from_experiment_steps(&plan, &steps, |cell, _| value(cell)).unwrap();
    let settled: Vec<_> = progress.tallies.iter().map(|t| (t.ended, t.values.len(), t.settled)).collect();
    let (good, none) = ((4, 4, true), (4, 0, true));
    assert_eq!(settled, [good, none, good, none]);
}

#[test]
fn a_log_of_another_plan_is_refused() {
    let plan = ExecutionPlan::from_experiment(&grid()).unwrap();
    let mut other = grid();
    other.order.seed = 2;
    let other = ExecutionPlan::from_experiment(&other).unwrap();
    let steps = run(&other, |_| Some(1.0));
    let refused = |steps: &[ExperimentStep]| {
        ExecutionProgress::from_experiment_steps(&plan, steps, |_, _| None).unwrap_err()
    };
    assert!(refused(&steps).what.ends_with("of the plan"));
    let mut twice = run(&plan, |_| Some(1.0));
    twice.push(ended(1, CellOutcome::Done, 0));
    assert_eq!(refused(&twice).what, "the log has cell 1 twice");
    for number in [99, 0] {
        let what = format!("cell {number} of the log is not cell {number} of the plan");
        assert_eq!(refused(&[ended(number, CellOutcome::Done, 0)]).what, what.as_str());
    }
}

#[test]
fn the_time_left_follows_from_the_times_seen() {
    let mut e = grid();
    e.probes.push(probe("rr", &["latency_ns.p50"]));
    e.order.shuffled = false;
    let plan = ExecutionPlan::from_experiment(&e).unwrap();
    let expected = |cell: &CellExecution| (cell.probe == "rr").then_some(Nanos(3 * Nanos::SECOND.0));
    let seconds = |n: u64| Some(Nanos(n * Nanos::SECOND.0));
    let left = ExecutionProgress::new(&plan).remaining_work(expected);
    assert_eq!((left.time_most, left.cells_most), (None, 24));

    // tcp took 10 s; rr has not run, and 3 s are expected. One level took 4 s to set.
    let first = &plan.cells[0];
    let steps = [
        ExperimentStep::Resumed { at: at(0) },
        set("mtu", "1500", 4),
        started(first, 5),
        ended(1, CellOutcome::Done, 15),
    ];
    let progress = replay(&plan, &steps);
    let left = progress.remaining_work(expected);
    // 11 × 10 s, 12 × 3 s, and five changes of mtu.
    assert_eq!((left.cells_most, left.time_most), (23, seconds(110 + 36 + 5 * 4)));
    assert_eq!(left.time_least, left.time_most);
    assert_eq!(progress.remaining_work(|_| None).time_most, None);

    // The time between two sessions is no part of an execution.
    let plan = ExecutionPlan::from_experiment(&grid()).unwrap();
    let first = &plan.cells[0];
    let steps = [
        started(first, 0),
        ExperimentStep::Resumed { at: at(5000) },
        started(first, 5000),
        ended(1, CellOutcome::Done, 5010),
    ];
    let progress = replay(&plan, &steps);
    assert_eq!(progress.remaining_work(|_| None).time_most, seconds(11 * 10));
}

#[test]
fn what_is_in_place() {
    let plan = ExecutionPlan::from_experiment(&grid()).unwrap();
    let steps = [
        set("mtu", "x", 0),
        set("cc", "x", 0),
        ExperimentStep::Restored { factor: "cc".into(), obtained: vec![] },
    ];
    let mut progress = replay(&plan, &steps);
    assert_eq!(progress.in_place.keys().collect::<Vec<_>>(), ["mtu"]);
    progress.apply_experiment_step(&ExperimentStep::Resumed { at: at(9) }, |_, _| None).unwrap();
    assert!(progress.in_place.is_empty());
    let step = ExperimentStep::NotRestored { factor: "mtu".into(), cause: "changed".into() };
    progress.apply_experiment_step(&step, |_, _| None).unwrap();
}
