//! The TOML form of a description (`docs/published-figures.md`). An unknown key is an error everywhere.

use goodput_model::experiment::BetterDirection;
use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) type FactorLevelFilterToml = BTreeMap<String, OneOrMany<String>>;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DescriptionToml {
    pub title: String,
    pub source: String,
    pub figures: String,
    #[serde(default)]
    pub unused: Vec<String>,
    pub measure: MetricToml,
    pub probes: ProbesToml,
    pub evidence: Option<SourceReferenceToml>,
    pub size: Option<SizeColumnToml>,
    #[serde(default)]
    pub factor: Vec<FactorToml>,
    #[serde(default)]
    pub medium: Vec<MediumToml>,
    #[serde(default)]
    pub price: Vec<LevelPricesToml>,
    #[serde(default)]
    pub table: Vec<ResultTableToml>,
    #[serde(default)]
    pub question: Vec<ExperimentQuestionToml>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MetricToml {
    pub column: String,
    pub figure: String,
    pub unit: String,
    pub better: BetterDirection,
    pub decimals: u8,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProbesToml {
    pub column: Option<String>,
    pub lines: Vec<ProbeNameToml>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProbeNameToml {
    pub name: String,
    pub transport: Option<TransportToml>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TransportToml {
    Tcp,
    Udp,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SourceReferenceToml {
    pub column: String,
    pub text: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SizeColumnToml {
    pub column: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactorToml {
    pub name: String,
    pub columns: Vec<String>,
    pub number: Option<String>,
    pub levels: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MediumToml {
    pub factor: String,
    pub level: String,
    pub medium: String,
    pub mtu: Option<u32>,
    pub half_duplex: Option<bool>,
    #[serde(default)]
    pub timestamps: bool,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelPricesToml {
    pub factor: String,
    pub currency: String,
    pub levels: BTreeMap<String, OneOrMany<f64>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ResultTableToml {
    pub name: String,
    pub title: String,
    pub figure: Option<String>,
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    #[serde(default)]
    pub only: FactorLevelFilterToml,
}

/// As [`goodput_model::experiment::Question`], with one level or several in `only` and a value with its unit.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum ExperimentQuestionToml {
    Depends {
        probe: String,
        on: String,
        #[serde(default)]
        only: FactorLevelFilterToml,
    },
    Better {
        probe: String,
        factor: String,
        level: String,
        than: String,
        #[serde(default)]
        only: FactorLevelFilterToml,
    },
    Beats {
        probe: String,
        than: String,
        #[serde(default)]
        only: FactorLevelFilterToml,
    },
    Group {
        probe: String,
        factor: String,
        levels: Vec<String>,
        than: String,
        #[serde(default)]
        only: FactorLevelFilterToml,
    },
    Sum {
        probe: String,
        factor: String,
        parts: Vec<String>,
        whole: String,
        #[serde(default)]
        only: FactorLevelFilterToml,
    },
    Reaches {
        probe: String,
        factor: String,
        value: String,
        #[serde(default)]
        only: FactorLevelFilterToml,
    },
    Pays {
        probe: String,
        factor: String,
        #[serde(default)]
        only: FactorLevelFilterToml,
    },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T: Clone> OneOrMany<T> {
    pub fn to_vec(&self) -> Vec<T> {
        match self {
            OneOrMany::One(one) => vec![one.clone()],
            OneOrMany::Many(many) => many.clone(),
        }
    }
}
