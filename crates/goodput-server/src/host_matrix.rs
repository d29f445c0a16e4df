//! The matrix of hosts: whether an agent answers for each, and the latest metrics of each ordered pair from
//! the index, with run and age.

use crate::hosts::documents::HostPresence;
use crate::hosts::presence::PresenceSnapshot;
use crate::translate::{Localize, localize_labels};
use goodput_model::metric;
use goodput_report::number_format::format_value_with_unit;
use goodput_store::index::HostPairMetric;
use goodput_words::Translator;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Who answers, and the last known figures of each ordered pair of hosts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HostMatrix {
    /// The hosts by name: those of the pairs, and agents that are there and were never measured.
    pub hosts: Vec<String>,
    /// Whether an agent answers for each of them now, in the same order.
    pub presence: Vec<HostPresence>,
    /// Pairs of which something is known, by names.
    pub pairs: Vec<HostPair>,
}

/// One ordered pair.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct HostPair {
    /// The host that sent, or that timed the answers.
    pub from: String,
    /// The host that received, or that answered.
    pub to: String,
    /// The last goodput; `null` where none is known.
    pub goodput: Option<HostPairMetricValue>,
    /// The last latency or half round trip; `null` where none is known.
    pub latency: Option<HostPairMetricValue>,
}

/// A figure of a pair.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "PairFigure")]
pub struct HostPairMetricValue {
    /// Its name in the document: `goodput_bps`, `latency_ns.p50`, `half_rtt_ns.p50`.
    pub name: String,
    /// In its base unit.
    pub value: f64,
    /// The base unit: `bit/s` or `ns`.
    pub unit: String,
    /// As a person reads it.
    pub text: String,
    /// The run that it is from.
    pub run: String,
    /// When that began, RFC 3339.
    pub started: String,
    /// Seconds since then; `null` where that lies ahead.
    pub age_seconds: Option<u64>,
}

impl Localize for HostMatrix {
    fn localize(&mut self, words: &Translator) {
        let figures = self.pairs.iter_mut().flat_map(|pair| pair.goodput.iter_mut().chain(&mut pair.latency));
        localize_labels(words, figures.map(|figure| &mut figure.text));
    }
}

pub fn build_host_matrix(
    pairs: Vec<HostPairMetric>,
    presence: &PresenceSnapshot,
    now: Timestamp,
) -> HostMatrix {
    let mut hosts: BTreeSet<String> = presence.agent_names().map(str::to_string).collect();
    let mut cells: BTreeMap<(String, String), HostPair> = BTreeMap::new();
    for pair in pairs {
        hosts.extend([pair.from.clone(), pair.to.clone()]);
        let key = (pair.from.clone(), pair.to.clone());
        let cell = cells.entry(key).or_insert_with(|| HostPair {
            from: pair.from.clone(),
            to: pair.to.clone(),
            goodput: None,
            latency: None,
        });
        let place = match metric::unit_of_metric(&pair.figure) {
            "bit/s" => &mut cell.goodput,
            "ns" => &mut cell.latency,
            _ => continue,
        };
        // Half round trip and latency are different metrics: the newer one is shown with its name.
        let when = |started: &str| started.parse::<Timestamp>().ok();
        if place.as_ref().is_none_or(|known| when(&known.started) <= when(&pair.started)) {
            *place = Some(pair_metric(pair, now));
        }
    }
    let pairs = cells.into_values().filter(|c| c.goodput.is_some() || c.latency.is_some()).collect();
    let answer = hosts.iter().map(|host| presence.presence_of_host(host)).collect();
    HostMatrix { hosts: hosts.into_iter().collect(), presence: answer, pairs }
}

fn pair_metric(pair: HostPairMetric, now: Timestamp) -> HostPairMetricValue {
    let unit = metric::unit_of_metric(&pair.figure);
    let age = pair.started.parse::<Timestamp>().ok().map(|started| now.duration_since(started).as_secs());
    HostPairMetricValue {
        text: format_value_with_unit(pair.value, unit),
        unit: unit.to_string(),
        name: pair.figure,
        value: pair.value,
        run: pair.run.to_string(),
        age_seconds: age.and_then(|age| u64::try_from(age).ok()),
        started: pair.started,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hosts::documents::AgentPresence;
    use goodput_model::RunId;
    use goodput_model::agent::DiscoveredAgent;

    fn pair(from: &str, to: &str, figure: &str, value: f64, started: &str) -> HostPairMetric {
        let [from, to, figure, started] = [from, to, figure, started].map(String::from);
        HostPairMetric { from, to, figure, value, run: RunId(uuid::Uuid::from_u128(7)), started }
    }

    fn there(names: &[&str]) -> PresenceSnapshot {
        let agent = |name: &&str| DiscoveredAgent { name: Some(name.to_string()), ..Default::default() };
        let agents: Vec<DiscoveredAgent> = names.iter().map(agent).collect();
        PresenceSnapshot::new(agents.iter().map(|a| (a, now())), BTreeMap::new(), true)
    }

    fn now() -> Timestamp {
        "2026-03-02T00:00:00Z".parse().unwrap()
    }

    #[test]
    fn each_way_is_a_pair_of_its_own_with_the_newer_latency() {
        let pairs = vec![
            pair("a", "b", "goodput_bps", 9.4e8, "2026-03-01T23:00:00Z"),
            pair("a", "b", "latency_ns.p50", 1.2e5, "2026-03-01T22:00:00Z"),
            pair("b", "a", "goodput_bps", 8e8, "2026-03-03T00:00:00Z"),
        ];
        let matrix = build_host_matrix(pairs, &there(&["c", "a"]), now());
        assert_eq!(matrix.hosts, ["a", "b", "c"]);
        let answers: Vec<_> = matrix.presence.iter().map(|p| p.agent == AgentPresence::Answers).collect();
        assert_eq!(answers, [true, false, true]);
        let [way, back] = &matrix.pairs[..] else { panic!("{:?}", matrix.pairs) };
        let goodput = way.goodput.as_ref().unwrap();
        assert_eq!((&*goodput.text, goodput.age_seconds), ("940.0 Mbit/s", Some(3600)));
        assert_eq!(way.latency.as_ref().unwrap().text, "120.0 µs");
        // A run of a clock ahead has no age, and the reverse direction has its own metrics.
        assert_eq!((back.goodput.as_ref().unwrap().age_seconds, &back.latency), (None, &None));
        for newer_first in [true, false] {
            let mut pairs = vec![
                pair("a", "b", "half_rtt_ns.p50", 5e4, "2026-03-01T23:00:00Z"),
                pair("a", "b", "latency_ns.p50", 1e5, "2026-03-01T22:00:00Z"),
                pair("a", "b", "path_mtu.forward", 1500.0, "2026-03-01T23:30:00Z"),
            ];
            if newer_first {
                pairs.reverse();
            }
            let matrix = build_host_matrix(pairs, &there(&[]), now());
            assert_eq!(matrix.pairs[0].latency.as_ref().unwrap().name, "half_rtt_ns.p50");
        }
    }
}
