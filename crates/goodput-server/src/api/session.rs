//! `/session`: the caller, login and logout.

use crate::problem::Problem;
use crate::route::{ApiRequest, DELETE, GET, Json, JsonWithCookie, NoInput, POST, Routes};
use crate::security::AccessLevel::{Anybody, Reader};
use crate::security::{Caller, Role, session};
use crate::translate::Localize;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::time::Instant;

const LANGUAGES: [&str; 3] = ["en", "ja", "ru"];

/// Strangers may use this path too.
pub const SESSION_PATH: &str = "/session";

/// Who is asking.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Session {
    /// What he may do.
    pub role: Role,
    /// What must be sent as `X-CSRF-Token` with each change; `null` for a stranger and with a token.
    pub csrf: Option<String>,
    /// The program and its version; `null` for a stranger.
    pub program: Option<String>,
    /// Languages of the page (BCP 47).
    pub languages: Vec<String>,
    /// True when there is something to log in with.
    pub login: bool,
}

/// A password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoginRequest {
    /// As set by `goodput serve password`.
    #[schemars(length(max = 1024))]
    password: String,
}

impl Localize for Session {}

pub fn routes() -> Routes {
    Routes::new("session")
        .add(GET, SESSION_PATH, Anybody, "Who is asking, and what he may do", show)
        .add(POST, SESSION_PATH, Anybody, "Log in with a password", log_in)
        .add(DELETE, SESSION_PATH, Reader, "Log out", log_out)
}

fn session(state: &crate::ServerState, caller: &Caller) -> Session {
    let known = caller.role > Role::None;
    Session {
        role: caller.role,
        csrf: caller.csrf_token().map(str::to_string),
        program: known.then(|| format!("goodput {}", state.door.version())),
        languages: LANGUAGES.map(str::to_string).to_vec(),
        login: !state.security.is_login_disabled(),
    }
}

async fn show(call: ApiRequest) -> Result<Json<Session>, Problem> {
    Ok(Json(session(&call.state, &call.caller)))
}

async fn log_in(
    call: ApiRequest<NoInput, NoInput, LoginRequest>,
) -> Result<JsonWithCookie<Session>, Problem> {
    let client = call.caller.client;
    let (caller, cookie) = call.state.security.log_in(call.body.password, client, Instant::now()).await?;
    Ok(JsonWithCookie {
        document: session(&call.state, &caller),
        cookie: session::cookie_to_header_value(&cookie),
    })
}

async fn log_out(call: ApiRequest) -> Result<JsonWithCookie<Session>, Problem> {
    let cookie = call.state.security.log_out(&call.caller);
    // A caller with a token, or without need of a login, keeps that identity.
    let nobody =
        Caller { role: Role::None, how: crate::security::AuthMethod::Stranger, client: call.caller.client };
    Ok(JsonWithCookie {
        document: session(&call.state, &nobody),
        cookie: session::cookie_to_header_value(&cookie),
    })
}
