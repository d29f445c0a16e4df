//! Sets socket options, reads them back and reports both.

use crate::sys::tcp::{TcpInfoReading, tcp_info};
use crate::traffic_limits::{TrafficCounts, UNPACED_SEGMENTS};
use crate::{ProbeError, sys};
use goodput_model::probe::SocketOptions;
use goodput_model::trial::{SocketReport, TcpStatistics};
use goodput_model::{BitRate, Bytes, Setting};
use goodput_words::message;
use socket2::{SockAddr, SockRef};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::time::Duration;

/// TCP_NODELAY by default: a message must not wait for the next.
pub fn with_tcp_nodelay_default(asked: &SocketOptions) -> SocketOptions {
    SocketOptions { no_delay: asked.no_delay.or(Some(true)), ..asked.clone() }
}

/// A refused option is an error; [`report`] shows partially granted ones.
pub fn apply_options(stream: &impl AsFd, asked: &SocketOptions) -> Result<(), ProbeError> {
    let socket = SockRef::from(stream);
    let failed = |what: String, source| ProbeError::from_io_error(what, source);
    if let Some(Bytes(n)) = asked.send_buffer {
        socket.set_send_buffer_size(n as usize).map_err(|e| failed(format!("SO_SNDBUF {n}"), e))?;
    }
    if let Some(Bytes(n)) = asked.receive_buffer {
        socket.set_recv_buffer_size(n as usize).map_err(|e| failed(format!("SO_RCVBUF {n}"), e))?;
    }
    if let Some(name) = &asked.congestion {
        let what = || message!(part_probe_congestion_control { name: format!("{name:?}") });
        let set = socket.set_tcp_congestion(name.as_bytes());
        set.map_err(|source| ProbeError::from_io_error(what(), source))?;
    }
    if let Some(on) = asked.no_delay {
        socket.set_tcp_nodelay(on).map_err(|e| failed(format!("TCP_NODELAY {on}"), e))?;
    }
    if let Some(BitRate(rate)) = asked.pacing {
        sys::set_max_pacing_rate(stream.as_fd(), (rate / 8).max(1))
            .map_err(|e| failed(format!("SO_MAX_PACING_RATE {rate} bit/s"), e))?;
    }
    if let Some(n) = asked.segment_size {
        // Has an effect before the handshake only; 88 to 32,767 on Linux (TCP_MIN_MSS, MAX_TCP_WINDOW).
        socket.set_tcp_mss(n).map_err(|e| failed(format!("TCP_MAXSEG {n}"), e))?;
    }
    Ok(())
}

/// Like [`apply_options`], between two transactions.
pub fn try_apply_options(stream: &impl AsFd, asked: &SocketOptions) -> std::io::Result<()> {
    apply_options(stream, asked).map_err(|e| match e {
        ProbeError::System { source, .. } => source,
        other => std::io::Error::other(other.to_string()),
    })
}

/// Limits every blocking call without progress.
pub fn set_io_timeout(stream: &TcpStream, deadline: Duration) -> Result<(), ProbeError> {
    let set = || {
        stream.set_read_timeout(Some(deadline))?;
        stream.set_write_timeout(Some(deadline))
    };
    set().map_err(ProbeError::system_error("SO_RCVTIMEO"))
}

pub fn read_effective_socket_options(stream: &TcpStream, asked: &SocketOptions) -> SocketReport {
    let info = tcp_info(stream.as_fd()).ok().map(|info| info.fields);
    // TCPI_OPT_TIMESTAMPS, TCPI_OPT_SACK, TCPI_OPT_WSCALE and TCPI_OPT_ECN, linux/tcp.h
    let [timestamps, selective_acks, window_scaling, ecn] =
        [1u8, 2, 4, 8].map(|option| info.map(|i| i.tcpi_options & option != 0));
    SocketReport {
        congestion: Setting { asked: asked.congestion.clone(), obtained: congestion_control(stream) },
        no_delay: Setting { asked: asked.no_delay, obtained: stream.nodelay().ok() },
        segment_size_asked: asked.segment_size,
        mss: info.map(|i| i.tcpi_snd_mss),
        timestamps,
        window_scaling,
        selective_acks,
        ecn,
        ..read_common_socket_options(stream, asked)
    }
}

/// What TCP and UDP have in common.
pub fn read_common_socket_options(socket: &impl AsFd, asked: &SocketOptions) -> SocketReport {
    let pacing = sys::max_pacing_rate(socket.as_fd()).ok().flatten();
    let socket = SockRef::from(socket);
    // Linux doubles the buffers for its bookkeeping (socket(7)); half is usable.
    let half = |n: usize| Bytes(n as u64 / 2);
    let name = |address: std::io::Result<SockAddr>| {
        address.ok().and_then(|a| a.as_socket()).map(|a| a.to_string()).unwrap_or_default()
    };
    SocketReport {
        local: name(socket.local_addr()),
        remote: name(socket.peer_addr()),
        send_buffer: Setting { asked: asked.send_buffer, obtained: socket.send_buffer_size().ok().map(half) },
        receive_buffer: Setting {
            asked: asked.receive_buffer,
            obtained: socket.recv_buffer_size().ok().map(half),
        },
        pacing: Setting { asked: asked.pacing, obtained: pacing.map(|b| BitRate(b.saturating_mul(8))) },
        ..SocketReport::default()
    }
}

