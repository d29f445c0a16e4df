//! The page's own files.

use crate::stage::Stage;
use axum::http::{Method, StatusCode};

pub async fn a_stranger_gets_the_page_to_log_in_with(stage: Stage) {
    let page = stage.get("/").send().await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(page.headers["content-type"], "text/html; charset=utf-8");
    if goodput_server::page::is_page_embedded() {
        assert!(page.text().contains("app.js"), "{}", page.text());
        let script = stage.get("/app.js").header("accept-encoding", "gzip").send().await;
        assert_eq!(script.headers["content-encoding"], "gzip");
        assert_eq!(script.headers["content-type"], "text/javascript; charset=utf-8");
        let tag = page.headers["etag"].to_str().unwrap();
        let again = stage.get("/").header("if-none-match", tag).send().await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0));
    } else {
        assert!(page.text().contains("make page"), "{}", page.text());
    }
    assert_eq!(stage.get("/index.html").send().await.bytes, page.bytes);
    let head = stage.ask(Method::HEAD, "/").send().await;
    assert_eq!(head.status, StatusCode::OK);
}
