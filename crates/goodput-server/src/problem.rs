//! Errors as problem documents (RFC 9457) with error, cause and hint.

use crate::translate::{Localize, localize_error};
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{Method, Response, StatusCode};
use axum::response::IntoResponse;
use goodput_store::index::IndexError;
use goodput_store::tags::TagError;
use goodput_words::Translator;
use schemars::JsonSchema;
use serde::Serialize;
use std::time::Duration;

/// RFC 9457, section 3.
pub const PROBLEM_MEDIA_TYPE: &str = "application/problem+json";

/// A kind of problem: the stable last part of the document's `type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// Invalid: identifier, parameter or body.
    Request,
    Login,
    /// The wrong role, or a request from another site.
    Forbidden,
    NotFound,
    Method,
    Conflict,
    TooLarge,
    /// The body is not JSON, or not declared as such.
    MediaType,
    /// The request names another host.
    Host,
    /// Parsed, but the command's arguments do not fit together.
    Refused,
    TooMany,
    /// A fault of the server, its disk or a stored run.
    Internal,
    /// Timeout or overload.
    Busy,
}

impl ProblemKind {
    const fn parts(self) -> (StatusCode, &'static str, &'static str) {
        match self {
            ProblemKind::Request => (StatusCode::BAD_REQUEST, "request", "The request cannot be understood"),
            ProblemKind::Login => (StatusCode::UNAUTHORIZED, "login", "A login is needed"),
            ProblemKind::Forbidden => (StatusCode::FORBIDDEN, "forbidden", "Not allowed"),
            ProblemKind::NotFound => (StatusCode::NOT_FOUND, "not-found", "Not found"),
            ProblemKind::Method => (StatusCode::METHOD_NOT_ALLOWED, "method", "Method not allowed"),
            ProblemKind::Conflict => (StatusCode::CONFLICT, "conflict", "Cannot be done now"),
            ProblemKind::TooLarge => (StatusCode::PAYLOAD_TOO_LARGE, "too-large", "The body is too long"),
            ProblemKind::MediaType => {
                (StatusCode::UNSUPPORTED_MEDIA_TYPE, "media-type", "The body must be JSON")
            }
            ProblemKind::Host => (StatusCode::MISDIRECTED_REQUEST, "host", "Another host was meant"),
            ProblemKind::Refused => (StatusCode::UNPROCESSABLE_ENTITY, "refused", "Refused"),
            ProblemKind::TooMany => (StatusCode::TOO_MANY_REQUESTS, "too-many", "Too many requests"),
            ProblemKind::Internal => (StatusCode::INTERNAL_SERVER_ERROR, "internal", "A fault of the server"),
            ProblemKind::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy", "Not now"),
        }
    }

    pub const fn status(self) -> StatusCode {
        self.parts().0
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub error: String,
    pub cause: Option<String>,
    pub hint: Option<String>,
    pub wait: Option<Duration>,
}

/// A problem as it is sent: the members of RFC 9457, and `error`, `cause`, `hint` as the program prints them.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Problem")]
pub struct ProblemDocument {
    /// The kind of problem, `urn:goodput:problem:NAME`.
    #[serde(rename = "type")]
    kind: String,
    /// The kind in words.
    title: String,
    /// The status code of the answer.
    #[schemars(range(min = 400, max = 599))]
    status: u16,
    /// What could not be done, and why, in one line.
    detail: String,
    /// What could not be done.
    error: String,
    /// Why.
    cause: Option<String>,
    /// What to type or do.
    hint: Option<String>,
}

impl Problem {
    pub fn new(kind: ProblemKind, error: impl Into<String>) -> Problem {
        Problem { kind, error: error.into(), cause: None, hint: None, wait: None }
    }

    pub fn with_cause(mut self, cause: impl Into<String>) -> Problem {
        self.cause = Some(cause.into());
        self
    }

