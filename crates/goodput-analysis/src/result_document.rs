//! Builds the document of `--json` from trials: their summaries and their combined results.

use crate::check::check_path;
use crate::diagnosis::diagnose_trials;
use crate::rate_search::search_trials::replay_search;
use crate::summary::summarize_trial;
use crate::{file_results, load_curve};
use goodput_model::summary::{RESULT_SCHEMA, ResultDocument, TrialSummary};
use goodput_model::{RunId, Trial};

pub fn trial_summaries(document: &ResultDocument) -> Vec<&TrialSummary> {
    if document.trials.is_empty() {
        document.summary.iter().collect()
    } else {
        document.trials.iter().collect()
    }
}

/// Its result is the first trial, or of a search the trial that confirmed its rate, else its last.
pub fn document_from_trials<'a>(
    run: Option<RunId>,
    trials: impl IntoIterator<Item = &'a Trial>,
) -> ResultDocument {
    let trials: Vec<&Trial> = trials.into_iter().collect();
    let mut summaries: Vec<TrialSummary> = trials.iter().copied().map(summarize_trial).collect();
    let diagnosis = diagnose_trials(&trials, &summaries);
    let check = check_path(&trials, &summaries);
    // Of a check, the search is one of its steps.
    let search = if check.is_some() { None } else { replay_search(&summaries) };
    let confirmed = search.as_ref().and_then(|s| s.confirmed_by);
    let result = match (&search, confirmed) {
        (Some(_), Some(trial)) => summaries.iter().find(|s| s.trial == trial),
        (Some(_), None) => summaries.last(),
        (None, _) => summaries.first(),
    }
    .cloned();
    let file_run = file_results::summarize_file_run(&summaries.iter().collect::<Vec<_>>());
    let load_curves = load_curve::build_load_curves(&summaries.iter().collect::<Vec<_>>());
    if summaries.len() < 2 {
        summaries.clear();
    }
    ResultDocument {
        schema: RESULT_SCHEMA.to_string(),
        run,
        summary: result,
        trials: summaries,
        search,
        load_curves,
        file_run,
        diagnosis,
        check,
        error: None,
    }
}
