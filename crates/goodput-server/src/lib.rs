//! HTTP API, live events, and the page of `goodput serve`.
//!
//! One process serves one store: [`serve`](mod@serve) listens, [`security`] authenticates, [`api`] lists
//! routes, [`page`] has the front end's files. [`route`] derives router and OpenAPI description from the same
//! values. `goodput-analysis` computes results, `goodput-report` formats them, and a [`ProgramInterface`] supplies what
//! only the program knows.

pub mod api;
mod download;
pub mod forms;
pub mod hosts;
pub mod jobs;
pub mod live;
pub mod matrix;
mod memory;
pub mod metrics;
pub mod one_file;
pub mod openapi;
pub mod page;
pub mod problem;
pub mod program_interface;
pub mod results;
pub mod route;
pub mod schedule;
pub mod security;
pub mod serve;
pub mod state;
pub mod stop;
pub mod translate;

#[cfg(test)]
mod tests;

pub use metrics::push::Otlp;
pub use problem::Problem;
pub use program_interface::{ProgramInterface, Refusal};
pub use serve::{Listen, ServeError, Tls, serve};
pub use state::{OpenError, Settings, State};
pub use stop::{Stop, Stopped, stop};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::http::Response;
use axum::middleware::Next;
use axum::response::IntoResponse;
use std::time::Instant;

pub fn router(state: State) -> Router {
    let routes = api::routes();
    let router = routes.into_router().fallback(page::serve).method_not_allowed_fallback(api::wrong_method);
    router.layer(axum::middleware::from_fn_with_state(state.clone(), gate)).with_state(state)
}

/// Admits or refuses a request, and sets headers of every answer.
async fn gate(
    axum::extract::State(state): axum::extract::State<State>,
    mut request: Request,
    next: Next,
) -> Response<Body> {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match security::admit(&state.security, &mut request, Instant::now()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.into_response(),
    };
    security::headers::set(response.headers_mut(), is_api);
    response
}
