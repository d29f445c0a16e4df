//! Measures this program against its peers (iperf3, NPtcp, nuttcp, sockperf, qperf, riperf3, plain loops) in
//! interleaved pairs on one veth pair. Writes `bench/results/PART.md` and the index `bench/RESULTS.md`. Run
//! `make bench` as root on an idle machine.

mod case;
mod contender;
mod cpu;
mod error;
mod files;
mod goodput_program;
mod measure;
mod metric;
mod network;
mod peer;
mod peers;
mod plan;
mod process;
mod ratios;
mod raw;
mod results;
mod state;
mod sys;
mod tree;
mod trial;

use crate::contender::Program;
use crate::error::BenchError;
use crate::peers::Programs;
use crate::plan::{BenchPart, Plan, Slot};
use crate::results::Facts;
use crate::state::{Records, State};
use clap::{Parser, Subcommand, ValueEnum};
use goodput_analysis::performance_claim::ClaimVerdict;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

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
    parts: Vec<BenchPart>,
    /// A few pairs only; decides nothing
    #[arg(long)]
    quick: bool,
    /// Measure only blocks whose name begins like this, for example stream.cubic.64; `--plan` names all
    #[arg(long, value_name = "NAME", default_value = "")]
    block: String,
    /// Print the trials and the estimated time, measure nothing
    #[arg(long)]
    plan: bool,
    /// Write the results of what has been measured so far, measure nothing
    #[arg(long)]
    report: bool,
    /// With --report: take the trials from this file, whatever its fingerprint. They must be of this machine and of the
    /// programs that are here, whose versions the page tells
    #[arg(long, value_name = "FILE", requires = "report")]
    trials: Option<PathBuf>,
    /// The program to measure
    #[arg(long, env = "GOODPUT", default_value = "target/release/goodput")]
    goodput: PathBuf,
    /// Folder of the bench: state/, results/ and RESULTS.md are in it
    #[arg(long, default_value = "bench")]
    folder: PathBuf,
}

/// The ends of the plain loops.
#[derive(Debug, Subcommand)]
enum RawLoop {
    /// Sends messages, one write each, until the window has closed
    #[command(name = "raw-send")]
    Send(raw::RawSend),
    /// Receives one connection and counts what comes in its window
    #[command(name = "raw-receive")]
    Receive(raw::RawReceive),
    /// Sends datagrams in buffers that the kernel cuts, until the window has closed
    #[command(name = "raw-send-datagrams")]
    SendDatagrams(raw::datagram::SendDatagrams),
    /// Receives datagrams merged by the kernel and counts what comes in its window
    #[command(name = "raw-receive-datagrams")]
    ReceiveDatagrams(raw::datagram::ReceiveDatagrams),
}

