//! The trials of a check, each short, so that all together take less than 30 s.

use crate::rate_search::search_trials::SearchTrials;
use crate::summary::summarize_trial;
use goodput_model::check::CheckStep;
use goodput_model::datagram::{DatagramRate, LosslessSearch};
use goodput_model::probe::{
    PingPongMethod, PingPongPattern, SocketOptions, StopCondition, TransferDirection,
};
use goodput_model::{
    BitRate, Bytes, Datagram, Latency, Mtu, Nanos, PingPong, Probe, Stream, Trial, TrialOutcome,
};

const MS: u64 = 1_000_000;

/// No trial begins later.
const LATEST_START_S: f64 = 25.0;
const MTU_TIME: Nanos = Nanos(4_000 * MS);
const LATENCY_WINDOW: Nanos = Nanos(2_000 * MS);
const IDLE_WARM_UP: Nanos = Nanos(200 * MS);
const BOTH_WINDOW: Nanos = Nanos(1_500 * MS);
/// Of TCP, in round trips of the idle path.
const WARM_UP_TRIPS: u64 = 20;
const WARM_UP: (u64, u64) = (500 * MS, 2_000 * MS);

const SIZES: [u64; 8] = [64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20];
/// Measured at any rate.
const SMALL_SIZES: usize = 4;
/// Largest time of a message one way, at the rate of TCP: a share of a second.
const MESSAGES_PER_SECOND: u64 = 40;
const TIME_PER_SIZE: Nanos = Nanos(250 * MS);
const MAX_PASSES: u64 = 3;
/// Of a pass, with the warm-up of its connection.
const ROUND_TRIPS_PER_PASS: u64 = 140;
const MAX_ROUND_TRIP_TIME: Nanos = Nanos(4_000 * MS);
const MAX_SAMPLES: u32 = 100_000;

const SEARCH_TIME_S: f64 = 8.0;
const SEARCH_WARM_UP: (u64, u64) = (100 * MS, 500 * MS);
const SHORT_WINDOW: Nanos = Nanos(300 * MS);
const FULL_WINDOW: Nanos = Nanos(1_000 * MS);
const MAX_SEARCH_TRIALS: u32 = 10;
/// TCP that reaches this share of the limit shows where the path's rate is.
const NEAR_LIMIT_PERCENT: f64 = 80.0;
/// Payloads that fill a packet of a usual link.
const PAYLOADS: std::ops::RangeInclusive<u32> = 512..=8_972;

/// Failures after which nothing can be reached.
const MAX_FIRST_FAILURES: u32 = 2;

#[derive(Default)]
pub struct CheckPlan {
    /// Steps begun, of [`CheckStep::ALL`].
    begun: usize,
    search: Option<UdpSearch>,
    idle_ns: Option<u64>,
    tcp_bps: Option<u64>,
    tcp_percent: Option<f64>,
    udp_payload: Option<u32>,
    complete: u32,
    failed: u32,
}

struct UdpSearch {
    trials: SearchTrials,
    latest_start_s: f64,
}

impl CheckPlan {
    /// `None` when there is nothing more to measure, or no time left.
    pub fn next_probe(&mut self, elapsed_s: f64) -> Option<Probe> {
        if self.is_hopeless() || elapsed_s > LATEST_START_S {
            return None;
        }
        // It is the last step.
        if let Some(search) = &self.search {
            return search.next_probe(elapsed_s);
        }
        while let Some(step) = CheckStep::ALL.get(self.begun).copied() {
            self.begun += 1;
            if let Some(probe) = self.first_probe(step, elapsed_s) {
                return Some(probe);
            }
        }
        None
    }

    /// True when the first trials failed, so that others would fail, too.
    pub fn is_hopeless(&self) -> bool {
        self.complete == 0 && self.failed >= MAX_FIRST_FAILURES
    }

    /// Number of the present step, from 1, and its name; `None` before the first.
    pub fn step(&self) -> Option<(usize, &'static str)> {
        let step = CheckStep::ALL.get(self.begun.checked_sub(1)?).copied()?;
        Some((self.begun, step.name()))
    }

