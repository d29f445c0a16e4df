//! A statement with its number, its evidence and what to try.

use crate::message::Message;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "Form", into = "Form")]
pub struct Finding {
    /// Rule, for scripts.
    pub id: String,
    pub severity: Severity,
    pub text: Message,
    /// Names of fields with their values, or sentences.
    pub evidence: Vec<Message>,
    pub try_next: Message,
}

/// A finding in JSON: the English texts, and the messages that they were made of.
#[derive(Serialize, Deserialize)]
struct Form {
    id: String,
    severity: Severity,
    text: String,
    #[serde(with = "crate::message::english_list")]
    evidence: Vec<Message>,
    r#try: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message: Option<Message>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    try_message: Option<Message>,
}

impl From<Finding> for Form {
    fn from(finding: Finding) -> Form {
        Form {
            id: finding.id,
            severity: finding.severity,
            text: finding.text.to_string(),
            evidence: finding.evidence,
            r#try: finding.try_next.to_string(),
            message: finding.text.without_text(),
            try_message: finding.try_next.without_text(),
        }
    }
}

impl From<Form> for Finding {
    fn from(form: Form) -> Finding {
        let joined = |message: Option<Message>, text| message.unwrap_or_default().with_text(text);
        Finding {
            id: form.id,
            severity: form.severity,
            text: joined(form.message, form.text),
            evidence: form.evidence,
            try_next: joined(form.try_message, form.r#try),
        }
    }
}
