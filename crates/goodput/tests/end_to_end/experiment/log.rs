//! The log of an experiment's run, read without the program.

use crate::stage::Home;
use libtest_mimic::Failed;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

/// What the log of the newest run says.
#[derive(Debug, Default)]
pub struct Log {
    /// How often each cell ended, by its number.
    pub ended: BTreeMap<u64, u32>,
    pub outcomes: Vec<String>,
    /// Levels of each cell that ended, with its probe.
    pub cells: BTreeMap<u64, String>,
    /// Times that the run was taken up again.
    pub resumed: u32,
    /// What could not be put back.
    pub not_restored: Vec<String>,
    pub trials: u32,
    /// The run ended in good order.
    pub finished: bool,
}

impl Log {
    /// The folder of the newest run that is an experiment's; `None` where there is none.
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
        // What stands behind the last newline was never acknowledged.
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

    /// Every cell of the plan once, none twice.
    pub fn each_once(&self, cells: u64) -> bool {
        self.ended.keys().copied().eq(1..=cells) && self.ended.values().all(|times| *times == 1)
    }
}
