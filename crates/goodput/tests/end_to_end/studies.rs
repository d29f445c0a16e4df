//! The five studies in labs of their own: every cell is measured, and no answer contradicts EXPECTED.md.
//! Quick forms accept "not known"; `make prove` runs full length, and requires the expected answers
//! (`beyond.rs`).

mod beyond;

use crate::stage::{Home, list, proving};
use crate::{CommandOutput, must};
use beyond::Measured;
use goodput_testkit::repository_path;
use libtest_mimic::Failed;
use serde_json::Value;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time limits of quick form and full length.
const LONGEST: [Duration; 2] = [Duration::from_secs(600), Duration::from_secs(7200)];

/// Time for all five quick forms; reported, not asserted, since it depends on the machine.
const QUICK: Duration = Duration::from_secs(12 * 60);
static TOOK: Mutex<Duration> = Mutex::new(Duration::ZERO);

#[derive(Debug, Clone, Copy, PartialEq)]
enum Expected {
    Yes,
    No,
    /// Yes at some combinations and no at others.
    Mixed,
    YesSomewhere,
    /// Any answer but no; `beyond.rs` checks figures.
    NotNo,
    Open,
}

impl Expected {
    fn contradicted_by(self, answer: &str) -> bool {
        match self {
            Expected::Yes | Expected::YesSomewhere | Expected::NotNo => answer == "no",
            Expected::No => answer == "yes",
            Expected::Mixed | Expected::Open => false,
        }
    }

    fn met_by(self, answer: &str) -> bool {
        match self {
            Expected::Yes => answer == "yes",
            // An undetected effect counts as none.
            Expected::No => answer != "yes",
            Expected::Mixed => answer == "mixed",
            Expected::YesSomewhere => answer == "yes" || answer == "mixed",
            Expected::NotNo => answer != "no",
            Expected::Open => true,
        }
    }
}

/// Runs a study and checks its answers. Each answer is 95 % certain and there are about twenty: a quick
/// contradiction is repeated once.
fn study(name: &str, expected: &[Expected], beyond: fn(&Measured<'_>) -> CommandOutput) -> CommandOutput {
    let mut contradictions = answers(name, expected, beyond)?;
    if !contradictions.is_empty() && !proving() {
        println!("{name}: once more, because {contradictions:?}");
        let again = answers(name, expected, beyond)?;
        contradictions.retain(|(at, _)| again.iter().any(|(other, _)| other == at));
    }
    must!(contradictions.is_empty(), "{name}: {contradictions:?}");
    Ok(())
}

type Contradictions = Vec<(usize, String)>;

fn answers(
    name: &str,
    expected: &[Expected],
    beyond: fn(&Measured<'_>) -> CommandOutput,
) -> Result<Contradictions, Failed> {
    let home = Home::new();
    let folder = repository_path("studies").join(name).display().to_string();
    let mut words = vec!["run", &folder, "--yes", "--json"];
    if !proving() {
        words.push("--quick");
    }
    let ran = home.start(words).within(LONGEST[usize::from(proving())]).ended(0)?;
    let document = ran.json()?;
    let experiment = &document["experiment"];
    let conclusions = list(&experiment["conclusions"]);
    for conclusion in conclusions {
        let id = conclusion["id"].as_str().unwrap_or("");
        must!(!["failed", "not-measured"].contains(&id), "{conclusion}");
    }
    let asked = |at: usize| conclusions.iter().find(|c| c["question"].as_u64() == Some(at as u64));
    if proving() {
        for conclusion in conclusions.iter().filter(|c| c["question"].is_null()) {
            println!("{name}: {}: {}", conclusion["id"], conclusion["text"]);
        }
        for finding in list(&experiment["findings"]) {
            println!("{name}: {} {}: {}", finding["severity"], finding["id"], finding["text"]);
        }
    }
    let mut contradictions = Vec::new();
    for (at, wanted) in expected.iter().enumerate() {
        let conclusion = asked(at).ok_or_else(|| format!("question {at} has no answer: {experiment}"))?;
        let (answer, text) = (conclusion["answer"].as_str().unwrap_or(""), &conclusion["text"]);
        println!("{name}, {at}: {answer}: {text}");
        if wanted.contradicted_by(answer) {
            contradictions.push((at, format!("{wanted:?} was to come: {text}")));
        }
        must!(!proving() || wanted.met_by(answer), "{wanted:?} was to come: {answer}: {text}");
    }
    let questions = conclusions.iter().filter(|c| !c["question"].is_null()).count();
    must!(questions == expected.len(), "{questions} answers, {} expected", expected.len());
    if proving() {
        beyond(&Measured(experiment))?;
    }
    let mut took = TOOK.lock().unwrap_or_else(PoisonError::into_inner);
    *took += ran.took;
    println!("{name}: {:.0?}; studies until now {:.0?}, quick ones may take {QUICK:.0?}", ran.took, *took);
    drop(took);
    no_lab_left(&home, document["run"].as_str().ok_or("no run")?)?;
    Ok(contradictions)
}

fn no_lab_left(home: &Home, run: &str) -> CommandOutput {
    let end = run.get(run.len().saturating_sub(8)..).ok_or("no id")?;
    let labs = home.json("lab list")?;
    let names: Vec<&Value> = list(&labs["labs"]).iter().map(|lab| &lab["name"]).collect();
    let own = names.iter().filter(|name| name.as_str().is_some_and(|n| n.ends_with(end)));
    must!(own.count() == 0, "left behind: {names:?}");
    Ok(())
}

pub fn every_study_can_be_checked() -> CommandOutput {
    let home = Home::new();
    for study in
        ["slow-pc-fast-nic", "gigabit-bottleneck", "atm-vs-ethernet", "jumbo-frames", "server-adapters"]
    {
        let folder = repository_path("studies").join(study);
        must!(folder.join("EXPECTED.md").is_file(), "{study}");
        for more in ["", "--quick"] {
            let told = home.line(&format!("run {} --check {more}", folder.display())).ended(0)?.stdout;
            must!(told.contains("combination"), "{study}: {told}");
        }
    }
    let file = repository_path("studies/atm-vs-ethernet/published.toml");
    let told = home.line(&format!("report {} --format markdown", file.display())).ended(0)?.stdout;
    must!(told.contains("| atm155-nec | 54.90 | 79.28 |"), "{told}");
    Ok(())
}

pub fn slow_pc_fast_nic() -> CommandOutput {
    use Expected::{Mixed, YesSomewhere};
    study("slow-pc-fast-nic", &[Mixed, YesSomewhere, YesSomewhere], beyond::slow_pc_fast_nic)
}

pub fn gigabit_bottleneck() -> CommandOutput {
    use Expected::{No, Yes};
    study("gigabit-bottleneck", &[Yes, Yes, No, No, Yes], beyond::gigabit_bottleneck)
}

pub fn atm_vs_ethernet() -> CommandOutput {
    use Expected::{No, Open, Yes, YesSomewhere};
    study("atm-vs-ethernet", &[No, Yes, Open, Open, YesSomewhere, YesSomewhere, No], beyond::atm_vs_ethernet)
}

pub fn jumbo_frames() -> CommandOutput {
    use Expected::{No, Yes};
    study("jumbo-frames", &[Yes, No, Yes], beyond::jumbo_frames)
}

pub fn server_adapters() -> CommandOutput {
    use Expected::{No, NotNo, Open, YesSomewhere};
    study("server-adapters", &[No, Open, YesSomewhere, NotNo], beyond::server_adapters)
}
