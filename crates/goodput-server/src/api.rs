//! The list of routes: a new module adds one line to [`routes`].

pub mod compare;
pub mod current_activity;
pub mod forms;
pub mod hosts;
pub mod jobs;
pub mod live_events;
pub mod metrics;
pub mod openapi_document;
pub mod runs;
pub mod schedules;
pub mod session;

use crate::problem::Problem;
use crate::route::{API_PREFIX, Routes};
use crate::security::{Caller, Role, login_required_error};
use crate::translate::{self, Localize};
use axum::extract::Request;
use goodput_words::message;

pub fn routes() -> Routes {
    session::routes()
        .merge(runs::routes())
        .merge(compare::routes())
        .merge(current_activity::routes())
        .merge(jobs::routes())
        .merge(live_events::routes())
        .merge(forms::routes())
        .merge(hosts::routes())
        .merge(schedules::routes())
        .merge(metrics::routes())
        .merge(openapi_document::routes())
}

/// The answer to a wrong method. A stranger learns nothing about paths that are not open to everybody.
pub async fn method_not_allowed(request: Request) -> Problem {
    let (parts, _) = request.into_parts();
    let problem = match Caller::from_parts(&parts).role {
        Role::None if parts.uri.path() != format!("{API_PREFIX}{}", session::SESSION_PATH) => {
            login_required_error()
        }
        _ => Problem::method_not_allowed(&parts.method, parts.uri.path()),
    };
    problem.localized(translate::requested_translator(&parts.headers))
}

/// The answer below `/api/` without a route. A stranger does not learn that there is none.
pub fn route_not_found(caller: &Caller, path: &str) -> Problem {
    match caller.role {
        Role::None => login_required_error(),
        _ => Problem::not_found(message!(served_no_path { path }))
            .with_hint(message!(served_api_lists { path: "/api/v1/openapi.json" })),
    }
}
