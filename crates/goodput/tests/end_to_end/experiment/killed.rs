//! Experiments interrupted by Ctrl-C and kill -9, and resumed.

use super::log::Log;
use super::{LONGEST, STUDY, knob_study, run, sack, study};
use crate::stage::*;
use std::time::{SystemTime, UNIX_EPOCH};

pub fn until(home: &Home, cells: usize) -> CommandOutput {
    let behind = |log: Log| if log.finished { 0 } else { log.ended.len() };
    let are = || Ok(Log::read(home).map_or(0, behind) >= cells);
    crate::stage::until(&format!("{cells} cells"), Duration::from_secs(60), are)
}

pub fn interrupted() -> CommandOutput {
    let home = Home::new();
    let folder = study(&home, "interrupted", STUDY)?;
    let running = home.start(["run", &folder]);
    until(&home, 2)?;
    running.signal("INT");
    let ran = running.within(LONGEST).ended(130)?;
    must!(ran.stderr.contains("--resume"), "{}", ran.stderr);
    must!(!home.json("lab list")?.to_string().contains("exp-interrupted"), "the lab is gone");
    let before = Log::read(&home)?;
    must!(!before.finished && before.ended.len() < 8, "{before:?}");
    study(&home, "interrupted", &STUDY.replace("300ms", "301ms"))?;
    run(&home, &[&folder, "--resume"]).refused(2, &["has changed"])?;
    study(&home, "interrupted", STUDY)?;
    run(&home, &[&folder, "--resume"]).ended(0)?;
    let log = Log::read(&home)?;
    must!(log.finished && log.deduplicated(8) && log.of_kind("resumed").len() == 1, "{log:?}");
    Ok(())
}

/// Killed with changed levels on hosts that remain.
pub fn killed() -> CommandOutput {
    let lab = Lab::up("levels", &[])?;
    let before = sack(&lab)?;
    let path = lab.home.file("story.toml", knob_study(&lab, 2))?;
    let running = lab.home.start(["run", &path]);
    until(&lab.home, 3)?;
    let moment = SystemTime::now().duration_since(UNIX_EPOCH)?.subsec_nanos() % 700;
    std::thread::sleep(Duration::from_millis(moment.into()));
    running.signal("KILL");
    running.end();
    let torn = Log::read(&lab.home)?;
    must!(!torn.finished && torn.ended.len() >= 3, "killed after {moment} ms: {torn:?}");
    let ran = run(&lab.home, &[&path, "--resume", "--json"]).ended(0)?;
    let log = Log::read(&lab.home)?;
    must!(log.finished && log.deduplicated(12), "killed after {moment} ms: {log:?}");
    must!(torn.ended.keys().all(|number| log.cells[number] == torn.cells[number]), "{log:?}");
    must!(log.of_kind("not-restored").is_empty() && sack(&lab)? == before, "{:?}, {log:?}", sack(&lab));
    must!(list(&ran.json()?["experiment"]["cells"]).len() == 6, "{}", ran.stdout);
    let path = lab.home.file("story.toml", knob_study(&lab, 60))?;
    let first = lab.home.start(["run", &path]);
    until(&lab.home, 1)?;
    let folder = Log::folder(&lab.home).ok_or("no run")?;
    let second = run(&lab.home, &[&path, "--resume", &folder.display().to_string()]);
    second.refused(4, &["another program"])?;
    first.signal("INT");
    first.within(LONGEST).ended(130)?;
    must!(sack(&lab)? == before, "{:?}, before {before:?}", sack(&lab));
    must!(fs::read_dir(lab.home.runs())?.flatten().all(|e| e.path().is_dir()), "no journal is left");
    Ok(())
}

const KILLS: u32 = 100;
const CELLS: u64 = 60;

/// No cell is lost or repeated, the table is complete, and every setting is restored.
pub fn hundred_kills() -> CommandOutput {
    let lab = Lab::up("kills", &[])?;
    let before = sack(&lab)?;
    let path = lab.home.file("story.toml", knob_study(&lab, 10))?;
    let seed = SystemTime::now().duration_since(UNIX_EPOCH)?.as_nanos() as u64 | 1;
    let mut state = seed;
    let (mut kills, mut ends, mut furthest) = (0, 0, 0);
    while kills < KILLS {
        let fresh = Log::read(&lab.home).map_or(true, |log| log.finished);
        let words: &[&str] = if fresh { &["run", &path] } else { &["run", &path, "--resume"] };
        let running = lab.home.start(words);
        // xorshift64, Marsaglia 2003: moments between 0 and 1.2 s; failures report the seed.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        std::thread::sleep(Duration::from_millis(state % 1200));
        running.signal("KILL");
        let ended = running.end().status.code() == Some(0);
        let Ok(log) = Log::read(&lab.home) else { continue };
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
    let killed = run(&lab.home, &[&path, "--resume", "--json"]);
    let killed = match killed.status.code() {
        Some(2) => lab.home.json("show")?,
        _ => killed.ended(0)?.json()?,
    };
    let log = Log::read(&lab.home)?;
    must!(log.finished && log.deduplicated(CELLS), "seed {seed}: {log:?}");
    must!(log.with_outcome("done") == CELLS as usize, "seed {seed}: {:?}", log.outcomes);
    must!(sack(&lab)? == before, "seed {seed}: {:?}, before {before:?}", sack(&lab));

    // An uninterrupted experiment has a table of the same shape.
    let other = Home::new();
    let path = other.file("story.toml", knob_study(&lab, 10))?;
    let whole = run(&other, &[&path, "--json"]).ended(0)?.json()?;
    let shape = |document: &Value| -> Vec<String> {
        let cells = list(&document["experiment"]["cells"]).iter();
        cells.map(|c| format!("{} {} {} {}", c["probe"], c["levels"], c["figure"], c["n"])).collect()
    };
    must!(shape(&killed) == shape(&whole), "seed {seed}: {:?} and {:?}", shape(&killed), shape(&whole));
    Ok(())
}