pub fn congestion_control(socket: &impl AsFd) -> Option<String> {
    let name = SockRef::from(socket).tcp_congestion().ok()?;
    Some(String::from_utf8_lossy(&name).trim_end_matches('\0').to_string())
}

#[derive(Clone, Copy)]
pub struct TcpInfo(TcpInfoReading);

/// Non-user bytes in the kernel's counts of a connection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct NonUserDataBytes {
    /// Handshake bytes written, and 1 for each acknowledged SYN and FIN of ours (Linux's tcp_snd_una_update).
    pub acked: u64,
    /// Handshake bytes read, and 1 for a received FIN (tcp_rcv_nxt_update; a SYN is not counted).
    pub received: u64,
}

impl TcpInfo {
    pub fn read(stream: &TcpStream) -> Option<TcpInfo> {
        tcp_info(stream.as_fd()).ok().map(TcpInfo)
    }

    /// User bytes only, since the connection was opened.
    pub fn user_data_statistics(&self, overhead: NonUserDataBytes) -> TcpStatistics {
        let i = &self.0.fields;
        TcpStatistics {
            bytes_acked: i.tcpi_bytes_acked.saturating_sub(overhead.acked),
            bytes_received: i.tcpi_bytes_received.saturating_sub(overhead.received),
            bytes_sent: Some(
                i.tcpi_bytes_acked.saturating_sub(overhead.acked)
                    + u64::from(i.tcpi_unacked) * u64::from(i.tcpi_snd_mss)
                    + i.tcpi_bytes_retrans,
            ),
            bytes_retransmitted: i.tcpi_bytes_retrans,
            data_segments_out: u64::from(i.tcpi_data_segs_out),
            data_segments_in: u64::from(i.tcpi_data_segs_in),
            segments_out: Some(u64::from(i.tcpi_segs_out)),
            segments_in: Some(u64::from(i.tcpi_segs_in)),
            retransmits: u64::from(i.tcpi_total_retrans),
            busy_us: i.tcpi_busy_time,
            rwnd_limited_us: i.tcpi_rwnd_limited,
            sndbuf_limited_us: i.tcpi_sndbuf_limited,
            rtt_us: i.tcpi_rtt,
            min_rtt_us: i.tcpi_min_rtt,
            dsack_duplicates: self.0.dsack_duplicates().map(u64::from),
            reordering_events: self.0.reordering_events().map(u64::from),
            out_of_order_segments: self.0.out_of_order_segments().map(u64::from),
            rtt_variation_us: Some(i.tcpi_rttvar),
            snd_wnd_bytes: self.0.send_window().map(u64::from),
            congestion_window_segments: Some(u64::from(i.tcpi_snd_cwnd)),
        }
    }

    /// Time since the last packet from the other end. Linux counts data and acknowledgements apart, in ms.
    pub fn since_last_packet_ns(&self) -> u64 {
        let i = &self.0.fields;
        u64::from(i.tcpi_last_data_recv.min(i.tcpi_last_ack_recv)) * 1_000_000
    }

    /// Bytes received and acknowledged.
    pub fn bytes_transferred(&self) -> u64 {
        self.0.fields.tcpi_bytes_received.wrapping_add(self.0.fields.tcpi_bytes_acked)
    }

    /// Our FIN was acknowledged: TCP_FIN_WAIT2, TCP_TIME_WAIT or TCP_CLOSE (`tcp_states.h`).
    pub fn is_fin_acked(&self) -> bool {
        (5..=7).contains(&self.0.fields.tcpi_state)
    }

    /// The other end's FIN arrived: TCP_TIME_WAIT, TCP_CLOSE, TCP_CLOSE_WAIT, TCP_LAST_ACK or TCP_CLOSING.
    pub fn is_fin_received(&self) -> bool {
        matches!(self.0.fields.tcpi_state, 6..=9 | 11)
    }

    /// By the kernel's count: without what waits to be sent, each byte once.
    pub fn traffic(&self) -> TrafficCounts {
        let i = &self.0.fields;
        let segment = u64::from(i.tcpi_snd_mss.max(i.tcpi_advmss));
        TrafficCounts {
            sent: i.tcpi_bytes_sent.saturating_sub(i.tcpi_bytes_retrans),
            received: i.tcpi_bytes_received,
            connections: 1,
            unpaced: UNPACED_SEGMENTS * segment,
        }
    }

    /// Columns of the `tcp-info` series.
    pub fn time_series_row(&self) -> [i64; TCP_INFO_COLUMNS.len()] {
        let i = &self.0.fields;
        [
            i64::from(i.tcpi_rtt),
            i64::from(i.tcpi_snd_cwnd),
            i64::from(i.tcpi_total_retrans),
            i.tcpi_busy_time as i64,
            i.tcpi_rwnd_limited as i64,
            i.tcpi_sndbuf_limited as i64,
            (i.tcpi_delivery_rate.min(i64::MAX as u64 / 8) * 8) as i64,
            i64::from(self.0.app_limited),
            i64::from(i.tcpi_unacked),
        ]
    }
}

/// Names of [`TcpInfo::row`].
pub const TCP_INFO_COLUMNS: [&str; 9] = [
    "rtt_us",
    "cwnd_segments",
    "retransmits",
    "busy_us",
    "rwnd_limited_us",
    "sndbuf_limited_us",
    "delivery_bps",
    "app_limited",
    "unacked_segments",
];
