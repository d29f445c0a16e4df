//! What the kernel reports of one connection: socket options as read back, and the counters of TCP_INFO.

use crate::setting::Setting;
use crate::units::{BitRate, Bytes};
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SocketReport {
    pub local: String,
    pub remote: String,
    /// Bytes the application may fill; `socket(7)`: half of what getsockopt returns.
    pub send_buffer: Setting<Bytes>,
    pub receive_buffer: Setting<Bytes>,
    pub congestion: Setting<String>,
    pub no_delay: Setting<bool>,
    pub pacing: Setting<BitRate>,
    /// TCP_MAXSEG as requested, with the options of each segment; `mss` is without them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segment_size_asked: Option<u32>,
    pub mss: Option<u32>,
    /// True when TCP timestamps were negotiated.
    pub timestamps: Option<bool>,
    /// True when window scaling was negotiated; without it a window is at most 64 KiB. `None` in older runs,
    /// as below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window_scaling: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selective_acks: Option<bool>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ecn: Option<bool>,
}

/// TCP_INFO of one connection without SYN and FIN: user bytes of the trial only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TcpStatistics {
    pub bytes_acked: u64,
    pub bytes_received: u64,
    /// Acknowledged, outstanding (segments times their size) and retransmitted bytes. Linux's
    /// `tcpi_bytes_sent` also counts a segment again whenever the host's own queue refuses it. `None` in
    /// older runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes_sent: Option<u64>,
    pub bytes_retransmitted: u64,
    pub data_segments_out: u64,
    pub data_segments_in: u64,
    /// Pure acknowledgements included; `None` in older runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments_out: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub segments_in: Option<u64>,
    pub retransmits: u64,
    /// Time with data outstanding.
    pub busy_us: u64,
    /// Part of `busy_us`.
    pub rwnd_limited_us: u64,
    /// Part of `busy_us`.
    pub sndbuf_limited_us: u64,
    /// Smoothed round trip at the end.
    pub rtt_us: u32,
    pub min_rtt_us: u32,
    /// Segments that the other end reported as duplicates (DSACK): sent again without need. `None` in older
    /// runs and where the kernel does not tell, as below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dsack_duplicates: Option<u64>,
    /// How often the sender found that packets had overtaken others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reordering_events: Option<u64>,
    /// Segments received out of order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out_of_order_segments: Option<u64>,
    /// Mean deviation of the round trip at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rtt_variation_us: Option<u32>,
    /// Receive window that the other end advertised last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub snd_wnd_bytes: Option<u64>,
    /// At the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub congestion_window_segments: Option<u64>,
}

/// TCP_INFO of one connection between the edges of a window, as near to them as it was read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IntervalTcpStatistics {
    /// Own clock at the first reading.
    pub opened_ns: u64,
    pub closed_ns: u64,
    /// The difference; round trips and windows are those of the second reading.
    #[serde(flatten)]
    pub account: TcpStatistics,
}

impl IntervalTcpStatistics {
    pub fn from_readings(
        (opened_ns, first): (u64, TcpStatistics),
        (closed_ns, last): (u64, TcpStatistics),
    ) -> IntervalTcpStatistics {
        let account = last.difference_since(&first);
        IntervalTcpStatistics { opened_ns, closed_ns, account }
    }
}

impl TcpStatistics {
    /// The difference to an earlier account of the same connection; round trips and windows are the later
    /// one's.
    pub fn difference_since(&self, earlier: &TcpStatistics) -> TcpStatistics {
        let both = |later: Option<u64>, earlier: Option<u64>| Some(later?.saturating_sub(earlier?));
        TcpStatistics {
            bytes_acked: self.bytes_acked.saturating_sub(earlier.bytes_acked),
            bytes_received: self.bytes_received.saturating_sub(earlier.bytes_received),
            bytes_sent: both(self.bytes_sent, earlier.bytes_sent),
            bytes_retransmitted: self.bytes_retransmitted.saturating_sub(earlier.bytes_retransmitted),
            data_segments_out: self.data_segments_out.saturating_sub(earlier.data_segments_out),
            data_segments_in: self.data_segments_in.saturating_sub(earlier.data_segments_in),
            segments_out: both(self.segments_out, earlier.segments_out),
            segments_in: both(self.segments_in, earlier.segments_in),
            retransmits: self.retransmits.saturating_sub(earlier.retransmits),
            busy_us: self.busy_us.saturating_sub(earlier.busy_us),
            rwnd_limited_us: self.rwnd_limited_us.saturating_sub(earlier.rwnd_limited_us),
            sndbuf_limited_us: self.sndbuf_limited_us.saturating_sub(earlier.sndbuf_limited_us),
            dsack_duplicates: both(self.dsack_duplicates, earlier.dsack_duplicates),
            reordering_events: both(self.reordering_events, earlier.reordering_events),
            out_of_order_segments: both(self.out_of_order_segments, earlier.out_of_order_segments),
            ..*self
        }
    }
}
