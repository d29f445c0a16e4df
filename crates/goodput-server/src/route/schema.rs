//! JSON schemas of requests and answers.

use crate::problem::ProblemDocument;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::Value;

/// Collects the schemas of answers, first that of problems.
pub fn response_schemas() -> SchemaGenerator {
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|s| {
        s.definitions_path = "/components/schemas".into();
        s.meta_schema = None;
    });
    let mut schemas = settings.into_generator();
    schemas.subschema_for::<ProblemDocument>();
    schemas
}

pub(super) fn build_inlined_schema<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize().with(|s| {
        s.meta_schema = None;
        s.inline_subschemas = true;
    });
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// A type's field names, for errors about unknown fields.
pub(super) fn schema_field_names<T: JsonSchema>() -> Vec<String> {
    build_inlined_schema::<T>()["properties"]
        .as_object()
        .map(|fields| fields.keys().cloned().collect())
        .unwrap_or_default()
}
