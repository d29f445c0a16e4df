//! The commands of the program; each ends with an exit code or a [`Failure`].

pub mod agent;
pub mod compare;
pub mod completions;
pub mod credentials;
pub mod demo;
pub mod export;
pub mod file;
pub mod find_run;
pub mod host;
pub mod hosts;
pub mod icf;
pub mod key;
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

use crate::args::Command;
use crate::exit::{self, ExitStatus};
use crate::failure::Failure;
use crate::output;

/// `words` is the command as typed, for the run's head.
pub fn run(command: Command, words: Vec<String>) -> Result<ExitStatus, Failure> {
    match command {
        Command::Agent(order) => agent::run_agent(*order),
        Command::Measure(order) => measure::run_measure(*order, words),
        Command::Load(order) => load::run_load(*order, words),
        Command::File(order) => file::run_file(order, words),
        Command::Run(order) => run::run_experiment(*order, words),
        Command::LevelSetter(order) => level_setter::run_level_setter(&order),
        Command::IcfCheck(order) => icf::check_icf(&order),
        Command::Limits(order) => limits::run_limits(&order),
        Command::Hosts(order) => hosts::run_hosts(&order),
        Command::Router(order) => router::run_router(order),
        Command::Serve(order) => serve::run_serve(*order),
        Command::Host(order) => {
            host::print_host(&order);
            Ok(ExitStatus::Done)
        }
        Command::Compare(order) => compare::run_compare(&order),
        Command::Lab(order) => lab::run_lab(*order),
        Command::Show(order) => show::run_show(&order),
        Command::List(order) => list::run_list(&order),
        Command::Export(order) => export::run_export(&order),
        Command::Report(order) => report::run_report(&order),
        Command::Store(order) => store::run_store(order),
        Command::KeyNew { output, json } => key::create_key(output, json),
        Command::Demo { output } => demo::write_demo(&output),
        Command::Completions(shell) => completions::print_completions(shell),
        Command::Man(folder) => man::write_man_pages(&folder),
        Command::ExitCodes => {
            output::print_text(&exit::format_exit_statuses());
            Ok(ExitStatus::Done)
        }
    }
}
