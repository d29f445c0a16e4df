//! Answers of handlers, each with status, media type and schema.

use super::schema::{ResponseDescription, SchemaCollector};
use crate::problem::Problem;
use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use schemars::JsonSchema;
use serde::Serialize;
use std::marker::PhantomData;

pub trait ApiResponse: 'static {
    fn describe_response(describer: &mut SchemaCollector) -> ResponseDescription;

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
    pub body: Body,
}

/// 200 with OpenMetrics 1.0 text.
#[derive(Debug)]
pub struct OpenMetricsText(pub String);

impl<T> EventStream<T> {
    pub fn new(stream: impl IntoResponse) -> EventStream<T> {
        EventStream { stream: stream.into_response(), data: PhantomData }
    }
}

impl<T: Serialize + JsonSchema + 'static> ApiResponse for Json<T> {
    fn describe_response(describer: &mut SchemaCollector) -> ResponseDescription {
        ResponseDescription::json(StatusCode::OK, describer.response_schema::<T>())
    }

    fn into_http_response(self) -> Response<Body> {
        document(StatusCode::OK, &self.0)
    }
}

impl<T: Serialize + JsonSchema + 'static> ApiResponse for Created<T> {
    fn describe_response(describer: &mut SchemaCollector) -> ResponseDescription {
        ResponseDescription::json(StatusCode::CREATED, describer.response_schema::<T>())
    }

    fn into_http_response(self) -> Response<Body> {
        let mut response = document(StatusCode::CREATED, &self.1);
        if let Ok(place) = HeaderValue::from_str(&format!("{}{}", super::API_PREFIX, self.0)) {
            response.headers_mut().insert(LOCATION, place);
        }
        response
    }
}

impl ApiResponse for NoContent {
    fn describe_response(_: &mut SchemaCollector) -> ResponseDescription {
        ResponseDescription { status: StatusCode::NO_CONTENT, media: None }
    }

    fn into_http_response(self) -> Response<Body> {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl<T: Serialize + JsonSchema + 'static> ApiResponse for JsonWithCookie<T> {
    fn describe_response(describer: &mut SchemaCollector) -> ResponseDescription {
        ResponseDescription::json(StatusCode::OK, describer.response_schema::<T>())
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
    fn describe_response(describer: &mut SchemaCollector) -> ResponseDescription {
        ResponseDescription {
            status: StatusCode::OK,
            media: Some(("text/event-stream", describer.response_schema::<T>())),
        }
    }

    fn into_http_response(self) -> Response<Body> {
        self.stream
    }
}

impl ApiResponse for FileDownload {
    fn describe_response(_: &mut SchemaCollector) -> ResponseDescription {
        // Any media type: an empty schema (OpenAPI 3.1, section 4.8.14.2).
        ResponseDescription { status: StatusCode::OK, media: Some(("*/*", serde_json::json!({}))) }
    }

    fn into_http_response(self) -> Response<Body> {
        let mut response = Response::new(self.body);
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media));
        // A download may be a page with a script, so browsers must not open it on our origin.
        let disposition = format!("attachment; filename=\"{}\"", self.name);
        let plain = HeaderValue::from_static("attachment");
        headers.insert(CONTENT_DISPOSITION, HeaderValue::from_str(&disposition).unwrap_or(plain));
        response
    }
}

impl ApiResponse for OpenMetricsText {
    fn describe_response(_: &mut SchemaCollector) -> ResponseDescription {
        ResponseDescription {
            status: StatusCode::OK,
            media: Some((OPEN_METRICS, serde_json::json!({ "type": "string" }))),
        }
    }

    fn into_http_response(self) -> Response<Body> {
        ([(CONTENT_TYPE, HeaderValue::from_static(OPEN_METRICS))], self.0).into_response()
    }
}

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

fn document(status: StatusCode, value: &impl Serialize) -> Response<Body> {
    match serde_json::to_vec(value) {
        Ok(bytes) => {
            let mut response = Response::new(Body::from(bytes));
            *response.status_mut() = status;
            response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
            response
        }
        Err(e) => Problem::internal_error("the answer cannot be written as JSON", &e).into_response(),
    }
}
