//! `/schedules`: schedules, their state, and their histories.

use crate::problem::{Problem, ProblemKind};
use crate::route::{ApiRequest, Created, DELETE, GET, Json, NoContent, NoInput, POST, PUT, Routes};
use crate::schedule::api_documents::{HistoryDocument, ScheduleDocument, ScheduleList, ScheduleRequest};
use crate::schedule::schedule_request::ScheduleRequestError;
use crate::security::AccessLevel::{Operator, Reader};
use crate::security::{Caller, Role};
use crate::server_state::ServerState;
use goodput_report::display_text::DisplayText;
use goodput_words::message;
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
        .add(GET, "/schedules", Reader, "All schedules and how they stand", list)
        .add(POST, "/schedules", Operator, "Have a line repeated", add)
        .add(GET, "/schedules/{id}", Reader, "A schedule and how it stands", show)
        .add(PUT, "/schedules/{id}", Operator, "Change a schedule; its history stays", replace)
        .add(DELETE, "/schedules/{id}", Operator, "Take a schedule away; its runs stay", remove)
        .add(
            GET,
            "/schedules/{id}/history",
            Reader,
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

fn find(state: &ServerState, id: &str, operator: bool) -> Result<ScheduleDocument, Problem> {
    state.schedules.find_schedule_document(id, Timestamp::now(), operator).ok_or_else(|| unknown(id))
}

async fn list(call: ApiRequest) -> Result<Json<ScheduleList>, Problem> {
    let schedules = &call.state.schedules;
    let list = schedules.list_schedule_documents(Timestamp::now(), is_operator(&call.caller));
    let trouble = schedules.last_storage_error().map(DisplayText::from);
    Ok(Json(ScheduleList { schedules: list, trouble }))
}

async fn add(
    call: ApiRequest<NoInput, NoInput, ScheduleRequest>,
) -> Result<Created<ScheduleDocument>, Problem> {
    let id = call.body.name.clone();
    let seed = uuid::Uuid::now_v7().as_u64_pair().1;
    call.state.schedules.add_schedule(call.body, seed, Timestamp::now()).await?;
    Ok(Created(format!("/schedules/{id}"), find(&call.state, &id, true)?))
}

async fn show(call: ApiRequest<SchedulePathParams>) -> Result<Json<ScheduleDocument>, Problem> {
    find(&call.state, &call.path.id, is_operator(&call.caller)).map(Json)
}

async fn replace(
    call: ApiRequest<SchedulePathParams, NoInput, ScheduleRequest>,
) -> Result<Json<ScheduleDocument>, Problem> {
    call.state.schedules.replace_schedule(&call.path.id, call.body, Timestamp::now()).await?;
    find(&call.state, &call.path.id, true).map(Json)
}

async fn remove(call: ApiRequest<SchedulePathParams>) -> Result<NoContent, Problem> {
    call.state.schedules.remove_schedule(&call.path.id).await?;
    Ok(NoContent)
}

async fn history(call: ApiRequest<SchedulePathParams>) -> Result<Json<HistoryDocument>, Problem> {
    call.state.refresh_index().await?;
    let id = &call.path.id;
    let found = call.state.schedules.run_history_document(id).await;
    let found = found.map_err(|why| {
        Problem::new(ProblemKind::Internal, message!(served_schedule_runs_unreadable { name: id }))
            .with_cause(why)
    })?;
    found.map(Json).ok_or_else(|| unknown(id))
}
