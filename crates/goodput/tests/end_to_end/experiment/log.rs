//! Reads the log of an experiment's run without the program.

use crate::stage::Home;
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

#[derive(Debug, Default)]
pub struct Log {
    /// Number of ends of each cell.
    pub ended: BTreeMap<u64, u32>,
    pub outcomes: Vec<String>,
    /// Levels and probe of each finished cell.
    pub cells: BTreeMap<u64, String>,
    pub resumed: u32,
    pub not_restored: Vec<String>,
    pub trials: u32,
    pub finished: bool,
}

impl Log {
    pub fn folder(home: &Home) -> Option<PathBuf> {
        let mut runs: Vec<PathBuf> = fs::read_dir(home.runs())
            .ok()?
            .flatten()
            .map(|entry| entry.path())
            .filter(|path| {
                fs::read_to_string(path.join("events.jsonl")).is_ok_and(|log| log.contains("\"declared\""))
            })
            .collect();
        runs.sort();
        runs.pop()
    }

    pub fn read(home: &Home) -> Result<Log, Failed> {
        let folder = Log::folder(home).ok_or("no run of an experiment")?;
        let text = fs::read(folder.join("events.jsonl"))?;
        let mut log = Log::default();
        let mut started: BTreeMap<u64, String> = BTreeMap::new();
        // Text after the last newline was never acknowledged.
        let end = text.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
        for line in text[..end].split(|&b| b == b'\n').filter(|line| !line.is_empty()) {
            let event: Value = serde_json::from_slice(line)?;
            match event["event"].as_str() {
                Some("trial_finished") => log.trials += 1,
                Some("run_finished") => log.finished = true,
                Some("experiment") => log.step(&event["step"], &mut started),
                _ => {}
            }
        }
        Ok(log)
    }

    fn step(&mut self, step: &Value, started: &mut BTreeMap<u64, String>) {
        let text = |key: &str| step[key].as_str().unwrap_or_default().to_string();
        match step["step"].as_str() {
            Some("resumed") => self.resumed += 1,
            Some("not-restored") => self.not_restored.push(format!("{}: {}", text("factor"), text("cause"))),
            Some("cell-started") => {
                let cell = &step["cell"];
                let number = cell["number"].as_u64().unwrap_or_default();
                started.insert(number, format!("{} {}", cell["probe"], cell["levels"]));
            }
            Some("cell-ended") => {
                let number = step["number"].as_u64().unwrap_or_default();
                *self.ended.entry(number).or_default() += 1;
                self.cells.extend(started.get(&number).map(|cell| (number, cell.clone())));
                self.outcomes.push(step["outcome"]["outcome"].as_str().unwrap_or_default().to_string());
            }
            _ => {}
        }
    }

    pub fn with_outcome(&self, outcome: &str) -> usize {
        self.outcomes.iter().filter(|o| *o == outcome).count()
    }

    pub fn deduplicated(&self, cells: u64) -> bool {
        self.ended.keys().copied().eq(1..=cells) && self.ended.values().all(|times| *times == 1)
    }
}
