//! The CPU account of this machine against a thread that uses a known amount of CPU time.

use goodput_host::cpu::{Snapshot, thread_time_ns};
use goodput_model::CpuAccount;
use std::time::{Duration, Instant};

/// Uses `ns` of CPU; returns the actual use.
fn burn(ns: u64) -> u64 {
    let clock = || thread_time_ns().expect("every Linux has this clock");
    let start = clock();
    loop {
        let used = clock() - start;
        if used >= ns {
            return used;
        }
    }
}

/// The thread's clock is a lower bound. Steal and iowait may deviate by a tick each.
#[test]
fn busy_time_contains_the_time_of_a_thread() {
    let start = Instant::now();
    let before = Snapshot::take().unwrap();
    let used = burn(600_000_000);
    while start.elapsed() < Duration::from_millis(1_100) {
        std::thread::yield_now();
    }
    let account = before.account(&Snapshot::take().unwrap());

    let busy_percent = account.busy(&account.total).expect("longer than a second").0;
    let whole = account.elapsed().0 as f64 * account.cpus.len() as f64;
    let busy_ns = busy_percent / 100.0 * whole;
    let ticks = 3.0 * 10_000_000.0;
    assert!(busy_ns + ticks >= used as f64, "busy {busy_ns} ns, the thread alone {used} ns");
    assert!(account.process_ns >= used, "the process {} ns, its thread {used} ns", account.process_ns);
    assert!(busy_percent <= 100.0);
}

/// 50 % load on an idle machine is measured as 50 %, even in periods far shorter than a tick.
#[test]
#[ignore = "needs a machine that does nothing else"]
fn a_duty_cycle_is_seen_as_it_is() {
    let window = |work: &mut dyn FnMut()| {
        let before = Snapshot::take().expect("this is Linux");
        work();
        before.account(&Snapshot::take().expect("this is Linux"))
    };
    let of_one_cpu = |account: &CpuAccount| {
        account.busy(&account.total).expect("longer than a second").0 * account.cpus.len() as f64
    };
    let idle = window(&mut || std::thread::sleep(Duration::from_secs(3)));
    let background = of_one_cpu(&idle);
    for piece in [Duration::from_micros(2_500), Duration::from_micros(100)] {
        let mut used = 0;
        let account = window(&mut || {
            let start = Instant::now();
            while start.elapsed() < Duration::from_secs(3) {
                used += burn(piece.as_nanos() as u64);
                std::thread::sleep(piece);
            }
        });
        let seen = of_one_cpu(&account) - background;
        let thread = used as f64 * 100.0 / account.elapsed().0 as f64;
        let ticks =
            (account.total.user_ns + account.total.system_ns) as f64 * 100.0 / account.elapsed().0 as f64;
        println!(
            "{piece:?}: thread {thread:.2} %, seen {seen:.2} % of one CPU (background {background:.2} % \
             taken off), user and system ticks {ticks:.2} %"
        );
        // Idle transitions are not charged to a thread; at thousands per second they are a large part of busy
        // time.
        let most = if piece < Duration::from_millis(1) { f64::INFINITY } else { thread + 5.0 };
        assert!(thread - 5.0 < seen && seen < most, "{piece:?}: seen {seen}, thread {thread}");
    }
}
