//! A page as blocks; text, Markdown, HTML and the browser's page write the same blocks. [`crate::view`] makes
//! pages of runs, [`crate::experiment`] of experiments.
//!
//! As JSON, fields have their names and variants a `kind`:
//!
//! ```text
//! {"title": "…", "under": ["…"], "sections": [{"title": "…", "blocks": [
//!   {"kind": "lead", "text": "…"},
//!   {"kind": "table", "short": null, "whole": {"title": "…", "columns": […], "rows": [[{"text": "…"}]]}}]}]}
//! ```
//!
//! [`form`] adds fields of tables and axes. Translations keep the page's `names` ([`names`]); a [`Localizer`]
//! translates a writer's own words.

pub mod json_types;
pub mod user_chosen_names;

use crate::display_text::DisplayText;
use crate::figure::Figure;
use crate::path_diagram::PathDiagram;
use crate::table::Table;
use data_encoding::BASE64;
use goodput_model::{Finding, Message, Severity};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A whole report.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Page {
    /// The first heading.
    pub title: DisplayText,
    /// What stands below it: where the figures come from, when, by which program.
    pub under: Vec<DisplayText>,
    /// Its parts.
    pub sections: Vec<Section>,
    /// Names on it that people gave, which stay as they are in every language.
    pub names: Vec<String>,
}

/// The language of a writer's own words: `warning`, `try`, `confidence`.
#[derive(Clone, Copy)]
pub struct Localizer<'a> {
    pub tag: &'a str,
    /// English if it is in no locale.
    pub say: &'a dyn Fn(&Message) -> String,
}

impl Localizer<'static> {
    pub const ENGLISH: Localizer<'static> = Localizer { tag: "en", say: &|message| message.to_string() };
}

impl std::fmt::Debug for Localizer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Localizer").field("tag", &self.tag).finish_non_exhaustive()
    }
}

/// One part.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "PageSection")]
pub struct Section {
    /// Its heading.
    pub title: DisplayText,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// One thing in a part.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Block {
    /// The sentence that matters most.
    Lead {
        /// The sentence.
        text: DisplayText,
    },
    /// A sentence.
    Text {
        /// The sentence.
        text: DisplayText,
    },
    /// A sentence that tells how to read what is near it.
    Note {
        /// The sentence.
        text: DisplayText,
    },
    /// The same of the pictures after it, where pictures are shown.
    Caption {
        /// The sentence.
        text: DisplayText,
    },
    /// Statements.
    Statements {
        /// The gravest first, or in the order of what was asked.
        statements: Vec<PageStatement>,
    },
    /// A table.
    Table(Box<TableVariants>),
    /// A picture.
    Figure(Box<Figure>),
    /// The path of the data.
    Diagram(PathDiagram),
    /// Files that the page carries within itself.
    Files {
        /// The files.
        files: Vec<AttachedFile>,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(into = "json_types::TableVariantsDocument")]
#[schemars(with = "json_types::TableVariantsDocument", rename = "Tables")]
pub struct TableVariants {
    pub short: Table,
    pub whole: Table,
}

/// A statement with what it rests on.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Statement")]
pub struct PageStatement {
    /// Stable name of the rule; empty where there is none.
    pub id: String,
    /// How much it matters; `None` for a conclusion, which is no finding about the measurement.
    #[schemars(with = "Option<json_types::SeverityLevel>")]
    pub severity: Option<Severity>,
    /// `yes`, `no`, `in part`, `not known`, where it answers a question; else empty.
    pub answer: Cow<'static, str>,
    /// One sentence with its number.
    pub text: String,
    /// What the sentence was made of; `None` for a text that is in no locale.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<json_types::MessageDocument>")]
    pub message: Option<Message>,
    /// How sure it is; may be empty.
    pub sure: DisplayText,
    /// What it rests on.
    pub evidence: Vec<DisplayText>,
    /// Cells that it rests on.
    pub links: Vec<CellLink>,
    /// Cells beyond those.
    pub more: usize,
    /// What to try; may be empty.
    #[serde(rename = "try")]
    pub try_next: String,
    /// What the advice was made of.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<json_types::MessageDocument>")]
    pub try_message: Option<Message>,
}

/// A cell of a table on the same page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "CellLink")]
pub struct CellLink {
    /// The identifier that the table has among its anchors.
    pub cell: String,
    /// The cell in words.
    pub words: DisplayText,
}

/// A file within the page.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Attached")]
pub struct AttachedFile {
    /// The name under which it is kept.
    pub name: String,
    /// Its media type.
    pub media: &'static str,
    /// What it holds, in words.
    pub what: DisplayText,
    /// Its bytes, in JSON as base64; `None` where they are too many to carry, which the words then say.
    #[serde(rename = "base64", serialize_with = "base64")]
    #[schemars(with = "Option<String>")]
    pub bytes: Option<Vec<u8>>,
}

fn base64<S: Serializer>(bytes: &Option<Vec<u8>>, to: S) -> Result<S::Ok, S::Error> {
    bytes.as_ref().map(|b| BASE64.encode(b)).serialize(to)
}

impl Block {
    pub fn lead_paragraph(text: impl Into<DisplayText>) -> Block {
        Block::Lead { text: text.into() }
    }

