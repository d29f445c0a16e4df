//! What every answer tells a browser.

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HeaderMap, HeaderName, HeaderValue, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};

/// The page loads nothing but its own files and talks to nobody but us; nothing in line is run or styled, so what a
/// stored name or label smuggles in stays text. A page that needs `style="…"` sets it by script instead.
const PAGE: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
                    connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
/// Documents and downloads are not to be opened as pages of ours.
const DOCUMENT: &str = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

/// Sets them; a cache rule that is already there stays.
pub fn set(headers: &mut HeaderMap, is_api: bool) {
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
