//! What limits a transfer: the interventions of a diagnosis, and its conclusion. The conclusion is computed
//! from the stored trials and never stored. See `docs/methods/why.md`.

use crate::message::Message;
use crate::probe::TransferDirection;
use serde::{Deserialize, Serialize};

/// What one trial of a diagnosis changes, compared with the settings under diagnosis.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Intervention {
    pub kind: InterventionKind,
    /// Factor on the varied quantity: 0.5 halves it. 1 where nothing is multiplied.
    pub dose: f64,
    /// Trials are compared within a block, which has each intervention once in random order. The scout has 0.
    pub block: u32,
    /// 0: of the settings under diagnosis. 1: of these with the first limit relieved, to find the next one.
    #[serde(default, skip_serializing_if = "is_first")]
    pub step: u32,
}

fn is_first(step: &u32) -> bool {
    *step == 0
}

enum_with_all! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum InterventionKind {
        /// The first trial: it shows what to suspect and how long the trials must be.
        Scout,
        Baseline,
        /// The same settings again, as if they were an intervention.
        Sham,
        /// Of the data in flight.
        ReceiveBuffer,
        SendBuffer,
        /// Paced, of the baseline's goodput.
        Rate,
        Connections,
        MessageSize,
        SegmentSize,
        /// CPU time added at the sender: the dose is the rate that this leaves if its CPU is the limit.
        SenderCpu,
        ReceiverCpu,
        /// The receiver discards the data without copying it.
        ReceiverCopy,
        /// The receiving thread moves away from the CPU that handles the packets.
        ReceiverAway,
        /// It is pinned to that CPU.
        ReceiverBeside,
        /// Of a transfer in both directions, the named direction alone.
        OneDirection,
        /// Of a transfer of fixed length.
        Amount,
        /// Of a copy: to or from the memory of the host that has the storage.
        MemoryTarget,
        /// Of a copy: storage reads or writes each block again, for this share of its speed.
        Storage,
        /// Host settings, changed only with permission and restored after the trial. The largest receive buffer
        /// (`net.ipv4.tcp_rmem`).
        ReceiveBufferSetting,
        /// `net.ipv4.tcp_wmem`.
        SendBufferSetting,
        /// `net.core.netdev_max_backlog` of the receiving host.
        BacklogSetting,
    }
}

impl InterventionKind {
    /// Whether it changes a setting of a host, not only of the trial.
    pub fn is_host_setting(self) -> bool {
        matches!(
            self,
            InterventionKind::ReceiveBufferSetting
                | InterventionKind::SendBufferSetting
                | InterventionKind::BacklogSetting
        )
    }
}

impl Intervention {
    pub const fn new(kind: InterventionKind, dose: f64) -> Intervention {
        Intervention { kind, dose, block: 0, step: 0 }
    }

    pub fn in_block(self, block: u32) -> Intervention {
        Intervention { block, ..self }
    }

    /// The same change, in whatever block.
    pub fn is_repetition_of(&self, other: &Intervention) -> bool {
        self.kind == other.kind && self.dose == other.dose
    }
}

enum_with_all! {
    /// What can limit a transfer.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum LimitCause {
        Medium,
        ReceiveWindow,
        SendBuffer,
        Loss,
        Shaper,
        Policer,
        PerFlowCap,
        SenderCpu,
        ReceiverCpu,
        Softirq,
        ApplicationLimited,
        PerPacketCost,
        SenderQueueDrops,
        ReceiverDrops,
        SharedBus,
        HalfDuplex,
        Reordering,
        MtuBlackHole,
        Storage,
        OptionsStripped,
        StartUp,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiagnosisVerdict {
    Named,
    /// Several causes agree with every trial, and no possible trial decides between them.
    Tie,
    NotProven,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SuspectState {
    Named,
    /// Contradicted by a trial, or explained by a more specific cause.
    Excluded,
    Possible,
}

/// What a diagnosis concludes from its trials.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagnosis {
    pub verdict: DiagnosisVerdict,
    /// The named one; of a tie the candidates.
    pub causes: Vec<LimitCause>,
    /// The sending host.
    pub from: String,
    /// The receiving host.
    pub to: String,
    pub direction: TransferDirection,
    /// Median of the baseline trials.
    pub baseline_bps: Option<u64>,
    /// From the first to the last trial.
    pub elapsed_s: f64,
    pub trials: u32,
    #[serde(with = "crate::message::english")]
    pub sentence: Message,
    #[serde(with = "crate::message::english")]
    pub advice: Message,
    /// The most suspicious first; those without any sign are left out.
    pub suspects: Vec<Suspect>,
    /// Ratio of goodput in sham trials to baseline.
    pub sham: Option<RatioInterval>,
    /// From the sending to the receiving application.
    #[serde(default)]
    pub path: Vec<PathElement>,
    /// What limits the transfer when the first limit is relieved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<Box<NextLimit>>,
}

/// The next limit, and the change that relieves the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NextLimit {
    pub relieved_by: InterventionKind,
    pub dose: f64,
    pub diagnosis: Diagnosis,
}

