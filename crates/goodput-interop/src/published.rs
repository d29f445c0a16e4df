//! Published values: a CSV with the numbers of an article, and a TOML description of its columns.
//!
//! [`Published::parse`] checks the description, [`Published::data_set`] makes the same [`DataSet`] as from a
//! measured experiment. Every column has a meaning or is listed as unused, and every level is listed.
//! Ambiguous units (`Mbps`), numbers with a comma, other decimals than the source prints, and duplicates are
//! errors with their line. An empty value is a combination that nobody measured. See
//! `docs/published-figures.md`.

mod bounds;
mod checks;
mod figures;
mod form;
mod gaps;
mod table;
#[cfg(test)]
mod tests;
mod units;

use form::DescriptionForm;
use goodput_model::experiment::Better;
use goodput_model::experiment::data::{Axis, DataSet, MeasureHead, Printed};
use units::Unit;

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PublishedError {
    #[error("line {line} of the description: {why}")]
    Form {
        /// Counted from 1.
        line: usize,
        why: String,
    },
    #[error("{place} of the description: {why}")]
    Description {
        /// `factor cpu`, `table Table 2`, `question 3`.
        place: String,
        why: String,
    },
    #[error("line {line} of the figures: {why}")]
    Figures {
        /// Counted from 1, comments and empty lines included.
        line: usize,
        why: String,
    },
}

impl PublishedError {
    fn description(place: impl Into<String>, why: impl Into<String>) -> PublishedError {
        PublishedError::Description { place: place.into(), why: why.into() }
    }

    fn figures(line: usize, why: impl Into<String>) -> PublishedError {
        PublishedError::Figures { line, why: why.into() }
    }
}

#[derive(Debug, Clone)]
pub struct Published {
    form: DescriptionForm,
    unit: Unit,
}

impl Published {
    pub fn parse(text: &str) -> Result<Published, PublishedError> {
        let form: DescriptionForm = toml::from_str(text).map_err(|e| refusal(text, &e))?;
        let unit =
            units::named(&form.measure.unit).map_err(|why| PublishedError::description("[measure]", why))?;
        Ok(Published { form, unit })
    }

    /// Path relative to the description.
    pub fn figures(&self) -> &str {
        &self.form.figures
    }

    /// With the source's tables, prices, limits and questions.
    pub fn data_set(&self, figures: &str) -> Result<DataSet, PublishedError> {
        let form = &self.form;
        let table = table::read(figures)?;
        figures::every_column_is_described(form, &table)?;
        let mut data = DataSet {
            title: form.title.clone(),
            source: form.source.clone(),
            factors: self.axes(&table)?,
            measures: self.measures(),
            printed: self.printed(),
            ..DataSet::default()
        };
        data.rows = figures::rows(form, &self.unit, &table, &data)?;
        checks::every_level_has_a_row(&data)?;
        data.slices = checks::slices(form, &data)?;
        data.rows.extend(gaps::empty_cells(&data)?);
        data.prices = checks::prices(form, &data)?;
        data.bounds = bounds::of_media(form, &self.unit, &data)?;
        data.questions = checks::questions(&form.question, &self.unit, &data)?;
        Ok(data)
    }

    fn axes(&self, table: &table::Table) -> Result<Vec<Axis>, PublishedError> {
        let axis = |factor: &form::FactorForm| {
            let numbers = match &factor.number {
                Some(column) => figures::numbers(factor, column, table)?,
                None => Vec::new(),
            };
            Ok(Axis { name: factor.name.clone(), levels: factor.levels.clone(), numbers })
        };
        checks::factors(&self.form)?;
        self.form.factor.iter().map(axis).collect()
    }

    fn measures(&self) -> Vec<MeasureHead> {
        let measure = &self.form.measure;
        let head = |line: &form::LineForm| MeasureHead {
            probe: line.name.clone(),
            figure: measure.figure.clone(),
            unit: self.unit.base.to_string(),
            better: match measure.better {
                form::BetterForm::Higher => Better::Higher,
                form::BetterForm::Lower => Better::Lower,
            },
            over_size: self.form.size.is_some(),
        };
        self.form.probes.lines.iter().map(head).collect()
    }

    fn printed(&self) -> Vec<Printed> {
        let one = |measure: usize| Printed {
            measure,
            unit: self.unit.name.to_string(),
            scale: self.unit.scale as f64,
            decimals: self.form.measure.decimals,
        };
        (0..self.form.probes.lines.len()).map(one).collect()
    }
}

fn refusal(text: &str, error: &toml::de::Error) -> PublishedError {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or("");
    let why = error.message().lines().collect::<Vec<_>>().join(" ");
    PublishedError::Form { line: before.matches('\n').count() + 1, why }
}
