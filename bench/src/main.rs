//! Measures this program against its peers: iperf3, NPtcp, nuttcp, sockperf, qperf, xfr and a plain loop, on the
//! same veth pair, in interleaved pairs, and writes `bench/RESULTS.md`. Run it as `make bench`, as root, with
//! nothing else on the machine.

mod ask;
mod contender;
mod cpu;
mod error;
mod network;
mod ours;
mod peers;
mod plan;
mod process;
mod ratios;
mod raw;
mod results;
mod state;
mod sys;
mod trial;

use crate::contender::Program;
use crate::cpu::Meter;
use crate::error::BenchError;
use crate::network::Network;
use crate::peers::Programs;
use crate::plan::{Part, Plan, Slot};
use crate::results::Facts;
use crate::state::{Record, State};
use clap::{Parser, Subcommand, ValueEnum};
use goodput_analysis::claim::Verdict;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Measures goodput against its peers on one veth pair, in interleaved pairs.
#[derive(Debug, Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Options {
    #[command(subcommand)]
    raw: Option<RawLoop>,
    /// Parts to measure [default: all]
    ///
    /// The environment variable ONLY says the same when none is typed.
    #[arg(value_enum)]
    parts: Vec<Part>,
    /// A few pairs only; decides nothing
    #[arg(long)]
    quick: bool,
    /// Print the trials and the estimated time, measure nothing
    #[arg(long)]
    plan: bool,
    /// Write the results of what has been measured so far, measure nothing
    #[arg(long)]
    report: bool,
    /// The program to measure
    #[arg(long, env = "GOODPUT", default_value = "target/release/goodput")]
    goodput: PathBuf,
    /// Folder of the bench: state/ and RESULTS.md are in it
    #[arg(long, default_value = "bench")]
    folder: PathBuf,
}

/// The ends of the plain loop.
#[derive(Debug, Subcommand)]
enum RawLoop {
    /// Sends messages, one write each, until the window has closed
    RawSend(raw::RawSend),
    /// Receives one connection and counts what comes in its window
    RawReceive(raw::RawReceive),
}

/// Busy share without load, in CPUs, up to which a machine counts as quiet.
const QUIET: f64 = 0.1;
/// How long to wait for it.
const PATIENCE: Duration = Duration::from_secs(60);

const ALL: [Program; 8] = [
    Program::Goodput,
    Program::Raw,
    Program::Iperf3,
    Program::NpTcp,
    Program::Nuttcp,
    Program::Sockperf,
    Program::Qperf,
    Program::Xfr,
];

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match &options.raw {
        Some(RawLoop::RawSend(o)) => raw::send(o).map(|()| 0).map_err(|source| loop_failed("sender", source)),
        Some(RawLoop::RawReceive(o)) => {
            raw::receive(o).map(|()| 0).map_err(|source| loop_failed("receiver", source))
        }
        None => bench(&options),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(BenchError::Interrupted) => {
            eprintln!("interrupted; the same command goes on from here");
            ExitCode::from(130)
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(4)
        }
    }
}

fn loop_failed(end: &str, source: std::io::Error) -> BenchError {
    BenchError::File { what: format!("the {end} of the raw loop"), source }
}

