//! Answers of handlers, each with status, media type and schema.

use crate::problem::Problem;
use crate::translate::Localize;
use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use goodput_words::Translator;
use schemars::{JsonSchema, SchemaGenerator};
use serde::Serialize;
use serde_json::{Value, json};
use std::marker::PhantomData;

pub trait ApiResponse: Localize + 'static {
    const STATUS: StatusCode = StatusCode::OK;

    /// `None` without a body.
    fn content_type_and_schema(schemas: &mut SchemaGenerator) -> Option<(&'static str, Value)>;

    fn into_http_response(self) -> Response<Body>;
}

/// 200 with a JSON document.
#[derive(Debug)]
pub struct Json<T>(pub T);

/// 201 with the new object and its path below the API.
#[derive(Debug)]
pub struct Created<T>(pub String, pub T);

/// 204 without a body.
#[derive(Debug)]
pub struct NoContent;

/// 200 with a document, and a cookie that is set or removed.
#[derive(Debug)]
pub struct JsonWithCookie<T> {
    pub document: T,
    /// `Set-Cookie`; `None` leaves cookies unchanged.
    pub cookie: Option<HeaderValue>,
}

/// 200 with server-sent events (WHATWG HTML, section 9.2) with JSON data.
#[derive(Debug)]
pub struct EventStream<T> {
    stream: Response<Body>,
    data: PhantomData<fn() -> T>,
}

#[derive(Debug)]
pub struct FileDownload {
    /// Letters, digits, `.`, `-` and `_`.
    pub name: String,
    pub media: &'static str,
    pub bytes: Vec<u8>,
}

/// 200 with OpenMetrics 1.0 text.
#[derive(Debug)]
pub struct OpenMetricsText(pub String);

impl<T> EventStream<T> {
    pub fn new(stream: impl IntoResponse) -> EventStream<T> {
        EventStream { stream: stream.into_response(), data: PhantomData }
    }
}

impl<T: Localize> Localize for Json<T> {
    fn localize(&mut self, words: &Translator) {
        self.0.localize(words);
    }
}

impl<T: Localize> Localize for Created<T> {
    fn localize(&mut self, words: &Translator) {
        self.1.localize(words);
    }
}

impl<T: Localize> Localize for JsonWithCookie<T> {
    fn localize(&mut self, words: &Translator) {
        self.document.localize(words);
    }
}

impl Localize for NoContent {}
/// Its messages are translated one by one.
impl<T> Localize for EventStream<T> {}
/// A file's language is a parameter of its route.
impl Localize for FileDownload {}
impl Localize for OpenMetricsText {}

impl<T: Serialize + JsonSchema + Localize + 'static> ApiResponse for Json<T> {
    fn content_type_and_schema(schemas: &mut SchemaGenerator) -> Option<(&'static str, Value)> {
        Some((JSON, schemas.subschema_for::<T>().to_value()))
    }

    fn into_http_response(self) -> Response<Body> {
        document(StatusCode::OK, &self.0)
    }
}

impl<T: Serialize + JsonSchema + Localize + 'static> ApiResponse for Created<T> {
    const STATUS: StatusCode = StatusCode::CREATED;

    fn content_type_and_schema(schemas: &mut SchemaGenerator) -> Option<(&'static str, Value)> {
        Json::<T>::content_type_and_schema(schemas)
    }

    fn into_http_response(self) -> Response<Body> {
        let place = format!("{}{}", super::API_PREFIX, self.0);
        ([(LOCATION, place)], document(Self::STATUS, &self.1)).into_response()
    }
}

impl ApiResponse for NoContent {
    const STATUS: StatusCode = StatusCode::NO_CONTENT;

    fn content_type_and_schema(_: &mut SchemaGenerator) -> Option<(&'static str, Value)> {
        None
    }

    fn into_http_response(self) -> Response<Body> {
        Self::STATUS.into_response()
    }
}

impl<T: Serialize + JsonSchema + Localize + 'static> ApiResponse for JsonWithCookie<T> {
    fn content_type_and_schema(schemas: &mut SchemaGenerator) -> Option<(&'static str, Value)> {
        Json::<T>::content_type_and_schema(schemas)
    }

    fn into_http_response(self) -> Response<Body> {
        let mut response = document(StatusCode::OK, &self.document);
        if let Some(cookie) = self.cookie {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

impl<T: Serialize + JsonSchema + 'static> ApiResponse for EventStream<T> {
    fn content_type_and_schema(schemas: &mut SchemaGenerator) -> Option<(&'static str, Value)> {
        Some(("text/event-stream", schemas.subschema_for::<T>().to_value()))
    }

    fn into_http_response(self) -> Response<Body> {
        self.stream
    }
}

impl ApiResponse for FileDownload {
    /// Any media type: an empty schema (OpenAPI 3.1, section 4.8.14.2).
    fn content_type_and_schema(_: &mut SchemaGenerator) -> Option<(&'static str, Value)> {
        Some(("*/*", json!({})))
    }

    fn into_http_response(self) -> Response<Body> {
        // A download may be a page with a script, so browsers must not open it on our origin.
        let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{}\"", self.name))
            .unwrap_or(HeaderValue::from_static("attachment"));
        let media = HeaderValue::from_static(self.media);
        ([(CONTENT_TYPE, media), (CONTENT_DISPOSITION, disposition)], self.bytes).into_response()
    }
}

impl ApiResponse for OpenMetricsText {
    fn content_type_and_schema(_: &mut SchemaGenerator) -> Option<(&'static str, Value)> {
        Some((OPEN_METRICS, json!({ "type": "string" })))
    }

    fn into_http_response(self) -> Response<Body> {
        ([(CONTENT_TYPE, OPEN_METRICS)], self.0).into_response()
    }
}

const JSON: &str = "application/json";
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

fn document(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    match serde_json::to_vec(value) {
        Ok(bytes) => (status, [(CONTENT_TYPE, JSON)], bytes).into_response(),
        Err(e) => Problem::foreign_error("the answer cannot be written as JSON", &e).into_response(),
    }
}
