//! Receive counters of each CPU: `/proc/net/softnet_stat`, global to the kernel.

use crate::{HostError, read_text};
use goodput_model::host::counters::SoftnetCounters;

const FILE: &str = "/proc/net/softnet_stat";

/// Since boot, for each CPU online.
pub(crate) fn read_softnet_stat() -> Result<Vec<SoftnetCounters>, HostError> {
    parse(&read_text(FILE)?).map_err(|why| HostError::Parse { file: FILE, why })
}

/// Columns of `softnet_seq_show` (net/core/net-procfs.c), hexadecimal: 0 processed, 1 dropped, 2
/// time_squeeze, 9 received_rps, 10 flow_limit, 12 CPU (since 5.10; before, the CPUs online in order).
pub(crate) fn parse(text: &str) -> Result<Vec<SoftnetCounters>, String> {
    let mut lines = Vec::new();
    for (place, line) in text.lines().enumerate() {
        let columns: Result<Vec<u32>, _> =
            line.split_ascii_whitespace().map(|w| u32::from_str_radix(w, 16)).collect();
        let columns = columns.map_err(|_| format!("the line {line:?} is not a list of numbers"))?;
        let at = |n: usize| columns.get(n).map(|count| u64::from(*count));
        let (Some(processed), Some(dropped), Some(squeezed)) = (at(0), at(1), at(2)) else {
            return Err(format!("the line {line:?} is too short"));
        };
        lines.push(SoftnetCounters {
            cpu: columns.get(12).map_or(place as u32, |cpu| *cpu),
            processed,
            dropped,
            squeezed,
            steered: at(9).unwrap_or(0),
            flow_limited: at(10).unwrap_or(0),
        });
    }
    Ok(lines)
}

pub(crate) fn counter_changes(old: &[SoftnetCounters], new: &[SoftnetCounters]) -> Vec<SoftnetCounters> {
    let between = |new: &SoftnetCounters| {
        let old = old.iter().find(|l| l.cpu == new.cpu)?;
        // The kernel's counters have 32 bits.
        let difference =
            |of: fn(&SoftnetCounters) -> u64| u64::from((of(new) as u32).wrapping_sub(of(old) as u32));
        Some(SoftnetCounters {
            cpu: new.cpu,
            processed: difference(|l| l.processed),
            dropped: difference(|l| l.dropped),
            squeezed: difference(|l| l.squeezed),
            steered: difference(|l| l.steered),
            flow_limited: difference(|l| l.flow_limited),
        })
    };
    new.iter().filter_map(between).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_captured_machine_counted_this() {
        let lines = parse(include_str!("../../../fixtures/host/firecracker-2cpu-6.18/softnet_stat")).unwrap();
        assert_eq!(lines.iter().map(|l| l.cpu).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((lines[0].processed, lines[0].squeezed), (0x0921_f552, 0x0a));
        assert_eq!((lines[1].processed, lines[1].dropped), (0x0ec2_3dc1, 0));
    }

    #[test]
    fn counters_that_wrapped_are_right_and_wrong_lines_are_named() {
        let old = parse("fffffffe 1 0 0 0 0 0 0 0 4\n").unwrap();
        let new = parse("00000003 2 0 0 0 0 0 0 0 9 7\n").unwrap();
        let moved = counter_changes(&old, &new);
        let wanted =
            SoftnetCounters { cpu: 0, processed: 5, dropped: 1, squeezed: 0, steered: 5, flow_limited: 7 };
        assert_eq!(moved, [wanted]);
        assert!(parse("0 0\n").unwrap_err().contains("too short"));
        assert!(parse("0 0 g\n").unwrap_err().contains("not a list"));
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in "([0-9a-fx ]{0,60}\n){0,5}") {
            let _ = parse(&text).map(|lines| counter_changes(&lines, &lines));
        }
    }
}
