//! Runs a fuzz target within its bound of memory. `make test` includes this file: `crates/goodput/tests/fuzz_targets.rs`.

mod sys;
pub mod targets;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use targets::Target;

#[global_allocator]
static ALLOCATOR: sys::CountingAllocator = sys::CountingAllocator;

static SLOWEST_US: AtomicU64 = AtomicU64::new(1_000);

/// Panics for a target that has allocated more than it may. Prints an input that took longer than all before it.
pub fn run(target: &Target, data: &[u8]) {
    let before = sys::restart_peak();
    let began = Instant::now();
    (target.run)(data);
    let took = began.elapsed().as_micros() as u64;
    let peak = sys::peak_bytes().saturating_sub(before) >> 20;
    assert!(peak < target.most_mib, "{} has allocated {peak} MiB for {} bytes", target.name, data.len());
    if SLOWEST_US.fetch_max(took, Ordering::Relaxed) < took {
        eprintln!("slowest: {took} us for {} bytes", data.len());
    }
}
