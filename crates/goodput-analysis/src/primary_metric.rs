//! The metric that represents a run in a list, and a run's metrics of the path from one host to another. Of
//! several trials of equal settings it is the median.

use crate::descriptive_statistics::median;
use crate::probe::probe_analysis;
use crate::result_document::trial_summaries;
use goodput_model::TrialOutcome;
use goodput_model::summary::{ResultDocument, TrialSummary};
use goodput_model::trial::EndpointRole;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrimaryMetric {
    /// `goodput_bps`, `latency_ns.p50`, …; its unit is [`goodput_model::metric::unit`].
    pub name: &'static str,
    pub value: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub struct HostPairMetric {
    pub from: String,
    pub to: String,
    pub figure: PrimaryMetric,
}

/// `None` where it was not measured. Goodput of streams, datagrams and copies, the best point of a load,
/// transactions a second, median idle latency, time of the smallest message, or path MTU; of a check the goodput
/// of TCP from the connecting end.
pub fn primary_metric_of_run(document: &ResultDocument) -> Option<PrimaryMetric> {
    if let Some(bps) = document.check.as_ref().and_then(|check| check.tcp_send_bps) {
        return Some(PrimaryMetric { name: "goodput_bps", value: bps as f64 });
    }
    if document.search.is_some() {
        return primary_metric_of_trial(document.summary.as_ref()?);
    }
    let trials = trial_summaries(document);
    let (first, primary_metric) = trials.iter().find_map(|t| Some((*t, primary_metric_of_trial(t)?)))?;
    let values: Vec<f64> = trials
        .iter()
        .filter(|t| comparable(first, t))
        .filter_map(|t| primary_metric_of_trial(t))
        .map(|f| f.value)
        .collect();
    let value = match probe_analysis(&first.probe).aggregates_by_maximum() {
        true => values.into_iter().reduce(f64::max)?,
        false => median(&values)?,
    };
    Some(PrimaryMetric { name: primary_metric.name, value })
}

/// By pair of hosts: goodput of each direction of a stream, latency of single requests and of idle probes,
/// half a round trip of the smallest message. The last of several trials counts.
pub fn host_pair_metrics(document: &ResultDocument) -> Vec<HostPairMetric> {
    let mut found: Vec<HostPairMetric> = Vec::new();
    for trial in trial_summaries(document).into_iter().filter(|t| t.outcome == TrialOutcome::Complete) {
        let name = |role| trial.hosts.iter().find(|h| h.role == role).map(|h| h.name.clone());
        let (Some(connects), Some(listens)) = (name(EndpointRole::Connect), name(EndpointRole::Listen))
        else {
            continue;
        };
        for (away, figure) in ways(trial) {
            let (from, to) = if away { (&connects, &listens) } else { (&listens, &connects) };
            if from.is_empty() || to.is_empty() {
                continue;
            }
            found.retain(|p| (&p.from, &p.to, p.figure.name) != (from, to, figure.name));
            found.push(HostPairMetric { from: from.clone(), to: to.clone(), figure });
        }
    }
    found
}

/// Metrics of one trial; true for the path from the connecting to the listening end.
fn ways(trial: &TrialSummary) -> Vec<(bool, PrimaryMetric)> {
    let found = probe_analysis(&trial.probe).host_pair_metric().and_then(|name| trial.probe.metric(name));
    let Some(metric) = found else { return Vec::new() };
    let name = metric.name.strip_prefix("directions[].").unwrap_or(metric.name);
    let values = metric.all_values(trial).into_iter();
    values
        .map(|v| (v.element.as_deref() != Some("receive"), PrimaryMetric { name, value: v.value }))
        .collect()
}

/// Whether two trials may share one value. Trials of file work and latency differ in what they measure.
fn comparable(first: &TrialSummary, other: &TrialSummary) -> bool {
    match probe_analysis(&first.probe).requires_equal_settings() {
        true => first.probe == other.probe,
        false => first.probe.name() == other.probe.name(),
    }
}

/// `None` where it was not measured.
pub fn primary_metric_of_trial(trial: &TrialSummary) -> Option<PrimaryMetric> {
    let metric = trial.probe.metric(probe_analysis(&trial.probe).primary_metric())?;
    metric.trial_value(trial).map(|value| PrimaryMetric { name: metric.name, value })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::result_document::document_from_trials;
    use goodput_model::probe::{Stream, TransferDirection};
    use goodput_model::summary::{DirectionSummary, HostSummary, ProbeResult, RequestResult, StreamResult};
    use goodput_model::{Probe, Request, TrialId};

    fn trial(id: u32, probe: Probe, goodput_bps: Option<u64>) -> TrialSummary {
        let host = |name: &str, role| {
            let name = name.to_string();
            HostSummary { name, role, cpu: None, counters: None, inventory_hash: None }
        };
        TrialSummary {
            trial: TrialId(id),
            goodput_bps,
            hosts: vec![host("a", EndpointRole::Connect), host("b", EndpointRole::Listen)],
            ..TrialSummary::empty(probe)
        }
    }

    fn document(trials: Vec<TrialSummary>) -> ResultDocument {
        ResultDocument { summary: trials.first().cloned(), trials, ..document_from_trials(None, []) }
    }

    fn way(direction: TransferDirection, goodput_bps: u64) -> DirectionSummary {
        // What is not known may be left out.
        let known = serde_json::json!({
            "direction": direction, "goodput_bps": goodput_bps, "bytes": 0, "total_bytes": 0, "intervals": []
        });
        serde_json::from_value(known).unwrap()
    }

    #[test]
    fn repeats_have_their_median_and_a_failed_one_has_no_say() {
        let stream = |id, bps| trial(id, Probe::Stream(Stream::default()), bps);
        let run =
            document(vec![stream(1, None), stream(2, Some(30)), stream(3, Some(10)), stream(4, Some(20))]);
        assert_eq!(primary_metric_of_run(&run), Some(PrimaryMetric { name: "goodput_bps", value: 20.0 }));
        assert_eq!(primary_metric_of_run(&document(vec![stream(1, None)])), None);
        assert_eq!(primary_metric_of_run(&document(vec![])), None);
    }

    #[test]
    fn another_probe_of_the_run_is_not_mixed_in() {
        let result = RequestResult { transactions_per_second: Some(5.0), ..RequestResult::default() };
        let result = ProbeResult::Request(result);
        let request = TrialSummary { result, ..trial(2, Probe::Request(Request::default()), None) };
        let run = document(vec![trial(1, Probe::Stream(Stream::default()), Some(7)), request]);
        assert_eq!(primary_metric_of_run(&run).unwrap().value, 7.0);
    }

    #[test]
    fn each_way_is_a_pair_of_its_own_and_the_last_trial_counts() {
        let both = |id, to, back| {
            let directions = vec![way(TransferDirection::Send, to), way(TransferDirection::Receive, back)];
            let result = ProbeResult::Stream(StreamResult { directions, ..StreamResult::default() });
            TrialSummary { result, ..trial(id, Probe::Stream(Stream::default()), None) }
        };
        let broken = TrialSummary { outcome: TrialOutcome::Partial { cause: "x".into() }, ..both(3, 9, 9) };
        let pairs = host_pair_metrics(&document(vec![both(1, 1, 2), both(2, 3, 4), broken]));
        let told: Vec<_> = pairs.iter().map(|p| (p.from.as_str(), p.to.as_str(), p.figure.value)).collect();
        assert_eq!(told, [("a", "b", 3.0), ("b", "a", 4.0)]);
    }
}
