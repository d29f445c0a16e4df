//! Security headers of every answer.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

/// Only the page's own files and connections; no inline script or style, so stored names cannot inject any.
/// The page sets styles by script.
const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                    connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// Documents and downloads must not act as pages.
const DOCUMENT: &str = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/// Keeps an existing cache rule.
pub fn set_security_headers(headers: &mut HeaderMap, is_api: bool) {
    let fixed = |text| HeaderValue::from_static(text);
    headers.insert(CONTENT_SECURITY_POLICY, fixed(if is_api { DOCUMENT } else { PAGE }));
    headers.insert(X_CONTENT_TYPE_OPTIONS, fixed("nosniff"));
    headers.insert(X_FRAME_OPTIONS, fixed("DENY"));
    headers.insert(REFERRER_POLICY, fixed("no-referrer"));
    headers.insert(HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin"));
    headers.insert(HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin"));
    headers.insert(
        HeaderName::from_static("permissions-policy"),
        fixed("camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    );
    headers.entry(CACHE_CONTROL).or_insert(fixed("no-store"));
}