fn main() -> ExitCode {
    let options = Options::parse();
    let done = match &options.raw {
        Some(end) => raw_loop(end).map(|()| 0),
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

fn raw_loop(end: &RawLoop) -> Result<(), BenchError> {
    let (name, done) = match end {
        RawLoop::Send(o) => ("sender", raw::send(o)),
        RawLoop::Receive(o) => ("receiver", raw::receive(o)),
        RawLoop::SendDatagrams(o) => ("sender", raw::datagram::send(o).map(drop)),
        RawLoop::ReceiveDatagrams(o) => ("receiver", raw::datagram::receive(o)),
    };
    done.map_err(|source| BenchError::File { what: format!("the {name} of the raw loop"), source })
}

/// Measures missing trials and writes the pages. 0 when no claim fails, 1 when one does.
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
    let mut parts = match options.parts.as_slice() {
        [] => only(&std::env::var("ONLY").unwrap_or_default())?,
        parts => parts.to_vec(),
    };
    parts.sort();
    parts.dedup();
    let slots = plan.slots(&parts);
    let host = goodput_host::host_facts();
    facts.machine = vec![
        format!("{} × {}, kernel {}", host.cpus, host.cpu_model, host.kernel),
        format!("state: {}", if options.quick { "quick look" } else { "full" }),
    ];
    for (program, why) in &facts.missing {
        eprintln!("without {}: {why}", program.name());
    }
    if let Some(file) = &options.trials {
        let records = Records::read(file)?;
        let found = slots.iter().filter(|s| records.get(&plan.key(s)).is_some()).count();
        eprintln!(
            "{found} of the {} trials are in {}, which has {}",
            slots.len(),
            file.display(),
            records.len()
        );
        return write(options, &plan, &facts, parts.iter().map(|p| (*p, &records)));
    }
    let mut states = BTreeMap::new();
    for part in &parts {
        let name = format!("{}{}", part.name(), if options.quick { "-quick" } else { "" });
        let fingerprint = fingerprint(*part, &plan, &programs, &facts.of(&plan::programs(*part)))?;
        states.insert(*part, State::open(&folder, &name, fingerprint)?);
    }
    let done = |s: &Slot| {
        let state = states.get(&plan.blocks[s.block].part);
        state.is_some_and(|state| state.records().get(&plan.key(s)).is_some())
    };
    let asked = |s: &Slot| plan.blocks[s.block].id.starts_with(&options.block);
    let missing: Vec<Slot> = slots.iter().copied().filter(|s| asked(s) && !done(s)).collect();
    eprintln!(
        "{} trials, {} of them done; about {:.0} min for what is missing",
        slots.len(),
        slots.iter().filter(|s| done(s)).count(),
        plan.estimate(&missing).as_secs_f64() / 60.0,
    );
    states.values().for_each(|s| eprintln!("state in {}", s.path().display()));
    if options.plan {
        slots.iter().for_each(|s| println!("{}", plan.key(s)));
        return Ok(0);
    }
    let outcome = match options.report {
        true => Ok(()),
        false => measure::measure(&plan, &programs, &missing, &mut states),
    };
    let code = write(options, &plan, &facts, states.iter().map(|(part, state)| (*part, state.records())))?;
    outcome.map(|()| code)
}

fn write<'a>(
    options: &Options,
    plan: &Plan,
    facts: &Facts,
    parts: impl Iterator<Item = (BenchPart, &'a Records)>,
) -> Result<u8, BenchError> {
    let folder = match options.quick {
        true => options.folder.join("state/quick"),
        false => options.folder.join("results"),
    };
    let wrong =
        |file: &Path, source| BenchError::File { what: format!("cannot write {}", file.display()), source };
    std::fs::create_dir_all(&folder).map_err(|e| wrong(&folder, e))?;
    let mut fails = false;
    for (part, records) in parts {
        if plan.slots(&[part]).iter().all(|s| records.get(&plan.key(s)).is_none()) {
            // Do not replace a page by an empty one.
            continue;
        }
        let mut facts = facts.of(&plan::programs(part));
        if let (Ok(text), true) = (
            std::fs::read_to_string("/proc/sys/net/ipv4/tcp_congestion_control"),
            !matches!(part, BenchPart::Datagram | BenchPart::File),
        ) {
            facts.machine.push(format!("default congestion control: {}", text.trim()));
        }
        let rows = results::rows(plan, part, records);
        let file = folder.join(format!("{}.md", part.name()));
        std::fs::write(&file, results::page(plan, part, records, &facts, &rows))
            .map_err(|e| wrong(&file, e))?;
        print!("{}", results::summary(&rows));
        eprintln!("written: {}", file.display());
        fails |= rows.iter().any(|r| r.ask.claimed && r.decision.verdict == ClaimVerdict::Fails);
    }
    if !options.quick {
        let page =
            |part: &BenchPart| std::fs::read_to_string(folder.join(format!("{}.md", part.name()))).ok();
        let pages: Vec<_> = BenchPart::ALL.iter().map(|part| (*part, page(part))).collect();
        let file = options.folder.join("RESULTS.md");
        std::fs::write(&file, results::index::index(&pages)).map_err(|e| wrong(&file, e))?;
    }
    Ok(u8::from(fails))
}

/// Separated by spaces or commas; empty selects all.
fn only(text: &str) -> Result<Vec<BenchPart>, BenchError> {
    let words = text.split([' ', ',']).filter(|w| !w.is_empty());
    let parts = words.map(|word| {
        let names = BenchPart::ALL.map(BenchPart::name).join(", ");
        let refuse = |_| BenchError::Machine(format!("ONLY={word} is no part; the parts are {names}"));
        BenchPart::from_str(word, false).map_err(refuse)
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    Ok(if parts.is_empty() { BenchPart::ALL.to_vec() } else { parts })
}

/// Creates a lab key if missing.
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
    Ok(Programs { goodput, key, bench, riperf3: absolute(&folder.join("riperf3/bin/riperf3")) })
}

fn versions(programs: &Programs) -> Facts {
    let mut facts = Facts::default();
    for program in Program::ALL {
        match programs.version(program) {
            Ok(version) => facts.versions.push((program, version)),
            Err(why) => facts.missing.push((program, why)),
        }
    }
    facts
}

/// Identifies trials of one state file: plan, machine, versions, and our program's bytes.
fn fingerprint(part: BenchPart, plan: &Plan, programs: &Programs, facts: &Facts) -> Result<u64, BenchError> {
    let ours = std::fs::read(&programs.goodput).unwrap_or_default();
    let blocks: Vec<_> = plan.of(part).collect();
    let plan = serde_json::to_vec(&blocks)
        .map_err(|e| BenchError::File { what: "cannot write the plan down".into(), source: e.into() })?;
    let raw = match part {
        BenchPart::Datagram => raw::datagram::LOOP_VERSION,
        BenchPart::Stream | BenchPart::Pingpong | BenchPart::Request => raw::LOOP_VERSION,
        BenchPart::File => files::VERSION,
    };
    let facts = format!("{:?} {:?} {raw}", facts.machine, facts.versions);
    Ok(state::fingerprint([ours.as_slice(), &plan, facts.as_bytes()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_by_name() {
        assert_eq!(only("").unwrap(), BenchPart::ALL);
        assert_eq!(only("request, stream").unwrap(), [BenchPart::Request, BenchPart::Stream]);
        assert!(only("streams").unwrap_err().to_string().contains("ONLY=streams"));
    }

    #[test]
    fn the_command_line_is_well_formed() {
        use clap::CommandFactory;
        Options::command().debug_assert();
    }
}
