use super::*;
use crate::tests::{experiment, factor, probe};
use goodput_model::Experiment;
use goodput_model::experiment::Repeats;

fn started(cell: &Cell, second: u32) -> Step {
    Step::CellStarted { cell: cell.clone(), at: at(second) }
}

fn ended(number: u32, outcome: CellOutcome, second: u32) -> Step {
    Step::CellEnded { number, outcome, trials: vec![TrialId(number)], at: at(second) }
}

fn set(factor: &str, level: &str, second: u32) -> Step {
    let (factor, level) = (factor.into(), level.into());
    Step::LevelSet { factor, level, obtained: vec![], at: at(second) }
}

fn at(second: u32) -> String {
    format!("2000-01-01T{:02}:{:02}:{:02}.5Z", second / 3600, second / 60 % 60, second % 60)
}

fn grid() -> Experiment {
    experiment(vec![factor("mtu", &["1500", "9000"]), factor("cc", &["a", "b"])])
}

/// Until nothing is left; every execution takes 10 s and has the value of `value`.
fn run(plan: &Plan, value: impl Fn(&Cell) -> Option<f64>) -> Vec<Step> {
    let mut progress = Progress::new(plan);
    let mut steps = Vec::new();
    while let Some(cell) = progress.next() {
        let second = 10 * steps.len() as u32;
        let outcome = if value(cell).is_some() { CellOutcome::Done } else { CellOutcome::TimedOut };
        for step in [started(cell, second), ended(cell.number, outcome, second + 10)] {
            progress.take(&step, |cell, _| value(cell)).unwrap();
            steps.push(step);
        }
    }
    steps
}

fn numbers(steps: &[Step]) -> Vec<u32> {
    let number = |s: &Step| if let Step::CellEnded { number, .. } = s { Some(*number) } else { None };
    steps.iter().filter_map(number).collect()
}

#[test]
fn cells_come_in_the_order_of_the_plan() {
    let plan = Plan::of(&grid()).unwrap();
    assert_eq!(numbers(&run(&plan, |_| Some(1.0))), (1..=12).collect::<Vec<_>>());
}

#[test]
fn an_ended_cell_is_never_repeated_and_a_broken_off_one_is_made_again() {
    let plan = Plan::of(&grid()).unwrap();
    let mut steps = run(&plan, |_| Some(1.0));
    steps.truncate(5);
    let progress = Progress::of(&plan, &steps, |_, _| Some(1.0)).unwrap();
    assert_eq!(progress.broken_off().map(|c| c.number), Some(3));
    assert_eq!(progress.next().map(|c| c.number), Some(3));
    assert_eq!(progress.counts(), Counts { done: 2, ..Counts::default() });
    steps.push(ended(3, CellOutcome::Failed { cause: "refused".into() }, 60));
    let progress = Progress::of(&plan, &steps, |_, _| Some(1.0)).unwrap();
    assert_eq!((progress.broken_off(), progress.next().map(|c| c.number)), (None, Some(4)));
    assert_eq!(progress.counts().failed, 1);
}

#[test]
fn repeating_ends_where_the_interval_is_narrow() {
    let mut e = grid();
    e.repeats = Repeats { warm_up: 1, least: 5, most: 20, width_percent: Some(2.0) };
    let plan = Plan::of(&e).unwrap();
    let noisy = |cell: &Cell| cell.levels["mtu"] == "9000" && cell.levels["cc"] == "b";
    let value = |cell: &Cell| Some(100.0 + if noisy(cell) { 40.0 * f64::from(cell.block % 2) } else { 0.0 });
    let steps = run(&plan, value);
    let progress = Progress::of(&plan, &steps, |cell, _| value(cell)).unwrap();
    let standings: Vec<_> = progress.standings().map(|s| (s.ended, s.settled)).collect();
    let calm = (5, Some(StopReason::Narrow));
    assert_eq!(standings, [calm, calm, calm, (20, Some(StopReason::Cap))]);
    // Four warm-ups, then three times five and twenty.
    assert_eq!(steps.len() / 2, 4 + 15 + 20);
    assert_eq!(progress.next(), None);
}

