//! The list of routes: a new module adds one line to [`routes`].

pub mod compare;
pub mod description;
pub mod forms;
pub mod hosts;
pub mod jobs;
pub mod live;
pub mod metrics;
pub mod now;
pub mod runs;
pub mod schedules;
pub mod session;

use crate::problem::{Kind, Problem};
use crate::route::{PREFIX, Routes};
use crate::security::{Caller, Role, login_needed};
use axum::extract::Request;

pub fn routes() -> Routes {
    session::routes()
        .join(runs::routes())
        .join(compare::routes())
        .join(now::routes())
        .join(jobs::routes())
        .join(live::routes())
        .join(forms::routes())
        .join(hosts::routes())
        .join(schedules::routes())
        .join(metrics::routes())
        .join(description::routes())
}

/// The answer to a wrong method. A stranger learns nothing about paths that are not open to everybody.
pub async fn wrong_method(request: Request) -> Problem {
    let (parts, _) = request.into_parts();
    match Caller::of(&parts).role {
        Role::None if parts.uri.path() != format!("{PREFIX}{}", session::PATH) => login_needed(),
        _ => Problem::new(Kind::Method, format!("{} cannot be done to {}", parts.method, parts.uri.path())),
    }
}

/// The answer below `/api/` without a route. A stranger does not learn that there is none.
pub fn no_route(caller: &Caller, path: &str) -> Problem {
    match caller.role {
        Role::None => login_needed(),
        _ => Problem::not_found(format!("there is no {path}"))
            .try_this("GET /api/v1/openapi.json lists what there is"),
    }
}
