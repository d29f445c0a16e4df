//! `goodput lab up|exec|down|list`: labs whose hosts run this program's agent.

use crate::args::lab::{LabArgs, LabTopologyArgs};
use crate::exit::ExitStatus;
use crate::failure::{Failure, OrFailure, WithHint};
use crate::{language, output};
use goodput_control::{CONTROL_PORT, DATA_PORT, LabKey};
use goodput_lab::{
    HostCommand, HostEnvironment, HostState, LabHostRef, LabOrHostName, LabState, ProgramInvocation,
    RuntimeFolder, StartLabError, StopLabOutcome, Topology, TopologyError,
};
use goodput_model::Bytes;
use goodput_model::host::LinkRelayCounters;
use goodput_words::{ErrorMessage, message};
use serde_json::json;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

pub fn run_lab(order: LabArgs) -> Result<ExitStatus, Failure> {
    match order {
        LabArgs::Up { file, name, shape, link, limits, pin, json } => {
            let mut topology = load_topology(file.as_deref(), shape)?;
            if file.is_none() {
                topology.links.iter_mut().for_each(|one| link.apply_to_link(one, shape.mtu));
            }
            limits.apply_to_topology(&mut topology)?;
            topology.pin = pin.or(topology.pin);
            let state = start_lab(&name, topology.validate().map_err(|e| no_such_lab(&e))?)?;
            if json {
                output::print_json(&state);
            } else {
                output::print_text(&described(&state));
            }
            Ok(ExitStatus::Done)
        }
        LabArgs::Exec { host, command } => exec(&host, command),
        LabArgs::Down { name, json } => {
            let found = stop_lab(&name)?;
            let (word, text) = match found {
                StopLabOutcome::Stopped => ("stopped", message!(progress_lab_down)),
                StopLabOutcome::WasDead => ("was_dead", message!(progress_lab_was_dead)),
                StopLabOutcome::NothingRuns => ("nothing_runs", message!(progress_no_lab_runs)),
            };
            if json {
                output::print_json(&json!({ "schema": "goodput/lab-down/1", "name": name, "found": word }));
            } else {
                output::print_text(&format!("{}\n", language::format_message(&text)));
            }
            Ok(ExitStatus::Done)
        }
        LabArgs::List { json } => list(json),
        LabArgs::Keeper { .. } => keeper(),
    }
}

fn no_such_lab(error: &TopologyError) -> Failure {
    Failure::from_error(ExitStatus::Usage, "lab not found", error)
}

pub fn load_topology(file: Option<&Path>, shape: LabTopologyArgs) -> Result<Topology, Failure> {
    let Some(path) = file else {
        let mut topology = match shape.clients {
            Some(clients) => Topology::star(clients, shape.server_rate),
            None => Topology::default(),
        };
        for link in &mut topology.links {
            link.rate = shape.rate;
            link.mtu = shape.mtu.unwrap_or(link.mtu);
        }
        return topology.validate().map_err(|e| no_such_lab(&e));
    };
    let file = path.display().to_string();
    let text = std::fs::read_to_string(path)
        .or_failure(ExitStatus::Usage, message!(error_cannot_read { path: &file }))?;
    Topology::from_toml(&text)
        .or_failure(ExitStatus::Usage, message!(error_topology_refused { file }))
        .with_hint("[[host]] name = \"a\"; [[link]] hosts = [\"a\", \"b\"], rate = \"100Mbit\", mtu = 1500")
}

pub fn start_lab(name: &LabOrHostName, topology: Topology) -> Result<LabState, Failure> {
    let itself = current_executable()?;
    let key = LabKey::generate().map_err(|e| {
        Failure::from_error(ExitStatus::CannotMeasure, "cannot make the lab's key", &e).with_hint(e.hint())
    })?;
    let order = goodput_lab::StartLabRequest {
        name: name.clone(),
        topology,
        keeper: ProgramInvocation { program: itself.clone(), args: vec!["lab".into(), "keeper".into()] },
        key: format!("{}\n", key.to_text()).into_bytes(),
    };
    goodput_lab::start_lab(&RuntimeFolder::for_user(), &order, |place| agent_in(place, &itself))
        .map_err(|e| not_up(name, &e))
}

