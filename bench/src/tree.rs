//! User CPU time of a program with all processes and threads, from `/proc/PID/stat` (proc_pid_stat(5)).
//!
//! The share covers 60 % to 90 % of the run, without start and end. The kernel splits user and system time by
//! ticks, so a share has a random error of a few per cent.

use std::fs;
use std::time::{Duration, Instant};

const SAMPLE_INTERVAL: Duration = Duration::from_millis(100);
/// The part of the run that counts.
const SPAN: (f64, f64) = (0.6, 0.9);
/// USER_HZ is 100 on every Linux (time(7)).
const TICK_S: f64 = 0.01;

pub struct Tree {
    pid: u32,
    begun: Instant,
    next: Instant,
    /// Seconds since the start, cumulative user CPU seconds.
    samples: Vec<(f64, f64)>,
}

impl Tree {
    pub fn of(pid: u32) -> Tree {
        let now = Instant::now();
        Tree { pid, begun: now, next: now, samples: Vec::with_capacity(256) }
    }

    pub fn tick(&mut self) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + SAMPLE_INTERVAL;
        if let Some(ticks) = user_ticks(self.pid) {
            self.samples.push(((now - self.begun).as_secs_f64(), ticks as f64 * TICK_S));
        }
    }

    /// `None` if the run was too short.
    pub fn user_share(&self) -> Option<f64> {
        share(&self.samples)
    }
}

fn share(samples: &[(f64, f64)]) -> Option<f64> {
    let end = samples.last()?.0;
    let at = |part: f64| samples.iter().find(|s| s.0 >= end * part);
    let (first, last) = (at(SPAN.0)?, at(SPAN.1)?);
    (last.0 - first.0 > 1.0).then(|| (last.1 - first.1) / (last.0 - first.0))
}

/// Ticks of a process, its reaped children, and its running ones.
fn user_ticks(pid: u32) -> Option<u64> {
    let own = parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?;
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    let children = threads.filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
    let children: Vec<u32> = children
        .flat_map(|c| c.split_whitespace().filter_map(|w| w.parse().ok()).collect::<Vec<_>>())
        .collect();
    Some(own + children.into_iter().filter_map(user_ticks).sum::<u64>())
}

/// Fields 14 and 16, utime and cutime; the name, field 2, may contain anything.
fn parse(stat: &str) -> Option<u64> {
    let fields: Vec<&str> = stat.rsplit_once(") ")?.1.split(' ').collect();
    Some(fields.get(11)?.parse::<u64>().ok()? + fields.get(13)?.parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn user_time_is_that_of_the_process_and_its_children() {
        let line = "42 (a) b) S 1 42 42 0 -1 0 1 2 3 4 500 60 7 8 20 0 1 0 9 1 2 3";
        assert_eq!(parse(line), Some(507));
        assert_eq!(parse("nonsense"), None);
        assert!(user_ticks(std::process::id()).is_some());
    }

    #[test]
    fn the_share_leaves_start_and_end_out() {
        // 10 s: the first three idle, the last with double load.
        let samples: Vec<(f64, f64)> = (0..=100)
            .map(|i| f64::from(i) / 10.0)
            .map(|t| (t, (t - 3.0).max(0.0) * 0.5 + (t - 9.5).max(0.0)))
            .collect();
        assert!((share(&samples).unwrap() - 0.5).abs() < 1e-9);
        assert_eq!(share(&samples[..5]), None);
    }
}
