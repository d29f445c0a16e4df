//! A statement with its number, its evidence and what to try.

use serde::{Deserialize, Serialize};

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Good to know.
    Note,
    /// The figure must be read with this in mind.
    Warning,
    /// The figure cannot be right.
    Error,
}

/// A statement about a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable name of the rule, for scripts.
    pub id: String,
    /// How much it matters.
    pub severity: Severity,
    /// The statement, one sentence with its number.
    pub text: String,
    /// What it rests on: names of fields with their values.
    pub evidence: Vec<String>,
    /// What to try; empty when there is nothing.
    #[serde(rename = "try")]
    pub try_next: String,
}
