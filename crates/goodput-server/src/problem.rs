//! Errors as problem documents (RFC 9457) with error, cause and hint.

use crate::translate::{Localize, localize_all};
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{Method, Response, StatusCode};
use axum::response::IntoResponse;
use goodput_store::index::IndexError;
use goodput_store::tags::TagError;
use goodput_words::error_message::foreign_error;
use goodput_words::{ErrorMessage, Message, Translator, message};
use schemars::JsonSchema;
use serde::Serialize;
use std::error::Error;
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

#[derive(Debug, Clone, PartialEq)]
pub struct Problem {
    pub kind: ProblemKind,
    pub error: Message,
    pub cause: Option<Message>,
    pub hint: Option<Message>,
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
    pub fn new(kind: ProblemKind, error: impl Into<Message>) -> Problem {
        Problem { kind, error: error.into(), cause: None, hint: None, wait: None }
    }

    pub fn with_cause(mut self, cause: impl Into<Message>) -> Problem {
        self.cause = Some(cause.into());
        self
    }

    pub fn with_hint(mut self, hint: impl Into<Message>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    pub fn with_retry_after(mut self, wait: Duration) -> Problem {
        self.wait = Some(wait);
        self
    }

    pub fn bad_request(error: impl Into<Message>) -> Problem {
        Problem::new(ProblemKind::Request, error)
    }

    pub fn invalid_query(parameter: &str, cause: impl Into<Message>) -> Problem {
        Problem::bad_request(message!(served_query_cannot_be_read { parameter })).with_cause(cause)
    }

    pub fn not_found(error: impl Into<Message>) -> Problem {
        Problem::new(ProblemKind::NotFound, error)
    }

    pub fn method_not_allowed(method: &Method, path: &str) -> Problem {
        Problem::new(
            ProblemKind::Method,
            message!(served_method_not_for_path { method: method.as_str(), path }),
        )
    }

    /// Includes all sources of the error.
    pub fn internal_error(what: impl Into<Message>, error: &impl ErrorMessage) -> Problem {
        Problem::new(ProblemKind::Internal, what).with_cause(error.message_with_sources())
    }

    /// The same with an error of another crate, whose text is English.
    pub fn foreign_error(what: impl Into<Message>, error: &(dyn Error + 'static)) -> Problem {
        Problem::new(ProblemKind::Internal, what).with_cause(foreign_error(error))
    }

    pub fn to_document(&self) -> ProblemDocument {
        let (status, name, title) = self.kind.parts();
        ProblemDocument {
            kind: format!("urn:goodput:problem:{name}"),
            title: title.into(),
            status: status.as_u16(),
            // Without the colon of a language: it may have been translated.
            detail: match &self.cause {
                Some(cause) => format!("{}: {cause}", self.error),
                None => self.error.to_string(),
            },
            error: self.error.to_string(),
            cause: self.cause.as_ref().map(Message::to_string),
            hint: self.hint.as_ref().map(Message::to_string),
        }
    }
}

impl Localize for Problem {
    fn localize(&mut self, words: &Translator) {
        localize_all(words, [&mut self.error].into_iter().chain(&mut self.cause).chain(&mut self.hint));
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

pub(crate) fn one_line_message(error: Message, cause: Option<Message>) -> Message {
    match cause {
        Some(why) => message!(list_colon { what: error, why }),
        None => error,
    }
}

impl From<IndexError> for Problem {
    fn from(error: IndexError) -> Problem {
        let message = error.message();
        match error {
            IndexError::NoRun { .. } => {
                Problem::not_found(message).with_hint(message!(served_api_lists { path: "/api/v1/runs" }))
            }
            IndexError::Tags(e @ (TagError::Refused { .. } | TagError::TooMany { .. })) => {
                Problem::bad_request("the tags are not valid").with_cause(e.message())
            }
            IndexError::Running { .. } | IndexError::Elsewhere { .. } => {
                Problem::new(ProblemKind::Conflict, message)
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
