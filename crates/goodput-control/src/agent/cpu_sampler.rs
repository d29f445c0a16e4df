//! Samples this host's CPU once a second for live views. Stops when sampling itself costs too much.

use goodput_host::cpu::{CpuSnapshot, thread_cpu_time_ns};
use std::time::{Duration, Instant};

/// Slightly above the one second that a CPU value needs.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(1_010);
/// Highest acceptable CPU time of a sample: half a thousandth of one CPU. Hosts with many CPUs may exceed it.
const MAX_SAMPLE_COST_NS: u64 = 500_000;

pub(super) struct CpuSampler {
    /// The CPU of this host in a lab that pins it.
    pinned: Option<u32>,
    pace: Pace,
    before: Option<CpuSnapshot>,
    busy_percent: Option<f64>,
}

#[derive(Debug, Default)]
struct Pace {
    looked: Option<Instant>,
    /// A sample cost too much; there are no more.
    dear: bool,
}

impl Pace {
    fn due(&self, now: Instant) -> bool {
        !self.dear && self.looked.is_none_or(|at| now.saturating_duration_since(at) >= SAMPLE_INTERVAL)
    }

    fn looked(&mut self, at: Instant, cost_ns: u64) {
        self.looked = Some(at);
        self.dear = cost_ns > MAX_SAMPLE_COST_NS;
    }
}

impl CpuSampler {
    pub fn new(pinned: Option<u32>) -> CpuSampler {
        CpuSampler { pinned, pace: Pace::default(), before: None, busy_percent: None }
    }

    /// Busy share of the CPUs in per cent over the last sampled second; `None` before the first.
    pub fn sample(&mut self) -> Option<f64> {
        let now = Instant::now();
        if self.pace.due(now) {
            let began = thread_cpu_time_ns().unwrap_or_default();
            self.take();
            self.pace.looked(now, thread_cpu_time_ns().unwrap_or_default().saturating_sub(began));
        }
        if self.pace.dear { None } else { self.busy_percent }
    }

    fn take(&mut self) {
        let Ok(now) = CpuSnapshot::take() else { return };
        if let Some(before) = &self.before {
            let account = before.difference_to(&now);
            let own = |cpu: u32| account.cpus.iter().find(|times| times.cpu == Some(cpu));
            let times = self.pinned.and_then(own).unwrap_or(&account.total);
            self.busy_percent = account.busy_percent(times);
        }
        self.before = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_look_a_second_and_none_after_a_dear_one() {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut pace = Pace::default();
        let mut looks = Vec::new();
        for ms in (0..3_500).step_by(100) {
            if pace.due(at(ms)) {
                looks.push(ms);
                pace.looked(at(ms), MAX_SAMPLE_COST_NS);
            }
        }
        assert_eq!(looks, [0, 1_100, 2_200, 3_300]);
        pace.looked(at(3_500), MAX_SAMPLE_COST_NS + 1);
        assert!(!pace.due(at(10_000)));
    }

    #[test]
    fn one_look_alone_is_no_figure() {
        let mut sampler = CpuSampler::new(None);
        assert_eq!(sampler.sample(), None);
        assert!(sampler.before.is_some() || cfg!(not(target_os = "linux")));
        sampler.busy_percent = Some(12.5);
        sampler.pace = Pace { looked: sampler.pace.looked, dear: true };
        assert_eq!(sampler.sample(), None, "a figure that is not renewed is none");
    }
}
