//! `GET /openapi.json`: the API description.

use crate::openapi;
use crate::problem::Problem;
use crate::route::{ApiRequest, GET, Json, Routes};
use crate::security::AccessLevel::Reader;
use serde_json::Value;
use std::sync::OnceLock;

pub fn routes() -> Routes {
    Routes::new("description").add(
        GET,
        "/openapi.json",
        Reader,
        "What can be asked, as OpenAPI 3.1",
        description,
    )
}

async fn description(_: ApiRequest) -> Result<Json<&'static Value>, Problem> {
    static DOCUMENT: OnceLock<Value> = OnceLock::new();
    Ok(Json(DOCUMENT.get_or_init(openapi::build_openapi_document)))
}
