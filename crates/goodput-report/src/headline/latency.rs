//! The first sentence of a latency probe: how long an answer takes, with what load, and how many were lost.

use super::{share_of_limit, way};
use crate::number::{count, nanos, percent, rate};
use goodput_model::Latency;
use goodput_model::summary::Summary;

/// `idle: median 61.20 µs, 99 % within 80.00 µs, worst 1.200 ms, none of 1,000 probes lost`.
pub fn latency(summary: &Summary, settings: &Latency) -> Option<String> {
    let probes = summary.probes()?;
    let mut text = match settings.load {
        None => "idle".to_string(),
        Some(direction) => {
            let goodput = summary.goodput_bps.map(|g| format!(" of {}{}", rate(g), share_of_limit(summary)));
            format!("under TCP {}{}", way(summary, direction), goodput.unwrap_or_default())
        }
    };
    match summary.latency() {
        None => text.push_str(": no probe was answered"),
        Some(l) => {
            text.push_str(&format!(": median {}", nanos(l.p50)));
            if l.count >= 100 {
                text.push_str(&format!(", 99 % within {}", nanos(l.p99)));
            }
            text.push_str(&format!(", worst {}", nanos(l.max)));
        }
    }
    text.push_str(&match probes.lost {
        0 => format!(", none of {} probes lost", count(probes.sent)),
        lost => format!(
            ", {} of {} probes lost ({})",
            count(lost),
            count(probes.sent),
            percent(lost as f64 * 100.0 / probes.sent.max(1) as f64)
        ),
    });
    Some(text)
}

/// `idle p50 61.20 µs`, `both ways p50 12.30 ms, 3 lost`.
pub fn short(summary: &Summary, settings: &Latency) -> Option<String> {
    let l = summary.latency()?;
    let lost = summary.probes().filter(|p| p.lost > 0).map(|p| format!(", {} lost", count(p.lost)));
    Some(format!("{} p50 {}{}", load(settings), nanos(l.p50), lost.unwrap_or_default()))
}

/// The load in a word.
pub fn load(settings: &Latency) -> &'static str {
    use goodput_model::probe::Direction::{Both, Receive, Send};
    match settings.load {
        None => "idle",
        Some(Send) => "send",
        Some(Receive) => "receive",
        Some(Both) => "both ways",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;

    #[test]
    fn idle_and_loaded() {
        let idle = documents::latency_idle();
        let goodput_model::Probe::Latency(settings) = &idle.probe else { panic!() };
        assert_eq!(
            latency(&idle, settings).unwrap(),
            "idle: median 61.20 µs, 99 % within 80.00 µs, worst 1.200 ms, none of 1,000 probes lost"
        );
        let loaded = documents::latency_loaded();
        let goodput_model::Probe::Latency(settings) = &loaded.probe else { panic!() };
        let text = latency(&loaded, settings).unwrap();
        assert!(text.starts_with("under TCP a → b of 93.66 Mbit/s: median 12.30 ms"), "{text}");
        assert!(text.ends_with("8 of 1,000 probes lost (0.8 %)"), "{text}");
        assert_eq!(short(&loaded, settings).unwrap(), "send p50 12.30 ms, 8 lost");
    }
}