    pub fn paragraph(text: impl Into<DisplayText>) -> Block {
        Block::Text { text: text.into() }
    }

    pub fn note(text: impl Into<DisplayText>) -> Block {
        Block::Note { text: text.into() }
    }

    pub fn caption(text: impl Into<DisplayText>) -> Block {
        Block::Caption { text: text.into() }
    }

    pub fn statements(statements: Vec<PageStatement>) -> Block {
        Block::Statements { statements }
    }

    pub(crate) fn findings(findings: Vec<&Finding>) -> Block {
        Block::statements(findings.into_iter().map(PageStatement::from_finding).collect())
    }

    /// The first leads.
    pub(crate) fn paragraphs(texts: impl IntoIterator<Item = impl Into<DisplayText>>) -> Vec<Block> {
        let mut texts = texts.into_iter();
        let lead = texts.next().map(Block::lead_paragraph);
        lead.into_iter().chain(texts.map(Block::paragraph)).collect()
    }

    pub fn table(table: Table) -> Block {
        Block::Table(Box::new(TableVariants { short: table.clone(), whole: table }))
    }

    pub fn figure(figure: Figure) -> Block {
        Block::Figure(Box::new(figure))
    }

    pub fn is_empty(&self) -> bool {
        match self {
            Block::Lead { text } | Block::Text { text } | Block::Note { text } | Block::Caption { text } => {
                text.trim().is_empty()
            }
            Block::Statements { statements } => statements.is_empty(),
            Block::Table(tables) => tables.whole.rows.is_empty() && tables.whole.notes.is_empty(),
            Block::Figure(figure) => figure.is_empty(),
            Block::Diagram(diagram) => diagram.elements.is_empty(),
            Block::Files { files } => files.is_empty(),
        }
    }
}

impl PageStatement {
    pub fn from_finding(finding: &Finding) -> PageStatement {
        PageStatement {
            id: finding.id.clone(),
            severity: Some(finding.severity),
            answer: Cow::Borrowed(""),
            text: finding.text.to_string(),
            message: finding.text.without_text(),
            sure: DisplayText::default(),
            evidence: finding.evidence.iter().map(DisplayText::from).collect(),
            links: Vec::new(),
            more: 0,
            try_next: finding.try_next.to_string(),
            try_message: finding.try_next.without_text(),
        }
    }
}

impl Page {
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.sections.iter().flat_map(|s| &s.blocks).filter_map(|b| match b {
            Block::Figure(figure) => Some(figure.as_ref()),
            _ => None,
        })
    }
}
