//! Metrics for an OpenTelemetry collector: `ExportMetricsServiceRequest` as JSON Protobuf (OTLP 1.10,
//! <https://opentelemetry.io/docs/specs/otlp/>, `opentelemetry/proto/metrics/v1/metrics.proto`).
//!
//! Names and labels equal `/metrics`. `unit` is empty, since a translation to Prometheus would append it to
//! the name again. Counters are older than the server, so they have no start time.

use super::{Metric, MetricKind};
use jiff::Timestamp;
use serde_json::{Value, json};

/// `AGGREGATION_TEMPORALITY_CUMULATIVE`; enumerations are numbers in JSON Protobuf.
const CUMULATIVE: u32 = 2;

/// Characters of a collector's message that are logged.
const LONGEST_MESSAGE: usize = 200;

/// Resource attributes of the semantic conventions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtlpResource {
    /// `service.version`.
    pub version: String,
    /// `host.name`.
    pub host: String,
    /// `service.instance.id`: unique per server.
    pub instance: String,
}

/// The request body; metrics without samples are omitted.
pub fn build_export_request(metrics: &[Metric], resource: &OtlpResource, at: Timestamp) -> Value {
    let metrics: Vec<Value> = metrics.iter().filter_map(|m| metric(m, at)).collect();
    let resource = [
        ("service.name", "goodput"),
        ("service.version", resource.version.as_str()),
        ("service.instance.id", resource.instance.as_str()),
        ("host.name", resource.host.as_str()),
    ];
    let attributes: Vec<Value> = resource.iter().map(|(key, value)| attribute(key, value)).collect();
    json!({ "resourceMetrics": [{
        "resource": { "attributes": attributes },
        "scopeMetrics": [{
            "scope": { "name": "goodput", "version": env!("CARGO_PKG_VERSION") },
            "metrics": metrics,
        }],
    }] })
}

/// What a collector says about points that it has not taken ("Partial Success" of the protocol); `None` if it took all.
/// Such a request is not sent again.
pub(super) fn rejection(answer: &[u8]) -> Option<String> {
    let answer: Value = serde_json::from_slice(answer).ok()?;
    let partial = answer.get("partialSuccess")?;
    let points = partial.get("rejectedDataPoints")?;
    // 64-bit integers are strings, but not everywhere.
    let points = points.as_i64().or_else(|| points.as_str()?.parse().ok()).filter(|n| *n > 0)?;
    let why = partial.get("errorMessage").and_then(Value::as_str).unwrap_or_default();
    let why: String = why.chars().filter(|c| !c.is_control()).take(LONGEST_MESSAGE).collect();
    Some(format!("the server rejected {points} data points: {why:?}"))
}

fn metric(metric: &Metric, at: Timestamp) -> Option<Value> {
    // JSON has no NaN or infinity.
    let finite = metric.samples.iter().filter(|(_, value)| value.is_finite());
    let points: Vec<Value> = finite
        .map(|(labels, value)| {
            let attributes: Vec<Value> = labels.iter().map(|(key, value)| attribute(key, value)).collect();
            // 64-bit integers are strings.
            let at = at.as_nanosecond().to_string();
            json!({ "attributes": attributes, "timeUnixNano": at, "asDouble": value })
        })
        .collect();
    if points.is_empty() {
        return None;
    }
    let mut told = json!({ "name": metric.name(), "description": metric.help });
    match metric.kind {
        MetricKind::Gauge => told["gauge"] = json!({ "dataPoints": points }),
        MetricKind::Counter => {
            told["sum"] =
                json!({ "aggregationTemporality": CUMULATIVE, "isMonotonic": true, "dataPoints": points });
        }
    }
    Some(told)
}

fn attribute(key: &str, value: &str) -> Value {
    json!({ "key": key, "value": { "stringValue": value } })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_has_the_form_of_the_protocol() {
        let label = |value: &str| vec![("agent", value.to_string())];
        let metrics = [
            Metric::gauge("goodput_agent_up", "There", [(label("a"), 1.0), (label("b"), f64::NAN)]),
            Metric::counter("goodput_turns", "Turns", [(Vec::new(), 3.0)]),
            Metric::gauge("goodput_nothing", "None", []),
        ];
        let resource =
            OtlpResource { version: "1.2.3".into(), host: "lab7".into(), instance: "lab7:/srv/runs".into() };
        let at = "2026-03-01T00:00:00.000000001Z".parse().unwrap();
        let attribute = |key: &str, value: &str| json!({ "key": key, "value": { "stringValue": value } });
        let point = |attributes: &[Value], value: f64| {
            let time = "1772323200000000001";
            json!({ "attributes": attributes, "timeUnixNano": time, "asDouble": value })
        };
        let up = [point(&[attribute("agent", "a")], 1.0)];
        let expected = json!({ "resourceMetrics": [{
            "resource": { "attributes": [
                attribute("service.name", "goodput"), attribute("service.version", "1.2.3"),
                attribute("service.instance.id", "lab7:/srv/runs"), attribute("host.name", "lab7"),
            ] },
            "scopeMetrics": [{
                "scope": { "name": "goodput", "version": env!("CARGO_PKG_VERSION") },
                "metrics": [
                    { "name": "goodput_agent_up", "description": "There", "gauge": { "dataPoints": up } },
                    { "name": "goodput_turns_total", "description": "Turns", "sum": {
                        "aggregationTemporality": 2, "isMonotonic": true, "dataPoints": [point(&[], 3.0)],
                    } },
                ],
            }],
        }] });
        assert_eq!(build_export_request(&metrics, &resource, at), expected);
    }
}
