//! Routes with their description: one value makes both the router and the OpenAPI document.
//!
//! A handler is an async function from a [`Call`] to a [`Reply`] or a [`Problem`](crate::Problem). Its types
//! define path, query, body and answer, and each route names its permitted callers:
//!
//! ```text
//! Routes::new("jobs")
//!     .post("/jobs", Who::Operator, "Start a measurement", start)
//! async fn start(call: Call<Nothing, Nothing, NewJob>) -> Result<Created<Job>, Problem> { … }
//! ```

mod call;
mod describe;
mod reply;
mod schema;

pub use call::{Call, Input, Nothing};
pub use describe::Operation;
pub use reply::{Created, DocumentWithCookie, Events, File, Json, NoContent, Reply, Text};
pub use schema::{Answer, Describer};

use crate::problem::Problem;
use crate::security::AccessLevel;
use crate::state::State;
use axum::Router;
use axum::extract::Request;
use axum::http::Method;
use axum::response::IntoResponse;
use axum::routing::{MethodFilter, MethodRouter, on};

pub const PREFIX: &str = "/api/v1";

pub struct Routes {
    tag: &'static str,
    entries: Vec<Entry>,
}

struct Entry {
    handler: MethodRouter<State>,
    operation: Operation,
}

impl Routes {
    pub fn new(tag: &'static str) -> Routes {
        Routes { tag, entries: Vec::new() }
    }

    pub fn get<P: Input, Q: Input, A: Reply, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(Call<P, Q>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::GET, MethodFilter::GET), path, who, summary, handler)
    }

    pub fn post<P: Input, Q: Input, B: Input, A: Reply, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(Call<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::POST, MethodFilter::POST), path, who, summary, handler)
    }

    pub fn put<P: Input, Q: Input, B: Input, A: Reply, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(Call<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::PUT, MethodFilter::PUT), path, who, summary, handler)
    }

    pub fn delete<P: Input, Q: Input, A: Reply, F, Fut>(
        self,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(Call<P, Q>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        self.add((Method::DELETE, MethodFilter::DELETE), path, who, summary, handler)
    }

    fn add<P: Input, Q: Input, B: Input, A: Reply, F, Fut>(
        mut self,
        (method, filter): (Method, MethodFilter),
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        handler: F,
    ) -> Routes
    where
        F: Fn(Call<P, Q, B>) -> Fut + Clone + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Problem>> + Send,
    {
        let answer = move |axum::extract::State(state): axum::extract::State<State>, request: Request| {
            let handler = handler.clone();
            async move {
                let answered = match Call::read(state, who, request).await {
                    Ok(call) => handler(call).await,
                    Err(problem) => Err(problem),
                };
                answered.map_or_else(IntoResponse::into_response, Reply::into_answer)
            }
        };
        let operation = Operation::of::<P, Q, B, A>(method, path, who, summary, self.tag);
        self.entries.push(Entry { handler: on(filter, answer), operation });
        self
    }

    pub fn join(mut self, other: Routes) -> Routes {
        self.entries.extend(other.entries);
        self
    }

    pub fn operations(&self) -> impl Iterator<Item = &Operation> {
        self.entries.iter().map(|entry| &entry.operation)
    }

    pub fn into_router(self) -> Router<State> {
        self.entries.into_iter().fold(Router::new(), |router, entry| {
            router.route(&format!("{PREFIX}{}", entry.operation.path), entry.handler)
        })
    }
}