/// A part of the path of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PathElement {
    pub kind: PathElementKind,
    #[serde(with = "crate::message::english")]
    pub figure: Message,
    /// Of a CPU: the time that the measuring threads ran or waited. Of a buffer: the time with data in flight during which
    /// it was full. Of the link: goodput of the medium's limit. Of storage: the time that its device was busy. `None` where
    /// it is not known.
    pub use_percent: Option<f64>,
    /// By the named cause, or by one of several that cannot be told apart.
    pub limits: bool,
}

enum_with_all! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum PathElementKind {
        SenderCpu,
        SendBuffer,
        /// All between the two hosts' protocol stacks.
        Link,
        ReceiveBuffer,
        ReceiverCpu,
        /// Of a copy, at the end that reads or writes it.
        Storage,
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Suspect {
    pub cause: LimitCause,
    pub state: SuspectState,
    /// 0 to 1: how well the first trial fits.
    pub suspicion: f64,
    /// What the first trial shows for or against it.
    #[serde(with = "crate::message::english_list")]
    pub evidence: Vec<Message>,
    pub effects: Vec<InterventionEffect>,
}

/// The effect that a cause predicts for an intervention, and the measured one.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct InterventionEffect {
    pub intervention: InterventionKind,
    pub dose: f64,
    pub quantity: EffectQuantity,
    /// Ratio to the baseline: lowest and highest.
    pub predicted: (f64, f64),
    /// `None` before enough trials.
    pub measured: Option<RatioInterval>,
    /// `None` where it cannot be told.
    pub agrees: Option<bool>,
}

enum_with_all! {
    /// What an effect is measured by.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum EffectQuantity {
        Goodput,
        /// Round trip above its minimum.
        QueueingDelay,
        /// Share of segments sent again.
        Retransmissions,
        /// Packets dropped by the sending host's own queues.
        SenderQueueDrops,
        /// Packets dropped by the receiving host.
        ReceiverDrops,
        /// Time that the receiver's measuring threads ran, a second.
        ReceiverCpuTime,
    }
}

/// Of a ratio to the baseline, with its simultaneous confidence interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RatioInterval {
    pub ratio: f64,
    pub low: f64,
    pub high: f64,
}

impl LimitCause {
    /// As in JSON and in `locales/`.
    pub fn id(self) -> &'static str {
        match self {
            LimitCause::Medium => "medium",
            LimitCause::ReceiveWindow => "receive-window",
            LimitCause::SendBuffer => "send-buffer",
            LimitCause::Loss => "loss",
            LimitCause::Shaper => "shaper",
            LimitCause::Policer => "policer",
            LimitCause::PerFlowCap => "per-flow-cap",
            LimitCause::SenderCpu => "sender-cpu",
            LimitCause::ReceiverCpu => "receiver-cpu",
            LimitCause::Softirq => "softirq",
            LimitCause::ApplicationLimited => "application-limited",
            LimitCause::PerPacketCost => "per-packet-cost",
            LimitCause::SenderQueueDrops => "sender-queue-drops",
            LimitCause::ReceiverDrops => "receiver-drops",
            LimitCause::SharedBus => "shared-bus",
            LimitCause::HalfDuplex => "half-duplex",
            LimitCause::Reordering => "reordering",
            LimitCause::MtuBlackHole => "mtu-black-hole",
            LimitCause::Storage => "storage",
            LimitCause::OptionsStripped => "options-stripped",
            LimitCause::StartUp => "start-up",
        }
    }
}

impl EffectQuantity {
    /// As in `locales/`.
    pub fn id(self) -> &'static str {
        match self {
            EffectQuantity::Goodput => "goodput",
            EffectQuantity::QueueingDelay => "queueing-delay",
            EffectQuantity::Retransmissions => "retransmissions",
            EffectQuantity::SenderQueueDrops => "sender-queue-drops",
            EffectQuantity::ReceiverDrops => "receiver-drops",
            EffectQuantity::ReceiverCpuTime => "receiver-cpu-time",
        }
    }
}

impl PathElementKind {
    /// As in `locales/`.
    pub fn id(self) -> &'static str {
        match self {
            PathElementKind::SenderCpu => "sender-cpu",
            PathElementKind::SendBuffer => "send-buffer",
            PathElementKind::Link => "link",
            PathElementKind::ReceiveBuffer => "receive-buffer",
            PathElementKind::ReceiverCpu => "receiver-cpu",
            PathElementKind::Storage => "storage",
        }
    }
}