    pub fn record(&mut self, trial: &Trial) {
        match trial.outcome {
            TrialOutcome::Complete => self.complete += 1,
            TrialOutcome::Partial { .. } | TrialOutcome::Failed { .. } => self.failed += 1,
        }
        let summary = summarize_trial(trial);
        match CheckStep::from_probe(&trial.probe) {
            Some(CheckStep::PathMtu) => {
                let forward = summary
                    .path_mtu()
                    .and_then(|m| m.directions.iter().find(|d| d.direction == TransferDirection::Send));
                self.udp_payload = forward.and_then(|d| d.udp_payload_bytes);
            }
            Some(CheckStep::IdleLatency) => self.idle_ns = summary.latency_summary().map(|l| l.p50),
            Some(CheckStep::Send) => {
                (self.tcp_bps, self.tcp_percent) = (summary.goodput_bps, summary.percent_of_limit);
            }
            Some(CheckStep::LosslessRate) => {
                if let Some(search) = &mut self.search {
                    search.trials.record(&summary);
                }
            }
            Some(CheckStep::Receive | CheckStep::Both | CheckStep::MessageSizes) | None => {}
        }
    }

    fn first_probe(&mut self, step: CheckStep, elapsed_s: f64) -> Option<Probe> {
        Some(match step {
            CheckStep::PathMtu => Probe::Mtu(Mtu { time: MTU_TIME, ..Mtu::default() }),
            CheckStep::IdleLatency => latency(None, IDLE_WARM_UP),
            CheckStep::Send => latency(Some(TransferDirection::Send), self.warm_up()),
            CheckStep::Receive => latency(Some(TransferDirection::Receive), self.warm_up()),
            CheckStep::Both => Probe::Stream(Stream {
                direction: TransferDirection::Both,
                stop: StopCondition::Time(BOTH_WINDOW),
                warm_up: self.warm_up(),
                ..Stream::default()
            }),
            CheckStep::MessageSizes => self.sweep()?,
            CheckStep::LosslessRate => {
                let search = self.udp_search(elapsed_s)?;
                let probe = search.next_probe(elapsed_s);
                self.search = Some(search);
                probe?
            }
        })
    }

    fn warm_up(&self) -> Nanos {
        let (least, most) = WARM_UP;
        Nanos(self.idle_ns.unwrap_or(0).saturating_mul(WARM_UP_TRIPS).clamp(least, most))
    }

    /// `None` where the round trip is too long.
    fn sweep(&self) -> Option<Probe> {
        let passes = sweep_passes(self.idle_ns.unwrap_or(0))?;
        let largest = self.tcp_bps.map_or(u64::MAX, |bps| bps / 8 / MESSAGES_PER_SECOND);
        let fits = |(at, size): &(usize, u64)| *at < SMALL_SIZES || *size <= largest;
        Some(Probe::PingPong(PingPong {
            sizes: SIZES.into_iter().enumerate().filter(fits).map(|(_, size)| Bytes(size)).collect(),
            method: PingPongMethod::Native {
                width_percent: 5.0,
                cap: TIME_PER_SIZE,
                passes,
                batches: 10,
                seed: 0,
            },
            pattern: PingPongPattern::PingPong,
            cold: false,
            integrity: false,
            socket: SocketOptions { no_delay: Some(true), ..SocketOptions::default() },
            sample_cap: MAX_SAMPLES,
        }))
    }

    fn udp_search(&self, elapsed_s: f64) -> Option<UdpSearch> {
        let trials = SearchTrials::new(&self.udp_settings())?;
        Some(UdpSearch { trials, latest_start_s: elapsed_s + SEARCH_TIME_S })
    }

    fn udp_settings(&self) -> Datagram {
        let near = self.tcp_percent.is_some_and(|percent| percent >= NEAR_LIMIT_PERCENT);
        let ceiling = self.tcp_bps.filter(|_| near).map(|bps| DatagramRate::Bits(BitRate(bps / 4 * 5)));
        let wanted = LosslessSearch {
            loss_percent: 0.0,
            ceiling,
            short: SHORT_WINDOW,
            full: FULL_WINDOW,
            most_trials: MAX_SEARCH_TRIALS,
        };
        let defaults = Datagram::default();
        let payload = self.udp_payload.filter(|size| PAYLOADS.contains(size));
        let (least, most) = SEARCH_WARM_UP;
        Datagram {
            size: payload.map_or(defaults.size, |size| Bytes(size.into())),
            // Each rate has its own.
            burst: 0,
            stop: StopCondition::Time(FULL_WINDOW),
            warm_up: Nanos(self.idle_ns.unwrap_or(0).saturating_mul(2).clamp(least, most)),
            search: Some(wanted),
            ..defaults
        }
    }
}

impl UdpSearch {
    fn next_probe(&self, elapsed_s: f64) -> Option<Probe> {
        if elapsed_s < self.latest_start_s { self.trials.next_probe() } else { None }
    }
}

/// One connection, as in an ordinary transfer.
fn latency(load: Option<TransferDirection>, warm_up: Nanos) -> Probe {
    Probe::Latency(Latency { load, connections: 1, time: LATENCY_WINDOW, warm_up, ..Latency::default() })
}

