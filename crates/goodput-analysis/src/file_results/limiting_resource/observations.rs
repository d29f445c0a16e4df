//! Observations of the copies of one direction at one place, from which the cause is derived.

use goodput_model::file::FileDirection;

/// Medians over the repeats. Rates are payload in bit/s, shares in per cent.
#[derive(Debug, Clone, PartialEq)]
pub struct CopyObservations {
    pub way: FileDirection,
    pub remote: bool,
    /// True for a network file system: the client's cache accepts writes, and the flush sends them.
    pub mounted: bool,
    /// Over the whole time, flush included.
    pub rate: f64,
    /// Part of the time until the last write was accepted; 100 without a flush.
    pub accepted: f64,
    /// One-way limit of the medium or a bus behind it, with its name.
    pub medium: Option<(f64, String)>,
    /// Rate of copies to an agent that stores nothing, without a saturated CPU.
    pub net_only: Option<f64>,
    pub clients: Vec<CpuObservation>,
    /// Without values where no agent runs there.
    pub server: CpuObservation,
    /// `None` for a copy from or to memory.
    pub local_disk: Option<DiskObservation>,
    /// `None` for a place without a disk.
    pub place_disk: Option<DiskObservation>,
    pub local_wait: Option<f64>,
    pub place_wait: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CpuObservation {
    /// Of all CPUs.
    pub busy: Option<f64>,
    pub busiest: f64,
    pub cpus: f64,
    /// True when other ends are included.
    pub shared: bool,
    /// Of one CPU.
    pub threads: f64,
    /// As sampled, of all CPUs.
    pub softirq: f64,
    /// Idle with a task that waits for a disk, of one CPU.
    pub iowait: f64,
    pub quota: Option<CpuQuotaObservation>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CpuQuotaObservation {
    pub cpus: f64,
    /// `None` where it is not counted.
    pub used: Option<f64>,
    pub throttled: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DiskObservation {
    pub busy: Option<f64>,
    pub alone: Option<f64>,
    pub moved: Option<f64>,
}

impl CopyObservations {
    /// Part of the time in which data moved, where that represents the whole copy, else all of it. During a
    /// flush network and CPUs are idle.
    pub(super) fn data_phase_time_percent(&self) -> f64 {
        let speaks = !self.mounted
            && self.accepted >= super::thresholds::MIN_DATA_PHASE_TIME_PERCENT
            && self.accepted <= 100.0;
        if speaks { self.accepted } else { 100.0 }
    }

    pub(super) fn data_phase_rate(&self) -> f64 {
        self.rate * 100.0 / self.data_phase_time_percent()
    }

    pub(super) fn flush_time_percent(&self) -> f64 {
        if self.mounted { 0.0 } else { (100.0 - self.accepted).clamp(0.0, 100.0) }
    }
}