/// Measures what is missing and writes the page. 0 when no claim fails, 1 when one does.
fn bench(options: &Options) -> Result<u8, BenchError> {
    let folder = options.folder.join("state");
    let programs = programs(options, &folder)?;
    let mut facts = versions(&programs);
    let there: Vec<Program> = facts.versions.iter().map(|v| v.0).collect();
    if !there.contains(&Program::Goodput) && !options.plan {
        let hint = "build it first: cargo build --release -p goodput, or name it by GOODPUT=";
        return Err(BenchError::Machine(format!("{} cannot be run; {hint}", programs.goodput.display())));
    }
    let plan = Plan::new(&there, options.quick);
    let parts = match options.parts.as_slice() {
        [] => only(&std::env::var("ONLY").unwrap_or_default())?,
        parts => parts.to_vec(),
    };
    let slots = plan.slots(&parts);
    let host = goodput_host::facts();
    facts.machine = vec![
        format!("{} × {}, kernel {}", host.cpus, host.cpu_model, host.kernel),
        format!("state: {}", if options.quick { "quick look" } else { "full" }),
    ];
    let name = if options.quick { "quick" } else { "trials" };
    let mut state = State::open(&folder, name, fingerprint(&plan, &programs, &facts)?)?;
    let missing: Vec<Slot> = slots.iter().copied().filter(|s| state.get(&plan.key(s)).is_none()).collect();
    for (program, why) in &facts.missing {
        eprintln!("without {}: {why}", program.name());
    }
    eprintln!(
        "{} trials, {} of them done; about {:.0} min for the rest; state in {}",
        slots.len(),
        slots.len() - missing.len(),
        plan.estimate(&missing).as_secs_f64() / 60.0,
        state.path().display()
    );
    if options.plan {
        slots.iter().for_each(|s| println!("{}", plan.key(s)));
        return Ok(0);
    }
    let outcome = if options.report { Ok(()) } else { measure(&plan, &programs, &missing, &mut state) };
    if state.records().next().is_none() {
        // An empty page would only take the place of a good one.
        return outcome.map(|()| 0);
    }
    let rows = results::rows(&plan, &state);
    if let Ok(text) = std::fs::read_to_string("/proc/sys/net/ipv4/tcp_congestion_control") {
        facts.machine.push(format!("default congestion control: {}", text.trim()));
    }
    let page = results::page(&plan, &state, &facts, &rows);
    let file = match options.quick {
        true => folder.join("RESULTS-quick.md"),
        false => options.folder.join("RESULTS.md"),
    };
    std::fs::write(&file, page)
        .map_err(|source| BenchError::File { what: format!("cannot write {}", file.display()), source })?;
    print!("{}", results::summary(&rows));
    eprintln!("written: {}", file.display());
    outcome?;
    let fails = rows.iter().any(|r| r.ask.claimed && r.decision.verdict == Verdict::Fails);
    Ok(u8::from(fails))
}

