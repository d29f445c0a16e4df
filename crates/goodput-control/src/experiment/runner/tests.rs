use super::*;
use goodput_experiment::ExperimentFile;
use goodput_model::TrialId;
use std::cell::{Cell as Shared, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[derive(Default)]
struct World {
    log: RefCell<Vec<ExperimentStep>>,
    settings: RefCell<BTreeMap<String, String>>,
    journal: RefCell<BTreeMap<String, String>>,
    trials: Shared<u32>,
    /// Remaining effects until the program is killed; 0 for never.
    left: Shared<u32>,
    /// Steps that can still be recorded.
    space: Shared<Option<u32>>,
}

impl World {
    fn tick(&self) {
        let left = self.left.get();
        self.left.set(left.saturating_sub(1));
        if left == 1 {
            resume_unwind(Box::new("killed"));
        }
    }
}

/// A level that cannot be set, or does not last.
#[derive(Default, Clone, Copy)]
struct Trouble {
    refused: Option<&'static str>,
    lost: Option<&'static str>,
    everything: bool,
}

struct Fake<'w> {
    world: &'w World,
    trouble: Trouble,
}

impl LevelSetter for Fake<'_> {
    fn prepare_factors(&mut self, _: &[&Factor]) -> Result<Vec<ExperimentStep>, Message> {
        Ok(self.restore_all())
    }

    fn set_levels(&mut self, changes: &[LevelChange<'_>]) -> Result<Vec<Vec<String>>, Message> {
        for change in changes {
            let (name, value) = (&change.factor.name, &change.level.value);
            if self.trouble.everything || self.trouble.refused == Some(value.as_str()) {
                return Err(format!("{value} is not valid").into());
            }
            let before = self.world.settings.borrow()[name].clone();
            self.world.journal.borrow_mut().entry(name.clone()).or_insert(before);
            self.world.tick();
            self.world.settings.borrow_mut().insert(name.clone(), value.clone());
            self.world.tick();
        }
        Ok(changes.iter().map(|c| vec![format!("b: {}", c.level.value)]).collect())
    }

    fn verify_levels(&mut self, in_place: &[LevelChange<'_>]) -> Result<(), Message> {
        match in_place.iter().find(|c| self.trouble.lost == Some(c.level.value.as_str())) {
            Some(lost) => Err(format!("{} is gone", lost.level.value).into()),
            None => Ok(()),
        }
    }

    fn forget_lab_settings(&mut self, _: &str) {}

    fn restore_all(&mut self) -> Vec<ExperimentStep> {
        let journal = self.world.journal.borrow().clone();
        let mut steps = Vec::new();
        for (factor, before) in journal {
            self.world.tick();
            self.world.settings.borrow_mut().insert(factor.clone(), before.clone());
            self.world.tick();
            self.world.journal.borrow_mut().remove(&factor);
            steps.push(ExperimentStep::Restored { factor, obtained: vec![before] });
        }
        steps
    }
}

struct Meter<'w> {
    world: &'w World,
    experiment: Experiment,
    cancel_at: Option<u32>,
}

impl CommandRunner for Meter<'_> {
    fn run_command(
        &mut self,
        cell: &CellExecution,
        words: &[String],
        limit: Duration,
        cancel: &CancelFlag,
    ) -> CommandOutcome {
        assert_eq!(limit, Duration::from_secs(7));
        let settings = self.world.settings.borrow().clone();
        for factor in host_setting_factors(&self.experiment) {
            assert_eq!(settings[&factor.name], cell.levels[&factor.name], "cell {}", cell.number);
        }
        assert_eq!(words, ["stream", "lab:b", "--congestion", cell.levels["cc"].as_str()]);
        self.world.tick();
        let trial = self.world.trials.get() + 1;
        self.world.trials.set(trial);
        self.world.tick();
        let outcome = match cell.number {
            number if self.cancel_at == Some(number) => {
                cancel.cancel();
                None
            }
            3 => Some(CellOutcome::TimedOut),
            4 => Some(CellOutcome::Failed { cause: "refused".into() }),
            _ => Some(CellOutcome::Done),
        };
        CommandOutcome { figure: outcome.is_some().then_some(1.0), outcome, trials: vec![TrialId(trial)] }
    }
}

fn experiment() -> Experiment {
    let text = r#"
title = "X"
hosts = { server = "lab:b" }
seed = 7
repeats = 2
factor = [
  { name = "mtu", levels = ["1500", "9000"], command = { on = "server", set = "mtu {level}" } },
  { name = "cc", levels = ["cubic", "reno"] },
  { name = "gro", levels = ["on", "off"], command = { on = "server", set = "gro {level}" } },
]
[[probe]]
name = "tcp"
run = "stream {server} --congestion {cc}"
measures = ["goodput_bps"]
time_limit = "7s"
"#;
    ExperimentFile::parse("x", text).unwrap().experiment
}

fn before() -> BTreeMap<String, String> {
    [("mtu", "1492"), ("gro", "maybe")].map(|(name, value)| (name.into(), value.into())).into()
}

fn world() -> World {
    World { settings: before().into(), ..World::default() }
}

