//! HTTP API, live events, the page.
//!
//! One process serves one store. [`serve`](mod@serve) listens, [`security`] says who asks and refuses strangers before
//! anything else is looked at, [`api`] is the list of routes, [`page`] the files of the front end within the program.
//! What is asked and answered is described once, in Rust types: [`route`] makes the router and the OpenAPI description
//! of the same values, so that neither can say what the other does not do.
//!
//! No arithmetic on results is done here: that is `goodput-analysis`, and how they look is `goodput-report`. What only
//! the program knows (its own arguments, where it lies) it hands in as a [`Door`].

pub mod api;
pub mod door;
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
pub mod results;
pub mod route;
pub mod schedule;
pub mod security;
pub mod serve;
pub mod spoken;
pub mod state;
pub mod stop;

pub use door::{Door, Refusal};
pub use metrics::push::Otlp;
pub use problem::Problem;
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

/// Everything that is served, behind the guard of [`security`].
pub fn router(state: State) -> Router {
    let routes = api::routes();
    let router = routes.into_router().fallback(page::serve).method_not_allowed_fallback(api::wrong_method);
    router.layer(axum::middleware::from_fn_with_state(state.clone(), gate)).with_state(state)
}

/// Lets a request through, or answers it; and sees to the headers of every answer.
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
