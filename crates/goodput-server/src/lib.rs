//! HTTP API, live events, and the page of `goodput serve`.
//!
//! One process serves one store: [`serve`](mod@serve) listens, [`security`] authenticates, [`api`] lists
//! routes, [`page`] has the front end's files. [`route`] derives router and OpenAPI description from the same
//! values. `goodput-analysis` computes results, `goodput-report` formats them, and a [`CommandLineProgram`] supplies what
//! only the program knows.

mod allocator;
pub mod api;
pub mod command_line_program;
mod download;
pub mod forms;
pub mod host_matrix;
pub mod hosts;
pub mod jobs;
pub mod live_events;
pub mod metrics;
pub mod openapi;
pub mod page;
pub mod problem;
pub mod results;
pub mod route;
pub mod schedule;
pub mod security;
pub mod serve;
pub mod server_state;
pub mod shutdown;
pub mod single_file_report;
pub mod translate;

#[cfg(test)]
mod tests;

pub use command_line_program::{CheckedCommand, CommandLineProgram, CommandRefusal};
pub use metrics::otlp_exporter::OtlpExporter;
pub use problem::Problem;
pub use serve::{ListenSettings, ServeError, TlsSettings, serve};
pub use server_state::{ServerSettings, ServerState, StateOpenError};
pub use shutdown::{ShutdownSignal, ShutdownTrigger, shutdown_channel};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::Response;
use axum::middleware::Next;
use axum::response::IntoResponse;
use goodput_model::MessageArg;
use goodput_words::message_argument::quantity_arg;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use translate::Localize;

pub fn build_router(state: ServerState) -> Router {
    let routes = api::routes();
    let router =
        routes.into_router().fallback(page::serve_page).method_not_allowed_fallback(api::method_not_allowed);
    router.layer(axum::middleware::from_fn_with_state(state.clone(), gate)).with_state(state)
}

/// Admits or refuses a request, and sets headers of every answer.
async fn gate(State(state): State<ServerState>, mut request: Request, next: Next) -> Response<Body> {
    let is_api = request.uri().path().starts_with("/api/");
    let mut response = match security::authenticate_request(&state.security, &mut request, Instant::now()) {
        Ok(()) => next.run(request).await,
        Err(problem) => problem.localized(translate::requested_translator(request.headers())).into_response(),
    };
    security::headers::set_security_headers(response.headers_mut(), is_api);
    response
}

fn seconds_arg(seconds: f64) -> MessageArg {
    quantity_arg(seconds, "s", format!("{seconds} s"))
}

/// Every change is complete before the lock is released, so a panic leaves valid data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
