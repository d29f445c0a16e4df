//! Experiments interrupted by Ctrl-C and kill -9, and resumed.

use super::log::Log;
use super::{LONGEST, STUDY, file, knob_study, run, sack, study};
use crate::stage::{Home, Lab};
use crate::{CommandOutput, must};
use std::fs;
use std::time::Duration;

pub fn until(home: &Home, cells: usize) -> CommandOutput {
    let behind = |log: Log| if log.finished { 0 } else { log.ended.len() };
    let are = || Ok(Log::read(home).map_or(0, behind) >= cells);
    crate::stage::until(&format!("{cells} cells"), Duration::from_secs(60), are)
}

pub fn interrupted() -> CommandOutput {
    let home = Home::new();
    let folder = study(&home, "interrupted", STUDY)?.display().to_string();
    let running = home.start(["run", &folder]);
    until(&home, 2)?;
    running.signal("INT");
    let ran = running.within(LONGEST).ended(130)?;
    must!(ran.stderr.contains("--resume"), "{}", ran.stderr);
    must!(!home.line("lab list --json").ended(0)?.stdout.contains("exp-interrupted"), "the lab is gone");
    let before = Log::read(&home)?;
    must!(!before.finished && before.ended.len() < 8, "{before:?}");
    study(&home, "interrupted", &STUDY.replace("300ms", "301ms"))?;
    let refused = run(&home, &[&folder, "--resume"]).ended(2)?;
    must!(refused.stderr.contains("has changed"), "{}", refused.stderr);
    study(&home, "interrupted", STUDY)?;
    run(&home, &[&folder, "--resume"]).ended(0)?;
    let log = Log::read(&home)?;
    must!(log.finished && log.deduplicated(8) && log.resumed == 1, "{log:?}");
    Ok(())
}

/// Killed with changed levels on hosts that remain.
pub fn killed() -> CommandOutput {
    let home = Home::new();
    let lab = Lab::up(&home, "levels", &[])?;
    let before = sack(&lab)?;
    let path = file(&home, &knob_study(&lab, 2))?;
    let running = home.start(["run", &path]);
    until(&home, 3)?;
    let moment = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.subsec_nanos() % 700;
    std::thread::sleep(Duration::from_millis(moment.into()));
    running.signal("KILL");
    running.end();
    let torn = Log::read(&home)?;
    must!(!torn.finished && torn.ended.len() >= 3, "killed after {moment} ms: {torn:?}");
    let ran = run(&home, &[&path, "--resume", "--json"]).ended(0)?;
    let log = Log::read(&home)?;
    must!(log.finished && log.deduplicated(12), "killed after {moment} ms: {log:?}");
    must!(torn.ended.keys().all(|number| log.cells[number] == torn.cells[number]), "{log:?}");
    must!(log.not_restored.is_empty(), "{log:?}");
    must!(sack(&lab)? == before, "killed after {moment} ms: {:?}, before {before:?}", sack(&lab));
    let cells = ran.json()?["experiment"]["cells"].as_array().map(Vec::len);
    must!(cells == Some(6), "{cells:?}");
    let path = file(&home, &knob_study(&lab, 60))?;
    let first = home.start(["run", &path]);
    until(&home, 1)?;
    let folder = Log::folder(&home).ok_or("no run")?;
    let second = run(&home, &[&path, "--resume", &folder.display().to_string()]).ended(4)?;
    must!(second.stderr.contains("another program"), "{}", second.stderr);
    first.signal("INT");
    first.within(LONGEST).ended(130)?;
    must!(sack(&lab)? == before, "{:?}, before {before:?}", sack(&lab));
    must!(fs::read_dir(home.runs())?.flatten().all(|e| e.path().is_dir()), "no journal is left");
    Ok(())
}
