//! What a trial samples: named columns of whole numbers, all of one length.

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesColumn {
    /// With its unit, for example `rtt_ns`.
    pub name: String,
    pub values: Vec<i64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Series {
    /// Unique within a trial and host; `docs/methods/` lists them for each probe.
    pub name: String,
    pub columns: Vec<SeriesColumn>,
}

impl Series {
    pub fn new(name: impl Into<String>, columns: Vec<(&str, Vec<i64>)>) -> Series {
        Series {
            name: name.into(),
            columns: columns
                .into_iter()
                .map(|(n, values)| SeriesColumn { name: n.to_string(), values })
                .collect(),
        }
    }

    pub fn column(&self, name: &str) -> Option<&[i64]> {
        self.columns.iter().find(|c| c.name == name).map(|c| c.values.as_slice())
    }

    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |c| c.values.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Location and checksum of a stored series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeriesRef {
    pub name: String,
    /// Below the run's folder.
    pub file: String,
    pub rows: u64,
    pub length: u64,
    /// In hexadecimal.
    pub sha256: String,
}
