//! State of a running trial: who has ended, how long others may continue, when to stop. Pure.

use super::{CollectedEndpointOutcomes, EndpointCollectionTimeouts, EndpointOutcome, EndpointStatus};
use crate::whole_seconds_arg;
use goodput_model::event::{EndpointLiveProgress, LiveProgress};
use goodput_model::probe::Probe;
use goodput_model::trial::EndpointRole;
use goodput_words::{Message, message};
use std::time::{Duration, Instant};

/// How long the others may continue after an indispensable end broke off.
const REMAINING_ENDS_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a stopping end may take.
const STOP_TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MonitorAction {
    GoOn,
    Stop,
    GiveUp,
}

pub(super) struct EndpointProgressMonitor<'a> {
    gathered: CollectedEndpointOutcomes,
    /// True until the end has ended.
    runs: Vec<bool>,
    still: Vec<Duration>,
    /// Latest counts of the ends that count.
    bytes: u64,
    operations: u64,
    probe: &'a Probe,
    limits: &'a EndpointCollectionTimeouts,
    started: Instant,
    /// Deadline of the remaining ends, and whether one is complete. If one broke off, it tells why itself.
    alone: Option<(Instant, bool)>,
    stopped: Option<Instant>,
}

impl<'a> EndpointProgressMonitor<'a> {
    /// `begun` are those of `all` that run.
    pub fn new(
        all: CollectedEndpointOutcomes,
        begun: impl Iterator<Item = usize>,
        probe: &'a Probe,
        limits: &'a EndpointCollectionTimeouts,
    ) -> EndpointProgressMonitor<'a> {
        let mut runs = vec![false; all.parts.len()];
        begun.for_each(|at| runs[at] = true);
        EndpointProgressMonitor {
            still: vec![Duration::ZERO; runs.len()],
            runs,
            gathered: all,
            bytes: 0,
            operations: 0,
            probe,
            limits,
            started: Instant::now(),
            alone: None,
            stopped: None,
        }
    }

    pub fn is_finished(&self) -> bool {
        self.running_endpoints().next().is_none()
    }

    pub fn running_endpoints(&self) -> impl Iterator<Item = usize> + '_ {
        self.runs.iter().enumerate().filter(|(_, runs)| **runs).map(|(at, _)| at)
    }

    /// Adds a live sample; returns the sum over all ends that count.
    pub fn record_live_progress(&mut self, at: usize, live: LiveProgress) -> Option<LiveProgress> {
        let part = &mut self.gathered.parts[at];
        let before = part.live.replace(live);
        // Late samples of a lost end are ignored.
        if !self.runs[at] || !self.probe.settings().is_result_endpoint(part.role) {
            return None;
        }
        let (bytes, operations) = before.map_or((0, 0), |l| (l.bytes, l.operations));
        self.bytes = self.bytes.saturating_add(live.bytes).saturating_sub(bytes);
        self.operations = self.operations.saturating_add(live.operations).saturating_sub(operations);
        Some(LiveProgress { bytes: self.bytes, operations: self.operations, busy_percent: None, ..live })
    }

    /// Each end with its last sample; `shares` tells whether its CPU value includes other ends.
    pub fn live_progress_by_endpoint(&self, shares: impl Fn(usize) -> bool) -> Vec<EndpointLiveProgress> {
        let one = |(at, part): (usize, &EndpointOutcome)| EndpointLiveProgress {
            role: part.role,
            host: part.host.clone(),
            counts: self.probe.settings().is_result_endpoint(part.role),
            shared: shares(at),
            live: part.live,
        };
        self.gathered.parts.iter().enumerate().map(one).collect()
    }

    /// Time without progress at one end.
    pub fn record_stall_duration(&mut self, at: usize, still: Duration) {
        self.still[at] = still;
    }

    pub fn record_endpoint_end(&mut self, at: usize, ended: EndpointStatus, now: Instant) {
        let whole = is_complete(&ended);
        self.runs[at] = false;
        let part = &mut self.gathered.parts[at];
        part.ended = ended;
        let role = part.role;
        if !whole && self.probe.settings().is_result_endpoint(role) {
            // A lost client's count is not in the result.
            let (bytes, operations) = part.live.map_or((0, 0), |l| (l.bytes, l.operations));
            self.bytes = self.bytes.saturating_sub(bytes);
            self.operations = self.operations.saturating_sub(operations);
        }
        let until = if whole {
            Some((now + self.limits.behind, true))
        } else if role == EndpointRole::Listen
            || self.probe.settings().client_names().is_none()
            || !self.has_client()
        {
            Some((now + REMAINING_ENDS_TIMEOUT, false))
        } else {
            None
        };
        self.alone = match (self.alone, until) {
            (Some(old), Some(new)) => Some(if new.0 < old.0 { new } else { old }),
            (old, new) => old.or(new),
        };
    }

    /// True while a connecting end runs or is complete.
    fn has_client(&self) -> bool {
        let mut connecting =
            self.gathered.parts.iter().zip(&self.runs).filter(|(part, _)| part.role == EndpointRole::Connect);
        connecting.any(|(part, runs)| *runs || is_complete(&part.ended))
    }

    pub fn next_action(&mut self, now: Instant, cancelled: bool) -> MonitorAction {
        if let Some(since) = self.stopped {
            return if now.saturating_duration_since(since) > STOP_TIMEOUT {
                MonitorAction::GiveUp
            } else {
                MonitorAction::GoOn
            };
        }
        let elapsed = now.saturating_duration_since(self.started);
        let still = self.running_endpoints().map(|at| self.still[at]).min().unwrap_or_default();
        let why = if cancelled {
            Some(Message::from("interrupted"))
        } else if let Some((_, whole)) = self.alone.filter(|(until, _)| now > *until) {
            whole.then(|| {
                let time = whole_seconds_arg(self.limits.behind.as_secs_f64());
                message!(part_did_not_end_after_other { hosts: self.running_hosts(), time })
            })
        } else if self.limits.whole.is_some_and(|whole| elapsed > whole) {
            Some(message!(part_trial_not_over { time: whole_seconds_arg(elapsed.as_secs_f64()) }))
        } else if still > self.limits.still {
            Some(message!(part_nothing_moved { time: whole_seconds_arg(still.as_secs_f64()) }))
        } else {
            return MonitorAction::GoOn;
        };
        self.stopped = Some(now);
        self.gathered.stopped = why;
        MonitorAction::Stop
    }

    fn running_hosts(&self) -> Vec<&str> {
        self.running_endpoints().map(|at| self.gathered.parts[at].host.as_str()).collect()
    }

    pub fn into_result(self) -> CollectedEndpointOutcomes {
        self.gathered
    }
}

fn is_complete(ended: &EndpointStatus) -> bool {
    matches!(ended, EndpointStatus::Whole { result, .. } if result.broken.is_none())
}

#[cfg(test)]
mod tests;
