//! Results of the probe `datagram`: packet counts, metrics of a direction, and the outcome of a search for
//! the highest lossless rate.

use crate::ids::TrialId;
use crate::percentiles::LatencySummary;
use crate::probe::datagram::{DatagramSyscalls, UnavailableMeasurement};
use serde::{Deserialize, Serialize};

/// Where datagrams went over the whole trial: `offered = refused + sent`, and `sent = received +
/// lost.receiver_socket + lost.receiver_host + lost.path`, where only `path` is a remainder. What the
/// sender's own queue may have dropped is no part of `path`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatagramTotals {
    /// Passed to the sender's kernel. This and the next two are `None` without the sender's count.
    pub offered: Option<u64>,
    pub refused: Option<u64>,
    pub sent: Option<u64>,
    /// Delivered to the application, without duplicates. Without a sequence (payload below 8 B) duplicates
    /// may be included, and `duplicate_count` is `None`. `None` when the receiver's count did not arrive.
    pub received: Option<u64>,
    /// `sent − received`; negative only where duplicates cannot be recognised.
    pub difference: Option<i64>,
    pub lost: LostDatagrams,
    /// `None` where they cannot be recognised.
    pub duplicates: Option<u64>,
    /// `None` without a sequence.
    pub reordered: Option<u64>,
    /// Datagrams whose fate or place of loss is unknown: the widest of the bounds below.
    pub unresolved: u64,
}

/// Lost datagrams by place. A count that is not one number is `None`, with its range in `bounds`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostDatagrams {
    pub total: Option<u64>,
    /// The remainder; contains the places of `path_includes`.
    pub path: Option<u64>,
    pub receiver_socket: Option<u64>,
    /// Below the socket; `None` as well while the host's counters are unknown.
    pub receiver_host: Option<u64>,
    /// Places without a count of their own, so that `path` contains them: `receiver_socket`, `receiver_host`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path_includes: Vec<String>,
    /// The kernel's drop count of the receiver's socket. With offload one may be several datagrams.
    pub receiver_socket_events: Option<u64>,
    pub bounds: Option<LostDatagramBounds>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostDatagramBounds {
    pub total: CountBounds,
    pub path: CountBounds,
    pub receiver_socket: Option<CountBounds>,
    pub receiver_host: Option<CountBounds>,
    /// Dropped by a queue of the sender without an error; `None` without its counters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender_queue: Option<CountBounds>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountBounds {
    pub least: u64,
    pub most: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramSummary {
    #[serde(flatten)]
    pub totals: DatagramTotals,
    pub size_bytes: u64,
    /// Requested datagrams a second; `None` without a rate.
    pub asked_per_second: Option<f64>,
    pub offered_per_second: Option<f64>,
    pub sent_per_second: Option<f64>,
    pub received_per_second: Option<f64>,
    /// Payload sent in the window.
    pub sent_bps: Option<u64>,
    /// RFC 3550 interarrival jitter, the greatest of all flows.
    pub jitter_ns: Option<f64>,
    /// Absolute difference in one-way delay between consecutive datagrams (RFC 3393).
    pub delay_variation_ns: Option<LatencySummary>,
    pub sent_by: Option<DatagramSyscalls>,
    pub received_by: Option<DatagramSyscalls>,
    pub send_calls: Option<u64>,
    pub receive_calls: Option<u64>,
    pub datagrams_per_send: Option<f64>,
    pub datagrams_per_receive: Option<f64>,
    /// Requested options that could not be used, each in a sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<String>,
    /// Paced: greatest delay of a datagram after its scheduled time.
    pub most_late_ns: Option<u64>,
    /// Paced: datagrams sent more than 1 ms late.
    pub late: Option<u64>,
    /// Greatest reordering distance, in sequence numbers.
    pub most_behind: Option<u64>,
    /// Datagrams of another form on the receiver's sockets.
    pub malformed: u64,
    /// Longest wait for late datagrams after the last one was sent.
    pub drain_ns: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_available: Vec<UnavailableMeasurement>,
}

/// The outcome of a search for the highest rate without loss (or with an allowed share of it).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RateSearchSummary {
    pub allowed_loss_percent: f64,
    pub outcome: RateSearchOutcome,
    /// Payload rate of `outcome`, for each direction.
    pub rate_bps: Option<u64>,
    pub datagrams_per_second: Option<f64>,
    /// Lowest payload rate that was found too high.
    pub failed_at_bps: Option<u64>,
    /// Loss at the rate of an outcome that is not lossless.
    pub loss_percent: Option<f64>,
    /// Datagrams that the sender's own system refused, where it was the limit.
    pub refused: Option<u64>,
    /// The trial with a full window; `None` without one.
    pub confirmed_by: Option<TrialId>,
    pub trials: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RateSearchOutcome {
    /// Confirmed by a trial of full length.
    Lossless,
    /// The sender could not offer more; the path is not the limit.
    HeldBackAtSender,
    NotConfirmed,
    LossAtEveryRate,
    NoAnswer,
}
