//! A table as data, and its form in a terminal; [`crate::html`] writes the same table.

pub mod agents;
pub mod cell;
pub mod host_counters;
pub mod host_cpu_usage;
pub mod host_difference;
pub mod inventory;
pub mod medium_limits;
pub mod run_comparison;
pub mod runs;

pub use cell::{Cell, NumberFormat};

use crate::display_text::DisplayText;
use crate::escape;
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, TableStyle};
use schemars::JsonSchema;
use serde::Serialize;

/// How the cells of a column stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// Name, alignment, and the cell of an item.
pub(crate) type ColumnDefinitions<'a, T> = &'a [(&'a str, Align, &'a dyn Fn(&T) -> Cell)];

/// As JSON: [`crate::page::json_types::TableDocument`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub title: DisplayText,
    pub columns: Vec<(DisplayText, Align)>,
    pub rows: Vec<Vec<Cell>>,
    pub notes: Vec<DisplayText>,
    /// Number of leading columns that name their row; consecutive repetitions are omitted.
    pub heads: usize,
    pub anchors: Vec<CellAnchor>,
}

/// A cell that others point at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Anchor")]
pub struct CellAnchor {
    /// Counted from 0.
    pub row: usize,
    /// Counted from 0.
    pub column: usize,
    /// The identifier that links name.
    pub id: String,
}

impl Table {
    pub fn new(title: impl Into<DisplayText>, columns: &[(&str, Align)]) -> Table {
        Table {
            title: title.into(),
            columns: columns.iter().map(|(name, align)| ((*name).into(), *align)).collect(),
            rows: Vec::new(),
            notes: Vec::new(),
            heads: 1,
            anchors: Vec::new(),
        }
    }

    /// One row per item.
    pub(crate) fn from_items<T>(
        title: impl Into<DisplayText>,
        items: impl IntoIterator<Item = T>,
        columns: ColumnDefinitions<'_, T>,
    ) -> Table {
        let headings: Vec<_> = columns.iter().map(|(name, align, _)| (*name, *align)).collect();
        let row = |item: T| columns.iter().map(|(.., cell)| cell(&item)).collect();
        Table { rows: items.into_iter().map(row).collect(), ..Table::new(title, &headings) }
    }

    /// Without repeated leading heads; unchanged with one head.
    pub fn without_repeated_row_labels(&self) -> Table {
        let mut table = self.clone();
        for i in (1..self.rows.len()).rev() {
            for head in 0..self.heads.saturating_sub(1) {
                if self.rows[i][..=head] != self.rows[i - 1][..=head] {
                    break;
                }
                table.rows[i][head] = Cell::Text(DisplayText::default());
            }
        }
        table
    }

    pub fn add_row<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let mut cells: Vec<Cell> = cells.into_iter().map(Into::into).collect();
        cells.resize(self.columns.len(), Cell::Text(DisplayText::default()));
        self.rows.push(cells);
    }

    /// Unless every cell after the name is empty.
    pub(crate) fn add_row_unless_empty(
        &mut self,
        name: impl Into<Cell>,
        cells: impl IntoIterator<Item = Cell>,
    ) {
        let cells: Vec<Cell> = cells.into_iter().collect();
        if cells.iter().any(Cell::has_content) {
            self.add_row(std::iter::once(name.into()).chain(cells));
        }
    }

    pub fn without_empty_columns(mut self) -> Table {
        let keep: Vec<bool> = (0..self.columns.len())
            .map(|i| i == 0 || self.rows.iter().any(|r| r.get(i).is_some_and(Cell::has_content)))
            .collect();
        let filter = |cells: Vec<Cell>| -> Vec<Cell> {
            cells.into_iter().zip(&keep).filter(|(_, k)| **k).map(|(c, _)| c).collect()
        };
        self.rows = self.rows.into_iter().map(filter).collect();
        self.columns = self.columns.into_iter().zip(&keep).filter(|(_, k)| **k).map(|(c, _)| c).collect();
        self
    }

    pub fn alt_text(&self) -> String {
        let named: Vec<&str> =
            self.columns.iter().map(|(name, _)| name.as_str()).filter(|name| !name.is_empty()).collect();
        let of = if named.is_empty() { String::new() } else { format!(" of {}", named.join(", ")) };
        let rows = if self.rows.len() == 1 { "row" } else { "rows" };
        let title = if self.title.is_empty() { "Table" } else { &self.title };
        format!("{title}: {} {rows}{of}.", crate::number_format::format_count(self.rows.len() as u64))
    }

    /// Plain text for this many columns; `None` is unlimited. Ends with a line break.
    pub fn to_text(&self, width: Option<u16>) -> String {
        let mut table = comfy_table::Table::new();
        table.load_style(TableStyle::new().header_separator(LineStyle::none().fill('─')));
        if self.columns.iter().any(|(name, _)| !name.is_empty()) {
            table.set_header(
                self.columns.iter().map(|(name, _)| escape::escape_for_terminal(name)).collect::<Vec<_>>(),
            );
        }
        for row in &self.rows {
            table
                .add_row(row.iter().map(|c| escape::escape_for_terminal(&c.to_string())).collect::<Vec<_>>());
        }
        if let Some(width) = width {
            let width = width.saturating_sub(2).max(20);
            table.set_content_arrangement(ContentArrangement::Dynamic).set_width(width);
        }
        for (i, (_, align)) in self.columns.iter().enumerate() {
            if let Some(column) = table.column_mut(i) {
                // Names of rows and runs are never wrapped, so that they can be copied.
                if i < self.heads.max(1) {
                    column.set_constraint(ColumnConstraint::ContentWidth);
                }
                column.set_padding((0, if i + 1 < self.columns.len() { 2 } else { 0 }));
                column.set_cell_alignment(match align {
                    Align::Left => CellAlignment::Left,
                    Align::Right => CellAlignment::Right,
                });
            }
        }
        let mut out = String::new();
        for line in table.lines() {
            out.push_str("  ");
            out.push_str(line.trim_end());
            out.push('\n');
        }
        for note in &self.notes {
            out.push_str(&format!("  {}\n", escape::escape_for_terminal(note)));
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::escape;

    #[test]
    fn a_narrow_terminal_is_not_overrun() {
        let document = crate::documents::demo();
        for summary in &document.trials {
            for mut table in crate::probe::probe_report(&summary.probe).result_tables(summary) {
                // Notes are prose, wrapped by the terminal.
                table.notes.clear();
                for line in table.to_text(Some(78)).lines() {
                    assert!(escape::escape_for_terminal(line).chars().count() <= 80, "{line:?}");
                }
            }
        }
    }

    #[test]
    fn columns_that_say_nothing_are_dropped_and_rows_fitted() {
        let mut table = Table::new("t", &[("a", Align::Left), ("b", Align::Right), ("c", Align::Right)]);
        table.add_row([Cell::from("x"), Cell::Missing, "1".into(), "surplus".into()]);
        table.add_row(["y"]);
        table.add_row_unless_empty("z", ["".into(), Cell::Missing]);
        let table = table.without_empty_columns();
        assert_eq!(table.columns.iter().map(|c| c.0.as_str()).collect::<Vec<_>>(), ["a", "c"]);
        assert_eq!(table.rows, [["x", "1"], ["y", ""]]);
    }
}
