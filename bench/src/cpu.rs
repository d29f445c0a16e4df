//! CPU time per byte, measured from outside and alike for every contender.
//!
//! While a trial runs, the kernel's idle clock and the byte counter of the receiving end of the cable are read
//! together every 50 ms. From the span in which the middle nine tenths of the bytes arrived: busy time of the
//! whole machine (elapsed − idle − iowait − steal, less what it is busy when nothing is measured) per byte on
//! the cable, times the cable's bytes per user byte. So start-up and shut-down of a program are not charged.

use crate::error::BenchError;
use crate::network::{Host, Network};
use goodput_host::cpu::Snapshot;
use std::time::{Duration, Instant};

/// Time between two samples.
const EVERY: Duration = Duration::from_millis(50);

/// Samples of one trial.
pub struct Meter<'a> {
    network: &'a Network,
    samples: Vec<(Snapshot, u64)>,
    next: Instant,
}

/// What a trial cost.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Busy ns of the whole machine a byte on the cable.
    pub ns_per_cable_byte: f64,
    /// Bytes on the cable over the whole trial.
    pub cable_bytes: u64,
}

impl<'a> Meter<'a> {
    /// Takes the first sample.
    pub fn start(network: &'a Network) -> Result<Meter<'a>, BenchError> {
        let mut meter = Meter { network, samples: Vec::with_capacity(128), next: Instant::now() };
        meter.sample()?;
        Ok(meter)
    }

    /// Takes a sample if it is time to.
    pub fn tick(&mut self) -> Result<(), BenchError> {
        if Instant::now() >= self.next { self.sample() } else { Ok(()) }
    }

    fn sample(&mut self) -> Result<(), BenchError> {
        self.samples.push((Snapshot::take()?, self.network.received(Host::B)?));
        self.next = Instant::now() + EVERY;
        Ok(())
    }

    /// Takes the last sample and computes. `idle` is the machine's busy share without load, in CPUs.
    pub fn stop(mut self, idle: f64) -> Result<Option<Cost>, BenchError> {
        self.sample()?;
        let bytes: Vec<u64> = self.samples.iter().map(|s| s.1).collect();
        let Some((from, to)) = middle(&bytes) else { return Ok(None) };
        let (first, last) = (&self.samples[from], &self.samples[to]);
        let busy = busy_ns(&first.0, &last.0) - idle * elapsed_ns(&first.0, &last.0);
        let moved = (last.1 - first.1) as f64;
        let cable_bytes = bytes[bytes.len() - 1] - bytes[0];
        Ok(Some(Cost { ns_per_cable_byte: busy / moved, cable_bytes }))
    }

    /// How busy the machine is with nothing to do but this sampling, in CPUs, over this long.
    pub fn idle(network: &'a Network, over: Duration) -> Result<f64, BenchError> {
        let mut meter = Meter::start(network)?;
        let until = Instant::now() + over;
        while Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
            meter.tick()?;
        }
        meter.sample()?;
        let (first, last) = (&meter.samples[0].0, &meter.samples[meter.samples.len() - 1].0);
        Ok(busy_ns(first, last) / elapsed_ns(first, last))
    }
}

fn elapsed_ns(first: &Snapshot, last: &Snapshot) -> f64 {
    first.account(last).elapsed().0 as f64
}

/// Busy time of all CPUs together: elapsed − idle − iowait − steal (DESIGN section 2).
fn busy_ns(first: &Snapshot, last: &Snapshot) -> f64 {
    let account = first.account(last);
    let all = account.elapsed().0 as f64 * account.cpus.len() as f64;
    (all - (account.total.idle_ns + account.total.iowait_ns + account.total.steal_ns) as f64).max(0.0)
}

/// The samples between which the middle nine tenths of the bytes arrived; `None` when too few lie there.
fn middle(bytes: &[u64]) -> Option<(usize, usize)> {
    let (first, last) = (*bytes.first()?, *bytes.last()?);
    let edge = (last - first) / 20;
    let from = bytes.iter().position(|&b| b > first + edge)?;
    let to = bytes.iter().rposition(|&b| b < last - edge)?;
    (to > from + 3).then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_leaves_out_start_and_end() {
        let bytes = [0, 0, 0, 10, 110, 210, 310, 410, 510, 610, 710, 800, 800, 800];
        assert_eq!(middle(&bytes), Some((4, 10)));
        assert_eq!(middle(&[0, 0, 0]), None);
        assert_eq!(middle(&[0, 500, 1000]), None);
    }
}
