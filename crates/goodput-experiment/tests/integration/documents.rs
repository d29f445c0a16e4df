//! The published schema and the page about experiments match this program.

use goodput_experiment::{ExecutionPlan, ExperimentFile, experiment_file};
use std::path::{Path, PathBuf};

fn docs(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name)
}

fn read(name: &str) -> String {
    let path = docs(name);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// GOODPUT_WRITE_SCHEMA rewrites the file.
#[test]
fn the_published_schema_is_the_forms_own() {
    let schema = serde_json::to_string_pretty(&experiment_file::experiment_file_schema()).unwrap() + "\n";
    if std::env::var_os("GOODPUT_WRITE_SCHEMA").is_some() {
        std::fs::write(docs("experiment.schema.json"), &schema).unwrap();
    }
    let same = read("experiment.schema.json") == schema;
    assert!(same, "write it anew: GOODPUT_WRITE_SCHEMA=1 cargo test -p goodput-experiment documents");
}

fn blocks(page: &str) -> Vec<String> {
    let after = page.split("```toml\n").skip(1);
    after.filter_map(|block| block.split_once("```").map(|(block, _)| block.to_string())).collect()
}

#[test]
fn the_examples_of_the_page_are_taken() {
    let page = read("experiments.md");
    let (whole, parts): (Vec<String>, Vec<String>) =
        blocks(&page).into_iter().partition(|block| block.starts_with("title"));
    assert!(!whole.is_empty() && parts.len() >= 8, "{} and {}", whole.len(), parts.len());
    for text in &whole {
        let file =
            ExperimentFile::parse("example", text).unwrap_or_else(|e| panic!("{e}; {}\n{text}", e.hint));
        assert!(!ExecutionPlan::from_experiment(&file.quick).unwrap().cells.is_empty());
    }
    // A part is completed by this experiment: tables after it, top-level keys before it.
    for part in &parts {
        let (before, after) = if part.starts_with('[') { ("", part.as_str()) } else { (part.as_str(), "") };
        let text = format!("title = \"Bench\"\nlab = \"topology.toml\"\n{before}\n{BENCH}\n{after}");
        ExperimentFile::parse("part", &text).unwrap_or_else(|e| panic!("{e}; {}\n{text}", e.hint));
    }
}

#[test]
fn the_studies_are_taken() {
    let folders = std::fs::read_dir(docs("../studies")).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = folders.map(|f| f.join("experiment.toml")).filter(|f| f.is_file()).collect();
    assert!(!files.is_empty());
    for path in files {
        let file = ExperimentFile::parse("study", &std::fs::read_to_string(&path).unwrap());
        let file = file.unwrap_or_else(|e| panic!("{}: {e}; {}", path.display(), e.hint));
        let cells = |e| ExecutionPlan::from_experiment(e).unwrap().cells.len();
        assert!(cells(&file.quick) <= cells(&file.experiment), "{}", path.display());
    }
}

const BENCH: &str = r#"
[hosts]
client = "lab:a"
server = "lab:b"

[[factor]]
name = "cc"
levels = ["cubic", "bbr"]

[[factor]]
name = "mtu"
levels = [1500, 9000]
lab = "links.1.mtu"

[[factor]]
name = "size"
levels = ["64KiB", "1MiB"]

[[factor]]
name = "flows"
levels = [1, 4]

[[probe]]
name = "tcp"
run = "stream {server} --from {client} --congestion {cc} --size {size} --connections {flows}"
measures = ["goodput_bps"]

[[probe]]
name = "rr"
run = "request {server} --from {client}"
measures = ["latency_ns.p50"]

[[probe]]
name = "sweep"
run = "pingpong {server} --from {client}"
measures = ["points[].goodput_bps"]
"#;

#[test]
fn the_page_names_every_key_of_the_schema() {
    let page = read("experiments.md");
    let schema = serde_json::to_value(experiment_file::experiment_file_schema()).unwrap();
    let mut keys = std::collections::BTreeSet::new();
    collect(&schema, &mut keys);
    assert!(keys.len() > 40, "{keys:?}");
    let missing: Vec<&String> = keys.iter().filter(|key| !page.contains(key.as_str())).collect();
    assert!(missing.is_empty(), "docs/experiments.md does not name {missing:?}");
}

fn collect(schema: &serde_json::Value, keys: &mut std::collections::BTreeSet<String>) {
    keys.extend(schema["properties"].as_object().into_iter().flat_map(|map| map.keys().cloned()));
    match schema {
        serde_json::Value::Object(map) => map.values().for_each(|value| collect(value, keys)),
        serde_json::Value::Array(list) => list.iter().for_each(|value| collect(value, keys)),
        _ => {}
    }
}
