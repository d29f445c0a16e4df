//! `/jobs`: starts, stops and answers measurements.

use crate::jobs::Job;
use crate::problem::Problem;
use crate::route::{ApiRequest, Created, DELETE, GET, Json, NoContent, NoInput, POST, Routes};
use crate::security::AccessLevel::{Operator, Reader};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

const PAGE: &str = "page";

/// A measurement that is to be made.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JobRequest {
    /// The words of a measuring command, without the program's name: `["stream", "10.0.0.2", "--time", "5s"]`.
    #[schemars(length(min = 1, max = 200))]
    line: Vec<String>,
}

/// A job.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct JobPathParams {
    /// The job's name, a UUID.
    #[schemars(with = "String", extend("format" = "uuid"))]
    id: Uuid,
}

/// What somebody says to a question of a job.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PromptAnswer {
    /// The question's name.
    prompt: String,
    /// `done`, or `skip` to go on without it.
    answer: String,
}

pub fn routes() -> Routes {
    Routes::new("jobs")
        .add(POST, "/jobs", Operator, "Make a measurement, in its turn", start)
        .add(GET, "/jobs/{id}", Reader, "How a job stands", show)
        .add(DELETE, "/jobs/{id}", Operator, "Ask a job to end; one that waits will not begin", stop)
        .add(POST, "/jobs/{id}/answer", Operator, "Answer what a job asks", answer)
}

async fn start(call: ApiRequest<NoInput, NoInput, JobRequest>) -> Result<Created<Job>, Problem> {
    let jobs = call.state.jobs.clone();
    let job = call.state.run_blocking(move || jobs.enqueue(call.body.line, PAGE)).await?;
    Ok(Created(format!("/jobs/{}", job.id), job))
}

async fn show(call: ApiRequest<JobPathParams>) -> Result<Json<Job>, Problem> {
    let id = call.path.id.to_string();
    let job = call.state.jobs.get(&id);
    job.map(Json).ok_or_else(|| crate::jobs::job_not_found(&id))
}

async fn stop(call: ApiRequest<JobPathParams>) -> Result<NoContent, Problem> {
    call.state.jobs.stop_job(&call.path.id.to_string()).map(|_| NoContent)
}

async fn answer(call: ApiRequest<JobPathParams, NoInput, PromptAnswer>) -> Result<NoContent, Problem> {
    let PromptAnswer { prompt, answer } = call.body;
    call.state.jobs.answer_prompt(&call.path.id.to_string(), &prompt, &answer).map(|_| NoContent)
}
