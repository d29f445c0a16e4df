//! `/schedules`: schedules, their state, and their histories.

use crate::problem::Problem;
use crate::route::{ApiRequest, Created, Json, NoContent, NoInput, Routes};
use crate::schedule::documents::{HistoryDocument, ScheduleDocument, ScheduleList, ScheduleRequest};
use crate::schedule::schedule_request::ScheduleRequestError;
use crate::security::{AccessLevel, Caller, Role};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Deserialize;

/// A schedule.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct SchedulePathParams {
    /// Its identifier, which is its name.
    #[schemars(length(min = 1, max = 64))]
    id: String,
}

pub fn routes() -> Routes {
    Routes::new("schedules")
        .get("/schedules", AccessLevel::Reader, "All schedules and how they stand", list)
        .post("/schedules", AccessLevel::Operator, "Have a line repeated", add)
        .get("/schedules/{id}", AccessLevel::Reader, "A schedule and how it stands", show)
        .put("/schedules/{id}", AccessLevel::Operator, "Change a schedule; its history stays", replace)
        .delete("/schedules/{id}", AccessLevel::Operator, "Take a schedule away; its runs stay", remove)
        .get(
            "/schedules/{id}/history",
            AccessLevel::Reader,
            "The figures of its runs, and where they changed",
            history,
        )
}

/// Only an operator may see the secret in a webhook's address.
fn is_operator(caller: &Caller) -> bool {
    caller.role >= Role::Operator
}

fn unknown(id: &str) -> Problem {
    ScheduleRequestError::Unknown { name: id.to_string() }.into()
}

async fn list(call: ApiRequest) -> Result<Json<ScheduleList>, Problem> {
    let schedules = &call.state.schedules;
    let list = schedules.list(Timestamp::now(), is_operator(&call.caller));
    Ok(Json(ScheduleList { schedules: list, trouble: schedules.storage_error() }))
}

async fn add(
    call: ApiRequest<NoInput, NoInput, ScheduleRequest>,
) -> Result<Created<ScheduleDocument>, Problem> {
    let id = call.body.name.clone();
    let seed = uuid::Uuid::now_v7().as_u64_pair().1;
    call.state.schedules.add(call.body, seed, Timestamp::now()).await?;
    let made = call.state.schedules.find(&id, Timestamp::now(), true).ok_or_else(|| unknown(&id))?;
    Ok(Created(format!("/schedules/{id}"), made))
}

async fn show(call: ApiRequest<SchedulePathParams>) -> Result<Json<ScheduleDocument>, Problem> {
    let found = call.state.schedules.find(&call.path.id, Timestamp::now(), is_operator(&call.caller));
    found.map(Json).ok_or_else(|| unknown(&call.path.id))
}

async fn replace(
    call: ApiRequest<SchedulePathParams, NoInput, ScheduleRequest>,
) -> Result<Json<ScheduleDocument>, Problem> {
    let id = call.path.id;
    call.state.schedules.replace(&id, call.body, Timestamp::now()).await?;
    let found = call.state.schedules.find(&id, Timestamp::now(), true);
    found.map(Json).ok_or_else(|| unknown(&id))
}

async fn remove(call: ApiRequest<SchedulePathParams>) -> Result<NoContent, Problem> {
    call.state.schedules.remove(&call.path.id).await?;
    Ok(NoContent)
}

async fn history(call: ApiRequest<SchedulePathParams>) -> Result<Json<HistoryDocument>, Problem> {
    call.state.refresh_index().await?;
    let id = &call.path.id;
    let found = call.state.schedules.history(id).await;
    let found = found.map_err(|why| {
        Problem::new(crate::problem::ProblemKind::Internal, format!("the runs of {id} cannot be looked up"))
            .with_cause(why)
    })?;
    found.map(Json).ok_or_else(|| unknown(id))
}
