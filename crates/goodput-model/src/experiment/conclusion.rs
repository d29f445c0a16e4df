//! What an experiment says: statements that the program writes from its data.

use crate::finding::Finding;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    /// The statement with its numbers, its evidence and what to try.
    #[serde(flatten)]
    pub finding: Finding,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// The question, as an index into [`super::data::DataSet::questions`]; `None` for those that every experiment is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<usize>,
    /// How sure it is: what it was counted over, or the interval it stands on.
    pub sure: String,
    /// The rows that it rests on, as indices into [`super::data::DataSet::rows`].
    pub rows: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// At every combination that was measured.
    Yes,
    No,
    /// At some, which the statement tells.
    Mixed,
    Unknown,
}
