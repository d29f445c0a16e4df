//! Converts lines of the CSV to observations.

use super::table::CsvTable;
use super::toml_form::{DescriptionToml, FactorToml};
use super::units::UnitConversion;
use super::{PublishedDataError, factor_place, no_level};
use goodput_model::MessageArg;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};
use goodput_words::{Message, message};
use std::collections::BTreeMap;

pub(super) fn check_columns_described(
    form: &DescriptionToml,
    table: &CsvTable,
) -> Result<(), PublishedDataError> {
    let mut used: BTreeMap<&str, MessageArg> = BTreeMap::new();
    let mut named: Vec<(&String, MessageArg)> = vec![(&form.measure.column, "[measure]".into())];
    named.extend(form.probes.column.iter().map(|c| (c, "[probes]".into())));
    named.extend(form.evidence.iter().map(|e| (&e.column, "[evidence]".into())));
    named.extend(form.size.iter().map(|s| (&s.column, "[size]".into())));
    for factor in &form.factor {
        named.extend(factor.columns.iter().map(|c| (c, factor_place(&factor.name).into())));
    }
    named.extend(form.unused.iter().map(|c| (c, "unused".into())));
    for (column, place) in named {
        if table.column_index(column).is_none() {
            let (column, columns) = (format!("{column:?}"), table.columns.clone());
            let why = message!(cause_published_no_column_of { column, columns });
            return Err(PublishedDataError::description(place, why));
        }
        if let Some(other) = used.insert(column, place.clone()) {
            let why = message!(cause_published_column_twice { column: format!("{column:?}"), other });
            return Err(PublishedDataError::description(place, why));
        }
    }
    match table.columns.iter().find(|c| !used.contains_key(c.as_str())) {
        None => Ok(()),
        Some(column) => {
            let why = message!(cause_published_column_unexplained { column: format!("{column:?}") });
            Err(PublishedDataError::description(message!(part_published_the_columns), why))
        }
    }
}

pub(super) fn parse_numeric_levels(
    factor: &FactorToml,
    column: &str,
    table: &CsvTable,
) -> Result<Vec<f64>, PublishedDataError> {
    let refuse = |why: Message| PublishedDataError::description(factor_place(&factor.name), why);
    if !factor.columns.iter().any(|c| c == column) {
        return Err(refuse(message!(cause_published_number_column { column: format!("{column:?}") })));
    }
    let Some(at) = table.column_index(column) else {
        return Err(refuse(message!(cause_published_no_column { column: format!("{column:?}") })));
    };
    let number = |level: &String| {
        let of_level =
            table.lines.iter().find(|(_, fields)| level_of(factor, table, fields).as_ref() == Some(level));
        let Some((line, fields)) = of_level else {
            return Err(refuse(message!(cause_published_no_line_at { level: format!("{level:?}") })));
        };
        let text = &fields[at];
        let finite = text.parse().ok().filter(|n: &f64| n.is_finite());
        finite.ok_or_else(|| {
            let text = format!("{text:?}");
            PublishedDataError::figures(*line, message!(cause_published_no_number { text, column }))
        })
    };
    factor.levels.iter().map(number).collect()
}

/// `None` where a column is empty.
fn level_of(factor: &FactorToml, table: &CsvTable, fields: &[String]) -> Option<String> {
    let words: Option<Vec<&str>> = (factor.columns.iter())
        .map(|column| table.column_index(column).and_then(|at| fields.get(at)).map(String::as_str))
        .map(|word| word.filter(|w| !w.is_empty()))
        .collect();
    words.map(|words| words.join(" "))
}

pub(super) fn parse_rows(
    form: &DescriptionToml,
    unit: &UnitConversion,
    table: &CsvTable,
    data: &DataSet,
) -> Result<Vec<DataRow>, PublishedDataError> {
    let mut rows: Vec<DataRow> = Vec::new();
    let mut seen: BTreeMap<(usize, Option<u64>, FactorLevels), usize> = BTreeMap::new();
    for (line, fields) in &table.lines {
        let row = Line { form, unit, table, data, line: *line, fields }.row()?;
        if let Some(first) = seen.insert((row.measure, row.size_bytes, row.levels.clone()), *line) {
            let why = message!(cause_published_same_combination { line: first.to_string() });
            return Err(PublishedDataError::figures(*line, why));
        }
        rows.push(row);
    }
    Ok(rows)
}

struct Line<'a> {
    form: &'a DescriptionToml,
    unit: &'a UnitConversion,
    table: &'a CsvTable,
    data: &'a DataSet,
    line: usize,
    fields: &'a [String],
}

impl Line<'_> {
    fn field(&self, column: &str) -> &str {
        self.table.column_index(column).and_then(|at| self.fields.get(at)).map_or("", String::as_str)
    }

    fn refuse(&self, why: impl Into<Message>) -> PublishedDataError {
        PublishedDataError::figures(self.line, why)
    }

    fn row(&self) -> Result<DataRow, PublishedDataError> {
        let evidence = match &self.form.evidence {
            Some(evidence) => evidence.text.replace("{}", self.field(&evidence.column)).into(),
            None => {
                message!(part_published_line_of { line: self.line.to_string(), file: &self.form.figures })
            }
        };
        Ok(DataRow {
            levels: self.levels()?,
            measure: self.measure()?,
            size_bytes: self.size()?,
            value: self.value()?,
            block: 1,
            order: None,
            evidence,
        })
    }

    fn levels(&self) -> Result<FactorLevels, PublishedDataError> {
        let mut levels = FactorLevels::new();
        for factor in &self.form.factor {
            let Some(level) = level_of(factor, self.table, self.fields) else { continue };
            if !factor.levels.contains(&level) {
                return Err(self.refuse(no_level(&factor.name, &level, &factor.levels)));
            }
            levels.insert(factor.name.clone(), level);
        }
        Ok(levels)
    }

    fn measure(&self) -> Result<usize, PublishedDataError> {
        let Some(column) = &self.form.probes.column else { return Ok(0) };
        let name = self.field(column);
        let found = self.data.measures.iter().position(|m| m.probe == name);
        let why = || message!(cause_published_no_probe_line { name: format!("{name:?}") });
        found.ok_or_else(|| self.refuse(why()))
    }

    fn size(&self) -> Result<Option<u64>, PublishedDataError> {
        let Some(size) = &self.form.size else { return Ok(None) };
        let text = self.field(&size.column);
        let why = || message!(cause_published_no_size { text: format!("{text:?}") });
        Ok(Some(text.parse().map_err(|_| self.refuse(why()))?))
    }

    fn value(&self) -> Result<ObservedValue, PublishedDataError> {
        let measure = &self.form.measure;
        let text = self.field(&measure.column);
        if text.is_empty() {
            return Ok(ObservedValue::NotMeasured);
        }
        let (value, decimals) = self.unit.parse_value(text).map_err(|why| self.refuse(why))?;
        if decimals != usize::from(measure.decimals) {
            let (decimals, printed) = (decimals.to_string(), measure.decimals.to_string());
            return Err(self.refuse(message!(cause_published_decimals { text, decimals, printed })));
        }
        Ok(ObservedValue::Value(value))
    }
}
