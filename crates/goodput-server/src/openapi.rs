//! The OpenAPI 3.1 description of every route (<https://spec.openapis.org/oas/v3.1.1.html>). `openapi.json`
//! is its stored copy, compared by a test; the client's types are generated from it.

use crate::problem;
use crate::route::{API_PREFIX, response_schemas};
use crate::security::CSRF_HEADER;
use serde_json::{Map, Value, json};

/// The API's version; the minor number counts additions.
const VERSION: &str = "1.0";

pub fn build_openapi_document() -> Value {
    let mut schemas = response_schemas();
    let mut paths = Map::new();
    let routes = crate::api::routes();
    for operation in routes.operations() {
        let object = operation.to_openapi(&mut schemas);
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method.as_str().to_ascii_lowercase()] = object;
    }
    // Independent of the map type of the libraries.
    let paths = sorted(Value::Object(paths));
    json!({
        "openapi": "3.1.0",
        "jsonSchemaDialect": "https://json-schema.org/draft/2020-12/schema",
        "info": {
            "title": "goodput",
            "version": VERSION,
            "description": "What goodput has measured, what it measures now, and how to have it measure. Quantities are \
                in base units: bytes, bit/s, nanoseconds, per cent. Times are RFC 3339.",
            "license": { "name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0" },
        },
        "servers": [{ "url": API_PREFIX }],
        "paths": paths,
        "components": {
            "schemas": sorted(Value::Object(schemas.take_definitions(true))),
            "responses": { "problem": {
                "description": "It could not be done: error, cause and hint (RFC 9457)",
                "content": { problem::PROBLEM_MEDIA_TYPE: { "schema": { "$ref": "#/components/schemas/Problem" } } },
            } },
            "parameters": { "csrf": {
                "name": CSRF_HEADER, "in": "header", "required": false,
                "description": "What GET /session gives as csrf. Needed with a cookie, not with a token.",
                "schema": { "type": "string" },
            } },
            "securitySchemes": {
                "cookie": { "type": "apiKey", "in": "cookie", "name": "goodput",
                    "description": "Of POST /session. Over TLS its name is __Host-goodput." },
                "token": { "type": "http", "scheme": "bearer",
                    "description": "Of goodput serve token ROLE NAME." },
            },
        },
    })
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut pairs: Vec<(String, Value)> = map.into_iter().map(|(k, v)| (k, sorted(v))).collect();
            pairs.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(pairs.into_iter().collect())
        }
        Value::Array(values) => Value::Array(values.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn golden() -> std::path::PathBuf {
        [env!("CARGO_MANIFEST_DIR"), "openapi.json"].iter().collect()
    }

    /// `UPDATE_GOLDEN=1 cargo test -p goodput-server` rewrites the file; check the difference.
    #[test]
    fn the_description_is_the_one_that_is_kept() {
        let text = serde_json::to_string_pretty(&sorted(build_openapi_document())).unwrap() + "\n";
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(golden(), text).unwrap();
            return;
        }
        let kept = std::fs::read_to_string(golden()).unwrap();
        let differs = kept.lines().zip(text.lines()).enumerate().find(|(_, (a, b))| a != b);
        assert!(kept == text, "openapi.json differs, first at {differs:#?}");
    }

    #[test]
    fn every_reference_leads_somewhere_and_every_name_is_there_once() {
        let document = build_openapi_document();
        let mut pending = vec![&document];
        while let Some(value) = pending.pop() {
            match value {
                Value::Object(map) => {
                    if let Some(Value::String(reference)) = map.get("$ref") {
                        let pointer = reference.strip_prefix('#').unwrap();
                        assert!(document.pointer(pointer).is_some(), "{reference}");
                    }
                    pending.extend(map.values());
                }
                Value::Array(values) => pending.extend(values),
                _ => {}
            }
        }
        let methods = document["paths"].as_object().unwrap().values().flat_map(|p| p.as_object().unwrap());
        let names: Vec<&str> = methods.map(|(_, m)| m["operationId"].as_str().unwrap()).collect();
        assert_eq!(names.iter().collect::<std::collections::BTreeSet<_>>().len(), names.len());
    }
}
