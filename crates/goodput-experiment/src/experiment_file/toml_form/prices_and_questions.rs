//! The TOML form of prices and questions.

use super::super::notation::{OneOrMany, TextOrNumber};
use super::LevelFilter;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What the levels of a factor cost.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "price")]
pub(crate) struct LevelPricesToml {
    /// The factor.
    pub factor: String,
    /// `JPY`, `EUR`, … (ISO 4217).
    pub currency: String,
    /// The price of each level, or the least and the most that is paid: `{ fore = 150000, nec = [50000, 80000] }`.
    pub levels: BTreeMap<String, OneOrMany<f64>>,
}

/// A statement that the result decides. A probe's name means its primary metric; another is `load.pe_index`, and `*` is the primary
/// figure of all probes that have the first one's.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
#[schemars(rename = "question")]
pub(crate) enum QuestionToml {
    /// Does the figure depend on this factor?
    Depends {
        /// The probe.
        probe: String,
        /// The factor in question.
        on: String,
        /// Only at these combinations.
        #[serde(default)]
        only: LevelFilter,
    },
    /// Is one level better than another, by how much, and everywhere?
    Better {
        /// The probe.
        probe: String,
        /// The factor.
        factor: String,
        /// The level that may be better.
        level: TextOrNumber,
        /// The one it is set against.
        than: TextOrNumber,
        /// Only at these combinations.
        #[serde(default)]
        only: LevelFilter,
    },
    /// Is one probe's figure better than another's?
    Beats {
        /// The probe that may be better.
        probe: String,
        /// The other.
        than: String,
        /// Only at these combinations.
        #[serde(default)]
        only: LevelFilter,
    },
    /// Do these levels agree among themselves, and is every one of them better than another?
    Group {
        /// The probe.
        probe: String,
        /// The factor.
        factor: String,
        /// The levels that may be better, two or more.
        levels: Vec<TextOrNumber>,
        /// The one they are set against.
        than: TextOrNumber,
        /// Only at these combinations.
        #[serde(default)]
        only: LevelFilter,
    },
    /// Does one level give what others give together, as duplex should what transmit and receive do?
    Sum {
        /// The probe.
        probe: String,
        /// The factor.
        factor: String,
        /// The levels whose figures are added, two or more.
        parts: Vec<TextOrNumber>,
        /// The one that is set against their sum.
        whole: TextOrNumber,
        /// Only at these combinations.
        #[serde(default)]
        only: LevelFilter,
    },
    /// Which level reaches at least this much, and which is best?
    Reaches {
        /// The probe.
        probe: String,
        /// The factor.
        factor: String,
        /// How much, with its unit: `"100 Mbit/s"`.
        value: TextOrNumber,
        /// Only at these combinations.
        #[serde(default)]
        only: LevelFilter,
    },
    /// What does a unit of the figure cost with each level, and what does not pay?
    Pays {
        /// The probe.
        probe: String,
        /// The factor that has prices.
        factor: String,
        /// Only at these combinations.
        #[serde(default)]
        only: LevelFilter,
    },
}