fn agent_in(place: &HostEnvironment, itself: &Path) -> HostCommand {
    // The user's policy is for this machine, not for a lab's hosts, where only this user has the key.
    // Machine-wide settings are not allowed; the others and their journal end with the lab.
    let args =
        ["agent", "--name", place.host.as_str(), "--spool", "memory", "--policy", "none", "--allow-dir", "/"];
    let hands = ["--allow-knob", "namespace", "--allow-command", "any", "--knob-journal", "memory"];
    let args = args.into_iter().chain(hands).map(String::from).chain(["--key-file".to_string()]);
    HostCommand {
        program: itself.to_path_buf(),
        args: args.chain([place.key_file.display().to_string()]).collect(),
        env: BTreeMap::new(),
        ports: BTreeMap::from([("control".into(), CONTROL_PORT), ("data".into(), DATA_PORT)]),
        wait_for: vec![CONTROL_PORT, DATA_PORT],
    }
}

fn not_up(name: &LabOrHostName, error: &StartLabError) -> Failure {
    let exit = match error {
        StartLabError::Running { .. } => ExitStatus::Usage,
        _ => ExitStatus::CannotMeasure,
    };
    let failure = Failure::from_error(exit, message!(error_cannot_raise_lab { name: name.as_str() }), error);
    Failure { hint: error.hint(), ..failure }
}

pub fn stop_lab(name: &LabOrHostName) -> Result<StopLabOutcome, Failure> {
    goodput_lab::stop_lab(&RuntimeFolder::for_user(), name).map_err(|e| {
        let exit = match e {
            goodput_lab::StopLabError::NoSuchLab { .. } => ExitStatus::Usage,
            _ => ExitStatus::CannotMeasure,
        };
        let what = message!(error_cannot_take_down_lab { name: name.as_str() });
        Failure { hint: e.hint(), ..Failure::from_error(exit, what, &e) }
    })
}

pub fn find_lab(name: &LabOrHostName) -> Result<LabState, Failure> {
    goodput_lab::find_lab(&RuntimeFolder::for_user(), name).map_err(|e| {
        let what = message!(error_no_lab_to_measure_in { name: name.as_str() });
        Failure::from_error(ExitStatus::Unreachable, what, &e).with_hint(e.hint())
    })
}

fn exec(host: &LabHostRef, words: Vec<OsString>) -> Result<ExitStatus, Failure> {
    let lab = find_lab(&host.lab)?;
    let mut words = words.into_iter();
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words);
    std::process::exit(run_in_lab_host(&lab, &host.host, command)?.into())
}

/// Runs a command in a host of a lab and returns its exit code.
pub fn run_in_lab_host(lab: &LabState, host: &LabOrHostName, command: Command) -> Result<u8, Failure> {
    goodput_lab::exec::run_in_host(lab, host, command).map(goodput_lab::exit_code).map_err(|e| {
        let what = message!(error_cannot_run_it_in { host: host.as_str() });
        Failure { hint: e.hint(), ..Failure::from_error(ExitStatus::CannotMeasure, what, &e) }
    })
}

pub fn current_executable() -> Result<PathBuf, Failure> {
    std::env::current_exe().or_failure(ExitStatus::CannotMeasure, "cannot find this program's file")
}

fn keeper() -> Result<ExitStatus, Failure> {
    goodput_lab::lab_process::run_lab_process()
        .map(|()| ExitStatus::Done)
        .or_failure(ExitStatus::CannotMeasure, "the lab's keeper ended")
        .with_hint("start the lab: goodput lab up")
}

