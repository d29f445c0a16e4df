//! Converts lines of the CSV to observations.

use super::PublishedDataError;
use super::table::CsvTable;
use super::toml_form::{DescriptionToml, FactorToml};
use super::units::UnitConversion;
use goodput_model::experiment::FactorLevels;
use goodput_model::experiment::data_set::{DataRow, DataSet, ObservedValue};
use std::collections::BTreeMap;

pub(super) fn check_columns_described(
    form: &DescriptionToml,
    table: &CsvTable,
) -> Result<(), PublishedDataError> {
    let mut used: BTreeMap<&str, String> = BTreeMap::new();
    let mut named: Vec<(&String, String)> = vec![(&form.measure.column, "[measure]".to_string())];
    named.extend(form.probes.column.iter().map(|c| (c, "[probes]".to_string())));
    named.extend(form.evidence.iter().map(|e| (&e.column, "[evidence]".to_string())));
    named.extend(form.size.iter().map(|s| (&s.column, "[size]".to_string())));
    for factor in &form.factor {
        named.extend(factor.columns.iter().map(|c| (c, format!("factor {}", factor.name))));
    }
    named.extend(form.unused.iter().map(|c| (c, "unused".to_string())));
    for (column, place) in named {
        if table.column_index(column).is_none() {
            let why = format!("there is no column {column:?}; there are {}", table.columns.join(", "));
            return Err(PublishedDataError::description(place, why));
        }
        if let Some(other) = used.insert(column, place.clone()) {
            return Err(PublishedDataError::description(
                place,
                format!("column {column:?} has a meaning already: {other}"),
            ));
        }
    }
    match table.columns.iter().find(|c| !used.contains_key(c.as_str())) {
        None => Ok(()),
        Some(column) => {
            let why = format!(
                "nothing says what column {column:?} is: give it to a factor, or list it under unused"
            );
            Err(PublishedDataError::description("the columns", why))
        }
    }
}

pub(super) fn parse_numeric_levels(
    factor: &FactorToml,
    column: &str,
    table: &CsvTable,
) -> Result<Vec<f64>, PublishedDataError> {
    let place = || format!("factor {}", factor.name);
    if !factor.columns.iter().any(|c| c == column) {
        let why = format!("number = {column:?} is none of its columns");
        return Err(PublishedDataError::description(place(), why));
    }
    let Some(at) = table.column_index(column) else {
        return Err(PublishedDataError::description(place(), format!("there is no column {column:?}")));
    };
    let number = |level: &String| {
        let of_level =
            table.lines.iter().find(|(_, fields)| level_of(factor, table, fields).as_ref() == Some(level));
        let Some((line, fields)) = of_level else {
            return Err(PublishedDataError::description(place(), format!("no line has level {level:?}")));
        };
        let text = &fields[at];
        let finite = text.parse().ok().filter(|n: &f64| n.is_finite());
        finite.ok_or_else(|| {
            PublishedDataError::figures(*line, format!("{text:?} in column {column} is no number"))
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
            let why = format!("the same combination stands on line {first} too: which figure is meant?");
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

    fn refuse(&self, why: impl Into<String>) -> PublishedDataError {
        PublishedDataError::figures(self.line, why)
    }

    fn row(&self) -> Result<DataRow, PublishedDataError> {
        let evidence = match &self.form.evidence {
            Some(evidence) => evidence.text.replace("{}", self.field(&evidence.column)),
            None => format!("line {} of {}", self.line, self.form.figures),
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
                let known = factor.levels.join(", ");
                return Err(self.refuse(format!(
                    "factor {} does not have a level {level:?}; it has {known}",
                    factor.name
                )));
            }
            levels.insert(factor.name.clone(), level);
        }
        Ok(levels)
    }

    fn measure(&self) -> Result<usize, PublishedDataError> {
        let Some(column) = &self.form.probes.column else { return Ok(0) };
        let name = self.field(column);
        let found = self.data.measures.iter().position(|m| m.probe == name);
        found.ok_or_else(|| self.refuse(format!("[probes] has no line {name:?}")))
    }

    fn size(&self) -> Result<Option<u64>, PublishedDataError> {
        let Some(size) = &self.form.size else { return Ok(None) };
        let text = self.field(&size.column);
        let whole = text.parse().map_err(|_| self.refuse(format!("{text:?} is no size in whole bytes")))?;
        Ok(Some(whole))
    }

    fn value(&self) -> Result<ObservedValue, PublishedDataError> {
        let measure = &self.form.measure;
        let text = self.field(&measure.column);
        if text.is_empty() {
            return Ok(ObservedValue::NotMeasured);
        }
        let (value, decimals) = self.unit.parse_value(text).map_err(|why| self.refuse(why))?;
        if decimals != usize::from(measure.decimals) {
            let why = format!(
                "{text} has {decimals} digits after the point, and the source is said to print {}: is a digit missing?",
                measure.decimals
            );
            return Err(self.refuse(why));
        }
        Ok(ObservedValue::Value(value))
    }
}
