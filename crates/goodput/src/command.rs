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
pub mod recover;
pub mod report;
pub mod report_source;
pub mod resolve_host;
pub mod router;
pub mod run;
mod run_record;
pub mod sequence;
pub mod serve;
pub mod show;
pub mod store;

use crate::args::Command;
use crate::exit::{self, Exit};
use crate::failure::Failure;
use crate::output;

/// `words` is the command as typed, for the run's head.
pub fn run(command: Command, words: Vec<String>) -> Result<Exit, Failure> {
    match command {
        Command::Agent(order) => agent::run(*order),
        Command::Measure(order) => measure::run(*order, words),
        Command::Load(order) => load::run(*order, words),
        Command::File(order) => file::run(order, words),
        Command::Run(order) => run::run(*order, words),
        Command::LevelSetter(order) => level_setter::run(&order),
        Command::IcfCheck(order) => icf::check(&order),
        Command::Limits(order) => limits::run(&order),
        Command::Hosts(order) => hosts::run(&order),
        Command::Router(order) => router::run(order),
        Command::Serve(order) => serve::run(*order),
        Command::Host(order) => {
            host::host(&order);
            Ok(Exit::Done)
        }
        Command::Compare(order) => compare::run(&order),
        Command::Lab(order) => lab::run(*order),
        Command::Show(order) => show::run(&order),
        Command::List(order) => list::run(&order),
        Command::Export(order) => export::run(&order),
        Command::Report(order) => report::run(&order),
        Command::Store(order) => store::run(order),
        Command::KeyNew { output, json } => key::new(output, json),
        Command::Demo { output } => demo::run(&output),
        Command::Completions(shell) => completions::run(shell),
        Command::Man(folder) => man::run(&folder),
        Command::ExitCodes => {
            output::text(&exit::table());
            Ok(Exit::Done)
        }
    }
}
