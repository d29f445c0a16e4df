//! Reads the log of an experiment's run without the program.

use crate::stage::*;
use std::collections::BTreeMap;

#[derive(Debug, Default)]
pub struct Log {
    pub steps: Vec<Value>,
    /// Number of ends of each cell.
    pub ended: BTreeMap<u64, u32>,
    pub outcomes: Vec<String>,
    /// Levels and probe of each finished cell.
    pub cells: BTreeMap<u64, String>,
    pub trials: u32,
    pub finished: bool,
}

impl Log {
    pub fn folder(home: &Home) -> Option<PathBuf> {
        let runs = fs::read_dir(home.runs()).ok()?.flatten().map(|entry| entry.path());
        let declared = |log: String| log.contains("\"declared\"");
        runs.filter(|path| fs::read_to_string(path.join("events.jsonl")).is_ok_and(declared)).max()
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
        self.steps.push(step.clone());
        match step["step"].as_str() {
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

    pub fn of_kind(&self, kind: &str) -> Vec<&Value> {
        self.steps.iter().filter(|step| step["step"] == kind).collect()
    }

    pub fn with_outcome(&self, outcome: &str) -> usize {
        self.outcomes.iter().filter(|o| *o == outcome).count()
    }

    /// So many cells are measured.
    pub fn all_done(&self, cells: usize) -> bool {
        self.outcomes.len() == cells && self.with_outcome("done") == cells
    }

    /// Why the second of two cells was not measured, because its level was not set.
    pub fn second_not_set(&self) -> Result<String, Failed> {
        must!(self.outcomes == ["done", "not-set"], "{:?}", self.steps);
        Ok(self.of_kind("cell-ended")[1]["outcome"]["cause"].to_string())
    }

    pub fn deduplicated(&self, cells: u64) -> bool {
        self.ended.keys().copied().eq(1..=cells) && self.ended.values().all(|times| *times == 1)
    }
}
