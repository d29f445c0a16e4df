//! Published values: a CSV with the numbers of an article, and a TOML description of its columns.
//!
//! [`PublishedDescription::parse`] checks the description, [`PublishedDescription::data_set`] makes the same [`DataSet`] as from a
//! measured experiment. Every column has a meaning or is listed as unused, and every level is listed.
//! Ambiguous units (`Mbps`), numbers with a comma, other decimals than the source prints, and duplicates are
//! errors with their line. An empty value is a combination that nobody measured. See
//! `docs/published-figures.md`.

mod data_rows;
mod medium_bounds;
mod missing_data;
mod table;
#[cfg(test)]
mod tests;
mod toml_form;
mod units;
mod validation;

use goodput_model::MessageArg;
use goodput_model::experiment::data_set::{DataSet, DataSetMetric, DisplayUnit, FactorAxis};
use goodput_words::{Message, error_messages, message};
use toml_form::DescriptionToml;
use units::UnitConversion;

#[derive(Debug, Clone, PartialEq)]
pub struct PublishedDataError {
    place: Message,
    why: Message,
}

error_messages! {
    PublishedDataError {
        PublishedDataError { place, why } => message!(list_colon { what: place, why }),
    }
}

impl PublishedDataError {
    /// `place` is `factor cpu`, `table Table 2`, `question 3`.
    fn description(place: impl Into<MessageArg>, why: impl Into<Message>) -> PublishedDataError {
        PublishedDataError { place: message!(part_published_description { place }), why: why.into() }
    }

    /// Lines are counted from 1, comments and empty ones included.
    fn figures(line: usize, why: impl Into<Message>) -> PublishedDataError {
        let place = message!(part_published_figures_line { line: line.to_string() });
        PublishedDataError { place, why: why.into() }
    }
}

#[derive(Debug, Clone)]
pub struct PublishedDataDescription {
    form: DescriptionToml,
    unit: UnitConversion,
}

impl PublishedDataDescription {
    pub fn parse(text: &str) -> Result<PublishedDataDescription, PublishedDataError> {
        let form: DescriptionToml = toml::from_str(text).map_err(|e| refusal(text, &e))?;
        let unit = units::find_unit(&form.measure.unit)
            .map_err(|why| PublishedDataError::description("[measure]", why))?;
        Ok(PublishedDataDescription { form, unit })
    }

    /// Path relative to the description.
    pub fn data_path(&self) -> &str {
        &self.form.figures
    }

    /// With the source's tables, prices, limits and questions.
    pub fn build_data_set(&self, figures: &str) -> Result<DataSet, PublishedDataError> {
        let form = &self.form;
        let table = table::parse_table(figures)?;
        data_rows::check_columns_described(form, &table)?;
        let mut data = DataSet {
            title: form.title.clone(),
            source: form.source.clone(),
            factors: self.axes(&table)?,
            measures: self.measures(),
            printed: self.printed(),
            ..DataSet::default()
        };
        data.rows = data_rows::parse_rows(form, &self.unit, &table, &data)?;
        validation::check_levels_have_rows(&data)?;
        data.slices = validation::parse_result_tables(form, &data)?;
        data.rows.extend(missing_data::missing_observations(&data)?);
        data.prices = validation::parse_level_prices(form, &data)?;
        data.bounds = medium_bounds::compute_theoretical_bounds(form, &self.unit, &data)?;
        data.questions = validation::parse_questions(&form.question, &self.unit, &data)?;
        Ok(data)
    }

    fn axes(&self, table: &table::CsvTable) -> Result<Vec<FactorAxis>, PublishedDataError> {
        let axis = |factor: &toml_form::FactorToml| {
            let numbers = match &factor.number {
                Some(column) => data_rows::parse_numeric_levels(factor, column, table)?,
                None => Vec::new(),
            };
            Ok(FactorAxis { name: factor.name.clone(), levels: factor.levels.clone(), numbers })
        };
        validation::check_factors(&self.form)?;
        self.form.factor.iter().map(axis).collect()
    }

    fn measures(&self) -> Vec<DataSetMetric> {
        let measure = &self.form.measure;
        let head = |line: &toml_form::ProbeNameToml| DataSetMetric {
            probe: line.name.clone(),
            figure: measure.figure.clone(),
            unit: self.unit.base.to_string(),
            better: measure.better,
            over_size: self.form.size.is_some(),
        };
        self.form.probes.lines.iter().map(head).collect()
    }

    fn printed(&self) -> Vec<DisplayUnit> {
        let one = |measure: usize| DisplayUnit {
            measure,
            unit: self.unit.name.to_string(),
            scale: self.unit.scale as f64,
            decimals: self.form.measure.decimals,
        };
        (0..self.form.probes.lines.len()).map(one).collect()
    }
}

fn factor_place(name: &str) -> Message {
    message!(part_published_factor { name })
}

fn no_level(factor: &str, level: &str, known: &[String]) -> Message {
    message!(cause_published_no_level { factor, level: format!("{level:?}"), levels: known.to_vec() })
}

fn refusal(text: &str, error: &toml::de::Error) -> PublishedDataError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
    let why = error.message().lines().collect::<Vec<_>>().join(" ");
    let line = (before.matches('\n').count() + 1).to_string();
    PublishedDataError::description(message!(part_published_line { line }), why)
}
