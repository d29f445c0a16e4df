//! Activity of a block device over a window, from `/proc/diskstats` (Documentation/admin-guide/iostats.rst).

use crate::Share;
use crate::supervise::MeasurementWindowEvent;
use goodput_model::file::DiskCounters;
use goodput_model::{Bytes, Nanos};

/// The kernel counts in these units, whatever the device's sector size.
const SECTOR: u64 = 512;

#[derive(Debug, Default)]
pub struct DiskStatsMeter {
    device: Option<String>,
    before: Option<Reading>,
    after: Option<Reading>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    read: u64,
    written: u64,
    busy_ms: u64,
    weighted_ms: u64,
}

impl DiskStatsMeter {
    pub fn new(device: Option<String>) -> DiskStatsMeter {
        DiskStatsMeter { device, before: None, after: None }
    }

    pub fn start(&mut self) {
        self.before = self.read();
    }

    pub fn finish(&mut self) {
        self.after = self.read();
    }

    fn read(&self) -> Option<Reading> {
        let device = self.device.as_deref()?;
        find(&std::fs::read_to_string("/proc/diskstats").ok()?, device)
    }

    /// `None` without a block device (memory or network file system) or counters.
    pub fn measured_disk_counters(&self) -> Option<DiskCounters> {
        let (device, before, after) = (self.device.clone()?, self.before?, self.after?);
        // Milliseconds in 32 bits: wrap after 49 days.
        let span =
            |before: u64, after: u64| u64::from((after as u32).wrapping_sub(before as u32)) * 1_000_000;
        Some(DiskCounters {
            device,
            read: Bytes(after.read.saturating_sub(before.read)),
            written: Bytes(after.written.saturating_sub(before.written)),
            busy: Nanos(span(before.busy_ms, after.busy_ms)),
            weighted: Nanos(span(before.weighted_ms, after.weighted_ms)),
        })
    }
}

/// A share's requests and the counters of block devices at the edges of a window.
pub(crate) struct DiskAndRequestMeter<const DISKS: usize> {
    disks: [DiskStatsMeter; DISKS],
    requests: (Option<u64>, Option<u64>),
}

impl<const DISKS: usize> DiskAndRequestMeter<DISKS> {
    pub fn new(devices: [Option<String>; DISKS]) -> DiskAndRequestMeter<DISKS> {
        DiskAndRequestMeter { disks: devices.map(DiskStatsMeter::new), requests: (None, None) }
    }

    pub fn take_reading(&mut self, share: &dyn Share, moment: MeasurementWindowEvent) {
        match moment {
            MeasurementWindowEvent::Opened => {
                self.disks.iter_mut().for_each(DiskStatsMeter::start);
                self.requests.0 = share.request_count();
            }
            MeasurementWindowEvent::Closed => {
                self.disks.iter_mut().for_each(DiskStatsMeter::finish);
                self.requests.1 = share.request_count();
            }
            MeasurementWindowEvent::Tick => {}
        }
    }

    pub fn disk_counters(&self) -> [Option<DiskCounters>; DISKS] {
        self.disks.each_ref().map(DiskStatsMeter::measured_disk_counters)
    }

    pub fn requests_per_operation(&self, operations: u64) -> Option<f64> {
        let requests = self.requests.1?.saturating_sub(self.requests.0?);
        (operations > 0).then(|| requests as f64 / operations as f64)
    }
}

fn find(text: &str, device: &str) -> Option<Reading> {
    let (major, minor) = device.split_once(':')?;
    text.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        if words.next() != Some(major) || words.next() != Some(minor) {
            return None;
        }
        let fields: Vec<u64> = words.skip(1).map_while(|w| w.parse().ok()).collect();
        let field = |n: usize| fields.get(n - 1).copied();
        Some(Reading {
            read: field(3)?.saturating_mul(SECTOR),
            written: field(7)?.saturating_mul(SECTOR),
            busy_ms: field(10)?,
            weighted_ms: field(11)?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "   7       0 loop0 100 0 2048 5 20 3 4096 9 0 30 14 0 0 0 0 0 0\n \
                        259       0 nvme0n1 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n";

    #[test]
    fn a_device_is_found_by_its_numbers() {
        let found = find(TEXT, "7:0").unwrap();
        assert_eq!(found, Reading { read: 1 << 20, written: 2 << 20, busy_ms: 30, weighted_ms: 14 });
        assert_eq!(find(TEXT, "259:0").unwrap().weighted_ms, 11);
        assert_eq!(find(TEXT, "9:0"), None);
        assert_eq!([find("7 0 loop0 1 2", "7:0"), find(TEXT, "tmpfs")], [None, None]);
    }

    #[test]
    fn an_account_is_the_difference_and_times_may_come_round() {
        let before = Reading { read: 10, written: 20, busy_ms: u64::from(u32::MAX), weighted_ms: 5 };
        let after = Reading { read: 13, written: 20, busy_ms: 1, weighted_ms: 9 };
        let meter = DiskStatsMeter { device: Some("7:0".into()), before: Some(before), after: Some(after) };
        let account = meter.measured_disk_counters().unwrap();
        assert_eq!((account.read, account.written), (Bytes(3), Bytes(0)));
        assert_eq!((account.busy, account.weighted), (Nanos(2_000_000), Nanos(4_000_000)));
        assert_eq!(DiskStatsMeter::new(None).measured_disk_counters(), None);
    }
}
