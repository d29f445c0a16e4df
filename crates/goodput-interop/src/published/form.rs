//! The TOML form of a description. An unknown key is an error everywhere.
//!
//! ```toml
//! title = "…"                   # one line, for headings
//! source = "…"                  # who published it, where and when
//! figures = "published.csv"     # the file beside this one
//! unused = ["remarks"]          # columns without a meaning here
//!
//! [measure]                     # the one column that holds figures
//! column = "mbps"
//! figure = "goodput_bps"        # the name that results of goodput give it
//! unit = "Mbit/s"
//! better = "higher"
//! decimals = 2                  # as the source prints them
//!
//! [probes]                      # what was measured; without a column everything is the one line
//! column = "protocol"
//! lines = [{ name = "tcp", transport = "tcp" }, { name = "udp", transport = "udp" }]
//!
//! [evidence]                    # where in the source a figure stands
//! column = "table"
//! text = "Table {}"
//!
//! [size]                        # for curves: whole bytes
//! column = "bytes"
//!
//! [[factor]]                    # several
//! name = "cpu"
//! columns = ["cpu", "cpu_mhz"]  # the words of a level, in this order
//! number = "cpu_mhz"            # which of them is the level as a number
//! levels = ["pentium 75"]       # in the order of the tables
//!
//! [[medium]]                    # what a level stands for, where arithmetic knows what it allows
//! factor = "link"
//! level = "10base-t"
//! medium = "10base-t"           # a name that `goodput limits` knows
//! half_duplex = true
//! timestamps = false
//!
//! [[price]]
//! factor = "link"
//! currency = "JPY"
//! levels = { "100base-tx" = [10_000, 20_000] }
//!
//! [[table]]                     # a table of the source; probe stands for the lines
//! name = "Table 2"
//! title = "Windows 95, TCP"
//! figure = "Figure 3"
//! rows = ["link"]
//! columns = ["cpu"]
//! only = { os = "windows95", probe = "tcp" }
//!
//! [[question]]                  # as in an experiment: depends, better, beats, group, sum, reaches, pays
//! ask = "depends"
//! probe = "*"
//! on = "cpu"
//! ```

use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) type OnlyForm = BTreeMap<String, OneOrMany<String>>;

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
    pub lines: Vec<LineForm>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LineForm {
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
    pub only: OnlyForm,
}

/// As [`goodput_model::experiment::Question`], with one level or several in `only` and a value with its unit.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum QuestionForm {
    Depends {
        probe: String,
        on: String,
        #[serde(default)]
        only: OnlyForm,
    },
    Better {
        probe: String,
        factor: String,
        level: String,
        than: String,
        #[serde(default)]
        only: OnlyForm,
    },
    Beats {
        probe: String,
        than: String,
        #[serde(default)]
        only: OnlyForm,
    },
    Group {
        probe: String,
        factor: String,
        levels: Vec<String>,
        than: String,
        #[serde(default)]
        only: OnlyForm,
    },
    Sum {
        probe: String,
        factor: String,
        parts: Vec<String>,
        whole: String,
        #[serde(default)]
        only: OnlyForm,
    },
    Reaches {
        probe: String,
        factor: String,
        value: String,
        #[serde(default)]
        only: OnlyForm,
    },
    Pays {
        probe: String,
        factor: String,
        #[serde(default)]
        only: OnlyForm,
    },
}

#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}

impl<T: Clone> OneOrMany<T> {
    pub fn all(&self) -> Vec<T> {
        match self {
            OneOrMany::One(one) => vec![one.clone()],
            OneOrMany::Many(many) => many.clone(),
        }
    }
}
