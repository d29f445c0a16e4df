//! Parses the CSV: comments begin with `#`, the first other line names the columns.

use super::PublishedDataError;
use goodput_words::message;

pub(super) struct CsvTable {
    pub columns: Vec<String>,
    /// Line number, counted from 1, and the fields.
    pub lines: Vec<(usize, Vec<String>)>,
}

impl CsvTable {
    pub fn column_index(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|c| c == name)
    }
}

pub(super) fn parse_table(text: &str) -> Result<CsvTable, PublishedDataError> {
    let mut table = CsvTable { columns: Vec::new(), lines: Vec::new() };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, text) in text.lines().enumerate().map(|(at, text)| (at + 1, text.trim())) {
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        if text.contains('"') {
            return Err(PublishedDataError::figures(
                line,
                "quoted fields are not read: write the fields without quotes and commas",
            ));
        }
        let fields: Vec<String> = text.split(',').map(|field| field.trim().to_string()).collect();
        if table.columns.is_empty() {
            let twice = fields.iter().enumerate().find(|(at, name)| fields[..*at].contains(name));
            if let Some((_, name)) = twice {
                let why = message!(cause_published_two_columns { name: format!("{name:?}") });
                return Err(PublishedDataError::figures(line, why));
            }
            table.columns = fields;
        } else if fields.len() == table.columns.len() {
            table.lines.push((line, fields));
        } else {
            let (fields, columns) = (fields.len().to_string(), table.columns.len().to_string());
            let why = message!(cause_published_fields { fields, columns });
            return Err(PublishedDataError::figures(line, why));
        }
    }
    match table.lines.is_empty() {
        true => Err(PublishedDataError::figures(text.lines().count().max(1), "there are no figures in it")),
        false => Ok(table),
    }
}
