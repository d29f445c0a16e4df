//! A hundred kills during one experiment of sixty cells.

use super::log::Log;
use super::{file, knob_study, run, sack};
use crate::stage::{Home, Lab};
use crate::{CommandOutput, must};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const KILLS: u32 = 100;
const CELLS: u64 = 60;

/// Moments between 0 and 1.2 s; failures report the seed.
struct Moments(u64);

impl Moments {
    fn next(&mut self) -> Duration {
        // xorshift64, Marsaglia 2003.
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        Duration::from_millis(self.0 % 1200)
    }
}

/// No cell is lost or repeated, the table is complete, and every setting is restored.
pub fn hundred_kills() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "kills", &[])?;
    let before = sack(&lab)?;
    let path = file(&home, &knob_study(&lab, 10))?;
    let seed = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64 | 1;
    let mut moments = Moments(seed);
    let (mut kills, mut ends, mut furthest) = (0, 0, 0);
    while kills < KILLS {
        let fresh = Log::read(&home).map_or(true, |log| log.finished);
        let words: &[&str] = if fresh { &["run", &path] } else { &["run", &path, "--resume"] };
        let running = home.start(words);
        std::thread::sleep(moments.next());
        running.signal("KILL");
        let ended = running.end().status.code() == Some(0);
        let Ok(log) = Log::read(&home) else { continue };
        must!(log.ended.values().all(|times| *times == 1), "seed {seed}, kill {kills}: {log:?}");
        kills += u32::from(!ended);
        if log.finished {
            // Finished before the kill, or killed before its report.
            must!(log.deduplicated(CELLS), "seed {seed}, kill {kills}: {log:?}");
            must!(sack(&lab)? == before, "seed {seed}, kill {kills}");
            (ends, furthest) = (ends + 1, 0);
            continue;
        }
        let cells = log.ended.len();
        must!(cells >= furthest, "seed {seed}, kill {kills}: {cells} of {furthest} cells, {log:?}");
        furthest = cells;
    }
    println!("seed {seed}: {KILLS} kills, {ends} whole experiments and {furthest} of {CELLS} cells");
    let killed = run(&home, &[&path, "--resume", "--json"]);
    let killed = match killed.status.code() {
        Some(2) => home.json("show")?,
        _ => killed.ended(0)?.json()?,
    };
    let log = Log::read(&home)?;
    must!(log.finished && log.deduplicated(CELLS), "seed {seed}: {log:?}");
    must!(log.with_outcome("done") == CELLS as usize, "seed {seed}: {:?}", log.outcomes);
    must!(sack(&lab)? == before, "seed {seed}: {:?}, before {before:?}", sack(&lab));

    // An uninterrupted experiment has a table of the same shape.
    let other = Home::new();
    let path = file(&other, &knob_study(&lab, 10))?;
    let whole = run(&other, &[&path, "--json"]).ended(0)?.json()?;
    let shape = |document: &serde_json::Value| -> Vec<String> {
        let cells = document["experiment"]["cells"].as_array().cloned().unwrap_or_default();
        cells.iter().map(|c| format!("{} {} {} {}", c["probe"], c["levels"], c["figure"], c["n"])).collect()
    };
    must!(shape(&killed) == shape(&whole), "seed {seed}: {:?} and {:?}", shape(&killed), shape(&whole));
    Ok(())
}
