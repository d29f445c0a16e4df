//! `/compare`: two or more runs beside each other.

use crate::api::runs::find_run_card_and_folder;
use crate::problem::Problem;
use crate::results::{self, ExperimentEvaluation};
use crate::route::{ApiRequest, GET, Json, NoInput, Routes};
use crate::security::AccessLevel::Reader;
use crate::translate::Localize;
use goodput_model::RunId;
use goodput_report::page::Page;
use goodput_report::view::{self, ComparedRunData};
use goodput_words::{Message, Translator, message};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Each run is read completely.
const MOST: usize = 12;

const NAMES: &str = "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}\
                     (,[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}){1,11}$";

/// Which runs.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CompareQuery {
    /// Names of two to twelve runs with commas between them; the others are held against the first.
    #[schemars(regex(pattern = NAMES))]
    runs: String,
}

/// A comparison.
#[derive(Debug, Serialize, JsonSchema)]
pub struct CompareDocument {
    /// What it came to.
    page: Page,
}

impl Localize for CompareDocument {
    fn localize(&mut self, words: &Translator) {
        self.page.localize(words);
    }
}

pub fn routes() -> Routes {
    Routes::new("compare").add(GET, "/compare", Reader, "Which changes between runs are real", compare)
}

async fn compare(call: ApiRequest<NoInput, CompareQuery>) -> Result<Json<CompareDocument>, Problem> {
    let ids = ids(&call.query.runs)?;
    let mut folders = Vec::with_capacity(ids.len());
    for id in ids {
        folders.push(find_run_card_and_folder(&call.state, id).await?.1);
    }
    let page = call.state.run_blocking(move || {
        let runs = folders.iter().map(|f| results::read_run(f)).collect::<Result<Vec<_>, _>>()?;
        let evaluated: Vec<Option<ExperimentEvaluation<'_>>> =
            runs.iter().map(ExperimentEvaluation::from_run).collect();
        let sides: Vec<ComparedRunData<'_>> = runs
            .iter()
            .zip(&evaluated)
            .map(|(run, evaluated)| ComparedRunData {
                run,
                data: evaluated.as_ref().map(ExperimentEvaluation::data_set),
            })
            .collect();
        Ok(view::comparison_page(&sides))
    });
    Ok(Json(CompareDocument { page: page.await? }))
}

fn ids(text: &str) -> Result<Vec<RunId>, Problem> {
    let wrong =
        |cause: Message| Problem::invalid_query("runs", cause).with_hint("name two or more runs: runs=ID,ID");
    let mut ids: Vec<RunId> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|w| !w.is_empty()) {
        let no_name = |_| wrong(message!(served_no_run_name { word: format!("{word:?}") }));
        let id = word.parse().map(RunId).map_err(no_name)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    match ids.len() {
        2..=MOST => Ok(ids),
        count => Err(wrong(message!(served_different_runs_named { count, most: MOST }))),
    }
}
