//! Builds the document of `--json` from trials: their summaries and their combined results.

use crate::search::trials::replay;
use crate::summary::summarise;
use crate::{curve, file};
use goodput_model::summary::{Document, SCHEMA, Summary};
use goodput_model::{RunId, Trial};

pub fn summaries(document: &Document) -> Vec<&Summary> {
    if document.trials.is_empty() {
        document.summary.iter().collect()
    } else {
        document.trials.iter().collect()
    }
}

/// Its result is the first trial, or of a search the trial that confirmed its rate, else its last.
pub fn of_trials<'a>(run: Option<RunId>, trials: impl IntoIterator<Item = &'a Trial>) -> Document {
    let mut summaries: Vec<Summary> = trials.into_iter().map(summarise).collect();
    let search = replay(&summaries);
    let confirmed = search.as_ref().and_then(|s| s.confirmed_by);
    let result = match (&search, confirmed) {
        (Some(_), Some(trial)) => summaries.iter().find(|s| s.trial == trial),
        (Some(_), None) => summaries.last(),
        (None, _) => summaries.first(),
    }
    .cloned();
    let file_run = file::of_run(&summaries.iter().collect::<Vec<_>>());
    let load_curves = curve::of_run(&summaries.iter().collect::<Vec<_>>());
    if summaries.len() < 2 {
        summaries.clear();
    }
    Document {
        schema: SCHEMA.to_string(),
        run,
        summary: result,
        trials: summaries,
        search,
        load_curves,
        file_run,
        error: None,
    }
}
