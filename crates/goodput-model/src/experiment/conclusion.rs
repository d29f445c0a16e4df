//! The conclusions of an experiment: statements that the program derives from its data.

use crate::finding::Finding;
use crate::message::Message;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Conclusion {
    #[serde(flatten)]
    pub finding: Finding,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<ConclusionAnswer>,
    /// Index into [`super::data::DataSet::questions`]; `None` for those that every experiment is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<usize>,
    /// What the statement was counted over, or the interval behind it.
    #[serde(with = "crate::message::english")]
    pub sure: Message,
    /// Indices into [`super::data::DataSet::rows`].
    pub rows: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ConclusionAnswer {
    Yes,
    No,
    /// At some, which the statement names.
    Mixed,
    Unknown,
}
