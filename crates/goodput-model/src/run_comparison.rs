//! What two runs of the same settings measured, side by side: for `goodput compare`.

use crate::message::Message;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparedMetric {
    #[serde(with = "crate::message::english")]
    pub what: Message,
    pub quantity: ComparedQuantity,
    pub first: TrialsMean,
    pub second: TrialsMean,
    pub change: RelativeChange,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComparedQuantity {
    GoodputBps,
    TransactionsPerSecond,
    LatencyP50Ns,
    LatencyP99Ns,
    HalfRoundTripNs,
    /// Busy CPU of the listening host; comparable at equal goodput only.
    CpuPercent,
    /// Mbit/s per per cent of busy CPU.
    PeIndex,
    AcceptedBps,
    DurableBps,
    PayloadBps,
    OperationsPerSecond,
}

impl ComparedQuantity {
    pub fn more_is_better(self) -> bool {
        !matches!(
            self,
            ComparedQuantity::LatencyP50Ns
                | ComparedQuantity::LatencyP99Ns
                | ComparedQuantity::HalfRoundTripNs
                | ComparedQuantity::CpuPercent
        )
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrialsMean {
    pub mean: f64,
    pub trials: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RelativeChange {
    /// Second over first, less 1: the shift between the trials where they are the basis, else of the means.
    /// `None` where the first is zero.
    pub percent: Option<f64>,
    /// 95 % interval; `None` with too few values.
    pub interval_percent: Option<(f64, f64)>,
    pub verdict: ChangeVerdict,
    pub basis: VariationSource,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeVerdict {
    /// The whole interval is on the better side of no change.
    Better,
    Worse,
    NoneShown,
    CannotTell,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VariationSource {
    /// Repeated trials: the variation between trials is included.
    Trials,
    /// Seconds within one trial each: the variation between trials is not included.
    Seconds,
    Nothing,
}