#[test]
fn where_nothing_comes_out_the_least_number_is_enough() {
    let mut e = grid();
    e.repeats = Repeats { warm_up: 0, least: 4, most: 30, width_percent: Some(5.0) };
    let plan = Plan::of(&e).unwrap();
    let value = |cell: &Cell| (cell.levels["cc"] == "a").then_some(7.0);
    let steps = run(&plan, value);
    let progress = Progress::of(&plan, &steps, |cell, _| value(cell)).unwrap();
    let settled: Vec<_> = progress.standings().map(|s| (s.ended, s.values, s.settled)).collect();
    let (good, none) = ((4, 4, Some(StopReason::Narrow)), (4, 0, Some(StopReason::NoValue)));
    assert_eq!(settled, [good, none, good, none]);
}

#[test]
fn a_log_of_another_plan_is_refused() {
    let plan = Plan::of(&grid()).unwrap();
    let mut other = grid();
    other.order.seed = 2;
    let other = Plan::of(&other).unwrap();
    let steps = run(&other, |_| Some(1.0));
    let refused = |steps: &[Step]| Progress::of(&plan, steps, |_, _| None).unwrap_err();
    assert!(matches!(refused(&steps), ProgressError::OtherPlan { .. }));
    let mut twice = run(&plan, |_| Some(1.0));
    twice.push(ended(1, CellOutcome::Done, 0));
    assert_eq!(refused(&twice), ProgressError::Twice { number: 1 });
    for number in [99, 0] {
        let unknown = [ended(number, CellOutcome::Done, 0)];
        assert_eq!(refused(&unknown), ProgressError::OtherPlan { number });
    }
}

#[test]
fn the_time_left_follows_from_the_times_seen() {
    let mut e = grid();
    e.probes.push(probe("rr", &["latency_ns.p50"]));
    e.order.shuffled = false;
    let plan = Plan::of(&e).unwrap();
    let expected = |cell: &Cell| (cell.probe == "rr").then_some(Nanos(3 * Nanos::SECOND.0));
    let seconds = |n: u64| Some(Nanos(n * Nanos::SECOND.0));
    let nothing = Progress::new(&plan);
    assert_eq!((nothing.left(expected).time_most, nothing.left(expected).cells_most), (None, 24));

    // tcp took 10 s; rr has not run, and 3 s are expected. One level took 4 s to set.
    let first = &plan.cells[0];
    let steps = [
        Step::Resumed { at: at(0) },
        set("mtu", "1500", 4),
        started(first, 5),
        ended(1, CellOutcome::Done, 15),
    ];
    let progress = Progress::of(&plan, &steps, |_, _| Some(1.0)).unwrap();
    let left = progress.left(expected);
    // 11 × 10 s, 12 × 3 s, and five changes of mtu.
    assert_eq!((left.cells_most, left.time_most), (23, seconds(110 + 36 + 5 * 4)));
    assert_eq!(left.time_least, left.time_most);
    assert_eq!(progress.left(|_| None).time_most, None);
}

#[test]
fn time_between_two_sessions_is_no_part_of_an_execution() {
    let plan = Plan::of(&grid()).unwrap();
    let first = &plan.cells[0];
    let steps = [
        started(first, 0),
        Step::Resumed { at: at(5000) },
        started(first, 5000),
        ended(1, CellOutcome::Done, 5010),
    ];
    let progress = Progress::of(&plan, &steps, |_, _| None).unwrap();
    assert_eq!(progress.left(|_| None).time_most, Some(Nanos(11 * 10 * Nanos::SECOND.0)));
}

#[test]
fn what_is_in_place() {
    let plan = Plan::of(&grid()).unwrap();
    let steps =
        [set("mtu", "x", 0), set("cc", "x", 0), Step::Restored { factor: "cc".into(), obtained: vec![] }];
    let mut progress = Progress::of(&plan, &steps, |_, _| None).unwrap();
    assert_eq!(progress.in_place().keys().collect::<Vec<_>>(), ["mtu"]);
    progress.take(&Step::Resumed { at: at(9) }, |_, _| None).unwrap();
    assert!(progress.in_place().is_empty());
    progress.take(&Step::NotRestored { factor: "mtu".into(), cause: "changed".into() }, |_, _| None).unwrap();
}
