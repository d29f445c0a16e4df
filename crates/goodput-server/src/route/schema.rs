//! The JSON schemas of what is asked and of what is answered.

use crate::problem::ProblemDocument;
use axum::http::StatusCode;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// Collects the schemas of everything that is answered.
pub struct Describer {
    answers: SchemaGenerator,
}

/// A good answer: status, and media type with schema.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    /// Media type and schema; `None` for an answer without a body.
    pub media: Option<(&'static str, Value)>,
}

impl Answer {
    pub(super) fn document(status: StatusCode, schema: Value) -> Answer {
        Answer { status, media: Some(("application/json", schema)) }
    }
}

impl Describer {
    /// Nothing collected yet, but what every route may answer: a problem.
    pub fn new() -> Describer {
        let settings = SchemaSettings::draft2020_12().for_serialize().with(|s| {
            s.definitions_path = "/components/schemas".into();
            s.meta_schema = None;
        });
        let mut describer = Describer { answers: settings.into_generator() };
        describer.answer::<ProblemDocument>();
        describer
    }

    pub fn answer<T: JsonSchema + ?Sized>(&mut self) -> Value {
        self.answers.subschema_for::<T>().to_value()
    }

    /// Every schema that was referred to, by name.
    pub fn schemas(mut self) -> Map<String, Value> {
        self.answers.take_definitions(true)
    }
}

impl Default for Describer {
    fn default() -> Describer {
        Describer::new()
    }
}

/// The schema of what is asked, with nothing left to look up elsewhere.
pub(super) fn inline<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|s| {
        s.meta_schema = None;
        s.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The names of a type's fields, for whoever has typed another one.
pub(super) fn names_of<T: JsonSchema>() -> Vec<String> {
    inline::<T>()["properties"].as_object().map(|fields| fields.keys().cloned().collect()).unwrap_or_default()
}
