//! Two servers share one database, and see each other's runs.

use crate::stage::{PLAIN, RUN, Stage};
use axum::http::{Method, StatusCode};
use goodput_store::{archive, run_files};
use serde_json::{Value, json};

fn names(list: &Value, of: &str) -> Vec<String> {
    let all = list[of].as_array().unwrap();
    all.iter().map(|one| one["id"].as_str().unwrap().to_string()).collect()
}

pub async fn runs_of_another_machine_are_served_from_the_database(here: Stage) {
    let there = here.beside().await;
    assert_eq!(names(&there.read("runs").await, "runs"), [PLAIN, RUN]);
    assert!(!there.store().join(PLAIN).exists(), "nothing of it is on the other machine");
    let path = format!("runs/{PLAIN}");
    assert_eq!(there.read(&path).await, here.read(&path).await);
    for form in ["json", "text", "csv-trials"] {
        let fetched = async |stage: &Stage| {
            let file = stage.get(&format!("{path}/download/{form}")).reader().send().await;
            assert_eq!(file.status, StatusCode::OK, "{form}: {}", file.text());
            file.bytes
        };
        assert!(fetched(&there).await == fetched(&here).await, "{form}");
    }
    let packed = there.get(&format!("{path}/download/run.tar.zst")).reader().send().await.bytes;
    let root = tempfile::tempdir().unwrap();
    let unpacked = archive::unpack_archive(packed.as_slice(), root.path()).unwrap();
    let ours = run_files::file_digests(&here.store().join(PLAIN)).unwrap();
    assert_eq!(run_files::file_digests(&unpacked.folders[0]).unwrap(), ours, "to the byte");
    let compared = there.read(&format!("compare?runs={RUN},{PLAIN}")).await;
    assert!(!compared["page"]["sections"].as_array().unwrap().is_empty());
    let put = there.ask(Method::PUT, &format!("{path}/tags")).operator();
    assert_eq!(put.json(&json!({ "tags": ["far"] })).await.document()["tags"], json!(["far"]));
    assert_eq!(names(&here.read("runs?tag=far").await, "runs"), [PLAIN], "whoever tagged it");
}
