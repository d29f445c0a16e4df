//! CPU time per byte, measured externally and equally for every contender.
//!
//! A sample every 50 ms has the kernel's idle clock and the receiver's byte counter. Over the middle 90 % of
//! the bytes: busy time of the machine (elapsed − idle − iowait − steal − busy time without load) per byte on
//! the cable, times cable bytes per user byte or datagram. Excludes start and end of programs.
//!
//! For a paced sender also the CPU time of its process and CPU.

use crate::error::BenchError;
use crate::network::{Host, Network};
use crate::sys;
use goodput_host::cpu::CpuSnapshot;
use std::time::{Duration, Instant};

const SAMPLE_INTERVAL: Duration = Duration::from_millis(50);

pub struct Meter<'a> {
    network: &'a Network,
    samples: Vec<Sample>,
    next: Instant,
    watched: Option<CpuWatch>,
}

struct Sample {
    clocks: CpuSnapshot,
    /// Cumulative.
    bytes: u64,
    /// Cumulative; `None` without a process.
    process_ns: Option<u64>,
}

#[derive(Debug, Clone, Copy)]
pub struct CpuWatch {
    pub pid: u32,
    pub cpu: u32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cost {
    /// Busy ns of the whole machine per byte on the cable.
    pub ns_per_cable_byte: f64,
    pub cable_bytes: u64,
    pub process_share: Option<f64>,
    /// Busy share of its CPU, by any process.
    pub cpu_share: Option<f64>,
}

impl Cost {
    /// Busy ns of the whole machine per unit; `units` counts the whole trial.
    pub fn ns_each(&self, units: Option<u64>) -> Option<f64> {
        let units = units.filter(|u| *u > 0)?;
        let each = self.ns_per_cable_byte * self.cable_bytes as f64 / units as f64;
        // A negative cost only shows that the machine was not idle.
        (each > 0.0).then_some(each)
    }
}

impl<'a> Meter<'a> {
    pub fn start(network: &'a Network) -> Result<Meter<'a>, BenchError> {
        let samples = Vec::with_capacity(128);
        let mut meter = Meter { network, samples, next: Instant::now(), watched: None };
        meter.sample()?;
        Ok(meter)
    }

    /// Also samples the CPU time of this process.
    pub fn watch(&mut self, watched: CpuWatch) {
        self.watched = Some(watched);
    }

    pub fn tick(&mut self) -> Result<(), BenchError> {
        if Instant::now() >= self.next { self.sample() } else { Ok(()) }
    }

    fn sample(&mut self) -> Result<(), BenchError> {
        let (clocks, bytes) = (CpuSnapshot::take()?, self.network.received(Host::B)?);
        let process_ns = self.watched.and_then(|w| sys::process_cpu_ns(w.pid).ok());
        self.samples.push(Sample { clocks, bytes, process_ns });
        self.next = Instant::now() + SAMPLE_INTERVAL;
        Ok(())
    }

    /// `idle` is the machine's busy share without load, in CPUs.
    pub fn stop(mut self, idle: f64) -> Result<Option<Cost>, BenchError> {
        self.sample()?;
        let bytes: Vec<u64> = self.samples.iter().map(|s| s.bytes).collect();
        let Some((from, to)) = middle(&bytes) else { return Ok(None) };
        let (first, last) = (&self.samples[from], &self.samples[to]);
        let elapsed = elapsed_ns(&first.clocks, &last.clocks);
        let busy = busy_ns(&first.clocks, &last.clocks) - idle * elapsed;
        let moved = (last.bytes - first.bytes) as f64;
        let cable_bytes = bytes[bytes.len() - 1] - bytes[0];
        let used = first.process_ns.zip(last.process_ns).map(|(a, b)| b.saturating_sub(a));
        Ok(Some(Cost {
            ns_per_cable_byte: busy / moved,
            cable_bytes,
            process_share: used.map(|ns| ns as f64 / elapsed),
            cpu_share: self.watched.and_then(|w| cpu_share(&first.clocks, &last.clocks, w.cpu)),
        }))
    }

    /// Busy share without load, in CPUs, including this sampling.
    pub fn idle(network: &'a Network, over: Duration) -> Result<f64, BenchError> {
        let mut meter = Meter::start(network)?;
        let until = Instant::now() + over;
        while Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
            meter.tick()?;
        }
        meter.sample()?;
        let (first, last) = (&meter.samples[0].clocks, &meter.samples[meter.samples.len() - 1].clocks);
        Ok(busy_ns(first, last) / elapsed_ns(first, last))
    }
}

fn elapsed_ns(first: &CpuSnapshot, last: &CpuSnapshot) -> f64 {
    first.difference_to(last).elapsed().0 as f64
}

/// elapsed − idle − iowait − steal of all CPUs (DESIGN section 2).
fn busy_ns(first: &CpuSnapshot, last: &CpuSnapshot) -> f64 {
    let account = first.difference_to(last);
    let all = account.elapsed().0 as f64 * account.cpus.len() as f64;
    (all - (account.total.idle_ns + account.total.iowait_ns + account.total.steal_ns) as f64).max(0.0)
}

fn cpu_share(first: &CpuSnapshot, last: &CpuSnapshot, cpu: u32) -> Option<f64> {
    let account = first.difference_to(last);
    let times = account.cpus.iter().find(|c| c.cpu == Some(cpu))?;
    let not_busy = (times.idle_ns + times.iowait_ns + times.steal_ns) as f64;
    Some((1.0 - not_busy / account.elapsed().0 as f64).max(0.0))
}

/// The samples around the middle nine tenths of the bytes; `None` if too few.
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
    fn a_cost_is_spread_over_what_arrived() {
        let cost = |ns_per_cable_byte| {
            let (cable_bytes, process_share, cpu_share) = (1_000, None, None);
            Cost { ns_per_cable_byte, cable_bytes, process_share, cpu_share }
        };
        assert_eq!(cost(2.0).ns_each(Some(10)), Some(200.0));
        assert_eq!((cost(-0.1).ns_each(Some(10)), cost(2.0).ns_each(Some(0))), (None, None));
        assert_eq!(cost(2.0).ns_each(None), None);
    }

    #[test]
    fn the_middle_leaves_out_start_and_end() {
        let bytes = [0, 0, 0, 10, 110, 210, 310, 410, 510, 610, 710, 800, 800, 800];
        assert_eq!(middle(&bytes), Some((4, 10)));
        assert_eq!(middle(&[0, 0, 0]), None);
        assert_eq!(middle(&[0, 500, 1000]), None);
    }
}
