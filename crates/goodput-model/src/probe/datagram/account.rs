//! What is computed from trials of the probe `datagram`: the account, the figures of a direction, the outcome
//! of a search for the highest rate without loss.

use crate::id::TrialId;
use crate::percentiles::LatencySummary;
use crate::probe::datagram::{DatagramCalls, NotAvailable};
use serde::{Deserialize, Serialize};

/// Where datagrams went, over the whole trial: `offered = refused + sent`, and
/// `sent = received + lost.receiver_socket + lost.receiver_host + lost.path`, where only `path` is a remainder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DatagramTotals {
    /// Handed to the sender's kernel. This and the next two are `None` when the sender's count did not come.
    pub offered: Option<u64>,
    pub refused: Option<u64>,
    pub sent: Option<u64>,
    /// Delivered to the receiver's application, each once; without a sequence (payload below 8 B) copies may be
    /// among them, and then `duplicates` is `None`. `None` when the receiver's count did not come.
    pub received: Option<u64>,
    /// `sent − received`, exact wherever both are. Negative only where copies cannot be told apart.
    pub difference: Option<i64>,
    pub lost: LostSummary,
    /// Copies delivered beside the first; `None` where they cannot be told apart.
    pub duplicates: Option<u64>,
    /// Delivered after one that was sent later; `None` where there is no sequence.
    pub reordered: Option<u64>,
    /// Datagrams whose fate or place of loss is not decided by what was counted: the widest of the bounds below.
    pub unresolved: u64,
}

/// Lost datagrams by place. A figure that is not known as one number is `None`, and stands in `bounds`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostSummary {
    pub total: Option<u64>,
    /// The remainder: lost elsewhere. Contains the places of `path_includes`.
    pub path: Option<u64>,
    pub receiver_socket: Option<u64>,
    /// In the receiving host below the socket; `None` as well while its counters are not known.
    pub receiver_host: Option<u64>,
    /// Places whose own count is not known, so that `path` contains them: `receiver_socket`, `receiver_host`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path_includes: Vec<String>,
    /// Drops as the kernel counted them at the receiver's socket. Under offload one may be several datagrams.
    pub receiver_socket_events: Option<u64>,
    /// Least and most of each; `None` where nothing can be said.
    pub bounds: Option<LostBounds>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostBounds {
    pub total: Bounds,
    pub path: Bounds,
    /// At the receiver's socket; `None` while not known.
    pub receiver_socket: Option<Bounds>,
    /// Below it; `None` while not known.
    pub receiver_host: Option<Bounds>,
}

/// A count that is known within bounds, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    pub least: u64,
    pub most: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DatagramSummary {
    #[serde(flatten)]
    pub totals: DatagramTotals,
    pub size_bytes: u64,
    /// Datagrams a second that were asked; `None` without a rate.
    pub asked_per_second: Option<f64>,
    pub offered_per_second: Option<f64>,
    pub sent_per_second: Option<f64>,
    pub received_per_second: Option<f64>,
    /// Payload sent in the window, bit/s.
    pub sent_bps: Option<u64>,
    /// RFC 3550 interarrival jitter, the greatest of all flows, in ns.
    pub jitter_ns: Option<f64>,
    /// Absolute difference in one-way delay between one datagram and the next (RFC 3393), in ns.
    pub delay_variation_ns: Option<LatencySummary>,
    pub sent_by: Option<DatagramCalls>,
    pub received_by: Option<DatagramCalls>,
    /// System calls that sent, whole trial.
    pub send_calls: Option<u64>,
    /// System calls that received, whole trial.
    pub receive_calls: Option<u64>,
    pub datagrams_per_send: Option<f64>,
    pub datagrams_per_receive: Option<f64>,
    /// What was asked and could not be used, each in a sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fallbacks: Vec<String>,
    /// Paced: the longest that a datagram was offered after its instant, in ns.
    pub most_late_ns: Option<u64>,
    /// Paced: datagrams offered more than 1 ms late.
    pub late: Option<u64>,
    /// Furthest behind, in sequence numbers, that a datagram came.
    pub most_behind: Option<u64>,
    /// Datagrams of another form on the receiver's sockets.
    pub malformed: u64,
    /// The longest that a receiver looked for stragglers after the last datagram was sent, in ns.
    pub drain_ns: Option<u64>,
    /// Checks that could not be made, with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub not_available: Vec<NotAvailable>,
}

/// The outcome of a search for the highest rate without loss (or with a stated share of it).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchSummary {
    /// Share of the sent datagrams that was allowed to be lost, in per cent.
    pub allowed_loss_percent: f64,
    pub outcome: SearchOutcome,
    /// The rate of `outcome`, payload in bit/s of each direction.
    pub rate_bps: Option<u64>,
    pub datagrams_per_second: Option<f64>,
    /// The lowest rate that was found too high, payload in bit/s.
    pub failed_at_bps: Option<u64>,
    /// What was lost at the rate of an outcome that is not lossless, in per cent.
    pub loss_percent: Option<f64>,
    /// Datagrams that the sender's own system refused, where it was the limit.
    pub refused: Option<u64>,
    /// The trial whose window was long enough to hold the result; `None` without one.
    pub confirmed_by: Option<TrialId>,
    pub trials: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SearchOutcome {
    /// Confirmed by a trial of full length.
    Lossless,
    /// The sender could not offer more; the path is not the limit.
    HeldBackAtSender,
    /// No trial of full length passed.
    NotConfirmed,
    /// Too much was lost at every rate.
    LossAtEveryRate,
    NoAnswer,
}
