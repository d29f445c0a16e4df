//! A handler's argument: caller and typed request. An invalid one is refused with the invalid part named.

use crate::problem::{Problem, ProblemKind};
use crate::seconds_arg;
use crate::security::{AccessLevel, Caller};
use crate::server_state::ServerState;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use goodput_words::{Message, message};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::any::TypeId;
use std::time::Duration;

pub const MAX_BODY_BYTES: usize = 256 << 10;
const BODY_TIME: Duration = Duration::from_secs(10);

/// No parameters, or no body.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NoInput {}

/// A type that can be parsed from path, query or body, and described.
pub trait RequestInput: DeserializeOwned + JsonSchema + Send + 'static {
    fn expects_input() -> bool {
        TypeId::of::<Self>() != TypeId::of::<NoInput>()
    }
}

impl<T: DeserializeOwned + JsonSchema + Send + 'static> RequestInput for T {}

#[derive(Debug)]
pub struct ApiRequest<P = NoInput, Q = NoInput, B = NoInput> {
    pub state: ServerState,
    pub caller: Caller,
    pub path: P,
    pub query: Q,
    pub body: B,
}

impl<P: RequestInput, Q: RequestInput, B: RequestInput> ApiRequest<P, Q, B> {
    /// Authorizes the caller before parsing anything.
    pub(super) async fn from_request(
        state: ServerState,
        who: AccessLevel,
        request: Request,
    ) -> Result<Self, Problem> {
        let (mut parts, body) = request.into_parts();
        let caller = Caller::from_parts(&parts);
        caller.check_access(who, &parts)?;
        let path = path(&mut parts).await?;
        // As in a form (WHATWG URL, section 5).
        let query = form(parts.uri.query().unwrap_or(""), message!(part_served_query))?;
        let body = read_body(&parts, body).await?;
        Ok(ApiRequest { state, caller, path, query, body })
    }
}

async fn path<P: RequestInput>(parts: &mut Parts) -> Result<P, Problem> {
    if !P::expects_input() {
        return form("", message!(part_served_path));
    }
    let raw = RawPathParams::from_request_parts(parts, &())
        .await
        .map_err(|e| unreadable(message!(part_served_path)).with_cause(e.to_string()))?;
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    pairs.extend_pairs(raw.iter());
    form(&pairs.finish(), message!(part_served_path))
}

fn unreadable(place: Message) -> Problem {
    Problem::bad_request(message!(served_cannot_be_read { place }))
}

fn form<T: RequestInput>(text: &str, place: Message) -> Result<T, Problem> {
    let pairs = serde_html_form::Deserializer::new(form_urlencoded::parse(text.as_bytes()));
    serde_path_to_error::deserialize(pairs)
        .map_err(|e| wrong::<T>(place, e.path().to_string(), &e.into_inner()))
}

async fn read_body<B: RequestInput>(parts: &Parts, body: Body) -> Result<B, Problem> {
    if !B::expects_input() {
        return serde_json::from_str("{}").map_err(|e| Problem::foreign_error("no body could be read", &e));
    }
    let media = parts.headers.get(CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or("");
    let essence = media.split(';').next().unwrap_or("").trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Problem::new(ProblemKind::MediaType, "the body is not JSON")
            .with_cause(message!(served_content_type_is { media: format!("{media:?}") }))
            .with_hint("send JSON with Content-Type: application/json"));
    }
    let bytes = received(body, BODY_TIME).await?;
    // serde would also accept an array of the fields' values.
    if bytes.trim_ascii_start().first() != Some(&b'{') {
        return Err(unreadable(message!(part_served_body)).with_cause("it is no JSON object"));
    }
    let mut json = serde_json::Deserializer::from_slice(&bytes);
    let value = serde_path_to_error::deserialize(&mut json)
        .map_err(|e| wrong::<B>(message!(part_served_body), e.path().to_string(), &e.into_inner()))?;
    json.end().map_err(|e| wrong::<B>(message!(part_served_body), ".".into(), &e))?;
    Ok(value)
}

async fn received(body: Body, within: Duration) -> Result<Bytes, Problem> {
    let whole = tokio::time::timeout(within, axum::body::to_bytes(body, MAX_BODY_BYTES)).await;
    match whole {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(e)) if too_long(&e) => {
            Err(Problem::new(ProblemKind::TooLarge, "the request body is too large")
                .with_cause(message!(served_at_most_bytes { bytes: MAX_BODY_BYTES.to_string() })))
        }
        Ok(Err(e)) => Err(Problem::bad_request("the body did not arrive whole").with_cause(e.to_string())),
        Err(_) => {
            let time = seconds_arg(within.as_secs() as f64);
            Err(Problem::bad_request("the body did not arrive in time")
                .with_cause(message!(served_body_had { time })))
        }
    }
}

/// axum wraps the error of the limit.
fn too_long(error: &axum::Error) -> bool {
    let mut next = std::error::Error::source(error);
    while let Some(source) = next {
        if source.is::<http_body_util::LengthLimitError>() {
            return true;
        }
        next = source.source();
    }
    false
}

/// Names the place, the reason, and the accepted values.
fn wrong<T: RequestInput>(place: Message, at: String, error: &dyn std::error::Error) -> Problem {
    let names = super::schema::schema_field_names::<T>();
    let problem = match at.as_str() {
        "." | "" => unreadable(place),
        at => Problem::bad_request(message!(served_cannot_be_read_at { place, at })),
    };
    let problem = problem.with_cause(error.to_string());
    if names.is_empty() { problem } else { problem.with_hint(message!(served_known_there { names })) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::{StreamExt, stream};

    #[tokio::test]
    async fn a_body_that_does_not_end_or_is_too_long_is_given_up() {
        let part = || Ok::<_, std::io::Error>(Bytes::from_static(b"{"));
        let (short, long) = (Duration::from_millis(50), Duration::from_secs(60));
        let silent = stream::iter([part()]).chain(stream::pending());
        assert!(received(Body::from_stream(silent), short).await.is_err());
        let endless = stream::repeat_with(part);
        assert!(received(Body::from_stream(endless), long).await.is_err());
        assert_eq!(received(Body::from("{}"), long).await.unwrap(), "{}");
    }
}
