//! Answers of handlers, each with status, media type and schema.

use super::schema::{Answer, Describer};
use crate::problem::Problem;
use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, LOCATION, SET_COOKIE};
use axum::http::{HeaderValue, Response, StatusCode};
use axum::response::IntoResponse;
use schemars::JsonSchema;
use serde::Serialize;
use std::marker::PhantomData;

pub trait Reply: 'static {
    fn describe(describer: &mut Describer) -> Answer;

    fn into_answer(self) -> Response<Body>;
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
pub struct DocumentWithCookie<T> {
    pub document: T,
    /// `Set-Cookie`; `None` leaves cookies unchanged.
    pub cookie: Option<HeaderValue>,
}

/// 200 with server-sent events (WHATWG HTML, section 9.2) with JSON data.
#[derive(Debug)]
pub struct Events<T> {
    stream: Response<Body>,
    data: PhantomData<fn() -> T>,
}

#[derive(Debug)]
pub struct File {
    /// Letters, digits, `.`, `-` and `_`.
    pub name: String,
    pub media: &'static str,
    pub body: Body,
}

/// 200 with OpenMetrics 1.0 text.
#[derive(Debug)]
pub struct Text(pub String);

impl<T> Events<T> {
    pub fn of(stream: impl IntoResponse) -> Events<T> {
        Events { stream: stream.into_response(), data: PhantomData }
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for Json<T> {
    fn describe(describer: &mut Describer) -> Answer {
        Answer::document(StatusCode::OK, describer.answer::<T>())
    }

    fn into_answer(self) -> Response<Body> {
        document(StatusCode::OK, &self.0)
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for Created<T> {
    fn describe(describer: &mut Describer) -> Answer {
        Answer::document(StatusCode::CREATED, describer.answer::<T>())
    }

    fn into_answer(self) -> Response<Body> {
        let mut response = document(StatusCode::CREATED, &self.1);
        if let Ok(place) = HeaderValue::from_str(&format!("{}{}", super::PREFIX, self.0)) {
            response.headers_mut().insert(LOCATION, place);
        }
        response
    }
}

impl Reply for NoContent {
    fn describe(_: &mut Describer) -> Answer {
        Answer { status: StatusCode::NO_CONTENT, media: None }
    }

    fn into_answer(self) -> Response<Body> {
        StatusCode::NO_CONTENT.into_response()
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for DocumentWithCookie<T> {
    fn describe(describer: &mut Describer) -> Answer {
        Answer::document(StatusCode::OK, describer.answer::<T>())
    }

    fn into_answer(self) -> Response<Body> {
        let mut response = document(StatusCode::OK, &self.document);
        if let Some(cookie) = self.cookie {
            response.headers_mut().insert(SET_COOKIE, cookie);
        }
        response
    }
}

impl<T: Serialize + JsonSchema + 'static> Reply for Events<T> {
    fn describe(describer: &mut Describer) -> Answer {
        Answer { status: StatusCode::OK, media: Some(("text/event-stream", describer.answer::<T>())) }
    }

    fn into_answer(self) -> Response<Body> {
        self.stream
    }
}

impl Reply for File {
    fn describe(_: &mut Describer) -> Answer {
        // Any media type: an empty schema (OpenAPI 3.1, section 4.8.14.2).
        Answer { status: StatusCode::OK, media: Some(("*/*", serde_json::json!({}))) }
    }

    fn into_answer(self) -> Response<Body> {
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

impl Reply for Text {
    fn describe(_: &mut Describer) -> Answer {
        Answer {
            status: StatusCode::OK,
            media: Some((OPEN_METRICS, serde_json::json!({ "type": "string" }))),
        }
    }

    fn into_answer(self) -> Response<Body> {
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
        Err(e) => Problem::internal("the answer cannot be written as JSON", &e).into_response(),
    }
}
