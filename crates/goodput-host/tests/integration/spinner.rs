//! CPU usage against a spinner with a known CPU clock: `make prove`, on an idle machine, about four minutes.

use goodput_host::cpu::{CpuSnapshot, thread_cpu_time_ns};
use goodput_model::CpuAccounting;
use nix::sched::{CpuSet, sched_setaffinity};
use nix::unistd::Pid;
use std::time::{Duration, Instant};

const WINDOW: Duration = Duration::from_secs(10);
/// Duration of the idle measurement before and after.
const BASELINE: Duration = Duration::from_secs(5);
/// Allowed difference in points of one CPU.
const POINTS: f64 = 1.0;
/// Larger baseline changes, in points, indicate other work.
const QUIET: f64 = 0.5;
/// Higher baselines, in per cent, are not idle.
const IDLE: f64 = 5.0;

fn pin(cpu: u32) {
    let mut set = CpuSet::new();
    set.set(cpu as usize).expect("a CPU number");
    sched_setaffinity(Pid::from_raw(0), &set).expect("this process may run on its own CPUs");
}

/// Returns the account and the CPU's busy percentage.
fn account(cpu: u32, work: impl FnOnce()) -> (CpuAccounting, f64) {
    let before = CpuSnapshot::take().expect("this is Linux");
    work();
    let account = before.difference_to(&CpuSnapshot::take().expect("this is Linux"));
    let times = *account.cpus.iter().find(|c| c.cpu == Some(cpu)).expect("the CPU is online");
    let busy = account.busy_percent(&times).expect("longer than a second");
    (account, busy)
}

/// Spins for part of each period until the window's end; returns the CPU time in ns.
fn spin(period: Duration, part: f64) -> u64 {
    let used = || thread_cpu_time_ns().expect("every Linux has this clock");
    let (start, from) = (Instant::now(), used());
    let mut turn = 0u32;
    while start.elapsed() < WINDOW {
        let end = (period * turn + period.mul_f64(part)).min(WINDOW);
        while start.elapsed() < end {
            std::hint::spin_loop();
        }
        turn += 1;
        std::thread::sleep((period * turn).min(WINDOW).saturating_sub(start.elapsed()));
    }
    used() - from
}

/// Busy less the idle baseline and the spinner's own time, in per cent of the pinned CPU; `None` where the
/// machine was not quiet.
fn round(cpu: u32, period: Duration, part: f64) -> Option<f64> {
    let idle = || account(cpu, || std::thread::sleep(BASELINE)).1;
    let before = idle();
    let mut used = 0;
    let (whole, busy) = account(cpu, || used = spin(period, part));
    let after = idle();
    let own = used as f64 * 100.0 / whole.elapsed().0 as f64;
    let difference = busy - (before + after) / 2.0 - own;
    let quiet = (before - after).abs() <= QUIET && before.max(after) <= IDLE;
    println!("{period:?} {part} {before:.2} {busy:.2} {after:.2} {own:.2} {difference:.2} {quiet}");
    quiet.then_some(difference)
}

#[test]
#[ignore = "four minutes on a machine that does nothing else: make prove"]
fn busy_less_the_idle_baseline_is_the_spinners_own_time() {
    let cpu = std::thread::available_parallelism().expect("a number of CPUs").get() as u32 - 1;
    pin(cpu);
    println!("CPU {cpu}, in per cent of it: period, part, before, busy, after, own clock, difference, quiet");
    let mut wrong = Vec::new();
    for period in [3, 17, 101] {
        for part in [0.25, 0.50, 0.75] {
            // A round on a machine that was not quiet is repeated.
            match (0..3).find_map(|_| round(cpu, Duration::from_millis(period), part)) {
                None => wrong.push(format!("{period} ms {part}: the machine was never quiet")),
                Some(difference) if difference.abs() > POINTS => {
                    wrong.push(format!("{period} ms {part}: {difference:.2} beyond its own time"));
                }
                Some(_) => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
