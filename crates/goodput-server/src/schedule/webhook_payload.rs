//! The JSON that a webhook receives.

use super::alert::{Alert, AlertMetricValue, AlertTransition};
use super::api_documents::ScheduleExecutionOutcome;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Name and version of the schema.
pub const PAYLOAD_SCHEMA_ID: &str = "goodput/alert/1";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WebhookPayload {
    /// The same in every attempt, so that a receiver recognizes repetitions.
    pub id: String,
    pub schedule: String,
    pub rule: Alert,
    pub state: AlertTransition,
    /// Sentence with the schedule's name; chat programs show this field.
    pub text: String,
    pub at: Timestamp,
    /// The run that triggered it; `None` if none was stored.
    pub run: Option<String>,
    pub figure: Option<AlertMetricValue>,
}

#[derive(Serialize)]
struct WebhookBody<'a> {
    schema: &'static str,
    program: &'static str,
    #[serde(flatten)]
    letter: &'a WebhookPayload,
}

impl WebhookPayload {
    pub fn new(
        schedule: &str,
        rule: Alert,
        state: AlertTransition,
        text: &str,
        ended: &ScheduleExecutionOutcome,
    ) -> WebhookPayload {
        WebhookPayload {
            id: format!("{schedule} {} {} {}", ended.at, rule.state_key(), state.name()),
            schedule: schedule.to_string(),
            rule,
            state,
            text: format!("{schedule}: {text}"),
            at: ended.at,
            run: ended.run.clone(),
            figure: ended.figure.clone(),
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        let posted = WebhookBody {
            schema: PAYLOAD_SCHEMA_ID,
            program: concat!("goodput ", env!("CARGO_PKG_VERSION")),
            letter: self,
        };
        // Strings and finite numbers cannot fail to serialize.
        serde_json::to_vec(&posted).unwrap_or_default()
    }
}