/// Whether a sweep over message sizes takes no more than its time on a path with this round trip.
pub(super) fn sweep_fits(round_trip_ns: u64) -> bool {
    sweep_passes(round_trip_ns).is_some()
}

fn sweep_passes(round_trip_ns: u64) -> Option<u32> {
    let pass = round_trip_ns.max(1).saturating_mul(ROUND_TRIPS_PER_PASS);
    let passes = (MAX_ROUND_TRIP_TIME.0 / pass).min(MAX_PASSES);
    u32::try_from(passes).ok().filter(|passes| *passes > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use goodput_model::TrialId;
    use goodput_model::trial::TrialPurpose;

    fn ended(probe: Probe, outcome: TrialOutcome) -> Trial {
        Trial {
            id: TrialId(1),
            probe,
            ends: Vec::new(),
            outcome,
            shared: false,
            medium: None,
            bus: None,
            excluded: Vec::new(),
            purpose: Some(TrialPurpose::Check),
        }
    }

    fn failed() -> TrialOutcome {
        TrialOutcome::Failed { cause: "no route".into() }
    }

    #[test]
    fn every_step_is_made_once_and_a_search_without_counts_ends() {
        let mut plan = CheckPlan::default();
        let mut steps = Vec::new();
        while let Some(probe) = plan.next_probe(steps.len() as f64) {
            steps.push(CheckStep::from_probe(&probe).unwrap());
            assert_eq!(plan.step(), Some((steps.len(), steps[steps.len() - 1].name())));
            plan.record(&ended(probe, TrialOutcome::Complete));
        }
        assert_eq!(steps, CheckStep::ALL);
    }

    #[test]
    fn a_failed_step_does_not_end_it_but_two_at_its_begin_do() {
        let mut plan = CheckPlan::default();
        let first = plan.next_probe(0.0).unwrap();
        plan.record(&ended(first, failed()));
        let second = plan.next_probe(1.0).unwrap();
        plan.record(&ended(second, TrialOutcome::Complete));
        for _ in 0..3 {
            let probe = plan.next_probe(2.0).unwrap();
            plan.record(&ended(probe, failed()));
        }
        assert!(matches!(plan.next_probe(3.0), Some(Probe::PingPong(_))));
        let mut plan = CheckPlan::default();
        for _ in 0..2 {
            let probe = plan.next_probe(0.0).unwrap();
            plan.record(&ended(probe, failed()));
        }
        assert!(plan.is_hopeless() && plan.next_probe(1.0).is_none());
        assert!(CheckPlan::default().next_probe(26.0).is_none(), "there is no time left");
    }

    #[test]
    fn a_long_or_slow_path_has_a_longer_warm_up_and_a_shorter_sweep() {
        let with = |idle_ns, tcp_bps| CheckPlan {
            idle_ns: Some(idle_ns),
            tcp_bps: Some(tcp_bps),
            ..CheckPlan::default()
        };
        let warm_ups = [1, 50, 1_000].map(|ms| with(ms * MS, 1).warm_up());
        assert_eq!(warm_ups, [500, 1_000, 2_000].map(|ms| Nanos(ms * MS)));
        let sweep = |idle_ns, tcp_bps| match with(idle_ns, tcp_bps).sweep() {
            Some(Probe::PingPong(PingPong {
                sizes, method: PingPongMethod::Native { passes, .. }, ..
            })) => Some((sizes.len(), passes)),
            _ => None,
        };
        assert_eq!(sweep(200_000, 941_000_000), Some((8, 3)));
        assert_eq!(sweep(200_000, 10_000_000), Some((5, 3)));
        assert_eq!(sweep(20 * MS, 1_000), Some((4, 1)));
        assert_eq!(sweep(30 * MS, 941_000_000), None);
        assert!(sweep_fits(20 * MS) && !sweep_fits(30 * MS));
    }

    #[test]
    fn the_search_stays_near_tcp_where_that_is_near_the_limit() {
        let ceiling = |percent| {
            let plan = CheckPlan {
                tcp_bps: Some(800_000_000),
                tcp_percent: Some(percent),
                udp_payload: Some(1_472),
                ..CheckPlan::default()
            };
            let search = plan.udp_search(10.0).unwrap();
            assert!(search.next_probe(18.5).is_none(), "its time is over");
            let settings = plan.udp_settings();
            assert_eq!(settings.size, Bytes(1_472));
            settings.search.unwrap().ceiling
        };
        assert_eq!(ceiling(90.0), Some(DatagramRate::Bits(BitRate(1_000_000_000))));
        assert_eq!(ceiling(50.0), None);
    }
}
