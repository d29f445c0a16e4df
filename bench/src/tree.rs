//! User CPU time of a program with all its processes and threads, from `/proc/PID/stat` (proc_pid_stat(5)), read from
//! outside while it runs.
//!
//! The share is taken over the span from 60 % to 90 % of the run: start, warm-up and tidying up lie outside it, for every
//! program alike. The kernel splits a process' CPU time into user and system by its ticks, so a share has an error of a
//! few per cent, which is chance and the same for all.

use std::fs;
use std::time::{Duration, Instant};

/// Time between two samples.
const EVERY: Duration = Duration::from_millis(100);
/// The span of the run that counts.
const SPAN: (f64, f64) = (0.6, 0.9);
/// Unit of the times in `stat`: USER_HZ is 100 on every Linux (time(7)).
const TICK_S: f64 = 0.01;

/// The samples of one program.
pub struct Tree {
    pid: u32,
    begun: Instant,
    next: Instant,
    /// Seconds since the start, user CPU seconds so far.
    samples: Vec<(f64, f64)>,
}

impl Tree {
    /// Begins to watch the process of this id.
    pub fn of(pid: u32) -> Tree {
        let now = Instant::now();
        Tree { pid, begun: now, next: now, samples: Vec::with_capacity(256) }
    }

    /// Takes a sample if it is time to.
    pub fn tick(&mut self) {
        let now = Instant::now();
        if now < self.next {
            return;
        }
        self.next = now + EVERY;
        if let Some(ticks) = user_ticks(self.pid) {
            self.samples.push(((now - self.begun).as_secs_f64(), ticks as f64 * TICK_S));
        }
    }

    /// User CPU seconds a second; `None` when it was too short.
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

/// User time in ticks of a process, of those of its children that it has waited for, and of those that run.
fn user_ticks(pid: u32) -> Option<u64> {
    let own = parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)?;
    let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?.flatten();
    let children = threads.filter_map(|t| fs::read_to_string(t.path().join("children")).ok());
    let children: Vec<u32> = children
        .flat_map(|c| c.split_whitespace().filter_map(|w| w.parse().ok()).collect::<Vec<_>>())
        .collect();
    Some(own + children.into_iter().filter_map(user_ticks).sum::<u64>())
}

/// utime and cutime, fields 14 and 16; the name, field 2, may hold any character but ends at the last parenthesis.
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
        // 10 s of which the first three are idle and the last is busy twice over.
        let samples: Vec<(f64, f64)> = (0..=100)
            .map(|i| f64::from(i) / 10.0)
            .map(|t| (t, (t - 3.0).max(0.0) * 0.5 + (t - 9.5).max(0.0)))
            .collect();
        assert!((share(&samples).unwrap() - 0.5).abs() < 1e-9);
        assert_eq!(share(&samples[..5]), None);
    }
}
