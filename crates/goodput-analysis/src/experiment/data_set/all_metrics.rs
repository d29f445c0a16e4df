//! Every metric of a document by its name, for exported tables.

use super::metric_values::array_element_labels;
use goodput_model::summary::ResultDocument;
use serde_json::{Map, Value};

#[derive(Debug, Clone, PartialEq)]
pub struct NamedMetric {
    /// `None` for one of all trials together.
    pub trial: Option<u32>,
    /// As an experiment names it: `goodput_bps`, `directions[send].goodput_bps`, `points[].time_ns`.
    pub name: String,
    /// `None` for one that is not of a sweep.
    pub size_bytes: Option<u64>,
    /// Finite, in the unit of [`goodput_model::metric::unit`].
    pub value: f64,
}

/// Members that are no metrics: settings, samples over time, and raw counters.
const LEFT_OUT: [&str; 7] = ["probe", "counters", "intervals", "findings", "trial", "trials", "error"];

/// The order of a trial's members; others follow.
const ROOTS: [&str; 31] = [
    "goodput_bps",
    "bytes",
    "elapsed_ns",
    "active_ns",
    "directions",
    "offered",
    "refused",
    "sent",
    "received",
    "difference",
    "lost",
    "duplicates",
    "reordered",
    "unresolved",
    "transactions_per_second",
    "latency_ns",
    "probes",
    "half_rtt_ns",
    "points",
    "sweep",
    "path_mtu",
    "load",
    "load_curves",
    "file",
    "file_run",
    "search",
    "hosts",
    "pe_index",
    "service_demand",
    "limit",
    "percent_of_limit",
];

const OF_RUN: [&str; 3] = ["search", "load_curves", "file_run"];

/// Every finite number of the results in a document, in its order.
pub fn all_named_metrics(document: &ResultDocument) -> Vec<NamedMetric> {
    // A document has string keys only, so this cannot fail.
    let value = serde_json::to_value(document).unwrap_or(Value::Null);
    let mut all = Vec::new();
    let listed = value["trials"].as_array().filter(|t| !t.is_empty());
    for trial in listed.into_iter().flatten().chain(listed.is_none().then_some(&value)) {
        let number = trial["trial"].as_u64().and_then(|n| u32::try_from(n).ok());
        let Some(fields) = trial.as_object() else { continue };
        let left_out = |name: &&str| OF_RUN.contains(name) || LEFT_OUT.contains(name);
        let others = fields.keys().map(String::as_str).filter(|name| !ROOTS.contains(name));
        for name in ROOTS.into_iter().chain(others).filter(|name| !left_out(name)) {
            match (fields.get(name), name) {
                (Some(Value::Array(points)), "points") => of_points(&mut all, number, points),
                (Some(field), name) => collect_metrics(&mut all, (number, None), name.to_string(), field),
                (None, _) => {}
            }
        }
    }
    for name in OF_RUN {
        collect_metrics(&mut all, (None, None), name.to_string(), &value[name]);
    }
    all
}

fn of_points(all: &mut Vec<NamedMetric>, trial: Option<u32>, points: &[Value]) {
    for point in points.iter().filter_map(Value::as_object) {
        let size = point.get("size_bytes").and_then(Value::as_u64);
        fields(all, (trial, size), "points[].", point, &["size_bytes"]);
    }
}

fn fields(
    all: &mut Vec<NamedMetric>,
    of: (Option<u32>, Option<u64>),
    before: &str,
    object: &Map<String, Value>,
    but: &[&str],
) {
    for (key, value) in object.iter().filter(|(k, _)| !but.contains(&k.as_str())) {
        collect_metrics(all, of, format!("{before}{key}"), value);
    }
}

fn collect_metrics(all: &mut Vec<NamedMetric>, of: (Option<u32>, Option<u64>), name: String, value: &Value) {
    match value {
        Value::Number(number) => {
            if let Some(value) = number.as_f64().filter(|v| v.is_finite()) {
                all.push(NamedMetric { trial: of.0, name, size_bytes: of.1, value });
            }
        }
        Value::Object(object) => fields(all, of, &format!("{name}."), object, &LEFT_OUT),
        // A list of numbers is a pair of bounds or a series; both have their own tables.
        Value::Array(elements) if elements.iter().all(Value::is_object) => {
            for (element, label) in elements.iter().zip(array_element_labels(elements)) {
                collect_metrics(all, of, format!("{name}[{label}]"), element);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::data_set::metric_values::{DocumentMetrics, HostNamesByRole};
    use crate::result_document::document_from_trials;
    use goodput_model::TrialId;
    use std::collections::BTreeSet;

    #[test]
    fn a_name_leads_back_to_its_figure() {
        let empty = document_from_trials(None, []);
        let mut value = serde_json::to_value(&empty).unwrap();
        let more = serde_json::json!({
            "trial": 3, "goodput_bps": 5, "pe_index": null, "elapsed_ns": 7,
            "probe": {"connections": 4}, "findings": [{"evidence": 1}],
            "directions": [
                {"direction": "send", "goodput_bps": 2, "intervals": [[1, 2]], "bytes": 9},
                {"direction": "receive", "goodput_bps": 3, "bytes": 8}],
            "latency_ns": {"p50": 7},
            "points": [{"size_bytes": 64, "time_ns": 1.5, "half_rtt_ns": {"p50": 2}}],
            "hosts": [{"name": "a", "cpu": {"busy_percent": 12.5}, "counters": {"x": 1}}]
        });
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let mut all = Vec::new();
        for name in ROOTS {
            match (&value[name], name) {
                (Value::Array(points), "points") => of_points(&mut all, Some(3), points),
                (field, name) => collect_metrics(&mut all, (Some(3), None), name.to_string(), field),
            }
        }
        let names: BTreeSet<&str> = all.iter().map(|f| f.name.as_str()).collect();
        let expected = "directions[receive].bytes directions[receive].goodput_bps directions[send].bytes \
                        directions[send].goodput_bps elapsed_ns goodput_bps hosts[a].cpu.busy_percent \
                        latency_ns.p50 points[].half_rtt_ns.p50 points[].time_ns";
        assert_eq!(names.into_iter().collect::<Vec<_>>(), expected.split(' ').collect::<Vec<_>>());
        let seen = DocumentMetrics::from_value(value);
        for figure in &all {
            let found = seen.trial_metric_values(TrialId(3), &figure.name, None, &HostNamesByRole::new());
            assert!(found.contains(&(figure.size_bytes, figure.value)), "{figure:?} {found:?}");
        }
    }
}
