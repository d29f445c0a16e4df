//! Properties of every experiment: each block of the plan is a permutation, the same seed gives the same
//! plan, and interruptions do not change the executions.

use crate::sample;
use goodput_experiment::{ExecutionPlan, ExecutionProgress};
use goodput_model::experiment::execution_record::{CellExecution, CellOutcome, ExperimentStep};
use goodput_model::experiment::{
    ExecutionOrder, Experiment, ExperimentDesign, Factor, FactorLevels, ProbeCommand, RepeatPolicy,
};
use goodput_model::{Nanos, TrialId};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

fn factor(at: usize, levels: usize, hard_to_change: bool) -> Factor {
    Factor { hard_to_change, ..sample::factor(&format!("f{at}"), &["l0", "l1", "l2", "l3"][..levels]) }
}

fn probe(at: usize, only: BTreeMap<String, Vec<String>>) -> ProbeCommand {
    ProbeCommand { only, ..sample::probe(&format!("p{at}"), &["goodput_bps"]) }
}

/// Up to four factors of four levels, up to three lines of which the last may be restricted.
fn experiments() -> impl Strategy<Value = Experiment> {
    let factors = prop::collection::vec((2usize..5, any::<bool>()), 0..4);
    let repeats = (0u32..3, 1u32..6, 0u32..5, prop::option::of(0.5f64..50.0));
    let design = prop_oneof![Just(ExperimentDesign::Full), Just(ExperimentDesign::OneAtATime)];
    (factors, 1usize..4, any::<bool>(), repeats, design, any::<bool>(), any::<u64>()).prop_map(
        |(factors, probes, confined, (warm_up, least, more, width_percent), design, shuffled, seed)| {
            let factors = factors.into_iter().enumerate();
            let factors: Vec<Factor> = factors.map(|(at, (levels, hard))| factor(at, levels, hard)).collect();
            let mut probes: Vec<ProbeCommand> = (0..probes).map(|at| probe(at, BTreeMap::new())).collect();
            if let (true, Some(first), Some(last)) = (confined, factors.first(), probes.last_mut()) {
                last.only = BTreeMap::from([(first.name.clone(), vec!["l0".to_string()])]);
            }
            let repeats = RepeatPolicy { warm_up, least, most: least + more, width_percent };
            let order = ExecutionOrder { shuffled, seed };
            Experiment { probes, design, order, repeats, ..sample::experiment(factors) }
        },
    )
}

/// Depends on the number only: a sixth fail, the others vary by a few per cent.
fn value(cell: &CellExecution) -> Option<f64> {
    let mixed = cell.number.wrapping_mul(2_654_435_761) >> 7;
    (!mixed.is_multiple_of(6)).then(|| 100.0 + f64::from(mixed % 97) / 20.0)
}

fn at(tick: usize) -> String {
    format!("2000-01-01T{:02}:{:02}:{:02}Z", tick / 3600 % 24, tick / 60 % 60, tick % 60)
}

/// Continues from a log for at most so many steps; returns whether it is complete.
fn go_on(plan: &ExecutionPlan, log: &mut Vec<ExperimentStep>, most: usize) -> bool {
    let mut progress = ExecutionProgress::from_experiment_steps(plan, log, |cell, _| value(cell))
        .expect("the log is of this plan");
    let mut open = false;
    for _ in 0..most {
        let Some(cell) = progress.next_cell() else { return true };
        let started = ExperimentStep::CellStarted { cell: cell.clone(), at: at(log.len()) };
        let outcome = match value(cell) {
            Some(_) => CellOutcome::Done,
            None => CellOutcome::Failed { cause: "refused".into() },
        };
        let trials = vec![TrialId(cell.number)];
        let ended = ExperimentStep::CellEnded { number: cell.number, outcome, trials, at: at(log.len() + 1) };
        let step = if open { ended } else { started };
        open = !open;
        progress.apply_experiment_step(&step, |cell, _| value(cell)).expect("the step is of this plan");
        log.push(step);
    }
    progress.next_cell().is_none()
}

