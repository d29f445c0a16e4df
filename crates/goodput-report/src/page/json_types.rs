//! Additional JSON fields of tables: sortable numbers of cells, and alternative texts.

use super::TableVariants;
use crate::display_text::DisplayText;
use crate::table::{Align, Cell, CellAnchor, Table};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A finding's gravity in words, as [`goodput_model::Severity`] has it.
#[derive(JsonSchema)]
#[schemars(rename = "Severity", rename_all = "lowercase")]
#[allow(dead_code)]
pub(crate) enum SeverityLevel {
    /// Good to know.
    Note,
    /// The figure must be read with this in mind.
    Warning,
    /// The figure cannot be right.
    Error,
}

/// A message, as [`goodput_model::Message`] has it.
#[derive(JsonSchema)]
#[schemars(rename = "Message")]
#[allow(dead_code)]
pub(crate) struct MessageDocument {
    /// The key in the Fluent files.
    id: String,
    /// The variables by their names.
    args: BTreeMap<String, ArgForm>,
    /// The English text, of a message within another.
    #[schemars(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// What a variable of a message stands for, as [`goodput_model::Arg`] has it.
#[derive(JsonSchema)]
#[schemars(rename = "MessageArgument", rename_all = "snake_case")]
#[allow(dead_code)]
enum ArgForm {
    /// The same in every language.
    Text(String),
    /// A number of things.
    Count(u64),
    /// A number with its unit.
    Quantity(QuantityForm),
    /// A text within the text.
    Message(Box<MessageDocument>),
    /// Several, with commas between them.
    List(Vec<ArgForm>),
}

/// A number with its unit, as [`goodput_model::Quantity`] has it.
#[derive(JsonSchema)]
#[schemars(rename = "MessageQuantity")]
#[allow(dead_code)]
struct QuantityForm {
    /// Not rounded.
    value: f64,
    /// Empty for a plain number.
    unit: String,
    /// As English writes it.
    text: String,
}

/// A table in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[schemars(rename = "Table")]
pub struct TableDocument {
    /// What the table shows.
    pub title: String,
    /// What it shows in a sentence, for those who cannot see it.
    pub alternative: String,
    /// Its columns.
    pub columns: Vec<TableColumn>,
    /// Rows, each as long as `columns`.
    pub rows: Vec<Vec<TableCell>>,
    /// What must be known to read it.
    pub notes: Vec<String>,
    /// Columns at the left that name their row.
    pub heads: usize,
    /// Cells that others point at.
    pub anchors: Vec<CellAnchor>,
}

/// A column of a table in JSON.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TableColumn {
    /// Its name; may be empty.
    pub name: String,
    /// How its cells stand.
    pub align: Align,
    /// The base unit of all its values (`bit/s`, `B`, `B/s`, `ns`, `%`, `1/s`, or empty for numbers without one), where
    /// all cells that say something have a value of it: it can then be sorted by value. `None` for words.
    pub unit: Option<&'static str>,
}

/// A cell of a table in JSON.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TableCell {
    /// As it is shown.
    pub text: String,
    /// The number of the cell in its base unit, to sort by. Missing where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
}

impl TableDocument {
    pub fn from_table(table: &Table) -> TableDocument {
        let cell =
            |cell: &Cell| TableCell { value: cell.value_and_unit().map(|(v, _)| v), text: cell.to_string() };
        let row = |cells: &Vec<Cell>| cells.iter().map(cell).collect();
        let column = |(at, (name, align)): (usize, &(DisplayText, Align))| TableColumn {
            name: name.to_string(),
            align: *align,
            unit: unit(table, at),
        };
        TableDocument {
            title: table.title.to_string(),
            alternative: table.alt_text(),
            columns: table.columns.iter().enumerate().map(column).collect(),
            rows: table.rows.iter().map(row).collect(),
            notes: table.notes.iter().map(DisplayText::to_string).collect(),
            heads: table.heads,
            anchors: table.anchors.clone(),
        }
    }
}

fn unit(table: &Table, column: usize) -> Option<&'static str> {
    let known = table.rows.iter().filter_map(|r| r.get(column)).filter(|c| c.has_content());
    let mut units = known.map(|cell| cell.value_and_unit().map(|(_, unit)| unit));
    let first = units.next()??;
    units.all(|u| u == Some(first)).then_some(first)
}

/// A table in the two lengths in which it is shown.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Tables")]
pub(super) struct TableVariantsDocument {
    /// For little room; `None` where it is the same as the whole.
    short: Option<TableDocument>,
    /// All of it.
    whole: TableDocument,
}

impl From<TableVariants> for TableVariantsDocument {
    fn from(TableVariants { short, whole }: TableVariants) -> TableVariantsDocument {
        let different = short != whole;
        TableVariantsDocument {
            short: different.then(|| TableDocument::from_table(&short)),
            whole: TableDocument::from_table(&whole),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::cell;

    #[test]
    fn a_column_is_sorted_by_value_where_all_its_values_have_one_unit() {
        let right = Align::Right;
        let mut table = Table::new("t", &[("size", Align::Left), ("rate", right), ("mixed", right)]);
        table.add_row([cell::size(1024), cell::rate(999_000), cell::time(1e9)]);
        table.add_row([cell::size(2), Cell::Missing, cell::percent(1.0)]);
        table.add_row([cell::size(1 << 20), cell::rate(1_000_000)]);
        let form = TableDocument::from_table(&table);
        let units: Vec<_> = form.columns.iter().map(|c| c.unit).collect();
        assert_eq!(units, [Some("B"), Some("bit/s"), None]);
        assert_eq!((form.rows[1][1].value, form.rows[2][1].value), (None, Some(1e6)));
        assert_eq!(form.alternative, "t: 3 rows of size, rate, mixed.");
    }
}
