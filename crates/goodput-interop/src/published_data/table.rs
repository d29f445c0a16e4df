//! Parses the CSV: comments begin with `#`, the first other line names the columns.

use super::PublishedDataError;

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
                return Err(PublishedDataError::figures(line, format!("two columns are called {name:?}")));
            }
            table.columns = fields;
        } else if fields.len() == table.columns.len() {
            table.lines.push((line, fields));
        } else {
            let why = format!("{} fields, where the columns are {}", fields.len(), table.columns.len());
            return Err(PublishedDataError::figures(line, why));
        }
    }
    match table.lines.is_empty() {
        true => Err(PublishedDataError::figures(text.lines().count().max(1), "there are no figures in it")),
        false => Ok(table),
    }
}
