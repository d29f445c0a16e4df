//! What was seen of the copies of one way at one place: the table that the cause is read from.

use goodput_model::file::FileWay;

/// The medians over the repeats. Rates are payload in bit/s, shares in per cent.
#[derive(Debug, Clone, PartialEq)]
pub struct Observations {
    pub way: FileWay,
    /// True where a network lies between client and place.
    pub remote: bool,
    /// True for a folder whose file system is a network's: there the client's cache accepts writes, and the flush sends them.
    pub mounted: bool,
    /// Payload over the whole time, the flush included.
    pub rate: f64,
    /// Part of the time until the last write was accepted; 100 without a flush.
    pub accepted: f64,
    /// What the medium or a bus behind it allows one way, with its name.
    pub medium: Option<(f64, String)>,
    /// What the network carried in copies to an agent that keeps nothing, of which neither end's CPU was near its end.
    pub net_only: Option<f64>,
    pub clients: Vec<CpuSeen>,
    /// The server's; without figures where no agent runs there.
    pub server: CpuSeen,
    /// The disk below the local folder; `None` for a copy from or to memory.
    pub local_disk: Option<DiskSeen>,
    /// The disk below the place; `None` where it keeps nothing or keeps it in memory.
    pub place_disk: Option<DiskSeen>,
    /// Part of the time that the copy waited for its local disk.
    pub local_wait: Option<f64>,
    pub place_wait: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct CpuSeen {
    /// Busy, of all CPUs; `None` without a figure.
    pub busy: Option<f64>,
    pub busiest: f64,
    pub cpus: f64,
    /// True when the figure is the work of other ends, too.
    pub shared: bool,
    /// CPU time of the threads that measured, of one CPU.
    pub threads: f64,
    /// Soft interrupts as sampled, of all CPUs.
    pub softirq: f64,
    /// Idle with a task that waits for a disk, of one CPU.
    pub iowait: f64,
    pub quota: Option<QuotaSeen>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct QuotaSeen {
    pub cpus: f64,
    /// Used of it; `None` where that is not counted.
    pub used: Option<f64>,
    /// Of its periods, those in which work had to wait.
    pub throttled: f64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct DiskSeen {
    /// Time with a request under way.
    pub busy: Option<f64>,
    pub alone: Option<f64>,
    pub moved: Option<f64>,
}

impl Observations {
    /// Part of the time in which data moved, where that speaks for the whole copy, else all of it. During a flush wire and
    /// CPUs rest.
    pub(super) fn moving(&self) -> f64 {
        let speaks = !self.mounted && self.accepted >= super::thresholds::ACCEPTED && self.accepted <= 100.0;
        if speaks { self.accepted } else { 100.0 }
    }

    pub(super) fn moving_rate(&self) -> f64 {
        self.rate * 100.0 / self.moving()
    }

    /// Part of the time that the flush took.
    pub(super) fn flush(&self) -> f64 {
        if self.mounted { 0.0 } else { (100.0 - self.accepted).clamp(0.0, 100.0) }
    }
}
