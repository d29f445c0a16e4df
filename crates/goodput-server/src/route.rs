//! Routes with their description: one value makes both the router and the OpenAPI document.
//!
//! A handler is an async function from an [`ApiRequest`] to an [`ApiResponse`] or a [`Problem`](crate::Problem). Its
//! types define path, query, body and answer, and each route names its permitted callers. Answers and problems are in the
//! language of `Accept-Language`, English without it:
//!
//! ```text
//! Routes::new("jobs")
//!     .add(POST, "/jobs", Operator, "Start a measurement", start)
//! async fn start(call: ApiRequest<NoInput, NoInput, JobRequest>) -> Result<Created<Job>, Problem> { … }
//! ```

mod call;
mod describe;
mod reply;
mod schema;

pub use call::{ApiRequest, NoInput, RequestInput};
pub use describe::Operation;
pub use reply::{
    ApiResponse, Created, EventStream, FileDownload, Json, JsonWithCookie, NoContent, OpenMetricsText,
};
pub use schema::response_schemas;

use crate::problem::Problem;
use crate::security::AccessLevel;
use crate::server_state::ServerState;
use crate::translate::{self, Localize};
use axum::Router;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};

pub const API_PREFIX: &str = "/api/v1";

type RouteMethod = (Method, MethodFilter);

pub const GET: RouteMethod = (Method::GET, MethodFilter::GET);
pub const POST: RouteMethod = (Method::POST, MethodFilter::POST);
pub const PUT: RouteMethod = (Method::PUT, MethodFilter::PUT);
pub const DELETE: RouteMethod = (Method::DELETE, MethodFilter::DELETE);

pub struct Routes {
    tag: &'static str,
    entries: Vec<(Operation, MethodRouter<ServerState>)>,
}

impl Routes {
    pub fn new(tag: &'static str) -> Routes {
        Routes { tag, entries: Vec::new() }
    }

    pub fn add<P: RequestInput, Q: RequestInput, B: RequestInput, A: ApiResponse, F, Fut>(
        mut self,
        (method, filter): RouteMethod,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(ApiRequest<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        let answer = move |State(state): State<ServerState>, request: Request| {
            let handler = handler.clone();
            let words = translate::requested_translator(request.headers());
            async move {
                let answered = match ApiRequest::from_request(state, who, request).await {
                    Ok(call) => handler(call).await,
                    Err(problem) => Err(problem),
                };
                answered.map_or_else(
                    |problem| problem.localized(words).into_response(),
                    |answer| answer.localized(words).into_http_response(),
                )
            }
        };
        let operation = Operation::new::<P, Q, B, A>(method, path, who, summary, self.tag);
        self.entries.push((operation, on(filter, answer)));
        self
    }

    pub fn merge(mut self, other: Routes) -> Routes {
        self.entries.extend(other.entries);
        self
    }

    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.entries.iter().map(|(operation, _)| operation)
    }

    pub fn into_router(self) -> Router<ServerState> {
        self.entries.into_iter().fold(Router::new(), |router, (operation, handler)| {
            router.route(&format!("{API_PREFIX}{}", operation.path), handler)
        })
    }
}
