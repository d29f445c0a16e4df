//! The five studies in own labs: every cell is measured, no answer contradicts EXPECTED.md. Quick forms
//! accept "not known"; `make prove` runs full length, and requires the expected answers (`beyond.rs`).

mod beyond;

use crate::stage::*;
use beyond::Measured;
use goodput_testkit::repository_path;

/// Time limits of quick form and full length.
const LONGEST: [Duration; 2] = [Duration::from_secs(600), Duration::from_secs(7200)];

/// The answer that contradicts it, and those that are expected at full length; none is any but the former.
#[derive(Debug)]
struct Expected(&'static str, &'static [&'static str]);

const YES: Expected = Expected("no", &["yes"]);
/// Yes at some combinations and no at others.
const MIXED: Expected = Expected("", &["mixed"]);
const YES_SOMEWHERE: Expected = Expected("no", &["yes", "mixed"]);
/// An undetected effect counts as none.
const NO: Expected = Expected("yes", &[]);
/// `beyond.rs` checks figures.
const NOT_NO: Expected = Expected("no", &[]);
const OPEN: Expected = Expected("", &[]);

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
    let document = home.start(words).within(LONGEST[usize::from(proving())]).ended(0)?.json()?;
    let experiment = &document["experiment"];
    let conclusions = list(&experiment["conclusions"]);
    let measured = |c: &Value| c["id"] != "failed" && c["id"] != "not-measured";
    must!(conclusions.iter().all(measured), "{conclusions:?}");
    let mut contradictions = Vec::new();
    for (at, wanted) in expected.iter().enumerate() {
        let conclusion = conclusions.iter().find(|c| c["question"] == at);
        let conclusion = conclusion.ok_or_else(|| format!("question {at} has no answer: {experiment}"))?;
        let (answer, text) = (conclusion["answer"].as_str().unwrap_or(""), &conclusion["text"]);
        println!("{name}, {at}: {answer}: {text}");
        let Expected(contradiction, certain) = wanted;
        if answer == *contradiction {
            contradictions.push((at, format!("{wanted:?} was to come: {text}")));
        }
        let met = answer != *contradiction && (certain.is_empty() || certain.contains(&answer));
        must!(!proving() || met, "{wanted:?} was to come: {answer}: {text}");
    }
    let questions = conclusions.iter().filter(|c| !c["question"].is_null()).count();
    must!(questions == expected.len(), "{questions} answers, {} expected", expected.len());
    if proving() {
        println!("{name}: {} {}", experiment["conclusions"], experiment["findings"]);
        beyond(&Measured(experiment))?;
    }
    let run = document["run"].as_str().ok_or("no run")?;
    let labs = home.json("lab list")?;
    let own = |lab: &Value| lab["name"].as_str().is_some_and(|name| name.ends_with(&run[run.len() - 8..]));
    must!(!list(&labs["labs"]).iter().any(own), "left behind: {labs}");
    Ok(contradictions)
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
    study("slow-pc-fast-nic", &[MIXED, YES_SOMEWHERE, YES_SOMEWHERE], beyond::slow_pc_fast_nic)
}

pub fn gigabit_bottleneck() -> CommandOutput {
    study("gigabit-bottleneck", &[YES, YES, NO, NO, YES], beyond::gigabit_bottleneck)
}

pub fn atm_vs_ethernet() -> CommandOutput {
    study(
        "atm-vs-ethernet",
        &[NO, YES, OPEN, OPEN, YES_SOMEWHERE, YES_SOMEWHERE, NO],
        beyond::atm_vs_ethernet,
    )
}

pub fn jumbo_frames() -> CommandOutput {
    study("jumbo-frames", &[YES, NO, YES], beyond::jumbo_frames)
}

pub fn server_adapters() -> CommandOutput {
    study("server-adapters", &[NO, OPEN, YES_SOMEWHERE, NOT_NO], beyond::server_adapters)
}
