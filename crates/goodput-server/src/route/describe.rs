//! OpenAPI 3.1 descriptions of routes from their handlers' types.
//!
//! JSON Schema 2020-12 from `schemars` is used as it is (section 4.8.24). Answers are under `components`;
//! requests are inline, since their optional fields may differ.

use super::call::RequestInput;
use super::reply::ApiResponse;
use super::schema::build_inlined_schema;
use crate::security::AccessLevel;
use axum::http::Method;
use schemars::SchemaGenerator;
use serde_json::{Map, Value, json};

#[derive(Debug)]
pub struct Operation {
    pub method: Method,
    /// Below [`API_PREFIX`](super::API_PREFIX), variable parts in braces.
    pub path: &'static str,
    pub who: AccessLevel,
    summary: &'static str,
    tag: &'static str,
    describe: fn(&Operation, &mut SchemaGenerator) -> Value,
}

impl Operation {
    pub(super) fn new<P: RequestInput, Q: RequestInput, B: RequestInput, A: ApiResponse>(
        method: Method,
        path: &'static str,
        who: AccessLevel,
        summary: &'static str,
        tag: &'static str,
    ) -> Operation {
        Operation { method, path, who, summary, tag, describe: describe::<P, Q, B, A> }
    }

    /// The operation object (OpenAPI 3.1, section 4.8.10).
    pub fn to_openapi(&self, schemas: &mut SchemaGenerator) -> Value {
        (self.describe)(self, schemas)
    }

    /// For generated clients: method and path, `getRunsIdExperiment`.
    fn name(&self) -> String {
        let mut name = self.method.as_str().to_ascii_lowercase();
        for part in self.path.split(|c: char| !c.is_ascii_alphanumeric()).filter(|p| !p.is_empty()) {
            let mut letters = part.chars();
            name.extend(letters.next().map(|c| c.to_ascii_uppercase()));
            name.push_str(letters.as_str());
        }
        name
    }
}

fn describe<P: RequestInput, Q: RequestInput, B: RequestInput, A: ApiResponse>(
    operation: &Operation,
    schemas: &mut SchemaGenerator,
) -> Value {
    let mut parameters = [parameters::<P>("path"), parameters::<Q>("query")].concat();
    let mut object = json!({
        "operationId": operation.name(),
        "summary": operation.summary,
        "tags": [operation.tag],
        "responses": responses::<P, B, A>(operation, schemas),
    });
    let changes = !matches!(operation.method, Method::GET);
    if changes && operation.who != AccessLevel::Anybody {
        parameters.push(json!({ "$ref": "#/components/parameters/csrf" }));
    }
    if !parameters.is_empty() {
        object["parameters"] = Value::from(parameters);
    }
    if B::expects_input() {
        object["requestBody"] = json!({ "required": true, "content": { "application/json": { "schema": build_inlined_schema::<B>() } } });
    }
    object["security"] = match operation.who {
        AccessLevel::Anybody => json!([]),
        _ => json!([{ "cookie": [] }, { "token": [] }]),
    };
    object["x-role"] = json!(operation.who.as_str());
    object
}

/// The successful answer and possible problems; others are under `default`.
fn responses<P: RequestInput, B: RequestInput, A: ApiResponse>(
    operation: &Operation,
    schemas: &mut SchemaGenerator,
) -> Value {
    let mut responses = Map::new();
    let mut answer = json!({ "description": A::STATUS.canonical_reason().unwrap_or("Done") });
    if let Some((media, schema)) = A::content_type_and_schema(schemas) {
        answer["content"] = json!({ media: { "schema": schema } });
    }
    responses.insert(A::STATUS.as_str().into(), answer);
    let mut problems = vec![400, 429];
    if operation.who != AccessLevel::Anybody {
        problems.extend([401, 403]);
    }
    if P::expects_input() {
        problems.push(404);
    }
    if B::expects_input() {
        problems.extend([413, 415, 422]);
    }
    problems.sort_unstable();
    for status in problems {
        responses.insert(status.to_string(), json!({ "$ref": "#/components/responses/problem" }));
    }
    responses.insert("default".into(), json!({ "$ref": "#/components/responses/problem" }));
    Value::Object(responses)
}

fn parameters<T: RequestInput>(place: &str) -> Vec<Value> {
    let schema = build_inlined_schema::<T>();
    let required: Vec<&str> =
        schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let fields = schema["properties"].as_object().cloned().unwrap_or_default();
    let parameter = |(name, mut schema): (String, Value)| {
        let words = schema.as_object_mut().and_then(|s| s.remove("description"));
        strip_null(&mut schema);
        let must = place == "path" || required.contains(&name.as_str());
        let mut parameter = json!({ "name": name, "in": place, "required": must, "schema": schema });
        if let Some(words) = words {
            parameter["description"] = words;
        }
        parameter
    };
    fields.into_iter().map(parameter).collect()
}

/// An optional parameter cannot be null: a form has no notation for it.
fn strip_null(schema: &mut Value) {
    let Some(object) = schema.as_object_mut() else { return };
    object.remove("default");
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|t| t != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".into(), only);
        }
    }
    let null = json!({ "type": "null" });
    if let Some(Value::Array(any)) = object.get_mut("anyOf") {
        any.retain(|s| *s != null);
        if let [Value::Object(only)] = any.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            object.extend(only);
        }
    }
}
