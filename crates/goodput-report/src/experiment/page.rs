//! A report as blocks, before it is written: text, Markdown and HTML are three writers of the same blocks.

use crate::figure::Figure;
use crate::table::Table;
use goodput_model::Severity;

/// A whole report.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// The first heading.
    pub title: String,
    /// What stands below it: where the figures come from, when, by which program.
    pub under: Vec<String>,
    /// Its parts.
    pub sections: Vec<Section>,
}

/// One part.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// What it holds.
    pub blocks: Vec<Block>,
}

/// One thing in a part.
#[derive(Debug, Clone, PartialEq)]
pub enum Block {
    /// The sentence that matters most.
    Lead(String),
    /// A sentence.
    Text(String),
    /// A sentence that tells how to read what is near it.
    Note(String),
    /// The same of the pictures after it, where pictures are shown.
    Caption(String),
    /// Statements.
    Statements(Vec<Statement>),
    /// A table.
    Table(Box<Tables>),
    /// A picture.
    Figure(Box<Figure>),
    /// Files that the page carries within itself.
    Files(Vec<Attached>),
}

/// A table in the two lengths in which it is shown.
#[derive(Debug, Clone, PartialEq)]
pub struct Tables {
    /// For a terminal and for Markdown.
    pub short: Table,
    /// For HTML.
    pub whole: Table,
}

/// A statement with what it rests on.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// How much it matters; `None` for a conclusion, which is no finding about the measurement.
    pub severity: Option<Severity>,
    /// `yes`, `no`, `in part`, `not known`, where it answers a question.
    pub answer: &'static str,
    /// One sentence with its number.
    pub text: String,
    /// How sure it is; may be empty.
    pub sure: String,
    /// What it rests on.
    pub evidence: Vec<String>,
    /// Cells that it rests on: identifier and words.
    pub links: Vec<(String, String)>,
    /// Cells beyond those.
    pub more: usize,
    /// What to try; may be empty.
    pub try_next: String,
}

/// A file within the page.
#[derive(Debug, Clone, PartialEq)]
pub struct Attached {
    /// The name under which it is kept.
    pub name: String,
    /// Its media type.
    pub media: &'static str,
    /// What it holds, in words.
    pub what: String,
    /// Its bytes; `None` where they are too many to carry, which the words then say.
    pub bytes: Option<Vec<u8>>,
}

impl Block {
    /// A table that is the same in every form.
    pub fn table(table: Table) -> Block {
        Block::Table(Box::new(Tables { short: table.clone(), whole: table }))
    }
}

impl Page {
    /// Every picture in order.
    pub fn figures(&self) -> impl Iterator<Item = &Figure> {
        self.sections.iter().flat_map(|s| &s.blocks).filter_map(|b| match b {
            Block::Figure(figure) => Some(figure.as_ref()),
            _ => None,
        })
    }
}
