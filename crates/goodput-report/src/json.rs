//! A document as JSON text: two spaces, one final line break, field names of DESIGN section 7.

use goodput_words::{error_messages, message};
use serde::Serialize;

#[derive(Debug)]
pub struct JsonError(serde_json::Error);

error_messages! {
    JsonError { JsonError(_) => message!(error_json_not_written) }
    sources { JsonError(source) => source }
    from { serde_json::Error => JsonError }
}

/// Pretty-printed; NaN becomes `null`.
pub fn document_to_json(document: &impl Serialize) -> Result<String, JsonError> {
    let mut text = serde_json::to_string_pretty(document)?;
    text.push('\n');
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::documents;
    use goodput_model::summary::ResultDocument;

    #[test]
    fn what_is_written_reads_back() {
        for (name, summary) in documents::all() {
            let doc = ResultDocument { trials: vec![summary.clone()], ..documents::single_trial(summary) };
            let text = document_to_json(&doc).unwrap();
            assert!(text.ends_with("}\n"));
            let back: ResultDocument = serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert_eq!(back.trials.len(), 1, "{name}");
            assert_eq!(back.summary.map(|s| s.outcome), doc.summary.map(|s| s.outcome), "{name}");
        }
    }

    #[test]
    fn promised_names_are_there() {
        let value: serde_json::Value =
            serde_json::from_str(&document_to_json(&documents::demo()).unwrap()).unwrap();
        assert_eq!(value["schema"], "goodput/result/1");
        let of_stream = "/goodput_bps /bytes /elapsed_ns /active_ns /directions/0/direction \
                         /directions/0/goodput_bps /directions/0/bytes /hosts/0/name /hosts/0/role \
                         /hosts/0/cpu/scope /hosts/0/cpu/busy_percent /hosts/0/cpu/softirq_percent \
                         /hosts/0/cpu/steal_percent /pe_index /limit/goodput_bps /limit/medium /findings/0/id \
                         /findings/0/severity /findings/0/text /findings/0/evidence /findings/0/try";
        let others = "/half_rtt_ns/min /half_rtt_ns/p50 /half_rtt_ns/p99 /points/0/size_bytes \
                      /trials/3/latency_ns/p50 /trials/3/latency_ns/p90 /trials/3/latency_ns/p99 \
                      /trials/3/latency_ns/p999 /trials/3/latency_ns/p9999 /trials/3/latency_ns/max";
        let of_stream = of_stream.split_whitespace().map(|pointer| format!("/trials/1{pointer}"));
        for pointer in of_stream.chain(others.split_whitespace().map(String::from)) {
            assert!(value.pointer(&pointer).is_some_and(|v| !v.is_null()), "{pointer}");
        }
    }
}
