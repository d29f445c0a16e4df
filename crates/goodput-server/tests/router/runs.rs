//! Recorded runs: search, pages, downloads, comparison, tags.

use crate::stage::{NONE, PLAIN, RUN, Stage, TestDatabase};
use axum::http::{Method, StatusCode};
use goodput_experiment::ExperimentFile;
use goodput_model::Event;
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_store::{RunWriter, new_run_head};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

async fn document(stage: &Stage, path: &str) -> Value {
    stage.get(path).reader().send().await.document()
}

fn ids(list: &Value) -> Vec<&str> {
    list["runs"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect()
}

pub async fn runs_are_listed_filtered_and_paged(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let all = document(&stage, "runs").await;
    assert_eq!(ids(&all), [PLAIN, RUN]);
    assert!(all["next"].is_null());
    let card = &all["runs"][1];
    assert_eq!(card["started"], "2026-11-21T04:00:00.123456789Z");
    assert_eq!(card["labels"]["card"], "größer \"1\"");
    assert!(card["bytes"].as_u64().unwrap() > 1_000);
    for (query, found) in [
        ("text=STREAM", 2),
        ("label=card%3Dgr%C3%B6%C3%9Fer%20%221%22", 2),
        ("probe=stream&probe=request", 2),
        ("since=2026-11-21&until=2026-11-22", 2),
        ("until=2026-11-21", 0),
        ("factor=mtu%3D9000&factor=nic%3Db", 1),
        ("tag=kept", 0),
        ("experiment=nic", 0),
        ("outcome=running", 0),
        ("text=&after=&limit=5", 2),
        // PostgreSQL refuses a zero byte in text.
        ("text=stream%00no-such-word", 0),
        ("host=%00&tag=%00", 0),
        ("label=card%3D%00", 0),
        ("experiment=%00", 0),
    ] {
        assert_eq!(ids(&document(&stage, &format!("runs?{query}")).await).len(), found, "{query}");
    }
    let first = document(&stage, "runs?limit=1").await;
    assert_eq!(ids(&first), [PLAIN]);
    let next = first["next"].as_str().unwrap();
    let second = document(&stage, &format!("runs?limit=1&after={next}")).await;
    assert_eq!(ids(&second), [RUN]);
    assert!(second["next"].is_null());
    for wrong in [
        "limit=0",
        "limit=1001",
        "limit=x",
        "since=yesterday",
        "label=x",
        "factor=mtu",
        "outcome=good",
        "after=1",
        "host",
    ] {
        let answer = stage.get(&format!("runs?{wrong}")).reader().send().await;
        if wrong == "host" {
            assert!(!answer.status.is_server_error());
        } else {
            answer.problem(400);
        }
    }
}

pub async fn a_run_is_a_page_with_its_downloads(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let run = document(&stage, &format!("runs/{PLAIN}")).await;
    assert_eq!(run["card"]["id"], PLAIN);
    let sections = run["page"]["sections"].as_array().unwrap();
    assert!(!sections.is_empty() && sections.iter().all(|s| !s["blocks"].as_array().unwrap().is_empty()));
    let downloads = run["downloads"].as_array().unwrap();
    let forms: Vec<&str> = downloads.iter().map(|d| d["form"].as_str().unwrap()).collect();
    for form in ["json", "html", "text", "markdown", "csv-trials", "run.tar.zst"] {
        assert!(forms.contains(&form), "{form} is not among {forms:?}");
    }
    for download in downloads {
        let form = download["form"].as_str().unwrap();
        let file = stage.get(&format!("runs/{PLAIN}/download/{form}")).reader().send().await;
        assert_eq!(file.status, StatusCode::OK, "{form}: {}", file.text());
        assert_eq!(file.headers["content-type"], download["media_type"].as_str().unwrap());
        let named = format!("attachment; filename=\"{}\"", download["name"].as_str().unwrap());
        assert_eq!(file.headers["content-disposition"], named.as_str());
        assert!(!file.bytes.is_empty() || form == "netpipe", "{form}");
    }
    let json = document_of(&stage, "json").await;
    assert_eq!(json["run"], PLAIN);
    let packed = stage.get(&format!("runs/{PLAIN}/download/run.tar.zst")).reader().send().await.bytes;
    let root = tempfile::tempdir().unwrap();
    let unpacked = goodput_store::archive::unpack_archive(packed.as_slice(), root.path()).unwrap();
    assert_eq!(unpacked.folders, [root.path().join(PLAIN)]);
}

async fn document_of(stage: &Stage, form: &str) -> Value {
    let file = stage.get(&format!("runs/{PLAIN}/download/{form}")).reader().send().await;
    serde_json::from_slice(&file.bytes).unwrap()
}

pub async fn what_people_read_is_fetched_in_their_language(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let text = async |form: &str| {
        let file = stage.get(&format!("runs/{PLAIN}/download/{form}")).reader().send().await;
        assert_eq!(file.status, StatusCode::OK, "{form}: {}", file.text());
        file.text()
    };
    let english = text("html").await;
    assert!(english.contains("<html lang=\"en\"") && english == text("html?lang=en").await);
    for lang in ["ja", "ru"] {
        assert!(text(&format!("html?lang={lang}")).await.contains(&format!("<html lang=\"{lang}\"")));
        for form in ["text", "markdown"] {
            assert_ne!(text(&format!("{form}?lang={lang}")).await, text(form).await, "{form} in {lang}");
        }
        assert_eq!(text(&format!("json?lang={lang}")).await, text("json").await);
    }
    stage.get(&format!("runs/{PLAIN}/download/html?lang=tlh")).reader().send().await.problem(400);
}

pub async fn what_is_not_there_is_said(on: TestDatabase) {
    let stage = Stage::new(on).await;
    for path in [
        format!("runs/{NONE}"),
        format!("runs/{NONE}/download/json"),
        format!("runs/{NONE}/experiment"),
        format!("runs/{PLAIN}/download/pdf"),
        format!("runs/{PLAIN}/download/csv-nothing"),
        format!("runs/{PLAIN}/download/csv-..%2f..%2fetc%2fpasswd"),
        format!("runs/{PLAIN}/download/iometer"),
        format!("runs/{PLAIN}/experiment"),
    ] {
        stage.get(&path).reader().send().await.problem(404);
    }
    for path in
        ["runs/last", "runs/..%2f..%2fetc", "runs/%00", "runs/last/download/json", "runs/1/experiment"]
    {
        let answer = stage.get(path).reader().send().await;
        assert_eq!(answer.problem(400)["error"], "the path cannot be read, at id", "{path}");
    }
}

pub async fn an_experiment_of_another_plan_is_not_guessed_at(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let refused = stage.get(&format!("runs/{RUN}/experiment")).reader().send().await.problem(409);
    assert!(refused["cause"].as_str().unwrap().contains("plan"), "{refused}");
    document(&stage, &format!("runs/{RUN}")).await;
}

pub async fn runs_are_compared(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let compared = document(&stage, &format!("compare?runs={RUN},{PLAIN}")).await;
    assert!(!compared["page"]["sections"].as_array().unwrap().is_empty());
    for wrong in
        ["compare", "compare?runs=", &format!("compare?runs={RUN}"), &format!("compare?runs={RUN},last")]
    {
        stage.get(wrong).reader().send().await.problem(400);
    }
    stage.get(&format!("compare?runs={RUN},{NONE}")).reader().send().await.problem(404);
}

pub async fn tags_are_kept_with_the_run(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let put = async |id: &str, tags: Value| {
        stage.ask(Method::PUT, &format!("runs/{id}/tags")).operator().json(&json!({ "tags": tags })).await
    };
    let kept = put(RUN, json!([" good ", "a"])).await.document();
    assert_eq!(kept["tags"], json!(["a", "good"]));
    assert_eq!(ids(&document(&stage, "runs?tag=good").await), [RUN]);
    assert_eq!(document(&stage, &format!("runs/{RUN}")).await["card"]["tags"], json!(["a", "good"]));
    assert!(stage.store().join(RUN).join("tags.json").is_file());
    put(RUN, json!([""])).await.problem(400);
    put(RUN, json!("good")).await.problem(400);
    put(NONE, json!(["good"])).await.problem(404);
    put(RUN, json!([])).await.document();
    assert!(ids(&document(&stage, "runs?tag=good").await).is_empty());
}

pub async fn an_experiment_is_told_cell_by_cell(on: TestDatabase) {
    let stage = Stage::new(on).await;
    let text = "title = \"Cards\"\n\n[[factor]]\nname = \"card\"\nlevels = [\"a\", \"b\"]\n\n\
                [[probe]]\nname = \"tcp\"\nrun = \"stream {card} --time 1s\"\n\
                measures = [\"goodput_bps\"]\n";
    let file = ExperimentFile::parse("cards", text).unwrap_or_else(|e| panic!("{e}: {}", e.hint));
    let head = new_run_head("1.2.3", vec!["goodput".into(), "run".into()], 7, BTreeMap::new());
    let id = head.id.to_string();
    let mut writer = RunWriter::create(&stage.store(), head).unwrap();
    let step = ExperimentStep::Declared { experiment: Box::new(file.experiment), text: text.into() };
    writer.append_event(&Event::Experiment { step }).unwrap();
    writer.finish().unwrap();
    drop(writer);
    let told = document(&stage, &format!("runs/{id}/experiment")).await;
    assert_eq!(told["factors"][0]["levels"], json!(["a", "b"]));
    let cells = told["cells"].as_array().unwrap();
    assert!(!cells.is_empty() && cells.iter().all(|c| c["state"] == "waiting"));
    assert_eq!(told["progress"]["done"], 0);
    let run = document(&stage, &format!("runs/{id}")).await;
    assert_eq!(run["card"]["experiment"], "cards");
    let forms: Vec<&Value> = run["downloads"].as_array().unwrap().iter().map(|d| &d["form"]).collect();
    assert!(forms.contains(&&json!("csv")), "{forms:?}");
    stage.get(&format!("compare?runs={id},{RUN}")).reader().send().await.document();
}

pub async fn a_damaged_run_is_told_and_hides_no_other(on: TestDatabase) {
    let stage = Stage::new(on).await;
    fs::write(stage.store().join(PLAIN).join("events.jsonl"), "{\"event\":\"no such\"}\n").unwrap();
    let list = document(&stage, "runs").await;
    assert!(ids(&list).contains(&RUN));
    let answer = stage.get(&format!("runs/{PLAIN}")).reader().send().await;
    assert!(matches!(answer.status.as_u16(), 404 | 500), "{}", answer.text());
    assert!(answer.value()["error"].as_str().is_some());
}
