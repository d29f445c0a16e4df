//! Recorded runs: search, pages, downloads, comparison, tags.

use crate::stage::{Answer, NONE, PLAIN, RUN, Stage};
use axum::http::{Method, StatusCode};
use goodput_experiment::ExperimentFile;
use goodput_model::Event;
use goodput_model::experiment::execution_record::ExperimentStep;
use goodput_store::{RunWriter, new_run_header};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;

fn ids(list: &Value) -> Vec<&str> {
    list["runs"].as_array().unwrap().iter().map(|r| r["id"].as_str().unwrap()).collect()
}

async fn fetch(stage: &Stage, form: &str) -> Answer {
    let file = stage.get(&format!("runs/{PLAIN}/download/{form}")).reader().send().await;
    assert_eq!(file.status, StatusCode::OK, "{form}: {}", file.text());
    file
}

pub async fn runs_are_listed_filtered_and_paged(stage: Stage) {
    let all = stage.read("runs").await;
    assert_eq!((ids(&all), &all["next"]), (vec![PLAIN, RUN], &Value::Null));
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
        ("host=%00&tag=%00&label=card%3D%00&experiment=%00", 0),
    ] {
        assert_eq!(ids(&stage.read(&format!("runs?{query}")).await).len(), found, "{query}");
    }
    let first = stage.read("runs?limit=1").await;
    assert_eq!(ids(&first), [PLAIN]);
    let next = first["next"].as_str().unwrap();
    let second = stage.read(&format!("runs?limit=1&after={next}")).await;
    assert_eq!((ids(&second), &second["next"]), (vec![RUN], &Value::Null));
    let wrong = "limit=0 limit=1001 limit=x since=yesterday label=x factor=mtu outcome=good after=1";
    for wrong in wrong.split(' ') {
        stage.get(&format!("runs?{wrong}")).reader().send().await.problem(400);
    }
}

pub async fn a_run_is_a_page_with_its_downloads(stage: Stage) {
    let run = stage.read(&format!("runs/{PLAIN}")).await;
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
        let file = fetch(&stage, form).await;
        assert_eq!(file.headers["content-type"], download["media_type"].as_str().unwrap());
        let named = format!("attachment; filename=\"{}\"", download["name"].as_str().unwrap());
        assert_eq!(file.headers["content-disposition"], named.as_str());
        assert!(!file.bytes.is_empty() || form == "netpipe", "{form}");
    }
    assert_eq!(fetch(&stage, "json").await.value()["run"], PLAIN);
    let packed = fetch(&stage, "run.tar.zst").await.bytes;
    let root = tempfile::tempdir().unwrap();
    let unpacked = goodput_store::archive::unpack_archive(packed.as_slice(), root.path()).unwrap();
    assert_eq!(unpacked.folders, [root.path().join(PLAIN)]);
}

