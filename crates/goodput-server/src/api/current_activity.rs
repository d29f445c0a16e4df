//! `/now`: current measurements.

use crate::api::runs::RunCard;
use crate::jobs::Job;
use crate::problem::Problem;
use crate::route::{ApiRequest, GET, Json, Routes};
use crate::security::AccessLevel::Reader;
use crate::translate::Localize;
use goodput_store::index::{IndexedRunOutcome, RunFilter};
use goodput_words::Translator;
use schemars::JsonSchema;
use serde::Serialize;

const MOST: u32 = 20;

/// What is under way.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Now")]
pub struct CurrentActivity {
    /// Jobs of this server, in the order in which they were asked for; those that are over for a while.
    jobs: Vec<Job>,
    /// Runs that are being recorded, by whomever.
    running: Vec<RunCard>,
}

impl Localize for CurrentActivity {
    fn localize(&mut self, words: &Translator) {
        self.jobs.localize(words);
        self.running.localize(words);
    }
}

pub fn routes() -> Routes {
    Routes::new("jobs").add(GET, "/now", Reader, "What is under way", now)
}

async fn now(call: ApiRequest) -> Result<Json<CurrentActivity>, Problem> {
    call.state.refresh_index().await?;
    let filter =
        RunFilter { outcomes: vec![IndexedRunOutcome::Running], limit: Some(MOST), ..RunFilter::default() };
    let (running, _) = call.state.index.search_run_page(&filter).await?;
    Ok(Json(CurrentActivity {
        jobs: call.state.jobs.list(),
        running: running.into_iter().map(RunCard::from).collect(),
    }))
}
