//! Random plans that an `.icf` can hold.

use crate::iometer::plan::{DEFAULT_ASSIGNMENT_NAMES, RECORD_RESULTS_NAMES, TEST_TYPE_NAMES};
use crate::iometer::*;
use goodput_model::units::Nanos;
use proptest::collection::vec;
use proptest::prelude::*;

fn name() -> impl Strategy<Value = String> {
    "[A-Za-z0-9(%][A-Za-z0-9 .;%()'-]{0,18}[A-Za-z0-9)]".prop_map(String::from)
}

fn steps() -> impl Strategy<Value = CycleSteps> {
    let growth = prop_oneof![Just(StepGrowth::Linear), Just(StepGrowth::Exponential)];
    (0u32..40, 0u32..5, growth).prop_map(|(start, step, growth)| CycleSteps { start, step, growth })
}

fn line() -> impl Strategy<Value = AccessSpecLine> {
    let percents = (0u8..=100, 0u8..=100);
    let rest = (any::<u32>(), 1u32.., any::<u32>(), any::<u32>());
    (1u32.., percents, rest).prop_map(
        |(size, (reads_percent, random_percent), (delay_ms, burst, align, reply))| AccessSpecLine {
            size,
            share_percent: 0,
            reads_percent,
            random_percent,
            delay_ms,
            burst,
            align,
            reply,
        },
    )
}

fn lines() -> impl Strategy<Value = Vec<AccessSpecLine>> {
    vec((line(), 0u8..=100), 1..5).prop_map(|mut lines| {
        let mut left = 100u8;
        let last = lines.len() - 1;
        for (i, (line, part)) in lines.iter_mut().enumerate() {
            line.share_percent = if i == last { left } else { (*part).min(left) };
            left -= line.share_percent;
        }
        lines.into_iter().map(|(line, _)| line).collect()
    })
}

fn worker(managers: usize, specs: usize) -> impl Strategy<Value = IometerWorker> {
    let network = (address(), address(), any::<bool>(), 0..managers).prop_map(
        |(local_interface, address, has, manager)| WorkerLoad::Network {
            local_interface,
            target: (has && !address.is_empty()).then_some(WorkerTarget { address, manager }),
        },
    );
    let disk = (any::<u64>(), any::<u64>(), 0u8..3, vec(name(), 0..3)).prop_map(
        |(maximum_size, starting_sector, pattern, targets)| WorkerLoad::Disk {
            maximum_size,
            starting_sector,
            pattern,
            targets,
        },
    );
    let assigned = vec(proptest::option::of(0..specs), 0..4);
    let numbers = (0u32..100, any::<bool>(), 0u32..100, proptest::option::of(any::<u64>()));
    (name(), prop_oneof![3 => network, 1 => disk], numbers, assigned).prop_map(
        |(name, work, numbers, specs)| {
            let (outstanding, test_connection_rate, transactions_per_connection, fixed_seed) = numbers;
            IometerWorker {
                name,
                work,
                outstanding,
                test_connection_rate,
                transactions_per_connection,
                fixed_seed,
                specs,
            }
        },
    )
}

fn address() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z]{1,8}", "10\\.9\\.0\\.[1-9]"]
}

pub(super) fn plan() -> impl Strategy<Value = IometerPlan> {
    (1usize..4, 1usize..4).prop_flat_map(|(managers, specs)| {
        let spec = (name(), lines(), 0usize..4);
        let manager = (name(), address(), vec(worker(managers, specs), 0..4));
        let setup = (
            prop_oneof![Just(String::new()), name()],
            (0u64..100_000, 0u64..1000),
            (0usize..8, 0usize..5),
            (steps(), steps(), steps(), 0u32..100),
        );
        (setup, vec(spec, specs), vec(manager, managers)).prop_map(|(setup, specs, managers)| {
            let (description, (run, ramp), (test, record), cycling) = setup;
            let (worker_cycling, target_cycling, queue_cycling, queue_end) = cycling;
            let specs = specs.into_iter().enumerate().map(|(i, (name, lines, assignment))| AccessSpec {
                name: format!("{i}{name}"),
                assignment: DEFAULT_ASSIGNMENT_NAMES[assignment].1,
                lines,
            });
            let managers = managers.into_iter().enumerate().map(|(m, (name, address, mut workers))| {
                for worker in &mut workers {
                    // No manager is its own target.
                    if let WorkerLoad::Network { target, .. } = &mut worker.work {
                        *target = target.take().filter(|target| target.manager != m);
                    }
                }
                IometerManager { id: m as u32 + 1, name, address, workers }
            });
            IometerPlan {
                description,
                run_time: Nanos(run * 1_000_000_000),
                ramp_up: Nanos(ramp * 1_000_000_000),
                record: RECORD_RESULTS_NAMES[record].1,
                test: TEST_TYPE_NAMES[test].1,
                worker_cycling,
                target_cycling,
                queue_cycling,
                queue_end,
                specs: specs.collect(),
                managers: managers.collect(),
            }
        })
    })
}
