//! What two runs of the same settings measured, side by side: for `goodput compare`.

use serde::{Deserialize, Serialize};

/// One measurement that both runs made with the same settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The settings in a few words, `stream send, 128 KiB` or `load transmit, 64 B, 20 clients`.
    pub what: String,
    pub quantity: Quantity,
    pub first: Measured,
    pub second: Measured,
    pub change: Change,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Goodput in bit/s; more is better.
    GoodputBps,
    /// Transactions a second; more is better.
    TransactionsPerSecond,
    /// Median latency in ns; less is better.
    LatencyP50Ns,
    /// Latency that 99 % keep, in ns; less is better.
    LatencyP99Ns,
    /// Half round trip of the smallest message, in ns; less is better.
    HalfRoundTripNs,
    /// Busy CPU of the listening host in per cent; less is better at equal goodput.
    CpuPercent,
    /// Mbit/s per per cent of busy CPU; more is better.
    PeIndex,
    /// A copy's rate until its last write was accepted, in bit/s; more is better.
    AcceptedBps,
    /// A copy's rate with the flush after it, in bit/s; more is better.
    DurableBps,
    /// What was read from and written to a place, in bit/s; more is better.
    PayloadBps,
    /// Operations on files a second; more is better.
    OperationsPerSecond,
}

impl Quantity {
    pub fn more_is_better(self) -> bool {
        match self {
            Quantity::GoodputBps
            | Quantity::TransactionsPerSecond
            | Quantity::PeIndex
            | Quantity::AcceptedBps
            | Quantity::DurableBps
            | Quantity::PayloadBps
            | Quantity::OperationsPerSecond => true,
            Quantity::LatencyP50Ns
            | Quantity::LatencyP99Ns
            | Quantity::HalfRoundTripNs
            | Quantity::CpuPercent => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Measured {
    pub mean: f64,
    pub trials: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// Second over first, less 1, in per cent: the shift between the trials where they are the basis, else of the means.
    /// `None` where the first is zero.
    pub percent: Option<f64>,
    /// 95 % interval of it; `None` where there is too little to say.
    pub interval_percent: Option<(f64, f64)>,
    pub verdict: Verdict,
    pub basis: Basis,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The interval lies on one side of no change, and that side is the better one.
    Better,
    Worse,
    NoneShown,
    /// There is too little to say.
    CannotTell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Repeated trials: what differs from trial to trial is in it.
    Trials,
    /// Seconds within one trial each: what differs from trial to trial is not in it.
    Seconds,
    Nothing,
}
