//! JSON schemas of requests and answers.

use crate::problem::ProblemDocument;
use axum::http::StatusCode;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

pub struct SchemaCollector {
    answers: SchemaGenerator,
}

#[derive(Debug)]
pub struct ResponseDescription {
    pub status: StatusCode,
    pub media: Option<(&'static str, Value)>,
}

impl ResponseDescription {
    pub(super) fn json(status: StatusCode, schema: Value) -> ResponseDescription {
        ResponseDescription { status, media: Some(("application/json", schema)) }
    }
}

impl SchemaCollector {
    pub fn new() -> SchemaCollector {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|s| {
            s.definitions_path = "/components/schemas".into();
            s.meta_schema = None;
        });
        let mut describer = SchemaCollector { answers: settings.into_generator() };
        describer.response_schema::<ProblemDocument>();
        describer
    }

    pub fn response_schema<T: JsonSchema + ?Sized>(&mut self) -> Value {
        self.answers.subschema_for::<T>().to_value()
    }

    pub fn into_schemas(mut self) -> Map<String, Value> {
        self.answers.take_definitions(true)
    }
}

impl Default for SchemaCollector {
    fn default() -> SchemaCollector {
        SchemaCollector::new()
    }
}

pub(super) fn inline_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|s| {
        s.meta_schema = None;
        s.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// A type's field names, for errors about unknown fields.
pub(super) fn field_names<T: JsonSchema>() -> Vec<String> {
    inline_schema::<T>()["properties"]
        .as_object()
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default()
}
