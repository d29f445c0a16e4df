//! Filters of a search, and the position of a page.

use super::run_card::IndexedRunOutcome;
use goodput_model::RunId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// All given parts must match; empty matches all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RunFilter {
    /// Every word must occur in name, command, probes, hosts, labels, tags or experiment, in any case.
    pub text: String,
    pub probes: Vec<String>,
    pub hosts: Vec<String>,
    pub labels: Vec<(String, String)>,
    /// Factor and level: an experiment that was begun at each of them.
    pub factors: Vec<(String, String)>,
    pub tags: Vec<String>,
    pub experiment: Option<String>,
    /// Inclusive.
    pub since: Option<jiff::Timestamp>,
    pub until: Option<jiff::Timestamp>,
    pub outcomes: Vec<IndexedRunOutcome>,
    /// Only runs behind this one in the list; it remains valid while runs are added and removed.
    pub after: Option<RunId>,
    /// [`RunFilter::DEFAULT_PAGE_SIZE`] by default, at most [`RunFilter::MAX_PAGE_SIZE`].
    pub limit: Option<u32>,
}

impl RunFilter {
    pub const DEFAULT_PAGE_SIZE: u32 = 50;

    pub const MAX_PAGE_SIZE: u32 = 1_000;

    pub fn page_size(&self) -> u32 {
        self.limit.unwrap_or(RunFilter::DEFAULT_PAGE_SIZE).clamp(1, RunFilter::MAX_PAGE_SIZE)
    }
}

/// What there is to filter by, with how many runs have it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "RunFacets")]
pub struct Facets {
    /// Runs altogether.
    pub runs: u64,
    /// Probes.
    pub probes: Vec<FacetValue>,
    /// Hosts.
    pub hosts: Vec<FacetValue>,
    /// Labels by key.
    pub labels: Vec<LabelFacet>,
    /// Factors of experiments by name.
    pub factors: Vec<FactorFacet>,
    /// Tags.
    pub tags: Vec<FacetValue>,
    /// Experiments.
    pub experiments: Vec<FacetValue>,
    /// Outcomes.
    pub outcomes: Vec<FacetValue>,
}

/// One value to filter by.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FacetValue {
    /// The value.
    pub value: String,
    /// Runs that have it.
    pub runs: u64,
}

/// The values of one label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelFacet {
    /// The label's key.
    pub key: String,
    /// Its values.
    pub values: Vec<FacetValue>,
}

/// The levels of one factor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct FactorFacet {
    /// The factor's name.
    pub name: String,
    /// Its levels at which an experiment was begun.
    pub levels: Vec<FacetValue>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_bounds() {
        let page = |limit| RunFilter { limit, ..RunFilter::default() }.page_size();
        assert_eq!((page(None), page(Some(0)), page(Some(7)), page(Some(u32::MAX))), (50, 1, 7, 1_000));
    }
}
