//! The CPU account of this machine against a thread that uses a known amount of CPU time.

use goodput_host::cpu::{CpuSnapshot, thread_cpu_time_ns};
use std::time::{Duration, Instant};

/// Uses `ns` of CPU; returns the actual use.
fn burn(ns: u64) -> u64 {
    let clock = || thread_cpu_time_ns().expect("every Linux has this clock");
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
    let before = CpuSnapshot::take().unwrap();
    let used = burn(600_000_000);
    while start.elapsed() < Duration::from_millis(1_100) {
        std::thread::yield_now();
    }
    let account = before.difference_to(&CpuSnapshot::take().unwrap());

    let busy_percent = account.busy_percent(&account.total).expect("longer than a second");
    let whole = account.elapsed().0 as f64 * account.cpus.len() as f64;
    let busy_ns = busy_percent / 100.0 * whole;
    let ticks = 3.0 * 10_000_000.0;
    assert!(busy_ns + ticks >= used as f64, "busy {busy_ns} ns, the thread alone {used} ns");
    assert!(account.process_ns >= used, "the process {} ns, its thread {used} ns", account.process_ns);
    assert!(busy_percent <= 100.0);
}
