//! The columns of both layouts. Numbers are those of 1.1.0, from 1, as in `docs/coming-from-iometer.md`.

use super::Layout;

/// Columns of 1.1.0.
pub(super) const COUNT: usize = 80;

/// All headings of 1.1.0 in order.
const HEADINGS: [&str; COUNT] = [
    "'Target Type",
    "Target Name",
    "Access Specification Name",
    "# Managers",
    "# Workers",
    "# Disks",
    "IOps",
    "Read IOps",
    "Write IOps",
    "MiBps (Binary)",
    "Read MiBps (Binary)",
    "Write MiBps (Binary)",
    "MBps (Decimal)",
    "Read MBps (Decimal)",
    "Write MBps (Decimal)",
    "Transactions per Second",
    "Connections per Second",
    "Average Response Time",
    "Average Read Response Time",
    "Average Write Response Time",
    "Average Transaction Time",
    "Average Connection Time",
    "Maximum Response Time",
    "Maximum Read Response Time",
    "Maximum Write Response Time",
    "Maximum Transaction Time",
    "Maximum Connection Time",
    "Errors",
    "Read Errors",
    "Write Errors",
    "Bytes Read",
    "Bytes Written",
    "Read I/Os",
    "Write I/Os",
    "Connections",
    "Transactions per Connection",
    "Total Raw Read Response Time",
    "Total Raw Write Response Time",
    "Total Raw Transaction Time",
    "Total Raw Connection Time",
    "Maximum Raw Read Response Time",
    "Maximum Raw Write Response Time",
    "Maximum Raw Transaction Time",
    "Maximum Raw Connection Time",
    "Total Raw Run Time",
    "Starting Sector",
    "Maximum Size",
    "Queue Depth",
    "% CPU Utilization",
    "% User Time",
    "% Privileged Time",
    "% DPC Time",
    "% Interrupt Time",
    "Processor Speed",
    "Interrupts per Second",
    "CPU Effectiveness",
    "Packets/Second",
    "Packet Errors",
    "Segments Retransmitted/Second",
    "0 to 50 uS",
    "50 to 100 uS",
    "100 to 200 uS",
    "200 to 500 uS",
    "0.5 to 1 mS",
    "1 to 2 mS",
    "2 to 5 mS",
    "5 to 10 mS",
    "10 to 15 mS",
    "15 to 20 mS",
    "20 to 30 mS",
    "30 to 50 mS",
    "50 to 100 mS",
    "100 to 200 mS",
    "200 to 500 mS",
    "0.5 to 1 S",
    "1 to 2 s",
    "2 to 4.7 s",
    "4.7 to 5 s",
    "5 to 10 s",
    " >= 10 s",
];

/// The headings that the older layout has in place of columns 10 to 12.
const OLD_MBPS: [&str; 3] = ["MBps", "Read MBps", "Write MBps"];

/// Columns that only the newer layout has, from 1: decimal MBps and the bins.
fn only_newer(number: usize) -> bool {
    (13..=15).contains(&number) || number > 59
}

/// Where each bin but the last ends, in ns; a value on an edge belongs to the bin that begins there.
pub(super) const BIN_ENDS_NS: [u64; 20] = {
    const US: u64 = 1_000;
    const MS: u64 = 1_000_000;
    [
        50 * US,
        100 * US,
        200 * US,
        500 * US,
        MS,
        2 * MS,
        5 * MS,
        10 * MS,
        15 * MS,
        20 * MS,
        30 * MS,
        50 * MS,
        100 * MS,
        200 * MS,
        500 * MS,
        1_000 * MS,
        2_000 * MS,
        4_700 * MS,
        5_000 * MS,
        10_000 * MS,
    ]
};

pub(super) fn heading(layout: Layout) -> String {
    let old = |number: usize| OLD_MBPS.get(number.wrapping_sub(10)).copied();
    let names = HEADINGS.iter().enumerate().map(|(i, name)| (i + 1, *name));
    let names: Vec<&str> = match layout {
        Layout::V1_1 => names.map(|(_, name)| name).collect(),
        Layout::Y1999 => names
            .filter(|(number, _)| !only_newer(*number))
            .map(|(number, name)| old(number).unwrap_or(name))
            .collect(),
    };
    names.join(",")
}

pub(super) fn cells(all: &[String; COUNT], layout: Layout) -> String {
    let shown = all.iter().enumerate().filter(|(i, _)| layout == Layout::V1_1 || !only_newer(i + 1));
    shown.map(|(_, cell)| cell.as_str()).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eighty_and_fifty_six_columns() {
        assert_eq!(heading(Layout::V1_1).split(',').count(), 80);
        let old = heading(Layout::Y1999);
        assert_eq!(old.split(',').count(), 56);
        assert!(old.contains("Write IOps,MBps,Read MBps,Write MBps,Transactions per Second"));
        assert!(old.ends_with("Segments Retransmitted/Second"));
        assert!(heading(Layout::V1_1).ends_with("5 to 10 s, >= 10 s"));
    }

    #[test]
    fn every_bin_but_the_last_has_an_end() {
        assert!(BIN_ENDS_NS.is_sorted());
        assert_eq!(HEADINGS.len() - 59, BIN_ENDS_NS.len() + 1);
    }
}
