//! RFC 6349 metrics of one direction of a stream, from the sender's TCP_INFO and the receiver's count. Series
//! of the sending end: `tcp-info-<direction>-<connection>` (`t_ns` since t0, `rtt_us`).

use super::direction::{DirectionFlows, series_name};
use super::find_series;
use crate::medium_limit::rfc6349::{buffer_delay_percent, efficiency_percent, transfer_time_ratio};
use goodput_model::Nanos;
use goodput_model::summary::{Rfc6349Metrics, TheoreticalGoodputLimit};
use goodput_model::trial::TcpStatistics;

/// `tcp` is the senders' account, `limit` that of the whole trial with so many directions.
pub(super) fn rfc6349_metrics(
    part: &DirectionFlows<'_>,
    tcp: Option<TcpStatistics>,
    limit: &TheoreticalGoodputLimit,
    directions: u64,
) -> Rfc6349Metrics {
    let mean = mean_round_trip_us(part);
    // Linux reports u32::MAX before the first sample.
    let baseline = tcp.map(|t| t.min_rtt_us).filter(|us| *us > 0 && *us != u32::MAX);
    Rfc6349Metrics {
        transfer_time_ratio: time_ratio(part, limit, directions).into(),
        tcp_efficiency_percent: efficiency(tcp).into(),
        buffer_delay_percent: delay(mean, baseline).into(),
        round_trip_mean_us: mean,
        round_trip_baseline_us: baseline,
    }
}

fn time_ratio(
    part: &DirectionFlows<'_>,
    limit: &TheoreticalGoodputLimit,
    directions: u64,
) -> Result<f64, String> {
    let one_way = limit.goodput_per_direction(directions).filter(|bps| *bps > 0);
    let one_way = one_way.ok_or_else(|| format!("no limit is known to compare with: {}", limit.reason))?;
    if part.goodput().is_none_or(|g| g.0 == 0) {
        return Err("no data was delivered from which to compute a rate".into());
    }
    let ideal = part.total_bytes() as f64 * 8e9 / one_way as f64;
    transfer_time_ratio(Nanos(part.elapsed_ns), Nanos(ideal.round() as u64))
        .ok_or_else(|| "too little data was delivered".to_string())
}

fn efficiency(tcp: Option<TcpStatistics>) -> Result<f64, &'static str> {
    let tcp = tcp.ok_or("the sender's kernel does not report how much it sent")?;
    if tcp.retransmits > 0 && tcp.bytes_retransmitted == 0 {
        return Err("the sender's kernel counts retransmitted segments, but not their bytes");
    }
    let sent = tcp.bytes_acked.saturating_add(tcp.bytes_retransmitted);
    efficiency_percent(sent, tcp.bytes_retransmitted).ok_or("no data was sent")
}

fn delay(mean_us: Option<f64>, baseline_us: Option<u32>) -> Result<f64, &'static str> {
    let mean = mean_us.ok_or("the sender's kernel reported no RTT inside the measurement window")?;
    let baseline = baseline_us.ok_or("the sender's kernel reports no minimum RTT")?;
    let (mean, baseline) = (Nanos((mean * 1e3).round() as u64), Nanos(u64::from(baseline) * 1_000));
    buffer_delay_percent(mean, baseline).ok_or("the minimum RTT is zero")
}

/// Of all connections, sampled inside the window.
fn mean_round_trip_us(part: &DirectionFlows<'_>) -> Option<f64> {
    let sender = part.sender?;
    let inside = 0..=i64::try_from(part.elapsed_ns).unwrap_or(i64::MAX);
    let (mut sum, mut count) = (0.0, 0u32);
    for flow in &part.senders {
        let Some(found) = find_series(sender, &series_name("tcp-info", flow, part.count)) else { continue };
        let times = found.column("t_ns").unwrap_or_default();
        let round_trips = found.column("rtt_us").unwrap_or_default();
        for (_, us) in times.iter().zip(round_trips).filter(|(t, us)| inside.contains(*t) && **us > 0) {
            sum += *us as f64;
            count += 1;
        }
    }
    (count > 0).then(|| sum / f64::from(count))
}
