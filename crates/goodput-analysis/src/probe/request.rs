//! Request and response: transactions a second and the percentiles of their latency. Series of the connecting
//! end: `latency` (`slot`: number of the 100 ms slot since t0, `value_ns`, `count`).

use super::{Measured, ProbeAnalysis, Work, seconds, series};
use crate::latency::Distribution;
use crate::limit::Carried;
use goodput_model::change::Quantity;
use goodput_model::probe::{RequestKind, Stop};
use goodput_model::summary::{Limit, ProbeResult, RequestResult};
use goodput_model::trial::{EndReport, Role};
use goodput_model::{Request, Trial};

const SLOT_NS: u64 = 100_000_000;

impl ProbeAnalysis for Request {
    fn measure(&self, trial: &Trial, _: &Limit) -> Measured {
        measure(trial, self)
    }

    fn carried(&self, _: &Trial) -> Result<Carried, &'static str> {
        Err("a transaction is limited by latency, not by a rate")
    }

    fn primary_metric(&self) -> &'static str {
        "transactions_per_second"
    }

    fn pair_metric(&self) -> Option<&'static str> {
        (self.outstanding == 1 && self.rate.is_none()).then_some("latency_ns.p50")
    }

    fn compared(&self) -> &'static [Quantity] {
        &[Quantity::TransactionsPerSecond, Quantity::LatencyP50Ns, Quantity::LatencyP99Ns]
    }

    fn describe(&self) -> String {
        let kind = match self.transport {
            RequestKind::TcpRr => "tcp_rr",
            RequestKind::UdpRr => "udp_rr",
            RequestKind::TcpCrr => "tcp_crr",
        };
        format!("request {kind}, {} and {} B", self.request.0, self.response.0)
    }
}

fn measure(trial: &Trial, settings: &Request) -> Measured {
    let Some(end) = trial.end(Role::Connect) else { return Measured::default() };
    let elapsed_ns = elapsed(end, settings);
    let latency = series(end, "latency").and_then(Distribution::from_series);
    Measured {
        elapsed_ns,
        result: Some(ProbeResult::Request(RequestResult {
            transactions_per_second: seconds(elapsed_ns).map(|s| end.operations as f64 / s),
            latency_ns: latency.and_then(|l| l.summary()),
        })),
        work: Some(Work::Transactions(end.operations as f64)),
        ..Measured::default()
    }
}

/// The window; for an interrupted trial by time, up to the last slot with a count.
fn elapsed(end: &EndReport, settings: &Request) -> u64 {
    let window = end.window.elapsed().0;
    if end.complete || !matches!(settings.stop, Stop::Time(_)) {
        return window;
    }
    let slots = series(end, "latency").and_then(|s| s.column("slot")).unwrap_or_default();
    match slots.iter().max().and_then(|last| u64::try_from(*last).ok()) {
        Some(last) => last.saturating_add(1).saturating_mul(SLOT_NS).min(window),
        None => window,
    }
}
