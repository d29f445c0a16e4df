//! The page: files of `web/dist` embedded in the program (compressed by `build.rs`), or a hint how to build them.
//!
//! They contain no results, so no login is needed. `make page` builds them first; a Rust build needs no Node.

use crate::api;
use crate::problem::Problem;
use crate::security::Caller;
use crate::translate::{self, Localize};
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, Method, Response, StatusCode};
use axum::response::{Html, IntoResponse};
use flate2::read::GzDecoder;
use goodput_words::message;
use std::io::Read;

/// Name and gzip data; empty if the page was not built.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

const MISSING: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>goodput</title>\n\
    <h1>The page was not built into this program</h1>\n\
    <p>Where its sources are, with Node 20 or newer: <code>make page build</code>. Then start \
    <code>target/release/goodput serve</code>.\n\
    <p>The API is there without it: <code>/api/v1/openapi.json</code> says what can be asked.\n</html>\n";

pub async fn serve_page(request: Request) -> Response<Body> {
    let (parts, _) = request.into_parts();
    let path = parts.uri.path();
    let localized = |problem: Problem| problem.localized(translate::requested_translator(&parts.headers));
    if path == "/api" || path.starts_with("/api/") {
        return localized(api::route_not_found(&Caller::from_parts(&parts), path)).into_response();
    }
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        let problem = Problem::method_not_allowed(&parts.method, path);
        // RFC 9110, section 15.5.6; the router does the same for routes.
        return ([(ALLOW, "GET,HEAD")], localized(problem)).into_response();
    }
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    match embedded(name) {
        Some(gzip) => answer(name, gzip, &parts.headers),
        None if name == "index.html" => Html(MISSING).into_response(),
        None => {
            let problem = Problem::not_found(message!(served_no_path { path })).with_hint("the page is at /");
            localized(problem).into_response()
        }
    }
}

/// Script and style of the page; `None` if not built.
pub fn script_and_style() -> Option<(String, String)> {
    let text = |name: &str| String::from_utf8(decompress(embedded(name)?)?).ok();
    Some((text("app.js")?, text("app.css")?))
}

pub fn is_page_embedded() -> bool {
    embedded("index.html").is_some()
}

fn embedded(name: &str) -> Option<&'static [u8]> {
    FILES.iter().find(|(known, _)| *known == name).map(|(_, gzip)| *gzip)
}

fn decompress(gzip: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(gzip).read_to_end(&mut plain).ok()?;
    Some(plain)
}

fn answer(name: &str, gzip: &'static [u8], asked: &HeaderMap) -> Response<Body> {
    let tag = entity_tag(gzip);
    let response = if asked.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        StatusCode::NOT_MODIFIED.into_response()
    } else if accepts_gzip(asked) {
        ([(CONTENT_ENCODING, "gzip")], gzip).into_response()
    } else {
        decompress(gzip).unwrap_or_default().into_response()
    };
    // Names are the same in every version, so browsers must revalidate.
    let headers = [(CONTENT_TYPE, media(name)), (VARY, "accept-encoding"), (CACHE_CONTROL, "no-cache")];
    (headers, [(ETAG, tag)], response).into_response()
}

fn entity_tag(data: &[u8]) -> String {
    let digest = <sha2::Sha256 as sha2::Digest>::digest(data);
    format!("\"{}\"", data_encoding::HEXLOWER.encode(&digest[..12]))
}

/// gzip in Accept-Encoding with a weight above 0 (RFC 9110, section 12.5.3).
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let listed = headers.get_all(ACCEPT_ENCODING).into_iter().filter_map(|v| v.to_str().ok());
    listed.flat_map(|line| line.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight != Some(0.0)
    })
}

fn media(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "txt" | "ftl" => "text/plain; charset=utf-8",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use axum::http::header::ACCEPT_LANGUAGE;
    use flate2::{Compression, write::GzEncoder};
    use std::io::Write;

    fn packed(text: &str) -> &'static [u8] {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(text.as_bytes()).unwrap();
        encoder.finish().unwrap().leak()
    }

    #[tokio::test]
    async fn gzip_is_sent_only_to_clients_that_accept_it() {
        let text = "goodput ".repeat(100);
        let gzip = packed(&text);
        for (accept, packed) in [("br, gzip;q=0.5", true), ("br", false), ("gzip;q=0", false)] {
            let asked = HeaderMap::from_iter([(ACCEPT_ENCODING, HeaderValue::from_static(accept))]);
            let response = answer("app.js", gzip, &asked);
            assert_eq!(response.headers().get(CONTENT_ENCODING).is_some(), packed, "{accept}");
            let body = axum::body::to_bytes(response.into_body(), 10_000).await.unwrap();
            assert_eq!(&body[..], if packed { gzip } else { text.as_bytes() }, "{accept}");
        }
    }

    #[tokio::test]
    async fn problems_are_in_the_language_of_the_request() {
        for (method, error, hint) in [
            ("GET", "путь /nowhere не существует", Some("страница находится по адресу /")),
            ("POST", "метод POST не поддерживается для /nowhere", None),
        ] {
            let asked = axum::http::Request::builder().method(method).uri("/nowhere");
            let request = asked.header(ACCEPT_LANGUAGE, "ru").body(Body::empty()).unwrap();
            let body = serve_page(request).await.into_body();
            let body = axum::body::to_bytes(body, 10_000).await.unwrap();
            let problem: serde_json::Value = serde_json::from_slice(&body).unwrap();
            assert_eq!((problem["error"].as_str(), problem["hint"].as_str()), (Some(error), hint));
        }
    }

    #[test]
    fn a_known_file_is_not_sent_again() {
        let gzip = packed("a{}");
        let first = answer("app.css", gzip, &HeaderMap::new());
        assert_eq!(first.status(), StatusCode::OK);
        let asked = HeaderMap::from_iter([(IF_NONE_MATCH, first.headers()[ETAG].clone())]);
        assert_eq!(answer("app.css", gzip, &asked).status(), StatusCode::NOT_MODIFIED);
    }
}
