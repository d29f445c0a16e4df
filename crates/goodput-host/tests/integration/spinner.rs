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

/// In per cent of the pinned CPU.
struct Round {
    before: f64,
    busy: f64,
    after: f64,
    own: f64,
    unattributed: f64,
}

impl Round {
    fn charged(&self) -> f64 {
        self.busy - (self.before + self.after) / 2.0
    }

    fn quiet(&self) -> bool {
        (self.before - self.after).abs() <= QUIET && self.before.max(self.after) <= IDLE
    }
}

fn pin(cpu: u32) {
    let mut set = CpuSet::new();
    set.set(cpu as usize).expect("a CPU number");
    sched_setaffinity(Pid::from_raw(0), &set).expect("this process may run on its own CPUs");
}

/// Returns busy, and what tick samples omit.
fn account(cpu: u32, work: impl FnOnce()) -> (CpuAccounting, f64, f64) {
    let before = CpuSnapshot::take().expect("this is Linux");
    work();
    let account = before.difference_to(&CpuSnapshot::take().expect("this is Linux"));
    let times = *account.cpus.iter().find(|c| c.cpu == Some(cpu)).expect("the CPU is online");
    let busy = account.busy_percent(&times).expect("longer than a second").0;
    let sampled = account.time_percent(&times, |_, t| t.user_ns + t.system_ns + t.softirq_ns + t.irq_ns);
    let sampled = sampled.expect("longer than a second").0;
    (account, busy, busy - sampled)
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

fn round(cpu: u32, period: Duration, part: f64) -> Round {
    let idle = || account(cpu, || std::thread::sleep(BASELINE)).1;
    let before = idle();
    let mut used = 0;
    let (whole, busy, unattributed) = account(cpu, || used = spin(period, part));
    let after = idle();
    Round { before, busy, after, own: used as f64 * 100.0 / whole.elapsed().0 as f64, unattributed }
}

#[test]
#[ignore = "four minutes on a machine that does nothing else: make prove"]
fn busy_less_the_idle_baseline_is_the_spinners_own_time() {
    let cpus = std::thread::available_parallelism().expect("a number of CPUs").get() as u32;
    let cpu = cpus - 1;
    pin(cpu);
    println!(
        "CPU {cpu}; per cent of it; a round on a machine that was not quiet is made again, up to 3 times"
    );
    println!("period  part  before    busy   after  charged  own clock  difference  unattributed");
    let mut wrong = Vec::new();
    for period in [3, 17, 101] {
        for part in [0.25, 0.50, 0.75] {
            let mut tries = 0;
            let r = loop {
                let r = round(cpu, Duration::from_millis(period), part);
                tries += 1;
                let difference = r.charged() - r.own;
                println!(
                    "{period:>4} ms {:>4.0} % {:>6.2} {:>7.2} {:>7.2} {:>8.2} {:>10.2} {difference:>11.2} {:>13.2}{}",
                    part * 100.0,
                    r.before,
                    r.busy,
                    r.after,
                    r.charged(),
                    r.own,
                    r.unattributed,
                    if r.quiet() { "" } else { "  not quiet" }
                );
                if r.quiet() || tries == 3 {
                    break r;
                }
            };
            if !r.quiet() {
                wrong.push(format!("{period} ms {part}: the machine was never quiet"));
            } else if (r.charged() - r.own).abs() > POINTS {
                wrong.push(format!("{period} ms {part}: {:.2} against {:.2}", r.charged(), r.own));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
