//! The TOML form of a description; `docs/published-figures.md` describes it. An unknown key is an error
//! everywhere.

use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) type LevelFilterForm = BTreeMap<String, OneOrMany<String>>;

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DescriptionForm {
    pub title: String,
    pub source: String,
    pub figures: String,
    #[serde(default)]
    pub unused: Vec<String>,
    pub measure: MeasureForm,
    pub probes: ProbesForm,
    pub evidence: Option<EvidenceForm>,
    pub size: Option<SizeForm>,
    #[serde(default)]
    pub factor: Vec<FactorForm>,
    #[serde(default)]
    pub medium: Vec<MediumForm>,
    #[serde(default)]
    pub price: Vec<PriceForm>,
    #[serde(default)]
    pub table: Vec<TableForm>,
    #[serde(default)]
    pub question: Vec<QuestionForm>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MeasureForm {
    pub column: String,
    pub figure: String,
    pub unit: String,
    pub better: BetterForm,
    pub decimals: u8,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum BetterForm {
    Higher,
    Lower,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProbesForm {
    pub column: Option<String>,
    pub lines: Vec<ProbeLineForm>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProbeLineForm {
    pub name: String,
    pub transport: Option<TransportForm>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum TransportForm {
    Tcp,
    Udp,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EvidenceForm {
    pub column: String,
    pub text: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SizeForm {
    pub column: String,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FactorForm {
    pub name: String,
    pub columns: Vec<String>,
    pub number: Option<String>,
    pub levels: Vec<String>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MediumForm {
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
pub(super) struct PriceForm {
    pub factor: String,
    pub currency: String,
    pub levels: BTreeMap<String, OneOrMany<f64>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableForm {
    pub name: String,
    pub title: String,
    pub figure: Option<String>,
    pub rows: Vec<String>,
    pub columns: Vec<String>,
    #[serde(default)]
    pub only: LevelFilterForm,
}

/// As [`goodput_model::experiment::Question`], with one level or several in `only` and a value with its unit.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum QuestionForm {
    Depends {
        probe: String,
        on: String,
        #[serde(default)]
        only: LevelFilterForm,
    },
    Better {
        probe: String,
        factor: String,
        level: String,
        than: String,
        #[serde(default)]
        only: LevelFilterForm,
    },
    Beats {
        probe: String,
        than: String,
        #[serde(default)]
        only: LevelFilterForm,
    },
    Group {
        probe: String,
        factor: String,
        levels: Vec<String>,
        than: String,
        #[serde(default)]
        only: LevelFilterForm,
    },
    Sum {
        probe: String,
        factor: String,
        parts: Vec<String>,
        whole: String,
        #[serde(default)]
        only: LevelFilterForm,
    },
    Reaches {
        probe: String,
        factor: String,
        value: String,
        #[serde(default)]
        only: LevelFilterForm,
    },
    Pays {
        probe: String,
        factor: String,
        #[serde(default)]
        only: LevelFilterForm,
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
