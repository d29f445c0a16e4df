//! Routes with their description: one value makes both the router and the OpenAPI document.
//!
//! A handler is an async function from a [`Call`] to a [`Reply`] or a [`Problem`](crate::Problem). Its types
//! define path, query, body and answer, and each route names its permitted callers:
//!
//! ```text
//! Routes::new("jobs")
//!     .post("/jobs", Who::Operator, "Start a measurement", start)
//! async fn start(call: Call<Nothing, Nothing, JobRequest>) -> Result<Created<Job>, Problem> { … }
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
pub use schema::{ResponseDescription, SchemaCollector};

use crate::problem::Problem;
use crate::security::AccessLevel;
use crate::state::ServerState;
use axum::Router;
use axum::extract::Request;
use axum::http::Method;
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};

pub const API_PREFIX: &str = "/api/v1";

pub struct Routes {
    tag: &'static str,
    entries: Vec<Entry>,
}

struct Entry {
    handler: MethodRouter<ServerState>,
    operation: Operation,
}

impl Routes {
    pub fn new(tag: &'static str) -> Routes {
        Routes { tag, entries: Vec::new() }
    }

    pub fn get<P: RequestInput, Q: RequestInput, A: ApiResponse, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(ApiRequest<P, Q>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::GET, MethodFilter::GET), path, who, summary, handler)
    }

    pub fn post<P: RequestInput, Q: RequestInput, B: RequestInput, A: ApiResponse, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(ApiRequest<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::POST, MethodFilter::POST), path, who, summary, handler)
    }

    pub fn put<P: RequestInput, Q: RequestInput, B: RequestInput, A: ApiResponse, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(ApiRequest<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::PUT, MethodFilter::PUT), path, who, summary, handler)
    }

    pub fn delete<P: RequestInput, Q: RequestInput, A: ApiResponse, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(ApiRequest<P, Q>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::DELETE, MethodFilter::DELETE), path, who, summary, handler)
    }

    fn add<P: RequestInput, Q: RequestInput, B: RequestInput, A: ApiResponse, F, Fut>(
        mut self,
        (method, filter): (Method, MethodFilter),
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(ApiRequest<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        let answer = move |axum::extract::State(state): axum::extract::State<ServerState>,
                           request: Request| {
            let handler = handler.clone();
            async move {
                let answered = match ApiRequest::from_request(state, who, request).await {
                    Ok(call) => handler(call).await,
                    Err(problem) => Err(problem),
                };
                answered.map_or_else(IntoResponse::into_response, ApiResponse::into_http_response)
            }
        };
        let operation = Operation::new::<P, Q, B, A>(method, path, who, summary, self.tag);
        self.entries.push(Entry { handler: on(filter, answer), operation });
        self
    }

    pub fn merge(mut self, other: Routes) -> Routes {
        self.entries.extend(other.entries);
        self
    }

    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.entries.iter().map(|entry| &entry.operation)
    }

    pub fn into_router(self) -> Router<ServerState> {
        self.entries.into_iter().fold(Router::new(), |router, entry| {
            router.route(&format!("{API_PREFIX}{}", entry.operation.path), entry.handler)
        })
    }
}