/// The parts that a text names, separated by spaces or commas; all of them when it names none.
fn only(text: &str) -> Result<Vec<Part>, BenchError> {
    let words = text.split([' ', ',']).filter(|w| !w.is_empty());
    let parts = words.map(|word| {
        let refuse = |_| BenchError::Machine(format!("ONLY={word} is no part: stream, pingpong or request"));
        Part::from_str(word, false).map_err(refuse)
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.is_empty() { vec![Part::Stream, Part::Pingpong, Part::Request] } else { parts })
}

/// Runs the trials that are missing, in their order.
fn measure(plan: &Plan, programs: &Programs, missing: &[Slot], state: &mut State) -> Result<(), BenchError> {
    if missing.is_empty() {
        return Ok(());
    }
    let cpus = goodput_host::facts().cpus;
    if cpus < 2 {
        return Err(BenchError::Machine(format!("two CPUs are needed, this machine has {cpus}")));
    }
    sys::catch_interrupts();
    let network = Network::raise()?;
    let (start, mut idle, mut block) = (Instant::now(), 0.0, None);
    for (i, slot) in missing.iter().enumerate() {
        if block != Some(slot.block) {
            block = Some(slot.block);
            idle = quiet(&network, plan.quick)?;
        }
        let contender = plan.contender(slot);
        let (b, a) = trial::commands(programs, contender);
        let result = trial::run(&network, programs, contender, idle);
        if sys::interrupted() {
            return Err(BenchError::Interrupted);
        }
        let (reading, error) = match result {
            Ok(reading) => (Some(reading), None),
            Err(BenchError::Interrupted) => return Err(BenchError::Interrupted),
            Err(e) => (None, Some(relative(&e.to_string()))),
        };
        let left = start.elapsed().mul_f64(remaining(plan, missing, i + 1));
        let said = reading.as_ref().map_or_else(|| error.clone().unwrap_or_default(), told);
        eprintln!(
            "[{}/{}, {:.0} min left] {}: {said}",
            i + 1,
            missing.len(),
            left.as_secs_f64() / 60.0,
            plan.key(slot)
        );
        let at = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
        let commands = (relative(&b.join(" ")), relative(&a.join(" ")));
        state.add(Record { key: plan.key(slot), at, idle, commands, reading, error })?;
    }
    Ok(())
}

/// Waits until nothing else runs and returns how busy the machine is without load, in CPUs. A quick look only warns.
fn quiet(network: &Network, quick: bool) -> Result<f64, BenchError> {
    let start = Instant::now();
    loop {
        let idle = Meter::idle(network, Duration::from_secs(1))?;
        if idle <= QUIET {
            return Ok(idle);
        }
        eprintln!("{:.0} % of a CPU is busy with something else", idle * 100.0);
        if quick {
            return Ok(idle);
        }
        if sys::interrupted() {
            return Err(BenchError::Interrupted);
        }
        if start.elapsed() > PATIENCE {
            let why = "the machine is busy with something else; the same command goes on when it is quiet";
            return Err(BenchError::Machine(why.into()));
        }
    }
}

/// The text with paths as seen from here: where the project lies on this machine is nobody's business.
fn relative(text: &str) -> String {
    let here = std::env::current_dir().map(|d| format!("{}/", d.display())).unwrap_or_default();
    if here.len() > 1 { text.replace(&here, "") } else { text.to_string() }
}

/// What is left over what is done, by the estimates.
fn remaining(plan: &Plan, slots: &[Slot], done: usize) -> f64 {
    let (before, after) = slots.split_at(done);
    plan.estimate(after).as_secs_f64() / plan.estimate(before).as_secs_f64().max(0.001)
}

/// A reading in a few words.
fn told(reading: &contender::Reading) -> String {
    let cpu = reading.cpu_ns_per_byte.map_or(String::new(), |c| format!(", {c:.3} ns of CPU a byte"));
    match (reading.goodput_bps, reading.rate) {
        (Some(bps), _) => format!("{:.3} Gbit/s{cpu}", bps / 1e9),
        (_, Some(rate)) => format!("{rate:.0}/s, {:.1} µs", reading.round_trip_ns.unwrap_or(f64::NAN) / 1e3),
        _ => format!("{} sizes in {:.1} s", reading.points.len(), reading.wall_s),
    }
}

/// Where the programs are; makes a lab key for ours when there is none yet.
fn programs(options: &Options, folder: &Path) -> Result<Programs, BenchError> {
    let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let wrong = |what: &str, source| BenchError::File { what: what.into(), source };
    std::fs::create_dir_all(folder).map_err(|e| wrong("cannot make the state folder", e))?;
    let bench = std::env::current_exe().map_err(|e| wrong("cannot find this program's own file", e))?;
    let (goodput, key) = (absolute(&options.goodput), absolute(&folder.join("lab.key")));
    if !key.exists() && goodput.exists() {
        let made = Command::new(&goodput).args(["key", "new", "--output"]).arg(&key).output();
        let made =
            made.map_err(|source| BenchError::Start { program: goodput.display().to_string(), source })?;
        if !made.status.success() {
            let said = error::tail(&String::from_utf8_lossy(&made.stderr));
            return Err(BenchError::Ended {
                program: "goodput key new".into(),
                status: made.status.to_string(),
                said,
            });
        }
    }
    Ok(Programs { goodput, key, bench, xfr: absolute(&folder.join("xfr/bin/xfr")) })
}

fn versions(programs: &Programs) -> Facts {
    let mut facts = Facts::default();
    for program in ALL {
        match programs.version(program) {
            Ok(version) => facts.versions.push((program, version)),
            Err(why) => facts.missing.push((program, why)),
        }
    }
    facts
}

/// What the trials of one state file have in common: plan, machine, versions, and our program byte for byte.
fn fingerprint(plan: &Plan, programs: &Programs, facts: &Facts) -> Result<u64, BenchError> {
    let ours = std::fs::read(&programs.goodput).unwrap_or_default();
    let plan = serde_json::to_vec(plan)
        .map_err(|e| BenchError::File { what: "cannot write the plan down".into(), source: e.into() })?;
    let facts = format!("{:?} {:?} {}", facts.machine, facts.versions, raw::LOOP_VERSION);
    Ok(state::fingerprint([ours.as_slice(), &plan, facts.as_bytes()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_by_name() {
        assert_eq!(only("").unwrap().len(), 3);
        assert_eq!(only("request, stream").unwrap(), [Part::Request, Part::Stream]);
        assert!(only("streams").unwrap_err().to_string().contains("ONLY=streams"));
    }

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Options::command().debug_assert();
    }
}