fn ended(log: &[ExperimentStep]) -> Vec<u32> {
    log.iter()
        .filter_map(|s| if let ExperimentStep::CellEnded { number, .. } = s { Some(*number) } else { None })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 192, ..ProptestConfig::default() })]

    #[test]
    fn every_block_is_a_permutation(e in experiments()) {
        let plan = ExecutionPlan::from_experiment(&e).unwrap();
        let all: BTreeSet<(FactorLevels, String)> =
            plan.series.iter().map(|s| (s.levels.clone(), s.probe.clone())).collect();
        prop_assert_eq!(all.len(), plan.series.len());
        for (block, times) in std::iter::once((0, e.repeats.warm_up)).chain((1..=e.repeats.most).map(|b| (b, 1))) {
            let mut seen: BTreeMap<(FactorLevels, String), u32> = BTreeMap::new();
            for cell in plan.cells.iter().filter(|c| c.block == block) {
                *seen.entry((cell.levels.clone(), cell.probe.clone())).or_default() += 1;
            }
            prop_assert!(seen.values().all(|n| *n == times));
            prop_assert_eq!(seen.len(), if times == 0 { 0 } else { all.len() });
        }
        prop_assert!(plan.cells.windows(2).all(|w| w[0].block <= w[1].block));
        prop_assert!(plan.cells.iter().zip(1..).all(|(c, n)| c.number == n && plan.cell(n) == Some(c)));
        prop_assert!(plan.cells.iter().zip(&plan.series_of).all(|(c, s)| plan.series[*s].levels == c.levels));
    }

    #[test]
    fn the_hardest_factor_changes_once_a_level(e in experiments()) {
        let hard: Vec<&str> = e.factors.iter().filter(|f| f.hard_to_change).map(|f| f.name.as_str()).collect();
        prop_assume!(e.order.shuffled && !hard.is_empty());
        let plan = ExecutionPlan::from_experiment(&e).unwrap();
        for block in 1..=e.repeats.most {
            let cells = plan.cells.iter().filter(|c| c.block == block);
            let held: Vec<&String> = cells.map(|c| &c.levels[hard[0]]).collect();
            let different: BTreeSet<&String> = held.iter().copied().collect();
            prop_assert_eq!(held.windows(2).filter(|w| w[0] != w[1]).count() + 1, different.len());
        }
    }

    #[test]
    fn broken_off_anywhere_it_makes_the_same_executions(
        e in experiments(),
        spans in prop::collection::vec(0usize..40, 0..12),
    ) {
        let plan = ExecutionPlan::from_experiment(&e).unwrap();
        let mut whole = Vec::new();
        prop_assert!(go_on(&plan, &mut whole, usize::MAX));
        let mut log = Vec::new();
        for span in spans {
            go_on(&plan, &mut log, span);
            log.push(ExperimentStep::Resumed { at: at(log.len()) });
        }
        prop_assert!(go_on(&plan, &mut log, usize::MAX));
        let made = ended(&log);
        prop_assert_eq!(&made, &ended(&whole));
        let once: BTreeSet<u32> = made.iter().copied().collect();
        prop_assert_eq!(once.len(), made.len(), "no cell twice");
        let progress = ExecutionProgress::from_experiment_steps(&plan, &log, |cell, _| value(cell)).unwrap();
        prop_assert_eq!(progress.finished_cells().count(), plan.series.len());
        for series in 0..plan.series.len() {
            let of = |cell: &&CellExecution| plan.series_of[cell.number as usize - 1] == series;
            let planned = plan.cells.iter().filter(of);
            let (made, left): (Vec<&CellExecution>, Vec<&CellExecution>) = planned.partition(|c| once.contains(&c.number));
            prop_assert!(made.iter().map(|c| c.number).max() < left.iter().map(|c| c.number).min().or(Some(u32::MAX)));
            prop_assert!(left.iter().all(|c| c.block > e.repeats.least));
        }
        prop_assert_eq!(progress.remaining_work(|_| None).cells_most, 0);
    }

    #[test]
    fn any_prefix_and_the_rest_are_the_whole(e in experiments(), cut in any::<prop::sample::Index>()) {
        let plan = ExecutionPlan::from_experiment(&e).unwrap();
        let mut whole = Vec::new();
        go_on(&plan, &mut whole, usize::MAX);
        let at = cut.index(whole.len() + 1);
        let early = ExecutionProgress::from_experiment_steps(&plan, &whole[..at], |cell, _| value(cell)).unwrap();
        prop_assert_eq!(early.next_cell().map(|c| c.number), ended(&whole[at..]).first().copied());
        let left = early.remaining_work(|_| Some(Nanos::SECOND));
        let rest = u32::try_from(ended(&whole[at..]).len()).unwrap();
        prop_assert!(left.cells_least <= rest && rest <= left.cells_most, "{left:?} {rest}");
    }
}

#[test]
fn a_stored_run_finds_its_plan_again() {
    // If this fails, `--resume` of older runs would confuse their cells.
    let two = Experiment {
        probes: vec![probe(0, BTreeMap::new()), probe(1, BTreeMap::new())],
        order: ExecutionOrder { shuffled: true, seed: 2024 },
        repeats: RepeatPolicy { warm_up: 0, least: 2, most: 2, width_percent: None },
        ..sample::experiment(vec![factor(0, 2, true), factor(1, 3, false)])
    };
    let plan = ExecutionPlan::from_experiment(&two).unwrap();
    let cell =
        |c: &CellExecution| format!("{}{}{}", &c.levels["f0"][1..], &c.levels["f1"][1..], &c.probe[1..]);
    let order: Vec<String> = plan.cells.iter().map(cell).collect();
    assert_eq!(order.join(" "), GOLDEN);
}

/// First factor's level, second's, probe.
const GOLDEN: &str =
    "010 011 021 020 000 001 121 120 111 110 101 100 000 001 011 010 020 021 121 120 110 111 100 101";
