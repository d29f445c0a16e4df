//! One direction of a stream or datagram trial: its flows at both ends, its time span, its interval samples.

use super::find_series;
use goodput_model::probe::{StopCondition, TransferDirection};
use goodput_model::trial::{EndpointReport, Flow};
use goodput_model::{BitRate, Bytes, Nanos, Trial};
use std::collections::BTreeMap;

/// Shorter trials, in multiples of the clock offset's error, are refused.
const MIN_CLOCK_ERRORS: u64 = 100;

/// Flows count from 0 in each direction.
pub(crate) fn series_name(what: &str, flow: &Flow, flows: u16) -> String {
    format!("{what}-{}-{}", flow.direction.name(), flow.index % flows.max(1))
}

pub(super) struct DirectionFlows<'a> {
    pub direction: TransferDirection,
    pub count: u16,
    pub receiver: &'a EndpointReport,
    pub receivers: Vec<&'a Flow>,
    pub sender: Option<&'a EndpointReport>,
    pub senders: Vec<&'a Flow>,
    /// The time that the received bytes are divided by.
    pub elapsed_ns: u64,
    pub refused: bool,
}

impl<'a> DirectionFlows<'a> {
    /// `None` without the receiving end's report: only it counts.
    pub fn for_direction(
        trial: &'a Trial,
        direction: TransferDirection,
        count: u16,
        stop: StopCondition,
    ) -> Option<DirectionFlows<'a>> {
        let flows = |receives: bool| {
            let ours = move |f: &&Flow| f.direction == direction && f.receives == receives;
            trial.ends.iter().find_map(move |end| {
                let found: Vec<&Flow> = end.flows.iter().filter(ours).collect();
                (!found.is_empty()).then_some((end, found))
            })
        };
        let (receiver, receivers) = flows(true)?;
        let (sender, senders) = flows(false).map_or((None, Vec::new()), |(end, found)| (Some(end), found));
        let elapsed_ns = elapsed(receiver, &receivers, count, stop);
        let refused = false;
        let mut part =
            DirectionFlows { direction, count, receiver, receivers, sender, senders, elapsed_ns, refused };
        part.refused = part.is_too_short(trial, stop);
        Some(part)
    }

    pub fn active_ns(&self) -> Option<u64> {
        let first = self.receivers.iter().filter_map(|f| f.first_byte_ns).min()?;
        let last = self.receivers.iter().filter_map(|f| f.last_byte_ns).max()?;
        Some(last.saturating_sub(first))
    }

    /// On the sender's clock, from the first write to the receiver's confirmation; `None` in a trial by time,
    /// and of datagrams, which nobody confirms.
    pub fn transfer_ns(&self) -> Option<u64> {
        let span = |f: &&Flow| f.first_byte_ns.zip(f.last_byte_ns).filter(|_| f.datagrams.is_none());
        let spans: Vec<(u64, u64)> = self.senders.iter().map(span).collect::<Option<_>>()?;
        let first = spans.iter().map(|s| s.0).min()?;
        let last = spans.iter().map(|s| s.1).max()?;
        Some(last.saturating_sub(first))
    }

    /// True when a trial that ends with its last byte is too short for the clock offset's error.
    fn is_too_short(&self, trial: &Trial, stop: StopCondition) -> bool {
        let clocks = trial.ends.iter().map(|e| e.window.clock_error_ns).max().unwrap_or(0);
        // The transfer took at least the receiver's active time and at most the sender's time.
        let transfer = self.active_ns().zip(self.transfer_ns()).map(|(least, most)| {
            self.elapsed_ns.saturating_sub(least).max(most.saturating_sub(self.elapsed_ns))
        });
        let error = transfer.map_or(clocks, |error| error.min(clocks));
        !matches!(stop, StopCondition::Time(_)) && self.elapsed_ns < error.saturating_mul(MIN_CLOCK_ERRORS)
    }

    pub fn total_bytes(&self) -> u64 {
        saturating_sum(self.receivers.iter().map(|f| f.window_bytes))
    }

    /// `None` when the span is too short.
    pub fn goodput(&self) -> Option<BitRate> {
        BitRate::from_bytes_and_time(Bytes(self.total_bytes()), Nanos(self.elapsed_ns))
            .filter(|_| !self.refused)
    }

    /// What the receiver's kernel took in order, read or not, over the time between the two readings of
    /// TCP_INFO: without a CPU these are late, and their counts belong to no other time.
    pub fn arrival_rate(&self) -> Option<BitRate> {
        let each = self.receivers.iter().map(|flow| {
            let read = flow.tcp_window?;
            let time = Nanos(read.closed_ns.saturating_sub(read.opened_ns));
            BitRate::from_bytes_and_time(Bytes(read.account.bytes_received), time).map(|rate| rate.0)
        });
        let rates: Vec<u64> = each.collect::<Option<_>>()?;
        let known = self.receiver.complete && !self.refused && !rates.is_empty();
        known.then(|| BitRate(saturating_sum(rates.into_iter())))
    }

    pub fn interval_bytes(&self) -> Vec<(u64, u64)> {
        intervals(self.receiver, &self.receivers, self.count)
    }
}