pub async fn what_people_read_is_fetched_in_their_language(stage: Stage) {
    let text = async |form: &str| fetch(&stage, form).await.text();
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

pub async fn answers_are_in_the_language_of_the_request(stage: Stage) {
    let ask = async |path: &str, language: &str| {
        stage.get(path).reader().header("accept-language", language).send().await
    };
    let path = format!("runs/{PLAIN}");
    let english = stage.read(&path).await;
    assert_eq!(ask(&path, "en, ru;q=0.9").await.document(), english);
    let missing = format!("runs/{NONE}");
    let not_found = format!("run {NONE} not found");
    assert_eq!(ask(&missing, "de").await.problem(404)["error"], not_found);
    for language in ["ja", "ru"] {
        let own = ask(&path, language).await.document();
        assert_ne!(own["page"]["sections"], english["page"]["sections"]);
        assert_eq!(own["page"]["names"], english["page"]["names"]);
        assert_eq!(own["downloads"], english["downloads"]);
        assert_eq!(own["card"]["labels"], english["card"]["labels"]);
        let problem = ask(&missing, language).await.problem(404);
        let error = problem["error"].as_str().unwrap();
        assert!(error != not_found && error.contains(NONE), "{error}");
    }
    stage.get("live?lang=tlh").reader().send().await.problem(400);
    let file = format!("{path}/download/json");
    assert_eq!(ask(&file, "ru").await.bytes, ask(&file, "en").await.bytes);
}

pub async fn what_is_not_there_is_said(stage: Stage) {
    for path in ["", "/download/json", "/experiment"] {
        stage.get(&format!("runs/{NONE}{path}")).reader().send().await.problem(404);
    }
    for form in ["pdf", "csv-nothing", "csv-..%2f..%2fetc%2fpasswd", "iometer"] {
        stage.get(&format!("runs/{PLAIN}/download/{form}")).reader().send().await.problem(404);
    }
    stage.get(&format!("runs/{PLAIN}/experiment")).reader().send().await.problem(404);
    for path in ["runs/last", "runs/..%2f..%2fetc", "runs/%00/download/json", "runs/1/experiment"] {
        let answer = stage.get(path).reader().send().await;
        assert_eq!(answer.problem(400)["error"], "the path cannot be read, at id", "{path}");
    }
}

pub async fn runs_are_compared(stage: Stage) {
    let compared = stage.read(&format!("compare?runs={RUN},{PLAIN}")).await;
    assert!(!compared["page"]["sections"].as_array().unwrap().is_empty());
    for wrong in ["", "?runs=", &format!("?runs={RUN}"), &format!("?runs={RUN},last")] {
        stage.get(&format!("compare{wrong}")).reader().send().await.problem(400);
    }
    stage.get(&format!("compare?runs={RUN},{NONE}")).reader().send().await.problem(404);
}

pub async fn tags_are_kept_with_the_run(stage: Stage) {
    let put = async |id: &str, tags: Value| {
        stage.ask(Method::PUT, &format!("runs/{id}/tags")).operator().json(&json!({ "tags": tags })).await
    };
    assert_eq!(put(RUN, json!([" good ", "a"])).await.document()["tags"], json!(["a", "good"]));
    assert_eq!(ids(&stage.read("runs?tag=good").await), [RUN]);
    assert_eq!(stage.read(&format!("runs/{RUN}")).await["card"]["tags"], json!(["a", "good"]));
    assert!(stage.store().join(RUN).join("tags.json").is_file());
    put(RUN, json!([""])).await.problem(400);
    put(RUN, json!("good")).await.problem(400);
    put(NONE, json!(["good"])).await.problem(404);
    put(RUN, json!([])).await.document();
    assert!(ids(&stage.read("runs?tag=good").await).is_empty());
}

pub async fn an_experiment_is_told_cell_by_cell(stage: Stage) {
    let text = "title = \"Cards\"\n\n[[factor]]\nname = \"card\"\nlevels = [\"a\", \"b\"]\n\n\
                [[probe]]\nname = \"tcp\"\nrun = \"stream {card} --time 1s\"\n\
                measures = [\"goodput_bps\"]\n";
    let file = ExperimentFile::parse("cards", text).unwrap_or_else(|e| panic!("{e}: {}", e.hint));
    let head = new_run_header("1.2.3", vec!["goodput".into(), "run".into()], 7, BTreeMap::new());
    let id = head.id.to_string();
    let mut writer = RunWriter::create(&stage.store(), head).unwrap();
    let step = ExperimentStep::Declared { experiment: Box::new(file.experiment), text: text.into() };
    writer.append_event(&Event::Experiment { step }).unwrap();
    writer.finish().unwrap();
    drop(writer);
    let told = stage.read(&format!("runs/{id}/experiment")).await;
    assert_eq!(told["factors"][0]["levels"], json!(["a", "b"]));
    let cells = told["cells"].as_array().unwrap();
    assert!(!cells.is_empty() && cells.iter().all(|c| c["state"] == "waiting"));
    assert_eq!(told["progress"]["done"], 0);
    let run = stage.read(&format!("runs/{id}")).await;
    assert_eq!(run["card"]["experiment"], "cards");
    let forms: Vec<&Value> = run["downloads"].as_array().unwrap().iter().map(|d| &d["form"]).collect();
    assert!(forms.contains(&&json!("csv")), "{forms:?}");
    stage.read(&format!("compare?runs={id},{RUN}")).await;
    // One of another plan is not guessed at.
    let refused = stage.get(&format!("runs/{RUN}/experiment")).reader().send().await.problem(409);
    assert!(refused["cause"].as_str().unwrap().contains("plan"), "{refused}");
}

pub async fn a_damaged_run_is_told_and_hides_no_other(stage: Stage) {
    fs::write(stage.store().join(PLAIN).join("events.jsonl"), "{\"event\":\"no such\"}\n").unwrap();
    let list = stage.read("runs").await;
    assert!(ids(&list).contains(&RUN));
    let answer = stage.get(&format!("runs/{PLAIN}")).reader().send().await;
    assert!(matches!(answer.status.as_u16(), 404 | 500), "{}", answer.text());
    assert!(answer.value()["error"].as_str().is_some());
}
