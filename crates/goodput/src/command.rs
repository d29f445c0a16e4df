//! The commands of the program; each ends with an exit code or a [`Failure`].

pub mod agent;
mod check_sequence;
pub mod compare;
pub mod completions;
pub mod credentials;
pub mod demo;
mod diagnosis_knobs;
pub mod export;
pub mod file;
pub mod find_run;
pub mod host;
pub mod hosts;
pub mod iometer_icf;
pub mod key;
pub mod knob_session;
pub mod lab;
pub mod level_setter;
pub mod limits;
pub mod list;
pub mod load;
pub mod man;
pub mod measure;
mod measurement;
mod peer_session;
pub mod recover_results;
pub mod report;
pub mod report_source;
pub mod resolve_host;
pub mod router;
pub mod run;
mod run_record;
pub mod serve;
pub mod show;
pub mod store;
pub mod trial_sequence;

use crate::args::file::FileEndpoints;
use crate::args::iometer_icf::IcfArgs;
use crate::args::why::WhyInvocation;
use crate::args::{Command, KeyArgs, ProbeInvocation};
use crate::exit::{self, ExitStatus};
use crate::failure::Failure;
use crate::{lab_exec, output};
use std::ffi::OsString;

/// Runs inside the lab if a lab host is named; its exit code. `None` if this process does the work.
pub fn rerun_in_lab_if_needed(command: &Command, words: &[OsString]) -> Result<Option<u8>, Failure> {
    if lab_exec::is_inside_lab() {
        return Ok(None);
    }
    let place = match command {
        Command::Probe(ProbeInvocation::Measure(order)) => lab_exec::lab_host_for_measurement(order)?,
        Command::Check(order) => lab_exec::lab_host_for_measurement(&order.0)?,
        Command::Why(order) => match &**order {
            WhyInvocation::Stream(order) => lab_exec::lab_host_for_measurement(order)?,
            WhyInvocation::Copy(order) => {
                lab_exec::lab_host_for_file_benchmark(&order.at.from, order.at.target.host().into_iter())?
            }
        },
        Command::Probe(ProbeInvocation::Load(order))
        | Command::Icf(IcfArgs::FromPlan { load: order, .. }) => {
            // The run itself reports warnings about an .icf.
            let course = load::build_load_plan(order, &mut |_| {})?;
            lab_exec::lab_host_for_load_test(&course.server, &course.clients)?
        }
        Command::Probe(ProbeInvocation::File(order)) => {
            let FileEndpoints { target, from, server, .. } = &order.at;
            lab_exec::lab_host_for_file_benchmark(from, target.host().into_iter().chain(server))?
        }
        Command::Probe(ProbeInvocation::CleanFiles(order)) => {
            lab_exec::lab_host_for_file_benchmark(order.from.as_slice(), order.target.host().into_iter())?
        }
        Command::LevelSetter(order) => match &order.host {
            Some(host) => lab_exec::lab_host_for_level_setter(host)?,
            None => None,
        },
        _ => None,
    };
    place.map(|place| lab_exec::rerun_in_lab_host(place, words)).transpose()
}

/// `words` is the command as typed, for the run's head.
pub fn run_command(command: Command, words: Vec<String>) -> Result<ExitStatus, Failure> {
    match command {
        Command::Agent(order) => agent::run_agent(*order),
        Command::Probe(ProbeInvocation::Measure(order)) => measure::run_measure(*order, words),
        Command::Probe(ProbeInvocation::Load(order))
        | Command::Icf(IcfArgs::FromPlan { load: order, .. }) => load::run_load(*order, words),
        Command::Probe(ProbeInvocation::File(order)) => file::run_file(*order, words),
        Command::Probe(ProbeInvocation::CleanFiles(order)) => file::clean::run_clean(&order),
        Command::Check(order) => measure::run_measure(order.0, words),
        Command::Why(order) => match *order {
            WhyInvocation::Stream(order) => measure::run_measure(*order, words),
            WhyInvocation::Copy(order) => file::why::run_copy_diagnosis(*order, words),
        },
        Command::Run(order) => run::run_experiment(*order, words),
        Command::LevelSetter(order) => level_setter::run_level_setter(&order),
        Command::Icf(IcfArgs::Check(order)) => iometer_icf::validate_icf_file(&order),
        Command::Limits(order) => limits::run_limits(&order),
        Command::Hosts(order) => hosts::run_hosts(&order),
        Command::Router(order) => router::run_router(order),
        Command::Serve(order) => serve::run_serve(*order),
        Command::Host(order) => {
            host::run_host(&order);
            Ok(ExitStatus::Done)
        }
        Command::Compare(order) => compare::run_compare(&order),
        Command::Lab(order) => lab::run_lab(*order),
        Command::Show(order) => show::run_show(&order),
        Command::List(order) => list::run_list(&order),
        Command::Export(order) => export::run_export(&order),
        Command::Report(order) => report::run_report(&order),
        Command::Store(order) => store::run_store(order),
        Command::Key { command: KeyArgs::New { output, json } } => key::create_key(output, json),
        Command::Demo { output } => demo::run_demo(&output),
        Command::Completions { shell } => completions::print_completions(shell),
        Command::Man { folder } => man::write_man_pages(&folder),
        Command::ExitCodes => {
            output::print_text(&exit::format_exit_statuses());
            Ok(ExitStatus::Done)
        }
    }
}