    pub fn with_hint(mut self, hint: impl Into<String>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    pub fn with_retry_after(mut self, wait: Duration) -> Problem {
        self.wait = Some(wait);
        self
    }

    pub fn bad_request(error: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::Request, error)
    }

    pub fn invalid_query(parameter: &str, cause: impl Into<String>) -> Problem {
        Problem::bad_request(format!("the query cannot be read, at {parameter}")).with_cause(cause)
    }

    pub fn not_found(error: impl Into<String>) -> Problem {
        Problem::new(ProblemKind::NotFound, error)
    }

    pub fn method_not_allowed(method: &Method, path: &str) -> Problem {
        Problem::new(ProblemKind::Method, format!("{method} is not allowed for {path}"))
    }

    /// Includes all sources of the error.
    pub fn internal_error(what: impl Into<String>, error: &dyn std::error::Error) -> Problem {
        Problem::new(ProblemKind::Internal, what).with_cause(error_chain(error))
    }

    pub fn to_document(&self) -> ProblemDocument {
        let (status, name, title) = self.kind.parts();
        ProblemDocument {
            kind: format!("urn:goodput:problem:{name}"),
            title: title.into(),
            status: status.as_u16(),
            detail: format_with_cause(&self.error, self.cause.as_deref()),
            error: self.error.clone(),
            cause: self.cause.clone(),
            hint: self.hint.clone(),
        }
    }
}

impl Localize for Problem {
    fn localize(&mut self, words: &Translator) {
        localize_error(words, &mut self.error, &mut self.cause, &mut self.hint);
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response<Body> {
        // Strings and a number cannot fail to serialize.
        let body = serde_json::to_vec(&self.to_document()).unwrap_or_default();
        let mut response = (self.kind.status(), [(CONTENT_TYPE, PROBLEM_MEDIA_TYPE)], body).into_response();
        if self.kind == ProblemKind::Login {
            // RFC 9110, section 15.5.2. Browsers show no dialog for this scheme.
            let scheme = HeaderValue::from_static("Bearer realm=\"goodput\"");
            response.headers_mut().insert(WWW_AUTHENTICATE, scheme);
        }
        if let Some(wait) = self.wait {
            let seconds = wait.as_secs() + u64::from(wait.subsec_nanos() > 0);
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds.max(1)));
        }
        response
    }
}

pub(crate) fn format_with_cause(error: &str, cause: Option<&str>) -> String {
    cause.map_or_else(|| error.to_string(), |cause| format!("{error}: {cause}"))
}

/// An error and its sources in one line, without repetitions.
pub fn error_chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(source) = next {
        let words = source.to_string();
        if !text.ends_with(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        next = source.source();
    }
    text
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Problem {
        let words = error.to_string();
        match error {
            IndexError::NoRun { .. } => {
                Problem::not_found(words).with_hint("GET /api/v1/runs lists what there is")
            }
            IndexError::Tags(e @ (TagError::Refused { .. } | TagError::TooMany { .. })) => {
                Problem::bad_request("the tags are not valid").with_cause(e.to_string())
            }
            IndexError::Running { .. } | IndexError::Elsewhere { .. } => {
                Problem::new(ProblemKind::Conflict, words)
            }
            IndexError::BrokenOff => Problem::new(ProblemKind::Busy, "the server is shutting down"),
            other => Problem::internal_error("the index of stored runs cannot be used", &other)
                .with_hint("rebuild the index on the server: goodput store rebuild"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_has_the_members_of_the_standard_and_ours() {
        let problem = Problem::not_found("run X not found").with_cause("b").with_hint("c");
        let value = serde_json::to_value(problem.to_document()).unwrap();
        assert_eq!(
            value,
            serde_json::json!({
                "type": "urn:goodput:problem:not-found", "title": "Not found", "status": 404,
                "detail": "run X not found: b", "error": "run X not found", "cause": "b", "hint": "c",
            })
        );
    }
}