fn live(world: &World, trouble: Trouble, cancel_at: Option<u32>) -> RunOutcome {
    let experiment = experiment();
    let plan = ExecutionPlan::from_experiment(&experiment).unwrap();
    let steps = world.log.borrow().clone();
    let mut progress = ExecutionProgress::from_experiment_steps(&plan, &steps, |_, _| Some(1.0)).unwrap();
    let mut level_setter = Fake { world, trouble };
    let mut meter = Meter { world, experiment: experiment.clone(), cancel_at };
    let mut record = |step: &ExperimentStep| {
        match world.space.get() {
            Some(0) => return Err(Message::from("no space left on device")),
            space => world.space.set(space.map(|steps| steps - 1)),
        }
        world.tick();
        world.log.borrow_mut().push(step.clone());
        world.tick();
        Ok(())
    };
    if !steps.is_empty() {
        let step = ExperimentStep::Resumed { at: now_rfc3339() };
        record(&step).unwrap();
        progress.apply_experiment_step(&step, |_, _| None).unwrap();
    }
    let parts = ExperimentRunner {
        experiment: &experiment,
        plan: &plan,
        level_setter: &mut level_setter,
        measuring: &mut meter,
        record: &mut record,
        tell: &mut |_, _| {},
        cancel: &CancelFlag::default(),
    };
    run_cells(parts, &mut progress)
}

fn ended(world: &World) -> BTreeMap<u32, Vec<CellOutcome>> {
    let mut ended: BTreeMap<u32, Vec<CellOutcome>> = BTreeMap::new();
    for step in world.log.borrow().iter() {
        if let ExperimentStep::CellEnded { number, outcome, .. } = step {
            ended.entry(*number).or_default().push(outcome.clone());
        }
    }
    ended
}

fn restored(world: &World) {
    assert_eq!(*world.settings.borrow(), before());
    assert!(world.journal.borrow().is_empty());
}

/// Killed at every possible moment, then resumed.
#[test]
fn a_kill_at_any_moment_repeats_nothing_and_loses_nothing() {
    let mut moments = 0;
    loop {
        let world = world();
        world.left.set(moments + 1);
        let killed = catch_unwind(AssertUnwindSafe(|| live(&world, Trouble::default(), None))).is_err();
        if !killed {
            break;
        }
        moments += 1;
        let before = ended(&world);
        let resumed = live(&world, Trouble::default(), None);
        assert_eq!(
            (resumed.end, resumed.not_restored),
            (Ok(RunCompletion::Done), vec![]),
            "moment {moments}"
        );
        let after = ended(&world);
        let failed = matches!(after[&4][..], [CellOutcome::Failed { .. }]);
        assert!(failed && after[&3] == [CellOutcome::TimedOut] && after[&5] == [CellOutcome::Done]);
        assert!(before.iter().all(|(number, outcomes)| after[number] == *outcomes), "moment {moments}");
        assert!(after.len() == 16 && after.values().all(|o| o.len() == 1), "moment {moments}: {after:?}");
        restored(&world);
    }
    assert!(moments > 100, "{moments}");
}

#[test]
fn a_run_that_was_interrupted_or_in_which_nothing_can_be_set_goes_on_later() {
    let nothing = Trouble { everything: true, ..Trouble::default() };
    for (trouble, cancel_at) in [(Trouble::default(), Some(6)), (nothing, None)] {
        let world = world();
        let end = live(&world, trouble, cancel_at).end;
        let tried = ended(&world).len();
        match &end {
            Ok(RunCompletion::Interrupted) => assert_eq!((tried, cancel_at), (5, Some(6))),
            Ok(RunCompletion::Stopped { cause }) => {
                assert!((4..12).contains(&tried) && cause.contains("times in a row"), "{tried}: {cause}");
            }
            other => panic!("{other:?}"),
        }
        restored(&world);
        assert_eq!(live(&world, Trouble::default(), None).end, Ok(RunCompletion::Done));
        assert_eq!(ended(&world).len(), 16);
    }
}

#[test]
fn a_level_that_cannot_be_set_or_is_lost_costs_its_own_cells_only() {
    let (refusing, losing) = (world(), world());
    let runner_outcome = live(&refusing, Trouble { refused: Some("9000"), ..Trouble::default() }, None);
    assert_eq!(runner_outcome.end, Ok(RunCompletion::Done));
    let cells = ended(&refusing);
    let not_set = cells.values().flatten().filter(|o| matches!(o, CellOutcome::NotSet { .. })).count();
    assert_eq!((cells.len(), not_set, refusing.trials.get()), (16, 8, 8));
    restored(&refusing);

    live(&losing, Trouble { lost: Some("off"), ..Trouble::default() }, None);
    let told = |o: &&CellOutcome| matches!(o, CellOutcome::NotSet { cause } if cause.contains("off is gone"));
    // Cells that failed by themselves keep their own reason.
    let lost = ended(&losing).values().flatten().filter(told).count();
    assert!((6..=8).contains(&lost), "{lost}");
    assert_eq!(losing.trials.get(), 16);
}

#[test]
fn a_run_that_cannot_be_written_ends_and_is_put_back() {
    let world = world();
    world.space.set(Some(8));
    let runner_outcome = live(&world, Trouble::default(), None);
    assert_eq!(runner_outcome.end, Err(RunnerError::Record("no space left on device".into())));
    restored(&world);
}