fn list(as_json: bool) -> Result<ExitStatus, Failure> {
    let labs = goodput_lab::list_labs(&RuntimeFolder::for_user()).map_err(|e| {
        Failure::from_error(ExitStatus::CannotMeasure, "cannot list the labs", &e).with_hint(e.hint())
    })?;
    for bad in &labs.unreadable {
        language::print_message(message!(progress_skipped { why: bad.message_with_sources() }));
    }
    labs.left.iter().for_each(|left| language::print_message(left.message()));
    if as_json {
        let brief: Vec<_> = labs.running.iter().map(brief).collect();
        output::print_json(&json!({ "schema": "goodput/labs/1", "labs": brief }));
    } else if labs.running.is_empty() {
        let none = language::format_message(&message!(progress_no_lab_runs_yet));
        output::print_text(&format!("{none}\n"));
    } else {
        labs.running.iter().for_each(|lab| output::print_text(&described(lab)));
    }
    Ok(ExitStatus::Done)
}

fn brief(lab: &LabState) -> serde_json::Value {
    let hosts: Vec<_> = lab
        .hosts
        .iter()
        .map(|h| json!({ "name": h.name, "address": h.address, "ports": h.ports, "bus": h.bus }))
        .collect();
    let relays: Vec<_> =
        lab.links.iter().map(|link| link.relay.as_ref().and_then(|relay| relay.counters())).collect();
    json!({
        "name": lab.name,
        "pid": lab.keeper.pid,
        "hosts": hosts,
        "links": lab.links,
        "relays": relays,
    })
}

fn own(host: &HostState) -> String {
    let mut text = String::new();
    if let Some(share) = &host.cpu_share {
        text.push_str(&format!(", {} % of a CPU", share.quota_us * 100 / share.period_us.max(1)));
    }
    if let Some(disk) = &host.disk {
        let mb = |bytes: Bytes| bytes.0 / 1_000_000;
        let (write, read) = (mb(disk.measured.write), mb(disk.measured.read));
        text.push_str(&format!(", disk at {}: writes {write}, reads {read} MB/s", disk.folder.display()));
    }
    if let Some(cost) = &host.packet_cost {
        text.push_str(&format!(", a packet costs {:.1} µs more", cost.packet_ns as f64 / 1e3));
    }
    if let Some(bus) = &host.bus {
        let rate = bus.shape.obtained.map_or(0.0, |shape| shape.rate.0 as f64 / 1e6);
        text.push_str(&format!(", {}: {rate} Mbit/s for both directions together", bus.name));
    }
    text
}

fn relayed(counted: &LinkRelayCounters) -> String {
    let late = |share| counted.lateness.quantile(share).map_or(0.0, |late| late.0 as f64 / 1e6);
    let access = counted.access.map_or_else(String::new, |access| {
        format!(", {} collisions, {} deferred", access.collisions, access.deferred)
    });
    format!(
        "relayed: {} frames{access}, {} dropped; late by {:.3} ms p50, {:.3} ms p99, {:.3} ms max{}",
        counted.frames,
        counted.dropped.total(),
        late(0.5),
        late(0.99),
        late(1.0),
        if counted.is_valid() { "" } else { ": beyond its bound" }
    )
}

fn described(lab: &LabState) -> String {
    let mut text = format!("lab {}\n", lab.name);
    for host in &lab.hosts {
        text.push_str(&format!("  {:<12} {}{}\n", host.name.as_str(), host.address, own(host)));
    }
    for (link, asked) in lab.links.iter().zip(&lab.topology.links) {
        let names: Vec<&str> = link.hosts.iter().map(LabOrHostName::as_str).collect();
        text.push_str(&format!("  {} : {}\n", names.join(" - "), asked.describe()));
        if let Some(counted) = link.relay.as_ref().and_then(|relay| relay.counters()) {
            text.push_str(&format!("    {}\n", relayed(&counted)));
        }
    }
    if let [first, second, ..] = lab.hosts.as_slice() {
        let host = |name: &LabOrHostName| LabHostRef { host: name.clone(), lab: lab.name.clone() };
        text.push_str(&format!(
            "measure: goodput stream {} --from {}\n",
            host(&second.name),
            host(&first.name)
        ));
    }
    text
}
