//! Parses `/proc/stat`: CPU times and kernel activity. The procfs crate loses the CPU numbers of lines.

use crate::{HostError, read_text};
use goodput_model::host::CpuTimes;
use goodput_model::host::counters::KernelActivityCounters;

/// In ns since boot.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct TotalAndPerCpuTimes {
    /// All possible CPUs, including offline ones.
    pub total: CpuTimes,
    /// CPUs online, in the file's order.
    pub cpus: Vec<CpuTimes>,
}

/// Missing columns of old kernels are zero; new ones are ignored.
pub(crate) fn parse_cpu_times(text: &str, user_hz: u32) -> Result<TotalAndPerCpuTimes, String> {
    if user_hz == 0 {
        return Err("a tick of no length".into());
    }
    let mut total = None;
    let mut cpus: Vec<CpuTimes> = Vec::new();
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("cpu") else { continue };
        let (name, columns) = rest.split_at(rest.find(' ').unwrap_or(rest.len()));
        let cpu = match name {
            "" => None,
            number => Some(number.parse::<u32>().map_err(|_| format!("cpu{number:?} is not a CPU's name"))?),
        };
        let times = parse_columns(cpu, columns, user_hz)
            .ok_or_else(|| format!("the line {line:?} is not a list of ticks"))?;
        match cpu {
            None if total.is_some() => return Err("there are two lines for all CPUs".into()),
            None => total = Some(times),
            Some(n) if cpus.iter().any(|c| c.cpu == Some(n)) => {
                return Err(format!("there are two lines for cpu{n}"));
            }
            Some(_) => cpus.push(times),
        }
    }
    let total = total.ok_or("the line for all CPUs is missing")?;
    if cpus.is_empty() {
        return Err("there is no line for any single CPU".into());
    }
    Ok(TotalAndPerCpuTimes { total, cpus })
}

/// Columns as in proc_stat(5): user nice system idle iowait irq softirq steal guest guest_nice. `user`
/// contains `guest`, and `nice` contains `guest_nice` (`account_guest_time`), so they are not added.
fn parse_columns(cpu: Option<u32>, columns: &str, user_hz: u32) -> Option<CpuTimes> {
    let mut ticks = [0u64; 8];
    let mut seen = 0;
    for (place, word) in ticks.iter_mut().zip(columns.split_ascii_whitespace()) {
        *place = word.parse().ok()?;
        seen += 1;
    }
    // Fewer columns mean a truncated line.
    if seen < 4 {
        return None;
    }
    let ns = |t: u64| u64::try_from(u128::from(t) * 1_000_000_000 / u128::from(user_hz)).ok();
    let [user, nice, system, idle, iowait, irq, softirq, steal] = ticks;
    Some(CpuTimes {
        cpu,
        idle_ns: ns(idle)?,
        iowait_ns: ns(iowait)?,
        steal_ns: ns(steal)?,
        user_ns: ns(user.checked_add(nice)?)?,
        system_ns: ns(system)?,
        softirq_ns: ns(softirq)?,
        irq_ns: ns(irq)?,
    })
}

pub(crate) fn read_kernel_activity() -> Result<KernelActivityCounters, HostError> {
    const FILE: &str = "/proc/stat";
    parse_activity(&read_text(FILE)?)
        .ok_or_else(|| HostError::Parse { file: FILE, why: "intr, ctxt or softirq is missing".into() })
}

/// The lines after the CPUs, proc_stat(5). `softirq`: sum, HI, TIMER, NET_TX, NET_RX, … (linux/interrupt.h).
pub(crate) fn parse_activity(text: &str) -> Option<KernelActivityCounters> {
    let column = |name: &str, n: usize| {
        let mut lines = text.lines().map(str::split_ascii_whitespace);
        let mut line = lines.find(|l| l.clone().next() == Some(name))?;
        line.nth(n)?.parse::<u64>().ok()
    };
    Some(KernelActivityCounters {
        interrupts: column("intr", 1)?,
        context_switches: column("ctxt", 1)?,
        softirq_transmit: column("softirq", 4)?,
        softirq_receive: column("softirq", 5)?,
        forks: column("processes", 1)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TWO_CPUS: &str = include_str!("../../../fixtures/host/firecracker-2cpu-6.18/stat");

    #[test]
    fn a_captured_file_is_read() {
        let lines = parse_cpu_times(TWO_CPUS, 100).unwrap();
        assert_eq!(lines.cpus.iter().map(|c| c.cpu).collect::<Vec<_>>(), [Some(0), Some(1)]);
        let total = (lines.total.idle_ns, lines.total.steal_ns, lines.total.softirq_ns);
        assert_eq!(total, (1_269_800_000_000, 2_160_000_000, 5_280_000_000));
        assert_eq!((lines.cpus[1].iowait_ns, lines.cpus[0].user_ns), (21_040_000_000, 554_680_000_000));

        let activity = parse_activity(TWO_CPUS).unwrap();
        let line = |name: &str| TWO_CPUS.lines().find(|l| l.starts_with(name)).unwrap();
        assert_eq!(format!("ctxt {}", activity.context_switches), line("ctxt"));
        assert_eq!(format!("processes {}", activity.forks), line("processes"));
        assert!(line("intr").starts_with(&format!("intr {} ", activity.interrupts)));
        assert!(activity.softirq_receive > activity.softirq_transmit);
        assert_eq!(parse_activity("intr 1\nctxt 2\n"), None);
    }

    #[test]
    fn old_and_future_kernels_are_read_and_guest_time_is_inside_user_time() {
        let guest = "cpu 30 7 0 1 0 0 0 0 20 5\ncpu0 30 7 0 1 0 0 0 0 20 5\n";
        assert_eq!(parse_cpu_times(guest, 100).unwrap().total.user_ns, 370_000_000);
        let old = parse_cpu_times("cpu 1 2 3 4\ncpu0 1 2 3 4\n", 100).unwrap();
        assert_eq!((old.total.idle_ns, old.total.steal_ns), (40_000_000, 0));
        let future = "cpu 1 2 3 4 5 6 7 8 9 10 11 12\ncpu0 1 2 3 4 5 6 7 8 9 10 11\n";
        assert!(parse_cpu_times(future, 100).is_ok());
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (text, why) in [
            ("", "missing"),
            ("cpu 1 2 3 4\n", "any single CPU"),
            ("cpu 1 2 3\ncpu0 1 2 3 4\n", "not a list of ticks"),
            ("cpu 1 2 3 x\ncpu0 1 2 3 4\n", "not a list of ticks"),
            ("cpu 1 2 3 4\ncpux 1 2 3 4\n", "not a CPU's name"),
            ("cpu 1 2 3 4\ncpu0 1 2 3 4\ncpu0 1 2 3 4\n", "two lines for cpu0"),
            ("cpu 1 2 3 4\ncpu 1 2 3 4\n", "two lines for all"),
            ("cpu 1 2 3 18446744073709551615\ncpu0 1 2 3 4\n", "not a list of ticks"),
        ] {
            let e = parse_cpu_times(text, 100).unwrap_err();
            assert!(e.contains(why), "{text:?} gave {e:?}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_answered(
            text in ".{0,400}", almost in "(cpu[0-9]{0,3}( [0-9]{0,21}){0,11}\n){0,6}", hz: u32
        ) {
            let _ = (parse_cpu_times(&text, hz), crate::facts::cpu_model(&text));
            if let Ok(lines) = parse_cpu_times(&almost, hz % 2000) {
                prop_assert!(!lines.cpus.is_empty());
            }
        }
    }
}