/// Span, active time and bytes over all directions.
pub(super) fn measure_directions(trial: &Trial, parts: &[DirectionFlows<'_>]) -> super::TrialMeasurement {
    let window = trial.ends.iter().map(|e| e.window.elapsed().0).max().unwrap_or(0);
    super::TrialMeasurement {
        elapsed_ns: parts.iter().map(|p| p.elapsed_ns).max().unwrap_or(window),
        active_ns: parts.iter().filter_map(DirectionFlows::active_ns).max(),
        bytes: parts.iter().map(DirectionFlows::total_bytes).reduce(u64::saturating_add),
        // One direction without goodput leaves the sum without one.
        goodput_bps: parts
            .iter()
            .map(|p| p.goodput().map(|g| g.0))
            .reduce(|a, b| Some(a?.saturating_add(b?)))
            .flatten(),
        ..super::TrialMeasurement::default()
    }
}

/// On the receiver's clock. By time: the agreed window, in full. By bytes or count: from t0 to the last byte.
/// Of an interrupted trial: up to the last sample.
fn elapsed(receiver: &EndpointReport, flows: &[&Flow], count: u16, stop: StopCondition) -> u64 {
    let window = receiver.window.elapsed().0;
    let t0 = receiver.window.t0_ns;
    let last_byte = flows.iter().filter_map(|f| f.last_byte_ns).max().map(|l| l.saturating_sub(t0));
    match stop {
        StopCondition::Time(_) if receiver.complete => window,
        StopCondition::Time(_) => {
            let ends = intervals(receiver, flows, count);
            let counted = last_byte.max(ends.last().map(|(end, _)| *end)).filter(|c| *c > 0);
            counted.map_or(window, |c| if window > 0 { c.min(window) } else { c })
        }
        StopCondition::Bytes(_) | StopCondition::Count(_) => last_byte.unwrap_or(window),
    }
}

/// Summed over the flows of a direction by the intervals' common ends.
fn intervals(receiver: &EndpointReport, flows: &[&Flow], count: u16) -> Vec<(u64, u64)> {
    let mut by_end: BTreeMap<u64, u64> = BTreeMap::new();
    for flow in flows {
        let Some(found) = find_series(receiver, &series_name("intervals", flow, count)) else { continue };
        let (ends, bytes) = (found.column("end_ns"), found.column("bytes"));
        for (end, bytes) in ends.unwrap_or_default().iter().zip(bytes.unwrap_or_default()) {
            if let (Ok(end), Ok(bytes)) = (u64::try_from(*end), u64::try_from(*bytes)) {
                let slot = by_end.entry(end).or_default();
                *slot = slot.saturating_add(bytes);
            }
        }
    }
    by_end.into_iter().collect()
}

pub(super) fn saturating_sum(values: impl Iterator<Item = u64>) -> u64 {
    values.fold(0, u64::saturating_add)
}

/// `None` over zero.
pub(super) fn checked_ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole).filter(|r| r.is_finite())
}
