//! The page: files of `web/dist` embedded in the program, or a hint how to build them.
//!
//! They contain no results, so no login is needed. `make page` builds them first; a Rust build needs no Node.

use crate::api;
use crate::problem::{Kind, Problem};
use crate::security::Caller;
use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, ALLOW, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, Method, Response, StatusCode};
use axum::response::IntoResponse;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::Write;
use std::sync::OnceLock;

/// May be empty. `make page` touches this file, so that cargo rebuilds it.
#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Built;

const MISSING: &str = "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>goodput</title>\n\
    <h1>The page was not built into this program</h1>\n\
    <p>Where its sources are, with Node 20 or newer: <code>make page build</code>. Then start \
    <code>target/release/goodput serve</code>.\n\
    <p>The API is there without it: <code>/api/v1/openapi.json</code> says what can be asked.\n</html>\n";

struct Served {
    media: &'static str,
    plain: Cow<'static, [u8]>,
    gzip: Option<Vec<u8>>,
    tag: HeaderValue,
}

pub async fn serve(request: Request) -> Response<Body> {
    let (parts, _) = request.into_parts();
    let path = parts.uri.path();
    if path == "/api" || path.starts_with("/api/") {
        return api::no_route(&Caller::of(&parts), path).into_response();
    }
    if !matches!(parts.method, Method::GET | Method::HEAD) {
        let problem = Problem::new(Kind::Method, format!("{} cannot be done to {path}", parts.method));
        // RFC 9110, section 15.5.6; the router does the same for routes.
        return ([(ALLOW, "GET,HEAD")], problem).into_response();
    }
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    match files().get(name) {
        Some(file) => file.answer(&parts.headers),
        None => {
            Problem::not_found(format!("there is no {path}")).try_this("the page is at /").into_response()
        }
    }
}

/// Script and style of the page; `None` if not built.
pub fn bundle() -> Option<(String, String)> {
    let text = |name: &str| String::from_utf8(Built::get(name)?.data.into_owned()).ok();
    Some((text("app.js")?, text("app.css")?))
}

pub fn is_built() -> bool {
    Built::get("index.html").is_some()
}

fn files() -> &'static BTreeMap<String, Served> {
    static FILES: OnceLock<BTreeMap<String, Served>> = OnceLock::new();
    FILES.get_or_init(|| {
        let mut files: BTreeMap<String, Served> = Built::iter()
            .filter_map(|name| Some((name.to_string(), Served::of(&name, Built::get(&name)?.data))))
            .collect();
        let missing = || Served::of("index.html", Cow::Borrowed(MISSING.as_bytes()));
        files.entry("index.html".into()).or_insert_with(missing);
        files
    })
}

impl Served {
    fn of(name: &str, plain: Cow<'static, [u8]>) -> Served {
        let (media, is_text) = media(name);
        let gzip = is_text.then(|| compressed(&plain)).flatten().filter(|gzip| gzip.len() < plain.len());
        let digest = <sha2::Sha256 as sha2::Digest>::digest(&plain);
        let tag = format!("\"{}\"", data_encoding::HEXLOWER.encode(&digest[..12]));
        let none = HeaderValue::from_static("\"\"");
        Served { media, plain, gzip, tag: HeaderValue::from_str(&tag).unwrap_or(none) }
    }

    fn answer(&self, asked: &HeaderMap) -> Response<Body> {
        let gzip = self.gzip.as_ref().filter(|_| takes_gzip(asked));
        let mut response = if asked.get(IF_NONE_MATCH) == Some(&self.tag) {
            StatusCode::NOT_MODIFIED.into_response()
        } else {
            Response::new(
                gzip.map_or_else(|| Body::from(self.plain.clone()), |gzip| Body::from(gzip.clone())),
            )
        };
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(self.media));
        headers.insert(ETAG, self.tag.clone());
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        // Names are the same in every version, so browsers must revalidate.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        if gzip.is_some() {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response
    }
}

/// gzip in Accept-Encoding with a weight above 0 (RFC 9110, section 12.5.3).
fn takes_gzip(headers: &HeaderMap) -> bool {
    let listed = headers.get_all(ACCEPT_ENCODING).into_iter().filter_map(|v| v.to_str().ok());
    listed.flat_map(|line| line.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let weight = weight.trim().strip_prefix("q=").and_then(|q| q.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight != Some(0.0)
    })
}

fn compressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

fn media(name: &str) -> (&'static str, bool) {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => ("text/html; charset=utf-8", true),
        "js" => ("text/javascript; charset=utf-8", true),
        "css" => ("text/css; charset=utf-8", true),
        "svg" => ("image/svg+xml", true),
        "json" | "map" => ("application/json", true),
        "webmanifest" => ("application/manifest+json", true),
        "txt" | "ftl" => ("text/plain; charset=utf-8", true),
        "png" => ("image/png", false),
        "ico" => ("image/x-icon", false),
        "woff2" => ("font/woff2", false),
        _ => ("application/octet-stream", false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        let text = "goodput ".repeat(100);
        let file = Served::of("app.js", Cow::Owned(text.clone().into_bytes()));
        let mut unpacked = String::new();
        flate2::read::GzDecoder::new(file.gzip.as_deref().unwrap()).read_to_string(&mut unpacked).unwrap();
        assert_eq!(unpacked, text);
        let encoding = |accept: &'static str| {
            let mut asked = HeaderMap::new();
            asked.insert(ACCEPT_ENCODING, HeaderValue::from_static(accept));
            file.answer(&asked).headers().get(CONTENT_ENCODING).is_some()
        };
        assert!(encoding("br, gzip;q=0.5"));
        assert!(!encoding("br"));
        assert!(!encoding("gzip;q=0"));
        assert!(Served::of("x.png", Cow::Borrowed(b"0000000000000000000000000000")).gzip.is_none());
    }
}
