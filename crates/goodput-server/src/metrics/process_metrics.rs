//! Resource usage of this process: `/proc/self/stat` and `/proc/self/fd` (proc_pid_stat(5), proc_pid_fd(5)).

use std::fs;

/// `None` where the system does not tell.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct ProcessMetrics {
    pub resident_bytes: Option<f64>,
    /// Unix time in seconds.
    pub started: Option<f64>,
    /// User and system, in seconds.
    pub cpu_seconds: Option<f64>,
    pub open_files: Option<f64>,
    pub threads: Option<f64>,
}

/// USER_HZ, clock ticks per second of CPU time: 100 on all Linux architectures except Alpha
/// (`include/asm-generic/param.h`).
const USER_HZ: f64 = 100.0;

impl ProcessMetrics {
    pub fn current() -> ProcessMetrics {
        let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let boot = fs::read_to_string("/proc/stat").unwrap_or_default();
        ProcessMetrics {
            open_files: fs::read_dir("/proc/self/fd").ok().map(|all| all.count() as f64),
            ..ProcessMetrics::read(&stat, &status, &boot)
        }
    }

    fn read(stat: &str, status: &str, boot: &str) -> ProcessMetrics {
        // The name in parentheses may contain anything; the next field is number 3.
        let fields: Vec<&str> =
            stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).and_then(|f| f.parse::<f64>().ok());
        let begun = boot.lines().find_map(|l| l.strip_prefix("btime ")?.trim().parse::<f64>().ok());
        let resident = status.lines().find_map(|l| l.strip_prefix("VmRSS:")?.trim().strip_suffix("kB"));
        ProcessMetrics {
            resident_bytes: resident.and_then(|kib| kib.trim().parse::<f64>().ok()).map(|kib| kib * 1024.0),
            started: begun.zip(field(22)).map(|(boot, ticks)| boot + ticks / USER_HZ),
            cpu_seconds: field(14).zip(field(15)).map(|(user, system)| (user + system) / USER_HZ),
            open_files: None,
            threads: field(20),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_process_may_hold_anything() {
        let stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 1 2 3 4 250 150 0 0 20 0 12 0 5000 99 100 1";
        let found =
            ProcessMetrics::read(stat, "Name:\ta\nVmRSS:\t   2048 kB\n", "cpu 1 2\nbtime 1700000000\n");
        assert_eq!((found.cpu_seconds, found.threads), (Some(4.0), Some(12.0)));
        assert_eq!((found.started, found.resident_bytes), (Some(1_700_000_050.0), Some(2_097_152.0)));
        assert_eq!(ProcessMetrics::read("", "", ""), ProcessMetrics::default());
    }
}
